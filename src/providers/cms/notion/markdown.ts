import { readEvents } from '../../../content/html/events.ts'
import { asLine, type Block, type Leaf, type TableBlock } from '../../../content/html/markdown/blocks.ts'
import { longestTicks } from '../../../content/html/markdown/line.ts'
import { addressOf, readBlocks } from '../../../content/html/markdown/read-blocks.ts'
import { attributesOf } from '../../../content/html/tags.ts'
import { clip } from '../../../platform/lib/text.ts'
import { escaped, hardLines, inlineText, linkTarget, watchAddress } from './inline.ts'

/** Names of code languages in Notion. It refuses a block with another name. */
const KNOWN = new Set(
  'bash c c++ c# css diff docker elixir go graphql haskell html java javascript json kotlin latex less lua makefile markdown mermaid nix objective-c perl php powershell python r ruby rust sass scala scss shell sql swift typescript xml yaml'.split(
    ' ',
  ),
)

const ALIASES: Record<string, string> = {
  js: 'javascript',
  jsx: 'javascript',
  mjs: 'javascript',
  ts: 'typescript',
  tsx: 'typescript',
  py: 'python',
  rb: 'ruby',
  rs: 'rust',
  sh: 'shell',
  zsh: 'shell',
  console: 'shell',
  yml: 'yaml',
  md: 'markdown',
  cpp: 'c++',
  cs: 'c#',
  csharp: 'c#',
  golang: 'go',
  kt: 'kotlin',
  ps1: 'powershell',
  dockerfile: 'docker',
  make: 'makefile',
  tex: 'latex',
  svg: 'xml',
}

/** Returns Notion's name of a code language; empty if it has none. */
const notionLanguage = (name: string): string => {
  const plain = name.toLowerCase()
  const known = ALIASES[plain] ?? plain
  return KNOWN.has(known) ? known : ''
}

/** Lines of one block, or of several. */
type Lines = string[]

/** Levels of nested lists that are indented. Deeper lists stay at the same level. */
const MAX_NESTING = 16
/** Above this number of cells, a table's rows are not filled up to the widest one. */
const MAX_CELLS = 200_000
/** Width of a tab in columns. */
const TAB = 4

const isBlank = (leaf: Leaf): boolean => leaf.kind === 'break' || (leaf.kind === 'text' && !/\S/.test(leaf.text))

const trimmed = (line: readonly Leaf[]): Leaf[] => {
  const start = line.findIndex((leaf) => !isBlank(leaf))
  return start < 0 ? [] : line.slice(start, line.findLastIndex((leaf) => !isBlank(leaf)) + 1)
}

const textOf = (line: readonly Leaf[]): string => inlineText(trimmed(line)).trim()

/** Returns the lines of a text; none if it is empty. */
const textLines = (line: readonly Leaf[]): Lines => {
  const text = textOf(line)
  return text === '' ? [] : hardLines(text)
}

/** Returns a line without breaks, for elements that have one line only. */
const unbroken = (line: readonly Leaf[]): string => textOf(line).replace(/\s*\n\s*/g, ' ')

/**
 * Returns the lines of an image. Notion shows only images from https addresses.
 *
 * The text under an image is its caption, else its alternative text. For other addresses only this text is kept.
 */
const imageLines = (image: Leaf & { kind: 'image' }, caption: string): Lines => {
  const src = linkTarget(image.src)
  const text = caption || escaped(image.alt)
  if (src?.startsWith('https://')) return [`![${text}](${src})`]
  return text === '' ? [] : hardLines(text)
}

const playerLines = ({ tag, src, title }: Leaf & { kind: 'player' }): Lines => {
  const watch = watchAddress(src)
  if (watch === undefined) return title === '' ? [] : hardLines(escaped(title))
  return [tag === 'audio' ? `<audio source="${watch}"></audio>` : `<video source="${watch}"></video>`]
}

/** Returns a line as Notion's blocks: pictures and players become separate blocks between its texts. */
const lineBlocks = (line: readonly Leaf[]): Lines[] => {
  const blocks: Lines[] = []
  let run: Leaf[] = []
  const endRun = () => {
    blocks.push(textLines(run))
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

/** Returns the lines of several blocks, with an empty line between two. */
const joined = (blocks: readonly Lines[]): Lines => {
  const lines: Lines = []
  for (const block of blocks) {
    if (block.length === 0) continue
    if (lines.length > 0) lines.push('')
    for (const line of block) lines.push(line)
  }
  return lines
}

const blockLines = (blocks: readonly Block[], depth: number): Lines =>
  joined(blocks.flatMap((block) => linesOf(block, depth)))

const isText = ({ kind }: Leaf): boolean => kind !== 'image' && kind !== 'player'

/** A block's own text, and the blocks inside it. */
type Parts = { title: Lines; children: readonly Block[] }

/** Splits the blocks of an element. The text at the start of its first paragraph is the element's own text. */
const partsOf = (blocks: readonly Block[]): Parts => {
  const [first, ...rest] = blocks
  if (first?.kind !== 'paragraph') return { title: [], children: blocks }
  const cut = first.line.findIndex((leaf) => !isText(leaf))
  if (cut < 0) return { title: textLines(first.line), children: rest }
  const below: Block = { kind: 'paragraph', line: first.line.slice(cut) }
  return { title: textLines(first.line.slice(0, cut)), children: [below, ...rest] }
}

/** Returns a block with children as a tag: its own text, an empty line, and the children. */
const tagged = (tag: string, { title, children }: Parts, depth: number): Lines => {
  const below = blockLines(children, depth)
  // `<p />` is an empty text.
  const own = title.length > 0 ? title : ['<p />']
  return [`<${tag}>`, ...own, ...(below.length > 0 ? ['', ...below] : []), `</${tag}>`]
}

/** Returns the lines of a quotation. Several paragraphs become one text with breaks, because each would be a separate quotation. */
const quoteLines = (blocks: readonly Block[], depth: number): Lines => {
  const cut = blocks.findIndex((block) => block.kind !== 'paragraph' || !block.line.every(isText))
  const title = textLines(asLine(cut < 0 ? blocks : blocks.slice(0, cut)))
  if (cut < 0) return title.map((line) => `> ${line}`)
  return tagged('quote', { title, children: blocks.slice(cut) }, depth)
}

/** Returns the lines of a list item. Blocks inside it are indented by tabs, as many as its mark is wide. */
const itemLines = (mark: string, { title, children }: Parts, depth: number): Lines => {
  const below = blockLines(children, depth)
  const isTight = children[0]?.kind === 'list' && (!children[0].isOrdered || children[0].start === 1)
  const rest = [...title.slice(1), ...(below.length > 0 && !isTight ? ['', ...below] : below)]
  const tabs = depth > MAX_NESTING ? '' : '\t'.repeat(Math.ceil(mark.length / TAB))
  return [`${mark}${title[0] ?? ''}`, ...rest.map((line) => (line === '' ? '' : `${tabs}${line}`))]
}

/** Returns the lines of a list. Tags are used if an item begins with something other than text, which Markdown cannot express. */
const listLines = ({ items, isOrdered, start }: Block & { kind: 'list' }, depth: number): Lines => {
  const parts = items.map(partsOf)
  if (parts.some(({ title, children }) => title.length === 0 && children.length > 0)) {
    const tag = isOrdered ? 'ol' : 'ul'
    return [`<${tag}>`, ...parts.flatMap((part) => tagged('li', part, depth)), `</${tag}>`]
  }
  return parts.flatMap((part, n) => itemLines(isOrdered ? `${start + n}. ` : '- ', part, depth + 1))
}

const codeLines = (language: string, text: string): Lines => {
  const fence = '`'.repeat(Math.max(3, longestTicks(text) + 1))
  return [`${fence}${notionLanguage(language)}`, ...text.split('\n'), fence]
}

const BREAK = '<br />'

/** Returns the text of a cell. A cell has only one line, so list items and paragraphs are separated by breaks. */
const cellText = (blocks: readonly Block[]): string =>
  blocks
    .flatMap((block) =>
      block.kind === 'list'
        ? block.items.map((item, n) => `${block.isOrdered ? `${block.start + n}.` : '-'} ${cellText(item)}`)
        : [textOf(asLine([block])).replace(/\s*\n\s*/g, BREAK)],
    )
    .filter((text) => text !== '')
    .join(BREAK)

const tableLines = ({ rows }: TableBlock): Lines => {
  const widest = rows.reduce((most, { cells }) => Math.max(most, cells.length), 1)
  const width = widest * rows.length > MAX_CELLS ? 0 : widest
  const isHead = rows[0]?.cells.every((cell) => cell === undefined || cell.isHead) === true
  const isSide = rows.length > 1 && rows.slice(1).every(({ cells }) => cells[0]?.isHead)
  const attributes = `${isHead ? ' header-row="true"' : ''}${isSide ? ' header-column="true"' : ''}`
  return [
    `<table${attributes}>`,
    ...rows.flatMap(({ cells }) => [
      '<tr>',
      ...Array.from(
        { length: Math.max(width, cells.length) },
        (_, n) => `<td>${cellText(cells[n]?.content ?? [])}</td>`,
      ),
      '</tr>',
    ]),
    '</table>',
  ]
}

const HEADINGS = ['##', '##', '###', '####', '####', '####']

const headingBlocks = (level: number, line: readonly Leaf[]): Lines[] => {
  // `#` at the end would close the heading.
  const text = unbroken(line.filter(isText)).replace(/(^|\s)(#+)$/, '$1\\$2')
  const pictures = line.filter((leaf) => !isText(leaf))
  return [...(text === '' ? [] : [[`${HEADINGS[level - 1] ?? '##'} ${text}`]]), ...lineBlocks(pictures)]
}

/** Returns a block in Notion's Markdown, as one block or several. */
const linesOf = (block: Block, depth: number): Lines[] => {
  switch (block.kind) {
    case 'paragraph':
      return lineBlocks(block.line)
    case 'heading':
      return headingBlocks(block.level, block.line)
    case 'list':
      return [listLines(block, depth)]
    case 'quote':
      return [quoteLines(block.blocks, depth)]
    case 'code':
      return [codeLines(block.language, block.text)]
    case 'rule':
      return [['---']]
    case 'figure':
      return block.image.kind === 'image' ? [imageLines(block.image, unbroken(block.caption))] : []
    case 'details':
      return [tagged('toggle', { title: textLines(block.summary), children: block.blocks }, depth)]
    case 'terms':
      return block.items.map(({ tag, blocks }) =>
        tag === 'dt' && asLine(blocks).every(isText) ? termLines(blocks) : blockLines(blocks, depth),
      )
    case 'table':
      return [tableLines(block)]
  }
}

const STRONG = { name: 'strong' }

const termLines = (blocks: readonly Block[]): Lines =>
  textLines(
    asLine(blocks).map((leaf) => ({
      ...leaf,
      marks: [STRONG, ...leaf.marks.filter((m) => m.name !== 'strong')],
    })),
  )

/**
 * Converts HTML to version 2 of Notion's Markdown: CommonMark, with tags for tables, players and blocks that have children (`<quote>`,
 * `<toggle>`).
 *
 * Parts that Notion cannot show stay as text: superscripts (numbers as ⁶), images that are not on https, links within the page.
 */
export const toMarkdown = (html: string): string => blockLines(readBlocks(html), 0).join('\n')

const MAX_NAMED = 5
/** Attributes with addresses, by element. */
const LINKS: Record<string, string> = { a: 'href', iframe: 'src', video: 'src', audio: 'src', source: 'src' }

/** Returns notes on links and players that were left out, because Notion follows full addresses only. Their words stay. */
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
