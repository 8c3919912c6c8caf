import { BrokenImage, type Reader, readerOf, type Size, truncatedImage, type Walked } from './size.ts'

const ORIENTATION = 0x0112
/** Mark before EXIF data in a JPEG. Some programs write it in other formats too. */
const MARK = 'Exif\0\0'
/** Orientations that turn the image by 90 degrees (EXIF 2.32, section 4.6.4). */
const SIDEWAYS = new Set([5, 6, 7, 8])

/**
 * Returns the orientation in EXIF data; 1 if it has none.
 *
 * EXIF data is a TIFF header with its first directory, with or without its mark.
 */
const orientationIn = (exif: Uint8Array): number => {
  const whole = readerOf(exif)
  const read = whole.text(0, 6) === MARK ? readerOf(exif.subarray(MARK.length)) : whole
  const order = read.text(0, 2)
  const little = order === 'II'
  if ((!little && order !== 'MM') || read.u16(2, little) !== 42) return 1
  const directory = read.u32(4, little)
  const entries = read.u16(directory, little)
  for (let i = 0; i < entries; i += 1) {
    const at = directory + 2 + 12 * i
    if (read.u16(at, little) === ORIENTATION) return read.u16(at + 8, little)
  }
  return 1
}

/** True if EXIF data turns the image by 90 degrees. */
const isSideways = (exif: Uint8Array): boolean => {
  try {
    return SIDEWAYS.has(orientationIn(exif))
  } catch (error) {
    if (error instanceof BrokenImage) return false
    throw error
  }
}

/** Returns the display size. */
const turned = ({ width, height }: Size, sideways: boolean): Size =>
  sideways ? { width: height, height: width } : { width, height }

export const isPng = (read: Reader): boolean => read.text(0, 8) === '\x89PNG\r\n\x1a\n'

const HEADER_BYTES = 13

/** Returns the display size of a PNG. Reads it from chunk to chunk to its end (PNG, third edition, section 5). */
export const readPng = (read: Reader): Size => {
  if (read.u32(8) !== HEADER_BYTES || read.text(12, 4) !== 'IHDR') throw new BrokenImage('the PNG has no header')
  const size = { width: read.u32(16), height: read.u32(20) }
  let [hasData, sideways] = [false, false]
  for (let at = 8; ; ) {
    const [length, type] = [read.u32(at), read.text(at + 4, 4)]
    const data = read.part(at + 8, length)
    // A checksum of four bytes follows the data.
    read.u32(at + 8 + length)
    if (type === 'IDAT') hasData = true
    if (type === 'eXIf') sideways = isSideways(data)
    if (type === 'IEND') break
    at += 12 + length
  }
  if (!hasData) throw new BrokenImage('the PNG holds no picture')
  return turned(size, sideways)
}

export const isGif = (read: Reader): boolean => /^GIF8[79]a$/.test(read.text(0, 6))

const [EXTENSION, IMAGE, TRAILER] = [0x21, 0x2c, 0x3b]

/** Returns the size of a colour table in bytes, from the flags before it. */
const tableBytes = (flags: number): number => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0)

/** Returns the place after a chain of sub-blocks, which ends with an empty one. */
const skipBlocks = (read: Reader, from: number): number => {
  let at = from
  for (let length = read.u8(at); length > 0; length = read.u8(at)) at += 1 + length
  return at + 1
}

/**
 * Returns the size of a GIF, animated or not. Reads it from block to block to its end (GIF89a, from section 12).
 *
 * A GIF without the trailer is accepted if it ends after a complete picture.
 */
export const readGif = (read: Reader): Walked => {
  let first: Size | undefined
  let [isOpen, isPicture] = [false, false]
  for (let at = 13 + tableBytes(read.u8(10)); ; ) {
    isOpen = isPicture && at === read.length
    if (isOpen) break
    const block = read.u8(at)
    isPicture = block === IMAGE
    if (block === TRAILER) break
    if (block === EXTENSION) at = skipBlocks(read, at + 2)
    else if (block === IMAGE) {
      first ??= { width: read.u16(at + 5, true), height: read.u16(at + 7, true) }
      at = skipBlocks(read, at + 11 + tableBytes(read.u8(at + 9)))
    } else throw new BrokenImage('the GIF has a block of an unknown kind')
  }
  if (!first) throw new BrokenImage('the GIF holds no picture')
  const screen = { width: read.u16(6, true), height: read.u16(8, true) }
  return { ...(screen.width > 0 && screen.height > 0 ? screen : first), isOpen }
}

export const isWebp = (read: Reader): boolean => read.text(0, 4) === 'RIFF' && read.text(8, 4) === 'WEBP'

/** Returns the size in the key frame of a lossy picture (RFC 6386, section 9.1). */
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

/** Returns the display size of a WebP, animated or not. Reads it from chunk to chunk to its end (RFC 9649, section 2). */
export const readWebp = (read: Reader): Size => {
  const end = 8 + read.u32(4, true)
  if (end > read.length) throw truncatedImage()
  let size: Size | undefined
  let [hasPicture, sideways] = [false, false]
  for (let at = 12; at + 8 <= end; ) {
    const [type, length] = [read.text(at, 4), read.u32(at + 4, true)]
    const data = read.part(at + 8, length)
    if (at + 8 + length > end) throw truncatedImage()
    // The canvas comes first if there is one.
    size ??= READ[type]?.(read, at + 8)
    if (['VP8 ', 'VP8L', 'ANMF'].includes(type)) hasPicture = true
    if (type === 'EXIF') sideways = isSideways(data)
    at += 8 + length + (length % 2)
  }
  if (!size || !hasPicture) throw new BrokenImage('the WebP holds no picture')
  return turned(size, sideways)
}

export const isJpeg = (read: Reader): boolean => read.text(0, 3) === '\xff\xd8\xff'

const [END, SCAN, APP1] = [0xd9, 0xda, 0xe1]
/** True for the markers C0 to CF of frame headers, except the tables DHT (C4), JPG (C8) and DAC (CC). */
const isFrame = (marker: number): boolean => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
/** True for markers without a segment: TEM, RST0 to RST7 and SOI. */
const isStandalone = (marker: number): boolean => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)

/** Returns the next marker from a place on, and the place after it. In a scan, FF00 and restart markers are data. */
const nextMarker = (read: Reader, from: number, inScan: boolean): { marker: number; at: number } | undefined => {
  for (let at = from; ; ) {
    at = read.find(0xff, at)
    if (at < 0) return undefined
    while (at < read.length && read.u8(at) === 0xff) at += 1
    if (at === read.length) return undefined
    const marker = read.u8(at)
    at += 1
    if (marker !== 0 && !(inScan && isStandalone(marker))) return { marker, at }
  }
}

const exifIn = (read: Reader, at: number, length: number): Uint8Array | undefined =>
  read.text(at + 2, MARK.length) === MARK ? read.part(at + 2, length - 2) : undefined

/** Returns the display size of a JPEG. Reads it from marker to marker to its end marker (ITU T.81, annex B). */
export const readJpeg = (read: Reader): Size => {
  let size: Size | undefined
  let [sideways, hasScan] = [false, false]
  let next = nextMarker(read, 2, false)
  while (next && next.marker !== END) {
    const { marker, at } = next
    const length = isStandalone(marker) ? 0 : read.u16(at)
    if (!isStandalone(marker) && length < 2) throw new BrokenImage('a segment of the JPEG has no length')
    const exif = marker === APP1 ? exifIn(read, at, length) : undefined
    if (exif) sideways = isSideways(exif)
    if (isFrame(marker)) size ??= { height: read.u16(at + 3), width: read.u16(at + 5) }
    if (marker === SCAN) hasScan = true
    next = nextMarker(read, at + length, marker === SCAN)
  }
  if (!next) throw truncatedImage()
  if (!size || !hasScan) throw new BrokenImage('the JPEG holds no picture')
  return turned(size, sideways)
}
