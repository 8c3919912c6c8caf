import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'

/** The formats that are taken, by the end of an address. */
export const FORMATS = ['jpg', 'png', 'webp', 'gif'] as const
type Format = (typeof FORMATS)[number]

const BACKGROUNDS = ['red', '#336699', 'white', 'black'] as const

export type Wanted = { width: number; height: number; format: Format; seed?: number; orientation?: number }

/** Returns a picture as a camera or an image program writes it. */
export const picture = async ({ width, height, format, seed = 0, orientation }: Wanted): Promise<Buffer> => {
  const background = BACKGROUNDS[seed % BACKGROUNDS.length] ?? 'red'
  const image = sharp({ create: { width, height, channels: 3, background } })
  const marked = orientation === undefined ? image : image.withMetadata({ orientation })
  const write = {
    jpg: () => marked.jpeg(),
    png: () => marked.png(),
    webp: () => marked.webp(),
    gif: () => marked.gif(),
  }
  return await write[format]().toBuffer()
}

export const progressiveJpeg = (width: number, height: number): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: '#446622' } })
    .jpeg({ progressive: true })
    .toBuffer()

export const losslessWebp = (width: number, height: number, alpha: boolean): Promise<Buffer> =>
  sharp({ create: { width, height, channels: alpha ? 4 : 3, background: { r: 1, g: 2, b: 3, alpha: 0.5 } } })
    .webp({ lossless: true })
    .toBuffer()

/** Returns an animation of so many frames. */
export const animated = (width: number, height: number, frames: number, format: 'gif' | 'webp'): Promise<Buffer> => {
  const raw = Buffer.alloc(width * height * frames * 3)
  for (let i = 0; i < raw.length; i += 1) raw[i] = (Math.floor(i / (width * height * 3)) * 60 + i) % 256
  const image = sharp(raw, { raw: { width, height: height * frames, channels: 3, pageHeight: height } as never })
  return (format === 'gif' ? image.gif() : image.webp()).toBuffer()
}

const SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')

/** Returns one chunk of a PNG. */
export const chunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

/** Returns a PNG with a declared size, and with the given data. */
export const pngOf = (
  width: number,
  height: number,
  data: Buffer = deflateSync(Buffer.alloc(4)),
  extra: Buffer[] = [],
) => {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    ...extra,
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** Returns a PNG of exactly so many bytes. */
export const pngOfBytes = (bytes: number): Buffer => {
  const rest = pngOf(3, 2).length + 12
  const text = Buffer.alloc(bytes - rest, 'padding ')
  return pngOf(3, 2, undefined, [chunk('tEXt', text)])
}

/** Returns a GIF with a declared screen size, and one picture of one pixel. */
export const gifOf = (width: number, height: number): Buffer => {
  const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')
  gif.writeUInt16LE(width, 6)
  gif.writeUInt16LE(height, 8)
  return gif
}
