import { escapeAttribute, escapeText } from '../../../content/html/references.ts'
import { type ImageData, imageUrl } from './ricos.ts'
import type { RicosDocument, RicosNode } from './types.ts'

const CONTAINERS: Readonly<Record<string, string>> = {
  PARAGRAPH: 'p',
  BULLETED_LIST: 'ul',
  ORDERED_LIST: 'ol',
  LIST_ITEM: 'li',
  BLOCKQUOTE: 'blockquote',
  TABLE: 'table',
  TABLE_ROW: 'tr',
  TABLE_CELL: 'td',
}

const MARKS: Readonly<Record<string, string>> = { BOLD: 'strong', ITALIC: 'em', UNDERLINE: 'u' }

type Decoration = {
  type?: string
  fontWeightValue?: number
  italicData?: boolean
  linkData?: { link?: { url?: string } }
}

/** True if a decoration shows what its type says: Wix also stores a weight of 400, and an italic that is off. */
const isOn = ({ type, fontWeightValue, italicData }: Decoration): boolean =>
  type === 'BOLD' ? (fontWeightValue ?? 700) >= 600 : type !== 'ITALIC' || italicData !== false

const textHtml = ({ textData }: RicosNode): string => {
  const { text = '', decorations = [] } = (textData ?? {}) as { text?: string; decorations?: Decoration[] }
  return decorations.filter(isOn).reduceRight(
    (inner, { type = '', linkData }) => {
      const url = type === 'LINK' ? linkData?.link?.url : undefined
      if (url) return `<a href="${escapeAttribute(url)}">${inner}</a>`
      const tag = MARKS[type]
      return tag === undefined ? inner : `<${tag}>${inner}</${tag}>`
    },
    escapeText(text).replaceAll('\n', '<br>'),
  )
}

const imageHtml = (image: ImageData | undefined): string => {
  const url = imageUrl(image)
  return url === undefined ? '' : `<img src="${escapeAttribute(url)}" alt="${escapeAttribute(image?.altText ?? '')}">`
}

const nodeHtml = (node: RicosNode): string => {
  const { type } = node
  if (type === 'TEXT') return textHtml(node)
  if (type === 'IMAGE') return imageHtml(node.imageData as ImageData | undefined)
  if (type === 'DIVIDER') return '<hr>'
  const inner = (node.nodes ?? []).map(nodeHtml).join('')
  if (type === 'CODE_BLOCK') return `<pre><code>${inner.replaceAll('<br>', '\n')}</code></pre>`
  if (type === 'HEADING') {
    const { level = 2 } = (node.headingData ?? {}) as { level?: number }
    const tag = `h${Math.min(6, Math.max(1, Math.trunc(level)))}`
    return `<${tag}>${inner}</${tag}>`
  }
  const tag = CONTAINERS[type]
  return tag === undefined ? inner : `<${tag}>${inner}</${tag}>`
}

/**
 * Returns a Ricos document as HTML that people read: texts, links, lists, tables and pictures.
 *
 * Galleries, players and other nodes without a text are left out. See https://dev.wix.com/docs/ricos.
 */
export const htmlOfRicos = ({ nodes }: RicosDocument): string => nodes.map(nodeHtml).join('\n')
