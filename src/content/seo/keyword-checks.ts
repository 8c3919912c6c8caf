import { slugIn } from '../../platform/lib/language-slug.ts'
import { cutSlug, slugify } from '../../platform/lib/slug.ts'
import type { HtmlDocument } from '../html/document.ts'
import type { Check } from './finding.ts'
import { keywordMatcher } from './keyword-match.ts'
import { INTRODUCTION_WORDS } from './rules.ts'
import { hasStems } from './stems.ts'
import { firstWords } from './words.ts'

/** Characters of a keyword's slug that are looked for: a longer one may have been cut to fit. */
const SLUG_PART = 60

const introductionOf = (document: HtmlDocument): string => {
  const prose = document.blocks.filter(({ tag }) => tag === 'p').map(({ text }) => text)
  return firstWords(prose.length > 0 ? prose.join(' ') : document.text, INTRODUCTION_WORDS)
}

export const keywordInTitle: Check = (_, { keyword, title, language }) => {
  const isIn = keywordMatcher(keyword, language)
  if (!isIn) return 'not_applicable'
  if (isIn(title)) return null
  return {
    // Where the forms of words are not known, the title may have another form of the keyword.
    ...(hasStems(language) ? {} : { severity: 'warning' as const }),
    message: `The title does not contain the keyword "${keyword}".`,
    fix: 'Work the keyword into the title.',
  }
}

export const keywordInIntroduction: Check = (document, { keyword, language }) => {
  const isIn = keywordMatcher(keyword, language)
  if (!isIn) return 'not_applicable'
  if (isIn(introductionOf(document))) return null
  return {
    message: `The keyword "${keyword}" does not occur in the first ${INTRODUCTION_WORDS} words.`,
    fix: 'Name the keyword in the first paragraph.',
  }
}

export const keywordInSlug: Check = (_, { keyword, slug, language }) => {
  // A slug made before the project's language was set is written the usual way.
  const wanted = [slugIn(language, keyword), slugify(keyword)].filter((one) => one !== '')
  if (wanted.length === 0) return 'not_applicable'
  if (wanted.some((one) => `-${slug}-`.includes(`-${cutSlug(one, SLUG_PART)}-`))) return null
  return {
    message: `The slug "${slug}" does not contain the keyword "${keyword}".`,
    fix: 'Send a slug with the keyword in it before the article is published.',
  }
}

export const keywordInHeading: Check = (document, { keyword, language }) => {
  const isIn = keywordMatcher(keyword, language)
  if (!isIn) return 'not_applicable'
  if (document.headings.some(({ text }) => isIn(text))) return null
  return {
    message: `No heading contains the keyword "${keyword}".`,
    fix: 'Name the keyword in one H2 or H3.',
  }
}
