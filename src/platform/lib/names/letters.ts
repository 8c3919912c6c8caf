import { foldLetters } from '../fold.ts'

/** Scripts without blanks between words, in which the end of a word is not visible. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}]/u
/** Katakana, in which Japanese writes foreign words. The long mark belongs to them. */
const KATAKANA = /[\p{Script=Katakana}ー]/u
const HANGUL = /\p{Script=Hangul}/u
const SCRIPTS = [
  /\p{Script=Latin}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Arabic}/u,
  /\p{Script=Hebrew}/u,
  KATAKANA,
  HANGUL,
]

/** Particles that follow a Korean word without a blank, longest first. */
const PARTICLES =
  /^(?:에서는|에게서|이라는|으로는|까지|부터|에서|에게|한테|처럼|보다|으로|라는|이나|이랑|은|는|이|가|을|를|의|에|로|와|과|도|만|나|랑)(?![\p{L}\p{N}])/u

const scriptOf = (character: string): number => SCRIPTS.findIndex((script) => script.test(character))

const isDigit = (character: string): boolean => /\p{N}/u.test(character)

/** True if a word can end between two adjacent letters or digits. */
export const isWordEnd = (left: string, right: string): boolean => {
  if (UNSPACED.test(left) || UNSPACED.test(right)) return true
  if (isDigit(left) || isDigit(right)) return false
  return scriptOf(left) !== scriptOf(right)
}

/** True if only a particle follows a Korean name. */
export const isParticle = (left: string, rest: string): boolean => HANGUL.test(left) && PARTICLES.test(rest)

/** The letters and digits of a text, folded and joined, with the characters that were between them. */
export type Letters = {
  text: string
  /** Text before each letter: '' inside a word, a blank, `-`, a sign, a full stop with a blank, or `|` for the end of a name. */
  gaps: readonly string[]
  /** True for each letter that is a capital in the text. */
  capitals: readonly boolean[]
  /** Sign after the last letter of a word that it is joined to (`Disney+`), by the letter's position. */
  tails: ReadonlyMap<number, string>
}

const words = () => /[\p{L}\p{N}][\p{L}\p{N}\p{M}ー]*/gu
const UMLAUTS: Record<string, string> = { ä: 'ae', ö: 'oe', ü: 'ue', ø: 'oe', å: 'aa' }

/** Returns the gap between two words in normal form: one blank, one hyphen, one sign, or `|` for any other. */
const gapOf = (between: string): string => {
  if (between === '' || between === '. ') return between
  if (/^ +$/.test(between)) return ' '
  if (/^ ?- ?$/.test(between)) return '-'
  if (/^['.]$/.test(between) || /^ ?[&+_!#/·@*] ?$/.test(between)) return between.trim()
  return '|'
}

/** Returns a text with plain blanks, hyphens and apostrophes, without Markdown and invisible characters. */
const plainText = (source: string): string =>
  source
    .replace(/!?\[([^\]\n]{0,300})\]\([^)\n]{0,2000}\)/g, '$1')
    .replace(/[™®©℠]/gu, '')
    .replace(/&amp;/gi, '&')
    .replace(/['’‘‛′ʹʻʼʽ`´]/g, "'")
    // `Toys "R" Us`
    .replace(/["“”„«»״]/g, ' ')
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(/\p{Pd}/gu, '-')
    .replace(
      /\*\*|__|(?<![\p{L}\p{N}])[*_~]{1,6}(?=[\p{L}\p{N}])|(?<=[\p{L}\p{N}.!+#])[*_~]{1,6}(?![\p{L}\p{N}])/gu,
      '',
    )
    // A single line end is a blank. An empty line or a list item ends a name.
    .replace(/(?<![ \t])[ \t]*\r?\n[ \t]*(?=\n|\r|[-*#>|]|\d+[.)])/g, ' | ')
    .replace(/[\p{Zs}\s]+/gu, ' ')

/** Returns the letters of a text with the gaps between them. `spelled`: umlauts are two letters, `ue` for `ü`. */
export const lettersOf = (source: string, spelled = false): Letters => {
  const given = plainText(source)
  let text = ''
  const gaps: string[] = []
  const capitals: boolean[] = []
  const tails = new Map<number, string>()
  let end = 0
  for (const match of given.matchAll(words())) {
    let gap = text === '' ? '|' : gapOf(given.slice(end, match.index)) || ' '
    end = match.index + match[0].length
    for (const character of match[0]) {
      const lower = character.toLowerCase()
      const folded = (spelled ? UMLAUTS[lower] : undefined) ?? (character < '\u0080' ? lower : foldLetters(character))
      for (let n = 0; n < folded.length; n += 1) {
        gaps.push(n === 0 ? gap : '')
        capitals.push(character !== lower)
      }
      text += folded
      if (folded !== '') gap = ''
    }
    const tail = /^[+#]+(?![\p{L}\p{N}])/u.exec(given.slice(end, end + 4))?.[0]
    if (tail) tails.set(text.length, tail)
  }
  return { text, gaps, capitals, tails }
}

/** True if the text has umlauts that may be written as two letters. */
export const hasUmlauts = (text: string): boolean => /[äöüøå]|[aouAOU]\u0308/iu.test(text)
