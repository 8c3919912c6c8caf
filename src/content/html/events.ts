import { type TagToken, type Token, tokenReader } from './tokens.ts'

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '))

/** Most nested elements. Deeper elements are flattened. */
const MAX_DEPTH = 64

/** Elements that never have content (HTML standard, 13.1.2). */
export const VOID = words(
  'area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr',
)

/** Elements within a word or sentence, which they do not end. */
export const INLINE = words(
  'a abbr b bdi bdo cite code data del dfn em font i ins kbd mark q s samp small span strike strong sub sup time tt u var wbr',
)

/** Elements whose start ends an open paragraph (13.2.6.4.7). */
export const ENDS_PARAGRAPH = words(
  'address article aside blockquote center details dialog dir div dl dd dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr li listing main menu nav ol p plaintext pre search section summary table ul xmp',
)

/** Open elements that an element's start tag closes, and the ancestors that limit this. */
const CLOSES: Record<string, { tags: readonly string[]; within: readonly string[] }> = {
  li: { tags: ['li'], within: ['ul', 'ol', 'menu'] },
  dt: { tags: ['dt', 'dd'], within: ['dl'] },
  dd: { tags: ['dt', 'dd'], within: ['dl'] },
  rt: { tags: ['rt', 'rp'], within: ['ruby'] },
  rp: { tags: ['rt', 'rp'], within: ['ruby'] },
  option: { tags: ['option'], within: ['select', 'datalist'] },
  optgroup: { tags: ['optgroup', 'option'], within: ['select'] },
  a: { tags: ['a'], within: [] },
  body: { tags: ['head'], within: [] },
  tr: { tags: ['tr', 'caption', 'colgroup'], within: ['thead', 'tbody', 'tfoot'] },
  td: { tags: ['td', 'th'], within: ['tr'] },
  th: { tags: ['td', 'th'], within: ['tr'] },
  thead: { tags: ['thead', 'tbody', 'tfoot', 'caption', 'colgroup'], within: [] },
  tbody: { tags: ['thead', 'tbody', 'tfoot', 'caption', 'colgroup'], within: [] },
  tfoot: { tags: ['thead', 'tbody', 'tfoot', 'caption', 'colgroup'], within: [] },
}

/** Ancestors that an implied end does not cross. Neither does an end tag, except one of a table part. */
const BOUNDARY = words('table td th caption template html object applet marquee')
const TABLE_PARTS = words('table thead tbody tfoot tr td th caption colgroup template html body object applet marquee')

/** HTML elements that end SVG and MathML if they start inside (13.2.6.5). */
const ENDS_FOREIGN = words(
  'b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul var',
)

/** Elements of SVG and MathML that contain HTML (13.2.6 and the integration points of 13.2.6.5). */
const HOLDS_HTML = words('foreignobject desc title mi mo mn ms mtext annotation-xml')

export const HEADING = words('h1 h2 h3 h4 h5 h6')

/**
 * Event while reading HTML.
 *
 * An element that opens as a leaf has no `close`: it is void, or nested too deep (`isTooDeep`). The content of a too deep
 * element counts as its parent's.
 *
 * A `close` without `tag` is implied. `at` is the end of the content in the source, `end` the end of the element.
 */
export type HtmlEvent =
  | { kind: 'open'; tag: TagToken; isLeaf: boolean; isTooDeep: boolean }
  | { kind: 'close'; name: string; at: number; end: number; tag: TagToken | undefined }
  | { kind: 'stray'; tag: TagToken }
  | Exclude<Token, { kind: 'start' | 'end' }>

type Open = { name: string; isForeign: boolean; holdsHtml: boolean }

const isInForeign = (top: Open | undefined): boolean => top?.isForeign === true && !top.holdsHtml

/** Returns the index of the innermost open element with one of the names; -1 if `stop` is true for an element inside it. */
const findOpen = (stack: readonly Open[], names: readonly string[], stop: (name: string) => boolean): number => {
  for (let at = stack.length - 1; at >= 0; at -= 1) {
    const { name } = stack[at] as Open
    if (names.includes(name)) return at
    if (stop(name)) return -1
  }
  return -1
}

const isBoundary = (name: string): boolean => BOUNDARY.has(name)

/** Returns the stack height to which a start tag closes open elements; the present height if it closes none. */
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
  // An end tag of any heading ends the open heading (13.2.6.4.7).
  return at < 0 && HEADING.has(name) ? findOpen(stack, [...HEADING], isBoundary) : at
}

const foreignCut = (stack: readonly Open[]): number => {
  let cut = stack.length
  while (cut > 0 && isInForeign(stack[cut - 1])) cut -= 1
  return cut
}

/** Returns the open element of a start tag; undefined if it has no content. */
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
 * Reads HTML as nested elements, at most 64 deep. Deeper elements are flattened, and optional end tags may be missing.
 *
 * The time is proportional to the source, the memory to its depth. Never throws.
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

/** Start and end of an element in the source. */
export type Place = { name: string; start: number; end: number }

/**
 * Returns the outermost elements with these names, in order. Leaves out those within an element for which `isTaken` is true.
 */
export const outermost = (
  html: string,
  names: ReadonlySet<string>,
  isTaken: (event: HtmlEvent & { kind: 'open' }) => boolean = () => false,
): Place[] => {
  const places: Place[] = []
  /** State of each open element: its start if it is in the result, `within` inside such or taken elements, or `no`. */
  const open: ('no' | 'within' | number)[] = []
  for (const event of readEvents(html)) {
    if (event.kind === 'open' && !event.isLeaf) {
      const isWithin = (open.at(-1) ?? 'no') !== 'no'
      const counts = !isWithin && names.has(event.tag.name)
      open.push(counts ? event.tag.start : isWithin || isTaken(event) ? 'within' : 'no')
    } else if (event.kind === 'close') {
      const start = open.pop()
      if (typeof start === 'number') places.push({ name: event.name, start, end: event.end })
    }
  }
  return places
}

/** Returns the HTML with `before` and `after` around each place. */
export const wrapPlaces = (html: string, places: readonly Place[], before: string, after: string): string => {
  let at = 0
  const parts = places.map(({ start, end }) => {
    const part = `${html.slice(at, start)}${before}${html.slice(start, end)}${after}`
    at = end
    return part
  })
  return parts.join('') + html.slice(at)
}
