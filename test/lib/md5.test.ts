import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { md5Hex } from '../../src/lib/md5.ts'

it.each([0, 1, 54, 55, 56, 57, 63, 64, 65, 119, 120, 1_000, 70_001])(
  'hashes %i bytes as node:crypto does',
  (length) => {
    const bytes = Uint8Array.from({ length }, (_, n) => (n * 31 + (n >> 3)) % 256)
    expect(md5Hex(bytes)).toBe(createHash('md5').update(bytes).digest('hex'))
  },
)
