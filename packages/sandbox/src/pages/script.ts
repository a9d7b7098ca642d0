import { verbatim } from "./html.ts";

/** Groups card digits, prevents a second submit, and polls the payment status. Every page works without the script. */
export const script = verbatim(
  `
(()=>{
const d=document,$=n=>d.querySelector(n);
const group=(input,write)=>input&&input.addEventListener("input",()=>{if(input.selectionStart===input.value.length)input.value=write(input.value.replace(/\\D/g,""))});
group($("#card_number"),v=>v.slice(0,19).replace(/(.{4})(?=.)/g,"$1 "));
group($("#card_expiry"),v=>v.length>2?v.slice(0,2)+"/"+v.slice(2,4):v);
const form=$("form[data-once]");
if(form){const b=form.querySelector("button"),t=b.innerHTML;
form.addEventListener("submit",e=>{if(b.hasAttribute("aria-disabled"))return e.preventDefault();b.setAttribute("aria-disabled","true");b.textContent=form.dataset.once});
addEventListener("pageshow",()=>{b.removeAttribute("aria-disabled");b.innerHTML=t})}
const problem=$("#problem");if(problem)problem.focus();
const waitingPage=$("[data-state]");
if(waitingPage){const poll=async()=>{try{const a=await fetch(waitingPage.dataset.state,{cache:"no-store"});if(a.ok&&(await a.json()).state!=="pending")return location.reload()}catch{}setTimeout(poll,2000)};setTimeout(poll,2000)}
})();
`.trim(),
);
