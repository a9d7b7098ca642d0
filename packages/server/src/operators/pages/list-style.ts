/** Each row as lines, for a list that is too narrow for its columns. */
const rowsAsLines = (list: string) =>
  `${list} thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}${list} tbody tr{display:flex;flex-wrap:wrap;gap:2px 12px;align-items:baseline;padding:10px 14px;border-top:1px solid var(--line)}${list} tbody tr:first-child{border-top:0}${list} tbody tr.attention{border-left:5px solid var(--on-care)}${list} tr.attention td:first-child{box-shadow:none}${list} tr::before,${list} tr::after{content:"";flex-basis:100%;order:1}${list} tr::after{order:3}${list} td{order:4;border:0;padding:0}${list} :is(.first,.amount){order:0}${list} :is(.state,.when){order:2}${list} :is(.amount,.when){margin-left:auto}${list} td:empty,${list} .pick{display:none}${list} td.full{flex-basis:100%;min-width:0}${list} .label{display:inline}`;

/**
 * Lists as tables. On a phone each row becomes lines: what it is and its amount, its state and its time, and below them the rest;
 * where a row holds a sentence, on a small laptop too.
 */
export const listStyle = `
button,.badge,.chips a,thead th{overflow-wrap:normal}
.list{background:var(--card);border:1px solid var(--line);border-radius:var(--round-card);border-collapse:separate;border-spacing:0;font-size:.9375rem;margin:0 0 10px}
.list th,.list td{padding:11px 14px;text-align:left;vertical-align:middle}
.list thead th{padding-top:9px;padding-bottom:9px;font-size:.8125rem;font-weight:600;white-space:nowrap}
.list .amount{text-align:right;font-weight:700;white-space:nowrap}
.list thead .amount{font-weight:600}
.list .when{text-align:right;color:var(--soft);white-space:nowrap}
.list tbody tr{position:relative}
.list tbody tr:hover,.list tbody tr:focus-within{background:var(--back)}
.list tr.attention td:first-child{box-shadow:inset 4px 0 var(--on-care)}
.list a.open{font-weight:600;text-decoration:none}
.list a.open:hover{text-decoration:underline}
.list a.open::after{content:"";position:absolute;inset:0}
.list .pick{width:1%;padding-right:0}
.list .pick label{position:relative;vertical-align:middle;z-index:1;display:inline-grid;place-items:center;width:44px;height:44px;margin:-11px -8px -11px -14px;cursor:pointer}
.list .pick input{margin:0}
.list td .small,.list .open code{display:block}
.list .label{display:none}
.list td.full{min-width:18rem}
.list td.first{min-width:8rem}
.list time{white-space:nowrap}
.list td:not(.pick) a:not(.open){position:relative;z-index:1;padding:11px 0}
.mark{display:inline-grid;place-items:center;min-width:26px;height:18px;margin-right:8px;padding:0 4px;border-radius:4px;background:var(--calm);color:var(--on-calm);font-size:.6875rem;font-weight:800;line-height:18px;vertical-align:1px}
.exact{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
tr:hover .exact,tr:focus-within .exact{position:static;clip-path:none}
tr:hover .ago,tr:focus-within .ago{display:none}
.removable{display:flex;flex-wrap:wrap;gap:8px;margin:0 0 12px;padding:0;list-style:none}
.removable a{display:inline-flex;gap:8px;align-items:center;min-height:var(--target);padding:4px 14px;border:1px solid transparent;border-radius:99px;background:var(--calm);color:var(--on-calm);text-decoration:none;font-size:.9375rem}
.empty{padding:36px 20px;text-align:center;color:var(--soft);background:var(--card);border:1px dashed var(--soft);border-radius:var(--round-card)}
.empty strong{display:block;color:var(--text)}
.picked{display:flex;flex-wrap:wrap;gap:10px;align-items:center;margin:8px 0}
.amount-line .badge{white-space:normal}
.overview,.payment{display:grid;gap:0 28px;grid-template-columns:minmax(0,1fr)}
.chosen{display:flex;flex-wrap:wrap;gap:4px 24px;align-items:center}
.tiles .care{border-color:var(--on-care)}
.tiles .care dt,.tiles .care a,.tiles .care .small{color:inherit}
@media (max-width:74.99rem){.payment .act{margin-bottom:14px}}
@media (min-width:75rem){.payment{grid-template-columns:minmax(0,1.7fr) minmax(20rem,1fr);grid-template-rows:auto auto 1fr}.payment>*{grid-column:1}.payment .money{grid-column:2;grid-row:1/span 2}.payment .past{grid-row:2/span 2}.payment .about{grid-column:2;grid-row:3}.payment .facts{grid-template-columns:1fr}.payment .act>h2:first-child{margin-top:0}}
@media (min-width:100rem){.overview{grid-template-columns:minmax(0,2fr) minmax(24rem,1fr);align-items:start}}
@media (min-width:90rem){.exact{position:static;clip-path:none}.ago{display:none}}
@media (min-width:48rem) and (max-width:84.99rem){.list :is(th,td):not(:first-child,:last-child){padding-left:8px;padding-right:8px}.list :is(th,td){white-space:normal}.list :is(.badge,time,.when){white-space:normal;overflow-wrap:normal}.list .amount{white-space:nowrap}.list td:not(.pick){min-width:5.5rem}.list td.full{min-width:8rem}}
@media (max-width:47.99rem){${rowsAsLines(".list")}.picked{display:none}}
@media (max-width:84.99rem){${rowsAsLines(".list:has(td.full p)")}}
@media print{.exact{position:static;clip-path:none}.ago,.pick,.picked{display:none}}
`.trim();
