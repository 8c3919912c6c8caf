import { createHash, randomBytes } from 'node:crypto'
import type { PublishHeaders } from './publish-headers.ts'
import { readDestination, readPublishOptions } from './publish-headers.ts'
import type { Message } from './store.ts'

export type Publication = {
  destination: string
  headers: PublishHeaders
  body: Buffer
  callerIp: string
  queueName?: string
  scheduleId?: string
}

/** An id as the real service shapes them: `msg_…`, `scd_…`. */
export const newId = (prefix: 'msg' | 'scd'): string => `${prefix}_${randomBytes(16).toString('base64url')}`

/**
 * The message a publication asks for, due after its delay divided by `timeScale` (times in ms).
 * Throws a 400 RequestError for an invalid destination or header.
 */
export const createMessage = (publication: Publication, now: number, timeScale: number): Message => {
  const { headers, body, queueName, scheduleId, callerIp } = publication
  const url = readDestination(publication.destination)
  const { delayMs, notBefore: asked, forwarded, ...options } = readPublishOptions(headers)
  const notBefore = Math.max(now, asked ?? now + delayMs)
  const queue = queueName ?? headers['upstash-queue-name']
  return {
    ...options,
    messageId: newId('msg'),
    url,
    headers: forwarded,
    body: body.toString('base64'),
    createdAt: now,
    notBefore,
    dueAt: now + (notBefore - now) / timeScale,
    retried: 0,
    callerIp,
    ...(queue ? { queueName: queue } : {}),
    ...(scheduleId ? { scheduleId } : {}),
  }
}

/** The key under which a second publication counts as the same one; undefined when the publisher asked for none. */
export const deduplicationKey = (headers: PublishHeaders, message: Message): string | undefined => {
  const given = headers['upstash-deduplication-id']
  if (given) return `id:${given}`
  if (headers['upstash-content-based-deduplication']?.toLowerCase() !== 'true') return undefined
  const content = [message.method, message.url, message.queueName ?? '', message.headers, message.body]
  return `content:${createHash('sha256').update(JSON.stringify(content)).digest('hex')}`
}
