import { BrokenImage, readerOf, type Size } from './size.ts'

const ORIENTATION = 0x0112
/** Stands before EXIF data in a JPEG, and in what some programs write elsewhere. */
export const MARK = 'Exif\0\0'
/** Orientations that lay the image on its side (EXIF 2.32, section 4.6.4). */
const SIDEWAYS = new Set([5, 6, 7, 8])

/** Returns the orientation in EXIF data (a TIFF header and its first directory, with or without its mark); 1 where it says none or cannot be read. */
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
export const isSideways = (exif: Uint8Array): boolean => {
  try {
    return SIDEWAYS.has(orientationIn(exif))
  } catch (error) {
    if (error instanceof BrokenImage) return false
    throw error
  }
}

/** Returns the size as it is shown. */
export const turned = ({ width, height }: Size, sideways: boolean): Size =>
  sideways ? { width: height, height: width } : { width, height }
