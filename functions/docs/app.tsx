import { type Context, Hono } from 'hono'
import { PLUGIN_PATH } from '../../src/accounts/people/paths.ts'
import { DataPage } from '../../src/pages/docs/data.tsx'
import { COPY_SCRIPT, DocumentPage, type Release, Rendered, Search, SitePage } from '../../src/pages/docs/frame.tsx'
import { LandingPage } from '../../src/pages/docs/landing.tsx'
import { createLibrary, type Documents, type Library, type Section } from '../../src/pages/docs/library.ts'
import { type Entry, entryAt } from '../../src/pages/docs/menu.ts'
import { movedTo } from '../../src/pages/docs/moved.ts'
import { apiCatalog, apiIndex, llmsFullText, llmsText, registryEntry, sitemap } from '../../src/pages/docs/programs.ts'
import { renderDocument } from '../../src/pages/docs/render.ts'
import { searchSections } from '../../src/pages/docs/search.ts'
import { DOCS_STYLE } from '../../src/pages/docs/style.ts'
import { DATA_PATH } from '../../src/pages/legal.tsx'
import { SERVICE_LINK } from '../../src/platform/http/cors.ts'
import { hasTag } from '../../src/platform/lib/etag.ts'
import { requestIdOf } from '../../src/platform/lib/request-scope.ts'
import { parseLegal } from '../../src/platform/runtime/legal.ts'

type DocsBindings = {
  DOCUMENTS: Documents
  SERVICE_NAME?: string
  PUBLIC_URL: string
  /** Mailbox or page to which mistakes are reported. */
  CONTACT?: string
  /** Processors of data, and their places. */
  DATA_PROCESSORS?: string
  /** The Worker's version, as Cloudflare tells it. Absent on one's own machine. */
  RELEASE?: { timestamp: string }
}

type Env = { Bindings: DocsBindings; Variables: { library: Library; service: string; base: string; release: Release } }
type C = Context<Env>

const MAX_QUERY = 100
/** Document at the address of all documents. */
const OVERVIEW: Entry = { path: 'index', file: 'index.md', title: 'Documents' }

/** Sends text that changes only with a deployment, or 304 if the caller already has it. */
const send = async (c: C, text: string, type: string): Promise<Response> => {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))
  const etag = `"${[...digest.slice(0, 12)].map((byte) => byte.toString(16).padStart(2, '0')).join('')}"`
  c.header('ETag', etag)
  c.header('Cache-Control', 'public, max-age=300')
  c.header('Access-Control-Allow-Origin', '*')
  if (hasTag(c.req.header('if-none-match') ?? null, etag)) return c.body(null, 304)
  return c.body(text, 200, { 'Content-Type': type })
}

const MARKDOWN = 'text/markdown; charset=utf-8'
const PLAIN = 'text/plain; charset=utf-8'
const JSON_TYPE = 'application/json'

const sendPage = async (c: C, page: ReturnType<typeof DocumentPage>): Promise<Response> =>
  send(c, String(await page), 'text/html; charset=utf-8')

/** Returns a document as a page, or as Markdown if its address ends in `.md`. */
const showDocument = async (c: C, entry: Entry, asMarkdown: boolean): Promise<Response> => {
  const { library, release } = c.var
  const text = await library.markdown(entry)
  if (asMarkdown) return send(c, library.forPrograms(text, entry), MARKDOWN)
  const { html, headings } = renderDocument(text, entry.file)
  return sendPage(
    c,
    DocumentPage({
      release,
      title: entry.title,
      path: entry.path,
      alternate: `/docs/${entry.path}.md`,
      headings,
      children: <Rendered text={html} />,
    }),
  )
}

/** Returns one part of a document as a page of its own, or as Markdown. */
const showSection = async (c: C, section: Section, path: string, asMarkdown: boolean): Promise<Response> => {
  const text = section.text.replace(/^## /, '# ')
  if (asMarkdown) return send(c, c.var.library.forPrograms(text, section.entry), MARKDOWN)
  return sendPage(
    c,
    DocumentPage({
      release: c.var.release,
      title: section.heading,
      path,
      alternate: `/docs/${path}.md`,
      children: (
        <>
          <p>
            <a href={`/docs/${section.entry.path}`}>{section.entry.title}</a>
          </p>
          <Rendered text={renderDocument(text, section.entry.file).html} />
        </>
      ),
    }),
  )
}

const notFound = async (c: C): Promise<Response> => {
  const page = SitePage({
    service: c.var.service,
    legal: c.var.release.legal,
    title: 'There is no such page',
    description: 'The page was not found.',
    children: (
      <main id="text">
        <h1>There is no such page</h1>
        <p>
          Look for it, or go to <a href="/docs">all documents</a>.
        </p>
        <Search />
      </main>
    ),
  })
  return c.html(String(await page), 404)
}

const withoutEnding = (path: string): [string, boolean] =>
  path.endsWith('.md') ? [path.slice(0, -3), true] : [path, false]

/** Returns the Worker of the documents, the API description, and the texts that agents read first. */
export const docsApp = () => {
  const app = new Hono<Env>({ strict: false })
  app.use(async (c, next) => {
    const base = c.env.PUBLIC_URL.replace(/\/+$/, '')
    c.set('base', base)
    const service = c.env.SERVICE_NAME ?? 'Galley'
    c.set('service', service)
    const legal = parseLegal(c.env)
    c.set('release', {
      service,
      legal,
      date: c.env.RELEASE && new Date(c.env.RELEASE.timestamp),
      contact: c.env.CONTACT || legal.supportEmail || undefined,
    })
    c.set('library', createLibrary(c.env.DOCUMENTS, base, legal))
    c.header(
      'X-Request-Id',
      requestIdOf(c.req.header('x-request-id') ?? null, () => crypto.randomUUID()),
    )
    c.header('Link', SERVICE_LINK.Link)
    c.header('X-Content-Type-Options', 'nosniff')
    c.header('Referrer-Policy', 'same-origin')
    c.header(
      'Content-Security-Policy',
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    )
    await next()
  })
  const about = (c: C) => ({ service: c.var.service, base: c.var.base })
  app.get('/', (c) => sendPage(c, LandingPage({ ...about(c), legal: c.var.release.legal })))
  app.get(DATA_PATH, (c) => sendPage(c, DataPage({ ...c.var.release, processors: c.env.DATA_PROCESSORS ?? '' })))
  app.get('/llms.txt', async (c) => send(c, await llmsText(c.var.library, about(c)), PLAIN))
  app.get('/llms-full.txt', async (c) => send(c, await llmsFullText(c.var.library, about(c)), PLAIN))
  app.get('/sitemap.xml', (c) => send(c, sitemap(about(c)), 'application/xml; charset=utf-8'))
  app.get('/openapi.json', async (c) => send(c, await c.var.library.openApi(), JSON_TYPE))
  app.get('/openapi/:group{[a-z-]+\\.json}', async (c) => {
    const text = await c.var.library.openApiOf(c.req.param('group').slice(0, -'.json'.length))
    return text === undefined ? notFound(c) : send(c, text, JSON_TYPE)
  })
  app.get('/api/v1', async (c) => send(c, JSON.stringify(await apiIndex(c.var.library, about(c))), JSON_TYPE))
  app.get('/server.json', (c) => send(c, JSON.stringify(registryEntry(about(c)), null, 2), JSON_TYPE))
  app.get('/.well-known/api-catalog', (c) => send(c, JSON.stringify(apiCatalog(about(c))), 'application/linkset+json'))
  app.get('/docs', (c) => showDocument(c, OVERVIEW, false))
  app.get('/docs/style.css', (c) => send(c, DOCS_STYLE, 'text/css; charset=utf-8'))
  app.get('/docs/copy.js', (c) => send(c, COPY_SCRIPT, 'text/javascript; charset=utf-8'))
  app.get('/docs/pictures/:name{[a-z-]+\\.(?:svg|png)}', async (c) => {
    const name = c.req.param('name')
    const picture = await c.env.DOCUMENTS.fetch(`http://documents/pictures/${name}`)
    if (!picture.ok) return notFound(c)
    if (name.endsWith('.svg')) return send(c, await picture.text(), 'image/svg+xml')
    return new Response(picture.body, {
      headers: { 'Content-Type': 'image/png', 'Cache-Control': 'public, max-age=86400' },
    })
  })
  app.get('/docs/galley.mjs', async (c) => {
    const file = await c.env.DOCUMENTS.fetch('http://documents/downloads/galley.mjs')
    return file.ok ? send(c, await file.text(), 'text/javascript; charset=utf-8') : notFound(c)
  })
  app.get(PLUGIN_PATH, async (c) => {
    const file = await c.env.DOCUMENTS.fetch('http://documents/downloads/galley-wordpress.zip')
    if (!file.ok) return notFound(c)
    return new Response(file.body, {
      headers: { 'Content-Type': 'application/zip', 'Cache-Control': 'public, max-age=300' },
    })
  })
  app.get('/docs/search', async (c) => {
    const query = (c.req.query('q') ?? '').slice(0, MAX_QUERY)
    const found = searchSections(await c.var.library.sections(), query)
    return sendPage(
      c,
      DocumentPage({
        release: c.var.release,
        title: 'Search',
        path: 'search',
        children: (
          <>
            <h1>Search</h1>
            <Search query={query} />
            <p role="status">
              {query === '' ? 'Type what you look for.' : found.length === 0 ? `Nothing was found for “${query}”.` : ''}
            </p>
            <ul class="found">
              {found.map(({ title, path, excerpt }) => (
                <li>
                  <a href={path}>{title}</a>
                  <p>{excerpt}</p>
                </li>
              ))}
            </ul>
          </>
        ),
      }),
    )
  })
  app.get('/docs/api/:id', async (c) => {
    const [id, asMarkdown] = withoutEnding(c.req.param('id'))
    const section = await c.var.library.operation(id)
    return section ? showSection(c, section, `api/${id}`, asMarkdown) : notFound(c)
  })
  app.get('/docs/errors/:code', async (c) => {
    const [code, asMarkdown] = withoutEnding(c.req.param('code'))
    const section = await c.var.library.error(code)
    return section ? showSection(c, section, `errors/${code}`, asMarkdown) : notFound(c)
  })
  app.get('/docs/*', async (c) => {
    const [path, asMarkdown] = withoutEnding(c.req.path.replace(/^\/docs\/|\/$/g, ''))
    const entry = entryAt(path)
    if (entry) return showDocument(c, entry, asMarkdown)
    const moved = movedTo(path, asMarkdown)
    return moved === undefined ? notFound(c) : c.redirect(`/docs/${moved}`, 308)
  })
  app.notFound(notFound)
  return app
}
