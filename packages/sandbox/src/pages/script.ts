import { verbatim } from "./html.ts";

/**
 * Groups card digits, prevents a second submit, fills in test numbers, and polls the payment status. A test number of more than
 * 12 digits is a card number, a shorter one a phone number. Digits are grouped only while the cursor is at the end of the field, because
 * writing a value moves the cursor to the end. Every page works without the script.
 *
 * The page gives the script its data in attributes: `data-fill` is a test number, `data-paying-label` the label of a submitted button,
 * and `data-status-url` the address that answers the payment's `state`. `method-card` and `method-wave` are the ids of the radio buttons
 * of the payment methods.
 */
export const script = verbatim(
  `
(()=>{
const d=document,$=n=>d.querySelector(n);
const group=(input,write)=>input&&input.addEventListener("input",()=>{if(input.selectionStart===input.value.length)input.value=write(input.value.replace(/\\D/g,""))});
group($("#card_number"),v=>v.slice(0,19).replace(/(.{4})(?=.)/g,"$1 "));
group($("#card_expiry"),v=>v.length>2?v.slice(0,2)+"/"+v.slice(2,4):v);
const number=$("#card_number"),brand=$("#card_brand");
const brands=[["Visa",/^4/],["Mastercard",/^(5[1-5]|2[2-7])/],["American Express",/^3[47]/],["Discover",/^6/]];
const showBrand=()=>{const b=brands.find(([,start])=>start.test(number.value.replace(/\\D/g,"")));brand.textContent=b?b[0]:""};
if(number&&brand){number.addEventListener("input",showBrand);showBrand()}
const put=(field,value)=>{if(field&&value!==undefined){field.value=value;field.dispatchEvent(new Event("input"))}};
for(const code of d.querySelectorAll("code[data-fill]")){const b=d.createElement("button");b.type="button";b.className="fill";b.textContent=code.textContent;
b.addEventListener("click",()=>{const v=code.dataset.fill,card=v.replace(/\\D/g,"").length>12;
const method=$(card?"#method-card":"#method-wave");if(method)method.checked=true;
if(card){put(number,v);put($("#card_expiry"),"12/34");put($("#card_cvc"),"123");}else put($("#mobile_phone"),v);
(card?number:$("#mobile_phone"))?.focus()});code.replaceWith(b)}
const form=$("form[data-paying-label]");
if(form){const b=form.querySelector("button"),t=b.innerHTML;
form.addEventListener("submit",e=>{if(b.hasAttribute("aria-disabled"))return e.preventDefault();b.setAttribute("aria-disabled","true");b.textContent=form.dataset.payingLabel});
addEventListener("pageshow",()=>{b.removeAttribute("aria-disabled");b.innerHTML=t})}
const problem=$("#problem");if(problem)problem.focus();
const waitingPage=$("[data-status-url]");
if(waitingPage){const poll=async()=>{try{const a=await fetch(waitingPage.dataset.statusUrl,{cache:"no-store"});if(a.ok&&(await a.json()).state!=="pending")return location.reload()}catch{}setTimeout(poll,2000)};setTimeout(poll,2000)}
})();
`.trim(),
);
