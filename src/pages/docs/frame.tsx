import { html, raw } from 'hono/html'
import type { Child } from 'hono/jsx'
import { PATHS } from '../../accounts/people/paths.ts'
import { VERSION } from '../../platform/lib/version.generated.ts'
import type { Legal } from '../../platform/runtime/legal.ts'
import { LegalLinks } from '../legal.tsx'
import { STYLES } from '../style.generated.ts'
import { MENUS, menuOf, neighboursOf } from './menu.ts'
import type { Rendering } from './render.ts'

/** Address of the documents' stylesheet. */
const DOCS_STYLES = '/docs/style.css'
const COPY_SCRIPT_PATH = '/docs/copy.js'

/** Script of the documents: a button on each block of code that copies it. Pages are whole without it. */
export const COPY_SCRIPT = `for (const pre of navigator.clipboard ? document.querySelectorAll('article pre') : []) {
  const text = pre.textContent
  const button = Object.assign(document.createElement('button'), { type: 'button', className: 'copy plain', textContent: 'Copy' })
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(text)
    button.textContent = 'Copied'
    setTimeout(() => (button.textContent = 'Copy'), 2000)
  })
  pre.append(button)
}
`

type FrameProps = {
  service: string
  legal: Legal
  title: string
  description: string
  alternate?: string
  /** Address of the service, for the card that a shared link shows. Without it there is no card. */
  base?: string
  children: Child
}

/** Renders the tags of the card that networks and messengers show for a shared link. */
const ShareCard = ({ title, description, base }: { title: string; description: string; base: string }) => (
  <>
    <meta property="og:type" content="website" />
    <meta property="og:title" content={title} />
    <meta property="og:description" content={description} />
    <meta property="og:url" content={`${base}/`} />
    <meta property="og:image" content={`${base}/docs/pictures/overview.png`} />
    <meta property="og:image:width" content="1280" />
    <meta property="og:image:height" content="800" />
    <meta
      property="og:image:alt"
      content="The overview of a site: what needs a person, what goes out next, and clicks."
    />
    <meta name="twitter:card" content="summary_large_image" />
  </>
)

const Frame = ({ service, legal, title, description, alternate, base, children }: FrameProps) => (
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title>{title === service ? title : `${title} – ${service}`}</title>
      <meta name="description" content={description} />
      {base && <ShareCard title={title} description={description} base={base} />}
      {alternate && <link rel="alternate" type="text/markdown" href={alternate} />}
      <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
      <link rel="stylesheet" href={STYLES} />
      <link rel="stylesheet" href={DOCS_STYLES} />
    </head>
    <body>
      <a class="skip" href="#text">
        Skip to the text
      </a>
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
        <a href="/docs/help/troubleshooting">Help</a>
        <a href="/openapi.json">OpenAPI</a>
        <a href="/llms.txt">llms.txt</a>
        <LegalLinks legal={legal} />
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

const MenuOf = ({ current }: { current: string }) => {
  const menu = menuOf(current)
  return (
    <nav class="menu" aria-label="Documents">
      <details>
        <summary>Menu and search</summary>
        <Search />
        <p class="readers">
          {MENUS.map(({ name, title, path }) => (
            <a href={`/docs/${path}`} aria-current={name === menu.name ? 'true' : undefined}>
              {title}
            </a>
          ))}
        </p>
        {menu.parts.map(({ title, entries }) => (
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
      </details>
    </nav>
  )
}

/** Fewest headings for which a page shows its contents. */
const FEWEST_HEADINGS = 3

const Contents = ({ headings }: Pick<Rendering, 'headings'>) =>
  headings.length < FEWEST_HEADINGS ? null : (
    <nav class="contents" aria-label="On this page">
      <details>
        <summary>On this page</summary>
        <ul>
          {headings.map(({ id, title }) => (
            <li>
              <a href={`#${id}`}>{raw(title.replace(/<\/?a\b[^>]*>/g, ''))}</a>
            </li>
          ))}
        </ul>
      </details>
    </nav>
  )

const Neighbours = ({ path }: { path: string }) => {
  const { before, after } = neighboursOf(path)
  return (
    <nav class="steps" aria-label="Before and after">
      {before ? (
        <a rel="prev" href={`/docs/${before.path}`}>
          ← {before.title}
        </a>
      ) : (
        <span />
      )}
      {after && (
        <a rel="next" href={`/docs/${after.path}`}>
          {after.title} →
        </a>
      )}
    </nav>
  )
}

/** Facts at the foot of a page: the release that it describes, and the address for reports of mistakes. */
export type Release = { service: string; legal: Legal; date: Date | undefined; contact: string | undefined }

const dayOf = (date: Date): string =>
  new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(date)

/** Returns the link that reports a mistake on a page. A contact is an address of a page, or of a mailbox. */
const reportLink = (contact: string, title: string): string =>
  contact.includes('://') ? contact : `mailto:${contact}?subject=${encodeURIComponent(`Documents: ${title}`)}`

const AboutPage = ({ service, date, contact, title }: Omit<Release, 'legal'> & { title: string }) => (
  <p class="about">
    <span>
      {service} {VERSION}
      {date && `, ${dayOf(date)}`}
    </span>
    {contact && <a href={reportLink(contact, title)}>Report a mistake on this page</a>}
  </p>
)

type DocumentProps = {
  release: Release
  title: string
  /** Address below `/docs`. */
  path: string
  /** Address of the same text as Markdown. */
  alternate?: string
  headings?: Rendering['headings']
  children: Child
}

/** Renders a page of the documents, with their menu. */
export const DocumentPage = ({ release, title, path, alternate, headings = [], children }: DocumentProps) =>
  html`<!doctype html>${(
    <Frame
      service={release.service}
      legal={release.legal}
      title={title}
      description={`${title}: documents of ${release.service}.`}
      {...(alternate ? { alternate } : {})}
    >
      <div class="docs">
        <MenuOf current={path} />
        <Contents headings={headings} />
        <main id="text">
          <article>{children}</article>
          <Neighbours path={path} />
          <AboutPage {...release} title={title} />
        </main>
      </div>
      <script src={COPY_SCRIPT_PATH} defer />
    </Frame>
  )}`

/** Renders HTML that the service's own Markdown renderer made. */
export const Rendered = ({ text }: { text: string }) => <>{raw(text)}</>

/** Renders a page without the menu of the documents. */
export const SitePage = (props: Omit<FrameProps, 'alternate'>) => html`<!doctype html>${<Frame {...props} />}`
