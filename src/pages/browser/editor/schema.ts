import {
  type Attrs,
  type DOMOutputSpec,
  DOMParser,
  type MarkSpec,
  type Node,
  type NodeSpec,
  Schema,
} from 'prosemirror-model'
import { PASTED_PICTURE } from './paste/clean.ts'

/** Attributes of an element, by name. */
type Attributes = Readonly<Record<string, string>>

/** Attributes that pasted elements keep. Elements of the article keep all of theirs. */
const PASTED = new Set([
  ...['href', 'src', 'alt', 'title', 'colspan', 'rowspan', 'scope', 'start', 'dir', 'lang'],
  PASTED_PICTURE,
])

const attributesOf = (element: HTMLElement, isKept: (name: string) => boolean): Attributes =>
  Object.fromEntries(
    [...element.attributes].filter(({ name }) => isKept(name)).map(({ name, value }) => [name, value] as const),
  )

const always = (): boolean => true
const ifPasted = (name: string): boolean => PASTED.has(name)

/** Attributes of every block: those of its element, and the index of its source block. */
const attrs = { of: { default: {} }, block: { default: null } }

const drawn = (tag: string, node: Node): DOMOutputSpec => [tag, node.attrs.of as Attributes, 0]

/** Returns the spec of an element that has only a name and attributes. */
const element = (tag: string, spec: NodeSpec): NodeSpec => ({
  attrs,
  parseDOM: [{ tag }],
  toDOM: (node) => drawn(tag, node),
  ...spec,
})

const BLOCK = 'block+'

const nodes: Record<string, NodeSpec> = {
  doc: { content: BLOCK },
  paragraph: element('p', { group: 'block', content: 'inline*' }),
  /** Text of a list item, a cell or a quotation that is not in an element of its own. */
  line: {
    attrs,
    group: 'block',
    content: 'inline*',
    parseDOM: [{ tag: 'div.line' }],
    toDOM: () => ['div', { class: 'line' }, 0],
  },
  heading: {
    attrs: { ...attrs, level: { default: 2 } },
    group: 'block',
    content: 'inline*',
    defining: true,
    parseDOM: [
      // The title is the page's only `h1`, so an `h1` in the text becomes an `h2`.
      { tag: 'h1', attrs: { level: 2 } },
      ...[2, 3, 4, 5, 6].map((level) => ({ tag: `h${level}`, attrs: { level } })),
    ],
    toDOM: (node) => drawn(`h${node.attrs.level}`, node),
  },
  bullet_list: element('ul', { group: 'block', content: 'list_item+' }),
  ordered_list: element('ol', { group: 'block', content: 'list_item+' }),
  list_item: element('li', { content: '(line | block)+', defining: true }),
  blockquote: element('blockquote', { group: 'block', content: '(line | block)+', defining: true }),
  preformatted: {
    attrs: { ...attrs, code: { default: null } },
    group: 'block',
    content: 'text*',
    marks: '',
    code: true,
    defining: true,
    parseDOM: [{ tag: 'pre', preserveWhitespace: 'full' }],
    toDOM: (node) =>
      node.attrs.code === null
        ? drawn('pre', node)
        : ['pre', node.attrs.of as Attributes, ['code', node.attrs.code as Attributes, 0]],
  },
  figure: element('figure', { group: 'block', content: '(line | block | caption)+' }),
  caption: element('figcaption', { content: 'inline*' }),
  table: element('table', { group: 'block', content: 'table_caption? columns* section+', isolating: true }),
  table_caption: element('caption', { content: 'inline*' }),
  columns: element('colgroup', { content: 'column*' }),
  column: { ...element('col', {}), toDOM: (node) => ['col', node.attrs.of as Attributes] },
  section: {
    attrs: { ...attrs, tag: { default: 'tbody' } },
    content: 'row+',
    parseDOM: ['thead', 'tbody', 'tfoot'].map((tag) => ({ tag, attrs: { tag } })),
    toDOM: (node) => drawn(node.attrs.tag as string, node),
  },
  row: element('tr', { content: 'cell+' }),
  cell: {
    attrs: { ...attrs, tag: { default: 'td' } },
    content: '(line | block)+',
    isolating: true,
    parseDOM: ['td', 'th'].map((tag) => ({ tag, attrs: { tag } })),
    toDOM: (node) => drawn(node.attrs.tag as string, node),
  },
  divider: { ...element('hr', { group: 'block' }), toDOM: (node) => ['hr', node.attrs.of as Attributes] },
  /** Block with content that the editor does not support. It can be moved and deleted, not edited. */
  raw: {
    attrs: { block: { default: null } },
    group: 'block',
    atom: true,
    draggable: true,
    toDOM: () => ['div', { class: 'raw' }],
  },
  text: { group: 'inline' },
  image: {
    attrs: { of: { default: {} } },
    group: 'inline',
    inline: true,
    draggable: true,
    parseDOM: [{ tag: 'img' }],
    toDOM: ({ attrs: { of } }) => {
      // The browser may not load what a clipboard names, such as a file.
      const { src, ...rest } = of as Attributes
      return ['img', PASTED_PICTURE in rest ? rest : (of as Attributes)]
    },
  },
  hard_break: {
    attrs: { of: { default: {} } },
    group: 'inline',
    inline: true,
    selectable: false,
    parseDOM: [{ tag: 'br' }],
    toDOM: (node) => ['br', node.attrs.of as Attributes],
  },
}

/** Inline elements, the outermost first. */
export const INLINE = [
  ...[
    'a',
    'strong',
    'b',
    'em',
    'i',
    'u',
    's',
    'del',
    'ins',
    'mark',
    'small',
    'sub',
    'sup',
    'span',
    'abbr',
    'cite',
    'q',
  ],
  ...['dfn', 'time', 'kbd', 'samp', 'var', 'code'],
] as const

const marks: Record<string, MarkSpec> = Object.fromEntries(
  INLINE.map((tag) => [
    tag,
    {
      attrs: { of: { default: {} } },
      inclusive: tag !== 'a',
      // A span may be inside another span with other attributes.
      excludes: tag === 'span' ? '' : tag,
      parseDOM: [{ tag }],
      toDOM: (mark) => [tag, mark.attrs.of as Attributes, 0],
    } satisfies MarkSpec,
  ]),
)

/** Schema of articles: the elements that the service keeps, with all their attributes. */
export const schema = new Schema({ nodes, marks })

const parserOf = (isKept: (name: string) => boolean): DOMParser =>
  new DOMParser(
    schema,
    DOMParser.fromSchema(schema).rules.map((rule) => ({
      ...rule,
      getAttrs: (dom: HTMLElement): Attrs => {
        const { attrs: own = {} } = rule
        const code = dom.nodeName === 'PRE' && dom.childNodes.length === 1 ? dom.firstElementChild : null
        return {
          ...own,
          of: attributesOf(dom, isKept),
          ...(code?.nodeName === 'CODE' ? { code: attributesOf(code as HTMLElement, isKept) } : {}),
        }
      },
    })) as ConstructorParameters<typeof DOMParser>[1],
  )

/** Parser of the article's own elements. */
export const parser = parserOf(always)

/** Parser of pasted elements, which keep no styles. */
export const pasteParser = parserOf(ifPasted)
