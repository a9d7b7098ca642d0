import { baseStyle, tokens } from "@tillkit/styles";
import { verbatim } from "../../pages/html.ts";

export const style = verbatim(
  `
${tokens}
${baseStyle}
.skip:not(:focus){position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.skip:focus{position:fixed;z-index:3;top:.5rem;left:.5rem;padding:.6rem 1rem;background:var(--card)}
header{display:flex;align-items:center;gap:.5rem;padding:.4rem .75rem;background:var(--card);border-bottom:1px solid var(--line)}
.brand{display:none;margin:0;font-weight:700}
.search{flex:1 1 4rem;min-width:0}
.search label{position:relative;display:block}
.search input{min-height:2.75rem;padding-right:2rem;font-size:.9375rem}
.search kbd{position:absolute;top:50%;right:.6rem;transform:translateY(-50%);padding:0 .4rem;border:1px solid var(--edge);border-radius:.3rem;color:var(--soft);font:.8125rem/1.4 var(--mono)}
.search input:focus+kbd{display:none}
@media (hover:none){.search kbd{display:none}.search input{padding-right:.7rem}}
.now{margin:0 0 0 auto;font-size:.875rem;white-space:nowrap;font-variant-numeric:tabular-nums}
.now a{display:flex;align-items:center;min-height:44px;color:var(--soft);text-decoration:none}
.now a:hover{text-decoration:underline}
button,a.button{flex:none;padding:.4rem 1.1rem}
a.button{display:inline-block;line-height:1.8}
button.quiet,a.button.quiet,.copy,#refresh,.open-menu{background:var(--card);border-color:var(--edge);color:var(--text)}
button.quiet:hover,a.button.quiet:hover,.copy:hover,#refresh:hover,.open-menu:hover{background:var(--back)}
button.danger,button.danger:hover{background:var(--card);border-color:var(--on-bad);color:var(--on-bad)}
.open-menu:before{content:"";display:inline-block;width:1rem;height:10px;margin-right:.6rem;border:solid;border-width:2px 0 0;border-bottom:6px double}
#refresh,.open-menu{white-space:nowrap}
#refresh{padding:.1rem .7rem;border-radius:2rem;border-color:var(--line);font-size:.8125rem}
#refresh:before{content:"";display:inline-block;width:.5rem;height:.5rem;margin-right:.4rem;border-radius:50%;background:#1f9d6f}
#refresh:not([data-state=on]):before{background:none;border:2px solid var(--edge)}
#menu{inset:3.5rem auto auto 0;width:min(20rem,100vw);max-height:calc(100dvh - 3.5rem);margin:0;padding:.5rem 1rem 1rem;border:0;border-right:1px solid var(--line);background:var(--card);color:var(--text);overflow:auto}
#menu::backdrop{background:#0006}
#menu h2{margin:.9rem 0 .2rem;padding:0 .75rem;color:var(--soft);font-size:.8125rem;font-weight:600}
#menu ul{margin:0;padding:0;list-style:none}
#menu a{display:block;min-height:44px;padding:.6rem .75rem;border-radius:.55rem;color:inherit;text-decoration:none}
#menu a:hover{background:var(--back)}
#menu a[aria-current]{background:var(--good);color:var(--on-good);font-weight:650}
main{max-width:60rem;padding:1.1rem 1rem 3rem}
h1{margin:0 0 .75rem;font-size:1.45rem;line-height:1.3;letter-spacing:-.01em;overflow-wrap:anywhere}
h1 .badge{font-size:.875rem;vertical-align:.2em;letter-spacing:0}
h2{margin:1.75rem 0 .6rem;font-size:1.06rem}
h3{margin:.8rem 0 .3rem;font-size:.875rem;color:var(--soft);font-weight:600}
.breadcrumb{margin:0 0 .25rem;font-size:.9375rem}
.breadcrumb a{display:inline-flex;align-items:center;min-height:44px}
.breadcrumb a:before{content:"‹";margin-right:.3em}
.key-figure{margin:-.5rem 0 1rem;font-size:1.25rem;font-weight:620;font-variant-numeric:tabular-nums}
.small,.none{color:var(--soft);font-size:.9rem}
.none{margin:0}
.rows{margin:0;padding:0;list-style:none;background:var(--card);border:1px solid var(--line);border-radius:.75rem;overflow:hidden}
.rows li+li{border-top:1px solid var(--line)}
.rows a,.plain li{display:grid;grid-template-columns:1fr auto;gap:.1rem 1rem;padding:.7rem .9rem;color:inherit;text-decoration:none}
.rows a:hover{background:var(--back)}
.rows a:focus-visible{outline-offset:-3px}
.rows b{display:-webkit-box;min-width:0;overflow:hidden;font-weight:620;overflow-wrap:anywhere;-webkit-box-orient:vertical;-webkit-line-clamp:2}
.amount{grid-area:1/2;text-align:right;font-weight:620;font-variant-numeric:tabular-nums;white-space:nowrap}
.about{grid-column:1;min-width:0;color:var(--soft);font-size:.875rem;overflow-wrap:anywhere;font-variant-numeric:tabular-nums}
.rows .badge{grid-column:2;align-self:start;justify-self:end}
.rows .amount:empty+.badge{grid-row:1}
time{white-space:nowrap}
.badge{padding:0 .6rem;line-height:1.5}
.filter,.pager{display:flex;flex-wrap:wrap;align-items:center;gap:.4rem;margin:0 0 .9rem}
.filter a,.pager a{display:flex;align-items:center;min-height:44px;padding:.4rem .8rem;border:1px solid var(--line);border-radius:2rem;background:var(--card);color:inherit;font-size:.9rem;text-decoration:none}
.filter a:hover,.pager a:hover{background:var(--back)}
.filter a[aria-current]{background:var(--text);border-color:var(--text);color:var(--card)}
.pager{gap:.9rem;margin:.9rem 0 0;color:var(--soft);font-size:.9rem}
.control-form{display:flex;flex-wrap:wrap;align-items:end;gap:.6rem;margin:0 0 1.1rem}
.control-form form{display:flex;flex-wrap:wrap;align-items:end;gap:.6rem}
#shown>form{margin-bottom:1.1rem}
.rows+form,.pager+form{margin-top:.9rem}
.field{display:block;min-width:0}
.field span,legend{display:block;margin-bottom:.2rem;color:var(--soft);font-size:.875rem}
input,select{padding:.4rem .7rem}
.tick{display:flex;align-items:center;gap:.6rem;min-height:44px}
.tick input{flex:none;width:1.25rem;min-height:0;height:1.25rem;margin:0;accent-color:var(--main)}
fieldset{margin:0;padding:0;border:0}
fieldset .tick{display:inline-flex;margin-right:1.2rem}
.sheet{display:grid;gap:.8rem;margin-bottom:1rem;padding:1rem;background:var(--card);border:1px solid var(--line);border-radius:.75rem}
.sheet h2,.sheet p{margin:0}
.sheet button{justify-self:start}
form:has([name=kind]):not(:has(option[value=status]:checked)) label:has([name=status]){display:none}
form:has([name=kind]):not(:has(option[value=delayMs]:checked)) label:has([name=delayMs]){display:none}
form:has([name=kind]):not(:has(option[value=patch]:checked)) label:has([name=patch]){display:none}
dl{margin:0;padding:.2rem .9rem;background:var(--card);border:1px solid var(--line);border-radius:.75rem}
dl div{display:flex;flex-wrap:wrap;justify-content:space-between;gap:0 1rem;padding:.5rem 0}
dl div+div{border-top:1px solid var(--line)}
dt{color:var(--soft);font-size:.875rem}
dd{margin:0;min-width:0;overflow-wrap:anywhere}
.code,.field input[name=patch]{font-family:var(--mono)}
code{font-size:.9em;overflow-wrap:anywhere}
pre{margin:0 0 .6rem;padding:.75rem .9rem;background:var(--card);border:1px solid var(--line);border-radius:.6rem;font-size:.8125rem;line-height:1.5;white-space:pre-wrap;overflow-wrap:anywhere}
.copy{float:right;margin:.35rem;padding:.1rem .7rem;font-size:.8125rem}
.copy+pre{min-height:3.5rem;padding-block:1.1rem}
summary{min-height:44px;padding:.6rem 0;cursor:pointer}
.attempt{margin-bottom:.6rem;padding:.2rem .9rem;background:var(--card);border:1px solid var(--line);border-radius:.75rem}
.attempt pre{background:var(--back)}
.said{margin:0 0 1rem;padding:.7rem .9rem;border-radius:.6rem;background:var(--good);color:var(--on-good)}
.problem{background:var(--bad);color:var(--on-bad)}
.secret h2,.secret p{margin:0 0 .4rem;font-size:1rem}
.secret pre{color:var(--text)}
@media (max-width:39.99rem){.search kbd{display:none}.search input{padding-right:.7rem}.now .day,.now .zone{display:none}#refresh,.open-menu{display:grid;place-content:center;width:2.75rem;padding:0;font-size:0}#refresh[hidden]{display:none}#refresh:before,.open-menu:before{margin:0}.about:has(+.amount:empty){grid-column:1/-1}}
@media (min-width:40rem){
dl div{display:grid;grid-template-columns:11rem 1fr}
.rows a{grid-template-columns:minmax(15rem,4fr) 5fr 7.5rem 7rem;align-items:baseline}
.about,.rows .badge,.amount,.rows .amount:empty+.badge{grid-area:auto}
.rows .amount:empty{display:none}
.about:has(+.amount:empty){grid-column:2/4}
.about:has(+.amount:empty:last-child){grid-column:2/5}
.rows .amount:empty+.badge{grid-column:4}
.sheet{grid-template-columns:1fr 1fr;align-items:end}
.sheet h2,.sheet p,.sheet .tick,.sheet fieldset,.sheet button{grid-column:1/-1}
}
@media (min-width:60rem){
body{display:grid;grid-template-columns:14rem 1fr;grid-template-rows:auto 1fr;min-height:100vh;background:linear-gradient(90deg,var(--card) calc(14rem - 1px),var(--line) calc(14rem - 1px) 14rem,var(--back) 14rem)}
header{position:sticky;z-index:2;top:0;grid-column:1/-1;flex-wrap:nowrap;height:3.5rem;padding:0 1rem}
.search{order:0;max-width:26rem;margin-left:auto}
.now{margin:0}
.open-menu{display:none}
.brand{display:block;padding-left:.75rem}
#menu{position:sticky;top:3.5rem;display:block;align-self:start;width:auto;height:calc(100dvh - 3.5rem);border:0;background:none}
#menu a{min-height:2.25rem;padding:.35rem .75rem}
#menu h2{margin-top:.7rem}
#menu ul:last-child{margin-top:.7rem;padding-top:.5rem;border-top:1px solid var(--line)}
main{padding:1.5rem 2rem 3rem;min-width:0}
}
@media (min-width:100rem){main{max-width:96rem}main :is(.sheet,.said,dl){max-width:60rem}}
@media (forced-colors:active){.badge,.said,button,a.button{border:1px solid}#menu a[aria-current],.filter a[aria-current]{forced-color-adjust:none;background:Highlight;color:HighlightText}#refresh:before{forced-color-adjust:none;background:ButtonText;border-color:ButtonText!important}}
@supports not selector(:popover-open){#menu{position:static;display:block;width:auto;max-height:none}.open-menu{display:none}}
`.trim(),
);
