import { expect, test } from 'vitest'
// @ts-expect-error: an example in plain JavaScript
import { NotProved, verified } from '../../../examples/verify-receipt.mjs'
import { parseReceiptKeys } from '../../../src/platform/runtime/env.ts'
import { receiptSigner } from '../../../src/publishing/signed/keys.ts'

const ring = (...names: string[]) =>
  parseReceiptKeys({
    RECEIPT_KEYS: names.map((name) => `${name}:${Buffer.alloc(32, name).toString('base64')}`).join(','),
  })

const DAY_MS = 86_400_000

/** Returns keys as the service publishes them. */
const published = async (names: string[], { from = 0, until = null as number | null } = {}) =>
  (await receiptSigner(ring(...names))?.())?.keys.map(({ id, publicKey }) => ({
    ...{ kty: 'OKP', crv: 'Ed25519', x: publicKey, kid: id },
    ...{ from: new Date(from).toISOString(), until: until === null ? null : new Date(until).toISOString() },
  })) ?? []

const signed = async (names: string[], statement: object) =>
  (await receiptSigner(ring(...names))?.())?.sign(statement) ?? ''

const statement = (n: number) => ({
  v: 1,
  iss: 'https://galley.example',
  iat: 1_800_000_000 + n,
  article_id: n,
  title: `Tee № ${n} “é”`,
})

const isRefused = (jws: string, keys: object[]): boolean => {
  try {
    verified(jws, keys)
    return false
  } catch (error) {
    return error instanceof NotProved
  }
}

test('1,000 receipts verify, and none with one changed byte', async () => {
  const keys = await published(['a'])
  const signer = await receiptSigner(ring('a'))?.()
  for (let n = 0; n < 1_000; n += 1) {
    const jws = (await signer?.sign(statement(n))) ?? ''
    if (JSON.stringify(verified(jws, keys)) !== JSON.stringify(statement(n))) expect.fail(`receipt ${n}`)
    const at = (n * 7) % jws.length
    const other = jws[at] === 'A' ? 'B' : 'A'
    if (!isRefused(jws.slice(0, at) + other + jws.slice(at + 1), keys)) expect.fail(`byte ${at} of receipt ${n}`)
  }
})

test('every byte of a receipt counts', async () => {
  const keys = await published(['a'])
  const jws = await signed(['a'], statement(1))
  const others = [...jws].flatMap((byte, at) =>
    ['A', 'B', '_', '.', '=', ' '].flatMap((one) => (one === byte ? [] : [jws.slice(0, at) + one + jws.slice(at + 1)])),
  )
  // Space at an end is no part of a JWS.
  expect(others.filter((other) => other.trim() !== jws && !isRefused(other, keys))).toEqual([])
})

test('keys are rotated with overlap: the first signs, and receipts of earlier ones verify', async () => {
  const [before, during, after] = await Promise.all(
    [['a'], ['b', 'a'], ['b']].map((names) => signed(names, statement(1))),
  )
  const both = await published(['b', 'a'])
  for (const jws of [before, during, after]) expect(verified(jws, both)).toEqual(statement(1))
  expect(() => verified(before, both.slice(0, 1))).toThrow('does not know the key')
  expect(during).toBe(after)
})

test('a key proves nothing outside the time of its use', async () => {
  const at = 1_800_000_000_000
  const jws = await signed(['a'], statement(0))
  expect(verified(jws, await published(['a'], { from: at, until: at }))).toBeTruthy()
  for (const use of [{ from: at + 2 * DAY_MS }, { until: at - 2 * DAY_MS }]) {
    const keys = await published(['a'], use)
    expect(() => verified(jws, keys), JSON.stringify(use)).toThrow('not in use')
  }
})

test('without keys nothing is signed, and a malformed key is named', () => {
  expect(receiptSigner(parseReceiptKeys({}))).toBeUndefined()
  expect(() => parseReceiptKeys({ RECEIPT_KEYS: 'a:c2hvcnQ=' })).toThrow('RECEIPT_KEYS: want id:base64 of 32 bytes')
})
