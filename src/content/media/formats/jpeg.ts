import { isSideways, MARK, turned } from './orientation.ts'
import { BrokenImage, endsEarly, type Reader, type Size } from './size.ts'

export const isJpeg = (read: Reader): boolean => read.text(0, 3) === '\xff\xd8\xff'

const [END, SCAN, APP1] = [0xd9, 0xda, 0xe1]
/** Frame headers are C0 to CF without the tables DHT (C4), JPG (C8) and DAC (CC). */
const isFrame = (marker: number): boolean => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
/** TEM, RST0 to RST7 and SOI stand alone. */
const standsAlone = (marker: number): boolean => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)

/** The next marker from a place on, and the place behind it. FF00 and restarts belong to the data of a scan. */
const nextMarker = (read: Reader, from: number, inScan: boolean): { marker: number; at: number } => {
  for (let at = from; ; ) {
    at = read.find(0xff, at)
    if (at < 0) throw endsEarly()
    while (read.u8(at) === 0xff) at += 1
    const marker = read.u8(at)
    at += 1
    if (marker !== 0 && !(inScan && standsAlone(marker))) return { marker, at }
  }
}

const exifIn = (read: Reader, at: number, length: number): Uint8Array | undefined =>
  read.text(at + 2, MARK.length) === MARK ? read.part(at + 2, length - 2) : undefined

/** Size of a JPEG, read from marker to marker to its end (ITU T.81, annex B). */
export const readJpeg = (read: Reader): Size => {
  let size: Size | undefined
  let [hasScan, sideways] = [false, false]
  for (let next = nextMarker(read, 2, false); next.marker !== END; ) {
    const { marker, at } = next
    const length = standsAlone(marker) ? 0 : read.u16(at)
    if (!standsAlone(marker) && length < 2) throw new BrokenImage('a segment of the JPEG has no length')
    const exif = marker === APP1 ? exifIn(read, at, length) : undefined
    if (exif) sideways = isSideways(exif)
    if (isFrame(marker)) size ??= { height: read.u16(at + 3), width: read.u16(at + 5) }
    if (marker === SCAN) hasScan = true
    next = nextMarker(read, at + length, marker === SCAN)
  }
  if (!size || !hasScan) throw new BrokenImage('the JPEG holds no picture')
  return turned(size, sideways)
}
