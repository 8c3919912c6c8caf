/** English number in words: a count, or a part `of` a whole. */
export type NumberInWords = { start: number; end: number; value: number; of?: number }

const SMALL =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'

const VALUES = new Map<string, number>([
  ...SMALL.split(' ').map((word, n): [string, number] => [word, n]),
  ...TENS.split(' ').map((word, n): [string, number] => [word, 20 + 10 * n]),
  ['dozen', 12],
  ['hundred', 100],
  ['thousand', 1e3],
  ['million', 1e6],
  ['billion', 1e9],
])
const MULTIPLIERS = new Set(['dozen', 'hundred', 'thousand', 'million', 'billion'])

const WORD = `(?:${[...VALUES.keys()].sort((a, b) => b.length - a.length).join('|')})`
/** Words of numbers in a row. The first part of an ordinal, such as `twenty-first`, is not one. */
const RUN = new RegExp(
  `(?<![\\p{L}\\p{M}-])${WORD}(?:[\\s-](?:and\\s)?${WORD})*(?![\\p{L}\\p{M}]|-(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth)\\b)`,
  'giu',
)

/** Adds the next word to a number; undefined if the word begins another number. */
const added = (total: number, word: string, isAfterAnd: boolean): number | undefined => {
  const value = VALUES.get(word) ?? 0
  if (MULTIPLIERS.has(word)) {
    const below = total % (value === 100 ? 1e3 : value * 1e3)
    const isTooLarge = value < 1e3 ? total % 1e3 >= 100 : total % value === 0
    return below === 0 || isTooLarge ? undefined : total - below + below * value
  }
  if (isAfterAnd && total % 100 !== 0) return undefined
  const room = value < 10 ? 10 : 100
  const isUnitOfTen = total % 100 >= 20 || total % 100 === 0
  return value > 0 && total > 0 && total % room === 0 && isUnitOfTen ? total + value : undefined
}

const numbersOfRun = (run: string, start: number): NumberInWords[] => {
  const found: NumberInWords[] = []
  for (const { 0: written, 1: and, 2: name = '', index } of run.matchAll(new RegExp(`(and\\s)?(${WORD})`, 'giu'))) {
    const word = name.toLowerCase()
    const last = found.at(-1)
    const end = start + index + written.length
    const sum = last && added(last.value, word, and !== undefined)
    if (last && sum !== undefined) found[found.length - 1] = { ...last, end, value: sum }
    else found.push({ start: end - name.length, end, value: VALUES.get(word) ?? 0 })
  }
  return found
}

const PARTS: Record<string, number> = { third: 3, quarter: 4, fifth: 5, tenth: 10 }

/** Returns the number with its whole, if it is a share: `nine out of ten`, `one in three`, `two thirds`. */
const shareOf = (text: string, number: NumberInWords, next: NumberInWords | undefined): NumberInWords => {
  const { end, value } = number
  const [named = '', part = ''] = /^[\s-](third|quarter|fifth|tenth)s?(?!\p{L})/iu.exec(text.slice(end, end + 10)) ?? []
  const of = PARTS[part.toLowerCase()]
  if (of !== undefined && value > 0 && value < of) return { ...number, end: end + named.length, of }
  const between = next && text.slice(end, Math.min(next.start, end + 10))
  const isShare = /^\s(?:(?:out\s)?of|in)\s$/i.test(between ?? '') && (value > 1 || !/\sof\s/i.test(between ?? ''))
  return next && isShare && value > 0 && value < next.value ? { ...number, end: next.end, of: next.value } : number
}

/** Returns the English numbers in words of a text, in order. Decimals, years and other fractions are not read. */
export const englishNumbersIn = (text: string): NumberInWords[] => {
  const all = [...text.matchAll(RUN)].flatMap(({ 0: run, index }) => numbersOfRun(run, index))
  const shares = all.map((number, n) => shareOf(text, number, all[n + 1]))
  return shares.filter(({ start }, n) => n === 0 || start >= (shares[n - 1]?.end ?? 0))
}
