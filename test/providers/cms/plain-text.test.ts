import { type DefaultTreeAdapterMap, parseFragment } from 'parse5'
import { expect, it } from 'vitest'
import { startDirectus } from '../../../local/cms/directus.ts'
import { createFramer } from '../../../local/cms/framer.ts'
import { startGhost } from '../../../local/cms/ghost.ts'
import { startGohighlevel } from '../../../local/cms/gohighlevel.ts'
import { startNotion } from '../../../local/cms/notion.ts'
import { startShopify } from '../../../local/cms/shopify.ts'
import { startStrapi } from '../../../local/cms/strapi.ts'
import { startWebflow } from '../../../local/cms/webflow.ts'
import { startWix } from '../../../local/cms/wix.ts'
import { startWordpress } from '../../../local/cms/wordpress.ts'
import { directusConnection } from '../../../src/providers/cms/directus/connect.ts'
import { directusCms } from '../../../src/providers/cms/directus/index.ts'
import { framerConnection } from '../../../src/providers/cms/framer/connect.ts'
import { framerCms } from '../../../src/providers/cms/framer/index.ts'
import { ghostConnection } from '../../../src/providers/cms/ghost/connect.ts'
import { ghostCms } from '../../../src/providers/cms/ghost/index.ts'
import { notionConnection } from '../../../src/providers/cms/notion/connect.ts'
import { notionCms } from '../../../src/providers/cms/notion/index.ts'
import { overwrittenNotes } from '../../../src/providers/cms/overwritten.ts'
import { shopifyConnection } from '../../../src/providers/cms/shopify/connect.ts'
import { shopifyCms } from '../../../src/providers/cms/shopify/index.ts'
import { strapiConnection } from '../../../src/providers/cms/strapi/connect.ts'
import { strapiCms } from '../../../src/providers/cms/strapi/index.ts'
import { webflowConnection } from '../../../src/providers/cms/webflow/connect.ts'
import { webflowCms } from '../../../src/providers/cms/webflow/index.ts'
import { deliveryBody } from '../../../src/providers/cms/webhook/delivery.ts'
import { wixConnection } from '../../../src/providers/cms/wix/connect.ts'
import { wixCms } from '../../../src/providers/cms/wix/index.ts'
import { wordpressCms } from '../../../src/providers/cms/wordpress/index.ts'
import { gohighlevelConnection } from '../../../src/providers/gohighlevel/connect.ts'
import { gohighlevelCms } from '../../../src/providers/gohighlevel/index.ts'
import type { Cms } from '../../../src/publishing/target/cms-adapter.ts'
import { article, clockAt, idOf, meansAt, requestOf } from '../drive.ts'

/** Texts that are shown as written, whatever a CMS makes of such signs in HTML, Markdown or templates. */
const TEXTS = [
  'Oak care <script>document.title="x"</script> guide',
  'Using <br> and <details> in HTML',
  '</title><img src=x onerror=alert(1)>',
  'What &lt; and &amp;lt; mean',
  'R&D, A & B &copy; &#60; &copy2',
  `"Quoted" 'twice' > once <3`,
  'Print {{ shop.secret }} and {% raw %}',
  '<!-- hidden --> *stars* `code` [a](b)',
]

/** The parts of an article with text. Commas would split names at some CMSs. */
const PARTS = ['title', 'description', 'seo', 'alt', 'tag', 'category', 'author'] as const
const textOf = (part: string, text: string): string => `${part}: ${text.replaceAll(',', '')}`

const articleWith = (text: string, imageUrl: string) =>
  article({
    title: textOf('title', text),
    metaDescription: textOf('description', text),
    seoTitle: textOf('seo', text),
    image: { url: imageUrl, alt: textOf('alt', text) },
    tags: [textOf('tag', text)],
    category: textOf('category', text),
    author: textOf('author', text),
  })

type Node = DefaultTreeAdapterMap['node']
const readHtml = (nodes: readonly Node[]): string =>
  nodes
    .map((node) => ('value' in node ? node.value : 'childNodes' in node ? `<>${readHtml(node.childNodes)}` : '<!>'))
    .join('')

/** Ways in which the pages of a CMS show a stored text. */
const PAGES = {
  escaped: (stored: string) => stored,
  html: (stored: string) => readHtml(parseFragment(stored).childNodes),
}
type Page = keyof typeof PAGES

type Scene = { cms: Cms; image: string; stored: () => unknown; close: () => Promise<void> }
type Platform = {
  name: string
  start: () => Promise<Scene>
  pages: readonly Page[]
  /** Parts that it stores as text. The others are names of people and options there, or have no place. */
  parts: readonly (typeof PARTS)[number][]
}

const clock = clockAt('2026-11-21T10:00:00Z')
const deps = meansAt(clock)
const at = (standIn: { url: string; close: () => Promise<void> }) => ({
  image: `${standIn.url}/_image.png`,
  close: standIn.close,
})

const wordpress = (way: 'admin' | 'author' | 'plugin') => async (): Promise<Scene> => {
  const wp = await startWordpress({ now: clock.now })
  const secrets: Record<string, string> =
    way === 'plugin' ? { integration_key: wp.pluginKey } : { cms_username: way, integration_key: wp.passwordOf(way) }
  return {
    ...at(wp),
    cms: wordpressCms({ id: 1, platform: 'wordpress', url: wp.url, secrets }, deps),
    stored: () => wp.stored(),
  }
}

const PLATFORMS: readonly Platform[] = [
  {
    name: 'WordPress, an administrator',
    start: wordpress('admin'),
    pages: ['html'],
    parts: ['title', 'description', 'alt', 'tag', 'category'],
  },
  {
    name: 'WordPress, an author',
    start: wordpress('author'),
    pages: ['html'],
    parts: ['title', 'description', 'alt', 'tag'],
  },
  {
    name: 'WordPress, our plugin',
    start: wordpress('plugin'),
    pages: ['html'],
    parts: ['title', 'description', 'seo', 'alt', 'tag', 'category'],
  },
  {
    name: 'Ghost',
    start: async () => {
      const ghost = await startGhost({ now: clock.now })
      const opened = ghostConnection.connection({ api_url: ghost.url, admin_api_key: ghost.key })
      return { ...at(ghost), cms: ghostCms({ id: 1, platform: 'ghost', ...opened }, deps), stored: ghost.posts }
    },
    pages: ['escaped'],
    parts: ['title', 'description', 'seo', 'alt', 'tag', 'category'],
  },
  {
    name: 'Directus',
    start: async () => {
      const directus = await startDirectus({ now: clock.now })
      const given = { api_url: directus.url, access_token: directus.token, collection: 'posts' }
      const opened = directusConnection.connection(given)
      return {
        ...at(directus),
        cms: directusCms({ id: 1, platform: 'directus', ...opened }, deps),
        stored: directus.items,
      }
    },
    pages: ['escaped'],
    parts: ['title', 'description', 'alt', 'tag', 'category', 'author'],
  },
  {
    name: 'Strapi',
    start: async () => {
      const strapi = await startStrapi({ now: clock.now })
      const given = { api_url: strapi.url, api_token: strapi.token, content_type: 'posts' }
      const opened = strapiConnection.connection(given)
      const stored = () => [strapi.entries(), strapi.files]
      return { ...at(strapi), cms: strapiCms({ id: 1, platform: 'strapi', ...opened }, deps), stored }
    },
    pages: ['escaped'],
    parts: ['title', 'description', 'alt', 'tag', 'category', 'author'],
  },
  {
    name: 'Shopify, whose themes escape some texts',
    start: async () => {
      const shop = await startShopify({ now: clock.now })
      const given = { shop: 'shed-shop', access_token: shop.token, api_url: shop.url }
      const opened = shopifyConnection.connection(given)
      const stored = () => shop.articles().map(({ summary: _, image: __, ...rest }) => rest)
      return { ...at(shop), cms: shopifyCms({ id: 1, platform: 'shopify', ...opened }, deps), stored }
    },
    pages: ['escaped', 'html'],
    parts: ['title', 'description', 'seo', 'tag', 'category', 'author'],
  },
  {
    name: 'Webflow',
    start: async () => {
      const webflow = await startWebflow({ now: clock.now })
      const { token, siteId, collectionId, url } = webflow
      const given = { api_token: token, site_id: siteId, collection_id: collectionId, api_url: url }
      const opened = webflowConnection.connection(given)
      const stored = () => webflow.collection(collectionId)
      return { ...at(webflow), cms: webflowCms({ id: 1, platform: 'webflow', ...opened }, deps), stored }
    },
    pages: ['escaped'],
    parts: ['title', 'description', 'alt'],
  },
  {
    name: 'Wix',
    start: async () => {
      const wix = await startWix({ now: clock.now })
      const member_id = '00000000-0000-4000-8000-000000000800'
      const opened = wixConnection.connection({ api_key: wix.key, site_id: wix.siteId, member_id, api_url: wix.url })
      return {
        ...at(wix),
        cms: wixCms({ id: 1, platform: 'wix', ...opened }, deps),
        stored: () => [wix.live(), wix.labels],
      }
    },
    pages: ['escaped'],
    parts: ['title', 'description', 'seo'],
  },
  {
    name: 'Notion',
    start: async () => {
      const notion = await startNotion({ now: clock.now })
      const given = { integration_token: notion.token, database_id: notion.databaseId, api_url: notion.url }
      const opened = notionConnection.connection(given)
      return { ...at(notion), cms: notionCms({ id: 1, platform: 'notion', ...opened }, deps), stored: notion.pages }
    },
    pages: ['escaped'],
    parts: ['title', 'description', 'tag', 'category', 'author'],
  },
  {
    name: 'GoHighLevel',
    start: async () => {
      const ghl = await startGohighlevel({ now: clock.now })
      const blog = { location_id: ghl.locationId, blog_url: 'https://blog.shed.example' }
      const opened = gohighlevelConnection.connection({ private_token: ghl.token, ...blog, api_url: ghl.url })
      return { ...at(ghl), cms: gohighlevelCms({ id: 1, platform: 'gohighlevel', ...opened }, deps), stored: ghl.posts }
    },
    pages: ['escaped'],
    parts: ['title', 'description', 'alt', 'tag'],
  },
  {
    name: 'Framer',
    start: async () => {
      const framer = createFramer({ now: clock.now })
      const project_url = 'https://framer.com/projects/Shed--abcdefghij0123456789'
      const opened = framerConnection.connection({ project_url, api_key: framer.apiKey, collection: 'Blog' })
      return {
        cms: framerCms({ id: 1, platform: 'framer', ...opened }, deps, framer.port),
        image: 'https://i.example/a.png',
        stored: framer.items,
        close: async () => {},
      }
    },
    pages: ['escaped'],
    parts: ['title', 'description', 'alt'],
  },
]

/** Returns all texts in a stored value. */
const textsIn = (value: unknown): string[] => {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

const withoutJoiners = (text: string): string => text.replaceAll('\u2060', '')

for (const { name, start, pages, parts } of PLATFORMS)
  it.each(TEXTS)(`${name}: %s is shown as written in every field, and comes back so`, async (text) => {
    const { cms, image, stored, close } = await start()
    const given = articleWith(text, image)
    const made = await cms.create(given)
    expect(made).toMatchObject({ kind: 'done', value: { title: given.title } })
    const all = textsIn(stored())
    for (const part of parts) {
      const found = all.filter((one) => one.startsWith(`${part}: `))
      expect(found, part).not.toEqual([])
      for (const one of found)
        for (const page of pages) expect(withoutJoiners(PAGES[page](one)), part).toBe(textOf(part, text))
    }
    const found = await cms.find({ marker: given.marker, slug: given.slug, title: given.title })
    expect(found).toMatchObject({ kind: 'done', value: { title: given.title } })
    const version = await cms.read?.(idOf(made))
    const words = version?.kind === 'done' ? version.value?.words : undefined
    const sent = {
      id: '7',
      title: given.title,
      content_html: given.html,
      meta_description: given.metaDescription,
      tags: [...given.tags],
      category: given.category,
      seo_title: given.seoTitle ?? '',
      canonical_url: '',
    }
    const update = { update: { intent: 'change' } as const, canRestore: false }
    expect(
      words ? overwrittenNotes(words, { ...sent, title: 'x', meta_description: 'y' }, [sent], update) : [],
    ).toEqual([])
    // The next attempt finds the post, and is no other one.
    expect(await cms.update(idOf(made), given)).toMatchObject({ kind: 'done', value: { title: given.title } })
    await close()
  })

it.each(TEXTS)('A webhook receiver gets %s as plain text in every field', (text) => {
  const given = {
    title: text,
    meta_description: text,
    seo_title: text,
    alt_text: text,
    tags: [text],
    category: text,
    author: text,
  }
  const body = JSON.parse(deliveryBody(requestOf(clock, given), clock.now())) as { data: { articles: unknown[] } }
  expect(body.data.articles).toEqual([expect.objectContaining(given)])
})
