import { type DefaultTreeAdapterMap, parseFragment } from 'parse5'

type Node = DefaultTreeAdapterMap['childNode']
type Element = DefaultTreeAdapterMap['element']

/** Contents of a document in any format: its text, links, pictures, tables and code. */
export type Said = {
  text: string
  links: string[]
  images: string[]
  tables: string[][][]
  code: string[]
  headings: string[]
  /** Strong text, without its blanks. */
  strong: string
}

const BLOCK =
  /^(address|article|aside|blockquote|br|caption|dd|details|div|dl|dt|figcaption|figure|h[1-6]|hr|li|ol|p|pre|section|summary|table|tbody|td|th|thead|tr|ul)$/

const isElement = (node: Node): node is Element => 'tagName' in node

const rawText = (nodes: readonly Node[]): string =>
  nodes
    .map((node) => {
      if (isElement(node)) return BLOCK.test(node.tagName) ? ` ${rawText(node.childNodes)} ` : rawText(node.childNodes)
      return node.nodeName === '#text' && 'value' in node ? node.value : ''
    })
    .join('')

const strongText = (nodes: readonly Node[]): string =>
  nodes
    .map((node) => {
      if (!isElement(node) || /^(code|pre)$/.test(node.tagName)) return ''
      return /^(b|strong)$/.test(node.tagName) ? rawText(node.childNodes) : strongText(node.childNodes)
    })
    .join('')

const plain = (text: string): string => text.replace(/\s+/g, ' ').trim()

const all = (nodes: readonly Node[], tag: RegExp): Element[] =>
  nodes.flatMap((node) =>
    isElement(node) ? [...(tag.test(node.tagName) ? [node] : []), ...all(node.childNodes, tag)] : [],
  )

const attribute = (element: Element, name: string): string =>
  element.attrs.find((one) => one.name === name)?.value ?? ''

/** Returns an address as a browser would ask for it, however it is written. */
const address = (given: string): string => {
  const { href } = new URL(given.trim(), 'https://own.example/')
  return decodeURIComponent(href)
}

/** Returns the texts of a table's cells by row and column. The other places of a spanning cell are empty. */
const cellsOf = (table: Element): string[][] => {
  const rows = all(table.childNodes, /^tr$/)
  const grid: (string | undefined)[][] = rows.map(() => [])
  rows.forEach((row, y) => {
    let x = 0
    for (const cell of row.childNodes.filter(isElement)) {
      while (grid[y]?.[x] !== undefined) x += 1
      const across = Number(attribute(cell, 'colspan') || 1)
      const down = Math.min(Number(attribute(cell, 'rowspan') || 1), rows.length - y)
      for (let j = 0; j < down; j += 1)
        for (let i = 0; i < across; i += 1) {
          const line = grid[y + j] as (string | undefined)[]
          line[x + i] = j === 0 && i === 0 ? plain(rawText(cell.childNodes)) : (line[x + i] ?? '')
        }
      x += across
    }
  })
  const width = Math.max(1, ...grid.map((row) => row.length))
  return grid.map((row) => Array.from({ length: width }, (_, n) => row[n] ?? ''))
}

/** Returns links in order; one that leads on to the same place as the one before it is a part of that: a paragraph may end within it. */
const linksIn = (nodes: readonly Node[]): string[] => {
  const links: { to: string; text: string }[] = []
  for (const link of all(nodes, /^a$/)) {
    const text = plain(rawText(link.childNodes))
    const to = `${address(attribute(link, 'href'))} ${plain(attribute(link, 'title'))}`
    const last = links.at(-1)
    if (last?.to === to) last.text = plain(`${last.text} ${text}`)
    else if (text !== '' || all(link.childNodes, /^img$/).length > 0) links.push({ to, text })
  }
  return links.map(({ to, text }) => `${text} → ${to}`)
}

export const whatIsSaid = (html: string): Said => {
  const nodes = parseFragment(html).childNodes
  return {
    text: plain(rawText(nodes)),
    links: linksIn(nodes),
    images: all(nodes, /^img$/).map(
      (one) => `${address(attribute(one, 'src'))} ${plain(attribute(one, 'alt'))} ${plain(attribute(one, 'title'))}`,
    ),
    tables: all(nodes, /^table$/).map(cellsOf),
    code: all(nodes, /^pre$/).map((one) => rawText(one.childNodes).trim()),
    strong: strongText(nodes).replace(/\s+/g, ''),
    headings: all(nodes, /^h[1-6]$/)
      .map((one) => plain(rawText(one.childNodes)))
      .filter(Boolean),
  }
}
