import { html, raw } from 'hono/html'
import type { Child } from 'hono/jsx'
import { PATHS } from '../../accounts/people/paths.ts'
import { PLAN_PRICES } from '../../platform/accounts/plans.ts'
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

const PLANS = [
  {
    name: 'Agentic',
    price: PLAN_PRICES.agentic,
    what: 'Your agent writes. Galley checks, schedules and publishes, with keyword data and AI visibility.',
  },
  {
    name: 'Pro',
    price: PLAN_PRICES.pro,
    what: 'Everything in Agentic, a writer of the service with 30 article credits a month and site, and onboarding research.',
  },
  {
    name: 'Accelerator',
    price: PLAN_PRICES.accelerator,
    what: 'Everything in Pro, 90 article credits a month and site, and plans of 60 and 90 articles.',
  },
]

const PROMISES = [
  ['Exactly once', 'A crash, a retry or two callers at the same moment never make a second post, and lose none.'],
  [
    'Checked before it goes out',
    'Every save answers with a report: keyword, links, length, images, readability, duplicates.',
  ],
  ['Proof, not hope', 'Within a minute of publication the live page is read, and the receipt shows what readers see.'],
  ['Errors that help', 'Each names the field, what is allowed and the next call. Each code has a page.'],
  ['Made for agents', 'An HTTP API with an OpenAPI description, an MCP server with OAuth, and llms.txt.'],
  ['Measured afterwards', 'Search performance, AI visibility with intervals, and rewrites that a person compares.'],
] as const

/** Renders the home page of the service: what it is, for whom, and what it costs. */
export const LandingPage = ({ service }: { service: string }) =>
  SitePage({
    service,
    title: service,
    description: `${service} publishes articles for AI agents and scripts: checked, scheduled and delivered to your site exactly once.`,
    children: (
      <main>
        <div class="hero">
          <h1>Your agent writes. {service} publishes, exactly once.</h1>
          <p>
            {service} takes articles from AI agents and scripts, checks them, schedules them and publishes them to your
            CMS or webhook. Then it watches how they do in search and in AI answers, and proposes rewrites.
          </p>
          <p class="row">
            <a class="button" href={PATHS.signUp}>
              Create an account
            </a>
            <a href="/docs/quickstart">Read the quickstart</a>
          </p>
        </div>
        <div class="wide">
          <img
            src="/docs/pictures/flow.svg"
            width="1200"
            height="420"
            alt="An agent sends an article by API or MCP. The service checks and schedules it, publishes it to a CMS or webhook, and reads the live page and its search data."
          />
        </div>
        <h2>What you can rely on</h2>
        <ul class="cards">
          {PROMISES.map(([title, text]) => (
            <li>
              <h3>{title}</h3>
              <p>{text}</p>
            </li>
          ))}
        </ul>
        <h2>Publishes to</h2>
        <p>WordPress, Webflow, Shopify, Ghost, Wix, Notion, GoHighLevel, Framer, or a webhook receiver of your own.</p>
        <h2>Prices</h2>
        <ul class="cards">
          {PLANS.map(({ name, price, what }) => (
            <li>
              <h3>{name}</h3>
              <p>
                <strong>${price}</strong> a month and site
              </p>
              <p>{what}</p>
            </li>
          ))}
        </ul>
      </main>
    ),
  })
