import { sentencesOf } from '../../platform/lib/sentences.ts'
import { fold, hasPhrase } from './words.ts'

/**
 * Returns the phrases that texts use, each text a block of its own: a phrase lies within one sentence. Signs are looked for as they stand
 * in `shown`.
 */
export const bannedIn = (phrases: readonly string[], texts: readonly string[], shown = texts.join('\n')): string[] => {
  const wanted = phrases.filter((phrase) => phrase.trim() !== '')
  if (wanted.length === 0) return []
  const sentences = texts.flatMap((text) => sentencesOf(text).map(({ start, end }) => fold(text.slice(start, end))))
  return wanted.filter((phrase) => {
    const folded = fold(phrase)
    if (folded === '') return shown.includes(phrase.trim())
    return sentences.some((sentence) => hasPhrase(sentence, folded))
  })
}
