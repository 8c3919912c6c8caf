import { sentencesOf } from '../lib/sentences.ts'
import { type Check, counted, named } from './finding.ts'
import { fleschOf } from './readability.ts'
import { DUPLICATE_SHARE, MIN_FLESCH, MIN_PROSE } from './rules.ts'
import { fold, hasPhrase } from './words.ts'

/** The sentences of an article, block by block: a phrase never begins in one and ends in the next. */
const sentencesIn = (texts: readonly string[]): string[] =>
  texts.flatMap((text) => sentencesOf(text).map(({ start, end }) => fold(text.slice(start, end))))

export const bannedPhrases: Check = ({ text, blocks }, given) => {
  const banned = given.bannedPhrases.filter((phrase) => phrase.trim() !== '')
  if (banned.length === 0) return 'not_applicable'
  const written = [given.title, given.metaDescription, text].join('\n')
  const shown = blocks.length > 0 ? blocks.map((block) => block.text) : [text]
  const sentences = sentencesIn([given.title, given.metaDescription, ...shown])
  const used = banned.filter((phrase) => {
    const wanted = fold(phrase)
    // Signs are looked for as they stand.
    if (wanted === '') return written.includes(phrase.trim())
    return sentences.some((sentence) => hasPhrase(sentence, wanted))
  })
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
