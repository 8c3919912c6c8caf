import type { TableRow } from './table.ts'

/** Mark of a run of text, such as bold. `name` is the preferred element: both `<b>` and `<strong>` are `strong`. */
export type Mark = { name: string; href?: string; title?: string }

/** Piece of a line: text, a break, a picture or a player, with the marks around it. */
export type Leaf = { marks: readonly Mark[] } & (
  | { kind: 'text' | 'code'; text: string }
  | { kind: 'break' }
  | { kind: 'image'; src: string; alt: string; title: string }
  | { kind: 'player'; tag: string; src: string; title: string }
)

/** Table as rows of cells, each with its own blocks. */
export type TableBlock = { kind: 'table'; rows: TableRow<Block[]>[] }

/**
 * Block of a document. An inline element around blocks becomes a mark on the text of each block.
 *
 * A list is stray if its items were outside of any list. `terms` is a `<dl>`; the `tag` of an item is `dt` or `dd`.
 */
export type Block =
  | { kind: 'paragraph'; line: Leaf[] }
  | { kind: 'heading'; level: number; line: Leaf[] }
  | { kind: 'list'; isOrdered: boolean; start: number; items: Block[][]; isStray: boolean }
  | { kind: 'quote'; blocks: Block[] }
  | { kind: 'code'; language: string; text: string }
  | { kind: 'rule' }
  | { kind: 'figure'; image: Leaf; caption: Leaf[] }
  | { kind: 'details'; summary: Leaf[]; blocks: Block[] }
  | { kind: 'terms'; items: { tag: string; blocks: Block[] }[] }
  | TableBlock

/** True if readers see the leaf: anything but a break or whitespace. */
export const isVisible = (leaf: Leaf): boolean =>
  leaf.kind !== 'break' && (leaf.kind !== 'text' || /\S/.test(leaf.text))

/** True if two marks are the same element, or have the same name and are not links. */
export const isSame = (a: Mark, b: Mark): boolean => a === b || (a.name === b.name && a.name !== 'a')

const marksAlike = (a: readonly Mark[], b: readonly Mark[]): boolean =>
  a === b || (a.length === b.length && a.every((mark, n) => isSame(mark, b[n] ?? mark)))

/** Joins neighbouring leaves of the same kind with the same marks. */
const joined = (run: readonly Leaf[]): Leaf[] => {
  const line: Leaf[] = []
  for (const leaf of run) {
    const last = line.at(-1)
    const isText = leaf.kind === 'text' || leaf.kind === 'code'
    if (isText && last?.kind === leaf.kind && marksAlike(last.marks, leaf.marks)) last.text += leaf.text
    else line.push({ ...leaf })
  }
  return line
}

/** Moves whitespace at the ends of code out of it, as text. */
const bareCode = (leaf: Leaf): Leaf[] => {
  if (leaf.kind !== 'code') return [leaf]
  const text = leaf.text.replace(/\s+/g, ' ')
  const inner = text.trim()
  const blank: Leaf = { kind: 'text', text: ' ', marks: leaf.marks }
  if (inner === '') return [blank]
  return [...(text.startsWith(' ') ? [blank] : []), { ...leaf, text: inner }, ...(text.endsWith(' ') ? [blank] : [])]
}

/** Returns a line with whitespace collapsed as in browsers, equal neighbours joined, and no whitespace at its ends. */
export const tidy = (run: readonly Leaf[]): Leaf[] => {
  const line: Leaf[] = []
  let isAfterBlank = true
  for (const leaf of joined(joined(run).flatMap(bareCode))) {
    const last = line.at(-1)
    if (leaf.kind === 'text') {
      const text = leaf.text.replace(/[ \t\n\f\r]+/g, ' ').slice(isAfterBlank && /^[ \t\n\f\r]/.test(leaf.text) ? 1 : 0)
      if (text === '') continue
      isAfterBlank = text.endsWith(' ')
      line.push({ ...leaf, text })
      continue
    }
    if (leaf.kind === 'break' && last?.kind === 'text') last.text = last.text.replace(/ $/, '')
    isAfterBlank = leaf.kind === 'break'
    line.push(leaf)
  }
  const start = line.findIndex(isVisible)
  if (start < 0) return []
  const trimmed = line.slice(start, line.findLastIndex(isVisible) + 1)
  const first = trimmed[0]
  const end = trimmed.at(-1)
  if (first?.kind === 'text') first.text = first.text.trimStart()
  if (end?.kind === 'text') end.text = end.text.trimEnd()
  return trimmed
}

/** Returns blocks as one line, with breaks between them. */
export const asLine = (blocks: readonly Block[]): Leaf[] =>
  blocks.flatMap((block, n): Leaf[] => [...(n > 0 ? [{ kind: 'break', marks: [] } as const] : []), ...lineOf(block)])

const codeLine = (text: string): Leaf[] =>
  text
    .split('\n')
    .flatMap((line, n): Leaf[] => [
      ...(n > 0 ? [{ kind: 'break', marks: [] } as const] : []),
      ...(line.trim() === '' ? [] : [{ kind: 'code', text: line.trim(), marks: [] } as const]),
    ])

const lineOf = (block: Block): Leaf[] => {
  switch (block.kind) {
    case 'paragraph':
    case 'heading':
      return block.line
    case 'list':
      return asLine(block.items.flat())
    case 'quote':
      return asLine(block.blocks)
    case 'code':
      return codeLine(block.text)
    case 'rule':
      return []
    case 'figure':
      return [
        block.image,
        ...(block.caption.length > 0 ? [{ kind: 'break', marks: [] } as const] : []),
        ...block.caption,
      ]
    case 'details':
      return asLine([{ kind: 'paragraph', line: block.summary }, ...block.blocks])
    case 'terms':
      return asLine(block.items.flatMap((item) => item.blocks))
    case 'table':
      return block.rows.flatMap(({ cells }, n): Leaf[] => [
        ...(n > 0 ? [{ kind: 'break', marks: [] } as const] : []),
        ...cells
          .flatMap((cell) => (cell && cell.content.length > 0 ? [asLine(cell.content)] : []))
          .flatMap((line, at): Leaf[] => [
            ...(at > 0 ? [{ kind: 'text', text: ' ', marks: [] } as const] : []),
            ...line,
          ]),
      ])
  }
}
