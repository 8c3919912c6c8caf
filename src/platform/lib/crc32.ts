let table: Uint32Array | undefined

const crcTable = (): Uint32Array => {
  table ??= Uint32Array.from({ length: 256 }, (_, n) => {
    let c = n
    for (let bit = 0; bit < 8; bit += 1) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1
    return c >>> 0
  })
  return table
}

/** CRC-32 (ISO 3309, as in zlib) of an ASCII text. */
export const crc32 = (text: string): number => {
  const crcs = crcTable()
  let c = 0xffffffff
  for (let i = 0; i < text.length; i += 1) c = (crcs[(c ^ text.charCodeAt(i)) & 0xff] ?? 0) ^ (c >>> 8)
  return (c ^ 0xffffffff) >>> 0
}
