import type { HtmlDocument } from '../html/document.ts'
import { cutSlug, slugify } from '../lib/slug.ts'
import type { Check } from './finding.ts'
import { INTRODUCTION_WORDS } from './rules.ts'
import { firstWords, fold, hasPhrase } from './words.ts'

/** Characters of a keyword's slug that are looked for: a longer one may have been cut to fit. */
const SLUG_PART = 60

const introductionOf = (document: HtmlDocument): string => {
  const prose = document.blocks.filter(({ tag }) => tag === 'p').map(({ text }) => text)
  return firstWords(prose.length > 0 ? prose.join(' ') : document.text, INTRODUCTION_WORDS)
}

export const keywordInTitle: Check = (_, { keyword, title }) => {
  const wanted = fold(keyword)
  if (wanted === '') return 'not_applicable'
  if (hasPhrase(fold(title), wanted)) return null
  return { message: `The title does not contain the keyword "${keyword}".`, fix: 'Work the keyword into the title.' }
}

export const keywordInIntroduction: Check = (document, { keyword }) => {
  const wanted = fold(keyword)
  if (wanted === '') return 'not_applicable'
  if (hasPhrase(fold(introductionOf(document)), wanted)) return null
  return {
    message: `The keyword "${keyword}" does not occur in the first ${INTRODUCTION_WORDS} words.`,
    fix: 'Name the keyword in the first paragraph.',
  }
}

export const keywordInSlug: Check = (_, { keyword, slug }) => {
  const wanted = cutSlug(slugify(keyword), SLUG_PART)
  if (wanted === '') return 'not_applicable'
  if (`-${slug}-`.includes(`-${wanted}-`)) return null
  return {
    message: `The slug "${slug}" does not contain the keyword "${keyword}".`,
    fix: 'Send the keyword before the article is published: the slug follows it.',
  }
}

export const keywordInHeading: Check = (document, { keyword }) => {
  const wanted = fold(keyword)
  if (wanted === '') return 'not_applicable'
  if (document.headings.some(({ text }) => hasPhrase(fold(text), wanted))) return null
  return {
    message: `No heading contains the keyword "${keyword}".`,
    fix: 'Name the keyword in one H2 or H3.',
  }
}
