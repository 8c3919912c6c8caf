import {
  BOUNDARY,
  CLOSES,
  ENDS_FOREIGN,
  ENDS_PARAGRAPH,
  HEADING,
  HOLDS_HTML,
  MAX_DEPTH,
  TABLE_PARTS,
  VOID,
} from './elements.ts'
import { type TagToken, type Token, tokenReader } from './tokens.ts'

/**
 * Event in the reading of a source.
 *
 * An element that opens as a `leaf` has no `close`: it is void, or nested too deep (`isTooDeep`), and its content counts as its
 * parent's. A `close` without `tag` is implied; `at` is the end of the content in the source, `end` that of the element.
 */
export type HtmlEvent =
  | { kind: 'open'; tag: TagToken; isLeaf: boolean; isTooDeep: boolean }
  | { kind: 'close'; name: string; at: number; end: number; tag: TagToken | undefined }
  | { kind: 'stray'; tag: TagToken }
  | Exclude<Token, { kind: 'start' | 'end' }>

type Open = { name: string; isForeign: boolean; holdsHtml: boolean }

const isInForeign = (top: Open | undefined): boolean => top?.isForeign === true && !top.holdsHtml

/** Returns the place of the innermost open element of these names; -1 when an element of `within` or a boundary is before it. */
const findOpen = (stack: readonly Open[], names: readonly string[], stop: (name: string) => boolean): number => {
  for (let at = stack.length - 1; at >= 0; at -= 1) {
    const { name } = stack[at] as Open
    if (names.includes(name)) return at
    if (stop(name)) return -1
  }
  return -1
}

const isBoundary = (name: string): boolean => BOUNDARY.has(name)

/** Down to where an element that begins closes others; the stack's height when it closes none. */
const impliedCut = (stack: readonly Open[], name: string): number => {
  let cut = stack.length
  if (ENDS_PARAGRAPH.has(name)) {
    const at = findOpen(stack, ['p'], isBoundary)
    if (at >= 0) cut = at
  }
  const closes = Object.hasOwn(CLOSES, name) ? CLOSES[name] : undefined
  if (!closes) return cut
  const stop = TABLE_PARTS.has(name) ? (other: string) => other === 'table' : isBoundary
  const at = findOpen(stack, closes.tags, (other) => closes.within.includes(other) || stop(other))
  return at >= 0 ? Math.min(cut, at) : cut
}

const endCut = (stack: readonly Open[], name: string): number => {
  const at = findOpen(stack, [name], TABLE_PARTS.has(name) ? () => false : isBoundary)
  // The end tag of any heading ends the one that is open (13.2.6.4.7).
  return at < 0 && HEADING.has(name) ? findOpen(stack, [...HEADING], isBoundary) : at
}

const foreignCut = (stack: readonly Open[]): number => {
  let cut = stack.length
  while (cut > 0 && isInForeign(stack[cut - 1])) cut -= 1
  return cut
}

/** Returns an element as it is opened by its start tag; undefined when it has no content. */
const opened = (tag: TagToken, isForeign: boolean): Open | undefined => {
  const { name } = tag
  const isRoot = name === 'svg' || name === 'math'
  if ((isForeign || isRoot) && tag.isSelfClosing) return undefined
  if (isForeign) return { name, isForeign, holdsHtml: HOLDS_HTML.has(name) }
  return VOID.has(name) ? undefined : { name, isForeign: isRoot, holdsHtml: false }
}

function* closeTo(stack: Open[], cut: number, at: number): Generator<HtmlEvent, void> {
  while (stack.length > cut) {
    const { name } = stack.pop() as Open
    yield { kind: 'close', name, at, end: at, tag: undefined }
  }
}

function* openTag(stack: Open[], deeper: Map<string, number>, tag: TagToken): Generator<HtmlEvent, void> {
  if (isInForeign(stack.at(-1)) && ENDS_FOREIGN.has(tag.name)) yield* closeTo(stack, foreignCut(stack), tag.start)
  const isForeign = isInForeign(stack.at(-1))
  if (!isForeign) yield* closeTo(stack, impliedCut(stack, tag.name), tag.start)
  if (stack.length < MAX_DEPTH) deeper.clear()
  const element = opened(tag, isForeign)
  const isTooDeep = element !== undefined && stack.length >= MAX_DEPTH
  yield { kind: 'open', tag, isLeaf: element === undefined || isTooDeep, isTooDeep }
  if (isTooDeep) deeper.set(tag.name, (deeper.get(tag.name) ?? 0) + 1)
  else if (element) stack.push(element)
}

function* endTag(stack: Open[], deeper: Map<string, number>, tag: TagToken): Generator<HtmlEvent, void> {
  const flattened = deeper.get(tag.name) ?? 0
  const cut = flattened > 0 ? -1 : endCut(stack, tag.name)
  if (flattened > 0) deeper.set(tag.name, flattened - 1)
  if (cut < 0) {
    yield { kind: 'stray', tag }
    return
  }
  yield* closeTo(stack, cut + 1, tag.start)
  const { name } = stack.pop() as Open
  if (stack.length < MAX_DEPTH) deeper.clear()
  yield { kind: 'close', name, at: tag.start, end: tag.end, tag }
}

/**
 * Reads an HTML source as nested elements, at most 64 deep; deeper ones are flattened. End tags may be left out where HTML
 * lets them. Takes time in proportion to the source and memory for its depth, whatever it holds. Never throws.
 */
export function* readEvents(html: string): Generator<HtmlEvent, void> {
  const reader = tokenReader(html)
  const stack: Open[] = []
  /** Number of open flattened elements of each name. */
  const deeper = new Map<string, number>()
  for (let token = reader.next(false); token; token = reader.next(stack.at(-1)?.isForeign === true)) {
    if (token.kind === 'start') yield* openTag(stack, deeper, token)
    else if (token.kind === 'end') yield* endTag(stack, deeper, token)
    else yield token
  }
  yield* closeTo(stack, 0, html.length)
}
