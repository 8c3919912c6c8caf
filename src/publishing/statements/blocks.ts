import { INLINE, readEvents } from '../../content/html/events.ts'
import { decodeReferences } from '../../content/html/references.ts'
import { attributesOf } from '../../content/html/tags.ts'
import { KEPT } from '../../content/stored/tokens.ts'

/**
 * Part of a block's text, and its place in the source. `isExact`: each of its characters is one character of the source.
 *
 * `isAfterTag`: markup is between it and the part before, or it is markup itself.
 */
type Piece = { at: number; length: number; start: number; end: number; isExact: boolean; isAfterTag: boolean }

/**
 * Text of a paragraph, heading, cell or other block, as readers see it, with the places of its characters in the source.
 *
 * `isKept`: it is the preview of a block that only the site's editor can change.
 */
export type Block = { text: string; pieces: readonly Piece[]; isKept: boolean }

/** Elements whose content is no text of the article. */
const UNSEEN = new Set('script style template noscript textarea title svg math iframe head'.split(' '))

/** Parts of a source that readers see otherwise: references, whitespace other than a space, and invisible characters. */
const OTHERWISE = /&[#a-z0-9]+;?|[ \t\n\r\f]{2,}|[\t\n\r\f]|[\u00ad\u200b\u2060\ufeff]+/gi

/** Returns a plain text, such as a title, as a block. */
export const blockOfText = (text: string): Block => ({
  text,
  pieces: [{ at: 0, length: text.length, start: 0, end: text.length, isExact: true, isAfterTag: false }],
  isKept: false,
})

type Open = { text: string; pieces: Piece[]; isKept: boolean; isAfterTag: boolean; endsInSpace: boolean }
type Source = { start: number; end: number; isExact: boolean }

const add = (open: Open, text: string, { start, end, isExact }: Source): void => {
  // Whitespace after whitespace is not seen.
  const from = /^\s/.test(text) && open.endsInSpace ? 1 : 0
  const seen = text.slice(from)
  if (seen === '') return
  const { isAfterTag } = open
  open.pieces.push({
    at: open.text.length,
    length: seen.length,
    start: isExact ? start + from : start,
    end,
    isExact,
    isAfterTag,
  })
  open.text += seen
  open.endsInSpace = /\s/.test(seen.at(-1) ?? '')
  open.isAfterTag = false
}

const seenAs = (part: string): string => {
  if (part.startsWith('&')) return decodeReferences(part).replace(/[\u00ad\u200b\u2060\ufeff]/g, '')
  return /\s/.test(part) ? ' ' : ''
}

const addSource = (open: Open, html: string, start: number, end: number): void => {
  let at = start
  for (const { 0: part, index } of html.slice(start, end).matchAll(OTHERWISE)) {
    const from = start + index
    add(open, html.slice(at, from), { start: at, end: from, isExact: true })
    at = from + part.length
    add(open, seenAs(part), { start: from, end: at, isExact: false })
  }
  add(open, html.slice(at, end), { start: at, end, isExact: true })
}

const emptyBlock = (isKept: boolean): Open => ({
  text: '',
  pieces: [],
  isKept,
  isAfterTag: false,
  endsInSpace: false,
})

/** Returns the blocks of an HTML text that have words. Inline elements are within a block; a line break is a space. */
export const blocksOf = (html: string): Block[] => {
  const blocks: Block[] = []
  let open = emptyBlock(false)
  let [unseen, kept] = [0, 0]
  const stack: { isUnseen: boolean; isKept: boolean }[] = []
  const separate = (name: string): void => {
    if (INLINE.has(name)) {
      open.isAfterTag = true
      return
    }
    if (/\S/.test(open.text)) blocks.push(open)
    open = emptyBlock(kept > 0)
  }
  for (const event of readEvents(html)) {
    if (event.kind === 'open' && event.tag.name === 'br') {
      open.isAfterTag = true
      add(open, ' ', { ...event.tag, isExact: false })
      open.isAfterTag = true
    } else if (event.kind === 'open') {
      const { name } = event.tag
      const isKept = !event.isLeaf && name === 'figure' && attributesOf(html, event.tag).has(KEPT)
      if (isKept) kept += 1
      separate(name)
      if (event.isLeaf) continue
      const isUnseen = UNSEEN.has(name)
      stack.push({ isUnseen, isKept })
      if (isUnseen) unseen += 1
    } else if (event.kind === 'close') {
      const closed = stack.pop()
      if (closed?.isUnseen) unseen -= 1
      if (closed?.isKept) kept -= 1
      separate(event.name)
    } else if (event.kind === 'text' && event.mode === 'text') {
      if (unseen === 0) addSource(open, html, event.start, event.end)
    } else open.isAfterTag = true
  }
  separate('')
  return blocks
}

/** Returns the number of the last piece that begins before a position in the text, which is 1 or more. */
const lastBefore = (pieces: readonly Piece[], position: number): number => {
  let [low, high] = [0, pieces.length - 1]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((pieces[middle]?.at ?? 0) < position) low = middle
    else high = middle - 1
  }
  return low
}

/** Returns the place in the source of a part of a block's text; undefined if markup is within it. */
export const placeIn = ({ pieces }: Block, from: number, to: number): { start: number; end: number } | undefined => {
  if (from === to) {
    const piece = pieces[lastBefore(pieces, from)]
    if (!piece) return undefined
    const at = piece.isExact ? piece.start + from - piece.at : from > piece.at ? piece.end : piece.start
    return { start: at, end: at }
  }
  const within = pieces.slice(lastBefore(pieces, from + 1), lastBefore(pieces, to) + 1)
  const [first, last] = [within[0], within.at(-1)]
  if (!first || !last || within.slice(1).some(({ isAfterTag }) => isAfterTag)) return undefined
  return {
    start: first.isExact ? first.start + from - first.at : first.start,
    end: last.isExact ? last.start + to - last.at : last.end,
  }
}
