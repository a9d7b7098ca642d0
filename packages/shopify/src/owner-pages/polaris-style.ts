/**
 * The admin's look for what the browser draws by itself, and for the elements of Polaris while they are not defined. The admin is
 * light in every mode. Each pair of text and background has a contrast of 4.5 or more.
 */
export const polarisStyle = `
:root{color-scheme:light;--back:#f1f1f1;--card:#fff;--text:#303030;--soft:#616161;--line:#e3e3e3;--main:#303030;--on-main:#fff;--good:#cdfee1;--on-good:#014b40;--care:#fff1e3;--on-care:#5e4200;--calm:#e3e3e3;--on-calm:#303030;--focus:#005bd3}
body{font:.875rem/1.45 Inter,-apple-system,BlinkMacSystemFont,"Segoe UI",Roboto,"Noto Sans",sans-serif}
main,footer{max-width:60rem}
h1{margin:20px 0 12px;font-size:1.25rem;font-weight:650}
h2{margin:24px 0 8px;font-size:.875rem;font-weight:650}
s-section h2:first-child{margin-top:0}
a:not(.button){color:var(--focus)}
.polaris{display:block;margin:0 0 16px}
s-section:not(:defined),.card{padding:16px;background:var(--card);border:1px solid transparent;border-radius:12px;box-shadow:0 1px 0 #1a1a1a12,0 0 0 1px var(--line)}
s-banner:not(:defined){padding:12px 16px;border:1px solid transparent;border-radius:12px;background:var(--care);color:var(--on-care)}
s-banner:not(:defined)[tone=success]{background:var(--good);color:var(--on-good)}
s-banner:not(:defined)[tone=critical]{background:#fee8eb;color:#8e0b21}
s-section p:last-child,s-banner p:last-child{margin-bottom:0}
s-badge:not(:defined){display:inline-block;padding:2px 8px;border:1px solid transparent;border-radius:8px;background:var(--calm);font-size:.75rem;font-weight:550}
s-badge:not(:defined)[tone=success]{background:#affebf;color:#014b40}
s-badge:not(:defined)[tone=caution]{background:#ffeb78;color:#4f4700}
.rows>li{border-radius:12px;border-color:transparent;box-shadow:0 1px 0 #1a1a1a12,0 0 0 1px var(--line)}
input:not([type=checkbox]){height:44px;border-color:#8a8a8a;border-radius:8px;background:#fdfdfd;font-size:1rem}
.field label{font-weight:450}
.field:last-child{margin-bottom:0}
label:has([type=checkbox]){display:flex;align-items:center;min-height:44px}
.hint,.small,.row .time{font-size:.8125rem}
button,.button{border-radius:8px;padding:9px 14px;font-weight:550}
button:hover,.button:hover{background:#1a1a1a}
.button.second,button.second{color:var(--text);box-shadow:0 1px 0 #b5b5b5,0 0 0 1px var(--line)}
.button.second:hover,button.second:hover{background:#f7f7f7}
:is(a,button,input,summary):focus-visible{outline:2px solid var(--focus);outline-offset:1px}
@media (max-width:30rem){main{padding:0}main>:is(h1,h2,p),main .actions:not(s-section *,.card *){padding-left:16px;padding-right:16px}s-section:not(:defined),.card,.rows>li{border-radius:0}form>p:not(.actions){padding:0 16px}}
@media (pointer:fine) and (min-width:48rem){input:not([type=checkbox]){height:36px;min-height:0;font-size:.875rem}button,.button{min-height:36px;padding:6px 12px}}
`.trim();
