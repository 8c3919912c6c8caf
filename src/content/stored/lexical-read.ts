import { escapeAttribute, escapeText } from '../html/references.ts'
import { isPlain, keptFigure } from './kept.ts'
import {
  FORMATS,
  isBreak,
  kindOf,
  type Leaf,
  type LexicalNode,
  leavesOf,
  nestedOf,
  shownTexts,
  textField,
} from './lexical-nodes.ts'
import { keyOf, shows, tokensOf } from './tokens.ts'
import type { ReadText, Unit } from './units.ts'

/** Unit of a text of Ghost’s editor, and its node. */
export type LexicalUnit = Unit & { node: LexicalNode }

/** A text of Ghost’s editor. `units` are the blocks that show something, and `start` is the place of each among all `nodes`. */
export type ReadLexical = ReadText & { units: LexicalUnit[]; nodes: LexicalNode[]; document: { root: LexicalNode } }

const wrap = (name: string, html: string): string => `<${name}>${html}</${name}>`

const formatted = (text: string, format: number): string =>
  FORMATS.reduceRight((html, [bit, name]) => (format & bit ? wrap(name, html) : html), escapeText(text))

const linked = (link: LexicalNode | undefined, html: string): string =>
  link ? `<a href="${escapeAttribute(textField(link, 'url'))}">${html}</a>` : html

/** Returns the HTML of texts and line breaks. Texts of one format beside each other are one element, however many nodes they are. */
const inLineHtml = (all: readonly Leaf[]): string => {
  const texts = shownTexts(all)
  const leaves = all.map((leaf, n) => ({ ...leaf, text: texts[n] ?? '' })).filter(({ text }) => text !== '')
  let html = ''
  for (let at = 0; at < leaves.length; ) {
    const { link } = leaves[at] as Leaf
    let inner = ''
    while (at < leaves.length && leaves[at]?.link === link) {
      const leaf = leaves[at] as Leaf
      const isOne = (other: Leaf | undefined) =>
        other?.link === link && other?.format === leaf.format && isBreak(other) === isBreak(leaf)
      let text = ''
      for (; isOne(leaves[at]); at += 1) text += leaves[at]?.text
      inner += isBreak(leaf) ? '<br>'.repeat(text.length) : formatted(text, leaf.format)
    }
    html += linked(link, inner)
  }
  return html
}

/** Most lists within each other. */
const MAX_DEPTH = 12

const listHtml = (list: LexicalNode, depth: number): string | undefined => {
  const items: string[] = []
  if (depth > MAX_DEPTH) return undefined
  for (const item of list.children ?? []) {
    const nested = nestedOf(item)
    const html = nested ? listHtml(nested, depth + 1) : blockHtml(item.children, '')
    if (html === undefined || item.type !== 'listitem') return undefined
    // A list within a list follows the words of the item before it.
    if (nested && items.length > 0) items.push(`${items.pop()}${html}`)
    else items.push(html)
  }
  const name = list.listType === 'number' ? 'ol' : 'ul'
  const start = name === 'ol' && typeof list.start === 'number' && list.start !== 1 ? ` start="${list.start}"` : ''
  return `<${name}${start}>${items.map((item) => wrap('li', item)).join('')}</${name}>`
}

const blockHtml = (children: readonly LexicalNode[] | undefined, name: string): string | undefined => {
  const leaves = leavesOf(children)
  if (!leaves) return undefined
  return name === '' ? inLineHtml(leaves) : wrap(name, inLineHtml(leaves))
}

const pictureHtml = (node: LexicalNode): string => {
  const src = textField(node, 'src')
  return src === '' ? '' : `<img src="${escapeAttribute(src)}" alt="${escapeAttribute(textField(node, 'alt'))}">`
}

const imageHtml = (node: LexicalNode): string | undefined => {
  const picture = pictureHtml(node)
  const caption = textField(node, 'caption')
  if (picture === '') return undefined
  return `<figure>${picture}${caption === '' ? '' : wrap('figcaption', caption)}</figure>`
}

const codeHtml = (node: LexicalNode): string | undefined => {
  const language = textField(node, 'language')
  const name = language === '' ? '' : ` class="language-${escapeAttribute(language)}"`
  return textField(node, 'caption') === ''
    ? `<pre><code${name}>${escapeText(textField(node, 'code'))}</code></pre>`
    : undefined
}

const HEADING = /^h[1-6]$/

/** Returns the HTML of a block; undefined if HTML cannot express it, so that it is kept as it is. */
export const htmlOfNode = (node: LexicalNode): string | undefined => {
  const kind = kindOf(node)
  if (kind === 'paragraph') return blockHtml(node.children, 'p')
  if (kind === 'quote') return blockHtml(node.children, 'blockquote')
  if (kind === 'list') return listHtml(node, 0)
  if (kind === 'rule') return '<hr>'
  if (kind === 'image') return imageHtml(node)
  if (kind === 'code') return codeHtml(node)
  const tag = textField(node, 'tag')
  return kind === 'heading' && HEADING.test(tag) ? blockHtml(node.children, tag) : undefined
}

const LABELS: Record<string, string> = {
  'call-to-action': 'Call to action',
  codeblock: 'Code',
  'email-cta': 'Email call to action',
  html: 'HTML',
  paywall: 'Members-only divider',
  signup: 'Sign-up',
}

const labelOf = (type: string): string =>
  LABELS[type] ?? `${type.charAt(0).toUpperCase()}${type.slice(1).replaceAll('-', ' ')}`

/** Fields of cards whose text is HTML that readers see, in the order in which they see it. */
const SHOWN = [
  ...['header', 'subheader', 'heading', 'productTitle', 'productDescription', 'calloutText', 'content', 'textValue'],
  ...['html', 'title', 'caption'],
]

/** Returns a preview of a card: its pictures and words. */
const previewOf = (node: LexicalNode): string => {
  if (node.type === 'codeblock') return `<pre><code>${escapeText(textField(node, 'code'))}</code></pre>`
  const images = Array.isArray(node.images) ? (node.images as LexicalNode[]) : []
  const pictures = node.type === 'image' ? [node] : images
  return [...pictures.map(pictureHtml), ...SHOWN.map((name) => textField(node, name))]
    .filter((html) => html !== '')
    .join('\n')
}

const unitOf = (node: LexicalNode, at: number, html: string): LexicalUnit => {
  const tokens = tokensOf(html)
  return { node, start: at, end: at + 1, pieces: [], html, tokens, key: keyOf(tokens) }
}

const documentOf = (text: string): { root: LexicalNode } | undefined => {
  try {
    const parsed: { root?: LexicalNode } | null = JSON.parse(text)
    return Array.isArray(parsed?.root?.children) ? { ...parsed, root: parsed.root } : undefined
  } catch {
    return undefined
  }
}

/** Reads a text of Ghost’s editor; undefined if it is none. Cards, and blocks that HTML cannot express, are kept as they are. */
export const readLexical = (text: string): ReadLexical | undefined => {
  const document = documentOf(text)
  if (!document) return undefined
  const nodes = document.root.children ?? []
  const kept = new Map<string, { start: number; end: number; label: string }>()
  const seen = new Map<string, number>()
  const units = nodes.map((node, at): LexicalUnit => {
    const html = htmlOfNode(node)
    if (html !== undefined && isPlain(html)) return unitOf(node, at, html)
    const label = labelOf(node.type)
    const figure = keptFigure(seen, JSON.stringify(node), label, previewOf(node))
    kept.set(figure.id, { start: at, end: at + 1, label })
    return { ...unitOf(node, at, figure.html), kept: { id: figure.id, label } }
  })
  return { document, nodes, units: units.filter(({ tokens }) => shows(tokens)), kept }
}
