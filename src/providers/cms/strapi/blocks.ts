import type { Block, Leaf, Mark } from '../../../content/html/markdown/blocks.ts'
import { isVisible } from '../../../content/html/markdown/blocks.ts'
import { readBlocks } from '../../../content/html/markdown/read-blocks.ts'

type Node = { type: string; [name: string]: unknown }

/** Deepest nesting of lists. Deeper lists stay at the same level. */
const MAX_NESTING = 6

/** Names of marks in Strapi, by their element. */
const MARKS: Readonly<Record<string, string>> = {
  strong: 'bold',
  em: 'italic',
  u: 'underline',
  ins: 'underline',
  s: 'strikethrough',
  del: 'strikethrough',
}

/** Addresses that Strapi accepts in links. It refuses a text with another one. */
const LINKED = /^(?:https?:\/\/|ftp:\/\/|mailto:|tel:|\/)/i

const textNode = (text: string, marks: readonly Mark[] = [], isCode = false): Node => ({
  type: 'text',
  text,
  ...Object.fromEntries(marks.flatMap(({ name }) => (MARKS[name] ? [[MARKS[name], true]] : []))),
  ...(isCode ? { code: true } : {}),
})

const EMPTY: readonly Node[] = [textNode('')]

/** Returns the text of a leaf. Pictures and players, which this format has only as whole records, become links. */
const leafNode = (leaf: Leaf): { node: Node; href: string | undefined } => {
  const href = leaf.marks.find(({ name }) => name === 'a')?.href
  if (leaf.kind === 'break') return { node: textNode('\n', leaf.marks), href }
  if ('text' in leaf) return { node: textNode(leaf.text, leaf.marks, leaf.kind === 'code'), href }
  const name = leaf.kind === 'image' ? leaf.alt || leaf.title : leaf.title
  return { node: textNode(name || leaf.src), href: leaf.src }
}

/** Returns the children of a block of text. They are never empty. Neighbours with one address are one link. */
const inline = (line: readonly Leaf[]): readonly Node[] => {
  const nodes: Node[] = []
  for (const leaf of line) {
    const { node, href } = leafNode(leaf)
    const last = nodes.at(-1)
    if (href === undefined || !LINKED.test(href)) nodes.push(node)
    else if (last?.type === 'link' && last.url === href) (last.children as Node[]).push(node)
    else nodes.push({ type: 'link', url: href, children: [node] })
  }
  return nodes.length > 0 ? nodes : EMPTY
}

const paragraph = (children: readonly Node[]): Node => ({ type: 'paragraph', children })

/** Returns all text of blocks in one line each, for blocks that have no blocks inside. */
const lines = (blocks: readonly Block[]): (readonly Node[])[] =>
  blocks.flatMap((block) => {
    if (block.kind === 'list') return block.items.flatMap(lines)
    return nodesOf(block, 0).map(({ children, type }) =>
      type === 'list' ? (children as { children: Node[] }[]).flatMap((item) => item.children) : (children as Node[]),
    )
  })

const joined = (parts: readonly (readonly Node[])[], between: string): readonly Node[] => {
  const nodes = parts.flatMap((part, n) => (n === 0 ? part : [textNode(between), ...part]))
  return nodes.length > 0 ? nodes : EMPTY
}

const listNode = ({ isOrdered, items }: Block & { kind: 'list' }, depth: number): Node => ({
  type: 'list',
  format: isOrdered ? 'ordered' : 'unordered',
  children: items.flatMap((item) => {
    const isDeep = depth >= MAX_NESTING
    const own = item.filter((block) => block.kind !== 'list' || isDeep)
    const inner = item.filter((block) => block.kind === 'list' && !isDeep)
    return [
      { type: 'list-item', children: joined(lines(own), '\n') },
      ...inner.map((block) => listNode(block as Block & { kind: 'list' }, depth + 1)),
    ]
  }),
})

const bold = (line: readonly Leaf[]): Leaf[] =>
  line.map((leaf) => ({ ...leaf, marks: [{ name: 'strong' }, ...leaf.marks] }))

const nodesOf = (block: Block, depth: number): Node[] => {
  switch (block.kind) {
    case 'paragraph':
      return block.line.some(isVisible) ? [paragraph(inline(block.line))] : []
    case 'heading':
      return [{ type: 'heading', level: Math.min(6, Math.max(1, block.level)), children: inline(block.line) }]
    case 'list':
      return block.items.length > 0 ? [listNode(block, depth)] : []
    case 'quote':
      return [{ type: 'quote', children: joined(lines(block.blocks), '\n') }]
    case 'code':
      return [
        {
          type: 'code',
          ...(block.language ? { language: block.language } : {}),
          children: [textNode(block.text)],
        },
      ]
    case 'rule':
      return []
    case 'figure':
      return [paragraph(inline([block.image])), ...(block.caption.length > 0 ? [paragraph(inline(block.caption))] : [])]
    case 'details':
      return [paragraph(inline(bold(block.summary))), ...block.blocks.flatMap((one) => nodesOf(one, depth))]
    case 'terms':
      return block.items.flatMap(({ tag, blocks }) =>
        blocks.flatMap((one) =>
          tag === 'dt' && one.kind === 'paragraph' ? [paragraph(inline(bold(one.line)))] : nodesOf(one, depth),
        ),
      )
    case 'table':
      return block.rows.map(({ cells }) =>
        paragraph(
          joined(
            cells.map((cell) => joined(cell ? lines(cell.content) : [], ' ')),
            ' | ',
          ),
        ),
      )
  }
}

/**
 * Returns HTML as Strapi’s blocks (https://docs.strapi.io): paragraphs, headings, lists, quotes and code.
 *
 * The format has neither tables nor HTML: a row of a table becomes a paragraph. Pictures and players of the text become links.
 */
export const toBlocks = (html: string): Node[] => {
  const nodes = readBlocks(html).flatMap((block) => nodesOf(block, 0))
  return nodes.length > 0 ? nodes : [paragraph(EMPTY)]
}
