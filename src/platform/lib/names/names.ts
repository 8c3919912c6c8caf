import { isEnding, isPrefix, stemOf, withoutArticle, withoutLegalForm } from './endings.ts'
import { hasUmlauts, isParticle, isWordEnd, type Letters, lettersOf } from './letters.ts'

/** Capitals that a name needs in a text: none, the first letter, or all its own. */
type Case = 'any' | 'first' | 'own'

/** One spelling of a name: its letters, and the gap before each of them. */
export type Name = {
  letters: string
  gaps: readonly string[]
  case: Case
  /** True for each capital letter of the name. */
  capitals: readonly boolean[]
  /** Sign at the end of the name: `+` of `Disney+`. */
  tail: string
  /** True for a name known only from an address. It may be split anywhere if each part begins with a capital. */
  parts: boolean
}

/** Position of a name in a text, counted in letters. */
export type Span = { start: number; end: number }

const ANDS = [
  '&',
  '+',
  'and',
  'und',
  'et',
  'y',
  'e',
  'en',
  'och',
  'og',
  'ja',
  'i',
  'a',
  'és',
  'și',
  've',
  'и',
  'та',
  'і',
  'και',
  'و',
]
const AND = new RegExp(
  `(?<=\\S)\\s+(?:${ANDS.map((and) => (and === '+' ? '\\+' : and)).join('|')})\\s+(?=\\S)|(?<=[\\p{L}\\p{N}])[&+](?=[\\p{L}\\p{N}])`,
  'giu',
)
/** Dash between a name and its slogan, and words between two names of a business. */
const DASH = /(?<!\s)\s+[|–—•·:-]\s+/u
const ALSO = /\s(?:dba|d\.b\.a\.|d\/b\/a|t\/a|trading as|doing business as)\s/iu
/** Words in brackets at the end of a name, such as its country. Texts leave them out. */
const IN_BRACKETS = /(?<=\S{3})\s?\([^()]{1,60}\)$/u
const [SHORT, MIN_TITLED] = [3, 4]
/** Maximum length of a title at the start of a name, which texts write with a full stop: `St. Pauli`. */
const MAX_TITLE = 2

/**
 * Returns the capitals that a name needs: none for a longer name of several words or one without capitals.
 *
 * Any other name needs its first letter as a capital, or all its own capitals.
 */
const caseOf = ({ text, gaps, capitals }: Letters): Case => {
  const isOneWord = gaps.every((gap, n) => n === 0 || gap === '')
  const isInitials = gaps.every((gap, n) => n === 0 || gap === '.')
  // A name that begins with a digit is no ordinary word: `23andMe`.
  if (text.length > SHORT && !isInitials && (!isOneWord || /^\p{N}/u.test(text))) return 'any'
  if (!capitals.includes(true)) return 'any'
  const isTitle = capitals.slice(1).every((capital) => !capital)
  return text.length >= MIN_TITLED && (isTitle || isOneWord) ? 'first' : 'own'
}

const nameOf = (text: string, parts: boolean, spelled: boolean): Name[] => {
  const read = lettersOf(text, spelled)
  if (read.text === '') return []
  const { gaps, capitals, tails } = read
  return [
    {
      letters: read.text,
      gaps,
      capitals,
      case: parts ? 'first' : caseOf(read),
      tail: tails.get(read.text.length) ?? '',
      parts,
    },
  ]
}

const spellings = (text: string, parts = false): Name[] => [
  ...nameOf(text, parts, false),
  ...(hasUmlauts(text) ? nameOf(text, parts, true) : []),
]

const unique = (names: readonly Name[]): Name[] => [
  ...new Map(names.map((name) => [`${name.letters}\n${name.gaps.join()}`, name])).values(),
]

/**
 * Returns every spelling of a name: without its legal form, its article, the part after a dash or in brackets, and with umlauts
 * as two letters.
 *
 * `&` and the word for `and` in each language are interchangeable, and so are a final `+` and `Plus` if the name is longer than `A+`.
 */
export const namesOf = (given: string): Name[] => {
  const text = given.normalize('NFC').trim()
  const parts = [text.split(DASH)[0] ?? '', ...text.split(ALSO), text.replace(IN_BRACKETS, '')]
  const whole = [text, ...parts.map((part) => part.trim()).filter((part) => part.length > 2)]
  const plain = new Set(whole.flatMap((name) => [name, withoutLegalForm(name), withoutArticle(withoutLegalForm(name))]))
  const all = [...plain].flatMap((name) => [
    name,
    ...(/\p{L}{4}\+$/u.test(name) ? [`${name.slice(0, -1)} Plus`] : []),
    // Persian writes the parts of a name joined, apart, or with a sign between that nobody sees.
    ...(name.includes('\u200c') ? [name.replaceAll('\u200c', ' ')] : []),
    ...(name.search(AND) >= 0 ? ANDS.map((and) => name.replace(AND, ` ${and} `)) : []),
  ])
  return unique(all.flatMap((name) => spellings(name)))
}

/** Returns the names that a part of an address may mean: `acme-sheds` is Acme Sheds, AcmeSheds or Acme-Sheds. */
export const nameOfLabel = (label: string): Name[] => (label.length > 2 ? spellings(label, true) : [])

const MAX_PREFIX = 4

/** True if a name of this length begins at `at`: at the start of a word, or after a prefix that the language attaches. */
const beginsAt = ({ text, gaps }: Letters, at: number, length: number): boolean => {
  if (at === 0 || gaps[at] !== '' || isWordEnd(text.charAt(at - 1), text.charAt(at))) return true
  let start = at
  while (gaps[start] === '' && at - start <= MAX_PREFIX) start -= 1
  return gaps[start] !== '' && isPrefix(text.slice(start, at), text.slice(at, at + length))
}

/** Returns the rest of the word from `at`. */
const wordFrom = ({ text, gaps }: Letters, at: number): string => {
  let end = at
  while (end < text.length && end - at < 12 && gaps[end] === '') end += 1
  return text.slice(at, end)
}

/** Returns the end of a name before `at`, including the language's ending; -1 if it is inside another word. */
const endOf = (letters: Letters, at: number, language: string): number => {
  const { text, gaps } = letters
  const left = text.charAt(at - 1)
  if (at >= text.length || gaps[at] !== '' || isWordEnd(left, text.charAt(at))) return at
  const rest = wordFrom(letters, at)
  if (isParticle(left, rest)) return at
  return isEnding(left, rest, language) ? at + rest.length : -1
}

/** True if the letters on both sides of a gap are initials: `A.P.C.` */
const isBetweenInitials = (gaps: readonly string[], at: number): boolean =>
  gaps[at - 1] !== '' && gaps[at] !== '' && gaps[at + 1] !== ''

/** Minimum length of a Korean name that texts write with a blank inside. */
const MIN_SPACED = 4
const isHangul = (letters: string): boolean => /^\p{Script=Hangul}+$/u.test(letters)

const isPart = (gap: string): boolean => gap === '' || gap === ' ' || gap === '-'

/** True if the text has the same gaps between the letters as the name. A blank, a hyphen and no gap count as the same. */
const isWhole = (name: Name, { gaps, capitals }: Letters, start: number, length: number): boolean => {
  for (let n = 1; n < length; n += 1) {
    const [own = '', said = ''] = [name.gaps[n], gaps[start + n]]
    if (own === said) continue
    if (own === "'" && said === '') continue
    // `Dr. Martens` is also written without the full stop.
    if (own === '. ' && said === ' ') continue
    if (own === '.' && said === '. ') continue
    // `J.Crew` is also written J Crew, `A.P.C.` also APC, and `IBM` also I.B.M.
    if (own === '.' && said === ' ' && name.gaps[n - 1] !== '') continue
    if (own === '.' && said === '' && isBetweenInitials(name.gaps, n)) continue
    if (own === '' && said === '.' && isBetweenInitials(gaps, start + n)) continue
    // Blanks inside Korean names are optional.
    if (own === '' && said === ' ' && length >= MIN_SPACED && isHangul(name.letters.slice(n - 1, n + 1))) continue
    if (own === ' ' && said === '. ' && n <= MAX_TITLE) continue
    if (isPart(own) && own !== '' && isPart(said)) continue
    if (own === '' && name.parts && isPart(said) && capitals[start] && capitals[start + n]) continue
    return false
  }
  return true
}

const hasCapitals = (name: Name, { capitals }: Letters, start: number): boolean => {
  if (name.case === 'any') return true
  if (name.case === 'first') return capitals[start] === true || capitals[start + 1] === true
  return name.capitals.every((capital, n) => !capital || capitals[start + n] === true)
}

/**
 * Search for names as texts of a language write them. A query has no capitals, and any signs or none.
 *
 * `language` is empty if it is not known; then names have no endings.
 */
export type Search = { language: string; isQuery?: boolean }

/** Minimum length of a name that may have an ending in a query. A shorter one with letters after it is often another word. */
const MIN_INFLECTED = 4

/** Returns where a name occurs in a text as a separate word. */
export const spansOf = (name: Name, letters: Letters, how: Search): Span[] => {
  const spans: Span[] = []
  const language = how.isQuery && name.letters.length < MIN_INFLECTED ? '' : how.language
  const stem = stemOf(name.letters, language)
  const forms = [
    { letters: name.letters, isWhole: true },
    ...(stem === undefined ? [] : [{ letters: stem, isWhole: false }]),
  ]
  for (const { letters: wanted, isWhole: isAlone } of forms) {
    for (let at = letters.text.indexOf(wanted); at >= 0; at = letters.text.indexOf(wanted, at + 1)) {
      if (!beginsAt(letters, at, wanted.length)) continue
      const end = endOf(letters, at + wanted.length, language)
      // Queries have plurals: `rings` is not Ring.
      if (how.isQuery && letters.text.slice(at + wanted.length, end) === 's') continue
      if (end < 0 || (!isAlone && end === at + wanted.length)) continue
      const isNamed = how.isQuery
        ? !letters.gaps.slice(at + 1, at + wanted.length).includes('|')
        : hasCapitals(name, letters, at) &&
          isWhole(name, letters, at, wanted.length) &&
          (letters.tails.get(end) ?? '') === name.tail
      if (isNamed) spans.push({ start: at, end })
    }
  }
  return spans
}
