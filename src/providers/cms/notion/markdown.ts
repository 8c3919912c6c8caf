import { attributesOf } from '../../../content/html/attributes.ts'
import { readEvents } from '../../../content/html/events.ts'
import {
  addressOf,
  asLine,
  type Block,
  type Leaf,
  readBlocks,
  type TableBlock,
} from '../../../content/html/markdown/blocks.ts'
import { longestTicks } from '../../../content/html/markdown/gfm-line.ts'
import { clip } from '../../../platform/lib/text.ts'
import { escaped, escapedStart, inlineText, linkTarget, watchAddress } from './inline.ts'
import { notionLanguage } from './languages.ts'

/** Lines of markdown; each element of the list is one line of one block. */
type Lines = string[]

/** Levels of blocks within blocks that are indented; deeper ones stand at the same depth. */
const MAX_NESTING = 16
/** Cells of a table that is filled up to its widest row. */
const MAX_CELLS = 200_000

const indented = (lines: Lines, depth: number): Lines =>
  depth > MAX_NESTING ? lines : lines.map((line) => (line === '' ? '' : `\t${line}`))

const isBlank = (leaf: Leaf): boolean => leaf.kind === 'break' || (leaf.kind === 'text' && !/\S/.test(leaf.text))

const trimmed = (line: readonly Leaf[]): Leaf[] => {
  const start = line.findIndex((leaf) => !isBlank(leaf))
  return start < 0 ? [] : line.slice(start, line.findLastIndex((leaf) => !isBlank(leaf)) + 1)
}

const textLine = (line: readonly Leaf[]): string => inlineText(trimmed(line)).trim()

/** A line without breaks, for what has one line only. */
const unbroken = (line: readonly Leaf[]): string =>
  textLine(line.map((leaf) => (leaf.kind === 'break' ? { kind: 'text', text: ' ', marks: leaf.marks } : leaf)))

/** Only images from https addresses are shown; the text under one is its caption, or what it shows. */
const imageLines = (image: Leaf & { kind: 'image' }, caption: string): Lines => {
  const src = linkTarget(image.src)
  const text = caption || escaped(image.alt)
  if (src?.startsWith('https://')) return [`![${text}](${src})`]
  return text === '' ? [] : [escapedStart(text)]
}

const playerLines = ({ tag, src, title }: Leaf & { kind: 'player' }): Lines => {
  const watch = watchAddress(src)
  if (watch === undefined) return title === '' ? [] : [escapedStart(escaped(title))]
  return [tag === 'audio' ? `<audio src="${watch}"></audio>` : `<video src="${watch}"></video>`]
}

/** The blocks a line is in Notion: pictures and players stand on their own between its texts. */
const lineBlocks = (line: readonly Leaf[]): Lines[] => {
  const blocks: Lines[] = []
  let run: Leaf[] = []
  const endRun = () => {
    const text = textLine(run)
    if (text !== '') blocks.push([escapedStart(text)])
    run = []
  }
  for (const leaf of line) {
    if (leaf.kind !== 'image' && leaf.kind !== 'player') {
      run.push(leaf)
      continue
    }
    endRun()
    blocks.push(leaf.kind === 'image' ? imageLines(leaf, '') : playerLines(leaf))
  }
  endRun()
  return blocks
}

const joined = (blocks: readonly Lines[], gap: Lines): Lines => {
  const lines: Lines = []
  for (const block of blocks) {
    if (block.length === 0) continue
    if (lines.length > 0) lines.push(...gap)
    for (const line of block) lines.push(line)
  }
  return lines
}

/** Blocks below one another. At the top an empty line stands between them. */
const blockLines = (blocks: readonly Block[], depth: number, gap: Lines = []): Lines =>
  joined(
    blocks.flatMap((block) => linesOf(block, depth, gap)),
    gap,
  )

const isText = ({ kind }: Leaf): boolean => kind !== 'image' && kind !== 'player'

/** A block whose first line holds text and whose further blocks stand indented beneath it. */
const withChildren = (start: string, blocks: readonly Block[], depth: number): Lines => {
  const [first, ...rest] = blocks
  if (first?.kind !== 'paragraph') return [start, ...indented(blockLines(blocks, depth + 1), depth)]
  const cut = first.line.findIndex((leaf) => !isText(leaf))
  const head = cut < 0 ? first.line : first.line.slice(0, cut)
  const below: Block[] = cut < 0 ? rest : [{ kind: 'paragraph', line: first.line.slice(cut) }, ...rest]
  return [`${start}${textLine(head)}`, ...indented(blockLines(below, depth + 1), depth)]
}

/** Several lines of one quotation stand in one line, parted by `<br>`: each `>` line would be a quotation of its own. */
const quoteLines = (blocks: readonly Block[], depth: number): Lines => {
  const cut = blocks.findIndex((block) => block.kind !== 'paragraph' || !block.line.every(isText))
  const texts = cut < 0 ? blocks : blocks.slice(0, cut)
  const rest = cut < 0 ? [] : blocks.slice(cut)
  return [`> ${inlineText(asLine(texts))}`, ...indented(blockLines(rest, depth + 1), depth)]
}

const codeLines = (language: string, text: string): Lines => {
  const fence = '`'.repeat(Math.max(3, longestTicks(text) + 1))
  return [`${fence}${notionLanguage(language)}`, ...text.split('\n'), fence]
}

/** A cell holds one line of text: each of its lists' items and paragraphs stands behind a `<br>`. */
const cellText = (blocks: readonly Block[]): string =>
  blocks
    .flatMap((block) =>
      block.kind === 'list'
        ? block.items.map((item, n) => `${block.isOrdered ? `${block.start + n}.` : '-'} ${cellText(item)}`)
        : [textLine(asLine([block]))],
    )
    .filter((text) => text !== '')
    .join('<br>')

const tableLines = ({ rows }: TableBlock): Lines => {
  const widest = rows.reduce((most, { cells }) => Math.max(most, cells.length), 1)
  const width = widest * rows.length > MAX_CELLS ? 0 : widest
  const isHead = rows[0]?.cells.every((cell) => cell === undefined || cell.isHead) === true
  const isSide = rows.length > 1 && rows.slice(1).every(({ cells }) => cells[0]?.isHead)
  const attributes = `${isHead ? ' header-row="true"' : ''}${isSide ? ' header-column="true"' : ''}`
  return [
    `<table${attributes}>`,
    ...rows.flatMap(({ cells }) => [
      '\t<tr>',
      ...Array.from(
        { length: Math.max(width, cells.length) },
        (_, n) => `\t\t<td>${cellText(cells[n]?.content ?? [])}</td>`,
      ),
      '\t</tr>',
    ]),
    '</table>',
  ]
}

const HEADINGS = ['##', '##', '###', '####', '####', '####']

const headingBlocks = (level: number, line: readonly Leaf[]): Lines[] => {
  const text = unbroken(line.filter(isText))
  const pictures = line.filter((leaf) => !isText(leaf))
  return [...(text === '' ? [] : [[`${HEADINGS[level - 1] ?? '##'} ${text}`]]), ...lineBlocks(pictures)]
}

/** Returns a block as Notion writes it: one block, or several. */
const linesOf = (block: Block, depth: number, gap: Lines): Lines[] => {
  switch (block.kind) {
    case 'paragraph':
      return lineBlocks(block.line)
    case 'heading':
      return headingBlocks(block.level, block.line)
    case 'list':
      return [
        block.items.flatMap((item, n) => withChildren(block.isOrdered ? `${block.start + n}. ` : '- ', item, depth)),
      ]
    case 'quote':
      return [quoteLines(block.blocks, depth)]
    case 'code':
      return [codeLines(block.language, block.text)]
    case 'rule':
      return [['---']]
    case 'figure':
      return block.image.kind === 'image' ? [imageLines(block.image, unbroken(block.caption))] : []
    case 'details':
      return [
        [
          '<details>',
          `<summary>${textLine(block.summary)}</summary>`,
          ...indented(blockLines(block.blocks, depth + 1), depth),
          '</details>',
        ],
      ]
    case 'terms':
      return block.items.map(({ tag, blocks }) => (tag === 'dt' ? termLines(blocks) : blockLines(blocks, depth, gap)))
    case 'table':
      return [tableLines(block)]
  }
}

const STRONG = { name: 'strong' }

const termLines = (blocks: readonly Block[]): Lines => {
  const line = asLine(blocks).map((leaf) => ({
    ...leaf,
    marks: [STRONG, ...leaf.marks.filter((m) => m.name !== 'strong')],
  }))
  const text = textLine(line)
  return text === '' ? [] : [escapedStart(text)]
}

/**
 * HTML as Notion's own markdown (tab-indented children, `<table>`, `<details>`, `<video>`). What Notion has no place for is
 * kept as text: superscripts, images that are not on https, links within the page.
 */
export const toMarkdown = (html: string): string => blockLines(readBlocks(html), 0, ['']).join('\n')

const MAX_NAMED = 5
/** Attributes with the addresses of elements. */
const LINKS: Record<string, string> = { a: 'href', iframe: 'src', video: 'src', audio: 'src', source: 'src' }

/** Says which links and players were left out because Notion follows full addresses only; nothing where there are none. Their words stay. */
export const linkNotes = (html: string): string[] => {
  const lost = new Set<string>()
  for (const event of readEvents(html)) {
    const named = event.kind === 'open' ? LINKS[event.tag.name] : undefined
    if (event.kind !== 'open' || named === undefined) continue
    const href = addressOf(attributesOf(html, event.tag).get(named))
    if (href !== '' && !href.startsWith('#') && linkTarget(href) === undefined) lost.add(href)
  }
  if (lost.size === 0) return []
  const named = [...lost].slice(0, MAX_NAMED).map((href) => clip(href, 100))
  const more = lost.size > MAX_NAMED ? ` and ${lost.size - MAX_NAMED} more` : ''
  return [
    `Notion follows full addresses only, so these links were left out and their words stay: ${named.join(', ')}${more}.`,
  ]
}
