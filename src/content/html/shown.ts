import { readEvents } from './events.ts'
import { isHidden } from './hidden.ts'
import { decodeReferences } from './references.ts'
import { applyEdits, attributesOf, type Edit } from './tags.ts'
import type { TagToken } from './tokens.ts'

const PICTURES = new Set(['img', 'iframe', 'video', 'picture', 'table'])

/** True if HTML has visible text other than whitespace. */
export const showsText = (html: string): boolean => {
  for (const event of readEvents(html))
    if (
      event.kind === 'text' &&
      event.mode === 'text' &&
      /\S/.test(decodeReferences(html.slice(event.start, event.end)))
    )
      return true
  return false
}

/** True if HTML shows text, a picture, a video or a table. */
export const showsContent = (html: string): boolean => {
  for (const event of readEvents(html)) if (event.kind === 'open' && PICTURES.has(event.tag.name)) return true
  return showsText(html)
}

/** Returns the words of HTML's text. Tags separate words. */
export const shownWords = (html: string): string[] => {
  const texts: string[] = []
  for (const event of readEvents(html))
    if (event.kind === 'text' && event.mode === 'text') texts.push(decodeReferences(html.slice(event.start, event.end)))
  return texts
    .join(' ')
    .split(/\s+/)
    .filter((word) => word !== '')
}

const isUnseen = (html: string, tag: TagToken): boolean => {
  const attributes = attributesOf(html, tag)
  return isHidden(tag.name, (name) => attributes.get(name))
}

/**
 * Returns a fragment without the elements that readers do not see.
 *
 * Sites that drop attributes would show them.
 */
export const withoutHidden = (html: string): string => {
  if (!/hidden|style/i.test(html)) return html
  const edits: Edit[] = []
  /** Number of open elements in the hidden one, including itself. */
  let within = 0
  let start = 0
  for (const event of readEvents(html)) {
    if (event.kind === 'open' && within > 0) within += event.isLeaf ? 0 : 1
    else if (event.kind === 'open' && isUnseen(html, event.tag)) {
      start = event.tag.start
      if (event.isLeaf) edits.push({ start, end: event.tag.end, text: '' })
      else within = 1
    } else if (event.kind === 'close' && within > 0) {
      within -= 1
      if (within === 0) edits.push({ start, end: event.end, text: '' })
    }
  }
  return applyEdits(html, edits)
}

/** Shortest useful run of text. A shorter one may be on any page. */
const MIN_LENGTH = 20
const MAX_LENGTH = 120

const spaced = (text: string): string => decodeReferences(text).replace(/\s+/g, ' ').trim()

/** Returns the longest run of text in HTML, to recognize a page that shows it; undefined if all runs are short. */
export const distinctiveRun = (html: string): string | undefined =>
  html
    .split(/<[^<>]*>/)
    .map(spaced)
    .filter((run) => run.length >= MIN_LENGTH)
    .sort((a, b) => b.length - a.length)[0]
    ?.slice(0, MAX_LENGTH)

/** Returns the text of a page in the form that `distinctiveRun` uses. */
export const runText = (page: string): string => spaced(page.replace(/<[^<>]*>/g, ''))
