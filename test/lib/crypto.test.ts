import { describe, expect, it } from 'vitest'
import { base64, parseKeyRing, seal, unseal } from '../../src/lib/crypto.ts'

const key = (fill: number): string => base64(new Uint8Array(32).fill(fill))

describe('sealed secrets', () => {
  it('open with the key that sealed them, also after a new key was put in front', async () => {
    const sealed = await seal(parseKeyRing(`old:${key(1)}`), 'token')
    const rotated = parseKeyRing(`new:${key(2)},old:${key(1)}`)
    expect(await unseal(rotated, sealed)).toBe('token')
    expect((await seal(rotated, 'token')).startsWith('new.')).toBe(true)
  })

  it('never look the same twice and never show the text', async () => {
    const ring = parseKeyRing(`k:${key(1)}`)
    const [one, two] = await Promise.all([seal(ring, 'token'), seal(ring, 'token')])
    expect(one).not.toBe(two)
    expect(one).not.toContain('token')
  })

  it('do not open when changed, or when their key is gone', async () => {
    const ring = parseKeyRing(`k:${key(1)}`)
    const sealed = await seal(ring, 'token')
    const last = sealed.at(-5) === 'A' ? 'B' : 'A'
    await expect(unseal(ring, `${sealed.slice(0, -5)}${last}${sealed.slice(-4)}`)).rejects.toThrow()
    await expect(unseal(parseKeyRing(`other:${key(1)}`), sealed)).rejects.toThrow('sealing key k is not in the ring')
  })

  it.each(['', 'k:', 'k:short', `:${key(1)}`, `k ${key(1)}`])('a malformed ring is refused: %j', (text) => {
    expect(() => parseKeyRing(text)).toThrow()
  })
})
