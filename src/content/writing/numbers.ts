import { tagOfLanguage } from '../../platform/lib/languages.ts'
import { englishNumbersIn } from './english-numbers.ts'
import { moneyScaleAt, scaleAt } from './number-scales.ts'

/**
 * Number that a text states. `value` is its plain form; `same` has other forms, such as `90%` for `9/10`.
 *
 * `parts` are other readings of the number, used only if it is evidence.
 */
export type NumberClaim = {
  start: number
  end: number
  value: string
  same?: readonly string[]
  parts: readonly string[]
}

const GROUPED = String.raw`\d{1,3}(?:[.,'’\u00a0\u202f\u2009 ]\d{3})+(?!\d)`
const NUMBER = new RegExp(String.raw`(?:${GROUPED}|\d+)(?:[.,]\d+)?|(?<![\w.,])\.\d+(?!\.?\d)`, 'g')
/** Words for percent after a number, in the supported languages. */
const PERCENT_WORDS =
  'percent|per cent|prozent(?:en|es|s)?|pour cent|por ciento|por cento|per cento|procent(?:a|e|en|om|em|ami|ach|u|ů|ům|ech|y|i|ai|ų|ais|ui|ą|o|us|iem|os)?|prosent(?:tia|in|it|er|ene|et|ista|illa|illä)?|protsen(?:t|ti|di|dil|dini|dist)|százalék\\p{L}*|persen|peratus|phần trăm|퍼센트|パーセント|เปอร์เซ็นต์|प्रतिशत|फ़ीसदी|फीसदी|শতাংশ|درصد|بالمئة|بالمائة|في المئة|في المائة|אחוז(?:ים)?|процент\\p{L}*|відсот\\p{L}*|на сто|τοις εκατό|posto|посто|odsto|одсто|odstotk\\p{L}*|postot\\p{L}*|la sută|percent(?:o|á|ami|om|och)'
const OPEN_END = '(?:퍼센트|パーセント|เปอร์เซ็นต์)'
const PERCENT_SIGNS = `\\s?(?:[%％٪]|${OPEN_END}|(?:de )?(?:${PERCENT_WORDS})(?![\\p{L}\\p{M}]))`
const PERCENT = new RegExp(`^${PERCENT_SIGNS}`, 'iu')
/** Words and signs for percent before a number: "yüzde seksen", `%25`. */
const PERCENT_BEFORE = /(?:(?<!\p{L})yüzde\s|百分之|ร้อยละ\s?|(?<![\d%]\s?)[%％٪])$/iu
/** End of a range with a percent sign, which also applies to its first number: "10–12 %". */
const RANGE = new RegExp(
  `^\\s?(?:-|–|—|to|bis|à|a|al|tot|до|til{1,2}|do|až|est[eé])\\s?\\d[\\d.,]*${PERCENT_SIGNS}`,
  'iu',
)
/** Zero digits of other scripts: Arabic, Persian, Devanagari, Bengali, Thai and full width. */
const ZEROS = [0x660, 0x6f0, 0x966, 0x9e6, 0xe50, 0xff10]

/** Returns the text with every digit in ASCII, and with plain signs between digits. Its length stays the same. */
const withPlainDigits = (text: string): string =>
  withAsciiDigits(text)
    .replace(/(?<=\d)[．٫](?=\d)/gu, '.')
    .replace(/(?<=\d)[，٬](?=\d{3}(?!\d))/gu, ',')

const withAsciiDigits = (text: string): string =>
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

/** Returns a number in plain form: `1,200`, `1.200` and `1 200` are 1200; `3,5` and `3.5` are 3.5; `0.125` stays. */
const plainNumber = (written: string): string => {
  const grouped = new RegExp(`^(${GROUPED})((?:[.,]\\d+)?)$`).exec(written)
  const separators = new Set(grouped?.[1]?.replace(/\d/g, ''))
  const isThousands = grouped && separators.size === 1 && !written.startsWith('0')
  if (isThousands) return canonical(`${grouped[1]?.replace(/\D/g, '')}.${grouped[2]?.slice(1) ?? ''}`)
  return canonical(written.replace(/[.,](?=\d+$)/, '.').replace(/[^\d.]/g, ''))
}

const scaled = (plain: string, factor: number): string =>
  factor === 1 || plain.length > 12 ? plain : canonical((Number(plain) * factor).toFixed(3))

/** Sign for tenths behind a digit: `2割`, `8成`. */
const TENTHS = /^(?:割(?!り)|成(?![功为為員员立本长長熟就果都品交分语語人年效绩績见見型]))/u

const claimOf = (text: string, start: number, written: string): NumberClaim => {
  const plain = plainNumber(written)
  let end = start + written.length
  const behind = text.slice(end, end + 16)
  const scale = scaleAt(behind) ?? moneyScaleAt(text.slice(Math.max(0, start - 2), start), behind)
  const value = scaled(plain, scale?.factor ?? 1)
  if (scale) end += scale.length
  const percent = PERCENT.exec(text.slice(end, end + 20))?.[0]
  // `2.5m` is metres or a million.
  const millions = !scale && /^\s?m(?![\p{L}\p{N}])/u.test(behind) ? [scaled(plain, 1e6)] : []
  const parts = [...(written.match(/\d+/g) ?? []).map(canonical), ...millions, ...otherHour(Number(plain), behind)]
  if (TENTHS.test(text.slice(end, end + 2)))
    return { start, end: end + 1, value: `${scaled(value, 10)}%`, parts: [value, ...parts] }
  if (percent) return { start, end: end + percent.length, value: `${value}%`, parts: [value, ...parts] }
  if (isPercentBefore(text, start)) return { start, end, value: `${value}%`, parts: [value, ...parts] }
  const range = RANGE.test(text.slice(end, end + 30))
  return { start, end, value, parts: range ? [`${value}%`, ...parts] : parts }
}

const isPercentBefore = (text: string, start: number): boolean =>
  PERCENT_BEFORE.test(text.slice(Math.max(0, start - 10), start))

const divisorOf = (a: number, b: number): number => (b === 0 ? a : divisorOf(b, a % b))

/** Returns the forms of a share: the fraction, such as `9/10`, and percentages. `1/3` is 33 or 33.3 percent. */
const sharesOf = (part: number, whole: number): string[] => {
  const percent = (100 * part) / whole
  const rounded = [0, 1, 2].map((digits) => `${canonical(percent.toFixed(digits))}%`)
  const divisor = divisorOf(part, whole)
  return [...new Set([`${part / divisor}/${whole / divisor}`, ...rounded, `${Math.floor(percent)}%`])]
}

/** Returns numbers in words. Up to ten they are only words, unless they count percent or times, or are a share. */
const inWords = (text: string): NumberClaim[] =>
  englishNumbersIn(text).map(({ start, end, value, of }): NumberClaim => {
    const plain = String(value)
    if (of !== undefined) {
      const [first = '', ...same] = sharesOf(value, of)
      return { start, end, value: first, same, parts: [...same, plain, String(of)] }
    }
    const percent = PERCENT.exec(text.slice(end, end + 20))?.[0].length ?? 0
    if (percent > 0) return { start, end: end + percent, value: `${plain}%`, parts: [plain] }
    const isTimes = /^(?:[\s-]times|-?fold)\b/i.test(text.slice(end, end + 8))
    // A word that states nothing can still be evidence for a digit.
    return { start, end, value: value <= 10 && !isTimes ? '' : plain, parts: [plain] }
  })

/** Fractions in one character, in the order of their code points. */
const VULGAR: Readonly<Record<string, readonly [part: number, whole: number]>> = {
  '¼': [1, 4],
  '½': [1, 2],
  '¾': [3, 4],
  '⅐': [1, 7],
  '⅑': [1, 9],
  '⅒': [1, 10],
  '⅓': [1, 3],
  '⅔': [2, 3],
  '⅕': [1, 5],
  '⅖': [2, 5],
  '⅗': [3, 5],
  '⅘': [4, 5],
  '⅙': [1, 6],
  '⅚': [5, 6],
  '⅛': [1, 8],
  '⅜': [3, 8],
  '⅝': [5, 8],
  '⅞': [7, 8],
}
const VULGARS = new RegExp(`(\\d{0,6})([${Object.keys(VULGAR).join('')}])`, 'gu')

/** Returns numbers with a fraction character: `½` is a share, `2½` is 2.5. */
const vulgarIn = (text: string): NumberClaim[] =>
  [...text.matchAll(VULGARS)].flatMap(({ 0: written, 1: before = '', 2: sign = '', index }) => {
    const [part, whole] = VULGAR[sign] ?? [0, 1]
    const decimal = canonical((Number(before) + part / whole).toFixed(3))
    const percent = PERCENT.exec(text.slice(index + written.length, index + written.length + 20))?.[0] ?? ''
    const place = { start: index, end: index + written.length + percent.length }
    if (percent !== '') return [{ ...place, value: `${decimal}%`, parts: [decimal] }]
    const scale = scaleAt(text.slice(place.end, place.end + 16))
    if (scale) return [{ ...place, end: place.end + scale.length, value: scaled(decimal, scale.factor), parts: [] }]
    if (before !== '') return [{ ...place, value: decimal, parts: [canonical(before)] }]
    const [value = '', ...same] = sharesOf(part, whole)
    return [{ ...place, value, same: [...same, decimal], parts: [] }]
  })

/** Number with a fraction as recipes and measures write it: `1 1/2`. */
const MIXED = /(?<![\d.,/])(\d{1,2})[ \u00a0\u2009-](\d{1,2})[/⁄](2|3|4|5|8|16|32|64)(?![\d/⁄.,]\d|\d)/g

const mixedIn = (text: string): NumberClaim[] =>
  [...text.matchAll(MIXED)].flatMap(({ 0: written, 1: whole, 2: part, 3: parts, index }) => {
    const value = canonical((Number(whole) + Number(part) / Number(parts)).toFixed(3))
    const isFraction = Number(part) > 0 && Number(part) < Number(parts)
    return isFraction ? [{ start: index, end: index + written.length, value, parts: [] }] : []
  })

/** Returns the hour of a time in the other way of counting: 17 for `5 pm`, 5 for `17:00`. */
const otherHour = (hour: number, behind: string): string[] => {
  if (hour > 0 && hour < 12 && /^(?:[:.]\d\d)?\s?p\.?m(?!\p{L})/iu.test(behind)) return [String(hour + 12)]
  return hour > 12 && hour < 24 && /^(?:[:.]\d\d(?!\d)|\s?(?:Uhr|h|時|点|點|시)(?!\p{Ll}))/u.test(behind)
    ? [String(hour - 12)]
    : []
}

/** Adds the share to pairs of numbers in digits that may be one: "9 of 10", "9/10". */
const withShares = (text: string, digits: readonly NumberClaim[]): NumberClaim[] =>
  digits.map((claim, index) => {
    const next = digits[index + 1]
    if (
      !next ||
      !/^(?:\s?[/⁄]\s?|\s(?:\p{L}+\s){1,3})$/u.test(text.slice(claim.end, Math.min(next.start, claim.end + 40)))
    )
      return claim
    const [part, whole] = [Number(claim.value), Number(next.value)]
    const isShare = Number.isInteger(part) && Number.isInteger(whole) && part > 0 && part < whole
    return isShare ? { ...claim, parts: [...claim.parts, ...sharesOf(part, whole)] } : claim
  })

/** Letters that may directly precede digits in a sentence: scripts without spaces, and Korean. */
const UNSPACED = String.raw`\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\p{sc=Hangul}`
/** Words directly before the number of an ordinal, in scripts without spaces. */
const PLACES = '第|ที่\\s?|ข้อ\\s?|ขั้นตอน\\s?|ステップ|手順|步骤|步驟|단계'
const IN_NAME = new RegExp(`(?![${UNSPACED}])\\p{L}$|(?:${PLACES})$|\\p{Lu}{2,}-$`, 'u')
const PLACE_BEHIND = /^(?:つ目|番目|点目|回目|번째)/u
/** General counters. With them small numbers are only words, like `three`. */
const COUNTER = /^(?:つ|个|個|가지|개|단계)/u

/** True if digits are part of a name or an ordinal, or are only words: `B2B`, `COVID-19`, `第3章`, `3つ`. */
const isInName = (text: string, { start, end, value }: NumberClaim): boolean => {
  const behind = text.slice(end, end + 3)
  // The minutes of a full hour: `17:00`.
  if (text.slice(start, end) === '00' && /\d:$/.test(text.slice(Math.max(0, start - 2), start))) return true
  if (PLACE_BEHIND.test(behind) || (Number(value) <= 10 && COUNTER.test(behind))) return true
  return IN_NAME.test(text.slice(Math.max(0, start - 12), start))
}

/** Replaces numbers with spaces, so that `5 million and twelve` is not read as a number that begins with `million`. */
const without = (text: string, claims: readonly NumberClaim[]): string => {
  let rest = ''
  for (const { start, end } of claims) rest += text.slice(rest.length, start) + ' '.repeat(end - start)
  return rest + text.slice(rest.length)
}

/**
 * Returns all numbers in a text in order: digits of any script, and English numbers in words if the language is English.
 *
 * Numbers that are only words (`one of them`) and digits in names have the value ''. They state nothing.
 */
export const numbersIn = (given: string, language = 'English'): NumberClaim[] => {
  const text = withPlainDigits(given)
  const mixed = mixedIn(text)
  const vulgar = [...vulgarIn(without(text, mixed)), ...mixed].sort((a, b) => a.start - b.start)
  const digits = [...without(text, vulgar).matchAll(NUMBER)].map(({ 0: written, index }) => {
    const claim = claimOf(text, index, written)
    return isInName(text, claim) && !claim.value.endsWith('%') ? { ...claim, value: '' } : claim
  })
  const inDigits = [...vulgar, ...digits].sort((a, b) => a.start - b.start)
  const words = tagOfLanguage(language).startsWith('en') ? inWords(without(text, inDigits)) : []
  return [...vulgar, ...withShares(text, digits), ...words].sort((a, b) => a.start - b.start)
}
