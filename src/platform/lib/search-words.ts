/** Words a search looks for: more would cost time and tell little. */
export const MAX_WORDS = 8

/** Returns the words of a text as searches compare them: runs of letters and digits, lower-case, each once, the first eight. */
export const searchWords = (text: string): string[] =>
  [...new Set(text.toLowerCase().match(/[\p{L}\p{N}\p{M}]{1,100}/gu) ?? [])].slice(0, MAX_WORDS)

/** Returns the word's other number where an `s` makes it: pages that say `bikes` are near `bike`. */
export const otherNumber = (word: string): string => {
  if (!/^[a-z]{3,}$/.test(word) || word.endsWith('ss')) return word
  return word.endsWith('s') ? word.slice(0, -1) : `${word}s`
}
