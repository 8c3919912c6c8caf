/** The one stylesheet of all pages: tokens in light and dark, shell, forms, tables, states, calendar, charts. From 360 px up. */
export const STYLE = `
:root{color-scheme:light dark;--bg:light-dark(#fbfbfa,#0e0f11);--surface:light-dark(#fff,#16181b);--sunk:light-dark(#f3f3f1,#1c1f23);--line:light-dark(#e4e4e0,#2a2e33);--ink:light-dark(#1a1a18,#ececea);--soft:light-dark(#5f5f59,#a3a39d);--accent:light-dark(#2a5bd7,#8fb0ff);--tint:light-dark(#eaf0fd,#1b2540);--on-accent:light-dark(#fff,#0e1220);--good:light-dark(#17693a,#6fd39a);--good-tint:light-dark(#e6f4ea,#12291b);--warn:light-dark(#8a5300,#f0b75e);--warn-tint:light-dark(#fdf2dd,#2e2210);--bad:light-dark(#b3261e,#ff9c93);--bad-tint:light-dark(#fdeceb,#331613);--edge:light-dark(#8a8a84,#6d747d);--panel:var(--sunk);--control:2rem}
:root[data-theme=light]{color-scheme:light}
:root[data-theme=dark]{color-scheme:dark}
@media(pointer:coarse){:root{--control:2.5rem}}
*{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--ink);font:.9375rem/1.6 system-ui,sans-serif;font-variant-numeric:tabular-nums;overflow-wrap:anywhere}
a{color:var(--accent)}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
header,main,footer{max-width:72rem;margin:0 auto;padding:1rem}
header{display:flex;flex-wrap:wrap;gap:.5rem 1.25rem;align-items:center;border-bottom:1px solid var(--line)}
header strong{margin-right:auto;font-size:1.0625rem}
header strong a{color:inherit;text-decoration:none}
header nav{display:flex;flex-wrap:wrap;gap:0 1rem}
header nav a{padding:.5rem 0}
h1{font-size:1.25rem;line-height:1.75rem;font-weight:650;margin:0}
h2{font-size:1rem;line-height:1.5rem;font-weight:600;margin:1.5rem 0 .5rem}
h3{font-size:.875rem;line-height:1.25rem;font-weight:600;margin:1rem 0 .25rem}
main>h1{margin:1rem 0}.shell main>h1{margin:.375rem 0 1.375rem}
p{margin:.5rem 0}
.narrow{max-width:27rem}
.skip{position:absolute;left:.5rem;top:-4rem;padding:.5rem .75rem;background:var(--surface);border:1px solid var(--edge);border-radius:.5rem;z-index:9}
.skip:focus{top:.5rem}
.unseen{position:absolute;clip-path:inset(50%);width:1px;height:1px;overflow:hidden;white-space:nowrap}
.shell{display:grid;grid-template-columns:14.5rem minmax(0,1fr);min-height:100vh}
.side{border-right:1px solid var(--line);padding:.75rem;display:flex;flex-direction:column;gap:1rem;position:sticky;top:0;height:100vh;overflow-y:auto}
.side nav ul,.sub ul,.sheet ul,.switch ul{list-style:none;margin:0;padding:0}
.side nav a,.sheet a{display:flex;align-items:center;gap:.625rem;padding:0 .5rem;min-height:2.125rem;border-radius:.5rem;color:var(--soft);text-decoration:none;font-size:.875rem;line-height:1.25rem}
.side nav a:hover,.sheet a:hover,.switch li a:hover{background:var(--sunk)}
.side [aria-current],.sheet [aria-current]{background:var(--sunk);color:var(--ink)}
.side svg,.bar svg,.sheet svg{width:1rem;height:1rem;flex:none}
.count{margin-left:auto;min-width:1.25rem;padding:0 .375rem;border-radius:1rem;background:var(--sunk);color:var(--soft);font-size:.75rem;line-height:1.25rem;text-align:center}
.count.bad{background:var(--bad-tint);color:var(--bad)}
.end{margin-top:auto;display:grid;gap:.25rem}
.end form{margin:0}
.who{font-size:.75rem;line-height:1rem;color:var(--soft);padding:0 .5rem}
.switch{border:1px solid var(--line);border-radius:.5rem;background:var(--surface);padding:0}
.switch>summary{display:flex;align-items:center;gap:.5rem;padding:.5rem;list-style:none;cursor:pointer;font-weight:600;line-height:1.25rem;font-size:.875rem;min-height:3rem}
.switch>summary::-webkit-details-marker{display:none}
.switch>summary::after{content:"▾";margin-left:auto;color:var(--soft)}
.switch>summary span{min-width:0;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.switch small,.meta{font-size:.75rem;line-height:1rem;color:var(--soft);font-weight:400}
.switch small{display:block}
.switch ul{max-height:18rem;overflow-y:auto;border-top:1px solid var(--line);padding:.25rem}
.switch li a{display:block;padding:.375rem .5rem;border-radius:.375rem;color:var(--ink);text-decoration:none;font-size:.8125rem;line-height:1.125rem}
.mark{flex:none;width:1.5rem;height:1.5rem;border-radius:.375rem;background:var(--accent);color:var(--on-accent);display:grid;place-items:center;font-weight:600;font-size:.75rem}
.shell main{margin:0;max-width:79rem;padding:1.25rem 2rem 4rem;width:100%;min-width:0}
.top{display:flex;flex-wrap:wrap;align-items:center;gap:.5rem .75rem;min-height:2.5rem;margin-bottom:1rem}
.top h1{margin-right:auto;min-width:0}
.top form{margin:0}
.bar,.brand{display:none}
.sub{display:grid;grid-template-columns:11rem minmax(0,1fr);gap:2rem;align-items:start}
.sub>nav h2{font-size:.75rem;line-height:1rem;color:var(--soft);font-weight:500;margin:1rem 0 .25rem;padding:0 .5rem}
.sub>nav h2:first-child{margin-top:0}
.sub>nav a{display:block;padding:.25rem .5rem;border-radius:.375rem;color:var(--soft);text-decoration:none;font-size:.875rem;line-height:1.25rem}
.sub>nav [aria-current]{background:var(--sunk);color:var(--ink)}
.sub>div{min-width:0}
.sub>div>p,main>p,main>.notice,.sub .notice{max-width:44rem}
@media(max-width:60rem){.sub{grid-template-columns:minmax(0,1fr);gap:1rem}.sub>nav{display:flex;overflow-x:auto;gap:.25rem;border-bottom:1px solid var(--line);padding-bottom:.5rem}.sub>nav h2{display:none}.sub>nav ul{display:flex;gap:.25rem}.sub>nav a{white-space:nowrap;min-height:2.25rem;padding:.5rem .625rem}}
@media(max-width:47.5rem){.shell{grid-template-columns:minmax(0,1fr);align-content:start}.side{position:static;height:auto;border:0;padding:.75rem 1rem 0}.side>nav,.side>.end{display:none}.shell main{padding:.75rem 1rem 6rem}
.bar{display:grid;grid-template-columns:repeat(5,minmax(0,1fr));position:fixed;inset:auto 0 0 0;background:var(--surface);border-top:1px solid var(--line);z-index:5;height:3.5rem}
.bar>a,.bar summary{display:grid;justify-items:center;align-content:center;gap:.125rem;height:3.5rem;color:var(--soft);text-decoration:none;font-size:.6875rem;line-height:.875rem;list-style:none;cursor:pointer;font-weight:400;padding:0}
.bar summary::-webkit-details-marker{display:none}
.bar [aria-current]{color:var(--accent)}
.bar details{border:0;padding:0}
.sheet{position:fixed;inset:auto 0 3.5rem 0;max-height:75vh;overflow-y:auto;background:var(--surface);border-top:1px solid var(--line);padding:.75rem 1rem;display:grid;gap:.25rem}
.sheet a{min-height:2.75rem}.sheet form{margin:.5rem 0 0}}
form.stack,div.stack{display:grid;gap:1rem;margin:1rem 0}
div.stack{margin:.5rem 0}
label,.field{display:grid;gap:.25rem;font-size:.875rem;font-weight:500}
label.check{display:flex;align-items:center;gap:.5rem;font-weight:400}
fieldset{border:1px solid var(--line);border-radius:.5rem;padding:.75rem 1rem;margin:0}
.error{color:var(--bad);font-weight:400;font-size:.8125rem}
[aria-invalid]{border-color:var(--bad)!important}
details{border:1px solid var(--line);border-radius:.5rem;padding:.5rem 1rem}
summary{font-weight:500;padding:.375rem 0;cursor:pointer}
.hint{color:var(--soft);font-weight:400;font-size:.8125rem;line-height:1.125rem}
input:not([type=checkbox],[type=radio],[type=hidden]),select,textarea{font:inherit;font-size:.875rem;font-weight:400;padding:.25rem .625rem;width:100%;min-height:var(--control);border:1px solid var(--edge);border-radius:.375rem;background:var(--surface);color:var(--ink)}
textarea{line-height:1.25rem;padding:.5rem .625rem}
input[type=checkbox],input[type=radio]{width:1.125rem;height:1.125rem;flex:none}
button,.button{font:inherit;font-size:.875rem;line-height:1.25rem;font-weight:600;min-height:var(--control);padding:.25rem .75rem;border:1px solid var(--accent);border-radius:.375rem;background:var(--accent);color:var(--on-accent);cursor:pointer;text-decoration:none;display:inline-flex;align-items:center;justify-content:center}
button.plain,.button.plain{background:var(--surface);color:var(--ink);border-color:var(--edge);font-weight:500}
button.danger{background:transparent;color:var(--bad);border-color:transparent;font-weight:500}
button.danger:hover{border-color:var(--bad)}
button.danger.sure{background:var(--bad);color:var(--bg);border-color:var(--bad)}
.side button,.sheet button{background:transparent;border-color:transparent;color:var(--soft);font-weight:400;justify-content:flex-start;padding:0 .5rem;width:100%}
form.inline{display:inline-flex;margin:0}
.row{display:flex;flex-wrap:wrap;gap:.5rem .75rem;align-items:center}
.tabs{display:inline-flex;flex-wrap:wrap;gap:0;border:1px solid var(--line);border-radius:.5rem;background:var(--surface);overflow:hidden}
.tabs a{padding:.25rem .75rem;min-height:var(--control);display:inline-flex;align-items:center;color:var(--soft);text-decoration:none;font-size:.875rem}
.tabs a:focus-visible{outline-offset:-3px}
.tabs [aria-current]{background:var(--sunk);color:var(--ink);font-weight:500}
.notice{border:1px solid var(--line);border-left:.25rem solid var(--accent);background:var(--surface);padding:.5rem 1rem;border-radius:.5rem;margin:0 0 1rem}
.notice.bad{border-left-color:var(--bad);background:var(--bad-tint)}
.notice.warn{border-left-color:var(--warn);background:var(--warn-tint)}
.notice.good{border-left-color:var(--good);background:var(--good-tint)}
.notice p{margin:.25rem 0}
.empty{border:1px dashed var(--line);border-radius:.5rem;padding:1.5rem;color:var(--soft);text-align:center}
.empty p{margin:.25rem auto .75rem;max-width:34rem}
code,.secret{font-family:ui-monospace,monospace;font-size:.875rem}
.secret{display:block;padding:.75rem;background:var(--surface);border:1px solid var(--line);border-radius:.375rem;user-select:all}
caption{text-align:left;padding-bottom:.5rem}
table{border-collapse:collapse;width:100%;overflow-wrap:break-word;font-size:.875rem;line-height:1.25rem}
table+form{margin-top:1rem}
th{font-weight:500;color:var(--soft);font-size:.8125rem}
th,td{text-align:left;padding:.5rem .75rem .5rem 0;border-bottom:1px solid var(--line);vertical-align:middle}
th button,td button,td code{white-space:nowrap}
td{overflow-wrap:anywhere;min-width:4rem}
td:first-child{min-width:8rem}
td.num,th.num{text-align:right}
.shell form.stack>button{justify-self:start}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.25rem 1rem}
dt{color:var(--soft)}dd{margin:0}
.cards{display:grid;grid-template-columns:repeat(12,minmax(0,1fr));gap:1rem;align-items:start}
.card{background:var(--surface);border:1px solid var(--line);border-radius:.5rem;grid-column:span 12;min-width:0}
.card>header{max-width:none;margin:0;padding:.625rem 1rem;border-bottom:1px solid var(--line);flex-wrap:nowrap;gap:.75rem}
.card>header h2{margin:0;margin-right:auto}
.card>.in,.card>table{padding:.75rem 1rem}
.card>table{margin:0 1rem;width:calc(100% - 2rem)}
.card>table caption{padding-top:.5rem}
.card tr:last-child,.card tr:last-child td{border-bottom:0}
.card>.empty,.card>details{border:0}
:where(.shell .cards>*){grid-column:1/-1}
.c8{grid-column:span 8}.c7{grid-column:span 7}.c6{grid-column:span 6}.c5{grid-column:span 5}.c4{grid-column:span 4}
@media(max-width:66rem){.c8,.c7,.c6,.c5,.c4{grid-column:span 12}}
.rows{list-style:none;margin:0;padding:0}
.rows>li{display:grid;grid-template-columns:9.5rem minmax(0,1fr) auto;gap:.25rem .75rem;align-items:center;padding:.625rem 1rem;border-bottom:1px solid var(--line);min-height:2.75rem}
.rows.two>li{grid-template-columns:minmax(0,1fr) auto}
.rows>li:last-child{border-bottom:0}
.rows a.name{color:var(--ink);text-decoration:none;font-size:.9375rem;line-height:1.375rem;display:block}
.rows a.name:hover{text-decoration:underline}
.rows p{margin:0;font-size:.8125rem;line-height:1.125rem;color:var(--soft)}
.rows form{margin:0}
.rows>li>.range{width:14rem}
@media(max-width:40rem){.card>header{flex-wrap:wrap;gap:0 .75rem}.rows>li>.range{grid-column:1/-1;width:100%}.rows>li{grid-template-columns:minmax(0,1fr) auto}.rows>li>.pill{grid-column:1/-1;justify-self:start}.rows.two>li>.pill{grid-column:auto}}
.pill{display:inline-flex;align-items:center;gap:.375rem;padding:0 .5rem;border-radius:1rem;font-size:.75rem;line-height:1.375rem;font-weight:500;background:var(--sunk);color:var(--soft);border:1px solid transparent;white-space:nowrap;justify-self:start}
.pill.good{background:var(--good-tint);color:var(--good)}
.pill.warn{background:var(--warn-tint);color:var(--warn)}
.pill.bad{background:var(--bad-tint);color:var(--bad)}
.pill.accent{background:var(--tint);color:var(--accent)}
.pill i{font-style:normal}
@media(forced-colors:active){.pill{border-color:CanvasText}}
.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(9rem,1fr));gap:1px;overflow:hidden;grid-column:1/-1;background:var(--surface);border:1px solid var(--line);border-radius:.5rem}
.figures>div{padding:.75rem 1rem;box-shadow:0 0 0 1px var(--line)}
.figures dd{line-height:1.125rem}
.figures dt,.figures .of{font-size:.8125rem;line-height:1.125rem;color:var(--soft)}
.figures b{display:block;font-size:1.5rem;line-height:2rem;font-weight:600}
.day{display:block;font-size:.75rem;line-height:1rem;color:var(--soft)}
search form{margin:0}
.find{display:flex;flex-wrap:wrap;gap:.5rem;align-items:end;margin:0 0 1rem}
.find label{min-width:9rem}
.find input{max-width:18rem}
.pages{display:flex;gap:.75rem;padding:.75rem 1rem}
.prose{font:1.0625rem/1.75rem Georgia,"Times New Roman",serif;max-width:42rem}
.prose img{max-width:100%;height:auto}
ins{background:var(--good-tint);color:var(--good);text-decoration:underline}
del{background:var(--bad-tint);color:var(--bad);text-decoration:line-through}
mark{background:var(--warn-tint);color:var(--ink);outline:1px solid var(--warn)}
pre{white-space:pre-wrap;margin:0;font-size:.8125rem;line-height:1.25rem}
.scroll{overflow:auto}
[hidden]{display:none!important}
div.paper{border:1px solid var(--line);border-radius:.5rem;background:var(--surface)}
.tools{flex-wrap:wrap;gap:.25rem}
.tools select,.tools input{width:auto}
.tools [aria-pressed=true]{background:var(--tint);color:var(--accent)}
.ProseMirror{position:relative;white-space:pre-wrap;white-space:break-spaces;overflow-wrap:anywhere;min-height:16rem;padding:1rem 1.25rem;font:1.0625rem/1.75rem Georgia,"Times New Roman",serif;outline-offset:-2px}
.ProseMirror img{max-width:100%;height:auto}
.ProseMirror table{display:table;width:100%;border-collapse:collapse}
.ProseMirror td,.ProseMirror th{border:1px solid var(--line);padding:.25rem .5rem}
.ProseMirror .raw{border:1px dashed var(--edge);border-radius:.3125rem;padding:.5rem;margin:.5rem 0}
.ProseMirror-selectednode{outline:2px solid var(--accent)}
iframe.paper{width:100%;height:32rem;border:1px solid var(--line);border-radius:.5rem;background:var(--surface)}
.month{display:grid;grid-template-columns:repeat(7,minmax(0,1fr));background:var(--surface);border:1px solid var(--line);border-radius:.5rem;list-style:none;margin:0;padding:0;overflow:hidden}
.month>li{border-right:1px solid var(--line);border-bottom:1px solid var(--line);min-height:6.5rem;padding:.25rem;min-width:0}
.month>li:nth-child(7n){border-right:0}
.month>li.name{min-height:0;padding:.375rem .5rem;font-size:.8125rem;color:var(--soft)}
.month h2{margin:0 0 .25rem;font-size:.75rem;line-height:1rem;font-weight:500;color:var(--soft);padding:.125rem .25rem}
.month .today h2 b{background:var(--accent);color:var(--on-accent);border-radius:1rem;padding:.0625rem .4375rem;font-weight:600}
.month ul{list-style:none;margin:0;padding:0;display:grid;gap:.25rem}
.tile{display:block;border-radius:.3125rem;padding:.1875rem .375rem;font-size:.75rem;line-height:1rem;text-decoration:none;color:var(--ink);background:var(--sunk);border:1px solid transparent}
.tile span{display:block;color:var(--soft)}
.tile.yours{background:var(--tint)}.tile.yours span{color:var(--accent)}
.tile.service{background:var(--surface);border-color:var(--accent)}.tile.service span{color:var(--accent)}
.tile.stays{background:var(--warn-tint);border:1px dashed var(--warn)}.tile.stays span{color:var(--warn)}
.tile.good{background:var(--good-tint)}.tile.good span{color:var(--good)}
.tile.bad{background:var(--bad-tint)}.tile.bad span{color:var(--bad)}
.tile.post{background:var(--surface);border-color:var(--line)}
.tile b{font-weight:400;display:-webkit-box;-webkit-line-clamp:2;-webkit-box-orient:vertical;overflow:hidden}
.tile:hover{text-decoration:underline}
.over{outline:2px solid var(--accent);outline-offset:-2px}
.gap{display:block;font-size:.6875rem;color:var(--soft);padding:.125rem .25rem}
.agenda{display:none}
@media(max-width:47.5rem){.month{display:none}.agenda{display:block}}
.legend{display:flex;flex-wrap:wrap;gap:.375rem;margin:0 0 .75rem;padding:0;list-style:none}
svg.chart{display:block;width:100%;height:auto}
svg.chart text{fill:var(--soft);font-size:11px;font-family:system-ui,sans-serif}
svg.chart .grid{stroke:var(--line)}
svg.chart .line{fill:none;stroke:var(--accent);stroke-width:1.5}
svg.chart .area{fill:var(--tint)}
svg.chart .note{stroke:var(--warn);stroke-dasharray:2 3}
svg.chart .dot{fill:var(--warn)}
svg.chart .spread{stroke:var(--accent);stroke-width:4;opacity:.35}
.phone{display:none!important}
@media(max-width:47.5rem){.phone{display:block!important}.desk{display:none!important}}
.share{display:block;height:.25rem;background:var(--accent);border-radius:.125rem;border:0}
progress{width:6rem;height:.5rem;accent-color:var(--accent)}
.compare{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,1fr)}
.compare>*{padding:.75rem 1rem;min-width:0}
.compare>*+*{border-left:1px solid var(--line)}
@media(max-width:47.5rem){.compare{grid-template-columns:minmax(0,1fr)}.compare>*+*{border-left:0;border-top:1px solid var(--line)}}
form.stack.in{margin:0}
nav.tabs.find{display:inline-flex;gap:0;align-items:stretch}
.find search{flex:1 1 16rem;max-width:24rem}
.find search form{flex-wrap:nowrap}
td time{white-space:nowrap}
.rows.ticks>li{grid-template-columns:4.5rem minmax(0,1fr)}
.rows details{border:0;padding:0}
.rows details[open]{grid-column:1/-1}
.rows summary{font-size:.875rem}
.card+.card,.card+details,.month+.card,#said+.card{margin-top:1rem}
.cards>.card+.card,.cards .stack>.card+.card{margin-top:0}
.month .other{background:var(--sunk)}
.figures,.figures dd{margin:0}
.c5.stack,.c7.stack{margin:0;align-content:start}
@media(max-width:40rem){thead{position:absolute;clip-path:inset(50%);width:1px;height:1px;overflow:hidden}tr{display:block;border-bottom:1px solid var(--line);padding:.5rem 0}td,td.num{display:flex;gap:1rem;border:0;padding:.125rem 0;text-align:left}td>*{min-width:0;overflow-wrap:anywhere}td[data-label]::before{content:attr(data-label);color:var(--soft);flex:0 0 7rem;font-size:.8125rem}td:empty{display:none}.numbers tr{display:flex;flex-wrap:wrap;gap:0 .875rem}.numbers td{gap:.25rem;min-width:0}.numbers td:first-child{flex:1 0 100%}.numbers td:first-child::before{content:none}.numbers td[data-label]::before{flex:none}dl{grid-template-columns:1fr}}
`
