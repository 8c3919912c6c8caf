import { sentencesOf } from '../../platform/lib/sentences.ts'

/** Endings and pairs English spells with a vowel but does not speak as a syllable of its own. */
const SILENT = /(?:[^laeiouy]es|[^aeiouydt]ed|[^laeiouy]e)$/
const VOWELS = /[aeiouy]+/g

/** About how many syllables an English word has. */
const syllablesOf = (word: string): number => {
  const lower = word.toLowerCase().replace(/[^a-z]/g, '')
  if (lower.length <= 3) return 1
  return Math.max(1, lower.replace(SILENT, '').match(VOWELS)?.length ?? 0)
}

const word = () => /[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu
/**
 * Flesch reading ease of English texts, each at least one sentence: about 100 very easy, 60 plain, below 30 very hard.
 * `words` is how many there were to tell from.
 */
export const fleschOf = (texts: readonly string[]): { ease: number; words: number } => {
  let words = 0
  let sentences = 0
  let syllables = 0
  for (const text of texts) {
    const found = text.match(word()) ?? []
    if (found.length === 0) continue
    words += found.length
    sentences += Math.max(1, sentencesOf(text).length)
    for (const word of found) syllables += syllablesOf(word)
  }
  const ease = words === 0 ? 100 : 206.835 - 1.015 * (words / sentences) - 84.6 * (syllables / words)
  return { ease, words }
}
