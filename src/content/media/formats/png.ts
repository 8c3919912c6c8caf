import { isSideways, turned } from './orientation.ts'
import { BrokenImage, type Reader, type Size } from './size.ts'

export const isPng = (read: Reader): boolean => read.text(0, 8) === '\x89PNG\r\n\x1a\n'

const HEADER_BYTES = 13

/** Returns the size of a PNG, read from chunk to chunk to its end (PNG, third edition, section 5). */
export const readPng = (read: Reader): Size => {
  if (read.u32(8) !== HEADER_BYTES || read.text(12, 4) !== 'IHDR') throw new BrokenImage('the PNG has no header')
  const size = { width: read.u32(16), height: read.u32(20) }
  let [hasData, sideways] = [false, false]
  for (let at = 8; ; ) {
    const [length, type] = [read.u32(at), read.text(at + 4, 4)]
    const data = read.part(at + 8, length)
    // Behind the data stand four bytes of its checksum.
    read.u32(at + 8 + length)
    if (type === 'IDAT') hasData = true
    if (type === 'eXIf') sideways = isSideways(data)
    if (type === 'IEND') break
    at += 12 + length
  }
  if (!hasData) throw new BrokenImage('the PNG holds no picture')
  return turned(size, sideways)
}
