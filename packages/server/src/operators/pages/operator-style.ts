import { adminStyle } from "../../pages/admin-style.ts";
import { listStyle } from "./list-style.ts";

const wideFrame = `
body.app{display:grid;grid-template-columns:15.5rem minmax(0,1fr);min-height:100vh}
.app>header{position:sticky;top:0;height:100vh;overflow-y:auto;display:flex;flex-direction:column;align-items:stretch;gap:14px;padding:18px 12px 12px;background:var(--card);border:solid var(--line);border-width:0 1px 0 0}
.app>header .brand{padding:0 8px}
.app>header .modes{margin:0 4px}
.app>header .search{display:flex}
.sections{position:static;flex-direction:column;gap:2px;margin:0;padding:0;border:0;background:none}
.sections a{flex:none;gap:12px;padding:10px 12px;border-radius:10px;font-weight:500}
.sections a[aria-current]{background:var(--good);color:var(--on-good);font-weight:700}
.sections a.narrow{display:none}
.app>header .settings{display:flex;flex-direction:column;align-items:flex-start;margin-top:auto;padding:8px}
.app>main{padding:10px 36px 48px;max-width:112rem}
.app>main>:is(p,.card,.facts,.sums,.menu){max-width:62rem}
.app>main>.filters{max-width:none}
.app>main>.sums{max-width:40rem}
`;

/** The style sheet of the operators' pages. The frame is a column from 64 rem on, and two bars on smaller screens; at 400 % no bar may cover a third of them. */
export const operatorStyle = `
${adminStyle}
.app>header,.app>main{max-width:none;margin:0}
.app.test{border-top:4px solid var(--on-care)}
.skip{position:absolute;left:-999px;top:4px;z-index:5;padding:10px 16px;background:var(--card);border-radius:10px}
.skip:focus{left:8px}
.app>header{display:flex;align-items:center;gap:12px;padding:8px 16px;background:var(--card);border-bottom:1px solid var(--line)}
.brand{display:flex;align-items:center;gap:10px;min-width:0;min-height:var(--target);color:var(--text);font-weight:700;text-decoration:none}
.brand span:last-child{overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.logo{flex:none;width:32px;height:32px;border-radius:9px;background:var(--main);color:var(--on-main);display:grid;place-items:center}
.modes{display:flex;flex:none;gap:0;margin:0 0 0 auto;padding:2px;border:1px solid var(--line);border-radius:12px;background:var(--back)}
.modes a{flex:1;min-height:var(--target);padding:9px 14px;overflow-wrap:normal;border-radius:9px;color:var(--soft);text-align:center;text-decoration:none;font-weight:600;border:1px solid transparent}
.modes a[aria-current]{background:var(--card);color:var(--text);border-color:var(--soft)}
.test .modes a[aria-current]{background:var(--care);color:var(--on-care);border-color:var(--on-care)}
.icon{flex:none;width:22px;height:22px;fill:none;stroke:currentColor;stroke-width:1.7;stroke-linecap:round;stroke-linejoin:round}
.app>header .search{display:none;position:relative;margin:0;align-items:center}
.app>header .search label{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.app>header .search .icon{position:absolute;left:12px;color:var(--soft);pointer-events:none}
.app>header .search input{padding-left:42px;padding-right:34px;background:var(--back);border-color:var(--line)}
.app>header .search kbd{position:absolute;right:12px;color:var(--soft);font:600 .8125rem/1 var(--mono);border:1px solid var(--line);border-radius:5px;padding:3px 6px}
.app>header .settings{display:none}
.settings a,.settings button{display:flex;border:0;min-width:44px;align-items:center;padding:8px 4px;min-height:var(--target);color:var(--soft);font-size:.9375rem}
.sections{position:fixed;inset:auto 0 0;z-index:4;display:flex;flex-wrap:nowrap;margin:0;background:var(--card);border-top:1px solid var(--line);padding-bottom:env(safe-area-inset-bottom)}
.sections a{overflow-wrap:normal;position:relative;display:flex;align-items:center;flex:1;border-radius:0;color:var(--text);text-decoration:none}
.count{margin-left:auto;min-width:1.5rem;padding:0 7px;border-radius:99px;background:var(--care);color:var(--on-care);font-size:.8125rem;line-height:1.5rem;text-align:center}
@media (max-width:63.99rem){html{scroll-padding-bottom:72px}.app{padding-bottom:72px}.app.test{border-top-width:3px}.sections a{flex-direction:column;gap:2px;padding:8px 4px 7px;font-size:.8125rem;font-weight:500}.sections a[aria-current]{background:none;color:var(--main);font-weight:700;box-shadow:inset 0 3px var(--main)}.sections .count{position:absolute;top:4px;left:calc(50% + 8px);margin:0}.sections a.wide{display:none}.settings{display:grid;gap:4px;justify-items:start}.keys{display:none}}
.menu{list-style:none;margin:8px 0 20px;padding:0;background:var(--card);border:1px solid var(--line);border-radius:var(--round-card)}
.menu a{display:flex;align-items:center;gap:14px;padding:14px 16px;color:var(--text);text-decoration:none;font-weight:600}
.menu li+li{border-top:1px solid var(--line)}
.tabs{display:flex;flex-wrap:wrap;gap:0 10px;margin:0 0 12px;border-bottom:1px solid var(--line)}
.tabs a{min-width:44px;padding:9px 6px;text-align:center;border-radius:0;color:var(--soft);font-weight:600;text-decoration:none;border-bottom:3px solid transparent;margin-bottom:-1px}
.tabs a[aria-current]{color:var(--text);background:none;border-color:var(--main)}
${listStyle}
@media (min-width:64rem){${wideFrame.replaceAll("\n", "")}}
@media (max-width:63.99rem) and (max-height:20rem){.app{padding-bottom:0}.app>header{flex-wrap:wrap}.app>header .sections{position:static;flex:1 0 100%;border:0}}
@media (min-width:64rem) and (max-height:40rem){.app>header{gap:8px}.sections a{padding:6px 12px}}
@media (forced-colors:active){.badge,.count,button:not(.plain),.button{border:1px solid}.app a[aria-current],.app.test .modes a[aria-current]{forced-color-adjust:none;background:Highlight;color:HighlightText;border-color:Highlight}.app a[aria-current] .count{background:HighlightText;color:Highlight}.counts .alarm{border-width:3px}.tabs a{margin-bottom:0}.tabs a:not([aria-current]){border-color:Canvas}}
@media print{.app>header,.actions,.pager,.chips,.filters,.tabs,form{display:none!important}body,body.app{display:block;background:none;padding:0;border:0}.app>main{padding:0;max-width:none}.card,.facts,.timeline,.sums{break-inside:avoid}a{color:inherit;text-decoration:none}}
`.trim();
