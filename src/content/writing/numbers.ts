/** A number a text states. `value` is its plain form; `parts` are other numbers it may be read as where it is evidence. */
export type NumberClaim = { start: number; end: number; value: string; parts: readonly string[] }

const GROUPED = String.raw`\d{1,3}(?:[.,'’\u00a0\u202f\u2009 ]\d{3})+(?!\d)`
const NUMBER = new RegExp(String.raw`(?:${GROUPED}|\d+)(?:[.,]\d+)?`, 'g')
const PERCENT =
  /^\s?(?:%|％|percent\b|per cent\b|prozent\b|pour cent\b|por ciento\b|por cento\b|per cento\b|procent\b)/i
const scales = (): [RegExp, number][] => [
  [/^k(?![\p{L}\p{N}])/iu, 1e3],
  [/^[\s-]?(?:thousand|tausend|mille|mil|duizend)(?!\p{L})/iu, 1e3],
  [/^\s?(?:mio\.?|mn)(?!\p{L})/iu, 1e6],
  [/^[\s-]?(?:millions?|millionen|millones|millón|milioni|milhões|miljoen)(?!\p{L})/iu, 1e6],
  [/^\s?(?:mrd\.?|bn)(?!\p{L})/iu, 1e9],
  [/^[\s-]?(?:billions?|milliarden?|milliards?|miliardi|miljard)(?!\p{L})/iu, 1e9],
]

/** First digits of the decimal digits of other scripts: Arabic, Persian, Devanagari, Bengali, Thai, full width. */
const ZEROS = [0x660, 0x6f0, 0x966, 0x9e6, 0xe50, 0xff10]

/** The text with every digit as an ASCII one, of the same length. */
const withPlainDigits = (text: string): string =>
  text.replace(/[٠-٩۰-۹०-९০-৯๐-๙０-９]/gu, (digit) => {
    const code = digit.codePointAt(0) ?? 0
    const zero = ZEROS.findLast((first) => first <= code) ?? code
    return String(code - zero)
  })

const canonical = (digits: string): string => {
  const [whole = '0', fraction = ''] = digits.split('.')
  const tail = fraction.replace(/(?<!0)0+$/, '')
  return (whole.replace(/^0+(?=\d)/, '') || '0') + (tail === '' ? '' : `.${tail}`)
}

/** A written number in plain form: `1,200`, `1.200` and `1 200` are 1200; `3,5` and `3.5` are 3.5; `0.125` stays. */
const plainNumber = (written: string): string => {
  const grouped = new RegExp(`^(${GROUPED})((?:[.,]\\d+)?)$`).exec(written)
  const separators = new Set(grouped?.[1]?.replace(/\d/g, ''))
  const isThousands = grouped && separators.size === 1 && !written.startsWith('0')
  if (isThousands) return canonical(`${grouped[1]?.replace(/\D/g, '')}.${grouped[2]?.slice(1) ?? ''}`)
  return canonical(written.replace(/[.,](?=\d+$)/, '.').replace(/[^\d.]/g, ''))
}

const scaled = (plain: string, factor: number): string =>
  factor === 1 || plain.length > 12 ? plain : canonical((Number(plain) * factor).toFixed(3))

const claimOf = (text: string, start: number, written: string): NumberClaim => {
  const plain = plainNumber(written)
  let end = start + written.length
  const scale = scales().find(([pattern]) => pattern.test(text.slice(end, end + 12)))
  const value = scaled(plain, scale?.[1] ?? 1)
  if (scale) end += scale[0].exec(text.slice(end, end + 12))?.[0].length ?? 0
  const percent = PERCENT.exec(text.slice(end, end + 12))?.[0]
  const parts = (written.match(/\d+/g) ?? []).map(canonical)
  if (percent) return { start, end: end + percent.length, value: `${value}%`, parts: [value, ...parts] }
  // The first of a range has the unit of the second: "10–12 %".
  const range = /^\s?(?:-|–|—|to|bis|à|a|tot)\s?\d[\d.,]*\s?(?:%|percent\b|prozent\b)/i.test(text.slice(end, end + 20))
  return { start, end, value, parts: range ? [`${value}%`, ...parts] : parts }
}

const UNITS =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  )
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')
const MAGNITUDES: Record<string, number> = { dozen: 12, hundred: 100, thousand: 1e3, million: 1e6, billion: 1e9 }
const WORD = `(?:${[...UNITS, ...TENS, ...Object.keys(MAGNITUDES)].join('|')})`
const SPELLED = new RegExp(String.raw`\b${WORD}(?:(?:[\s-]|\sand\s)${WORD})*\b`, 'gi')

const spelledValue = (words: readonly string[]): number => {
  let total = 0
  let current = 0
  for (const word of words) {
    const magnitude = MAGNITUDES[word]
    if (magnitude === undefined) current += UNITS.includes(word) ? UNITS.indexOf(word) : (TENS.indexOf(word) + 2) * 10
    else if (magnitude <= 100) current = Math.max(1, current) * magnitude
    else {
      total += Math.max(1, current) * magnitude
      current = 0
    }
  }
  return total + current
}

/** Numbers spelled out in English. Up to ten they are mere words, unless they count percent or times. */
const spelledIn = (text: string): NumberClaim[] =>
  [...text.matchAll(SPELLED)].map(({ 0: written, index }) => {
    const value = String(
      spelledValue(
        written
          .toLowerCase()
          .split(/[\s-]+/)
          .filter((word) => word !== 'and'),
      ),
    )
    const end = index + written.length
    const percent = PERCENT.exec(text.slice(end, end + 12))?.[0]
    const times = /^[\s-](?:times|fold)\b/i.test(text.slice(end, end + 8))
    const shownValue = percent ? `${value}%` : value
    // What states nothing by itself still is evidence for a digit.
    const isWord = Number(value) <= 10 && !percent && !times
    return { start: index, end: end + (percent?.length ?? 0), value: isWord ? '' : shownValue, parts: [value] }
  })

/** True if the digits belong to a name: `B2B`, `CO2`, `COVID-19`. */
const isInName = (text: string, start: number): boolean =>
  /\p{L}$|\p{Lu}{2,}-$/u.test(text.slice(Math.max(0, start - 12), start))

/** The text with blanks where claims stand: in `5 million and twelve` the first word is part of the number before it. */
const without = (text: string, claims: readonly NumberClaim[]): string => {
  let rest = ''
  for (const { start, end } of claims) rest += text.slice(rest.length, start) + ' '.repeat(end - start)
  return rest + text.slice(rest.length)
}

/**
 * Every number a text states, in digits of any script or spelled out in English, in the order they stand. Numbers that are
 * mere words (`one of them`) and digits inside names have the value '' and are claims of nothing.
 */
export const numbersIn = (given: string): NumberClaim[] => {
  const text = withPlainDigits(given)
  const digits = [...text.matchAll(NUMBER)].map(({ 0: written, index }) => {
    const claim = claimOf(text, index, written)
    return isInName(text, index) ? { ...claim, value: '' } : claim
  })
  return [...digits, ...spelledIn(without(text, digits))].sort((a, b) => a.start - b.start)
}
