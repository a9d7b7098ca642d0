import { baseStyle, lightTokens } from "@tillkit/styles";
import { cardBrandStyle } from "./card-brands.ts";
import { verbatim } from "./html.ts";

/** Light in every mode, as the shopper's pages are: a purchase does not flip between light and dark at each step. */
export const style = verbatim(
  `
${lightTokens}
${baseStyle}
:root{--deep:#0e3b31;--tint:#eef7f3}
.page{max-width:30rem;margin:0 auto;padding:0 1rem 2rem}
header{display:flex;align-items:center;justify-content:space-between;gap:1rem;padding:1rem 0}
.order header,.top{background:var(--deep);color:#fff;box-shadow:0 0 0 100vmax var(--deep);clip-path:inset(0 -100vmax)}
.top{margin-top:-1px;padding:.8rem 0 3.6rem}
.shop{display:flex;align-items:center;gap:.65rem;font-weight:650;min-width:0;overflow-wrap:anywhere}
.mark{flex:none;display:grid;place-items:center;width:2.25rem;height:2.25rem;border-radius:.7rem;background:var(--deep);color:#fff;font-weight:750}
img.mark{object-fit:contain;background:#fff}
.order .mark{background:#fff;color:var(--deep)}
header a{flex:none;display:flex;align-items:center;min-height:44px;color:inherit;padding:.6rem .2rem;font-size:.925rem;text-underline-offset:.2em}
h1{margin:0}
h1,.problem h2{text-wrap:balance}
.top h1{font-size:1rem;font-weight:500;color:#d3e6df}
.sum{margin:.1rem 0 0;font-size:2.3rem;line-height:1.15;font-weight:720;letter-spacing:-.02em;overflow-wrap:anywhere;font-variant-numeric:tabular-nums}
.what{margin:.35rem 0 0;color:#d3e6df;overflow-wrap:anywhere}
.what b{color:#fff;font-weight:600}
.sheet{position:relative;margin-top:.4rem;padding:1.15rem;background:var(--card);border-radius:1.1rem;box-shadow:0 1px 2px #0e3b311f,0 10px 30px #0e3b311a}
.order .sheet{margin-top:-2.5rem}
.sheet h1{font-size:1.45rem;font-weight:700;line-height:1.25;letter-spacing:-.01em}
.sheet p{margin:.6rem 0}
.sheet h2{margin:1.1rem 0 0;font-size:1.06rem;font-weight:680}
.sheet ul{margin:.4rem 0 1rem;padding-left:1.2rem}
.test{margin:0 0 1rem;border-radius:.75rem;background:var(--care);color:var(--on-care);font-size:.925rem}
.test summary{min-height:44px;padding:.65rem .85rem;font-weight:650;cursor:pointer;border-radius:.75rem}
.test div{padding:0 .85rem .75rem}
.test p{margin:0 0 .4rem}
.test ul{margin:0;padding:0;list-style:none}
.test li{display:flex;flex-wrap:wrap;align-items:center;justify-content:space-between;gap:0 .8rem;padding:.15rem 0}
.test code{font:inherit;font-variant-numeric:tabular-nums;font-weight:600}
.problem{margin:0 0 1rem;padding:.85rem 1rem;border:1px solid #e2a29d;border-radius:.75rem;background:var(--bad);color:var(--on-bad);display:flex;gap:.65rem}
.problem svg{flex:none;width:1.4rem;height:1.4rem;margin-top:.05rem}
.problem h2{margin:0;font-size:1rem;line-height:1.45}
.problem p,.problem ul{margin:.25rem 0 0;padding:0;list-style:none}
.problem li+li{margin-top:.3rem}
.problem a{color:inherit}
fieldset{margin:0 0 1.25rem;padding:0;border:0;min-width:0}
legend{padding:0;margin-bottom:.6rem;font-size:1.06rem;font-weight:680}
.pick{position:absolute;opacity:0;width:4px;height:4px;min-height:0;margin:-6px 0 0;scroll-margin-bottom:8rem}
.choices{display:grid;grid-template-columns:repeat(auto-fit,minmax(4.5rem,1fr));gap:.55rem}
.choices label{display:flex;flex-direction:column;align-items:center;justify-content:center;gap:.4rem;min-height:5.6rem;padding:.6rem .35rem;border:1.5px solid var(--edge);border-radius:.8rem;text-align:center;font-size:.925rem;font-weight:600;line-height:1.2;cursor:pointer}
.sign{width:2.5rem;height:1.625rem}
.choices label:after{content:"";flex:none;width:1.25rem;height:1.25rem;margin-top:auto;border:1.5px solid var(--edge);border-radius:50%}
#method-wave:checked~.choices [for=method-wave],#method-mtn:checked~.choices [for=method-mtn],#method-card:checked~.choices [for=method-card]{border-color:var(--main);box-shadow:inset 0 0 0 1.5px var(--main);background:var(--tint)}
#method-wave:focus-visible~.choices [for=method-wave],#method-mtn:focus-visible~.choices [for=method-mtn],#method-card:focus-visible~.choices [for=method-card]{outline:3px solid #1a73e8;outline-offset:2px}
#method-wave:checked~.choices [for=method-wave]:after,#method-mtn:checked~.choices [for=method-mtn]:after,#method-card:checked~.choices [for=method-card]:after{border:.33rem solid var(--main)}
.panel{display:none;margin-top:.9rem}
#method-wave:checked~.wave,#method-mtn:checked~.mtn,#method-wave:checked~.mobile,#method-mtn:checked~.mobile,#method-card:checked~.card{display:block}
form:has(#method-wave:checked) .contact-phone,form:has(#method-mtn:checked) .contact-phone{display:none}
.panel>p,.hint{margin:.3rem 0 0;color:var(--soft);font-size:.9rem}
.panel>p:first-child{margin:0}
.field{margin-top:.85rem}
legend+.field,legend+.contact-phone .field{margin-top:.2rem}
.field label{display:block;margin-bottom:.3rem;font-weight:600;font-size:.95rem}
.field label span{color:var(--soft);font-weight:400}
.field input,.field select{min-height:3rem;padding:.6rem .8rem;font-size:1.06rem}
:focus-visible{outline-color:#1a73e8}
.field input[aria-invalid]{border-color:var(--on-bad);box-shadow:inset 0 0 0 .5px var(--on-bad)}
.wrong{margin:.3rem 0 0;color:var(--on-bad);font-size:.9rem;font-weight:550}
.two{display:grid;grid-template-columns:1fr 1fr;gap:0 .8rem;align-items:start}
.button{display:flex;align-items:center;justify-content:center;gap:.55rem;width:100%;min-height:3.35rem;padding:.7rem 1rem;border-radius:.85rem;font-size:1.09rem;font-weight:680}
.button[aria-disabled]{background:#4a6b60;cursor:progress}
.button svg{flex:none;width:1.2rem;height:1.2rem}
.button.quiet{background:#fff;color:var(--main);box-shadow:inset 0 0 0 1.5px var(--edge)}
.button.quiet:hover{background:var(--tint)}
.button+.button,form+form,.button+form,form+.button{margin-top:.65rem}
.leave{margin:.55rem 0 0;text-align:center}
.leave a{display:inline-flex;align-items:center;min-height:44px;padding:.6rem;color:var(--soft);text-underline-offset:.2em}
footer{display:flex;align-items:center;justify-content:center;gap:.4rem;margin-top:1.25rem;color:var(--soft);font-size:.875rem}
footer svg{width:1rem;height:1rem}
.state{display:grid;place-items:center;width:3.6rem;height:3.6rem;margin:0 0 .9rem;border-radius:50%;background:var(--good);color:var(--main)}
.state svg{width:1.9rem;height:1.9rem}
.state.late{background:var(--care);color:var(--on-care)}
.state.wait{position:relative}
.state.wait:after{content:"";position:absolute;inset:-5px;border-radius:50%;border:3px solid #0b6a5033;border-top-color:var(--main);animation:turn 1.1s linear infinite}
@keyframes turn{to{transform:rotate(1turn)}}
ol{margin:.8rem 0;padding:0;list-style:none;counter-reset:n}
ol li{position:relative;padding:.3rem 0 .3rem 2.2rem;overflow-wrap:anywhere}
ol li:before{counter-increment:n;content:counter(n);position:absolute;left:0;top:.3rem;width:1.5rem;height:1.5rem;border-radius:50%;background:var(--good);color:var(--deep);font-size:.85rem;font-weight:700;text-align:center;line-height:1.5rem}
.status{padding:.65rem .85rem;border-radius:.7rem;background:var(--back);font-weight:600}
dl{margin:1rem 0;border-top:1px solid var(--line)}
dl div{display:flex;justify-content:space-between;gap:1rem;padding:.6rem 0;border-bottom:1px solid var(--line)}
dt{flex:none;max-width:50%;color:var(--soft)}
dd{margin:0;text-align:right;font-weight:600;overflow-wrap:anywhere}
.test .fill{min-height:44px;padding:.15rem .8rem;border:1px solid #c9a04a;border-radius:.5rem;background:#fffaf0;color:inherit;font:inherit;font-variant-numeric:tabular-nums;font-weight:600;cursor:pointer}
.number{position:relative}
.brand{position:absolute;right:.7rem;bottom:.62rem;width:2.7rem;height:1.8rem;overflow:hidden;text-indent:-9rem;white-space:nowrap;background:center/contain no-repeat}
${cardBrandStyle}
.number .field{position:relative}
.calling{display:grid;grid-template-columns:minmax(6.5rem,1fr) minmax(8.5rem,1fr);gap:.5rem}
.calling select{padding:.6rem .4rem}
@media (max-width:23.5rem){.calling{grid-template-columns:1fr}}
@media (min-width:40rem){header{padding-top:2rem}.sheet{padding:1.6rem}}
@media (min-width:60rem){.order .page{max-width:66rem}.order header{box-shadow:none;clip-path:none;background:none;color:var(--text)}.order .mark{background:var(--deep);color:#fff}
.checkout{display:grid;grid-template-columns:1fr 1fr;gap:1.5rem;align-items:start;padding-top:1rem}
.checkout .top{position:sticky;top:1.5rem;min-height:22rem;padding:2.2rem;border:1px solid transparent;border-radius:1.1rem;box-shadow:none;clip-path:none}.order .checkout .sheet{margin-top:0}}
@media (forced-colors:active){.choices label:after{forced-color-adjust:none;border-color:CanvasText}#method-wave:checked~.choices [for=method-wave],#method-mtn:checked~.choices [for=method-mtn],#method-card:checked~.choices [for=method-card]{border:4px solid Highlight}#method-wave:checked~.choices [for=method-wave]:after,#method-mtn:checked~.choices [for=method-mtn]:after,#method-card:checked~.choices [for=method-card]:after{border-color:Highlight}.state,.test,.sheet,.status{border:1px solid}.field input[aria-invalid]{border-width:4px}.button[aria-disabled]{border-style:dashed}}
@media print{header a,form,.leave,.test,footer{display:none}}
`.trim(),
);
