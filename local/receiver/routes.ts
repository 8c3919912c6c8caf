import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { type Answer, html, json, refusal } from './answers.ts'
import { type Behaviour, Control, MODE_NAMES } from './behaviour.ts'
import type { Post } from './blog.ts'
import { PAGE_HEADERS } from './page.ts'
import { homePage, missingPage, postPage } from './pages.ts'
import { DEFAULT_WEBHOOK, type ReceiverState } from './state.ts'
import { postUrl } from './webhook.ts'

const FOLDER = new URL('../../examples/images/', import.meta.url)

/** Returns one of the example article's pictures, as the blog's own media library would serve it; undefined for any other name. */
const picture = (name: string): Answer | undefined => {
  if (!/^[a-z0-9-]+\.webp$/.test(name)) return undefined
  try {
    return {
      status: 200,
      headers: { 'content-type': 'image/webp', 'cache-control': 'max-age=3600' },
      body: readFileSync(new URL(name, FOLDER)),
    }
  } catch {
    return undefined
  }
}

const label = ({ mode, times }: Behaviour): string => (times === undefined ? mode : `${mode}, ${times} more`)

const placed = (state: ReceiverState, post: Post) => ({ post, url: postUrl(state.webhook.origin(), post.slug) })

const slugOf = (path: string): string => {
  try {
    return decodeURIComponent(path.slice('/posts/'.length))
  } catch {
    return ''
  }
}

const deliveries = (state: ReceiverState, query: URLSearchParams): Answer => {
  const article = query.get('article_id')
  const key = query.get('idempotency_key')
  const rows = state.log
    .list()
    .filter((row) => article === null || row.article_ids.includes(article))
    .filter((row) => key === null || row.idempotency_key === key)
  return json(200, { deliveries: rows, count: rows.length, received: state.log.received() })
}

/** Returns the pages for people and the JSON for scripts (`GET` only). */
export const pageOrData = (state: ReceiverState, path: string, query: URLSearchParams): Answer => {
  const frame = { version: state.version(), mode: label(state.behaviour.current()) }
  const page = (status: number, text: string): Answer => html(status, text, PAGE_HEADERS)
  if (path === '/') {
    const webhookUrl = `${state.webhook.origin()}/webhook`
    return page(200, homePage(state.blog.posts(), state.log.list(), state.log.received(), webhookUrl, frame))
  }
  if (path === '/api/version') return json(200, { version: frame.version })
  if (path === '/api/deliveries') return deliveries(state, query)
  if (path === '/api/tests') return json(200, { tests: state.tests.list(), count: state.tests.received() })
  if (path === '/api/posts') {
    const posts = state.blog.posts().map((post) => ({ ...post, url: placed(state, post).url }))
    return json(200, { posts, count: posts.length })
  }
  const text = state.textFiles.get(path)
  if (text !== undefined) return { status: 200, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: text }
  const image = path.startsWith('/images/') ? picture(path.slice('/images/'.length)) : undefined
  if (image) return image
  const post = path.startsWith('/posts/') ? state.blog.bySlug(slugOf(path)) : undefined
  return post ? page(200, postPage(placed(state, post), frame)) : page(404, missingPage(frame))
}

const controlView = (state: ReceiverState): Answer => {
  const { stores, ...behaviour } = state.behaviour.current()
  return json(200, {
    ...behaviour,
    store: stores,
    signing_secret_set: state.webhook.signingSecret(DEFAULT_WEBHOOK) !== undefined,
    posts: state.blog.posts().length,
    deliveries: state.log.received(),
    modes: MODE_NAMES,
  })
}

const parseControl = (raw: string): { control: Control } | { problem: string } => {
  let value: unknown
  try {
    value = JSON.parse(raw)
  } catch {
    return { problem: 'The body is not JSON.' }
  }
  const parsed = Control.safeParse(value)
  return parsed.success ? { control: parsed.data } : { problem: z.prettifyError(parsed.error) }
}

/** Answers requests to `/_control`: GET shows how the receiver behaves, POST changes it (see `Control`). */
export const controlAnswer = (state: ReceiverState, method: string, raw: string): Answer => {
  if (method === 'GET') return controlView(state)
  if (method !== 'POST') return refusal(405, 'GET or POST.', { allow: 'GET, POST' })
  const parsed = parseControl(raw)
  if ('problem' in parsed) return refusal(400, parsed.problem)
  const {
    mode,
    signing_secret: secret,
    webhook = DEFAULT_WEBHOOK,
    old_post: oldPost,
    text_file: file,
    reset,
  } = parsed.control
  if (reset) state.reset()
  if (mode !== undefined) state.behaviour.set({ ...parsed.control, mode })
  if (secret !== undefined) state.setSigningSecret(webhook, secret || undefined)
  if (oldPost) state.blog.addOldPost(oldPost)
  if (file) state.textFiles.set(`/${file.name}`, file.content)
  state.changed()
  return controlView(state)
}
