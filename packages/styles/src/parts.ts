import { type ColourName, dark, light } from "./colours.ts";

const sizes =
  '--small:.875rem;--large:1.125rem;--title:1.5rem;--round:.625rem;--round-card:.875rem;--target:44px;--sans:system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;--mono:ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace';

function colourVariables(palette: Readonly<Record<ColourName, string>>): string {
  return Object.entries(palette)
    .map(([name, value]) => `--${name}:${value}`)
    .join(";");
}

/** Colours and sizes as custom properties, light in every mode: for the steps of a purchase. */
export const lightTokens = `:root{color-scheme:light;${colourVariables(light)};${sizes}}`;

/** Colours and sizes as custom properties, light or dark as the reader's system is. */
export const tokens = `:root{color-scheme:light dark;${colourVariables(light)};${sizes}}
@media (prefers-color-scheme:dark){:root{${colourVariables(dark)}}}`;

/** The same for a site on which the reader chooses the mode: the class `dark` of the page says which. */
export const siteTokens = `:root{${colourVariables(light)};${sizes}}:root.dark{${colourVariables(dark)}}`;

/**
 * What every page shares, after the tokens. Borders are transparent instead of none, so that forced colours show the shape of a button
 * or badge; nothing turns or moves for those who asked for less motion; a thumb hits every control.
 */
export const baseStyle = `
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;overflow-wrap:anywhere}
body{margin:0;background:var(--back);color:var(--text);font:1rem/1.5 var(--sans)}
a{color:var(--main);text-underline-offset:.2em}
code,pre{font-family:var(--mono)}
button,.button{min-height:var(--target);border:1px solid transparent;border-radius:var(--round);background:var(--main);color:var(--on-main);font:inherit;font-weight:600;text-align:center;text-decoration:none;cursor:pointer}
button:hover,.button:hover{background:var(--press)}
input,select{width:100%;min-height:var(--target);border:1px solid var(--edge);border-radius:var(--round);background:var(--card);color:inherit;font:inherit;text-overflow:ellipsis}
.badge{display:inline-block;border:1px solid transparent;border-radius:99px;background:var(--calm);color:var(--on-calm);font-size:.8125rem;font-weight:600;white-space:nowrap}
.good{background:var(--good);color:var(--on-good)}
.care{background:var(--care);color:var(--on-care)}
.bad{background:var(--bad);color:var(--on-bad)}
.hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
:focus-visible,input[type=date]:focus-within{outline:3px solid var(--main);outline-offset:2px}
[tabindex="-1"]:focus{outline:none}
@media (prefers-reduced-motion:reduce){*,*:before,*:after{transition:none!important;animation:none!important}}
`.trim();
