import { type Letters, lettersOf } from './letters.ts'
import { isParticle, isWordEnd } from './script.ts'

/** One way a name is written: its letters, and after how many of them something may stand between. */
export type Name = {
  letters: string
  gaps: ReadonlySet<number>
  /** Whether it may be taken apart anywhere, where each part begins with a capital: a name known from an address only. */
  parts: boolean
  /** A name of one or two letters counts only as it is written. */
  exact?: string
}

/** A place of a name in a text, in letters. */
export type Span = { start: number; end: number }

/** What follows a company's name by law. */
const LEGAL =
  /[\s,]+(?:inc|incorporated|corp|corporation|co|company|llc|llp|lp|ltd|limited|plc|gmbh(?:\s*&\s*co\.?\s*kg)?|mbh|ag|kg|ug|ohg|e\.?k|s\.?a\.?r\.?l|s\.?a\.?s|s\.?a|s\.?r\.?l|s\.?p\.?a|s\.?l|b\.?v|n\.?v|a\.?s|aps|oyj?|ab|pty(?:\s+ltd)?|k\.?k|sp\.?\s*z\.?\s*o\.?\s*o|s\.?r\.?o|d\.?o\.?o|kft|ооо|оао|зао)\.?$/iu

const ANDS = ['and', 'und', 'et', 'y', 'e', 'en']
const SHORT = 2

const nameOf = (text: string, parts = false): Name[] => {
  const { text: letters, gaps } = lettersOf(text)
  if (letters === '') return []
  const places = gaps.flatMap((gap, n) => (n > 0 && gap !== 'none' ? [n] : []))
  return [{ letters, gaps: new Set(places), parts, ...(letters.length <= SHORT ? { exact: text.trim() } : {}) }]
}

const unique = (names: readonly Name[]): Name[] => [...new Map(names.map((name) => [name.letters, name])).values()]

/**
 * Every way a business's name may be written: without what the law adds, without what follows a dash, with `and` for `&`,
 * umlauts as two letters.
 */
export const namesOf = (given: string): Name[] => {
  const text = given.normalize('NFC').trim()
  const first = text.split(/\s+[|–—•·:-]\s+/u)[0] ?? ''
  const whole = [text, ...(first.length > SHORT ? [first] : [])]
  const plain = [...whole, ...whole.map((name) => name.replace(LEGAL, ''))]
  const spelled = plain.flatMap((name) =>
    name.includes('&') ? ANDS.map((and) => name.replaceAll('&', ` ${and} `)) : [],
  )
  const umlauts = plain.flatMap((name) =>
    /[äöü]/i.test(name) ? [name.replace(/[äöü]/gi, (letter) => `${plainLetter(letter)}e`)] : [],
  )
  return unique([...plain, ...spelled, ...umlauts].flatMap((name) => nameOf(name)))
}

const plainLetter = (letter: string): string => letter.normalize('NFD').charAt(0)

/** The name an address stands for: `acme-sheds` may be written Acme Sheds, AcmeSheds or acme-sheds. */
export const nameOfLabel = (label: string): Name[] => (label.length > SHORT ? nameOf(label, true) : [])

const beginsAt = ({ text, gaps }: Letters, at: number): boolean =>
  at === 0 || gaps[at] !== 'none' || isWordEnd(text.charAt(at - 1), text.charAt(at))

const endsAt = ({ text, gaps }: Letters, at: number): boolean =>
  at >= text.length ||
  gaps[at] !== 'none' ||
  isWordEnd(text.charAt(at - 1), text.charAt(at)) ||
  isParticle(text.charAt(at - 1), wordFrom({ text, gaps }, at))

/** The rest of the word that begins before `at`. */
const wordFrom = ({ text, gaps }: Pick<Letters, 'text' | 'gaps'>, at: number): string => {
  let end = at
  while (end < text.length && (end === at || gaps[end] === 'none')) end += 1
  return text.slice(at, end)
}

const isWhole = (name: Name, { gaps, capitals }: Letters, start: number): boolean => {
  for (let n = 1; n < name.letters.length; n += 1) {
    const gap = gaps[start + n]
    if (gap === 'none') continue
    if (gap === 'hard') return false
    const isNamed = name.gaps.has(n) || (name.parts && capitals[start] && capitals[start + n])
    if (!isNamed) return false
  }
  return true
}

/** Where a name stands in a text as a word of its own. */
export const spansOf = (name: Name, letters: Letters, source: string): Span[] => {
  if (name.exact !== undefined && !source.includes(name.exact)) return []
  const spans: Span[] = []
  for (let at = letters.text.indexOf(name.letters); at >= 0; at = letters.text.indexOf(name.letters, at + 1)) {
    const end = at + name.letters.length
    if (beginsAt(letters, at) && endsAt(letters, end) && isWhole(name, letters, at)) spans.push({ start: at, end })
  }
  return spans
}
