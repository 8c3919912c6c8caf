import { randomBytes } from 'node:crypto'
import type { PublishHeaders } from './publish-headers.ts'
import { readDestination, readPublishOptions } from './publish-headers.ts'
import type { Message } from './store.ts'

export type Publication = { destination: string; headers: PublishHeaders; body: Buffer; callerIp: string }

/** How fast time goes here. `punctual`: an instant that was asked for (`Upstash-Not-Before`) is kept to all the same. */
export type Pace = { timeScale: number; punctual: boolean }

/**
 * The message a publication asks for, due after its delay divided by the time scale (times in ms).
 * Throws a 400 RequestError for an invalid destination or header.
 */
export const createMessage = (publication: Publication, now: number, pace: Pace): Message => {
  const url = readDestination(publication.destination)
  const { delayMs, notBefore: asked, forwarded, ...options } = readPublishOptions(publication.headers)
  const notBefore = Math.max(now, asked ?? now + delayMs)
  const scale = asked !== undefined && pace.punctual ? 1 : pace.timeScale
  return {
    ...options,
    messageId: `msg_${randomBytes(16).toString('base64url')}`,
    url,
    headers: forwarded,
    body: publication.body.toString('base64'),
    createdAt: now,
    notBefore,
    dueAt: now + (notBefore - now) / scale,
    retried: 0,
    callerIp: publication.callerIp,
  }
}
