import { HEADING, type HtmlEvent, INLINE, readEvents } from './events.ts'
import { collapse, decodeReferences } from './references.ts'
import { withoutHidden } from './shown.ts'
import { attributesOf } from './tags.ts'
import type { TagToken } from './tokens.ts'

/** Link in a text. */
export type DocumentLink = {
  href: string
  /** Lower-case words of `rel`. */
  rel: readonly string[]
  text: string
}

type DocumentHeading = { level: number; text: string; id: string }

/** Block of text: a paragraph, list item, table cell, quotation, caption or similar. `links` is the number of links in it. */
type DocumentBlock = { tag: string; text: string; links: number }

/** Contents of an HTML fragment, as readers, search engines and checks need them. */
export type HtmlDocument = {
  headings: DocumentHeading[]
  links: DocumentLink[]
  /** `alt` is null if the image does not have the attribute. */
  images: { src: string; alt: string | null }[]
  blocks: DocumentBlock[]
  /** Text between the edges of blocks, in order, also text outside of blocks. Code is replaced with `\ufffc`. */
  passages: string[]
  /** All visible text in order, headings included, with whitespace collapsed. */
  text: string
  /** `id` attributes of all elements, in order, repeated ones included. */
  ids: string[]
}

const BLOCKS = new Set('p li td th dd dt blockquote figcaption pre caption summary'.split(' '))
/** Elements with code, whose text may look like markup on purpose. */
const CODE = new Set(['code', 'kbd', 'samp', 'tt', 'pre'])
const UNSEEN = new Set(['template', 'svg', 'annotation'])

/** Most nested elements whose text is collected at once. It limits how often one text is copied. */
const MAX_COLLECTED = 16

type SetText = (text: string) => void

/** Open element: the index of its first text, the functions that take its text, and how the text is read. */
type Open = { from: number; setters: SetText[]; isUnseen: boolean; isCode: boolean }

type Reading = {
  html: string
  document: HtmlDocument
  texts: string[]
  open: Open[]
  collected: number
  passage: string[]
}

const endPassage = (reading: Reading): void => {
  const text = collapse(reading.passage.join(''))
  if (text !== '') reading.document.passages.push(text)
  reading.passage = []
}

const addText = (reading: Reading, text: string): void => {
  const last = reading.open.at(-1)
  if (last?.isUnseen) return
  reading.texts.push(text)
  if (!last?.isCode) reading.passage.push(text)
  else if (reading.passage.at(-1) !== '\ufffc') reading.passage.push('\ufffc')
}

const addLink = (reading: Reading, attributes: ReadonlyMap<string, string>): SetText | undefined => {
  const href = attributes.get('href')
  if (href === undefined) return undefined
  const rel = (attributes.get('rel') ?? '').toLowerCase().split(/\s+/).filter(Boolean)
  const link = { href: href.trim(), rel, text: '' }
  reading.document.links.push(link)
  return (text) => {
    link.text = text
  }
}

const addHeading = ({ document }: Reading, name: string, id: string): SetText => {
  const heading: DocumentHeading = { level: Number(name[1]), text: '', id }
  document.headings.push(heading)
  return (text) => {
    heading.text = text
  }
}

const addBlock = ({ document }: Reading, tag: string): SetText => {
  const block: DocumentBlock = { tag, text: '', links: 0 }
  const before = document.links.length
  document.blocks.push(block)
  return (text) => {
    block.text = text
    block.links = document.links.length - before
  }
}

/** Records an element, and returns the functions that take its text. */
const note = (reading: Reading, { name }: TagToken, attributes: ReadonlyMap<string, string>): SetText[] => {
  const { document } = reading
  const id = attributes.get('id')
  if (id) document.ids.push(id)
  if (name === 'img') {
    const alt = attributes.get('alt')
    document.images.push({ src: attributes.get('src') ?? '', alt: alt === undefined ? null : collapse(alt) })
  }
  const link = name === 'a' ? addLink(reading, attributes) : undefined
  return [
    ...(HEADING.has(name) ? [addHeading(reading, name, id ?? '')] : []),
    ...(BLOCKS.has(name) ? [addBlock(reading, name)] : []),
    ...(link ? [link] : []),
  ]
}

const openElement = (reading: Reading, { tag, isLeaf }: HtmlEvent & { kind: 'open' }): void => {
  const { texts, open } = reading
  const isUnseen = open.at(-1)?.isUnseen === true
  if (!INLINE.has(tag.name)) {
    texts.push(' ')
    endPassage(reading)
  }
  const wanted = isUnseen ? [] : note(reading, tag, attributesOf(reading.html, tag))
  if (isLeaf) return
  const setters = reading.collected < MAX_COLLECTED ? wanted : []
  if (setters.length > 0) reading.collected += 1
  open.push({
    from: texts.length,
    setters,
    isUnseen: isUnseen || UNSEEN.has(tag.name),
    isCode: open.at(-1)?.isCode === true || CODE.has(tag.name),
  })
}

const closeElement = (reading: Reading, name: string): void => {
  const { texts, open } = reading
  const element = open.pop()
  if (element && element.setters.length > 0) {
    reading.collected -= 1
    const text = collapse(texts.slice(element.from).join(''))
    for (const set of element.setters) set(text)
  }
  if (!INLINE.has(name)) {
    texts.push(' ')
    endPassage(reading)
  }
}

/**
 * Reads an HTML fragment or page as its readers see it. Leaves out an unfinished end of the source.
 *
 * The time is proportional to the source. Never throws.
 */
export const readDocument = (given: string): HtmlDocument => {
  const html = withoutHidden(given)
  const document: HtmlDocument = { headings: [], links: [], images: [], blocks: [], passages: [], text: '', ids: [] }
  const reading: Reading = { html, document, texts: [], open: [], collected: 0, passage: [] }
  for (const event of readEvents(html)) {
    if (event.kind === 'open') openElement(reading, event)
    else if (event.kind === 'close') closeElement(reading, event.name)
    else if (event.kind === 'text' && event.mode === 'text')
      addText(reading, decodeReferences(html.slice(event.start, event.end)))
  }
  endPassage(reading)
  document.text = collapse(reading.texts.join(''))
  return document
}
