import { verbatim } from "../page/html.ts";

export const consoleStyle = verbatim(
  `
*{box-sizing:border-box}
body{margin:0;background:#f2f4f1;color:#15211d;font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
header{padding:1rem;background:#0e3b31;color:#fff}
h1{margin:0;font-size:1.3rem}
header p{margin:.25rem 0}
header a{color:inherit}
nav a{display:inline-block;padding:.5rem .75rem .5rem 0}
main{display:grid;gap:1.5rem;padding:1rem;grid-template-columns:repeat(auto-fit,minmax(min(22rem,100%),1fr))}
section{min-width:0}
h2{margin:0 0 .6rem;font-size:1.1rem}
ul{margin:0;padding:0;list-style:none;display:grid;gap:.6rem}
li{padding:.75rem .9rem;background:#fff;border:1px solid #dfe3df;border-radius:.75rem;min-width:0}
p{margin:0}
.line{display:flex;flex-wrap:wrap;gap:.25rem .75rem;align-items:center}
.small,.none{color:#53605a;font-size:.875rem;overflow-wrap:anywhere}
code,pre{font:.8125rem/1.45 ui-monospace,Menlo,Consolas,monospace}
pre{margin:.4rem 0;padding:.6rem;background:#f2f4f1;border-radius:.5rem;white-space:pre-wrap;overflow-wrap:anywhere}
summary{cursor:pointer;padding:.4rem 0}
a{color:#0b6a50}
.badge{margin-left:auto;padding:.05rem .55rem;border-radius:1rem;background:#e6eae7;font-size:.8125rem;font-weight:600}
.completed,.delivered{background:#d9efe5;color:#0a4d3a}
.failed,.expired,.dropped,.cancelled{background:#fbe0dd;color:#7c1a14}
.pending,.waiting{background:#fff0cc;color:#5e3f00}
:focus-visible{outline:3px solid #1a73e8;outline-offset:2px}
`.trim(),
);
