import { decodeInPlace } from '../../platform/lib/base64-in-place.ts'

/** Returns the bytes of base64 text; undefined for what is none. */
export const base64Bytes = (base64: string): Uint8Array<ArrayBuffer> | undefined => {
  const text = Uint8Array.from(new TextEncoder().encode(base64))
  return decodeInPlace(text, 0, text.length)
}
