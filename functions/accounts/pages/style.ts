/** The pages' one stylesheet: type scale, colours by `prefers-color-scheme`, forms, tables, notices. From 360 px up. */
export const STYLE = `
:root{color-scheme:light dark;--ink:#1b1f24;--soft:#57606a;--paper:#fff;--panel:#f6f8fa;--line:#d0d7de;--accent:#0b5cad;--on-accent:#fff;--good:#116329;--bad:#b3261e;--bad-panel:#fdecea;--good-panel:#e7f5ea}
@media(prefers-color-scheme:dark){:root{--ink:#e6edf3;--soft:#9da7b3;--paper:#0d1117;--panel:#161b22;--line:#3d444d;--accent:#79b8ff;--on-accent:#0d1117;--good:#7ee787;--bad:#ffb4ab;--bad-panel:#3b1513;--good-panel:#12301c}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:1rem/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
a{color:var(--accent)}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
header,main,footer{max-width:72rem;margin:0 auto;padding:1rem}
header{display:flex;flex-wrap:wrap;gap:.5rem 1.25rem;align-items:center;border-bottom:1px solid var(--line)}
header strong{margin-right:auto;font-size:1.125rem}
header nav{display:flex;flex-wrap:wrap;gap:0 1rem;flex-basis:100%}
header nav a{padding:.5rem 0}
header [aria-current]{color:var(--ink);font-weight:600;text-decoration:none}
main>p,main>.notice{max-width:44rem}
h1{font-size:1.75rem;line-height:1.2;margin:1rem 0}
h2{font-size:1.25rem;line-height:1.3;margin:2rem 0 .5rem}
.narrow{max-width:26rem}
form.stack{display:grid;gap:1rem;margin:1rem 0}
label,.field{display:grid;gap:.25rem;font-weight:600}
label.check{display:flex;align-items:center;gap:.5rem;font-weight:400}
fieldset{border:1px solid var(--line);border-radius:.5rem;padding:.75rem 1rem;margin:0}
.error{color:var(--bad);font-weight:400;font-size:.875rem}
[aria-invalid]{border-color:var(--bad)!important}
details{border:1px solid var(--line);border-radius:.5rem;padding:.5rem 1rem}
summary{font-weight:600;padding:.5rem 0;cursor:pointer}
.field label{font-weight:600}
div.stack{display:grid;gap:1rem;margin:.5rem 0}
.hint{color:var(--soft);font-weight:400;font-size:.875rem}
input:not([type=checkbox],[type=radio],[type=hidden]),select{font:inherit;font-weight:400;padding:.5rem .75rem;width:100%;min-height:2.75rem;border:1px solid var(--soft);border-radius:.375rem;background:var(--paper);color:var(--ink)}
input[type=checkbox],input[type=radio]{width:1.25rem;height:1.25rem;flex:none}
button,.button{font:inherit;font-weight:600;min-height:2.75rem;padding:.5rem 1rem;border:1px solid var(--accent);border-radius:.375rem;background:var(--accent);color:var(--on-accent);cursor:pointer;text-decoration:none;display:inline-block}
button.plain{background:transparent;color:var(--accent)}
button.danger{background:transparent;color:var(--bad);border-color:var(--bad)}
.row{display:flex;flex-wrap:wrap;gap:.75rem;align-items:center}
.notice{border:1px solid var(--line);border-left:.375rem solid var(--accent);background:var(--panel);padding:.75rem 1rem;border-radius:.375rem;margin:1rem 0}
.notice.bad{border-left-color:var(--bad);background:var(--bad-panel)}
.notice.good{border-left-color:var(--good);background:var(--good-panel)}
.notice p{margin:.25rem 0}
.unseen{position:absolute;clip-path:inset(50%);width:1px;height:1px;overflow:hidden;white-space:nowrap}
.empty{border:1px dashed var(--line);border-radius:.5rem;padding:1.5rem;color:var(--soft);text-align:center}
code,.secret{font-family:ui-monospace,monospace;font-size:.9375rem}
.secret{display:block;padding:.75rem;background:var(--paper);border:1px solid var(--line);border-radius:.375rem;user-select:all}
caption{text-align:left;padding-bottom:.5rem}
table{border-collapse:collapse;width:100%}
table+form{margin-top:1rem}
th,td{text-align:left;padding:.5rem .75rem .5rem 0;border-bottom:1px solid var(--line);vertical-align:top}
th,td button,td code{white-space:nowrap}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.25rem 1rem}
dt{color:var(--soft)}dd{margin:0}
@media(max-width:40rem){thead{position:absolute;clip-path:inset(50%);width:1px;height:1px;overflow:hidden}tr{display:block;border-bottom:1px solid var(--line);padding:.5rem 0}td{display:flex;gap:1rem;border:0;padding:.125rem 0}td[data-label]::before{content:attr(data-label);color:var(--soft);flex:0 0 8rem}dl{grid-template-columns:1fr}}
`
