import { createHash, timingSafeEqual } from 'node:crypto'
import { rename, writeFile } from 'node:fs/promises'
import type { IncomingHttpHeaders } from 'node:http'
import { join } from 'node:path'
import { z } from 'zod'
import { DamagedFile, makeFolder, textIn } from '../damaged-file.ts'
import { type Answer, json, refusal } from './answers.ts'
import { type Action, type Blog, fingerprint, type Post, type Stored } from './blog.ts'
import type { Delivery } from './deliveries.ts'
import { type DeliveryBody, parseDelivery, updatesOnly } from './payload.ts'
import { checkSignature, type SignatureCheck } from './signature.ts'

const TOKEN_HEADERS = ['authorization', 'x-api-key', 'x-automation-apikey'] as const

const digest = (value: string): Buffer => createHash('sha256').update(value).digest()

/** Returns the names of the headers that carry the receiver's access token; empty when none does. One is enough. */
const headersWithToken = (headers: IncomingHttpHeaders, token: string): string[] =>
  TOKEN_HEADERS.filter((name) => {
    const value = headers[name]
    if (typeof value !== 'string') return false
    const given = name === 'authorization' ? value.replace(/^Bearer\s+/i, '') : value
    return timingSafeEqual(digest(given), digest(token))
  })

/** Returns the request's headers without those that hold a token, right or wrong: they are stored and shown on a page. */
export const withoutTokens = (headers: IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => !TOKEN_HEADERS.some((hidden) => hidden === name))
      .map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]),
  )

/** Work done for an idempotency key: a fingerprint of the content, and the resulting posts. */
type Processed = { fingerprint: string; stored: Stored[] }
export type SavedState = { posts: Post[]; deliveries: Delivery[]; processed: [string, Processed][] }

type StateFile = {
  saved: SavedState
  /** Writes `current()` soon. Calls during a write are joined into one. */
  save: (current: () => SavedState) => void
  /** Waits until all requested writes are on disk. */
  flush: () => Promise<void>
}

const Shape = z.object({
  posts: z.array(z.looseObject({ slug: z.string(), title: z.string(), tags: z.array(z.string()) })),
  deliveries: z.array(z.looseObject({ number: z.int(), idempotency_key: z.nullable(z.string()) })),
  processed: z.array(z.tuple([z.string(), z.looseObject({ fingerprint: z.string(), stored: z.array(z.unknown()) })])),
})

const load = (path: string): SavedState | undefined => {
  const text = textIn(path)
  if (text === undefined) return undefined
  try {
    const state: unknown = JSON.parse(text)
    Shape.parse(state)
    return state as SavedState
  } catch {
    throw new DamagedFile(path, 'it does not hold posts, deliveries and keys as JSON')
  }
}

/** Returns the receiver's state in `dir/receiver.json`, replaced whole by rename. Without `dir`: nothing is kept. */
export const openStateFile = (dir: string | undefined): StateFile => {
  const empty: SavedState = { posts: [], deliveries: [], processed: [] }
  if (dir === undefined) return { saved: empty, save: () => {}, flush: async () => {} }
  makeFolder(dir)
  const path = join(dir, 'receiver.json')
  let wanted: (() => SavedState) | undefined
  let writing: Promise<void> | undefined

  const write = async (): Promise<void> => {
    while (wanted) {
      const text = JSON.stringify(wanted())
      wanted = undefined
      await writeFile(`${path}.new`, text)
      await rename(`${path}.new`, path)
    }
  }

  const save = (current: () => SavedState): void => {
    wanted = current
    writing ??= write()
      .catch((error: unknown) => console.error('The receiver could not save its state:', error))
      .finally(() => {
        writing = undefined
        if (wanted) save(wanted)
      })
  }

  const flush = async (): Promise<void> => {
    while (writing) await writing
  }

  const saved = load(path)
  // Written at the first start, so that a later start notices a missing file.
  if (!saved) save(() => empty)
  return { saved: saved ?? empty, save, flush }
}

export type Webhook = {
  token: string
  /** Secret of the integration at a path; undefined if the path accepts unsigned requests. */
  signingSecret: (path: string) => string | undefined
  blog: Blog
  /** Work done, by idempotency key. */
  processed: Map<string, Processed>
  /** Address of the blog's pages, without a slash at the end. */
  origin: () => string
  clock: () => Date
}

/** Contents of one request, accepted or not. */
export type Reading = {
  tokenIn: string[]
  signature: SignatureCheck
  key: string | undefined
  parsed: ReturnType<typeof parseDelivery>
}

/** Result of a delivery: the answer to send, and what the log of deliveries shows of it. */
export type Work = { answer: Answer; action: Action | null; publishedUrl: string | null; warnings: string[] }

/** Returns the public address of a post. */
export const postUrl = (origin: string, slug: string): string => `${origin}/posts/${encodeURIComponent(slug)}`

const refused = (answer: Answer): Work => ({ answer, action: null, publishedUrl: null, warnings: [] })

/** Reads a request to the webhook without acting on it. */
export const readDelivery = (webhook: Webhook, path: string, headers: IncomingHttpHeaders, raw: Buffer): Reading => {
  const key = headers['idempotency-key']
  return {
    tokenIn: headersWithToken(headers, webhook.token),
    signature: checkSignature(webhook.signingSecret(path), headers, raw, webhook.clock().getTime()),
    key: typeof key === 'string' && key !== '' ? key : undefined,
    parsed: parseDelivery(raw.toString('utf8')),
  }
}

const refusalFor = ({ tokenIn, signature }: Reading, headers: IncomingHttpHeaders): Answer | undefined => {
  if (tokenIn.length === 0) return refusal(401, 'The access token is missing or wrong.')
  if (signature === 'absent') return refusal(401, 'The request is not signed.')
  if (signature === 'invalid') return refusal(401, 'The signature does not match, or its time is too far off.')
  if (!/^application\/json\b/i.test(headers['content-type'] ?? '')) return refusal(415, 'Send application/json.')
  return undefined
}

const success = (webhook: Webhook, stored: readonly Stored[]): Work => {
  const rows = stored.map(({ id, action, slug }) => ({ id, action, published_url: postUrl(webhook.origin(), slug) }))
  const { action = 'unchanged', published_url = '' } = rows[0] ?? {}
  const value = { success: true, action, published_url, ...(rows.length > 1 && { articles: rows }) }
  return { answer: json(200, value), action, publishedUrl: published_url, warnings: [] }
}

const again = (webhook: Webhook, processed: Processed, body: DeliveryBody): Work => {
  const changed = processed.fingerprint !== fingerprint(body.data.articles)
  const warnings = changed ? ['This Idempotency-Key was used before for other content; nothing was stored.'] : []
  return { ...success(webhook, processed.stored), warnings }
}

const storeArticles = (webhook: Webhook, body: DeliveryBody, key: string | undefined): Work => {
  const { articles } = body.data
  // Checked before anything is stored, so that a request is done completely or not at all.
  const missing = articles.find((article) => updatesOnly(body, article) && !webhook.blog.matches(article))
  if (missing) return refused(refusal(404, `No post matches article ${missing.id}; nothing was created.`))
  const stored = articles.flatMap((article) => webhook.blog.store(article, updatesOnly(body, article)) ?? [])
  if (key !== undefined) {
    const unchanged = stored.map((row) => ({ ...row, action: 'unchanged' as const }))
    webhook.processed.set(key, { fingerprint: fingerprint(articles), stored: unchanged })
  }
  return success(webhook, stored)
}

/**
 * Handles one delivery by the receiver contract: token, signature, one post per article id, and nothing twice for an
 * Idempotency-Key.
 *
 * A connection test (`test: true`) is answered and stores nothing.
 */
export const handleDelivery = (webhook: Webhook, headers: IncomingHttpHeaders, reading: Reading): Work => {
  const refusalAnswer = refusalFor(reading, headers)
  if (refusalAnswer) return refused(refusalAnswer)
  if ('problem' in reading.parsed) return refused(refusal(400, reading.parsed.problem))
  const { body } = reading.parsed
  if (body.test === true || body.data.test === true)
    return refused(json(200, { success: true, action: 'unchanged', published_url: `${webhook.origin()}/` }))
  const processed = reading.key === undefined ? undefined : webhook.processed.get(reading.key)
  return processed ? again(webhook, processed, body) : storeArticles(webhook, body, reading.key)
}
