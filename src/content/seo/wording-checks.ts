import { sentencesOf } from '../../platform/lib/sentences.ts'
import { bannedIn } from './banned.ts'
import { type Check, counted, named } from './finding.ts'
import { DUPLICATE_SHARE, MIN_FLESCH, MIN_PROSE } from './rules.ts'

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

export const bannedPhrases: Check = ({ text, blocks }, given) => {
  if (given.bannedPhrases.every((phrase) => phrase.trim() === '')) return 'not_applicable'
  const own = [given.title, given.metaDescription]
  const shown = blocks.length > 0 ? blocks.map((block) => block.text) : [text]
  const used = bannedIn(given.bannedPhrases, [...own, ...shown], [...own, text].join('\n'))
  if (used.length === 0) return null
  return {
    message: `The article uses ${counted(used.length, 'banned phrase')}: ${named(used)}.`,
    fix: 'Say it in other words.',
  }
}

const PROSE = new Set(['p', 'li', 'dd', 'blockquote', 'td'])

export const readability: Check = ({ blocks }, { language }) => {
  if (!language.startsWith('English')) return 'not_applicable'
  const { ease, words } = fleschOf(blocks.filter(({ tag }) => PROSE.has(tag)).map(({ text }) => text))
  if (words < MIN_PROSE) return 'not_applicable'
  if (ease >= MIN_FLESCH) return null
  return {
    message: `The text is hard to read: Flesch reading ease ${Math.round(ease)}, where ${MIN_FLESCH} or more is wanted.`,
    fix: 'Use shorter sentences and plainer words.',
  }
}

export const duplicateContent: Check = (_, { duplicateOf }) => {
  if (!duplicateOf || duplicateOf.share < DUPLICATE_SHARE) return null
  const { articleId, title, share } = duplicateOf
  return {
    message: `About ${Math.round(share * 100)} % of the phrases stand in article ${articleId} ${named([title])} too.`,
    fix: 'Write about what that article does not say, or keep one of the two.',
  }
}
