import { deflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { variedShare } from '../../../src/providers/browser-run/judge.ts'

const chunk = (type: string, data: Buffer): Buffer => {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(data.length)
  head.write(type, 4)
  return Buffer.concat([head, data, Buffer.alloc(4)])
}

/** Returns a PNG of these pixels (RGB), each row with the filter `up`, which the decoder has to undo. */
const png = (rows: readonly (readonly [number, number, number])[][]): Uint8Array<ArrayBuffer> => {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(rows[0]?.length ?? 0)
  header.writeUInt32BE(rows.length, 4)
  header.set([8, 2], 8)
  const flat = rows.map((row) => row.flat())
  const data = flat.map((row, y) => [2, ...row.map((value, x) => (value - (flat[y - 1]?.[x] ?? 0)) & 255)])
  const file = [
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.from(data.flat()))),
    chunk('IEND', Buffer.alloc(0)),
  ]
  return new Uint8Array(Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...file]))
}

const WHITE = [255, 255, 255] as const
const BLACK = [0, 0, 0] as const
const NEAR = [250, 252, 255] as const

const area = (of: readonly [number, number, number], width = 10, height = 10) =>
  Array.from({ length: height }, () => Array.from({ length: width }, () => of))

describe('the share of a picture that is not its ground', () => {
  it('is zero for a single color, and for differences that the eye cannot see', async () => {
    expect(await variedShare(png(area(WHITE)))).toBe(0)
    expect(await variedShare(png(area(BLACK)))).toBe(0)
    expect(await variedShare(png([...area(WHITE, 10, 8), ...area(NEAR, 10, 2)]))).toBe(0)
  })

  it('is the area of visible differences', async () => {
    expect(await variedShare(png([...area(WHITE, 10, 7), ...area(BLACK, 10, 3)]))).toBeCloseTo(0.3, 10)
  })
})
