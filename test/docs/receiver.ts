import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { ROOT } from '../../local/root.ts'

type Article = { id: string; slug: string; title: string; content_html: string; status: string }
type Post = Article & { url: string }
type Event = { event_type: 'publish_articles' | 'update_articles'; test?: true; data: { articles: Article[] } }
type IsGenuine = (secret: string, headers: Record<string, unknown>, body: Buffer) => boolean

/** Delivery that the receiver got: its answer to it, and the key it came under. */
type Seen = { event: string; status: number; key: string; article: string | undefined }

/**
 * Receiver made only from docs/reference/webhooks.md: its JavaScript checks the signature, its tables determine the
 * answers.
 */
export type Receiver = {
  url: string
  /** The signing secret, once the integration was made. */
  secret: string
  /** While it is broken: the status every delivery is answered with. */
  broken: number | undefined
  posts: Map<string, Post>
  seen: Seen[]
  close: () => void
}

const PAGE = join(ROOT, 'docs/reference/webhooks.md')

const checkOfPage = async (): Promise<IsGenuine> => {
  const [, code = ''] = /```js\n(.*?)```/s.exec(readFileSync(PAGE, 'utf8')) ?? []
  const source = code.includes('export ') ? code : `${code}\nexport { isGenuine }`
  const page = (await import(`data:text/javascript,${encodeURIComponent(source)}`)) as { isGenuine: IsGenuine }
  return page.isGenuine
}

const bodyOf = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

type Answer = { status: number; body?: Record<string, unknown> }

/** "What to answer", row by row. */
const take = (receiver: Receiver, { event_type: event, test, data }: Event): Answer => {
  if (test) return { status: 200, body: { success: true } }
  const [article] = data.articles
  if (!article) return { status: 200, body: { success: true } }
  const known = receiver.posts.get(article.id)
  if (event === 'update_articles' && !known) return { status: 404 }
  const url = known?.url ?? `${receiver.url}/${article.slug}`
  receiver.posts.set(article.id, { ...article, url })
  const action = known ? 'updated' : 'created'
  return { status: 200, body: { success: true, action, published_url: url, external_id: `post-${article.id}` } }
}

/** Starts the receiver on a free port. */
export const startReceiver = async (): Promise<Receiver> => {
  const isGenuine = await checkOfPage()
  const server = createServer(async (request, response) => {
    const body = await bodyOf(request)
    if (request.method === 'GET') {
      const post = [...receiver.posts.values()].find(({ slug }) => request.url === `/${slug}`)
      const page = `<!doctype html><title>${post?.title}</title><h1>${post?.title}</h1>${post?.content_html}`
      return void response.writeHead(post ? 200 : 404, { 'content-type': 'text/html' }).end(post ? page : '')
    }
    const event = JSON.parse(body.toString()) as Event
    const answer = !isGenuine(receiver.secret, request.headers, body)
      ? { status: 401 }
      : receiver.broken !== undefined
        ? { status: receiver.broken }
        : take(receiver, event)
    const key = String(request.headers['idempotency-key'])
    receiver.seen.push({ event: event.event_type, status: answer.status, key, article: event.data.articles[0]?.id })
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(answer.body ?? {}))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    secret: '',
    broken: undefined,
    posts: new Map(),
    seen: [],
    close: () => server.close(),
  }
  return receiver
}
