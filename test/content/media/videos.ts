const text = (value: string): Buffer => Buffer.from(value, 'latin1')

const u32 = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(4 * values.length)
  for (const [n, value] of values.entries()) bytes.writeUInt32BE(value, 4 * n)
  return bytes
}

/** Returns one box of an MP4 or QuickTime file (ISO/IEC 14496-12). */
export const box = (type: string, ...payload: Buffer[]): Buffer => {
  const body = Buffer.concat(payload)
  return Buffer.concat([u32(body.length + 8), text(type), body])
}

/** Returns a box whose length has eight bytes. */
const longBox = (type: string, payload: Buffer): Buffer =>
  Buffer.concat([u32(1), text(type), u32(0, payload.length + 16), payload])

const UPRIGHT = [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000]
const SIDEWAYS = [0, 0x10000, 0, 0xffff0000, 0, 0, 0, 0, 0x40000000]

const trackHeader = (width: number, height: number, isTurned: boolean, version: number, isEnabled = true): Buffer =>
  box(
    'tkhd',
    u32(version * 2 ** 24 + (isEnabled ? 3 : 2)),
    Buffer.alloc(version === 1 ? 32 : 20),
    Buffer.alloc(16),
    u32(...(isTurned ? SIDEWAYS : UPRIGHT)),
    u32(width * 65_536, height * 65_536),
  )

const handler = (kind: string): Buffer => box('hdlr', u32(0, 0), text(kind), Buffer.alloc(12), text('track\0'))

type Wanted = {
  brand?: string
  compatible?: string[]
  /** Several tracks of pictures instead of one. */
  pictures?: { width: number; height: number; isEnabled: boolean }[]
  bytes?: number
  seed?: number
  tracks?: string[]
  width?: number
  height?: number
  isTurned?: boolean
  version?: 0 | 1
  isLong?: boolean
}

/** Returns a video of so many bytes, in a camera's order: brand, data, then the description of the tracks. */
export const video = ({
  brand = 'isom',
  compatible = [brand],
  pictures = [],
  bytes = 4_096,
  seed = 1,
  tracks = ['soun', 'vide'],
  width = 640,
  height = 360,
  isTurned = false,
  version = 0,
  isLong = false,
}: Wanted = {}): Buffer => {
  const start = box('ftyp', text(brand), u32(512), text(compatible.join('')))
  const moov = box(
    'moov',
    box('mvhd', Buffer.alloc(100)),
    ...tracks
      .flatMap((kind) =>
        kind === 'vide'
          ? (pictures.length > 0 ? pictures : [{ width, height, isEnabled: true }]).map((one) => ({ kind, ...one }))
          : [{ kind, width: 0, height: 0, isEnabled: true }],
      )
      .map(({ kind, isEnabled, ...size }) =>
        box(
          'trak',
          trackHeader(size.width, size.height, isTurned, version, isEnabled),
          box('edts', box('elst', Buffer.alloc(20))),
          box('mdia', box('mdhd', Buffer.alloc(24)), handler(kind), box('minf', handler('url '))),
        ),
      ),
  )
  const left = bytes - start.length - moov.length - (isLong ? 16 : 8)
  if (left < 0) throw new Error(`a video has at least ${bytes - left} bytes`)
  const data = Buffer.alloc(left, `frame ${seed} `)
  return Buffer.concat([start, isLong ? longBox('mdat', data) : box('mdat', data), moov])
}
