/** Additional styles for documents: menus beside the text, tables, code. On narrow screens, menus are folded before the text. */
export const DOCS_STYLE = `
.docs{display:grid;grid-template-columns:15rem minmax(0,1fr);gap:2rem;max-width:72rem}
.docs{padding:0 1rem;margin:0 auto}
.docs>nav{font-size:.9375rem;padding-top:1rem}
.docs>main{margin:0;padding:1rem 0}
.docs>nav summary{cursor:pointer;font-weight:600;padding:.5rem 0}
.docs>nav details{border:0;padding:0;background:none}
.docs .readers{display:flex;gap:0 .75rem;white-space:nowrap;border-bottom:1px solid var(--line);margin:0 0 .5rem}
.docs .contents ul a{padding:.25rem 0;color:var(--soft)}
.steps{display:flex;justify-content:space-between;gap:1rem;border-top:1px solid var(--line);margin-top:2rem;padding-top:1rem}
.about{color:var(--soft);font-size:.875rem;display:flex;flex-wrap:wrap;gap:.25rem 1.5rem}
.docs article img{width:100%;height:auto;background:#fff;border-radius:.5rem}
.docs>nav ul{list-style:none;margin:0 0 1rem;padding:0}
.docs>nav a{display:block;padding:.375rem 0;text-decoration:none}
.docs>nav [aria-current]{font-weight:600;color:var(--ink)}
@media(forced-colors:active){nav [aria-current]{forced-color-adjust:none;background:Highlight;color:HighlightText}}
.docs>nav h2{font-size:.8125rem;text-transform:uppercase;letter-spacing:.04em;color:var(--soft);margin:1rem 0 .25rem}
.docs>*,.docs main,.docs article{min-width:0;width:100%}
.docs article p,.docs article ul,.docs article ol{max-width:46rem}
.docs h1:first-child{margin-top:0}
.docs h3{font-size:1.0625rem;margin:1.5rem 0 .5rem}
pre{background:var(--panel);border:1px solid var(--line);border-radius:.5rem;padding:.75rem 1rem;overflow:auto;line-height:1.4}
pre{position:relative}
pre code{font-size:.8125rem}
pre .comment{color:var(--soft);font-style:italic}
pre .text{color:var(--good)}
pre .keyword{color:var(--accent)}
pre .copy{position:absolute;top:.375rem;right:.375rem;min-height:0;padding:.25rem .5rem;font-size:.75rem}
.file{margin:1rem 0 -.75rem;font-size:.875rem}
:not(pre)>code{background:var(--panel);border-radius:.25rem;padding:.125rem .25rem;font-size:.875em}
.scroll{overflow:auto;margin:1rem 0}
.scroll td,.scroll th{padding-right:1rem;font-size:.9375rem}
.scroll td,.scroll td>*{overflow-wrap:break-word}
.scroll td:last-child{min-width:14rem}
.scroll td code{white-space:normal}
.tabs{display:flex;flex-wrap:wrap;gap:0 .25rem;border-bottom:1px solid var(--line)}
.tabs>details{display:contents}
.tabs summary{order:0;list-style:none;cursor:pointer;padding:.625rem 1rem;border-bottom:3px solid transparent;font-weight:600}
.tabs summary::-webkit-details-marker{display:none}
.tabs [open]>summary{border-color:currentColor}
.tabs>details::details-content{order:1;flex:0 0 100%;min-width:0}
.search{display:flex;gap:.5rem;margin:0 0 1rem}
.search input{min-width:0;flex:1}
.search button{flex:none}
.found{list-style:none;padding:0}
.found li{margin:0 0 1.25rem}
.found p{margin:.25rem 0}
.hero{max-width:48rem;padding:2rem 0 1rem}
.hero h1{font-size:clamp(2rem,5vw,3rem);line-height:1.1;margin:0 0 1rem}
.hero p{font-size:1.1875rem}
.wide{max-width:72rem}
.wide img{width:100%;height:auto;border:1px solid var(--line);border-radius:.75rem;background:#fff}
.cards{display:grid;grid-template-columns:repeat(auto-fit,minmax(16rem,1fr));gap:1rem;padding:0;list-style:none}
.cards li{border:1px solid var(--line);border-radius:.75rem;padding:1rem 1.25rem}
.cards.prices li{display:flex;flex-direction:column}
.cards.prices .button{margin-top:auto;align-self:start}
.cards h3{margin:.25rem 0}
.cards p{margin:.5rem 0}
header.site nav{flex-basis:auto}
footer{border-top:1px solid var(--line);margin-top:3rem;color:var(--soft);display:flex;flex-wrap:wrap;gap:.5rem 1.5rem}
@media(max-width:56rem){.docs{grid-template-columns:minmax(0,1fr);gap:0}.docs>nav{border-bottom:1px solid var(--line);padding:0}}
@media(min-width:56.0625rem){.docs>.contents{grid-column:2;grid-row:1}.docs>main{grid-column:2;grid-row:2}.docs>.menu{grid-column:1;grid-row:1/span 2}
@supports selector(::details-content){.docs>.menu summary{display:none}.docs>.menu details::details-content{content-visibility:visible;display:block}}}
@media(min-width:80rem){.docs{grid-template-columns:15rem minmax(0,1fr) 13rem;max-width:84rem}.docs>main{grid-row:1}.docs>.contents{grid-column:3;position:sticky;top:0;align-self:start;max-height:100vh;overflow:auto}
@supports selector(::details-content){.docs>.contents details::details-content{content-visibility:visible;display:block}}}
@media(max-width:40rem){.scroll td{display:table-cell}.scroll tr{display:table-row}.scroll thead{position:static;clip-path:none;width:auto;height:auto}}
`
