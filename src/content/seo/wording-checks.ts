import { bannedIn } from './banned.ts'
import { type Check, counted, named } from './finding.ts'
import { fleschOf } from './readability.ts'
import { DUPLICATE_SHARE, MIN_FLESCH, MIN_PROSE } from './rules.ts'

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
