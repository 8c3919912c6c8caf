import { judgeAttribute, judgeElement, judgeMath, playerAddress, type Verdict } from './allowed.ts'
import { type HtmlEvent, readEvents } from './events.ts'
import { showPictures } from './late-pictures.ts'
import { escapeAttribute } from './references.ts'
import { leaveOutHidden } from './shown.ts'
import { applyEdits, attributesIn, type Edit, type SourceAttribute } from './tags.ts'
import type { TagToken } from './tokens.ts'

/** Elements whose end tags may be omitted (HTML standard, 13.1.2.4). */
const OMITTABLE = new Set('li dt dd p rt rp thead tbody tfoot tr td th colgroup caption'.split(' '))
/** Formatting elements. A paragraph opened in one of them continues after its end tag (13.2.6.1). */
const FORMATTING = new Set('a b big code em font i nobr s small strike strong tt u'.split(' '))

/**
 * Closes the elements that a fragment leaves open, and removes end tags without a start tag.
 *
 * A fragment without faults stays byte for byte. It has all end tags in order, or only optional ones are missing.
 */
const balance = (html: string): { html: string; done: string[] } => {
  const edits: Edit[] = []
  const done = new Set<string>()
  const open: string[] = []
  let isNested = true
  let isLegal = true
  /** True if elements ended directly before without an end tag. */
  let isImplied = false
  const endTag = (name: string) => {
    if (open.at(-1) === name) open.pop()
    else isNested = false
  }
  for (const event of readEvents(html)) {
    if (event.kind === 'open') {
      if (!event.isLeaf) open.push(event.tag.name)
    } else if (event.kind === 'stray') {
      const { name, start, end } = event.tag
      endTag(name)
      isLegal = false
      edits.push({ start, end, text: '' })
      done.add(`</${name}> (it ended nothing)`)
    } else if (event.kind === 'close' && event.tag) {
      const { name, start, nameEnd } = event.tag
      endTag(name)
      if (isImplied && FORMATTING.has(name)) isLegal = false
      if (name !== event.name) {
        isLegal = false
        edits.push({ start: start + 2, end: nameEnd, text: event.name })
        done.add(`</${name}> (made </${event.name}>)`)
      }
    } else if (event.kind === 'close') {
      edits.push({ start: event.at, end: event.at, text: `</${event.name}>` })
      if (!OMITTABLE.has(event.name)) {
        isLegal = false
        done.add(`<${event.name}> left open (closed)`)
      }
    }
    isImplied = event.kind === 'close' && !event.tag
  }
  if (isLegal || (isNested && open.length === 0)) return { html, done: [] }
  return { html: applyEdits(html, edits), done: done.size > 0 ? [...done] : ['paragraphs left open (closed)'] }
}

/** Safe HTML. `removed` describes the removed, closed and changed parts, such as `<h1> (made <h2>)`. */
export type SanitizedHtml = { html: string; removed: string[] }

/** Reason why a fragment is refused: it ends inside markup, it is nested too deep, or each pass changes it again. */
export type HtmlFault = 'unfinished' | 'too_deep' | 'unsettled'

/** Result of `sanitizeHtml`. */
export type Sanitized = ({ kind: 'clean' } & SanitizedHtml) | { kind: 'refused'; fault: HtmlFault }

/** Open element, with the verdict that decides about its end tag. */
type Open = { name: string; verdict: 'stays' | 'unwrapped' | 'renamed' | 'dropped' | 'math' }

type Cleaning = {
  html: string
  edits: Edit[]
  removed: Set<string>
  open: Open[]
  /** Start of the outermost element that is removed with its content; -1 outside of one. */
  droppedFrom: number
  /** Open formula: its start, and the number of edits before it. */
  math: { start: number; edits: number } | undefined
  /** Number of removed SVG images. */
  drawings: number
}

const slashOf = (html: string, tag: TagToken): string => (tag.isSelfClosing && html[tag.end - 2] === '/' ? ' /' : '')

/** Returns an attribute as it stays; empty if it is removed. */
const cleanAttribute = (cleaning: Cleaning, tag: string, attribute: SourceAttribute): string => {
  const { html, removed, math } = cleaning
  const { name, raw, start, end } = attribute
  const verdict = judgeAttribute(tag, name, raw, math !== undefined)
  if (verdict.kind === 'stays') return ` ${html.slice(start, end)}`
  for (const fault of verdict.faults) removed.add(fault)
  return verdict.kind === 'goes' ? '' : ` ${name}="${escapeAttribute(verdict.value)}"`
}

/** Edits a start tag: keeps the allowed attributes, and sets a new name if there is one. */
const cleanTag = (cleaning: Cleaning, tag: TagToken, attributes: readonly SourceAttribute[], renamed: string): void => {
  const { html, edits } = cleaning
  const kept = attributes.map((attribute) => cleanAttribute(cleaning, renamed || tag.name, attribute))
  const name = renamed || html.slice(tag.start + 1, tag.nameEnd)
  if (kept.some((text, n) => text !== ` ${html.slice(attributes[n]?.start, attributes[n]?.end)}`))
    edits.push({ start: tag.start, end: tag.end, text: `<${name}${kept.join('')}${slashOf(html, tag)}>` })
  else if (renamed) edits.push({ start: tag.start + 1, end: tag.nameEnd, text: renamed })
}

const rawOf = (attributes: readonly SourceAttribute[], names: RegExp): string[] =>
  attributes.filter(({ name }) => names.test(name)).map(({ raw }) => raw)

/** Attributes from which scripts for lazy loading, or for consent, take a frame's address. */
const LATE_SRC = /^data-(?:[\w-]+-)?src$/

/** Edits a player's start tag: sets `src` to the https address instead of the attributes it came from. */
const playerTag = (cleaning: Cleaning, tag: TagToken, attributes: readonly SourceAttribute[], src: string): void => {
  const { html, edits } = cleaning
  const kept = attributes
    .filter(({ name }) => name !== 'src' && !LATE_SRC.test(name))
    .map((attribute) => cleanAttribute(cleaning, 'iframe', attribute))
  const name = html.slice(tag.start + 1, tag.nameEnd)
  const text = `<${name} src="${escapeAttribute(src)}"${kept.join('')}${slashOf(html, tag)}>`
  edits.push({ start: tag.start, end: tag.end, text })
}

const judge = (
  cleaning: Cleaning,
  name: string,
  attributes: readonly SourceAttribute[],
  isPlayer: boolean,
): Verdict => {
  if (cleaning.math) return judgeMath(name)
  return name === 'math' ? 'stays' : judgeElement(name, rawOf(attributes, /^src$/), isPlayer)
}

const nameFault = (cleaning: Cleaning, name: string, verdict: Verdict): void => {
  const { removed } = cleaning
  if (name === 'svg') cleaning.drawings += 1
  else if (verdict !== 'stays') removed.add(verdict === 'data_image' ? '<img> with a data: URL' : `<${name}>`)
}

const openElement = (cleaning: Cleaning, { tag, isLeaf }: HtmlEvent & { kind: 'open' }): void => {
  const { html, edits, removed, open } = cleaning
  if (cleaning.droppedFrom >= 0) {
    if (!isLeaf) open.push({ name: tag.name, verdict: 'stays' })
    return
  }
  const attributes = attributesIn(html, tag)
  const isHeading = tag.name === 'h1' && !cleaning.math
  const player =
    tag.name === 'iframe' ? playerAddress(rawOf(attributes, /^src$/), rawOf(attributes, LATE_SRC)) : undefined
  // Parsers without MathML would not end an empty formula at its tag.
  const isEmptyMath = tag.name === 'math' && isLeaf
  const verdict = isHeading
    ? 'stays'
    : isEmptyMath
      ? 'unwrapped'
      : judge(cleaning, tag.name, attributes, player !== undefined)
  if (isHeading) removed.add('<h1> (made <h2>)')
  else nameFault(cleaning, tag.name, verdict)
  const isMath = tag.name === 'math' && verdict === 'stays' && !isLeaf
  if (isMath) cleaning.math = { start: tag.start, edits: edits.length }
  if (verdict === 'stays' && player?.src !== undefined) {
    for (const fault of player.faults) removed.add(fault)
    playerTag(cleaning, tag, attributes, player.src)
  } else if (verdict === 'stays') cleanTag(cleaning, tag, attributes, isHeading ? 'h2' : '')
  else if (verdict === 'dropped' && !isLeaf) cleaning.droppedFrom = tag.start
  else edits.push({ start: tag.start, end: tag.end, text: '' })
  if (isLeaf) return
  const shown = verdict === 'data_image' ? 'unwrapped' : verdict
  open.push({ name: tag.name, verdict: isHeading ? 'renamed' : isMath ? 'math' : shown })
}

/** Closes a formula. Removes it if another tag ended it, because parsers disagree about its content. */
const closeMath = (cleaning: Cleaning, event: HtmlEvent & { kind: 'close' }): void => {
  const { math, edits, removed } = cleaning
  cleaning.math = undefined
  if (!math || event.tag?.name === 'math') return
  edits.length = math.edits
  edits.push({ start: math.start, end: event.end, text: '' })
  removed.add('<math>')
}

const closeElement = (cleaning: Cleaning, event: HtmlEvent & { kind: 'close' }): void => {
  const { edits, open, droppedFrom } = cleaning
  const element = open.pop()
  if (element?.verdict === 'dropped') {
    edits.push({ start: droppedFrom, end: event.end, text: '' })
    cleaning.droppedFrom = -1
    return
  }
  if (element?.verdict === 'math') closeMath(cleaning, event)
  const { tag } = event
  if (droppedFrom >= 0 || !tag) return
  if (element?.verdict === 'unwrapped') edits.push({ start: tag.start, end: tag.end, text: '' })
  if (element?.verdict === 'renamed' && tag.name === 'h1')
    edits.push({ start: tag.start + 2, end: tag.nameEnd, text: 'h2' })
}

/** Returns the name of markup that must be removed; undefined if it stays. */
const markupFault = (html: string, event: HtmlEvent & { kind: 'doctype' | 'comment' | 'text' }): string | undefined => {
  // Only parsers with MathML end a CDATA section correctly.
  if (event.kind === 'text') return event.mode === 'cdata' ? 'CDATA section' : undefined
  if (event.kind === 'doctype') return '<!doctype>'
  const text = html.slice(event.start, event.end)
  // Internet Explorer and mail programs read the markup in these: `<!--[if …]>…<![endif]-->`, `<![if …]>`.
  if (/^<!(--)?\s*\[\s*(if|endif)\b/i.test(text) || /<!\s*\[\s*endif\b/i.test(text)) return 'conditional comment'
  // Parsers disagree about the end of irregular comments.
  return event.isRegular ? undefined : 'malformed comment'
}

/** Makes one pass over a fragment. Returns the HTML without forbidden parts, or the reason for refusing it. */
const cleanOnce = (html: string, removed: Set<string>): { html: string } | HtmlFault => {
  const cleaning: Cleaning = { html, edits: [], removed, open: [], droppedFrom: -1, math: undefined, drawings: 0 }
  for (const event of readEvents(html)) {
    if (event.kind === 'cut') return 'unfinished'
    if (event.kind === 'open') {
      if (event.isTooDeep) return 'too_deep'
      openElement(cleaning, event)
    } else if (event.kind === 'close') {
      const isEnd = event.tag === undefined && event.at === html.length
      if (isEnd && (cleaning.droppedFrom >= 0 || event.name === 'math')) return 'unfinished'
      closeElement(cleaning, event)
    } else if (cleaning.droppedFrom < 0 && event.kind !== 'stray') {
      const fault = markupFault(html, event)
      if (fault === undefined) continue
      removed.add(fault)
      cleaning.edits.push({ start: event.start, end: event.end, text: '' })
    }
  }
  const { drawings } = cleaning
  if (drawings > 0) removed.add(drawings === 1 ? '<svg>' : `<svg> (${drawings})`)
  return { html: applyEdits(html, cleaning.edits) }
}

/** Most passes over a fragment. One that still changes then is refused. */
const MAX_READINGS = 8

/**
 * Makes an HTML fragment safe with an allow-list of elements, attributes and URL schemes.
 *
 * What does not show is removed. A fragment that needs no change is returned byte for byte. Otherwise `removed` names the removed parts and the elements that
 * were closed.
 *
 * A fragment is refused if it nests more than 64 elements, or ends inside a tag, a comment or an unclosed raw-text element.
 * Such an element would swallow the rest of the page.
 *
 * Passes are repeated until one changes nothing. Removing an element can create a tag from the text around it (`<<x>img …>`).
 * Removing an `svg` changes how a browser reads the text after it.
 */
export const sanitizeHtml = (given: string): Sanitized => {
  const pictures = showPictures(given)
  const removed = new Set(pictures.removed)
  let { html } = pictures
  for (let reading = 0; reading < MAX_READINGS; reading += 1) {
    const shown = leaveOutHidden(html)
    const found = new Set(shown.hidden)
    const cleaned = cleanOnce(shown.html, found)
    if (typeof cleaned === 'string') return { kind: 'refused', fault: cleaned }
    const balanced = found.size === 0 ? balance(html) : undefined
    if (balanced?.done.length === 0) return { kind: 'clean', html, removed: [...removed] }
    for (const what of balanced?.done ?? found) removed.add(what)
    html = (balanced ?? cleaned).html
  }
  return { kind: 'refused', fault: 'unsettled' }
}

/** Returns only the safe HTML; undefined if the fragment is refused. */
export const safeHtml = (given: string): string | undefined => {
  const safe = sanitizeHtml(given)
  return safe.kind === 'clean' ? safe.html : undefined
}
