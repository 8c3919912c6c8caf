import { INLINE, readEvents } from './events.ts'

/** Top-level block of a text: its source, and the whitespace after it. */
export type TopBlock = readonly [html: string, gap: string]

const IN_LINE = new Set([...INLINE, 'br', 'img'])

const BLANK = ' \t\r\n\f'

const isBlank = (html: string, start: number, end: number): boolean => {
  let at = start
  while (at < end && BLANK.includes(html.charAt(at))) at += 1
  return at === end
}

/**
 * Splits HTML into its top-level blocks, in order. Joined, the sources and whitespace give the HTML again.
 *
 * Consecutive inline elements and text without a block around them are one block.
 */
export const topBlocks = (html: string): TopBlock[] => {
  const starts: number[] = []
  let depth = 0
  let isInLine = false
  const begin = (at: number, isInline: boolean): void => {
    if (depth > 0 || (isInline && isInLine)) return
    starts.push(at)
    isInLine = isInline
  }
  for (const event of readEvents(html)) {
    if (event.kind === 'open') {
      begin(event.tag.start, IN_LINE.has(event.tag.name))
      if (!event.isLeaf) depth += 1
    } else if (event.kind === 'close') depth -= 1
    else if (event.kind !== 'stray' && !isBlank(html, event.start, event.end)) begin(event.start, true)
  }
  if (isBlank(html, 0, html.length)) return []
  // Leading whitespace belongs to the first block.
  starts[0] = 0
  return starts.map((start, n) => {
    const next = starts[n + 1] ?? html.length
    let end = next
    while (end > start && BLANK.includes(html.charAt(end - 1))) end -= 1
    return [html.slice(start, end), html.slice(end, next)]
  })
}
