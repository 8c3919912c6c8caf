import { withoutHidden } from '../shown.ts'
import { candidatesOf } from '../tags.ts'
import { type HtmlElement, type HtmlNode, isElement, parseFragment } from '../tree.ts'
import { asLine, type Block, isVisible, type Leaf, type Mark, tidy } from './blocks.ts'
import { BLOCKS, codeBlocks, LEFT_OUT, languageOfBox } from './code.ts'
import { cellsOf } from './table.ts'

const MARKS: Record<string, string> = {
  ...{ b: 'strong', strong: 'strong', i: 'em', em: 'em', cite: 'em', s: 'del', strike: 'del', del: 'del' },
  ...{ u: 'u', ins: 'u', mark: 'mark', sub: 'sub', sup: 'sup' },
}
const CODE = new Set(['code', 'kbd', 'samp', 'tt'])
const PLAYERS = new Set(['iframe', 'video', 'audio'])
const LISTS = new Set(['ul', 'ol', 'menu', 'dir'])
const EMPHASIS: Mark = { name: 'em' }

/** Finished blocks, and the line being read. */
type Place = { blocks: Block[]; run: Leaf[] }
/** Marks around the text being read, whether it is code, and the language that a box around code names. */
type Context = { marks: readonly Mark[]; isCode: boolean; language: string }

const PLAIN: Context = { marks: [], isCode: false, language: '' }

/** Returns an attribute's value as one line. */
const oneLine = (value: string | undefined): string => (value ?? '').replace(/\s+/g, ' ').trim()

/** Returns an address without the characters that browsers ignore. Addresses without a scheme (`//a.example`) get https. */
export const addressOf = (value: string | undefined): string => {
  const address = (value ?? '').replace(/[\t\n\r]/g, '').trim()
  return address.startsWith('//') ? `https:${address}` : address
}

const leafOf = (text: string, { marks, isCode }: Context): Leaf => ({ kind: isCode ? 'code' : 'text', text, marks })

const endRun = (place: Place): void => {
  const line = tidy(place.run)
  place.run = []
  if (line.length > 0) place.blocks.push({ kind: 'paragraph', line })
}

const blocksIn = (nodes: readonly HtmlNode[], context: Context): Block[] => {
  const place: Place = { blocks: [], run: [] }
  walk(nodes, place, context)
  endRun(place)
  return place.blocks
}

const imageLeaf = ({ attributes }: HtmlElement, { marks }: Context): Leaf[] => {
  const src = addressOf(attributes.src) || addressOf(candidatesOf(attributes.srcset ?? '')[0]?.url)
  const alt = oneLine(attributes.alt)
  if (src === '') return alt === '' ? [] : [{ kind: 'text', text: alt, marks }]
  return [{ kind: 'image', src, alt, title: oneLine(attributes.title), marks }]
}

const playerLeaf = (player: HtmlElement): Leaf | undefined => {
  const { tag, attributes, children } = player
  const sources = [player, ...children.filter(isElement).filter((child) => child.tag === 'source')]
  const src = sources.map((source) => addressOf(source.attributes.src)).find((address) => address !== '')
  if (src === undefined) return undefined
  return { kind: 'player', tag, src, title: oneLine(attributes.title ?? attributes['aria-label']), marks: [] }
}

const withMark = (context: Context, mark: Mark): Context =>
  context.marks.some(({ name }) => name === mark.name) ? context : { ...context, marks: [...context.marks, mark] }

/** Styles that cancel a mark. Editors wrap whole documents in a `<b>` that is not bold. */
const UNDONE: Record<string, RegExp> = {
  strong: /(?:^|;)\s*font-weight\s*:\s*(?:normal|[1-4]00)\b/i,
  em: /(?:^|;)\s*font-style\s*:\s*normal\b/i,
}

const contextOf = ({ tag, attributes }: HtmlElement, context: Context): Context => {
  if (CODE.has(tag)) return { ...context, isCode: true }
  if (tag === 'a') {
    const href = addressOf(attributes.href)
    return href === '' ? context : withMark(context, { name: 'a', href, title: oneLine(attributes.title) })
  }
  const name = Object.hasOwn(MARKS, tag) ? MARKS[tag] : undefined
  // Code has no marks inside. Only a link around it stays.
  if (name === undefined || context.isCode || UNDONE[name]?.test(attributes.style ?? '')) return context
  return withMark(context, { name })
}

const elements = (nodes: readonly HtmlNode[]): HtmlElement[] => nodes.filter(isElement)

/** Returns the items of a list. A list directly inside the list belongs to the item before it. */
const itemsIn = (nodes: readonly HtmlNode[], context: Context): Block[][] => {
  const items: Block[][] = []
  for (const node of nodes) {
    if (!isElement(node)) {
      const blocks = blocksIn([node], context)
      if (blocks.length > 0) items.push(blocks)
    } else if (LEFT_OUT.has(node.tag)) continue
    else if (node.tag === 'li') items.push(blocksIn(node.children, context))
    else if (LISTS.has(node.tag)) {
      const last = items.at(-1)
      if (last) for (const block of blocksIn([node], context)) last.push(block)
      else items.push(blocksIn([node], context))
    } else if (elements(node.children).some(({ tag }) => tag === 'li'))
      for (const item of itemsIn(node.children, contextOf(node, context))) items.push(item)
    else {
      const blocks = blocksIn([node], context)
      if (blocks.length > 0) items.push(blocks)
    }
  }
  return items
}

const startOf = (list: HtmlElement): number => {
  const first = elements(list.children).find(({ tag }) => tag === 'li')
  const given = Number.parseInt(first?.attributes.value ?? list.attributes.start ?? '1', 10)
  return given >= 0 && given < 1_000_000_000 ? given : 1
}

const termsIn = (nodes: readonly HtmlNode[], context: Context): { tag: string; blocks: Block[] }[] =>
  nodes.flatMap((node) => {
    if (isElement(node) && LEFT_OUT.has(node.tag)) return []
    if (isElement(node) && (node.tag === 'dt' || node.tag === 'dd'))
      return [{ tag: node.tag, blocks: blocksIn(node.children, context) }]
    if (isElement(node) && node.tag === 'div') return termsIn(node.children, context)
    const blocks = blocksIn([node], context)
    return blocks.length > 0 ? [{ tag: 'dd', blocks }] : []
  })

/** Returns the pictures within nodes outside captions, and whether there is other content. */
const picturesIn = (nodes: readonly HtmlNode[]): { images: HtmlElement[]; hasOther: boolean } => {
  const found = { images: [] as HtmlElement[], hasOther: false }
  const look = (list: readonly HtmlNode[]): void => {
    for (const node of list) {
      if (!isElement(node)) found.hasOther ||= /\S/.test(node.text)
      else if (LEFT_OUT.has(node.tag) || node.tag === 'figcaption') continue
      else if (node.tag === 'img') found.images.push(node)
      else if (PLAYERS.has(node.tag) || node.tag === 'table' || node.tag === 'hr') found.hasOther = true
      else look(node.children)
    }
  }
  look(nodes)
  return found
}

const captionsIn = (nodes: readonly HtmlNode[]): HtmlElement[] =>
  elements(nodes).flatMap((node) => (node.tag === 'figcaption' ? [node] : captionsIn(node.children)))

const isPicture = (block: Block): boolean =>
  block.kind === 'figure' ||
  (block.kind === 'paragraph' && block.line.every((leaf) => leaf.kind === 'image' || !isVisible(leaf)))

/** Returns the blocks of a figure. A list of pictures is replaced with its pictures. */
const galleryBlocks = (blocks: readonly Block[]): Block[] =>
  blocks.flatMap((block) => {
    const items = block.kind === 'list' ? block.items.flat() : []
    return items.length > 0 && items.every(isPicture) ? items : [block]
  })

/** Returns a figure block for one picture with its caption. Any other figure becomes the blocks in it. */
const figureBlocks = (figure: HtmlElement, context: Context): Block[] => {
  const { images, hasOther } = picturesIn(figure.children)
  const captions = captionsIn(figure.children)
  const blocks = galleryBlocks(blocksIn(figure.children, context))
  if (images.length !== 1 || hasOther || captions.length > 1) return blocks
  const image = asLine(blocks).find((leaf) => leaf.kind === 'image')
  if (!image) return blocks
  return [{ kind: 'figure', image, caption: asLine(blocksIn(captions[0]?.children ?? [], context)) }]
}

const tableBlocks = (table: HtmlElement, context: Context): Block[] => {
  const { rows, outside } = cellsOf(table, (cell) => blocksIn(cell.children, context))
  const before = blocksIn(outside, context)
  const isShown = rows.some(({ cells }) => cells.some((cell) => cell !== undefined))
  return isShown ? [...before, { kind: 'table', rows }] : before
}

const detailsBlock = ({ children }: HtmlElement, context: Context): Block => {
  const summary = children.find((child) => isElement(child) && child.tag === 'summary')
  return {
    kind: 'details',
    summary: summary && isElement(summary) ? asLine(blocksIn(summary.children, context)) : [],
    blocks: blocksIn(
      children.filter((child) => child !== summary),
      context,
    ),
  }
}

const headingBlocks = ({ tag, children }: HtmlElement, context: Context): Block[] => {
  const line = asLine(blocksIn(children, context))
  return line.length > 0 ? [{ kind: 'heading', level: Number(tag[1]), line }] : []
}

/** Returns the block, or none if the list is empty. */
const ifAny = <T>(list: readonly T[], block: Block): Block[] => (list.length > 0 ? [block] : [])

type Build = (element: HtmlElement, context: Context) => Block[]

const listBlocks: Build = (list, context) => {
  const items = itemsIn(list.children, context)
  return ifAny(items, { kind: 'list', isOrdered: list.tag === 'ol', start: startOf(list), items, isStray: false })
}

const BUILD: Record<string, Build> = {
  ...{ h1: headingBlocks, h2: headingBlocks, h3: headingBlocks, h4: headingBlocks, h5: headingBlocks },
  ...{ h6: headingBlocks, ul: listBlocks, ol: listBlocks, menu: listBlocks, dir: listBlocks },
  li: ({ children }, context) => [
    { kind: 'list', isOrdered: false, start: 1, items: [blocksIn(children, context)], isStray: true },
  ],
  blockquote: ({ children }, context) => {
    const blocks = blocksIn(children, context)
    return ifAny(blocks, { kind: 'quote', blocks })
  },
  ...{ pre: codeBlocks, listing: codeBlocks, xmp: codeBlocks },
  hr: () => [{ kind: 'rule' }],
  table: tableBlocks,
  figure: figureBlocks,
  figcaption: ({ children }, context) => blocksIn(children, withMark(context, EMPHASIS)),
  caption: ({ children }, context) => blocksIn(children, context),
  details: (details, context) => [detailsBlock(details, context)],
  dl: ({ children }, context) => {
    const items = termsIn(children, context)
    return ifAny(items, { kind: 'terms', items })
  },
}

const addBlocks = (place: Place, made: readonly Block[]): void => {
  endRun(place)
  const last = place.blocks.at(-1)
  const [first] = made
  // Consecutive items outside of lists form one list.
  if (last?.kind === 'list' && last.isStray && first?.kind === 'list' && first.isStray) last.items.push(...first.items)
  else for (const block of made) place.blocks.push(block)
}

/** True for the drawing that KaTeX adds to a formula in MathML. With both, its signs would be there twice. */
const isDrawnFormula = ({ attributes }: HtmlElement): boolean =>
  attributes['aria-hidden'] === 'true' && /(?:^|\s)katex-html(?:\s|$)/.test(attributes.class ?? '')

const addElement = (element: HtmlElement, place: Place, context: Context): void => {
  const { tag, children } = element
  if (LEFT_OUT.has(tag) || isDrawnFormula(element)) return
  const build = Object.hasOwn(BUILD, tag) ? BUILD[tag] : undefined
  if (build) addBlocks(place, build(element, { ...context, isCode: false }))
  else if (tag === 'br') place.run.push({ kind: 'break', marks: context.marks })
  else if (tag === 'img') place.run.push(...imageLeaf(element, context))
  else if (PLAYERS.has(tag)) {
    const player = playerLeaf(element)
    if (player) place.run.push(player)
    else walk(children, place, context)
  } else if (tag === 'q') {
    walk([{ text: '“' }, ...children, { text: '”' }], place, context)
  } else if (tag === 'rt') {
    walk([{ text: '(' }, ...children, { text: ')' }], place, context)
  } else if (BLOCKS.has(tag)) {
    endRun(place)
    walk(children, place, { ...context, language: languageOfBox(element) || context.language })
    endRun(place)
  } else walk(children, place, contextOf(element, context))
}

const walk = (nodes: readonly HtmlNode[], place: Place, context: Context): void => {
  for (const node of nodes) {
    if (isElement(node)) addElement(node, place, context)
    else place.run.push(leafOf(node.text, context))
  }
}

/** Returns an HTML fragment as the blocks its readers see, regardless of nesting. The time is proportional to the text. */
export const readBlocks = (html: string): Block[] => blocksIn(parseFragment(withoutHidden(html), LEFT_OUT), PLAIN)
