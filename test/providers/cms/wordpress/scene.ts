import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'vitest'
import type { DeliveredArticle } from '../../../../schema/values/delivered-article.ts'
import { createOutbound } from '../../../../src/platform/runtime/outbound.ts'
import type { CmsDeps } from '../../../../src/providers/cms/http.ts'
import { cmsTarget } from '../../../../src/providers/cms/posts.ts'
import { wordpressCms } from '../../../../src/providers/cms/wordpress/index.ts'
import type { PublishRequest } from '../../../../src/publishing/target/publish-target.ts'
import { type Between, startProxy } from './proxy.ts'

/** WordPress under test, real or not: its address and its credentials. */
export type Site = {
  url: string
  pluginKey: string
  passwords: { admin: string; author: string; contributor: string; subscriber: string }
}

export type Way = 'core' | 'plugin'

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAIAAAACUFjqAAAAEklEQVR4nGP4z8CAB+GTG8HSALfKY52fTcuYAAAAAElFTkSuQmCC',
  'base64',
)

const deps: CmsDeps = {
  outbound: createOutbound({
    allowLoopback: true,
    dnsQueryUrl: '',
    userAgent: 'Galley/test',
    log: () => {},
    now: () => new Date(),
  }),
  now: () => new Date(),
  sleep: async () => {},
  serviceName: 'Galley',
  publicUrl: 'https://galley.example',
}

/** Serves a picture under any name ending in .png, 404 for the rest. */
const startPictures = async () => {
  const server = createServer((req, res) => {
    if (req.url?.endsWith('.png')) return res.writeHead(200, { 'content-type': 'image/png' }).end(PNG)
    return res.writeHead(404).end('no')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

/** Post as WordPress shows it to an administrator. */
export type Post = {
  id: number
  slug: string
  status: string
  link: string
  date_gmt: string
  author: number
  featured_media: number
  tags: number[]
  categories: number[]
  title: { raw: string; rendered: string }
  content: { raw: string; rendered: string }
  excerpt: { raw: string }
}

export type Scene = Awaited<ReturnType<typeof openScene>>

/** Returns everything that a test needs to publish to one site and to read its posts. */
export const openScene = async (site: Site) => {
  const proxy: Between = await startProxy(site.url)
  const pictures = await startPictures()
  const run = Math.random().toString(36).slice(2, 8)
  let count = 0

  const secretsOf = (way: Way, user: keyof Site['passwords']): Record<string, string> =>
    way === 'plugin'
      ? { integration_key: site.pluginKey }
      : { cms_username: user, integration_key: site.passwords[user] }
  const cms = (
    way: Way,
    user: keyof Site['passwords'] = 'admin',
    secrets: Record<string, string> = secretsOf(way, user),
  ) => wordpressCms({ id: 1, platform: 'wordpress', url: proxy.url, secrets }, deps)
  const target = (way: Way, user?: keyof Site['passwords']) => cmsTarget(cms(way, user), deps.serviceName)

  const ask = async (path: string, init: { method?: string; json?: unknown } = {}) => {
    const response = await fetch(`${site.url}/wp-json/wp/v2/${path}`, {
      method: init.method ?? 'GET',
      headers: {
        authorization: `Basic ${Buffer.from(`admin:${site.passwords.admin}`).toString('base64')}`,
        'content-type': 'application/json',
      },
      ...(init.json === undefined ? {} : { body: JSON.stringify(init.json) }),
    })
    return { status: response.status, json: (await response.json()) as never }
  }
  /** Returns all posts whose slug has this beginning, in the order they were made. */
  const posts = async (slug: string): Promise<Post[]> => {
    const slugs = [slug, ...[2, 3, 4, 5].map((n) => `${slug}-${n}`)].join(',')
    const { json } = await ask(`posts?slug=${slugs}&status=any&context=edit&per_page=100&orderby=id&order=asc`)
    return json as Post[]
  }

  /** Returns a new article as publishing hands it over. */
  const request = (article: Partial<DeliveredArticle> = {}, more: Partial<PublishRequest> = {}): PublishRequest => {
    count += 1
    const id = `${run}${count}`
    return {
      key: `key-${id}`,
      event: 'publish_articles',
      origin: 'test',
      firstSentAt: new Date().toISOString(),
      updateOnly: false,
      isChange: false,
      isRepeat: false,
      generation: 0,
      hostImages: false,
      ...more,
      article: {
        id,
        title: `Tea & “cake” ${id}`,
        slug: `tea-and-cake-${id}`,
        content_html: `<p>About <strong>tea</strong>\nand cake ${id}.</p>\n<h2 id="why">Why</h2>\n<ul><li>one</li><li>two</li></ul>`,
        content_markdown: '',
        meta_description: `What tea does to cake, ${id}.`,
        published_at: '2024-03-05T06:07:08.000Z',
        created_at: '2024-03-01T00:00:00.000Z',
        updated_at: '2024-03-01T00:00:00.000Z',
        image_url: '',
        alt_text: '',
        tags: [],
        category: '',
        author: '',
        status: 'Published',
        ...article,
      },
    }
  }
  const picture = (name = 'hero'): string => `${pictures.url}/${name}-${run}.png`
  const close = async () => {
    await proxy.close()
    await pictures.close()
  }
  return { site, proxy, cms, target, ask, posts, request, picture, noPicture: `${pictures.url}/none`, run, close }
}

/** Returns a request with changes in its article. */
export const edited = (request: PublishRequest, article: Partial<PublishRequest['article']>): PublishRequest => ({
  ...request,
  article: { ...request.article, ...article },
})

/** Returns a request that only changes the post that is there. */
export const change = (request: PublishRequest, more: Partial<PublishRequest> = {}): PublishRequest => ({
  ...request,
  event: 'update_articles',
  updateOnly: true,
  isChange: true,
  ...more,
})

/** Returns the one post of a request. Fails if there is another number of them. */
export const onlyPost = async (scene: Scene, request: PublishRequest): Promise<Post> => {
  const posts = await scene.posts(request.article.slug)
  expect(posts.map((post) => post.slug)).toEqual([request.article.slug])
  const [post] = posts
  if (!post) throw new Error('no post')
  return post
}

/** Publishes an article and returns its post. */
export const publishedPost = async (scene: Scene, way: Way, request: PublishRequest): Promise<Post> => {
  await scene.target(way).deliver(request)
  return await onlyPost(scene, request)
}
