/** Bytes and those that follow them, as one piece. */
export const joined = (a: Uint8Array, b: Uint8Array): Uint8Array<ArrayBuffer> => {
  const both = new Uint8Array(a.length + b.length)
  both.set(a)
  both.set(b, a.length)
  return both
}
