import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

export type SignatureCheck = 'valid' | 'invalid' | 'absent' | 'not_checked'

const TOLERANCE_S = 5 * 60
const PREFIX = 'whsec_'

/** Returns the HMAC key inside a `whsec_` secret, 24 to 64 bytes; undefined when the secret is not one (Standard Webhooks 1.0). */
export const signingKey = (secret: string): Buffer | undefined => {
  if (!secret.startsWith(PREFIX)) return undefined
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
  return key.length >= 24 && key.length <= 64 ? key : undefined
}

/**
 * Checks `webhook-id`, `webhook-timestamp` and `webhook-signature` over the raw body (Standard Webhooks 1.0, `v1`):
 * any one of the listed signatures may match, and the timestamp may be five minutes off `nowMs`.
 */
export const checkSignature = (
  secret: string | undefined,
  headers: IncomingHttpHeaders,
  raw: Buffer,
  nowMs: number,
): SignatureCheck => {
  if (secret === undefined) return 'not_checked'
  const id = headers['webhook-id']
  const timestamp = headers['webhook-timestamp']
  const signatures = headers['webhook-signature']
  if (typeof id !== 'string' || typeof timestamp !== 'string' || typeof signatures !== 'string') return 'absent'
  const key = signingKey(secret)
  if (!key || !/^\d+$/.test(timestamp)) return 'invalid'
  if (Math.abs(nowMs / 1000 - Number(timestamp)) > TOLERANCE_S) return 'invalid'
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(raw).digest()
  const matches = signatures.split(' ').some((entry) => {
    const [version, value] = entry.split(',')
    const given = Buffer.from(value ?? '', 'base64')
    return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected)
  })
  return matches ? 'valid' : 'invalid'
}
