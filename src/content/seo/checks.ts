import type { SeoSeverity } from '../../../schema/values/seo.ts'
import { sentencesOf } from '../../platform/lib/sentences.ts'
import { clip, columnsOf } from '../../platform/lib/text.ts'
import { hostOfKey, isOfSite, shownPage } from '../../platform/lib/urls.ts'
import type { HtmlDocument } from '../html/document.ts'
import { isOnDomain, sortLinks } from './links.ts'
import {
  DUPLICATE_SHARE,
  MAX_DESCRIPTION,
  MAX_TITLE,
  MIN_CITATIONS,
  MIN_CONTENTS,
  MIN_DESCRIPTION,
  MIN_FLESCH,
  MIN_PROSE,
  THIN_SHARE,
  WORD_TOLERANCE,
} from './rules.ts'
import { bannedIn, countWords } from './words.ts'

/** Article fields and project settings that the checks use, besides the content. */
export type SeoExpectations = {
  keyword: string
  title: string
  slug: string
  metaDescription: string
  /** Address of the feature image; empty without one; absent if the service adds one itself. */
  featureImage?: string | undefined
  /** Label of the project's language, for example `English (US)`. */
  language: string
  /** Number of words that the brief asks for. */
  wordCount: number
  tableOfContents: boolean
  /** Number of internal links that the project asks for. */
  internalLinks: number
  /** Project's site as a `siteKey`. Links to pages below it are internal. */
  siteKey: string
  /** Keys (`pageKey`) of the linked own pages that exist; null if the site was never scanned. */
  knownPages: ReadonlySet<string> | null
  /** Sites (`siteKey`) of the exchange partners committed to the article. */
  exchangeSites: readonly string[]
  /** Domains that must not be linked. */
  competitors: readonly string[]
  bannedPhrases: readonly string[]
  /** Most similar article of the project, with the share of common phrases (0 to 1); null if there is none. */
  duplicateOf: { articleId: number; title: string; share: number } | null
  /** True for a text by the service's own writer, in which a model's words are errors. */
  byWriter?: boolean | undefined
}

/** Fault in one sentence, and how to fix it. `severity` is set if it differs from the check's usual one. */
type Fault = { message: string; fix: string; severity?: SeoSeverity }

/** Result of a check: null if it passed, a fault if it failed. A check that is not applicable counts as neither. */
export type Finding = Fault | null | 'not_applicable'

/** Check of an article: a pure function of its document and the expectations. */
export type Check = (document: HtmlDocument, given: SeoExpectations) => Finding

const SHOWN = 5

/** Returns a list for a sentence: the first few items in quotes, and the number of further items. */
export const named = (items: readonly string[]): string => {
  const shown = items.slice(0, SHOWN).map((item) => `"${item.length > 80 ? `${clip(item, 79)}…` : item}"`)
  return items.length > SHOWN ? `${shown.join(', ')} and ${items.length - SHOWN} more` : shown.join(', ')
}

/** Returns a number with its noun. */
const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`

/** Fails for a title that is empty or longer than 60 columns. A wide character has two columns. */
export const titleLength: Check = (_, { title }) => {
  const length = columnsOf(title)
  if (length > 0 && length <= MAX_TITLE) return null
  return {
    message: `The title has ${counted(length, 'character')}; search results show at most ${MAX_TITLE}.`,
    fix: `Shorten the title to ${MAX_TITLE} characters or less.`,
  }
}

/** Fails for a meta description outside of 70 to 160 columns. */
export const metaDescriptionLength: Check = (_, { metaDescription }) => {
  const length = columnsOf(metaDescription)
  if (length >= MIN_DESCRIPTION && length <= MAX_DESCRIPTION) return null
  const what = length === 0 ? 'is missing' : `has ${counted(length, 'character')}`
  return {
    message: `The meta description ${what}; it should have ${MIN_DESCRIPTION} to ${MAX_DESCRIPTION}${length === 0 ? ' characters' : ''}.`,
    fix: `Send a meta_description of ${MIN_DESCRIPTION} to ${MAX_DESCRIPTION} characters.`,
  }
}

/** Returns the first heading that is more than one level below the heading before it. The article's title is level 1. */
const skippedLevel = (document: HtmlDocument) => {
  let before = 1
  for (const heading of document.headings) {
    if (heading.level > before + 1) return { heading, before }
    before = heading.level
  }
  return undefined
}

/** Fails for an h1, and for a heading that skips a level. */
export const headingStructure: Check = ({ headings, ...rest }) => {
  const fix = 'Use H2 for sections and H3 for the parts of a section; the title is the only H1.'
  if (headings.some(({ level }) => level === 1))
    return { message: 'The content has an H1, but the title of the page is its H1.', fix }
  if (!headings.some(({ level }) => level === 2)) return { message: 'The content has no H2.', fix }
  const skipped = skippedLevel({ headings, ...rest })
  if (!skipped) return null
  const { heading, before } = skipped
  return { message: `The H${heading.level} ${named([heading.text])} follows an H${before}: a level is skipped.`, fix }
}

/** Fails if a heading has no id, or one that another element has too. */
export const headingIds: Check = ({ headings, ids }) => {
  if (headings.length === 0) return 'not_applicable'
  const missing = headings.filter(({ id }) => id === '').map(({ text }) => text)
  if (missing.length > 0)
    return {
      message: `${counted(missing.length, 'heading has', 'headings have')} no id: ${named(missing)}.`,
      fix: 'Give every heading an id of its own, so that it can be linked to.',
    }
  const times = new Map<string, number>()
  for (const id of ids) times.set(id, (times.get(id) ?? 0) + 1)
  const repeated = [...new Set(headings.map(({ id }) => id))].filter((id) => (times.get(id) ?? 0) > 1)
  if (repeated.length === 0) return null
  return { message: `An id is used more than once: ${named(repeated)}.`, fix: 'Give every heading an id of its own.' }
}

/** Fails if the table of contents does not link to every h2. Applies if the project wants one and there are sections. */
export const tableOfContents: Check = (document, { tableOfContents: wanted }) => {
  const sections = document.headings.filter(({ level }) => level === 2)
  if (!wanted || sections.length < MIN_CONTENTS) return 'not_applicable'
  const ids = new Set(document.headings.map(({ id }) => id).filter((id) => id !== ''))
  const linked = new Set(document.links.map(({ href }) => href).filter((href) => href.startsWith('#')))
  const reached = new Set([...ids].filter((id) => linked.has(`#${id}`) || linked.has(`#${encodeURIComponent(id)}`)))
  const missing = sections.filter(({ id }) => !reached.has(id)).map(({ text }) => text)
  if (missing.length === 0) return null
  return {
    message:
      reached.size === 0
        ? 'There is no table of contents.'
        : `The table of contents leaves out ${named(missing)}, or links to an id no heading has.`,
    fix: 'Put a list with one link to the id of every H2 after the introduction.',
  }
}

/** Fails if the number of words differs by more than a quarter from the brief. Less than half is an error. */
export const wordCount: Check = ({ text }, { wordCount: wanted }) => {
  const words = countWords(text)
  const least = Math.ceil(wanted * (1 - WORD_TOLERANCE))
  const most = Math.floor(wanted * (1 + WORD_TOLERANCE))
  if (words >= least && words <= most) return null
  const thin = words < wanted * THIN_SHARE ? ({ severity: 'error' } as const) : {}
  return {
    ...thin,
    message: `The article has ${counted(words, 'word')}; the brief asks for ${wanted}, so ${least} to ${most}.`,
    fix: words < least ? `Add about ${wanted - words} words of substance.` : `Cut about ${words - wanted} words.`,
  }
}

/** Fails if an image has no alternative text. */
export const imageAltText: Check = ({ images }) => {
  if (images.length === 0) return 'not_applicable'
  const bare = images.filter(({ alt }) => !alt).map(({ src }) => src)
  if (bare.length === 0) return null
  return {
    message: `${counted(bare.length, 'image has', 'images have')} no alternative text: ${named(bare)}.`,
    fix: 'Say in the alt attribute of each image what it shows.',
  }
}

/** Checks that an article has a feature image. Not applicable if the service adds one itself. */
export const featureImage: Check = (_, { featureImage: address }) => {
  if (address === undefined) return 'not_applicable'
  if (address !== '') return null
  return {
    message: 'The article has no feature image.',
    fix: 'Send feature_image, the address of a picture; image_candidates lists those of the text.',
  }
}

/** English endings and letter pairs with a vowel that is not a syllable. */
const SILENT = /(?:[^laeiouy]es|[^aeiouydt]ed|[^laeiouy]e)$/
const VOWELS = /[aeiouy]+/g

/** Returns the approximate number of syllables in an English word. */
const syllablesOf = (word: string): number => {
  const lower = word.toLowerCase().replace(/[^a-z]/g, '')
  if (lower.length <= 3) return 1
  return Math.max(1, lower.replace(SILENT, '').match(VOWELS)?.length ?? 0)
}

const word = () => /[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu
/**
 * Returns the Flesch reading ease of English texts: about 100 is very easy, 60 plain, below 30 very hard.
 *
 * Each text counts as at least one sentence. `words` is their number of words.
 */
export const fleschOf = (texts: readonly string[]): { ease: number; words: number } => {
  let words = 0
  let sentences = 0
  let syllables = 0
  for (const text of texts) {
    // An address is one word.
    const found = text.replace(/(?<![\p{L}\p{N}])(?:https?:\/\/|www\.)\S+/giu, 'link').match(word()) ?? []
    if (found.length === 0) continue
    words += found.length
    sentences += Math.max(1, sentencesOf(text).length)
    for (const word of found) syllables += syllablesOf(word)
  }
  const ease = words === 0 ? 100 : 206.835 - 1.015 * (words / sentences) - 84.6 * (syllables / words)
  return { ease, words }
}

/** Fails if title, meta description or text use a banned phrase of the project. */
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

/** Fails for English prose with a Flesch reading ease below 45. */
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

/** Fails if half of the phrases are in another article of the project. */
export const duplicateContent: Check = (_, { duplicateOf }) => {
  if (!duplicateOf || duplicateOf.share < DUPLICATE_SHARE) return null
  const { articleId, title, share } = duplicateOf
  return {
    message: `About ${Math.round(share * 100)} % of the phrases are also in article ${articleId} ${named([title])} too.`,
    fix: 'Write about what that article does not say, or keep one of the two.',
  }
}

/** Fails if fewer pages of the own site are linked than the project wants. */
export const internalLinks: Check = (document, given) => {
  const { internal } = sortLinks(document, given.siteKey)
  if (internal.size >= given.internalLinks) return null
  return {
    message: `${counted(internal.size, 'page')} of your own site ${internal.size === 1 ? 'is' : 'are'} linked; the project asks for ${given.internalLinks}.`,
    fix: 'Link to related pages of the site; GET /internal-links proposes some.',
  }
}

/** Fails if an internal link leads to an unknown page. Applies after the site was scanned. */
export const brokenInternalLinks: Check = (document, { knownPages, siteKey }) => {
  const { internal } = sortLinks(document, siteKey)
  if (knownPages === null || internal.size === 0) return 'not_applicable'
  const homes = [siteKey, hostOfKey(siteKey)]
  const isKnown = (key: string): boolean => homes.includes(key) || knownPages.has(key)
  const broken = [...internal].filter((key) => !isKnown(key) && !isKnown(shownPage(key)))
  if (broken.length === 0) return null
  return {
    message: `${counted(broken.length, 'internal link leads', 'internal links lead')} to no known page of the site: ${named(broken)}.`,
    fix: 'Correct the address or take the link out.',
  }
}

/** Fails if a partner that the article is committed to is not linked. */
export const exchangeLinks: Check = (document, { exchangeSites, siteKey }) => {
  if (exchangeSites.length === 0) return 'not_applicable'
  const { external } = sortLinks(document, siteKey)
  const missing = exchangeSites.filter((site) => ![...external].some((key) => isOfSite(key, site)))
  if (missing.length === 0) return null
  return {
    message: `The article does not link to ${counted(missing.length, 'partner')} of the exchange: ${named(missing)}.`,
    fix: 'Place every partner link of the article’s brief, anchored with the business name.',
  }
}

const isCompetitor = (key: string, { competitors }: SeoExpectations): boolean =>
  competitors.some((domain) => isOnDomain(key, domain))

/** Fails if a competitor is linked. */
export const competitorLinks: Check = (document, given) => {
  if (given.competitors.length === 0) return 'not_applicable'
  const linked = [...sortLinks(document, given.siteKey).external].filter((key) => isCompetitor(key, given))
  if (linked.length === 0) return null
  return {
    message: `The article links to ${counted(linked.length, 'page')} of a competitor: ${named(linked)}.`,
    fix: 'Take the link out or cite another source.',
  }
}

/** Fails with fewer than two linked sources. The own site, competitors and partners do not count. */
export const citations: Check = (document, given) => {
  const own = hostOfKey(given.siteKey)
  const sources = [...sortLinks(document, given.siteKey).external].filter(
    (key) =>
      !isOnDomain(key, own) && !isCompetitor(key, given) && !given.exchangeSites.some((site) => isOfSite(key, site)),
  )
  if (sources.length >= MIN_CITATIONS) return null
  return {
    message: `${counted(sources.length, 'external source')} ${sources.length === 1 ? 'is' : 'are'} linked; at least ${MIN_CITATIONS} are wanted.`,
    fix: 'Link claims to the sources they come from.',
  }
}
