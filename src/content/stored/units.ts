import { topBlocks } from '../html/blocks.ts'
import { type Block, readBlocks } from './blocks.ts'
import { isPlain, keptFigure } from './kept.ts'
import { keyOf, shows, type Token, tokensOf } from './tokens.ts'

/** Stored text of HTML, with or without the delimiters of blocks. */
export type StoredText = { format: 'blocks' | 'classic' | 'html'; text: string }

/** Part of a rendered text, and the place in the stored text that it comes from. `isExact`: it is that place, byte for byte. */
export type Piece = { html: string; start: number; end: number; isExact: boolean }

/** Block that the site’s editor has and HTML does not: kept as it is. */
type KeptBlock = { id: string; label: string }

/** Block of a stored text at one level, with the HTML that callers read of it. */
export type Unit = {
  start: number
  end: number
  pieces: Piece[]
  html: string
  tokens: Token[]
  key: string
  /** Set for a block that is kept as it is. */
  kept?: KeptBlock
  /** The block of WordPress that it is; absent for HTML without delimiters. */
  block?: Block
  /** Units of the blocks in it. */
  inner?: Unit[]
}

/** A stored text with its blocks that show something, in order. What shows nothing is between them. */
export type ReadText = { units: Unit[]; kept: ReadonlyMap<string, { start: number; end: number; label: string }> }

/** Blocks of WordPress whose text is in their HTML. All others are kept as they are. */
const TEXT_BLOCKS = new Set([
  ...['paragraph', 'heading', 'list', 'list-item', 'quote', 'pullquote', 'preformatted', 'verse', 'code', 'table'],
  ...['image', 'separator', 'spacer', 'group', 'columns', 'column', 'media-text', 'details', 'buttons', 'button'],
])

const LABELS: Record<string, string> = {
  block: 'Synced pattern',
  embed: 'Embed',
  file: 'File',
  footnotes: 'Footnotes',
  gallery: 'Gallery',
  html: 'HTML',
  more: 'Read more',
  nextpage: 'Page break',
  shortcode: 'Shortcode',
}

const labelOf = (name: string): string => LABELS[name] ?? name

type Place = { start: number; end: number }

type Reading = {
  text: string
  kept: Map<string, { start: number; end: number; label: string }>
  /** Number of kept blocks with the same source. */
  seen: Map<string, number>
}

const keepPiece = (reading: Reading, start: number, end: number, label: string): { piece: Piece; kept: KeptBlock } => {
  const source = reading.text.slice(start, end)
  const { id, html } = keptFigure(reading.seen, source, label, source)
  reading.kept.set(id, { start, end, label })
  return { piece: { html, start, end, isExact: false }, kept: { id, label } }
}

const exact = (text: string, start: number, end: number): Piece => ({
  html: text.slice(start, end),
  start,
  end,
  isExact: true,
})

/** True if a block's text comes from somewhere else, such as a custom field. */
const isBound = ({ attributes }: Block): boolean => attributes.includes('"bindings"')

const isKept = (block: Block): boolean => block.isVoid || !TEXT_BLOCKS.has(block.name) || isBound(block)

const unitOf = (
  start: number,
  end: number,
  pieces: Piece[],
  more: Pick<Unit, 'kept' | 'block' | 'inner'> = {},
): Unit => {
  const html = pieces.map((piece) => piece.html).join('')
  const tokens = tokensOf(html)
  return { start, end, pieces, html, tokens, key: keyOf(tokens), ...more }
}

const keepUnit = (reading: Reading, start: number, end: number, label: string, block?: Block): Unit => {
  const { piece, kept } = keepPiece(reading, start, end, label)
  return unitOf(start, end, [piece], { kept, ...(block ? { block } : {}) })
}

/** Returns a unit; the whole of it is kept if callers would not see all of it. */
const unitOrKept = (
  reading: Reading,
  { start, end }: Place,
  pieces: Piece[],
  label: string,
  more: Pick<Unit, 'block' | 'inner'> = {},
): Unit => {
  const unit = unitOf(start, end, pieces, more)
  if (isPlain(unit.html)) return unit
  for (const { kind, name } of unit.tokens) if (kind === 'kept') reading.kept.delete(name)
  return keepUnit(reading, start, end, label, more.block)
}

/** Returns the unit of a block. Its HTML has no delimiters, and kept blocks in it are elements of their own. */
const unitOfBlock = (reading: Reading, block: Block): Unit => {
  const label = labelOf(block.name)
  if (isKept(block)) return keepUnit(reading, block.start, block.end, label, block)
  const pieces: Piece[] = []
  const inner: Unit[] = []
  let at = block.innerStart
  for (const one of block.blocks) {
    const unit = unitOfBlock(reading, one)
    pieces.push(exact(reading.text, at, one.start), ...unit.pieces)
    inner.push(unit)
    at = one.end
  }
  pieces.push(exact(reading.text, at, block.innerEnd))
  const shown = pieces.filter(({ html }) => html !== '')
  const unit = unitOrKept(reading, block, shown, label, { block, inner: inner.filter(({ tokens }) => shows(tokens)) })
  // A list has nothing but items.
  const isBroken = block.name === 'list' && unit.kept === undefined && inner.some(({ kept }) => kept)
  if (!isBroken) return unit
  for (const { kept } of inner) if (kept) reading.kept.delete(kept.id)
  return keepUnit(reading, block.start, block.end, label, block)
}

const SHORTCODE = /\[(\[?)([a-z][\w-]*)(?=[\s\]])[^[\]]*\]/gi

/** Returns the places of shortcodes that enclose a text. */
const enclosing = (text: string): { name: string; start: number; end: number }[] => {
  const places: { name: string; start: number; end: number }[] = []
  const alone = new Set<string>()
  let from = 0
  for (const found of text.matchAll(SHORTCODE)) {
    const name = found[2] ?? ''
    if (found.index < from || found[1] !== '' || alone.has(name)) continue
    const close = `[/${name}]`
    const at = text.indexOf(close, found.index)
    if (at < 0) alone.add(name)
    else {
      from = at + close.length
      places.push({ name, start: found.index, end: from })
    }
  }
  return places
}

const LINE_END = /\r?\n/g
const BLANK_LINES = /\r?\n[ \t\r]*\n\s*/g

/** Returns the paragraph that a site shows of bare text. `isLines`: its lines stay lines, as in WordPress. */
const paragraphOf = (text: string, start: number, end: number, isLines: boolean): Piece[] => {
  const pieces: Piece[] = [{ html: '<p>', start, end: start, isExact: false }]
  let at = start
  for (const found of isLines ? text.slice(start, end).matchAll(LINE_END) : []) {
    const line = start + found.index
    pieces.push(exact(text, at, line))
    at = line + found[0].length
    pieces.push({ html: '<br>\n', start: line, end: at, isExact: false })
  }
  pieces.push(exact(text, at, end), { html: '</p>', start: end, end, isExact: false })
  return pieces.filter(({ html }) => html !== '')
}

const trimmed = (text: string, { start, end }: Place): Place => {
  const part = text.slice(start, end)
  return { start: start + part.length - part.trimStart().length, end: end - (part.length - part.trimEnd().length) }
}

/** Returns the places of the paragraphs of bare lines. */
const paragraphsIn = (text: string, { start, end }: Place): Place[] => {
  const places: Place[] = []
  let at = start
  for (const found of text.slice(start, end).matchAll(BLANK_LINES)) {
    places.push({ start: at, end: start + found.index })
    at = start + found.index + found[0].length
  }
  places.push({ start: at, end })
  return places.map((place) => trimmed(text, place)).filter((place) => place.end > place.start)
}

const IN_LINE =
  /^<(?:!--|\/?(?:a|abbr|b|bdi|bdo|br|cite|code|data|del|dfn|em|font|i|img|ins|kbd|mark|q|s|samp|small|span|strong|sub|sup|time|u|var|wbr)\b)/i

const startsInLine = (html: string): boolean => !html.startsWith('<') || IN_LINE.test(html)

/** A shortcode that stands alone. */
const ALONE = /^\[([a-z][\w-]*)(?:\s[^[\]]*)?\]$/i

/** Returns a text with other characters in these places, so that its parts are found without looking into them. */
const masked = (text: string, places: readonly Place[]): string => {
  const parts: string[] = []
  let at = 0
  for (const { start, end } of places) {
    parts.push(text.slice(at, start), 'x'.repeat(end - start))
    at = end
  }
  return [...parts, text.slice(at)].join('')
}

/** Returns the units of a text without delimiters. `isBare`: its lines are paragraphs, and it may have shortcodes. */
const unitsOfHtml = (reading: Reading, from: number, to: number, isBare: boolean): Unit[] => {
  const text = reading.text.slice(from, to)
  const codes = isBare ? enclosing(text) : []
  const shown = masked(text, codes)
  const units: Unit[] = []
  let at = 0
  let next = 0
  for (const [html, gap] of topBlocks(shown)) {
    const place = trimmed(shown, { start: at, end: at + html.length })
    at += html.length + gap.length
    const isInLine = startsInLine(shown.slice(place.start, place.start + 20))
    const isLines = isBare && isInLine
    for (const { start, end } of isLines ? paragraphsIn(shown, place) : [place]) {
      while ((codes[next]?.end ?? Number.POSITIVE_INFINITY) <= start) next += 1
      const code = codes[next]
      const name = code && code.start < end ? code.name : isBare && ALONE.exec(text.slice(start, end))?.[1]
      const [first, last] = [from + start, from + end]
      if (name) units.push(keepUnit(reading, first, last, `Shortcode ${name}`))
      else {
        const pieces = isInLine ? paragraphOf(reading.text, first, last, isLines) : [exact(reading.text, first, last)]
        units.push(unitOrKept(reading, { start: first, end: last }, pieces, 'HTML'))
      }
    }
  }
  return units
}

/** Reads a stored text. Undefined if its blocks do not nest, so that no part of it can be changed safely. */
export const readStored = ({ format, text }: StoredText): ReadText | undefined => {
  const reading: Reading = { text, kept: new Map(), seen: new Map() }
  const units: Unit[] = []
  if (format === 'blocks') {
    const blocks = readBlocks(text)
    if (!blocks) return undefined
    let at = 0
    for (const block of blocks) {
      units.push(...unitsOfHtml(reading, at, block.start, true), unitOfBlock(reading, block))
      at = block.end
    }
    units.push(...unitsOfHtml(reading, at, text.length, true))
  } else units.push(...unitsOfHtml(reading, 0, text.length, format === 'classic'))
  return { units: units.filter(({ tokens }) => shows(tokens)), kept: reading.kept }
}
