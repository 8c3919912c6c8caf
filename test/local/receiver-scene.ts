import { createHmac, randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import type { Post } from '../../local/receiver/blog.ts'
import type { Delivery } from '../../local/receiver/deliveries.ts'
import { type ReceiverOptions, type RunningReceiver, startReceiver } from '../../local/receiver/server.ts'

export const TOKEN = 'tok_receiver_5d1f'
export const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

export const cleanups: (() => Promise<unknown>)[] = []
/** Closes everything that a test started. */
export const closeAll = async (): Promise<void> => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
}

export const start = async (options: Partial<ReceiverOptions> = {}): Promise<RunningReceiver> => {
  const receiver = await startReceiver({ port: 0, token: TOKEN, ...options })
  cleanups.push(receiver.close)
  return receiver
}

export type Fields = Record<string, unknown>

export const article = (fields: Fields = {}): Fields => ({
  id: '41',
  title: 'Commuter bike service',
  slug: 'commuter-bike-service',
  content_html: '<h2 id="why">Why</h2><p>Rain &amp; salt.</p>',
  content_markdown: '## Why\n\nRain & salt.',
  meta_description: 'What to check, and when.',
  published_at: '2026-05-04T08:00:00Z',
  created_at: '2026-05-01T08:00:00Z',
  updated_at: '2026-05-04T08:00:00Z',
  image_url: 'https://media.example/bike.webp',
  alt_text: 'A bicycle "at rest"',
  tags: ['maintenance', 'commuting'],
  author: 'Noor de Wit',
  status: 'Published',
  is_update: false,
  ...fields,
})

export const bodyOf = (articles: Fields[], event = 'publish_articles', extra: Fields = {}): string =>
  JSON.stringify({ event_type: event, timestamp: '2026-05-04T08:00:01Z', data: { articles }, ...extra })

export const update = (fields: Fields = {}): string =>
  bodyOf([article({ is_update: true, update_only: true, ...fields })], 'update_articles')

export const deliver = (
  receiver: RunningReceiver,
  body: string,
  headers: Record<string, string> = {},
): Promise<Response> =>
  fetch(`${receiver.url}/webhook`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${TOKEN}`,
      'idempotency-key': randomUUID(),
      ...headers,
    },
    body,
    redirect: 'manual',
  })

export const control = async (receiver: RunningReceiver, settings: Fields): Promise<Fields> => {
  const answer = await fetch(`${receiver.url}/_control`, { method: 'POST', body: JSON.stringify(settings) })
  expect(answer.status, JSON.stringify(settings)).toBe(200)
  return (await answer.json()) as Fields
}

export const posts = async ({ url }: RunningReceiver): Promise<(Post & { url: string })[]> => {
  const answer = (await (await fetch(`${url}/api/posts`)).json()) as { posts: (Post & { url: string })[] }
  return answer.posts
}

export const deliveries = async ({ url }: RunningReceiver): Promise<Delivery[]> => {
  const answer = (await (await fetch(`${url}/api/deliveries`)).json()) as { deliveries: Delivery[] }
  return answer.deliveries
}

export const sign = (id: string, at: Date, body: string, secret = SECRET): Record<string, string> => {
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const mac = createHmac('sha256', Buffer.from(secret.slice(6), 'base64')).update(`${id}.${timestamp}.${body}`)
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,bm90LXRoaXMtb25l v1,${mac.digest('base64')}`,
  }
}
