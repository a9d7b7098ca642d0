import { verbatim } from "../../pages/html.ts";

/**
 * Updates the page every three seconds, but not while the tab is hidden, the updates are paused, a form is being filled in,
 * or text is selected. Every page works without the script.
 */
export const script = verbatim(
  `
(()=>{
const d=document,liveButton=d.querySelector("#live"),liveParts=()=>[...d.querySelectorAll("[data-live]")],lastHtml={};
let paused=false,edited=false;
const showState=text=>{if(liveButton.textContent===text)return;liveButton.textContent=text;liveButton.dataset.state=text;liveButton.setAttribute("aria-label",text+(paused?". Go on":". Pause"))};
const editing=()=>edited||d.activeElement.closest("main form")||(getSelection()+"").length>0;
const addCopyButtons=()=>{for(const pre of d.querySelectorAll("pre:not([data-copy])")){pre.dataset.copy="";const b=d.createElement("button");b.type="button";b.className="copy";b.textContent="Copy";b.id="copy-"+pre.id;
b.onclick=async()=>{await navigator.clipboard.writeText(pre.textContent);b.textContent="Copied"};pre.before(b)}};
const replacePart=(part,text)=>{const open=[...part.querySelectorAll("details[open]")].map(e=>e.id),shut=[...part.querySelectorAll("details:not([open])")].map(e=>e.id),
at=d.activeElement,key=part.contains(at)&&(at.id?"#"+CSS.escape(at.id):at.getAttribute("href")&&'[href="'+CSS.escape(at.getAttribute("href"))+'"]');
part.innerHTML=text;
for(const e of part.querySelectorAll("details")){if(open.includes(e.id))e.open=true;if(shut.includes(e.id))e.open=false}
addCopyButtons();if(key)part.querySelector(key)?.focus({preventScroll:true})};
const refresh=async()=>{
if(paused)return showState("Paused");
if(d.hidden)return;
if(editing())return showState("Waiting");
try{const a=await fetch(d.body.dataset.url,{headers:{Accept:"text/html"}});
const next=new DOMParser().parseFromString((await a.text()).replace(/<style.*?<\\/style>/s,""),"text/html");
if(paused||editing())return;
for(const part of liveParts()){const now=next.getElementById(part.id);if(now&&now.innerHTML!==lastHtml[part.id]){lastHtml[part.id]=now.innerHTML;replacePart(part,now.innerHTML)}}
showState("Live")}catch{showState("Stopped")}};
for(const part of liveParts())lastHtml[part.id]=part.innerHTML;
addCopyButtons();
d.addEventListener("input",e=>{if(e.target.closest("main form"))edited=true});
d.addEventListener("visibilitychange",refresh);
showState("Live");
liveButton.hidden=false;
liveButton.onclick=()=>{paused=!paused;refresh()};
const url=new URL(location.href);if(url.searchParams.has("done")){url.searchParams.delete("done");history.replaceState(null,"",url)}
(async function poll(){await new Promise(done=>setTimeout(done,3000));await refresh();poll()})();
})();
`.trim(),
);
