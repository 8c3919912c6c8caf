import { element, type HtmlElement, type HtmlNode, isElement, parseFragment, textOf } from '../html/tree.ts'
import { isInline, prune } from './prose.ts'

const HTML = /<(p|h[1-6]|ul|ol|li|div|br|table|blockquote|strong|em|b|i|a|section|article|span|dl|pre)\b[^<>]{0,2000}>/i

const INLINE_MARKS =
  /!\[([^[\]\n]{0,500})\]\((https?:[^()\s]{1,2000})\)|\[([^[\]\n]{1,500})\]\((https?:[^()\s]{1,2000})\)|`([^`\n]{1,500})`|\*\*([^*\n]{1,1000})\*\*|__([^_\n]{1,1000})__|(?<!\*)\*([^*\s][^*\n]{0,500})\*|(https?:\/\/[^\s<>"'()[\]]{1,2000})/g

const link = (href: string, text: string): HtmlNode => element('a', [{ text }], { href })

const marked = (match: RegExpMatchArray): HtmlNode => {
  const [, alt, src, text, href, code, strong, strong2, em, bare] = match
  if (src !== undefined) return element('img', [], { src, alt: alt ?? '' })
  if (href !== undefined) return link(href, text ?? href)
  if (code !== undefined) return element('code', [{ text: code }])
  if (strong !== undefined || strong2 !== undefined) return element('strong', [{ text: strong ?? strong2 ?? '' }])
  if (em !== undefined) return element('em', [{ text: em }])
  return link(bare ?? '', bare ?? '')
}

/** Returns inline Markdown as nodes. Punctuation after a bare address is not part of the link. */
const inline = (text: string): HtmlNode[] => {
  const nodes: HtmlNode[] = []
  let at = 0
  for (const match of text.matchAll(INLINE_MARKS)) {
    const trailing = match[9] ? (/(?<![.,;:!?])[.,;:!?]+$/.exec(match[9])?.[0] ?? '') : ''
    if (match[9]) match[9] = match[9].slice(0, match[9].length - trailing.length)
    if (match.index > at) nodes.push({ text: text.slice(at, match.index) })
    nodes.push(marked(match))
    at = match.index + match[0].length - trailing.length
  }
  if (at < text.length) nodes.push({ text: text.slice(at) })
  return nodes
}

const ITEM = /^\s{0,12}(?:([-*+•–])|(\d{1,3})[.)])\s+(?!\s)(.*)$/
const HEADING = /^(#{1,6})\s+(?!\s)(.*)$/
const MAX_HEADING = 80

const paragraphs = (lines: readonly string[]): HtmlNode[] => {
  const groups: string[][] = []
  for (const line of lines) {
    const last = groups.at(-1)
    // A question, or a short line that ends with a sentence, is a paragraph of its own.
    const open =
      last !== undefined &&
      !/[?]$/.test(last.at(-1) ?? '') &&
      !((last.at(-1)?.length ?? 0) < 60 && /[.!…]$/.test(last.at(-1) ?? ''))
    if (open) last.push(line)
    else groups.push([line])
  }
  return groups.map((group) => element('p', inline(group.join(' '))))
}

const items = (lines: readonly string[]): HtmlNode[] => {
  const ordered = lines.every((line) => ITEM.exec(line)?.[2] !== undefined)
  return [
    element(
      ordered ? 'ol' : 'ul',
      lines.map((line) => element('li', inline(ITEM.exec(line)?.[3] ?? line))),
    ),
  ]
}

const ROW = /^\s*\|.*\|\s*$/
const cellsOf = (line: string): string[] =>
  line
    .trim()
    .replace(/^\||\|$/g, '')
    .split('|')
    .map((cell) => cell.trim())

const table = (lines: readonly string[]): HtmlNode[] => {
  const rows = lines.filter((line) => !/^[\s|:-]+$/.test(line)).map(cellsOf)
  return [
    element(
      'table',
      rows.map((cells, row) =>
        element(
          'tr',
          cells.map((cell) => element(row === 0 ? 'th' : 'td', inline(cell))),
        ),
      ),
    ),
  ]
}

type Kind = 'text' | 'item' | 'quote' | 'row' | 'heading' | 'blank' | 'rule'

const kindOf = (line: string): Kind => {
  if (line.trim() === '') return 'blank'
  if (HEADING.test(line)) return 'heading'
  if (/^\s*([-*_])(\s*\1){2,}\s*$/.test(line)) return 'rule'
  if (ITEM.test(line)) return 'item'
  if (/^\s*>/.test(line)) return 'quote'
  return ROW.test(line) ? 'row' : 'text'
}

const blockOf = (kind: Kind, lines: readonly string[]): HtmlNode[] => {
  if (kind === 'item') return items(lines)
  if (kind === 'row') return table(lines)
  if (kind === 'quote') return [element('blockquote', paragraphs(lines.map((line) => line.replace(/^\s*>\s?/, ''))))]
  if (kind !== 'heading') return paragraphs(lines.map((line) => line.trim()))
  return lines.map((line) => {
    const [, marks = '##', text = ''] = HEADING.exec(line) ?? []
    return element(`h${marks.length}`, inline(text.replace(/(?<!#)#+$/, '').trimEnd()))
  })
}

/** Groups consecutive lines of one kind. An indented line after a list item belongs to the item. */
const linesByKind = (text: string): { kind: Kind; lines: string[] }[] => {
  const groups: { kind: Kind; lines: string[] }[] = []
  for (const line of text.split(/\r\n|\r|\n/)) {
    const kind = kindOf(line)
    const last = groups.at(-1)
    if (kind === 'text' && last?.kind === 'item' && /^\s{2,}/.test(line))
      last.lines.push(`${last.lines.pop()} ${line.trim()}`)
    else if (last?.kind === kind) last.lines.push(line)
    else groups.push({ kind, lines: [line] })
  }
  return groups.filter(({ kind }) => kind !== 'blank' && kind !== 'rule')
}

/** True if a paragraph looks like a heading: a short line without a full stop, before a longer text or a list. */
const readsAsHeading = (node: HtmlNode, next: HtmlNode | undefined): boolean => {
  if (!isElement(node) || node.tag !== 'p' || !next || !isElement(next)) return false
  const text = textOf([node])
  if (
    text.length > MAX_HEADING ||
    /[.!?…;,]$/.test(text) ||
    node.children.some((child) => isElement(child) && child.tag === 'a')
  )
    return false
  if (next.tag !== 'p') return /^(ul|ol|table|blockquote)$/.test(next.tag)
  const following = textOf([next])
  return following.length > text.length && /[.!?…]["'”’)]?$/.test(following) && text.split(' ').length <= 10
}

const withHeadings = (nodes: readonly HtmlNode[]): HtmlNode[] =>
  nodes.map((node, index) => {
    if (!isElement(node) || !readsAsHeading(node, nodes[index + 1])) return node
    return element('h2', [{ text: textOf([node]).replace(/\s*:$/, '') }])
  })

const KEPT = new Set(
  'p h1 h2 h3 h4 h5 h6 ul ol li blockquote pre table thead tbody tfoot tr td th caption dl dt dd figure figcaption hr img'.split(
    ' ',
  ),
)
const KEPT_INLINE = new Set('a abbr b br cite code em i kbd mark q s small strong sub sup u del ins'.split(' '))
const ATTRIBUTES: Record<string, readonly string[]> = {
  a: ['href'],
  img: ['src', 'alt', 'width', 'height'],
  td: ['colspan', 'rowspan'],
  th: ['colspan', 'rowspan', 'scope'],
  ol: ['start'],
}
const DROPPED = new Set(['nav', 'form', 'button', 'select', 'object', 'canvas', 'video', 'audio', 'math'])
const CONTAINERS = new Set(['blockquote', 'td', 'th', 'li', 'dd', 'dt', 'figure'])

const cleanElement = (node: HtmlElement): HtmlNode[] => {
  if (DROPPED.has(node.tag)) return []
  const { tag } = node
  const children = clean(node.children)
  if (!KEPT.has(tag) && !KEPT_INLINE.has(tag)) return children
  const allowed = ATTRIBUTES[tag] ?? []
  const attributes = Object.fromEntries(Object.entries(node.attributes).filter(([name]) => allowed.includes(name)))
  if (tag === 'a' && attributes.href === undefined) return children
  return [
    {
      tag,
      attributes,
      children: CONTAINERS.has(tag) ? children : children.filter((child) => isInline(child) || tag !== 'p'),
    },
  ]
}

const clean = (nodes: readonly HtmlNode[]): HtmlNode[] =>
  nodes.flatMap((node) => (isElement(node) ? cleanElement(node) : [node]))

/** Wraps loose text between blocks in paragraphs. A break outside of a block ends a paragraph. */
const intoBlocks = (nodes: readonly HtmlNode[]): HtmlNode[] => {
  const blocks: HtmlNode[] = []
  let loose: HtmlNode[] = []
  const close = () => {
    if (textOf(loose) !== '') blocks.push(element('p', loose))
    loose = []
  }
  for (const node of nodes) {
    const isBreak = isElement(node) && node.tag === 'br'
    if (isInline(node) && !isBreak) loose.push(node)
    else {
      close()
      if (!isBreak) blocks.push(node)
    }
  }
  close()
  return blocks
}

/**
 * Returns HTML as plain article blocks and inline marks, without classes, ids and styles.
 *
 * Other elements are removed and their content stays. An h1 becomes an h2.
 */
export const plainBlocks = (html: string): HtmlNode[] =>
  htmlBlocks(html).map((node) => (isElement(node) && node.tag === 'h1' ? { ...node, tag: 'h2' } : node))

const htmlBlocks = (html: string): HtmlNode[] => prune(intoBlocks(clean(parseFragment(html))))

/** Returns a caller's HTML, Markdown or plain text notes as article blocks. Adds nothing. A first h1 may be their title. */
export const readNotes = (notes: string): HtmlNode[] => {
  if (HTML.test(notes)) return htmlBlocks(notes)
  const blocks = linesByKind(notes).flatMap(({ kind, lines }) => blockOf(kind, lines))
  return prune(withHeadings(blocks))
}
