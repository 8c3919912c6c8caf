import { attributesOf } from '../../../content/html/attributes.ts'
import { readEvents } from '../../../content/html/events.ts'
import { decodeReferences } from '../../../content/html/references.ts'
import type { RicosDocument, RicosNode } from './types.ts'

type Decoration = { type: string; [data: string]: unknown }

const HEADING = /^h[1-6]$/
const LISTS: Record<string, string> = { ul: 'BULLETED_LIST', ol: 'ORDERED_LIST' }
const DECORATIONS: Record<string, Decoration> = {
  b: { type: 'BOLD', fontWeightValue: 700 },
  strong: { type: 'BOLD', fontWeightValue: 700 },
  i: { type: 'ITALIC', italicData: true },
  em: { type: 'ITALIC', italicData: true },
  u: { type: 'UNDERLINE', underlineData: true },
}
const INLINE = /^(a|abbr|b|bdi|cite|code|em|i|kbd|mark|q|s|small|span|strong|sub|sup|u|var|wbr|time|del|ins)$/

const DEFAULT_SIZE = { width: 1_200, height: 800 }

const imageNode = (src: Record<string, string>, altText: string, size = DEFAULT_SIZE) => ({
  containerData: { width: { size: 'CONTENT' }, alignment: 'CENTER' },
  image: { src, ...size },
  altText,
})

/** Builds a Ricos document from the outside in: blocks hold blocks, and texts stand only in paragraphs, headings and code. */
const builder = (idPrefix: string) => {
  const root: RicosNode[] = []
  const lists: RicosNode[] = []
  const decorations: Decoration[] = []
  let quote: RicosNode | undefined
  let leaf: RicosNode | undefined
  let count = 0
  const node = (type: string, more: object = {}): RicosNode => {
    count += 1
    return { type, id: `${idPrefix}n${count}`, nodes: [], ...more }
  }
  /** Returns the parent of the next block: the open list item, else the quotation, else the document. */
  const place = (): RicosNode[] => lists.at(-1)?.nodes?.at(-1)?.nodes ?? quote?.nodes ?? root
  const add = (made: RicosNode): RicosNode => {
    place().push(made)
    return made
  }
  const closeLeaf = () => {
    const last = leaf?.nodes?.at(-1)
    const data = last?.textData as { text: string } | undefined
    if (data && leaf?.type !== 'CODE_BLOCK') data.text = data.text.trimEnd()
    leaf = undefined
  }
  const openLeaf = (type: string, more: object = {}) => {
    closeLeaf()
    // A heading or code block stands in the document itself: no list item or quotation takes one.
    leaf = node(type, more)
    if (type === 'PARAGRAPH') place().push(leaf)
    else root.push(leaf)
  }
  const write = (decoded: string) => {
    const isCode = leaf?.type === 'CODE_BLOCK'
    const isStart = !leaf?.nodes?.length
    const text = isCode ? decoded : decoded.replace(/\s+/g, ' ').replace(isStart ? /^ / : /^$/, '')
    if (text === '' || (text.trim() === '' && isStart && !isCode)) return
    if (!leaf) openLeaf('PARAGRAPH')
    leaf?.nodes?.push({
      type: 'TEXT',
      id: '',
      nodes: [],
      textData: { text, decorations: isCode ? [] : [...decorations] },
    })
  }
  return {
    root,
    lists,
    decorations,
    node,
    add,
    closeLeaf,
    openLeaf,
    write,
    openQuote: () => {
      quote = add(node('BLOCKQUOTE'))
    },
    closeQuote: () => {
      quote = undefined
    },
    atRoot: (made: RicosNode) => root.push(made),
    hasText: () => Boolean(leaf?.nodes?.length),
  }
}

type Builder = ReturnType<typeof builder>

const openList = (b: Builder, tag: string) => {
  b.closeLeaf()
  b.lists.push(b.add(b.node(LISTS[tag] ?? 'BULLETED_LIST')))
}

type Attributes = ReadonlyMap<string, string>
const attribute = (attributes: Attributes, name: string): string => (attributes.get(name) ?? '').trim()

const openInline = (b: Builder, tag: string, attributes: Attributes): (() => void) | undefined => {
  const url = tag === 'a' ? attribute(attributes, 'href') : ''
  const decoration = url ? { type: 'LINK', linkData: { link: { url, target: 'SELF' } } } : DECORATIONS[tag]
  if (!decoration) return undefined
  b.decorations.push(decoration)
  return () => {
    b.decorations.splice(b.decorations.lastIndexOf(decoration), 1)
  }
}

const openBlock = (b: Builder, tag: string): (() => void) => {
  if (tag in LISTS) {
    openList(b, tag)
    return () => {
      b.closeLeaf()
      b.lists.pop()
    }
  }
  if (tag === 'td' || tag === 'th') {
    // The fallback knows no tables: a row is a line.
    if (b.hasText()) b.write(' | ')
    return () => {}
  }
  b.closeLeaf()
  if (tag === 'li') b.lists.at(-1)?.nodes?.push(b.node('LIST_ITEM'))
  if (tag === 'blockquote') b.openQuote()
  if (HEADING.test(tag)) b.openLeaf('HEADING', { headingData: { level: Number(tag[1]) } })
  if (tag === 'pre') b.openLeaf('CODE_BLOCK')
  return () => {
    b.closeLeaf()
    if (tag === 'blockquote') b.closeQuote()
  }
}

const openVoid = (b: Builder, tag: string, attributes: Attributes) => {
  if (tag === 'br') b.write('\n')
  if (tag === 'hr') {
    b.closeLeaf()
    b.atRoot(b.node('DIVIDER', { dividerData: {} }))
  }
  const url = tag === 'img' ? attribute(attributes, 'src') : ''
  if (url === '') return
  b.closeLeaf()
  b.atRoot(b.node('IMAGE', { imageData: imageNode({ url }, attribute(attributes, 'alt')) }))
}

/**
 * A Ricos document of headings, paragraphs, lists, quotations, code and images: what can be made without Wix's own converter.
 * `idPrefix` begins the ids of its nodes, for documents that become one.
 */
export const htmlToRicos = (html: string, idPrefix = ''): RicosDocument => {
  const b = builder(idPrefix)
  const open: ((() => void) | undefined)[] = []
  for (const event of readEvents(html)) {
    if (event.kind === 'open') {
      const tag = event.tag.name
      const attributes = attributesOf(html, event.tag)
      if (event.isLeaf) openVoid(b, tag, attributes)
      else open.push(INLINE.test(tag) ? openInline(b, tag, attributes) : openBlock(b, tag))
    } else if (event.kind === 'close') open.pop()?.()
    else if (event.kind === 'text' && event.mode === 'text')
      b.write(decodeReferences(html.slice(event.start, event.end)))
  }
  b.closeLeaf()
  return { nodes: b.root, metadata: { version: 1 } }
}

type ImageData = { image?: { src?: { url?: string; id?: string } }; altText?: string }

const imagesIn = (nodes: readonly RicosNode[]): RicosNode[] =>
  nodes.flatMap((n) => [...(n.type === 'IMAGE' ? [n] : []), ...imagesIn(n.nodes ?? [])])

/** The addresses of images a document links, each once. */
export const linkedImages = ({ nodes }: RicosDocument): string[] => [
  ...new Set(
    imagesIn(nodes).flatMap((n) => {
      const url = (n.imageData as ImageData | undefined)?.image?.src?.url
      return url && /^https?:\/\//.test(url) ? [url] : []
    }),
  ),
]

export type WixImage = { id: string; url: string; size: { width: number; height: number } | undefined }

/** The same document with its linked images made the site's own, where they were imported. */
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
