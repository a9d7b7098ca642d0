import { verbatim } from "../../pages/html.ts";

/**
 * Updates the page every three seconds, but not while the tab is hidden, the updates are off, a form is being filled in, or
 * text is selected. The key `/` focuses the search field. After a secret was shown, a reload shows the page and does not submit the
 * form again. Every page works without the script.
 */
export const script = verbatim(
  `
(()=>{
const d=document,refreshButton=d.querySelector("#refresh"),refreshedParts=()=>[...d.querySelectorAll("[data-refreshed]")],lastHtml={};
let paused=false,edited=d.querySelector("main>.problem")!==null;
const states={on:"Auto-refresh on",off:"Auto-refresh off",waits:"Auto-refresh waits",lost:"Sandbox stopped"};
const showState=state=>{if(refreshButton.dataset.state===state)return;refreshButton.textContent=states[state];refreshButton.dataset.state=state;refreshButton.title=paused?"Turn on":"Turn off"};
const editing=()=>edited||d.activeElement.closest("main form")||(getSelection()+"").length>0;
const addCopyButtons=()=>{for(const pre of d.querySelectorAll("pre:not([data-copy])")){pre.dataset.copy="";const b=d.createElement("button");b.type="button";b.className="copy";b.textContent="Copy";b.id="copy-"+pre.id;
b.onclick=async()=>{await navigator.clipboard.writeText(pre.textContent);b.textContent="Copied"};pre.before(b)}};
const replacePart=(part,text)=>{const open=[...part.querySelectorAll("details[open]")].map(e=>e.id),shut=[...part.querySelectorAll("details:not([open])")].map(e=>e.id),
at=d.activeElement,key=part.contains(at)&&(at.id?"#"+CSS.escape(at.id):at.getAttribute("href")&&'[href="'+CSS.escape(at.getAttribute("href"))+'"]');
part.innerHTML=text;
for(const e of part.querySelectorAll("details")){if(open.includes(e.id))e.open=true;if(shut.includes(e.id))e.open=false}
addCopyButtons();if(key)part.querySelector(key)?.focus({preventScroll:true})};
const refresh=async()=>{
if(paused)return showState("off");
if(d.hidden)return;
if(editing())return showState("waits");
try{const a=await fetch(d.body.dataset.url,{headers:{Accept:"text/html"}});
const next=new DOMParser().parseFromString((await a.text()).replace(/<style.*?<\\/style>/s,""),"text/html");
if(paused||editing())return;
for(const part of refreshedParts()){const now=next.getElementById(part.id);if(now&&now.innerHTML!==lastHtml[part.id]){lastHtml[part.id]=now.innerHTML;replacePart(part,now.innerHTML)}}
showState("on")}catch{showState("lost")}};
for(const part of refreshedParts())lastHtml[part.id]=part.innerHTML;
addCopyButtons();
d.addEventListener("input",e=>{if(e.target.closest("main form"))edited=true});
d.addEventListener("visibilitychange",refresh);
showState("on");
refreshButton.hidden=false;
refreshButton.onclick=()=>{paused=!paused;refresh()};
const url=new URL(location.href);if(url.searchParams.has("done")){url.searchParams.delete("done");history.replaceState(null,"",url)}
if(d.querySelector("#secret"))history.replaceState(null,"",d.body.dataset.url);
const search=d.querySelector("#search");
d.addEventListener("keydown",e=>{const typing=e.target.closest("input:not([type=checkbox]),select,textarea");
if(e.key==="/"&&!typing&&!e.ctrlKey&&!e.metaKey&&!e.altKey){e.preventDefault();search.focus();search.select()}
if(e.key==="Escape"&&e.target===search)search.blur()});
(async function poll(){await new Promise(done=>setTimeout(done,3000));await refresh();poll()})();
})();
`.trim(),
);
