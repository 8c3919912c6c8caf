import { html, raw } from 'hono/html'
import type { Child } from 'hono/jsx'
import { PATHS } from '../../accounts/people/paths.ts'
import { STYLES } from '../style.generated.ts'
import { MENU } from './library.ts'

/** Additional styles for documents: a menu beside the text, tables, code. */
export const DOCS_STYLE = `
.docs{display:grid;grid-template-columns:15rem minmax(0,1fr);gap:2rem;max-width:72rem}
.docs{padding:0 1rem;margin:0 auto}
.docs>nav{font-size:.9375rem;grid-column:1;grid-row:1;padding-top:1rem}
.docs>main{grid-column:2;grid-row:1;margin:0;padding:1rem 0}
.docs article img{width:100%;height:auto;background:#fff;border-radius:.5rem}
.docs>nav ul{list-style:none;margin:0 0 1rem;padding:0}
.docs>nav a{display:block;padding:.375rem 0;text-decoration:none}
.docs>nav [aria-current]{font-weight:600;color:var(--ink)}
.docs>nav h2{font-size:.8125rem;text-transform:uppercase;letter-spacing:.04em;color:var(--soft);margin:1rem 0 .25rem}
.docs>*,.docs main,.docs article{min-width:0;width:100%}
.docs article p,.docs article ul,.docs article ol{max-width:46rem}
.docs h1:first-child{margin-top:0}
.docs h3{font-size:1.0625rem;margin:1.5rem 0 .5rem}
pre{background:var(--panel);border:1px solid var(--line);border-radius:.5rem;padding:.75rem 1rem;overflow:auto;line-height:1.4}
pre code{font-size:.8125rem}
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
.cards h3{margin:.25rem 0}
.cards p{margin:.5rem 0}
header.site nav{flex-basis:auto}
footer{border-top:1px solid var(--line);margin-top:3rem;color:var(--soft);display:flex;flex-wrap:wrap;gap:.5rem 1.5rem}
@media(max-width:56rem){.docs{grid-template-columns:minmax(0,1fr)}.docs>main{grid-column:1}.docs>nav{grid-row:2;border-top:1px solid var(--line)}}
@media(max-width:40rem){.scroll td{display:table-cell}.scroll tr{display:table-row}.scroll thead{position:static;clip-path:none;width:auto;height:auto}}
`

/** Address of the documents' stylesheet. */
const DOCS_STYLES = '/docs/style.css'

type FrameProps = { service: string; title: string; description: string; alternate?: string; children: Child }

const Frame = ({ service, title, description, alternate, children }: FrameProps) => (
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title>{title === service ? title : `${title} – ${service}`}</title>
      <meta name="description" content={description} />
      {alternate && <link rel="alternate" type="text/markdown" href={alternate} />}
      <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
      <link rel="stylesheet" href={STYLES} />
      <link rel="stylesheet" href={DOCS_STYLES} />
    </head>
    <body>
      <header class="site">
        <strong>
          <a href="/">{service}</a>
        </strong>
        <nav aria-label="Site">
          <a href="/docs">Documents</a>
          <a href="/docs/reference/operations">API</a>
          <a href={PATHS.signIn}>Sign in</a>
          <a href={PATHS.signUp}>Create an account</a>
        </nav>
      </header>
      {children}
      <footer>
        <a href="/docs/quickstart">Quickstart</a>
        <a href="/openapi.json">OpenAPI</a>
        <a href="/llms.txt">llms.txt</a>
        <a href="/docs/license">All rights reserved</a>
      </footer>
    </body>
  </html>
)

/** Renders the search form of the documents. */
export const Search = ({ query }: { query?: string }) => (
  <search>
    <form class="search" action="/docs/search" method="get">
      <input
        type="search"
        name="q"
        value={query}
        aria-label="Search the documents"
        placeholder="Search"
        maxlength={100}
      />
      <button type="submit">Search</button>
    </form>
  </search>
)

const Menu = ({ current }: { current: string }) => (
  <nav aria-label="Documents">
    <Search />
    {MENU.map(({ title, entries }) => (
      <>
        <h2>{title}</h2>
        <ul>
          {entries.map((entry) => (
            <li>
              <a href={`/docs/${entry.path}`} aria-current={entry.path === current ? 'page' : undefined}>
                {entry.title}
              </a>
            </li>
          ))}
        </ul>
      </>
    ))}
  </nav>
)

type DocumentProps = {
  service: string
  title: string
  /** Address below `/docs`. */
  path: string
  /** Address of the same text as Markdown. */
  alternate?: string
  children: Child
}

/** Renders a page of the documents, with their menu. */
export const DocumentPage = ({ service, title, path, alternate, children }: DocumentProps) =>
  html`<!doctype html>${(
    <Frame
      service={service}
      title={title}
      description={`${title}: documents of ${service}.`}
      {...(alternate ? { alternate } : {})}
    >
      <div class="docs">
        <main>
          <article>{children}</article>
        </main>
        <Menu current={path} />
      </div>
    </Frame>
  )}`

/** Renders HTML that the service's own Markdown renderer made. */
export const Rendered = ({ text }: { text: string }) => <>{raw(text)}</>

/** Renders a page without the menu of the documents. */
export const SitePage = (props: Omit<FrameProps, 'alternate'>) => html`<!doctype html>${<Frame {...props} />}`
