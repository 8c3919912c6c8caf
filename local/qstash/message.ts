import { randomBytes } from 'node:crypto'
import type { PublishHeaders } from './publish-headers.ts'
import { readDestination, readPublishOptions } from './publish-headers.ts'
import type { Message } from './store.ts'

export type Publication = { destination: string; headers: PublishHeaders; body: Buffer; callerIp: string }

/** Speed of time. `punctual`: a requested time (`Upstash-Not-Before`) is kept, whatever the speed. */
export type Pace = { timeScale: number; punctual: boolean }

/**
 * Returns the message of a publication. A wait is divided by the time scale, unless it is `punctual` (times in ms).
 *
 * Throws a 400 RequestError for an invalid destination or header.
 */
export const createMessage = (publication: Publication, now: number, { timeScale, punctual }: Pace): Message => {
  const url = readDestination(publication.destination)
  const { contentType, notBefore = now, maxRetries } = readPublishOptions(publication.headers)
  return {
    messageId: `msg_${randomBytes(16).toString('base64url')}`,
    url,
    headers: contentType === undefined ? {} : { 'content-type': contentType },
    body: publication.body.toString('base64'),
    dueAt: now + Math.max(0, notBefore - now) / (punctual ? 1 : timeScale),
    retried: 0,
    maxRetries,
    callerIp: publication.callerIp,
  }
}
