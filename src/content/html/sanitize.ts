import { isHiddenBy, judgeAttribute, judgeElement, judgeMath, playerAddress, type Verdict } from './allowed.ts'
import { type HtmlEvent, readEvents } from './events.ts'
import { showNoscriptPictures } from './noscript.ts'
import { escapeAttribute } from './references.ts'
import { applyEdits, attributesIn, type Edit, type SourceAttribute } from './tags.ts'
import type { TagToken } from './tokens.ts'

/** Elements whose end tags may be left out (HTML standard, 13.1.2.4). */
const OMITTABLE = new Set('li dt dd p rt rp thead tbody tfoot tr td th colgroup caption'.split(' '))
/** Elements that end without ending what is open in them: a paragraph in them goes on behind them (13.2.6.1). */
const FORMATTING = new Set('a b big code em font i nobr s small strike strong tt u'.split(' '))

/**
 * Closes the elements a fragment leaves open and removes end tags without a start.
 *
 * A fragment without faults stays byte for byte: each end tag ends the element opened last, or only end tags that HTML allows to
 * leave out are missing.
 */
const balance = (html: string): { html: string; done: string[] } => {
  const edits: Edit[] = []
  const done = new Set<string>()
  const open: string[] = []
  let isNested = true
  let isLegal = true
  /** True if elements ended without a tag right before. */
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

export type SanitizedHtml = { html: string; removed: string[] }

/** Reason for which a fragment is refused: it ends inside something, its elements are nested too deep, or each reading changes it. */
export type HtmlFault = 'unfinished' | 'too_deep' | 'unsettled'

export type Sanitized = ({ kind: 'clean' } & SanitizedHtml) | { kind: 'refused'; fault: HtmlFault }

/** Change of the source when an element closes. */
type Open = { name: string; verdict: 'stays' | 'unwrapped' | 'renamed' | 'dropped' | 'math' }

type Cleaning = {
  html: string
  edits: Edit[]
  removed: Set<string>
  open: Open[]
  /** Beginning of the outermost element that is removed with its content; -1 outside of one. */
  droppedFrom: number
  /** The formula that is open: where it began, and how many edits there were. */
  math: { start: number; edits: number } | undefined
  /** Number of removed drawings. */
  drawings: number
}

const isSlashed = (html: string, tag: TagToken): string => (tag.isSelfClosing && html[tag.end - 2] === '/' ? ' /' : '')

/** Returns an attribute as it stays; nothing when it goes. */
const cleanAttribute = (cleaning: Cleaning, tag: string, attribute: SourceAttribute): string => {
  const { html, removed, math } = cleaning
  const { name, raw, start, end } = attribute
  const verdict = judgeAttribute(tag, name, raw, math !== undefined)
  if (verdict.kind === 'stays') return ` ${html.slice(start, end)}`
  for (const fault of verdict.faults) removed.add(fault)
  return verdict.kind === 'goes' ? '' : ` ${name}="${escapeAttribute(verdict.value)}"`
}

/** The start tag with the attributes that stay, under its new name if it has one. */
const cleanTag = (cleaning: Cleaning, tag: TagToken, attributes: readonly SourceAttribute[], renamed: string): void => {
  const { html, edits } = cleaning
  const kept = attributes.map((attribute) => cleanAttribute(cleaning, renamed || tag.name, attribute))
  const name = renamed || html.slice(tag.start + 1, tag.nameEnd)
  if (kept.some((text, n) => text !== ` ${html.slice(attributes[n]?.start, attributes[n]?.end)}`))
    edits.push({ start: tag.start, end: tag.end, text: `<${name}${kept.join('')}${isSlashed(html, tag)}>` })
  else if (renamed) edits.push({ start: tag.start + 1, end: tag.nameEnd, text: renamed })
}

const rawOf = (attributes: readonly SourceAttribute[], ...names: string[]): string[] =>
  attributes.filter(({ name }) => names.includes(name)).map(({ raw }) => raw)

/** A player's start tag with its address by https, instead of the attribute it came from. */
const playerTag = (cleaning: Cleaning, tag: TagToken, attributes: readonly SourceAttribute[], src: string): void => {
  const { html, edits } = cleaning
  const kept = attributes
    .filter(({ name }) => !/^(?:src|data-(?:lazy-)?src)$/.test(name))
    .map((attribute) => cleanAttribute(cleaning, 'iframe', attribute))
  const name = html.slice(tag.start + 1, tag.nameEnd)
  const text = `<${name} src="${escapeAttribute(src)}"${kept.join('')}${isSlashed(html, tag)}>`
  edits.push({ start: tag.start, end: tag.end, text })
}

const judge = (
  cleaning: Cleaning,
  name: string,
  attributes: readonly SourceAttribute[],
  isPlayer: boolean,
): Verdict => {
  const verdict = cleaning.math
    ? judgeMath(name)
    : name === 'math'
      ? 'stays'
      : judgeElement(name, rawOf(attributes, 'src'), isPlayer)
  const isHidden = verdict === 'unwrapped' && attributes.some((one) => isHiddenBy(one.name, one.raw))
  return isHidden ? 'dropped' : verdict
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
    tag.name === 'iframe'
      ? playerAddress(rawOf(attributes, 'src'), rawOf(attributes, 'data-src', 'data-lazy-src'))
      : undefined
  // Readers that know no MathML would not end an empty formula where its tag does.
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

/** Ends a formula; one that something else ends goes: readers disagree about what it holds. */
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

/** Returns the reason for which markup other than an element is removed; undefined if it stays. */
const markupFault = (html: string, event: HtmlEvent & { kind: 'doctype' | 'comment' | 'text' }): string | undefined => {
  // Only readers that know MathML end it where it ends.
  if (event.kind === 'text') return event.mode === 'cdata' ? 'CDATA section' : undefined
  if (event.kind === 'doctype') return '<!doctype>'
  const text = html.slice(event.start, event.end)
  // Internet Explorer and mail programs read the markup in these: `<!--[if …]>…<![endif]-->`, `<![if …]>`.
  if (/^<!(--)?\s*\[\s*(if|endif)\b/i.test(text) || /<!\s*\[\s*endif\b/i.test(text)) return 'conditional comment'
  // Readers disagree about where these end.
  return event.isRegular ? undefined : 'malformed comment'
}

/** Returns one reading of a fragment: the source without what must go, or why it is refused. */
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

/** Text in `removed` for the element around a picture for readers without scripts. */
export const NOSCRIPT = '<noscript> (its picture stays)'

/** Readings after which a fragment that still changes is refused. */
const MAX_READINGS = 8

/**
 * Makes an HTML fragment safe by an allow-list of elements, attributes and URL schemes.
 *
 * A fragment that needs no change comes back byte for byte. Otherwise `removed` names what was taken out, and what was closed
 * because it was left open.
 *
 * A fragment is refused if it nests more than 64 elements, or ends inside a tag, a comment or an unclosed raw-text element.
 * Such an element would swallow the rest of the page.
 *
 * The result is read again until a reading finds nothing. Taking an element out can make a tag of the text around it (`<<x>img
 * …>`), and a removed `svg` no longer decides how a browser reads what follows it.
 */
export const sanitizeHtml = (given: string): Sanitized => {
  const removed = new Set<string>()
  const shown = showNoscriptPictures(given)
  if (shown.found > 0) removed.add(NOSCRIPT)
  let { html } = shown
  for (let reading = 0; reading < MAX_READINGS; reading += 1) {
    const found = new Set<string>()
    const cleaned = cleanOnce(html, found)
    if (typeof cleaned === 'string') return { kind: 'refused', fault: cleaned }
    const balanced = found.size === 0 ? balance(html) : undefined
    if (balanced?.done.length === 0) return { kind: 'clean', html, removed: [...removed] }
    for (const what of balanced?.done ?? found) removed.add(what)
    html = (balanced ?? cleaned).html
  }
  return { kind: 'refused', fault: 'unsettled' }
}

/** Returns the safe HTML alone; undefined when the fragment is refused. */
export const safeHtml = (given: string): string | undefined => {
  const safe = sanitizeHtml(given)
  return safe.kind === 'clean' ? safe.html : undefined
}
