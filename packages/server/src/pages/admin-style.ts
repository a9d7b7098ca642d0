import { baseStyle, tokens } from "@tillkit/styles";

/** The style sheet of the operators' and owners' pages: one column on a phone, wider lists on a larger screen. */
export const adminStyle = `
${tokens}
${baseStyle}
header,main,footer{max-width:64rem;margin:0 auto;padding:0 16px}
header{padding-top:14px}
.hint{margin:4px 0 0;font-size:var(--small);color:var(--soft)}
h1{margin:22px 0 10px;font-size:var(--title);line-height:1.25;letter-spacing:-.01em;text-wrap:balance}
h2{margin:26px 0 8px;font-size:var(--large);line-height:1.3}
h3{margin:0;font-size:1rem;line-height:1.4}
p{margin:0 0 10px;text-wrap:pretty}
:where(.card,.rows>li,.facts,.figures,.timeline,.login){background:var(--card);border:1px solid var(--line);border-radius:var(--round-card)}
.card{padding:14px 16px;margin:0 0 10px}
.card p:last-child,.rows p:last-child{margin-bottom:0}
.card h2:first-child{margin-top:0}
.attention,.rows>li.attention{border-left:5px solid var(--on-care)}
.card:is(.good,.care,.bad){border-color:transparent}
.counts{display:grid;grid-template-columns:repeat(auto-fill,minmax(8.5rem,1fr));gap:8px;margin:0;padding:0;list-style:none}
.counts a,.counts span.cell{display:flex;flex-direction:column;height:100%;padding:10px 12px;background:var(--card);border:1px solid var(--line);border-radius:12px;color:var(--text);text-decoration:none}
.counts a:hover{border-color:var(--main)}
.counts li{font-size:.9375rem}
.counts b{font-size:1.375rem;line-height:1.3;font-variant-numeric:tabular-nums}
.counts .zero b{color:var(--soft);font-weight:400}
.counts .alarm{border-color:var(--on-care);background:var(--care);color:var(--on-care)}
.rows{margin:0 0 10px;padding:0;list-style:none;display:grid;gap:10px}
.rows>li{padding:12px 14px}
.actions+.rows{margin-top:12px}
.row{display:flex;flex-wrap:wrap;align-items:baseline;gap:2px 12px}
.row+p{margin-top:6px}
.row .amount,.sums dd,.pictures td,.part span:last-child{white-space:nowrap}
.row .amount{font-weight:700;font-variant-numeric:tabular-nums}
.row .time{margin-left:auto;color:var(--soft);font-size:var(--small)}
.small{font-size:var(--small);color:var(--soft)}
.number{font:500 .8125rem/1.6 var(--mono)}
.number.code{font-size:1.125rem;font-weight:700;overflow-wrap:anywhere;user-select:all}
.badge{padding:0 10px}
.facts{margin:0;padding:14px 16px;display:grid;gap:10px}
.facts dt{color:var(--soft);font-size:var(--small)}
.facts dd,.tiles dd{margin:0}
.timeline{margin:0;padding:4px 16px;list-style:none}
.timeline li{padding:10px 0;border-top:1px solid var(--line)}
.timeline li:first-child{border-top:0}
.timeline p{margin:0}
.chips{display:flex;flex-wrap:wrap;gap:8px;margin:0 0 12px;padding:0;list-style:none}
.chips a{display:flex;align-items:center;gap:6px;min-height:var(--target);padding:7px 14px;border:1px solid var(--line);border-radius:99px;background:var(--card);color:var(--text);text-decoration:none;font-size:.9375rem}
.chips a[aria-current]{background:var(--main);border-color:var(--main);color:var(--on-main)}
.actions{display:flex;flex-wrap:wrap;gap:10px;margin:12px 0 0;align-items:center}
.actions form>button{margin:0}
.actions>a:not(.button){display:flex;align-items:center;min-height:var(--target)}
input,select{height:46px;padding:9px 12px}
input[type=checkbox]{width:22px;height:22px;min-height:0;padding:0;margin:0 8px 0 0;vertical-align:-5px;accent-color:var(--main)}
button,.button{display:inline-block;padding:9px 18px;text-wrap:balance}
.button.second,button.second,.button.second:hover,button.second:hover{background:var(--card);color:var(--main);box-shadow:inset 0 0 0 1px var(--main)}
button.plain,button.plain:hover{background:none;color:var(--soft);font-weight:400;text-decoration:underline;text-underline-offset:3px;padding:9px 4px}
.field{margin:0 0 14px;max-width:42rem}
.field+button,form>button{margin-bottom:14px}
:is(.card,.login) form:last-child>button:last-child{margin-bottom:0}
.field label{display:block;font-weight:600;margin:0 0 4px}
.fields{display:grid;gap:0 14px;grid-template-columns:repeat(auto-fit,minmax(min(15rem,100%),1fr));align-items:start}
.login{max-width:24rem;margin:12vh auto 0;padding:24px 20px}
.login h1{margin-top:0}
.login button{width:100%}
.back{margin:18px 0 0}
.back+h1{margin-top:6px}
.amount-line{margin:0 0 10px;display:flex;flex-wrap:wrap;align-items:center;gap:6px 10px}
.amount-line b{font-size:1.75rem;line-height:1.2;font-variant-numeric:tabular-nums;margin-right:4px}
.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(8rem,1fr));gap:10px 20px;margin:0 0 12px;padding:14px 16px}
.figures .wide{grid-column:1/-1}
.figures dd .small{display:block;line-height:1.35}
.figures dt,.sums dt{color:var(--soft);font-size:var(--small)}
.figures dd{margin:0;font-variant-numeric:tabular-nums}
.sums{margin:12px 0;padding:4px 16px;background:var(--card);border:1px solid var(--line);border-radius:var(--round-card)}
.sums div{display:flex;justify-content:space-between;align-items:baseline;gap:16px;padding:8px 0;border-top:1px solid var(--line)}
.sums div:first-child{border-top:0}
.sums div:last-child dt,.sums div:last-child dd{font-weight:700;color:var(--text)}
.sums dd{margin:0;font-variant-numeric:tabular-nums;text-align:right}
.sums+.facts,.facts:has(+.card){margin:0 0 10px}
fieldset.rows{border:0}
.choice{display:flex;align-items:center;gap:12px;padding:12px 14px;background:var(--card);border:1px solid var(--line);border-radius:var(--round-card)}
.choice .row{flex:1}
.choice input{flex:none;width:22px;height:22px;min-height:0;padding:0;margin:0;accent-color:var(--main)}
.plain-list{padding-left:34px}
code,pre{font:500 .8125rem/1.6 var(--mono)}
pre{overflow-x:auto;white-space:pre-wrap}
.actions+h2{margin-top:22px}
form+.back{margin:4px 0 0}
form+.back a{display:inline-flex;align-items:center;min-height:var(--target)}
.tiles{display:grid;grid-template-columns:repeat(auto-fill,minmax(8rem,1fr));gap:8px;margin:0 0 12px}
.tiles>div{padding:10px 12px;background:var(--card);border:1px solid var(--line);border-radius:12px}
.tiles dt{color:var(--soft);font-size:var(--small)}
.tiles .small{display:block;line-height:1.35}
.tiles .part{display:flex;justify-content:space-between;gap:8px}
.tiles b~b{margin-top:8px}
.tiles .wide{grid-column:span 2}
.tiles b{display:block;font-size:1.25rem;line-height:1.35;font-variant-numeric:tabular-nums}
.tiles b.words{font-size:.9375rem}
.pictures{display:grid;gap:10px}
figure{margin:0;min-width:0}
figcaption{font-weight:600;margin:0 0 8px}
svg.bars{display:block;width:100%;height:auto;overflow:visible;fill:var(--main)}
svg.bars line{stroke:var(--line)}
svg.bars text{fill:var(--soft);font-size:17px;text-anchor:middle}
svg.bars text:is(.scale,.last){text-anchor:end}
@media (forced-colors:active){svg.bars,svg.bars text,svg.share{fill:CanvasText}svg.bars line{stroke:GrayText}}
svg.share{display:block;width:100%;height:8px;border-radius:4px;fill:var(--main)}
svg.share .rest{fill:var(--line)}
table{border-collapse:collapse;width:100%;font-size:var(--small);font-variant-numeric:tabular-nums}
th,td{padding:5px 6px;border-top:1px solid var(--line);text-align:right;font-weight:400}
th:first-child{text-align:left}
thead th{color:var(--soft);border-top:0}
.card>table+p{margin-top:12px}
summary{cursor:pointer;min-height:var(--target);padding:10px 0}
.fold{margin:0 0 10px}
.fold>summary{padding:10px 2px;color:var(--main);text-decoration:underline;text-underline-offset:3px}
.inline-form{display:flex;flex-wrap:wrap;gap:8px;align-items:center;margin:0 0 12px}
.inline-form>button{margin:0}
.inline-form select{width:auto;max-width:100%}
.filters summary{font-weight:600}
.filters{padding-top:2px;padding-bottom:2px}
.filters form{margin:12px 0}
.pager{display:flex;gap:16px;margin:14px 0 0}
.pager a{display:flex;align-items:center;min-height:var(--target)}
footer{display:flex;flex-wrap:wrap;gap:8px 24px;align-items:center;justify-content:center;padding:28px 16px 32px}
footer a{display:flex;align-items:center;min-height:var(--target);padding:10px 4px;color:var(--soft)}
@media (max-width:30rem){.row .time{margin-left:0}.chips{flex-wrap:nowrap;overflow-x:auto;margin:0 -16px 8px;padding:4px 16px}.chips a{white-space:nowrap}.chips.few{flex-wrap:wrap;gap:6px}.chips.few a{padding:7px 9px;font-size:var(--small)}.actions>:is(button,.button){flex:1 1 auto}.tiles>.wide~:last-child:nth-child(even),.counts li:last-child:nth-child(odd){grid-column:span 2}.sides thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}.sides tr{display:block;padding:6px 0;border-top:1px solid var(--line)}.sides th,.sides td{display:flex;justify-content:space-between;border:0;padding:1px 0}.sides th{font-weight:600}.sides td::before{content:attr(data-name);color:var(--soft)}.filters .fields{grid-template-columns:repeat(auto-fit,minmax(8.25rem,1fr))}svg.bars text{font-size:26px}svg.bars text.every-second{display:none}}
@media (min-width:48rem){.filters .fields{grid-template-columns:repeat(auto-fit,minmax(13rem,1fr))}.sides{table-layout:fixed}.tiles{grid-template-columns:repeat(auto-fit,minmax(9.5rem,1fr))}.pictures{grid-template-columns:1fr 1fr}.pictures>figure:last-child:nth-child(odd){grid-column:span 2}.facts{grid-template-columns:1fr 1fr;gap:12px 24px}}
`.trim();
