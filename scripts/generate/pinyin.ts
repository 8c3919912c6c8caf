import anyAscii from 'any-ascii'

/**
 * Returns the characters of a two-byte encoding whose first byte is between two values, and whose second is at least
 * `least`.
 */
const charactersOf = (encoding: string, from: number, to: number, least: number): string[] => {
  const decoder = new TextDecoder(encoding)
  const found: string[] = []
  for (let high = from; high <= to; high += 1)
    for (let low = least; low <= 0xfe; low += 1) {
      const letter = decoder.decode(new Uint8Array([high, low]))
      if (/^\p{Script=Han}$/u.test(letter)) found.push(letter)
    }
  return found
}

/**
 * Returns the module of pinyin readings: each reading and the characters that have it. The characters are those in common use:
 * all of GB 2312 (simplified) and the first level of Big5 (traditional).
 */
export const pinyinModule = (): string => {
  const letters = new Set([...charactersOf('gb2312', 0xb0, 0xf7, 0xa1), ...charactersOf('big5', 0xa4, 0xc6, 0x40)])
  const byReading = new Map<string, string[]>()
  for (const letter of [...letters].sort()) {
    const reading = anyAscii(letter).trim().toLowerCase()
    if (/^[a-z]+$/.test(reading)) byReading.set(reading, [...(byReading.get(reading) ?? []), letter])
  }
  const lines = [...byReading].sort(([a], [b]) => (a < b ? -1 : 1)).map(([reading, found]) => reading + found.join(''))
  return `// Written by \`npm run generate\` from the readings of any-ascii (ISC). Do not edit.
export const PINYIN =
  '${lines.join(' ')}'
`
}
