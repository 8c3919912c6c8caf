import { allOf, type Element, firstOf, isTag, type Node, textOf, treeOf } from '../cms/html-tree.ts'
import { escaped, escapedStart, inlineText, linkTarget } from './inline.ts'
import { notionLanguage } from './languages.ts'

const INLINE = new Set(
  'a abbr b bdi bdo br cite code data del dfn em font i ins kbd mark q rp rt ruby s samp small span strike strong sub sup time tt u var wbr'.split(
    ' ',
  ),
)

const BLANK = /^(?:\s|<br>)*$/

/** Lines of markdown; each element of the list is one line of one block. */
type Lines = string[]

const indented = (lines: Lines): Lines => lines.map((line) => (line === '' ? '' : `\t${line}`))

const trimmed = (text: string): string => text.replace(/^(?:\s|<br>)+|(?:\s|<br>)+$/g, '')

const paragraph = (nodes: readonly Node[]): Lines => {
  const text = inlineText(nodes)
  return BLANK.test(text) ? [] : [escapedStart(trimmed(text))]
}

/** Whether a node stands within a line: text, and inline elements that hold no block. */
const isInline = (node: Node): boolean =>
  typeof node === 'string' || (INLINE.has(node.tag) && node.children.every(isInline))

/** The blocks of mixed content: runs of text become paragraphs. At the top an empty line stands between blocks. */
const blocksOf = (nodes: readonly Node[], gap: Lines = []): Lines => {
  const blocks: Lines[] = []
  let run: Node[] = []
  const endRun = () => {
    blocks.push(paragraph(run))
    run = []
  }
  for (const node of nodes) {
    if (isInline(node)) run.push(node)
    else if (typeof node !== 'string') {
      endRun()
      blocks.push(blockOf(node, gap))
    }
  }
  endRun()
  return blocks.filter((block) => block.length > 0).flatMap((block, n) => (n === 0 ? block : [...gap, ...block]))
}

/** A block whose first line holds text and whose further blocks stand indented beneath it. */
const withChildren = (start: string, nodes: readonly Node[]): Lines => {
  const cut = nodes.findIndex((node) => !isInline(node))
  const head = cut < 0 ? nodes : nodes.slice(0, cut)
  const rest = cut < 0 ? [] : nodes.slice(cut)
  const text = trimmed(inlineText(head))
  const [first, ...others] = rest
  // `<li><p>…</p></li>`: the paragraph is the item's own text.
  if (text === '' && first && isTag(first, 'p', 'div')) return withChildren(start, [...first.children, ...others])
  return [`${start}${text}`, ...indented(blocksOf(rest))]
}

const listOf = (list: Element): Lines =>
  list.children
    .filter((item) => typeof item !== 'string')
    .flatMap((item, n) =>
      withChildren(list.tag === 'ol' ? `${n + 1}. ` : '- ', isTag(item, 'li') ? item.children : [item]),
    )

/** Several lines of one quotation stand in one line, parted by `<br>`: each `>` line would be a quotation of its own. */
const quoteOf = ({ children }: Element): Lines => {
  const parts: string[] = []
  const rest: Node[] = []
  for (const child of children) {
    if (rest.length === 0 && (isInline(child) || isTag(child, 'p', 'footer'))) {
      const text = trimmed(inlineText(isTag(child, 'p', 'footer') ? child.children : [child]))
      if (text !== '') parts.push(text)
    } else rest.push(child)
  }
  return [`> ${parts.join('<br>')}`, ...indented(blocksOf(rest))]
}

const codeOf = (pre: Element): Lines => {
  const text = textOf(pre)
    .replace(/\r\n?/g, '\n')
    .replace(/^\n|\n$/g, '')
  const language = /(?:^|\s)(?:language|lang)-([\w#+.-]+)/.exec(
    (firstOf(pre, 'code') ?? pre).attributes.class ?? '',
  )?.[1]
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return [`${fence}${notionLanguage(language ?? '')}`, ...text.split('\n'), fence]
}

const cellOf = (cell: Element): string[] => {
  const inner = cell.children.every(isInline)
    ? inlineText(cell.children)
    : blocksOf(cell.children)
        .map((line) => line.trim())
        .join('<br>')
  const width = Math.min(20, Math.max(1, Number.parseInt(cell.attributes.colspan ?? '1', 10) || 1))
  return [trimmed(inner), ...Array.from({ length: width - 1 }, () => '')]
}

const tableOf = (table: Element): Lines => {
  const rows = allOf(table, 'tr').map((row) => row.children.filter((cell) => isTag(cell, 'td', 'th')) as Element[])
  if (rows.length === 0) return []
  const texts = rows.map((row) => row.flatMap(cellOf))
  const width = Math.max(...texts.map((row) => row.length))
  const isHead = rows[0]?.every((cell) => cell.tag === 'th') === true
  const isSide = rows.length > 1 && rows.slice(1).every((row) => row[0]?.tag === 'th')
  const caption = firstOf(table, 'caption')
  const attributes = `${isHead ? ' header-row="true"' : ''}${isSide ? ' header-column="true"' : ''}`
  return [
    ...(caption ? paragraph(caption.children) : []),
    `<table${attributes}>`,
    ...texts.flatMap((row) => [
      '\t<tr>',
      ...Array.from({ length: width }, (_, n) => `\t\t<td>${row[n] ?? ''}</td>`),
      '\t</tr>',
    ]),
    '</table>',
  ]
}

/** Only images from https addresses are shown; the text under one is its caption, or what it shows. */
const imageOf = (image: Element, caption: string): Lines => {
  const src = linkTarget(image.attributes.src)
  const text = caption || escaped((image.attributes.alt ?? '').replace(/\s+/g, ' ').trim())
  if (src?.startsWith('https://')) return [`![${text}](${src})`]
  return text === '' ? [] : [escapedStart(text)]
}

const figureOf = (figure: Element, gap: Lines): Lines => {
  const image = firstOf(figure, 'img')
  const caption = firstOf(figure, 'figcaption')
  if (!image || figure.children.some((child) => isTag(child, 'table', 'pre', 'blockquote')))
    return blocksOf(figure.children, gap)
  return imageOf(image, caption ? trimmed(inlineText(caption.children)).replace(/<br>/g, ' ') : '')
}

const embedOf = ({ tag, attributes, children }: Element): Lines => {
  const nested = children.find((child) => isTag(child, 'source'))
  const src = linkTarget(attributes.src ?? (nested && isTag(nested, 'source') ? nested.attributes.src : undefined))
  if (!src) return []
  const watch = src
    .replace(
      /^https:\/\/(?:www\.)?youtube(?:-nocookie)?\.com\/embed\/([\w-]+).*$/,
      'https://www.youtube.com/watch?v=$1',
    )
    .replace(/^https:\/\/player\.vimeo\.com\/video\/(\d+).*$/, 'https://vimeo.com/$1')
  return [tag === 'audio' ? `<audio src="${watch}"></audio>` : `<video src="${watch}"></video>`]
}

const detailsOf = ({ children }: Element): Lines => {
  const summary = children.find((child) => isTag(child, 'summary'))
  return [
    '<details>',
    `<summary>${summary ? trimmed(inlineText([summary])) : ''}</summary>`,
    ...indented(blocksOf(children.filter((child) => child !== summary))),
    '</details>',
  ]
}

const BLOCKS: Record<string, (element: Element, gap: Lines) => Lines> = {
  h1: ({ children }) => heading('##', children),
  h2: ({ children }) => heading('##', children),
  h3: ({ children }) => heading('###', children),
  h4: ({ children }) => heading('####', children),
  h5: ({ children }) => heading('####', children),
  h6: ({ children }) => heading('####', children),
  ul: listOf,
  ol: listOf,
  blockquote: quoteOf,
  pre: codeOf,
  hr: () => ['---'],
  table: tableOf,
  figure: figureOf,
  img: (image) => imageOf(image, ''),
  iframe: embedOf,
  video: embedOf,
  audio: embedOf,
  details: detailsOf,
  dt: ({ children }) => paragraph([{ tag: 'b', attributes: {}, children }]),
}

const heading = (mark: string, nodes: readonly Node[]): Lines => {
  const text = trimmed(inlineText(nodes.filter(isInline))).replace(/<br>/g, ' ')
  return text === '' ? [] : [`${mark} ${text}`]
}

const blockOf = (element: Element, gap: Lines): Lines => {
  const write = BLOCKS[element.tag]
  return write ? write(element, gap) : blocksOf(element.children, gap)
}

/**
 * HTML as Notion's own markdown (tab-indented children, `<table>`, `<details>`, `<video>`). What Notion has no place for is
 * kept as text: superscripts, images that are not on https, links within the page.
 */
export const toMarkdown = (html: string): string => blocksOf(treeOf(html).children, ['']).join('\n')
