import { joined } from '../../../platform/lib/bytes.ts'
import { BrokenImage, readerOf, type Size } from './size.ts'

/**
 * First brands of files that are not videos unless a compatible brand says so: pictures, audio, and the old format of phones.
 */
const NO_VIDEO = /^(heic|heix|heim|heis|hevc|hevx|mif1|msf1|avif|avis|M4A |M4B |M4P |crx |jp2 |jpx |3g)/

/** Boxes with which an old QuickTime file may begin. */
const OLD_QUICKTIME = ['moov', 'mdat', 'wide', 'free', 'skip', 'pnot']

/** Brands that every MP4 player supports. One among the compatible brands is enough, regardless of the first brand. */
const MP4 = ['isom', 'mp41', 'mp42', 'avc1']

/** Most bytes read for the brands of a file. */
const MAX_BRAND_BYTES = 512

/** Returns the number of bytes needed to recognize a file, from its first twelve. */
export const kindBytes = (start: Uint8Array): number => {
  const read = readerOf(start)
  return start.length >= 12 && read.text(4, 4) === 'ftyp' ? Math.min(Math.max(12, read.u32(0)), MAX_BRAND_BYTES) : 12
}

/**
 * Returns the kind of a video from its first `kindBytes` bytes; undefined if it is not a video.
 *
 * See ISO/IEC 14496-12, section 4.3, and the QuickTime File Format.
 */
export const videoKind = (start: Uint8Array): 'mp4' | 'mov' | undefined => {
  const read = readerOf(start)
  const [type, brand] = [read.text(4, 4), read.text(8, 4)]
  if (type !== 'ftyp') return OLD_QUICKTIME.includes(type) ? 'mov' : undefined
  if (brand === 'qt  ') return 'mov'
  const end = Math.min(kindBytes(start), start.length)
  for (let at = 16; at + 4 <= end; at += 4) if (MP4.includes(read.text(at, 4))) return 'mp4'
  return NO_VIDEO.test(brand) ? undefined : 'mp4'
}

/** Boxes whose children are read, with their parent. */
const INSIDE: Readonly<Record<string, string>> = { moov: '', trak: 'moov', mdia: 'trak' }
/** Boxes whose content is read, with their parent. */
const READ: Readonly<Record<string, string>> = { tkhd: 'trak', hdlr: 'mdia' }
/** Bytes read of their content. */
const READ_BYTES = 96
const MAX_BOXES = 100_000

type Container = { type: string; end: number }
type Track = { header?: Uint8Array; handler?: string }
type Picture = Size & { isEnabled: boolean }

/** Returns the display size in a track's header (ISO/IEC 14496-12, section 8.3.2). */
const sizeIn = (header: Uint8Array): Size => {
  const read = readerOf(header)
  const matrix = read.u8(0) === 1 ? 52 : 40
  const whole = (at: number) => Math.round(read.u32(at) / 65_536)
  const size = { width: whole(matrix + 36), height: whole(matrix + 40) }
  const isTurned = read.u32(matrix) === 0 && read.u32(matrix + 16) === 0
  return isTurned ? { width: size.height, height: size.width } : size
}

/**
 * Returns a reader that follows the boxes of an MP4 or QuickTime file while its bytes arrive.
 *
 * It decodes nothing, and keeps only small parts of a few boxes in memory. Throws `BrokenImage` if the file is not such a
 * video.
 */
export const boxReader = () => {
  const open: Container[] = []
  let [at, boxes, skip] = [0, 0, 0]
  let isOpenEnded = false
  let head = new Uint8Array(0)
  let reading: { type: string; bytes: Uint8Array } | undefined
  let track: Track | undefined
  let picture: Picture | undefined
  const seen = new Set<string>()

  /**
   * True after a complete description and complete data. Later bytes are not checked, because some cameras write raw bytes
   * there.
   */
  const isDone = (): boolean => open.length === 0 && seen.has('moov') && seen.has('mdat')

  /** Reads the size of a track's picture. The largest enabled track counts. */
  const readPicture = (header: Uint8Array): void => {
    const found: Picture = { ...sizeIn(header), isEnabled: (readerOf(header).u8(3) & 1) === 1 }
    const isBetter =
      !picture ||
      (found.isEnabled === picture.isEnabled
        ? found.width * found.height > picture.width * picture.height
        : found.isEnabled)
    if (isBetter) picture = found
  }

  const leave = (): void => {
    for (let last = open.at(-1); last && last.end === at; last = open.at(-1)) {
      open.pop()
      if (last.type === 'trak' && track?.handler === 'vide' && track.header) readPicture(track.header)
    }
  }

  const enter = (type: string, size: number, headBytes: number): void => {
    const parent = open.at(-1)
    boxes += 1
    if (boxes > MAX_BOXES) throw new BrokenImage('the video has too many boxes')
    if (size < headBytes || (parent && at - headBytes + size > parent.end))
      throw new BrokenImage('a box of the video has a length that cannot be')
    const parentType = parent?.type ?? ''
    if (parentType === '') seen.add(type)
    if (type === 'trak' && parentType === 'moov') track = {}
    if (INSIDE[type] === parentType) {
      open.push({ type, end: at - headBytes + size })
      leave()
      return
    }
    skip = size - headBytes
    if (READ[type] === parentType) reading = { type, bytes: new Uint8Array(0) }
    if (skip === 0) leave()
  }

  const finish = (): void => {
    const { type, bytes } = reading ?? { type: '', bytes: head }
    if (type === 'tkhd' && track) track.header = bytes
    if (type === 'hdlr' && track) track.handler = readerOf(bytes).text(8, 4)
    reading = undefined
    leave()
  }

  /** Reads the header of a box when it is complete. */
  const readHead = (): void => {
    const read = readerOf(head)
    const [short, type] = [read.u32(0), read.text(4, 4)]
    if (short === 1 && head.length < 16) return
    const size = short === 1 ? read.u32(8) * 2 ** 32 + read.u32(12) : short
    const headBytes = head.length
    head = new Uint8Array(0)
    const isBehind = isDone()
    if (short !== 0 && !isBehind) {
      enter(type, size, headBytes)
      return
    }
    if (open.length > 0) throw new BrokenImage('a box of the video has a length that cannot be')
    if (!isBehind) seen.add(type)
    isOpenEnded = true
    skip = Number.MAX_SAFE_INTEGER
  }

  const pass = (chunk: Uint8Array): number => {
    const taken = Math.min(skip, chunk.length)
    if (reading && reading.bytes.length < READ_BYTES)
      reading.bytes = joined(reading.bytes, chunk.subarray(0, Math.min(taken, READ_BYTES - reading.bytes.length)))
    skip -= taken
    at += taken
    if (skip === 0) finish()
    return taken
  }

  const appendHead = (chunk: Uint8Array): number => {
    const parent = open.at(-1)
    // QuickTime may end a list of boxes with four zero bytes.
    if (parent && head.length === 0 && parent.end - at < 8) {
      skip = parent.end - at
      return 0
    }
    const wanted = head.length < 8 ? 8 : 16
    const taken = Math.min(wanted - head.length, chunk.length)
    head = joined(head, chunk.subarray(0, taken))
    at += taken
    if (head.length === wanted) readHead()
    return taken
  }

  return {
    push: (chunk: Uint8Array): void => {
      for (let rest = chunk; rest.length > 0; ) rest = rest.subarray(skip > 0 ? pass(rest) : appendHead(rest))
    },
    /** Returns the picture's size after the last byte. Throws `BrokenImage` if the video is incomplete. */
    end: (): Size => {
      if ((head.length > 0 && !isDone()) || open.length > 0 || (skip > 0 && !isOpenEnded))
        throw new BrokenImage('the file ends before the video does')
      if (!seen.has('moov') || !seen.has('mdat')) throw new BrokenImage('the file holds no video')
      if (!picture || picture.width === 0 || picture.height === 0)
        throw new BrokenImage('the file holds no track of pictures')
      return { width: picture.width, height: picture.height }
    },
  }
}
