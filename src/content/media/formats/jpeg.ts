import { isScanWhole } from './jpeg-scan.ts'
import { isSideways, MARK, turned } from './orientation.ts'
import { BrokenImage, endsEarly, type Reader, type Walked } from './size.ts'

export const isJpeg = (read: Reader): boolean => read.text(0, 3) === '\xff\xd8\xff'

const [END, SCAN, APP1, TABLES, INTERVAL] = [0xd9, 0xda, 0xe1, 0xc4, 0xdd]
/** Frame headers are C0 to CF without the tables DHT (C4), JPG (C8) and DAC (CC). */
const isFrame = (marker: number): boolean => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
/** Frames of sequential pictures with Huffman codes. */
const isSequential = (marker: number): boolean => marker === 0xc0 || marker === 0xc1
/** TEM, RST0 to RST7 and SOI are alone. */
const standsAlone = (marker: number): boolean => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)

/** The next marker from a place on, and the place behind it. FF00 and restarts belong to the data of a scan. */
const nextMarker = (read: Reader, from: number, inScan: boolean): { marker: number; at: number } | undefined => {
  for (let at = from; ; ) {
    at = read.find(0xff, at)
    if (at < 0) return undefined
    while (at < read.length && read.u8(at) === 0xff) at += 1
    if (at === read.length) return undefined
    const marker = read.u8(at)
    at += 1
    if (marker !== 0 && !(inScan && standsAlone(marker))) return { marker, at }
  }
}

const exifIn = (read: Reader, at: number, length: number): Uint8Array | undefined =>
  read.text(at + 2, MARK.length) === MARK ? read.part(at + 2, length - 2) : undefined

/** Returns the size of a JPEG, read from marker to marker to its end (ITU T.81, annex B). One whose end mark alone is missing is taken. */
export const readJpeg = (read: Reader): Walked => {
  let size: { width: number; height: number } | undefined
  let sideways = false
  let [frame, scan, interval] = [0, 0, 0]
  const tables: number[] = []
  const components = new Set<number>()
  let next = nextMarker(read, 2, false)
  while (next && next.marker !== END) {
    const { marker, at } = next
    const length = standsAlone(marker) ? 0 : read.u16(at)
    if (!standsAlone(marker) && length < 2) throw new BrokenImage('a segment of the JPEG has no length')
    const exif = marker === APP1 ? exifIn(read, at, length) : undefined
    if (exif) sideways = isSideways(exif)
    if (isFrame(marker)) size ??= { height: read.u16(at + 3), width: read.u16(at + 5) }
    if (isSequential(marker)) frame ||= at
    if (marker === TABLES) tables.push(at)
    if (marker === INTERVAL) interval = read.u16(at + 2)
    if (marker === SCAN) {
      scan = at
      for (let n = 0; n < read.u8(at + 2); n += 1) components.add(read.u8(at + 3 + 2 * n))
    }
    next = nextMarker(read, at + length, marker === SCAN)
  }
  if (!next && (!frame || !scan || !isScanWhole(read, { frame, tables, interval, components, scan }))) throw endsEarly()
  if (!size || !scan) throw new BrokenImage('the JPEG holds no picture')
  return { ...turned(size, sideways), isOpen: !next }
}
