import { isSideways, turned } from './orientation.ts'
import { BrokenImage, endsEarly, type Reader, type Size } from './size.ts'

export const isWebp = (read: Reader): boolean => read.text(0, 4) === 'RIFF' && read.text(8, 4) === 'WEBP'

/** Returns the size in a lossy picture's key frame (RFC 6386, section 9.1). */
const lossy = (read: Reader, at: number): Size => {
  if (read.u24(at + 3) !== 0x2a019d) throw new BrokenImage('the WebP has no key frame')
  return { width: read.u16(at + 6, true) & 0x3fff, height: read.u16(at + 8, true) & 0x3fff }
}

/** Returns the size of a lossless picture (RFC 9649, section 3.4). */
const lossless = (read: Reader, at: number): Size => {
  if (read.u8(at) !== 0x2f) throw new BrokenImage('the WebP has no lossless header')
  const bits = read.u32(at + 1, true)
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
}

const canvas = (read: Reader, at: number): Size => ({ width: read.u24(at + 4) + 1, height: read.u24(at + 7) + 1 })

const READ: Record<string, (read: Reader, at: number) => Size> = { 'VP8 ': lossy, VP8L: lossless, VP8X: canvas }

/** Returns the size of a WebP, animated or not, read from chunk to chunk to its end (RFC 9649, section 2). */
export const readWebp = (read: Reader): Size => {
  const end = 8 + read.u32(4, true)
  if (end > read.length) throw endsEarly()
  let size: Size | undefined
  let [hasPicture, sideways] = [false, false]
  for (let at = 12; at + 8 <= end; ) {
    const [type, length] = [read.text(at, 4), read.u32(at + 4, true)]
    const data = read.part(at + 8, length)
    if (at + 8 + length > end) throw endsEarly()
    // The canvas stands first if there is one.
    size ??= READ[type]?.(read, at + 8)
    if (['VP8 ', 'VP8L', 'ANMF'].includes(type)) hasPicture = true
    if (type === 'EXIF') sideways = isSideways(data)
    at += 8 + length + (length % 2)
  }
  if (!size || !hasPicture) throw new BrokenImage('the WebP holds no picture')
  return turned(size, sideways)
}
