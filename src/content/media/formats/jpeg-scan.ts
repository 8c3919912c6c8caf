import type { Reader } from './size.ts'

/** Positions of the parts of a JPEG that are needed to read its last scan. */
export type ScanParts = {
  frame: number
  /** Segments with Huffman tables, in order. */
  tables: readonly number[]
  /** Data units between two restarts; 0 if there are no restarts. */
  interval: number
  /** Ids of the components in the scans so far. */
  components: ReadonlySet<number>
  scan: number
}

/** Returns a Huffman table indexed by the next sixteen bits. An entry has the code's length and its symbol. */
const tableOf = (read: Reader, at: number): Uint16Array => {
  const table = new Uint16Array(65_536)
  let [code, symbol] = [0, at + 16]
  for (let length = 1; length <= 16; length += 1, code *= 2)
    for (let left = read.u8(at + length - 1); left > 0; left -= 1, code += 1, symbol += 1) {
      const step = 2 ** (16 - length)
      table.fill(length * 256 + read.u8(symbol), code * step, (code + 1) * step)
    }
  return table
}

/** Returns the place of each current Huffman table, by class (0 or 1) and number. */
const placesOf = (read: Reader, segments: readonly number[]): Map<number, number> => {
  const places = new Map<number, number>()
  for (const segment of segments) {
    const end = segment + read.u16(segment)
    for (let at = segment + 2; at < end; ) {
      places.set(read.u8(at), at + 1)
      let symbols = 0
      for (let n = 1; n <= 16; n += 1) symbols += read.u8(at + n)
      at += 17 + symbols
    }
  }
  return places
}

/** Reads the bits of a scan. After its end it reads zeros, and `isBehind` returns true. */
const bitsOf = (bytes: Uint8Array, from: number) => {
  let [at, held, count, padding] = [from, 0, 0, 0]
  const need = (wanted: number): void => {
    while (count < wanted) {
      let byte = bytes[at]
      if (byte === undefined || (byte === 0xff && bytes[at + 1] !== 0)) {
        byte = 0
        padding += 8
      } else at += byte === 0xff ? 2 : 1
      held = held * 256 + byte
      count += 8
    }
  }
  const drop = (bits: number): void => {
    count -= bits
    held %= 2 ** count
  }
  return {
    isBehind: () => count < padding,
    /** Returns the next symbol; -1 if the bits are not a code. */
    symbol: (table: Uint16Array): number => {
      need(16)
      const found = table[Math.floor(held / 2 ** (count - 16))] ?? 0
      drop(found >> 8)
      return found === 0 ? -1 : found & 0xff
    },
    skip: (bits: number): void => {
      need(bits)
      drop(bits)
    },
    /** Continues after a restart marker. Returns false if there is none. */
    restart: (): boolean => {
      while (bytes[at] === 0xff && bytes[at + 1] === 0xff) at += 1
      if (bytes[at] !== 0xff || ((bytes[at + 1] ?? 0) & 0xf8) !== 0xd0) return false
      ;[at, held, count, padding] = [at + 2, 0, 0, 0]
      return true
    },
  }
}

type Bits = ReturnType<typeof bitsOf>
type Tables = { dc: Uint16Array; ac: Uint16Array }

/** Skips one block of 64 numbers. Returns false if the data is broken or ends. */
const passBlock = (bits: Bits, { dc, ac }: Tables): boolean => {
  const size = bits.symbol(dc)
  if (size < 0 || size > 16) return false
  bits.skip(size)
  for (let n = 1; n < 64; ) {
    const symbol = bits.symbol(ac)
    if (symbol < 0) return false
    const length = symbol & 15
    if (length === 0 && symbol !== 0xf0) break
    bits.skip(length)
    n += (symbol >> 4) + 1
  }
  return !bits.isBehind()
}

/**
 * True if a file without an end marker has its complete picture: every block that the frame's size requires.
 *
 * It counts codes and decodes no pixels. False for all but sequential JPEGs with Huffman codes, which cannot be checked.
 */
export const isScanWhole = (read: Reader, parts: ScanParts): boolean => {
  const { frame, scan } = parts
  const [height, width] = [read.u16(frame + 3), read.u16(frame + 5)]
  const sizes = new Map<number, { h: number; v: number }>()
  for (let n = 0, at = frame + 8; n < read.u8(frame + 7); n += 1, at += 3)
    sizes.set(read.u8(at), { h: read.u8(at + 1) >> 4, v: read.u8(at + 1) & 15 })
  if (parts.components.size < sizes.size) return false
  const [h, v] = [Math.max(...[...sizes.values()].map((s) => s.h)), Math.max(...[...sizes.values()].map((s) => s.v))]
  const places = placesOf(read, parts.tables)
  const inScan = read.u8(scan + 2)
  const built = new Map<number, Uint16Array>()
  const table = (key: number): Uint16Array | undefined => {
    const place = places.get(key)
    if (place !== undefined && !built.has(key)) built.set(key, tableOf(read, place))
    return built.get(key)
  }
  const blocks: Tables[] = []
  let units = Math.ceil(width / (8 * h)) * Math.ceil(height / (8 * v))
  for (let n = 0, at = scan + 3; n < inScan; n += 1, at += 2) {
    const size = sizes.get(read.u8(at))
    const [dc, ac] = [table(read.u8(at + 1) >> 4), table(16 + (read.u8(at + 1) & 15))]
    if (!size || !dc || !ac) return false
    const { h: own, v: ownV } = size
    if (inScan === 1)
      units = Math.ceil(Math.ceil((width * own) / h) / 8) * Math.ceil(Math.ceil((height * ownV) / v) / 8)
    for (let block = inScan === 1 ? 1 : own * ownV; block > 0; block -= 1) blocks.push({ dc, ac })
  }
  if (blocks.length === 0 || !Number.isFinite(units)) return false
  const start = scan + read.u16(scan)
  const bits = bitsOf(read.part(0, read.length), start)
  for (let unit = 0; unit < units; unit += 1) {
    if (unit > 0 && parts.interval > 0 && unit % parts.interval === 0 && !bits.restart()) return false
    for (const block of blocks) if (!passBlock(bits, block)) return false
  }
  return true
}
