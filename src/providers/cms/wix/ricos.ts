import type { Block, Leaf, Mark, TableBlock } from '../../../content/html/markdown/blocks.ts'
import { withIndexSigns } from '../../../content/html/markdown/line.ts'
import { addressOf, readBlocks } from '../../../content/html/markdown/read-blocks.ts'
import type { RicosDocument, RicosNode } from './types.ts'

type Decoration = { type: string; [data: string]: unknown }

const DECORATIONS: Record<string, Decoration> = {
  strong: { type: 'BOLD', fontWeightValue: 700 },
  em: { type: 'ITALIC', italicData: true },
  u: { type: 'UNDERLINE', underlineData: true },
}

const DEFAULT_SIZE = { width: 1_200, height: 800 }
/** Above this number of cells, a table's rows are not filled up to the widest one. */
const MAX_CELLS = 200_000
/** Size that Wix's editor uses for columns and rows of a new table, pixels. */
const [COLUMN_WIDTH, ROW_HEIGHT] = [120, 47]

const imageNode = (src: Record<string, string>, altText: string, size = DEFAULT_SIZE) => ({
  containerData: { width: { size: 'CONTENT' }, alignment: 'CENTER' },
  image: { src, ...size },
  altText,
})

const decorationsOf = (marks: readonly Mark[]): Decoration[] =>
  marks.flatMap(({ name, href = '' }) => {
    if (name === 'a') return href === '' ? [] : [{ type: 'LINK', linkData: { link: { url: href, target: 'SELF' } } }]
    return DECORATIONS[name] ?? []
  })

const textNode = (text: string, marks: readonly Mark[]): RicosNode => ({
  type: 'TEXT',
  id: '',
  nodes: [],
  textData: { text, decorations: decorationsOf(marks) },
})

/** Returns the nodes of a leaf. A player becomes a link, because Ricos has players for only a few services. */
const leafNode = (leaf: Leaf): RicosNode[] => {
  if (leaf.kind === 'break') return [textNode('\n', [])]
  if (leaf.kind === 'text') return [textNode(withIndexSigns(leaf.text, leaf.marks), leaf.marks)]
  if (leaf.kind === 'code') return [textNode(leaf.text, leaf.marks)]
  const url = leaf.kind === 'player' ? addressOf(leaf.src) : ''
  return url === '' || leaf.kind !== 'player' ? [] : [textNode(leaf.title || url, [{ name: 'a', href: url }])]
}

const STRONG: Mark = { name: 'strong' }
const strong = (line: readonly Leaf[]): Leaf[] => line.map((leaf) => ({ ...leaf, marks: [STRONG, ...leaf.marks] }))

const textOf = (blocks: readonly Block[]): Leaf[] =>
  blocks.flatMap((block): Leaf[] => {
    if (block.kind === 'paragraph' || block.kind === 'heading') return block.line
    return block.kind === 'code' ? [{ kind: 'text', text: block.text, marks: [] }] : []
  })

/** Returns a function that converts blocks to nodes, whose ids begin with the prefix. */
const writer = (idPrefix: string) => {
  let count = 0
  const node = (type: string, nodes: RicosNode[], more: object = {}): RicosNode => {
    count += 1
    return { type, id: `${idPrefix}n${count}`, nodes, ...more }
  }

  const image = (leaf: Leaf): RicosNode[] => {
    const url = leaf.kind === 'image' ? addressOf(leaf.src) : ''
    if (url === '' || leaf.kind !== 'image') return []
    return [node('IMAGE', [], { imageData: imageNode({ url }, leaf.alt) })]
  }

  /** Returns a line as blocks: pictures become separate blocks between its texts. */
  const lineNodes = (line: readonly Leaf[], type = 'PARAGRAPH', more: object = {}): RicosNode[] => {
    const nodes: RicosNode[] = []
    let run: RicosNode[] = []
    const end = () => {
      if (run.some(({ textData }) => /\S/.test((textData as { text: string }).text))) nodes.push(node(type, run, more))
      run = []
    }
    for (const leaf of line)
      if (leaf.kind === 'image') {
        end()
        nodes.push(...image(leaf))
      } else run.push(...leafNode(leaf))
    end()
    return nodes
  }

  /**
   * Returns the blocks inside an item, a quotation or a cell, which can have only paragraphs and lists. Other blocks become paragraphs.
   * Images are added to `after`.
   */
  const inner = (blocks: readonly Block[], after: RicosNode[]): RicosNode[] => {
    const nodes = blocks.flatMap((block): RicosNode[] => {
      switch (block.kind) {
        case 'heading':
          return lineNodes(strong(block.line))
        case 'code':
          return lineNodes([{ kind: 'text', text: block.text, marks: [] }])
        case 'quote':
          return inner(block.blocks, after)
        case 'table':
          return block.rows.flatMap(({ cells }) =>
            lineNodes(
              cells.flatMap((cell, n): Leaf[] => [
                ...(n > 0 ? [{ kind: 'text', text: ' | ', marks: [] } as const] : []),
                ...textOf(cell?.content ?? []),
              ]),
            ),
          )
        case 'details':
          return [...lineNodes(strong(block.summary)), ...inner(block.blocks, after)]
        case 'terms':
          return block.items.flatMap((item) => inner(item.blocks, after))
        case 'rule':
          return []
        default:
          return write(block)
      }
    })
    after.push(...nodes.filter(({ type }) => type === 'IMAGE'))
    return nodes.filter(({ type }) => type !== 'IMAGE')
  }

  const table = ({ rows }: TableBlock): RicosNode[] => {
    const widest = rows.reduce((most, { cells }) => Math.max(most, cells.length), 1)
    const width = widest * rows.length > MAX_CELLS ? 1 : widest
    const after: RicosNode[] = []
    const cellNode = (blocks: readonly Block[]): RicosNode => {
      const content = inner(blocks, after)
      return node('TABLE_CELL', content.length > 0 ? content : [node('PARAGRAPH', [])], {
        tableCellData: { cellStyle: { verticalAlignment: 'TOP' }, borderColors: {} },
      })
    }
    const made = rows.map(({ cells }) =>
      node(
        'TABLE_ROW',
        Array.from({ length: Math.max(width, cells.length) }, (_, n) => cellNode(cells[n]?.content ?? [])),
      ),
    )
    const tableData = {
      dimensions: {
        colsWidthRatio: Array(widest).fill(COLUMN_WIDTH),
        rowsHeight: Array(rows.length).fill(ROW_HEIGHT),
        colsMinWidth: Array(widest).fill(COLUMN_WIDTH),
      },
      rowHeader: rows[0]?.cells.every((cell) => cell === undefined || cell.isHead) === true,
      columnHeader: rows.length > 1 && rows.slice(1).every(({ cells }) => cells[0]?.isHead),
    }
    return made.length === 0 ? [] : [node('TABLE', made, { tableData }), ...after]
  }

  const write = (block: Block): RicosNode[] => {
    const after: RicosNode[] = []
    switch (block.kind) {
      case 'paragraph':
        return lineNodes(block.line)
      case 'heading':
        return lineNodes(block.line, 'HEADING', { headingData: { level: block.level } })
      case 'list': {
        const items = block.items.map((item) => node('LIST_ITEM', inner(item, after)))
        return [node(block.isOrdered ? 'ORDERED_LIST' : 'BULLETED_LIST', items), ...after]
      }
      case 'quote':
        return [node('BLOCKQUOTE', inner(block.blocks, after)), ...after]
      case 'code':
        return [node('CODE_BLOCK', [textNode(block.text, [])])]
      case 'rule':
        return [node('DIVIDER', [], { dividerData: {} })]
      case 'figure':
        return [...lineNodes([block.image]), ...lineNodes(block.caption)]
      case 'details':
        return [...lineNodes(strong(block.summary)), ...block.blocks.flatMap(write)]
      case 'terms':
        return block.items.flatMap(({ tag, blocks }) =>
          blocks.flatMap((one) =>
            tag === 'dt' && one.kind === 'paragraph' ? lineNodes(strong(one.line)) : write(one),
          ),
        )
      case 'table':
        return table(block)
    }
  }

  return write
}

/**
 * Converts HTML to a Ricos document without Wix's own converter: headings, paragraphs, lists, quotations, code, tables and images.
 *
 * `idPrefix` begins the ids of its nodes, so that several documents can be joined.
 */
export const htmlToRicos = (html: string, idPrefix = ''): RicosDocument => ({
  nodes: readBlocks(html).flatMap(writer(idPrefix)),
  metadata: { version: 1 },
})

/** Picture of a node: a file of the site's media by its id, or any by its address. */
export type ImageData = { image?: { src?: { url?: string; id?: string } }; altText?: string }

/** Returns the address of a file of the site's media. */
export const mediaUrl = (id: string): string => `https://static.wixstatic.com/media/${id}`

/** Returns the address of a node's picture; undefined without one that readers can load. */
export const imageUrl = (data: ImageData | undefined): string | undefined => {
  const { url, id } = data?.image?.src ?? {}
  if (url && /^https?:\/\//.test(url)) return url
  return id ? mediaUrl(id) : undefined
}

/** Returns the words of nodes, with a line for each block. */
export const textOfNodes = (nodes: readonly RicosNode[]): string => {
  const texts: string[] = []
  const left = [...nodes].reverse()
  for (let node = left.pop(); node; node = left.pop()) {
    const { text } = (node.textData ?? {}) as { text?: unknown }
    texts.push(typeof text === 'string' ? text : '\n')
    for (const below of [...(node.nodes ?? [])].reverse()) left.push(below)
  }
  return texts.join('')
}

const imagesIn = (nodes: readonly RicosNode[]): RicosNode[] =>
  nodes.flatMap((n) => [...(n.type === 'IMAGE' ? [n] : []), ...imagesIn(n.nodes ?? [])])

/** Returns the addresses of images that a document links, each once. */
export const linkedImages = ({ nodes }: RicosDocument): string[] => [
  ...new Set(
    imagesIn(nodes).flatMap((n) => {
      const url = (n.imageData as ImageData | undefined)?.image?.src?.url
      return url && /^https?:\/\//.test(url) ? [url] : []
    }),
  ),
]

/** File in the site's media. `size` is in pixels. */
export type WixImage = { id: string; url: string; size: { width: number; height: number } | undefined }

/** Returns the document with imported files instead of its linked images. Images without a file stay linked. */
export const withImages = (document: RicosDocument, files: ReadonlyMap<string, WixImage>): RicosDocument => {
  const change = (n: RicosNode): RicosNode => {
    const nodes = n.nodes?.map(change)
    const data = n.imageData as ImageData | undefined
    const file = files.get(data?.image?.src?.url ?? '')
    const image = file
      ? { imageData: { ...imageNode({ id: file.id }, data?.altText ?? '', file.size), ...containerOf(data) } }
      : {}
    return { ...n, ...(nodes ? { nodes } : {}), ...image }
  }
  return { ...document, nodes: document.nodes.map(change) }
}

const containerOf = (data: ImageData | undefined): object =>
  data && 'containerData' in data ? { containerData: data.containerData } : {}
