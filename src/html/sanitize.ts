import { attributeFault, judgeElement } from './allowed.ts'
import { attributesIn, type SourceAttribute } from './attributes.ts'
import { applyEdits, type Edit } from './edits.ts'
import { type HtmlEvent, readEvents } from './events.ts'
import type { TagToken } from './tokens.ts'

export type SanitizedHtml = { html: string; removed: string[] }

/** Why a fragment is refused: it ends inside something, its elements are nested too deep, or it changes with every reading. */
export type HtmlFault = 'unfinished' | 'too_deep' | 'unsettled'

export type Sanitized = ({ kind: 'clean' } & SanitizedHtml) | { kind: 'refused'; fault: HtmlFault }

/** What closing an element changes in the source. */
type Open = { name: string; verdict: 'stays' | 'unwrapped' | 'renamed' | 'dropped' }

type Cleaning = {
  html: string
  edits: Edit[]
  removed: Set<string>
  open: Open[]
  /** Where the outermost element that goes with its content began; -1 outside of one. */
  droppedFrom: number
}

const isSlashed = (html: string, tag: TagToken): string => (tag.isSelfClosing && html[tag.end - 2] === '/' ? ' /' : '')

/** The start tag with the attributes that stay, under its new name where it has one. */
const cleanTag = (cleaning: Cleaning, tag: TagToken, attributes: readonly SourceAttribute[], renamed: string): void => {
  const { html, edits, removed } = cleaning
  const kept: string[] = []
  for (const { name, raw, start, end } of attributes) {
    const fault = attributeFault(renamed || tag.name, name, raw)
    if (fault === undefined) kept.push(` ${html.slice(start, end)}`)
    else removed.add(fault)
  }
  const name = renamed || html.slice(tag.start + 1, tag.nameEnd)
  if (kept.length < attributes.length)
    edits.push({ start: tag.start, end: tag.end, text: `<${name}${kept.join('')}${isSlashed(html, tag)}>` })
  else if (renamed) edits.push({ start: tag.start + 1, end: tag.nameEnd, text: renamed })
}

const openElement = (cleaning: Cleaning, { tag, isLeaf }: HtmlEvent & { kind: 'open' }): void => {
  const { html, edits, removed, open } = cleaning
  if (cleaning.droppedFrom >= 0) {
    if (!isLeaf) open.push({ name: tag.name, verdict: 'stays' })
    return
  }
  const attributes = attributesIn(html, tag)
  const isHeading = tag.name === 'h1'
  const sources = attributes.filter(({ name }) => name === 'src').map(({ raw }) => raw)
  const verdict = isHeading ? 'stays' : judgeElement(tag.name, sources)
  if (isHeading) removed.add('<h1> (made <h2>)')
  else if (verdict !== 'stays') removed.add(verdict === 'data_image' ? '<img> with a data: URL' : `<${tag.name}>`)
  if (verdict === 'stays') cleanTag(cleaning, tag, attributes, isHeading ? 'h2' : '')
  else if (verdict === 'dropped' && !isLeaf) cleaning.droppedFrom = tag.start
  else edits.push({ start: tag.start, end: tag.end, text: '' })
  if (isLeaf) return
  open.push({ name: tag.name, verdict: isHeading ? 'renamed' : verdict === 'data_image' ? 'unwrapped' : verdict })
}

const closeElement = (cleaning: Cleaning, event: HtmlEvent & { kind: 'close' }): void => {
  const { edits, open, droppedFrom } = cleaning
  const element = open.pop()
  if (element?.verdict === 'dropped') {
    edits.push({ start: droppedFrom, end: event.end, text: '' })
    cleaning.droppedFrom = -1
    return
  }
  const { tag } = event
  if (droppedFrom >= 0 || !tag) return
  if (element?.verdict === 'unwrapped') edits.push({ start: tag.start, end: tag.end, text: '' })
  if (element?.verdict === 'renamed' && tag.name === 'h1')
    edits.push({ start: tag.start + 2, end: tag.nameEnd, text: 'h2' })
}

/** Why markup that is no element goes; undefined when it stays. */
const markupFault = (html: string, event: HtmlEvent & { kind: 'doctype' | 'comment' }): string | undefined => {
  if (event.kind === 'doctype') return '<!doctype>'
  const text = html.slice(event.start, event.end)
  // Internet Explorer and mail programs read the markup in these: `<!--[if …]>…<![endif]-->`, `<![if …]>`.
  if (/^<!(--)?\s*\[\s*(if|endif)\b/i.test(text) || /<!\s*\[\s*endif\b/i.test(text)) return 'conditional comment'
  // Readers disagree about where these end.
  return event.isRegular ? undefined : 'malformed comment'
}

/** One reading of a fragment: the source without what must go, or why it is refused. */
const cleanOnce = (html: string, removed: Set<string>): { html: string } | HtmlFault => {
  const cleaning: Cleaning = { html, edits: [], removed, open: [], droppedFrom: -1 }
  for (const event of readEvents(html)) {
    if (event.kind === 'cut') return 'unfinished'
    if (event.kind === 'open') {
      if (event.isTooDeep) return 'too_deep'
      openElement(cleaning, event)
    } else if (event.kind === 'close') {
      const isEnd = event.tag === undefined && event.at === html.length
      if (isEnd && cleaning.droppedFrom >= 0) return 'unfinished'
      closeElement(cleaning, event)
    } else if (cleaning.droppedFrom < 0 && (event.kind === 'comment' || event.kind === 'doctype')) {
      const fault = markupFault(html, event)
      if (fault === undefined) continue
      removed.add(fault)
      cleaning.edits.push({ start: event.start, end: event.end, text: '' })
    }
  }
  return { html: applyEdits(html, cleaning.edits) }
}

/** Readings after which a fragment that still changes is refused. */
const MAX_READINGS = 8

/**
 * Makes an HTML fragment safe by an allow-list of elements, attributes and URL schemes. A fragment that needs no change
 * comes back byte for byte; else `removed` names what was taken out.
 *
 * Refused is one that ends inside a tag, a comment or an unclosed raw-text element (what follows it in a page would become
 * part of it), or nests more than 64 elements.
 *
 * What was cleaned is read again until a reading finds nothing: taking an element out can make a tag of the text around
 * it (`<<x>img …>`), and an `svg` that is taken out no longer decides how a browser reads what follows it.
 */
export const sanitizeHtml = (given: string): Sanitized => {
  const removed = new Set<string>()
  let html = given
  for (let reading = 0; reading < MAX_READINGS; reading += 1) {
    const found = new Set<string>()
    const cleaned = cleanOnce(html, found)
    if (typeof cleaned === 'string') return { kind: 'refused', fault: cleaned }
    if (found.size === 0) return { kind: 'clean', html, removed: [...removed] }
    for (const what of found) removed.add(what)
    html = cleaned.html
  }
  return { kind: 'refused', fault: 'unsettled' }
}

/** The safe HTML alone; undefined when the fragment is refused. */
export const safeHtml = (given: string): string | undefined => {
  const safe = sanitizeHtml(given)
  return safe.kind === 'clean' ? safe.html : undefined
}
