import { withDecimals, withYears } from './decimals.ts'
import { entries, type Reader, readerOf, type Word } from './number-reader.ts'
import { runScales, runsIn, type SpelledNumber, spans } from './number-runs.ts'
import { NUMBER_WORDS } from './number-words.ts'

type Token = Word & { start: number; end: number }

/** Adds a word to a number; undefined if the word begins another number. `isReversed`: a unit may come before its ten. */
const added = (total: number, word: Word, reader: Reader, isReversed: boolean): number | undefined => {
  const { value } = word
  if (word.isScale && value < 0) return total % 10 > 0 && total % 100 < 10 ? total - value : undefined
  if (word.isScale) {
    const next = reader.scales.find((scale) => scale > value) ?? Number.POSITIVE_INFINITY
    const above = Math.floor(total / value)
    if (value !== 12 && above % (next / value) !== 0) return undefined
    return above * value + (total % value || 1) * value
  }
  // "साढ़े तीन" is a half and three.
  if (total === 0.5 && (reader.tag === 'hi' || reader.tag === 'bn')) return total + value
  // A part of the scale before it: "un million et demi".
  if (value > 0 && value < 1) return total + value * (reader.scales.findLast((scale) => total % scale === 0) ?? 1)
  const rest = total % 100
  const isFrench = reader.tag === 'fr'
  if (isFrench && value === 20 && rest === 4) return total + 76
  if (isFrench && value >= 10 && value < 20 && (rest === 60 || rest === 80)) return total + value
  if (isReversed && value % 10 === 0 && value >= 10 && value <= 90 && rest > 0 && rest < 10) return total + value
  const room = 10 ** String(Math.floor(value)).length
  return total > 0 && value > 0 && total % room === 0 ? total + value : undefined
}

/** Returns the number of a word, which may consist of several: `fünfunddreißig`. */
const wordOf = (written: string, reader: Reader): Word | undefined => {
  const known = reader.words.get(written)
  if (known || !reader.glued || written.length > 60 || !reader.glued.test(written)) return known
  let total = 0
  for (const [, part = ''] of written.matchAll(reader.part)) {
    const word = reader.words.get(part)
    const sum = word && (total === 0 && !word.isScale ? word.value : added(total, word, reader, true))
    if (sum === undefined) return undefined
    total = sum
  }
  return { value: total, isScale: false, needsOther: false }
}

/** Returns the number after letters joined to a word: `l’ottanta`, `وثلاثون`. */
const prefixedWord = (written: string, reader: Reader): { word: Word; length: number } | undefined => {
  const apostrophe = written.lastIndexOf('’')
  const length = apostrophe >= 0 ? apostrophe + 1 : (reader.prefix?.exec(written)?.[0].length ?? 0)
  if (length === 0) return undefined
  const word = wordOf(written.slice(length), reader)
  return word && { word, length: apostrophe >= 0 ? length : 0 }
}

/** Joins `three` and `quarter` into one part, as in `two and three quarter million`. */
const withQuarters = (text: string, tokens: readonly Token[]): Token[] => {
  const joined: Token[] = []
  for (const token of tokens) {
    const before = joined.at(-1)
    const isPart = token.value === 0.25 && before?.value === 3 && /^[ -]$/.test(text.slice(before.end, token.start))
    if (isPart) joined[joined.length - 1] = { ...token, start: before.start, value: 0.75 }
    else joined.push(token)
  }
  return joined
}

/** Removes the article of a half: `en och en halv`. */
const withoutArticles = (text: string, tokens: readonly Token[]): Token[] =>
  tokens.filter(({ value, end }, n) => {
    const next = tokens[n + 1]
    return value !== 1 || next?.value !== 0.5 || next.addsHalf === true || text.slice(end, next.start) !== ' '
  })

const tokensIn = (text: string, reader: Reader): Token[] => {
  const tokens = [...text.matchAll(/[\p{L}\p{M}’'ʼ]+/gu)].flatMap(({ 0: written, index }) => {
    const plain = written.toLowerCase().replace(/['ʼ]/g, '’').replace(/^’|’$/g, '')
    const end = index + written.length
    const whole = wordOf(plain, reader)
    if (whole) return [{ ...whole, start: index, end }]
    const suffix = reader.suffix?.exec(plain)?.[0].length ?? 0
    const times = suffix > 0 ? wordOf(plain.slice(0, -suffix), reader) : undefined
    if (times) return [{ ...times, start: index, end: end - suffix }]
    const part = prefixedWord(plain, reader)
    // `مليون ونصف`: a half with "and" joined to it is added.
    return part ? [{ ...part.word, addsHalf: part.word.value === 0.5, start: index + part.length, end }] : []
  })
  return withDecimals(text, withoutArticles(text, withQuarters(text, tokens)), reader.tag)
}

type Group = { start: number; end: number; value: number; needsOther: boolean; isDecimal: boolean }

/** Returns the numbers of one or more consecutive words. */
const groupsOf = (text: string, tokens: readonly Token[], reader: Reader): Group[] => {
  const groups: Group[] = []
  let run: Token[] = []
  let total = 0
  const close = () => {
    const [first] = run
    const last = run.at(-1)
    if (first && last && !reader.ordinal.test(text.slice(last.end, last.end + 24)))
      groups.push({
        start: first.start,
        end: last.end,
        value: total,
        needsOther: run.length === 1 && first.needsOther,
        isDecimal: run.some((token) => token.isDecimal),
      })
    run = []
  }
  for (const token of tokens) {
    const last = run.at(-1)
    const gap = text.slice(last?.end ?? 0, token.start)
    // "Five half marathons" are five. A half is added only with a word between.
    const isLoose = token.value > 0 && token.value < 1 && token.addsHalf !== true && !/\p{L}/u.test(gap)
    const isApart = last?.isAlone || token.isAlone || isLoose
    const isNext = last !== undefined && !isApart && reader.joint.test(gap)
    const sum = isNext ? added(total, token, reader, reader.prefix !== undefined) : undefined
    if (sum !== undefined) {
      run.push(token)
      total = sum
      continue
    }
    // "one hundred and two hundred" is two numbers. The second begins one word earlier.
    const moved = isNext && token.isScale && run.length > 1 && last && !last.isScale ? last : undefined
    if (moved) {
      run.pop()
      total = sumOf(run, reader)
    }
    close()
    run = moved ? [moved, token] : [token]
    total = sumOf(run, reader)
  }
  close()
  return reader.tag === 'en' ? withYears(text, groups) : groups
}

const sumOf = (run: readonly Token[], reader: Reader): number =>
  run.reduce((total, token) => {
    if (total === 0) return Math.abs(token.value)
    return added(total, token, reader, reader.prefix !== undefined) ?? total
  }, 0)

/** Returns the greatest common divisor of two whole numbers. */
export const divisorOf = (a: number, b: number): number => (b === 0 ? a : divisorOf(b, a % b))

/** Measures and times. Before them, "two by three" and "two in three" are not shares. */
const MEASURE =
  /^\s(?:c?m|met|mét|zoll|inch|feet|day|week|hour|minut|month|year|tag|woche|jour|semaine|heure|mois|día|semana|hora|mes|año|dia|ano|giorn|ore|mesi|ann[oi]|dag|uur|dni|godzin|dn[iíů]|дн|час|дней|gün|hari|ngày|napon)/iu

/** Returns the share of two consecutive numbers: "nine of ten", "two thirds". */
const shareOf = (text: string, group: Group, next: Group | undefined, reader: Reader): SpelledNumber | undefined => {
  const behind = text.slice(group.end, group.end + 40)
  for (const [whole, pattern] of reader.parts) {
    const written = pattern.exec(behind)?.[0]
    if (written !== undefined && group.value >= 2 && group.value < whole && divisorOf(group.value, whole) === 1)
      return { start: group.start, end: group.end + written.length, value: group.value, of: whole }
  }
  if (!next || next.start - group.end > 60) return undefined
  const gap = text.slice(group.end, next.start)
  const share = (part: number, whole: number) =>
    part > 0 && part < whole && !MEASURE.test(text.slice(next.end, next.end + 12))
      ? { start: group.start, end: next.end, value: part, of: whole }
      : undefined
  if (reader.within.test(gap)) return share(next.value, group.value)
  const isEvery =
    reader.every.test(gap) || reader.everyNoun.test(gap) || reader.every.test(text.slice(group.end, next.end))
  return isEvery || (group.value >= 2 && reader.of.test(gap)) ? share(group.value, next.value) : undefined
}

/** Returns fractions without number words: "half of", "a third of". */
const fractionsIn = (text: string, reader: Reader): SpelledNumber[] =>
  reader.fractions.flatMap(([value, of, pattern]) =>
    [...text.matchAll(pattern)].map(({ 0: written, index }) => ({
      start: index,
      end: index + written.length,
      value,
      of,
    })),
  )

/** Words between a fraction and the number that it is a part of: "a quarter of a million". */
const OF_SCALE = /^\s?(?:(?:of|a|de|di)\s){0,2}/iu

/** Returns a fraction of a thousand or more as a number; else the fraction. */
const ofScale = (
  text: string,
  groups: readonly Group[],
  { scales }: Reader,
): ((fraction: SpelledNumber) => SpelledNumber) => {
  const large = new Map(
    groups.filter(({ value }) => value >= 1_000 && scales.includes(value)).map((group) => [group.start, group]),
  )
  return (fraction) => {
    const { start, end, value, of = 1 } = fraction
    const scale = large.get(end + (OF_SCALE.exec(text.slice(end, end + 12))?.[0].length ?? 0))
    const whole = scale && (value * scale.value) / of
    return scale && whole !== undefined && Number.isInteger(whole) ? { start, end: scale.end, value: whole } : fraction
  }
}

/**
 * Returns the spelled-out numbers of a text in a language, in order.
 *
 * `percentAt` returns the length of a word for percent at a place. `isPercentBefore` is true if one is before it.
 */
export const spelledNumbers = (
  text: string,
  tag: string,
  percentAt: (end: number) => number,
  isPercentBefore: (start: number) => boolean,
): SpelledNumber[] => {
  const runs = runsIn(text, tag, percentAt)
  if (runs) return runs
  const reader = readerOf(tag)
  if (!reader) return []
  const groups = groupsOf(text, tokensIn(text, reader), reader)
  const { found, add } = spans(text.length)
  const scaled = ofScale(text, groups, reader)
  groups.forEach((group, index) => {
    const percent = percentAt(group.end)
    const share = shareOf(text, group, groups[index + 1], reader)
    if (share) add(scaled(share))
    else if (percent > 0 || isPercentBefore(group.start))
      add({ start: group.start, end: group.end + percent, value: group.value, of: 100 })
  })
  for (const fraction of fractionsIn(text, reader)) add(scaled(fraction))
  for (const { start, end, value, needsOther, isDecimal } of groups)
    if (!needsOther) add({ start, end, value, isDecimal })
  return found.sort((a, b) => a.start - b.start)
}

/** Returns words of a language that multiply the digits before them by 1000 or more, with their factor. */
export const digitScales = (tag: string): [word: string, factor: number][] =>
  runScales(tag) ??
  entries(NUMBER_WORDS[tag]?.scales)
    .filter(([value]) => value >= 1_000)
    .flatMap(([value, names]) => names.map((name): [string, number] => [name.replace(/\*$/, ''), value]))
