import { asLine, type Block, type Leaf, type TableBlock } from './blocks.ts'
import { htmlLine, longestTicks, paragraphText, singleLine } from './line.ts'
import { readBlocks } from './read-blocks.ts'
import type { TableCell } from './table.ts'

/** Deepest nesting of quotations and lists that is indented. Deeper ones are not indented further. */
const MAX_NESTING = 16

const indent = (lines: readonly string[], first: string, rest: string): string[] =>
  lines.map((line, n) => (line === '' ? rest.trimEnd() : `${n === 0 ? first : rest}${line}`))

/** Splits a line at two or more consecutive breaks, because a Markdown paragraph ends there. */
const paragraphs = (line: readonly Leaf[]): Leaf[][] => {
  const parts: Leaf[][] = [[]]
  line.forEach((leaf, n) => {
    const isBreak = leaf.kind === 'break'
    if (isBreak && line[n + 1]?.kind === 'break') return
    if (isBreak && line[n - 1]?.kind === 'break') parts.push([])
    else parts.at(-1)?.push(leaf)
  })
  return parts.filter((part) => part.length > 0)
}

const codeLines = (language: string, text: string): string[] => {
  const fence = '`'.repeat(Math.max(3, longestTicks(text) + 1))
  return [`${fence}${language.replaceAll('`', '')}`, ...text.split('\n'), fence]
}

/** Returns a block as one line for a table cell. Lists become HTML, because Markdown has no lists within a line. */
const cellBlock = (block: Block): string => {
  if (block.kind === 'list') {
    const tag = block.isOrdered ? 'ol' : 'ul'
    const start = block.isOrdered && block.start !== 1 ? ` start="${block.start}"` : ''
    return `<${tag}${start}>${block.items.map((item) => `<li>${cellText(item)}</li>`).join('')}</${tag}>`
  }
  return singleLine(asLine([block]))
}

const cellText = (blocks: readonly Block[]): string => blocks.map(cellBlock).filter(Boolean).join('<br>')

const MARK: Record<string, string> = { left: ':---', center: ':---:', right: '---:' }

const tableLines = ({ rows }: TableBlock): string[] => {
  const width = rows.reduce((most, { cells }) => Math.max(most, cells.length), 1)
  const textOf = (cell: TableCell<Block[]> | undefined): string =>
    // The pipe must be escaped everywhere, because cells are split before anything else is read.
    cell ? cellText(cell.content).replaceAll('|', '\\|') : ''
  const [head, ...body] = rows.map(({ cells }) => cells.map(textOf))
  const aligned = Array.from({ length: width }, (_, n) => {
    const align = rows[0]?.cells[n]?.align || rows[1]?.cells[n]?.align
    return MARK[align ?? ''] ?? '---'
  })
  const row = (texts: readonly string[]): string => `| ${texts.join(' | ')} |`
  return [
    row(Array.from({ length: width }, (_, n) => head?.[n] ?? '')),
    row(aligned),
    ...body.map((texts) => row(texts.length > 0 ? texts : [''])),
  ]
}

/** True if a list directly follows its item's paragraph and may begin without an empty line. */
const isTight = (block: Block, before: Block): boolean =>
  block.kind === 'list' && before.kind === 'paragraph' && (!block.isOrdered || block.start === 1)

const itemLines = (item: readonly Block[], mark: string, depth: number): string[] => {
  const [first] = item
  // `- ---` would be only a rule.
  const lines = blockLines(item, depth, true).map((line, n) => (n === 0 && first?.kind === 'rule' ? '***' : line))
  if (lines.length === 0) return [`${mark}<!-- -->`]
  return depth > MAX_NESTING ? indent(lines, mark, '') : indent(lines, mark, ' '.repeat(mark.length))
}

/** Returns the marker of a list item. Neighbouring lists get different markers; otherwise they would become one list. */
const listMark = (block: Block & { kind: 'list' }, isSecond: boolean, n: number): string => {
  if (!block.isOrdered) return isSecond ? '+ ' : '- '
  return `${block.start + n}${isSecond ? ')' : '.'} `
}

const listLines = (block: Block & { kind: 'list' }, depth: number, isSecond: boolean): string[] =>
  block.items
    .filter((item) => block.isOrdered || item.length > 0)
    .flatMap((item, n) => itemLines(item, listMark(block, isSecond, n), depth + 1))

/** Returns blocks within an HTML element. Empty lines around them make renderers read them as Markdown. */
const within = (tag: string, blocks: readonly Block[], depth: number): string[] => [
  `<${tag}>`,
  '',
  ...blockLines(blocks, depth),
  '',
  `</${tag}>`,
]

const figureLines = (image: Leaf, caption: readonly Leaf[]): string[] => {
  const marked = caption.map((leaf) =>
    leaf.marks.some(({ name }) => name === 'em') ? leaf : { ...leaf, marks: [{ name: 'em' }, ...leaf.marks] },
  )
  return [paragraphText([image]), ...(marked.length > 0 ? ['', singleLine(marked)] : [])]
}

const quoteLines = (blocks: readonly Block[], depth: number): string[] =>
  depth >= MAX_NESTING ? blockLines(blocks, depth) : indent(blockLines(blocks, depth + 1), '> ', '> ')

const linesOf = (block: Block, depth: number, isSecond: boolean): string[] => {
  switch (block.kind) {
    case 'paragraph':
      return paragraphs(block.line).flatMap((line, n) => [...(n > 0 ? [''] : []), ...paragraphText(line).split('\n')])
    case 'heading':
      return [`${'#'.repeat(block.level)} ${singleLine(block.line).replace(/(^|\s)(#+)$/, '$1\\$2')}`]
    case 'list':
      return listLines(block, depth, isSecond)
    case 'quote':
      return quoteLines(block.blocks, depth)
    case 'code':
      return codeLines(block.language, block.text)
    case 'rule':
      return ['---']
    case 'figure':
      return figureLines(block.image, block.caption)
    case 'details':
      return [
        '<details>',
        `<summary>${htmlLine(block.summary)}</summary>`,
        '',
        ...blockLines(block.blocks, depth),
        '',
        '</details>',
      ]
    case 'terms':
      return ['<dl>', ...block.items.flatMap(({ tag, blocks }) => within(tag, blocks, depth)), '</dl>']
    case 'table':
      return tableLines(block)
  }
}

const blockLines = (blocks: readonly Block[], depth: number, isItem = false): string[] => {
  const lines: string[] = []
  let isSecond = false
  blocks.forEach((block, n) => {
    const before = blocks[n - 1]
    const isBeside = block.kind === 'list' && before?.kind === 'list' && before.isOrdered === block.isOrdered
    isSecond = isBeside && !isSecond
    const made = linesOf(block, depth, isSecond)
    if (made.length === 0) return
    if (before && lines.length > 0 && !(isItem && isTight(block, before))) lines.push('')
    for (const line of made) lines.push(line)
  })
  return lines
}

/**
 * Returns HTML as Markdown: CommonMark with GitHub's tables and strikethrough.
 *
 * Text never becomes a mark or a tag, even if a renderer allows HTML. Elements without a Markdown form stay, such as `<sub>`
 * and `<details>`.
 */
export const toMarkdown = (html: string): string => blockLines(readBlocks(html), 0).join('\n')
