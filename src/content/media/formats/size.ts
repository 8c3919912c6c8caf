/** Width and height in pixels. */
export type Size = { width: number; height: number }

/** Result of reading a file. `isOpen` is true if its picture is complete and only the trailer of a GIF is missing. */
export type Walked = Size & { isOpen?: boolean }

/** Error for bytes that begin like an image but are not a valid one. */
export class BrokenImage extends Error {
  override readonly name = 'BrokenImage'
}

/** Returns the error for a file that ends too early. */
export const truncatedImage = (): BrokenImage => new BrokenImage('the file ends before the image does')

/** Returns a reader of numbers in bytes. Throws `truncatedImage` after the end. */
export const readerOf = (bytes: Uint8Array) => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const within = <T>(at: number, length: number, read: () => T): T => {
    if (at + length > bytes.length) throw truncatedImage()
    return read()
  }
  return {
    length: bytes.length,
    u8: (at: number) => within(at, 1, () => view.getUint8(at)),
    u16: (at: number, little = false) => within(at, 2, () => view.getUint16(at, little)),
    u32: (at: number, little = false) => within(at, 4, () => view.getUint32(at, little)),
    u24: (at: number) => within(at, 3, () => view.getUint16(at, true) + view.getUint8(at + 2) * 65_536),
    /** Returns `length` bytes as Latin-1 text; fewer at the end. */
    text: (at: number, length: number) => String.fromCharCode(...bytes.subarray(at, at + length)),
    /** Returns the place of a byte from `at` on; -1 if there is none. */
    find: (byte: number, at: number) => bytes.indexOf(byte, at),
    part: (at: number, length: number) => within(at, length, () => bytes.subarray(at, at + length)),
  }
}

export type Reader = ReturnType<typeof readerOf>
