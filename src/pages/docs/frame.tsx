import { html, raw } from 'hono/html'
import type { Child } from 'hono/jsx'
import { PATHS } from '../../accounts/people/paths.ts'
import { STYLES } from '../style.generated.ts'
import { MENU } from './library.ts'

/** Address of the styles of the documents. */
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

/** Renders the form that searches the documents. */
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
  /** The address below `/docs`. */
  path: string
  /** The address of the same text as Markdown. */
  alternate?: string
  children: Child
}

/** Renders a page of the documents: the menu, and the text beside it. */
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

/** HTML that our own renderer made. */
export const Rendered = ({ text }: { text: string }) => <>{raw(text)}</>

/** Renders a page without the menu of the documents. */
export const SitePage = (props: Omit<FrameProps, 'alternate'>) => html`<!doctype html>${<Frame {...props} />}`
