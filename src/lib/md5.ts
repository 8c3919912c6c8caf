const SHIFTS = [7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21]
const SINES = Array.from({ length: 64 }, (_, n) => Math.floor(Math.abs(Math.sin(n + 1)) * 2 ** 32) | 0)

const rotate = (value: number, by: number): number => (value << by) | (value >>> (32 - by))

/** Which word a step takes, and what it mixes of the state (RFC 1321, 3.4). */
const mix = (n: number, b: number, c: number, d: number): [word: number, value: number] => {
  if (n < 16) return [n, (b & c) | (~b & d)]
  if (n < 32) return [(5 * n + 1) % 16, (d & b) | (~d & c)]
  if (n < 48) return [(3 * n + 5) % 16, b ^ c ^ d]
  return [(7 * n) % 16, c ^ (b | ~d)]
}

const padded = (bytes: Uint8Array): DataView => {
  const view = new DataView(new ArrayBuffer(((bytes.length + 8) >>> 6) * 64 + 64))
  for (let n = 0; n < bytes.length; n += 1) view.setUint8(n, bytes[n] ?? 0)
  view.setUint8(bytes.length, 0x80)
  view.setUint32(view.byteLength - 8, (bytes.length << 3) >>> 0, true)
  view.setUint32(view.byteLength - 4, Math.floor(bytes.length / 2 ** 29), true)
  return view
}

/** MD5 of bytes in lower-case hex (RFC 1321): a file's name at providers that ask for it, never a protection. */
export const md5Hex = (bytes: Uint8Array): string => {
  const view = padded(bytes)
  const state = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476]
  for (let at = 0; at < view.byteLength; at += 64) {
    let [a = 0, b = 0, c = 0, d = 0] = state
    for (let n = 0; n < 64; n += 1) {
      const [word, value] = mix(n, b, c, d)
      const sum = (a + value + (SINES[n] ?? 0) + view.getInt32(at + word * 4, true)) | 0
      const next = (b + rotate(sum, SHIFTS[(n >> 4) * 4 + (n % 4)] ?? 0)) | 0
      ;[a, d, c, b] = [d, c, b, next]
    }
    state[0] = ((state[0] ?? 0) + a) | 0
    state[1] = ((state[1] ?? 0) + b) | 0
    state[2] = ((state[2] ?? 0) + c) | 0
    state[3] = ((state[3] ?? 0) + d) | 0
  }
  const out = new DataView(new ArrayBuffer(16))
  state.forEach((word, n) => {
    out.setInt32(n * 4, word, true)
  })
  return Array.from(new Uint8Array(out.buffer), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
