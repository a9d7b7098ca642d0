import { baseStyle, lightTokens } from "@tillkit/styles";

/**
 * The style sheet of the shopper's pages. It is inline: a shopper on a weak network waits for one response only. It is light only, as the
 * hosted page and nearly every shop are: a purchase must not flip between light and dark at each step.
 */
export const style = `
${lightTokens}
${baseStyle}
body{min-height:100vh;min-height:100dvh;display:flex;flex-direction:column;align-items:center;justify-content:center;padding:20px 16px;font-size:1.0625rem}
main,footer{width:100%;max-width:26rem}
main{background:var(--card);border:1px solid var(--line);border-radius:20px;padding:28px 22px 24px;text-align:center;box-shadow:0 1px 2px rgba(0,0,0,.04),0 12px 32px rgba(0,0,0,.06)}
.badge{margin:0 0 18px;padding:2px 12px;background:var(--care);color:var(--on-care);font-size:var(--small);white-space:normal}
.icon{width:68px;height:68px;margin:0 auto 18px;border-radius:50%;display:flex;align-items:center;justify-content:center;background:var(--calm);color:var(--on-calm)}
.icon.success{background:var(--good);color:var(--on-good)}
.icon.warning{background:var(--care);color:var(--on-care)}
.icon svg{width:34px;height:34px;display:block}
.turn{transform-origin:50% 50%;animation:turn 1.6s linear infinite}
@keyframes turn{to{transform:rotate(360deg)}}
h1{margin:0 0 10px;font-size:1.4375rem;line-height:1.25;letter-spacing:-.01em;text-wrap:balance}
.amount{margin:0 0 16px;font-size:1.875rem;line-height:1.2;font-weight:700;font-variant-numeric:tabular-nums}
.logo{display:block;max-width:60%;height:44px;object-fit:contain;margin:0 auto 18px}
p{margin:0 0 12px;text-wrap:pretty}
.order{margin:0 0 8px;color:var(--soft);font-weight:600;font-size:.9375rem;overflow-wrap:anywhere}
.live{margin:18px 0 0;padding:10px 14px;border-radius:12px;background:var(--calm);color:var(--on-calm);font-size:.9375rem}
.button{display:block;margin:20px 0 0;padding:14px 18px;border-radius:12px}
.second{display:inline-block;margin:12px 0 0;padding:11px 8px;color:var(--main);text-underline-offset:3px}
details{margin:18px 0 0;border-top:1px solid var(--line);padding-top:6px;text-align:left}
summary{padding:10px 0;color:var(--main);cursor:pointer}
details p{color:var(--soft);margin:0 0 4px}
dl{margin:20px 0 0;padding-top:14px;border-top:1px solid var(--line);display:grid;gap:10px;text-align:left;font-size:.9375rem}
dt{color:var(--soft)}
dd{margin:0;font-weight:600;overflow-wrap:anywhere}
.number{font-variant-numeric:tabular-nums;letter-spacing:.02em}
footer{padding-top:14px;text-align:center}
footer a{display:inline-block;padding:11px 14px;color:var(--soft);text-underline-offset:3px}
@media (forced-colors:active){.icon,.badge,.live{border:1px solid}}
@media print{footer,.button,.second,details,.live{display:none}body{background:none}main{border:0;box-shadow:none}}
`.trim();
