/** Scripts that are written without blanks between words: where a word ends cannot be seen. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}]/u
/** Foreign words are runs of Katakana in Japanese; the long mark belongs to them. */
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

/** Particles that follow a Korean word without a blank, the longest first. */
const PARTICLES =
  /^(?:에서는|에게서|이라는|으로는|까지|부터|에서|에게|한테|처럼|보다|으로|라는|이나|이랑|은|는|이|가|을|를|의|에|로|와|과|도|만|나|랑)(?![\p{L}\p{N}])/u

const scriptOf = (character: string): number => SCRIPTS.findIndex((script) => script.test(character))

const isDigit = (character: string): boolean => /\p{N}/u.test(character)

/** True if a word can end between two letters or digits that stand next to each other. */
export const isWordEnd = (left: string, right: string): boolean => {
  if (UNSPACED.test(left) || UNSPACED.test(right)) return true
  if (isDigit(left) || isDigit(right)) return false
  return scriptOf(left) !== scriptOf(right)
}

/** True if what follows a Korean name is a particle and nothing else. */
export const isParticle = (left: string, rest: string): boolean => HANGUL.test(left) && PARTICLES.test(rest)
