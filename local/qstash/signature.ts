import { createHash, createHmac, randomUUID } from 'node:crypto'

export type SigningKeys = { current: string; next: string }

const lifetimeS = 300

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

// The real service pads this claim, so a receiver that compares without stripping "=" must fail here too.
const bodyHash = (body: Buffer): string =>
  createHash('sha256').update(body).digest('base64').replaceAll('+', '-').replaceAll('/', '_')

/**
 * Returns the `Upstash-Signature` of one delivery: a JWT (HS256) over the destination exactly as published and the raw body,
 * valid for 300 s from `now` (ms).
 */
export const signDelivery = (key: string, url: string, body: Buffer, now: number): string => {
  const issuedAt = Math.floor(now / 1_000)
  const claims = {
    iss: 'Upstash',
    sub: url,
    exp: issuedAt + lifetimeS,
    nbf: issuedAt,
    iat: issuedAt,
    jti: `jwt_${randomUUID()}`,
    body: bodyHash(body),
  }
  const signed = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(claims)}`
  return `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`
}
