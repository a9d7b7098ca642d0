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
const texts=JSON.parse(d.body.dataset.texts);
const showState=state=>{if(refreshButton.dataset.state===state)return;refreshButton.textContent=texts[state];refreshButton.dataset.state=state;refreshButton.title=paused?texts.turnOn:texts.turnOff};
const editing=()=>edited||d.activeElement.closest("main form")||(getSelection()+"").length>0;
const addCopyButtons=()=>{for(const pre of d.querySelectorAll("pre:not([data-copy])")){pre.dataset.copy="";const button=d.createElement("button");button.type="button";button.className="copy";button.textContent=texts.copy;button.id="copy-"+pre.id;
button.onclick=async()=>{await navigator.clipboard.writeText(pre.textContent);button.textContent=texts.copied};pre.before(button)}};
const selectorOf=element=>{if(element.id)return"#"+CSS.escape(element.id);const href=element.getAttribute("href");return href&&'[href="'+CSS.escape(href)+'"]'};
const replacePart=(part,newHtml)=>{const openIds=[...part.querySelectorAll("details[open]")].map(e=>e.id),closedIds=[...part.querySelectorAll("details:not([open])")].map(e=>e.id),
focusSelector=part.contains(d.activeElement)&&selectorOf(d.activeElement);
part.innerHTML=newHtml;
for(const details of part.querySelectorAll("details")){if(openIds.includes(details.id))details.open=true;if(closedIds.includes(details.id))details.open=false}
addCopyButtons();if(focusSelector)part.querySelector(focusSelector)?.focus({preventScroll:true})};
const refresh=async()=>{
if(paused)return showState("off");
if(d.hidden)return;
if(editing())return showState("waits");
try{const response=await fetch(d.body.dataset.url,{headers:{Accept:"text/html"}});
const next=new DOMParser().parseFromString((await response.text()).replace(/<style.*?<\\/style>/s,""),"text/html");
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
