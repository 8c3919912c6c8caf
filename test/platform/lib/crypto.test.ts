import { describe, expect, it } from 'vitest'
import { beginConsent, endConsent } from '../../../src/platform/lib/consent.ts'
import {
  base64,
  fromBase64,
  hmacSha256,
  openAnswer,
  parseKeyRing,
  resealAnswer,
  seal,
  sealedAnswer,
  sha256,
  unseal,
} from '../../../src/platform/lib/crypto.ts'

const key = (fill: number): string => base64(new Uint8Array(32).fill(fill))

const ROW = 'row:1'

/** `token` under the key of ones, made with OpenSSL: without additional data as values were sealed first, and with it. */
const UNBOUND = 'k.AAECAwQFBgcICQoL.z8n+Q070Qkta56jJv7gEDu5EDHIl'
const BOUND = 'k.AAECAwQFBgcICQoL.z8n+Q04LthSBEnPY5k5hAX4n//6c.bound'

describe('sealed secrets', () => {
  it('open with the key that sealed them, also after a new key was put in front', async () => {
    const sealed = await seal(parseKeyRing(`old:${key(1)}`), 'token', ROW)
    const rotated = parseKeyRing(`new:${key(2)},old:${key(1)}`)
    expect(await unseal(rotated, sealed, ROW)).toBe('token')
    expect((await seal(rotated, 'token', ROW)).startsWith('new.')).toBe(true)
  })

  it('never look the same twice and never show the text', async () => {
    const ring = parseKeyRing(`k:${key(1)}`)
    const [one, two] = await Promise.all([seal(ring, 'token', ROW), seal(ring, 'token', ROW)])
    expect(one).not.toBe(two)
    expect(one).not.toContain('token')
    expect(one.split('.').map((part) => part.length)).toEqual([1, 16, 28, 5])
  })

  it('do not open if changed, or without their key', async () => {
    const ring = parseKeyRing(`k:${key(1)}`)
    const sealed = await seal(ring, 'token', ROW)
    const [id, iv, body = '', mark] = sealed.split('.')
    const changed = `${body.slice(0, -5)}${body.at(-5) === 'A' ? 'B' : 'A'}${body.slice(-4)}`
    await expect(unseal(ring, [id, iv, changed, mark].join('.'), ROW)).rejects.toThrow()
    await expect(unseal(ring, `${id}.${iv}`, ROW)).rejects.toThrow()
    await expect(unseal(ring, `${id}`, ROW)).rejects.toThrow()
    await expect(unseal(parseKeyRing(`other:${key(1)}`), sealed, ROW)).rejects.toThrow(
      'sealing key k is not in the ring',
    )
    await expect(seal([], 'token', ROW)).rejects.toThrow('no sealing key')
  })

  it('do not open in another place than the one they were sealed for', async () => {
    const ring = parseKeyRing(`k:${key(1)}`)
    expect(await unseal(ring, BOUND, ROW)).toBe('token')
    await expect(unseal(ring, BOUND, 'row:2')).rejects.toThrow()
    await expect(unseal(ring, BOUND.replace('.bound', ''), ROW)).rejects.toThrow()
    await expect(unseal(ring, await seal(ring, 'token', 'row:2'), ROW)).rejects.toThrow()
  })

  it('open in the old form without a place, which cannot be turned into a bound one', async () => {
    const ring = parseKeyRing(`k:${key(1)}`)
    expect(await unseal(ring, UNBOUND, ROW)).toBe('token')
    await expect(unseal(ring, `${UNBOUND}.bound`, ROW)).rejects.toThrow()
  })

  it.each([
    '',
    'k:',
    'k:short',
    `:${key(1)}`,
    `k ${key(1)}`,
    `k.1:${key(1)}`,
    `${'k'.repeat(17)}:${key(1)}`,
    `k:${base64(new Uint8Array(31))}`,
    `k:${base64(new Uint8Array(33))}`,
    `k:${key(1)},`,
    `k:${key(1)},two:`,
  ])('a malformed ring is refused: %j', (text) => {
    expect(() => parseKeyRing(text)).toThrow()
  })

  it('several keys with spaces between them are accepted, and a wrong form is explained', () => {
    expect(() => parseKeyRing('k:c2hvcnQ=')).toThrow('SECRETS_KEYS: want id:base64 of 32 bytes')
    const ring = parseKeyRing(` new_1-x:${key(2)} , ${'k'.repeat(16)}:${key(1)}`)
    expect(ring).toEqual([
      { id: 'new_1-x', key: new Uint8Array(32).fill(2) },
      { id: 'k'.repeat(16), key: new Uint8Array(32).fill(1) },
    ])
  })
})

describe('stored answers with a secret', () => {
  const ring = parseKeyRing(`k:${key(1)}`)

  it('open for their account only, as they were given', async () => {
    const kept = await sealedAnswer(ring, 7, { secret: 'whsec_x' })
    expect(kept).toMatch(/^sealed:k\./)
    expect(kept).not.toContain('whsec')
    expect(JSON.parse(await openAnswer(ring, 7, kept))).toEqual({ secret: 'whsec_x' })
    await expect(openAnswer(ring, 8, kept)).rejects.toThrow()
    expect(await openAnswer([], 8, '{"plain":true}')).toBe('{"plain":true}')
  })

  it('are sealed again for the same account, with the first key', async () => {
    const rotated = parseKeyRing(`new:${key(2)},k:${key(1)}`)
    const again = await resealAnswer(rotated, 7, await sealedAnswer(ring, 7, { secret: 'whsec_x' }))
    expect(again).toMatch(/^sealed:new\./)
    const newOnly = parseKeyRing(`new:${key(2)}`)
    expect(JSON.parse(await openAnswer(newOnly, 7, again))).toEqual({ secret: 'whsec_x' })
    await expect(openAnswer(newOnly, 8, again)).rejects.toThrow()
  })
})

/** Values of FIPS 180-2, RFC 4231 and RFC 4648. */
describe('digests and base64', () => {
  it('are those of the standards', async () => {
    expect(await sha256('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
    expect(await sha256('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
    const digest = await hmacSha256(new TextEncoder().encode('Jefe'), 'what do ya want for nothing?')
    expect(Buffer.from(digest, 'base64').toString('hex')).toBe(
      '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
    )
    expect(base64(new TextEncoder().encode('foobar'))).toBe('Zm9vYmFy')
    expect([...fromBase64('AP/+')]).toEqual([0, 255, 254])
  })
})

it('a trip to a page of consent ends in time, with its own state and for its own purpose', async () => {
  const ring = parseKeyRing(`k:${key(1)}`)
  const { cookie, state } = await beginConsent(ring, 'one', { project: 7 }, 1_000)
  const end = (changes: object, context = 'one') =>
    endConsent(ring, context, { cookie, state, now: new Date(999), ...changes })
  expect(await end({})).toMatchObject({ project: 7, state })
  expect(await end({ now: new Date(1_000) })).toBeUndefined()
  expect(await end({ state: `${state}x` })).toBeUndefined()
  expect(await end({ state: '' })).toBeUndefined()
  expect(await end({ cookie: '' })).toBeUndefined()
  expect(await end({}, 'another')).toBeUndefined()
})
