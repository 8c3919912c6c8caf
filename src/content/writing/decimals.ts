/** Number word in a text, or several that are one number with decimals. */
export type NumberToken = {
  start: number
  end: number
  value: number
  isScale: boolean
  needsOther: boolean
  isDecimal?: boolean
}

/** Words for the decimal point, by language tag. */
const POINTS: Record<string, string> = {
  ...{ en: 'point', de: 'komma', nl: 'komma', sv: 'komma', da: 'komma', no: 'komma', fi: 'pilkku', et: 'koma' },
  ...{ fr: 'virgule', es: 'coma|punto', pt: 'vírgula|ponto', it: 'virgola', ca: 'coma', ro: 'virgulă' },
  ...{ pl: 'przecinek', cs: 'cel(?:á|é|ých)', sk: 'cel(?:á|é|ých)', sl: 'cel(?:a|e|ih)|vejica' },
  ...{ hr: 'zarez|cijelih', sr: 'zarez|celih|зарез|целих', bg: 'цяло и|запетая', ru: 'цел(?:ая|ых|ой)' },
  ...{ uk: 'ціл(?:а|их)|кома', lt: 'kablelis', lv: 'komats', hu: 'egész', el: 'κόμμα', tr: 'virgül|nokta' },
  ...{ id: 'koma', ms: 'perpuluhan', vi: 'phẩy|phảy', ar: 'فاصلة', fa: 'ممیز', he: 'נקודה', hi: 'दशमलव', bn: 'দশমিক' },
}
/** Words after decimals for tenths and hundredths: `ноль целых пять десятых`. */
const PLACES: readonly (readonly [places: number, pattern: RegExp])[] = [
  [1, /^\s(?:десят|desetin|desatin|tized)\p{L}*/iu],
  [2, /^\s(?:сот|setin|stotin|század)\p{L}*/iu],
]

const pointOf = (tag: string): RegExp => new RegExp(`^\\s(?:${POINTS[tag] ?? '(?!)'})\\s$`, 'iu')

/** Returns the digits that begin at a word, and the number of words: `one four`, `forty-five`, `fünfzehn`. */
const digitsAt = (text: string, tokens: readonly NumberToken[], at: number): { digits: string; words: number } => {
  let digits = ''
  let words = 0
  for (let token = tokens[at]; token; token = tokens[at + words]) {
    const before = tokens[at + words - 1]
    const isNear = words === 0 || /^[\s-]$/.test(text.slice(before?.end, token.start))
    if (!isNear || token.isScale || !Number.isInteger(token.value) || token.value > 99) break
    const isUnitOfTen = words === 1 && (before?.value ?? 0) >= 20 && token.value > 0 && token.value < 10
    if (isUnitOfTen) return { digits: String((before?.value ?? 0) + token.value), words: 2 }
    if (words > 0 && (token.value > 9 || (before?.value ?? 0) > 9)) break
    digits += String(token.value)
    words += 1
  }
  return { digits, words }
}

/** Joins number words around a decimal point: `two point seven`, `drei Komma fünf`. */
export const withDecimals = <T extends NumberToken>(text: string, tokens: readonly T[], tag: string): T[] => {
  const point = pointOf(tag)
  const joined: T[] = []
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at] as T
    const next = tokens[at + 1]
    // "At one point two of them left" has no decimals.
    const isWhole =
      !token.isScale &&
      Number.isInteger(token.value) &&
      !/\bat\s$/i.test(text.slice(Math.max(0, token.start - 4), token.start))
    const { digits, words } =
      next && isWhole && point.test(text.slice(token.end, Math.min(next.start, token.end + 20)))
        ? digitsAt(text, tokens, at + 1)
        : { digits: '', words: 0 }
    if (words === 0) {
      joined.push(token)
      continue
    }
    at += words
    const { end } = tokens[at] as T
    const [places, tail] = PLACES.map(
      ([count, pattern]) => [count, pattern.exec(text.slice(end, end + 16))?.[0]] as const,
    ).find(([, written]) => written !== undefined) ?? [digits.length, '']
    const value = Number(`${token.value}.${digits.padStart(places, '0')}`)
    joined.push({ ...token, value, end: end + (tail?.length ?? 0), needsOther: false, isDecimal: true })
  }
  return joined
}

/** First halves of years in words, from 1500 on. */
const [FIRST_CENTURY, LAST_CENTURY] = [15, 20]

/** Joins the two numbers of an English year: `nineteen eighty-four`, `twenty oh five`. */
export const withYears = <T extends { start: number; end: number; value: number }>(
  text: string,
  groups: readonly T[],
): T[] => {
  const joined: T[] = []
  for (const group of groups) {
    const last = joined.at(-1)
    const gap = text.slice(last?.end ?? 0, Math.min(group.start, (last?.end ?? 0) + 6))
    const isCentury = last && last.value >= FIRST_CENTURY && last.value <= LAST_CENTURY && Number.isInteger(last.value)
    const isYear =
      group.value >= 10 ? gap === ' ' && group.value < 100 : group.value > 0 && /^[\s-]oh?[\s-]$/i.test(gap)
    // "Twenty ten-year bonds" are twenty.
    if (isCentury && isYear && Number.isInteger(group.value) && !/^-\p{L}/u.test(text.slice(group.end, group.end + 2)))
      joined[joined.length - 1] = { ...last, end: group.end, value: last.value * 100 + group.value }
    else joined.push(group)
  }
  return joined
}
