import { columnsOf } from '../../platform/lib/columns.ts'
import type { HtmlDocument } from '../html/document.ts'
import { type Check, counted, named } from './finding.ts'
import { MAX_DESCRIPTION, MAX_TITLE, MIN_CONTENTS, MIN_DESCRIPTION, THIN_SHARE, WORD_TOLERANCE } from './rules.ts'
import { countWords } from './words.ts'

export const titleLength: Check = (_, { title }) => {
  const length = columnsOf(title)
  if (length > 0 && length <= MAX_TITLE) return null
  return {
    message: `The title has ${counted(length, 'character')}; search results show at most ${MAX_TITLE}.`,
    fix: `Shorten the title to ${MAX_TITLE} characters or less.`,
  }
}

export const metaDescriptionLength: Check = (_, { metaDescription }) => {
  const length = columnsOf(metaDescription)
  if (length >= MIN_DESCRIPTION && length <= MAX_DESCRIPTION) return null
  const what = length === 0 ? 'is missing' : `has ${counted(length, 'character')}`
  return {
    message: `The meta description ${what}; it should have ${MIN_DESCRIPTION} to ${MAX_DESCRIPTION}${length === 0 ? ' characters' : ''}.`,
    fix: `Send a meta_description of ${MIN_DESCRIPTION} to ${MAX_DESCRIPTION} characters.`,
  }
}

/** Returns the first heading that is more than one level below the one before it. The article's title is level 1. */
const skippedLevel = (document: HtmlDocument) => {
  let before = 1
  for (const heading of document.headings) {
    if (heading.level > before + 1) return { heading, before }
    before = heading.level
  }
  return undefined
}

export const headingStructure: Check = ({ headings, ...rest }) => {
  const fix = 'Use H2 for sections and H3 for what stands below them; the title is the only H1.'
  if (headings.some(({ level }) => level === 1))
    return { message: 'The content has an H1; the title of the page is that already.', fix }
  if (!headings.some(({ level }) => level === 2)) return { message: 'The content has no H2.', fix }
  const skipped = skippedLevel({ headings, ...rest })
  if (!skipped) return null
  const { heading, before } = skipped
  return { message: `The H${heading.level} ${named([heading.text])} follows an H${before}: a level is skipped.`, fix }
}

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

export const imageAltText: Check = ({ images }) => {
  if (images.length === 0) return 'not_applicable'
  const bare = images.filter(({ alt }) => !alt).map(({ src }) => src)
  if (bare.length === 0) return null
  return {
    message: `${counted(bare.length, 'image has', 'images have')} no alternative text: ${named(bare)}.`,
    fix: 'Say in the alt attribute of each image what it shows.',
  }
}

/** True if an article has a picture at its head. One that the service adds itself is not asked for. */
export const featureImage: Check = (_, { featureImage: address }) => {
  if (address === undefined) return 'not_applicable'
  if (address !== '') return null
  return {
    message: 'The article has no feature image.',
    fix: 'Send feature_image, the address of a picture; image_candidates lists those of the text.',
  }
}
