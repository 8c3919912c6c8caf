import { deflateSync } from 'node:zlib'
import type { ErrorCode } from '../../../schema/values/errors.ts'
import {
  animated,
  chunk,
  FORMATS,
  gifOf,
  losslessWebp,
  picture,
  pngOf,
  pngOfBytes,
  progressiveJpeg,
} from './pictures.ts'

/** A file and its required answer: its displayed size, or the code of the refusal. */
export type Sample = {
  name: string
  bytes: Buffer
  /** Bytes that are served, if they differ. */
  served?: Buffer
  expected: { type: string; width: number; height: number } | ErrorCode
}

const TYPES = { jpg: 'image/jpeg', png: 'image/png', webp: 'image/webp', gif: 'image/gif' }
const MIB = 1024 * 1024

const good = (name: string, bytes: Buffer, format: keyof typeof TYPES, width: number, height: number): Sample => ({
  name,
  bytes,
  expected: { type: TYPES[format], width, height },
})
const bad = (name: string, bytes: Buffer | string, code: ErrorCode = 'unsupported_image'): Sample => ({
  name,
  bytes: typeof bytes === 'string' ? Buffer.from(bytes) : bytes,
  expected: code,
})

/** A GIF without its trailer, which is served with one. */
const closed = (name: string, bytes: Buffer, width: number, height: number): Sample => ({
  ...good(name, bytes, 'gif', width, height),
  served: Buffer.concat([bytes, Buffer.of(0x3b)]),
})

const SIZES = [
  [1, 1],
  [2, 3],
  [640, 480],
  [1200, 630],
  [17, 2000],
  [4096, 16],
] as const

const ordinary = async (): Promise<Sample[]> => {
  const samples: Sample[] = []
  for (const format of FORMATS)
    for (const [seed, [width, height]] of SIZES.entries()) {
      const bytes = await picture({ width, height, format, seed })
      samples.push(good(`${format} of ${width} × ${height}`, bytes, format, width, height))
    }
  samples.push(good('progressive jpg', await progressiveJpeg(321, 123), 'jpg', 321, 123))
  samples.push(good('lossless webp', await losslessWebp(77, 55, false), 'webp', 77, 55))
  samples.push(good('lossless webp with alpha', await losslessWebp(55, 77, true), 'webp', 55, 77))
  return samples
}

/** Returns all eight orientations of EXIF: the last four lie on their side. */
const rotated = async (): Promise<Sample[]> => {
  const samples: Sample[] = []
  for (const format of ['jpg', 'webp', 'png'] as const)
    for (let orientation = 1; orientation <= 8; orientation += 1) {
      const bytes = await picture({ width: 60, height: 40, format, orientation, seed: orientation })
      const [width, height] = orientation >= 5 ? [40, 60] : [60, 40]
      samples.push(good(`${format} with orientation ${orientation}`, bytes, format, width, height))
    }
  return samples
}

const moving = async (): Promise<Sample[]> => {
  const samples: Sample[] = []
  for (const format of ['gif', 'webp'] as const)
    for (const frames of [2, 5])
      samples.push(good(`${format} of ${frames} frames`, await animated(20, 14, frames, format), format, 20, 14))
  const control = Buffer.alloc(8)
  control.writeUInt32BE(2, 0)
  samples.push(good('animated png', pngOf(9, 7, undefined, [chunk('acTL', control)]), 'png', 9, 7))
  return samples
}

/** Cut off at many places, the last byte among them. */
const truncated = async (): Promise<Sample[]> => {
  const samples: Sample[] = []
  for (const format of FORMATS) {
    const whole = await picture({ width: 200, height: 150, format })
    for (const share of [0.1, 0.25, 0.5, 0.75, 0.9, 0.99]) {
      const end = Math.max(8, Math.floor(whole.length * share))
      samples.push(bad(`${format} cut off at ${share}`, whole.subarray(0, end)))
    }
    for (const missing of { jpg: [3, 4], gif: [2, 3], png: [1, 2, 3], webp: [1, 2, 3] }[format])
      samples.push(bad(`${format} without its last ${missing}`, whole.subarray(0, -missing)))
    for (const length of [4, 6, 10, 13])
      samples.push(bad(`the first ${length} of a ${format}`, whole.subarray(0, length)))
  }
  return samples
}

/** Whole pictures that lack only the mark of their end. It is required of a JPEG, and added to a GIF. */
const unended = async (): Promise<Sample[]> => {
  const samples: Sample[] = []
  const jpegs = [
    ['progressive', await progressiveJpeg(77, 53)],
    ['plain', await picture({ width: 77, height: 53, format: 'jpg' })],
  ] as const
  for (const [name, whole] of jpegs)
    for (const missing of [1, 2, 3])
      samples.push(bad(`${name} jpg without its last ${missing}`, whole.subarray(0, -missing)))
  const gifs = [
    ['gif', await picture({ width: 77, height: 53, format: 'gif' })],
    ['animation', await animated(77, 53, 3, 'gif')],
  ] as const
  for (const [name, whole] of gifs) samples.push(closed(`${name} without its trailer`, whole.subarray(0, -1), 77, 53))
  return samples
}

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><script>alert(1)</script></svg>'
const HTML = '<!doctype html><html><script>alert(document.cookie)</script></html>'

const otherFormats = (): Sample[] => [
  bad('nothing', '', 'invalid_input'),
  bad('svg', SVG),
  bad('svg with a prologue', `<?xml version="1.0"?>\n<!-- x -->\n${SVG}`),
  bad('svg behind blanks', `\n\n   ${SVG}`),
  bad('html', HTML),
  bad('html behind a byte order mark', `\ufeff${HTML}`),
  bad('pdf', '%PDF-1.7\n1 0 obj\n<<>>\nendobj\n%%EOF'),
  bad('zip', Buffer.from('504b0304140000000800', 'hex')),
  bad('bmp', Buffer.from('424d3a0000000000000036000000280000000100000001000000', 'hex')),
  bad('tiff', Buffer.from('49492a0008000000000000000000', 'hex')),
  bad('ico', Buffer.from('00000100010010100000010020006804000016000000', 'hex')),
  bad('avif', Buffer.from('0000001c667479706176696600000000617669666d696631', 'hex')),
  bad('heic', Buffer.from('0000001c6674797068656963000000006d69663168656963', 'hex')),
  bad('jpeg xl', Buffer.from('ff0afa7f01900800', 'hex')),
  bad('jpeg 2000', Buffer.from('0000000c6a5020200d0a870a', 'hex')),
  bad('psd', Buffer.from('384250530001000000000000000300000001', 'hex')),
  bad('wav, which is RIFF too', Buffer.from('524946462400000057415645666d742010000000', 'hex')),
  bad('mp4', Buffer.from('000000206674797069736f6d0000020069736f6d', 'hex')),
  bad('plain text', 'just some words'),
  bad('json', '{"image": true}'),
  bad('a script that begins like a gif', 'GIF89a/*.......*/=1;alert(1)//'),
  bad('html that begins like a gif', `GIF89a${HTML}`),
  bad('html that begins like a png', Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.from(HTML)])),
  bad('html that begins like a jpg', Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.from(HTML)])),
  bad('html that begins like a webp', Buffer.concat([Buffer.from('RIFF\x20\0\0\0WEBP', 'latin1'), Buffer.from(HTML)])),
  ...Array.from({ length: 20 }, (_, n) =>
    bad(`noise ${n}`, Buffer.from(Array.from({ length: 300 }, (_, i) => (i * 37 + n * 101 + 7) % 251))),
  ),
]

/** Something else hangs on a whole image: it is served as the image it is, and as nothing else. */
const polyglots = async (): Promise<Sample[]> => {
  const tails = {
    html: Buffer.from(HTML),
    zip: Buffer.from('504b0506000000000000000000000000000000000000', 'hex'),
    php: Buffer.from('<?php system($_GET["c"]); ?>'),
  }
  const samples: Sample[] = []
  for (const format of FORMATS)
    for (const [name, tail] of Object.entries(tails)) {
      const whole = await picture({ width: 31, height: 13, format })
      samples.push(good(`${format} with ${name} behind it`, Buffer.concat([whole, tail]), format, 31, 13))
    }
  const comment = Buffer.concat([Buffer.from([0xff, 0xfe, 0, HTML.length + 2]), Buffer.from(HTML)])
  const jpeg = await picture({ width: 31, height: 13, format: 'jpg' })
  const commented = Buffer.concat([jpeg.subarray(0, 2), comment, jpeg.subarray(2)])
  samples.push(good('jpg with html as a comment', commented, 'jpg', 31, 13))
  samples.push(good('png with html as a text', pngOf(4, 5, undefined, [chunk('tEXt', Buffer.from(HTML))]), 'png', 4, 5))
  return samples
}

const zeros = (size: number) => deflateSync(Buffer.alloc(size))

const bombs = async (): Promise<Sample[]> => {
  const jpeg = await picture({ width: 31, height: 13, format: 'jpg' })
  const frame = jpeg.findIndex((byte, at) => byte === 0xff && jpeg[at + 1] === 0xc0)
  const claiming = (width: number, height: number): Buffer => {
    const copy = Buffer.from(jpeg)
    copy.writeUInt16BE(height, frame + 5)
    copy.writeUInt16BE(width, frame + 7)
    return copy
  }
  const webp = await losslessWebp(10, 10, false)
  const wide = Buffer.from(webp)
  wide.writeUInt32LE(0x3fff | (0x3fff << 14), webp.indexOf('VP8L') + 9)
  return [
    bad('png of 60,000 × 60,000', pngOf(60_000, 60_000, zeros(5 * MIB)), 'image_too_large'),
    bad('png of 2,147,483,647 × 1', pngOf(2_147_483_647, 1), 'image_too_large'),
    bad('png of 4,294,967,295 × 4,294,967,295', pngOf(4_294_967_295, 4_294_967_295), 'image_too_large'),
    bad('gif of 65,535 × 65,535', gifOf(65_535, 65_535), 'image_too_large'),
    bad('jpg of 65,500 × 65,500', claiming(65_500, 65_500), 'image_too_large'),
    bad('webp of 16,384 × 16,384', wide, 'image_too_large'),
    bad('png just above a hundred million', pngOf(10_000, 10_001), 'image_too_large'),
    good('png of just a hundred million', pngOf(10_000, 10_000), 'png', 10_000, 10_000),
    good('png whose data unpacks to 50 MB of nothing', pngOf(100, 100, zeros(50 * MIB)), 'png', 100, 100),
    bad('png of no width', pngOf(0, 10)),
    bad('png of no height', pngOf(10, 0)),
    bad('jpg of no height', claiming(10, 0)),
    good('gif of no screen, by its first picture', gifOf(0, 0), 'gif', 1, 1),
  ]
}

/** Structures that lie about their lengths. */
const liars = async (): Promise<Sample[]> => {
  const png = await picture({ width: 8, height: 8, format: 'png' })
  const huge = Buffer.from(png)
  huge.writeUInt32BE(0xffff_ffff, 33)
  const noHeader = Buffer.concat([png.subarray(0, 8), chunk('IDAT', zeros(4)), chunk('IEND', Buffer.alloc(0))])
  const webp = await picture({ width: 8, height: 8, format: 'webp' })
  const long = Buffer.from(webp)
  long.writeUInt32LE(0xffff_fff0, 4)
  const inner = Buffer.from(webp)
  inner.writeUInt32LE(0x7fff_ffff, 16)
  const jpeg = await picture({ width: 8, height: 8, format: 'jpg' })
  const segment = Buffer.from(jpeg)
  segment.writeUInt16BE(0, 4)
  const empty = Buffer.from([0xff, 0xd8, 0xff, 0xd9])
  const gif = await picture({ width: 8, height: 8, format: 'gif' })
  const exif = Buffer.concat([Buffer.from('Exif\0\0MM\0*', 'latin1'), Buffer.from('fffffff0', 'hex')])
  const marker = Buffer.from([0xff, 0xe1, 0, exif.length + 2])
  return [
    bad('png with a chunk of 4 GB', huge),
    bad('png without a header', noHeader),
    bad('png without data', Buffer.concat([png.subarray(0, 33), chunk('IEND', Buffer.alloc(0))])),
    bad('webp longer than its file', long),
    bad('webp with a chunk of 2 GB', inner),
    bad('webp of nothing', Buffer.from('RIFF\x04\0\0\0WEBP', 'latin1')),
    bad('jpg with a segment of no length', segment),
    bad('jpg of nothing', empty),
    bad('gif with an unknown block', Buffer.concat([gif.subarray(0, -1), Buffer.from([0x99, 0x3b])])),
    bad('gif of nothing', Buffer.concat([gifOf(3, 3).subarray(0, 19), Buffer.from([0x3b])])),
    good(
      'jpg with EXIF that leads nowhere',
      Buffer.concat([jpeg.subarray(0, 2), marker, exif, jpeg.subarray(2)]),
      'jpg',
      8,
      8,
    ),
  ]
}

const limits = (): Sample[] => [
  good('png of 12 MB', pngOfBytes(12 * MIB), 'png', 3, 2),
  bad('png of 12 MB and one byte', pngOfBytes(12 * MIB + 1), 'image_too_large'),
  bad('svg of 12 MB and one byte', Buffer.alloc(12 * MIB + 1, SVG), 'image_too_large'),
]

/** Returns every file of the corpus, made again. */
export const corpus = async (): Promise<Sample[]> =>
  (
    await Promise.all([
      ordinary(),
      rotated(),
      moving(),
      truncated(),
      unended(),
      otherFormats(),
      polyglots(),
      bombs(),
      liars(),
      limits(),
    ])
  ).flat()
