import { BrokenImage, type Reader, type Size, type Walked } from './size.ts'

export const isGif = (read: Reader): boolean => /^GIF8[79]a$/.test(read.text(0, 6))

const [EXTENSION, IMAGE, TRAILER] = [0x21, 0x2c, 0x3b]

/** Bytes of a colour table, told by the flags before it. */
const tableBytes = (flags: number): number => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0)

/** Returns the place behind a chain of sub-blocks, which ends with an empty one. */
const skipBlocks = (read: Reader, from: number): number => {
  let at = from
  for (let length = read.u8(at); length > 0; length = read.u8(at)) at += 1 + length
  return at + 1
}

/**
 * Returns the size of a GIF, animated or not, read from block to block to its end (GIF89a, section 12 on). One that ends behind a whole picture,
 * without the trailer, is taken.
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
