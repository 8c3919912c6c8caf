import { type HtmlElement, type HtmlNode, type HtmlText, isElement } from '../html/tree.ts'

const INLINE = new Set(
  'a abbr b bdi br cite code em i kbd mark q s small span strong sub sup u var wbr del ins time data'.split(' '),
)

/** True for text, and for elements within a sentence. */
export const isInline = (node: HtmlNode): boolean => !isElement(node) || INLINE.has(node.tag)

/** Piece of text with its place in a run, its link, and the elements around it. */
type Leaf = { node: HtmlText; start: number; end: number; href: string | null; tags: readonly string[] }

/** Continuous text: neighbouring text and inline elements of one block. */
export type Run = { text: string; leaves: Leaf[]; block: string; parent: HtmlElement | null; row: HtmlElement | null }

const collect = (run: Run, node: HtmlNode, href: string | null, tags: readonly string[]): void => {
  if (!isElement(node)) {
    run.leaves.push({ node, start: run.text.length, end: run.text.length + node.text.length, href, tags })
    run.text += node.text
    return
  }
  if (node.tag === 'br') {
    run.text += '\n'
    return
  }
  const link = node.tag === 'a' ? (node.attributes.href ?? null) : href
  for (const child of node.children) collect(run, child, link, [...tags, node.tag])
}

/** Returns all runs of a tree in order. */
export const runsOf = (nodes: readonly HtmlNode[]): Run[] => {
  const runs: Run[] = []
  const walk = (children: readonly HtmlNode[], parent: HtmlElement | null, row: HtmlElement | null) => {
    let open: Run | undefined
    for (const node of children) {
      if (isInline(node)) {
        if (!open) {
          open = { text: '', leaves: [], block: parent?.tag ?? '', parent, row }
          runs.push(open)
        }
        collect(open, node, null, [])
      } else if (isElement(node)) {
        open = undefined
        walk(node.children, node, node.tag === 'tr' ? node : row)
      }
    }
  }
  walk(nodes, null, null)
  return runs.filter((run) => run.text.trim() !== '')
}

/** Removes ranges of a run's text from the tree. */
export const cutRanges = (run: Run, ranges: readonly { start: number; end: number }[]): void => {
  for (const leaf of run.leaves) {
    let kept = ''
    let at = leaf.start
    for (const { start, end } of [...ranges].sort((a, b) => a.start - b.start)) {
      const from = Math.max(start, leaf.start)
      const to = Math.min(end, leaf.end)
      if (to <= from) continue
      kept += leaf.node.text.slice(at - leaf.start, Math.max(at, from) - leaf.start)
      at = Math.max(at, to)
    }
    leaf.node.text = kept + leaf.node.text.slice(at - leaf.start)
  }
}

const SHOWS = new Set(['img', 'hr', 'br', 'td', 'th'])
const HEADING = /^h[1-6]$/

const isEmpty = (node: HtmlNode): boolean => {
  if (!isElement(node)) return node.text.trim() === ''
  if (node.tag === 'tr' || node.tag === 'table') return !node.children.some((child) => hasText(child))
  return !SHOWS.has(node.tag) && node.children.every(isEmpty)
}

const hasText = (node: HtmlNode): boolean =>
  isElement(node) ? node.tag === 'img' || node.children.some(hasText) : node.text.trim() !== ''

/** Removes headings without content before the next heading of the same or a higher level. Works from the end. */
const withoutBareHeadings = (nodes: readonly HtmlNode[]): HtmlNode[] => {
  const kept: HtmlNode[] = []
  let below = 0
  for (const node of nodes.toReversed()) {
    const level = isElement(node) && HEADING.test(node.tag) ? Number(node.tag[1]) : 0
    if (level > 0 && below <= level) continue
    if (level > 0) below = level
    else if (hasText(node)) below = Number.POSITIVE_INFINITY
    kept.push(node)
  }
  return kept.reverse()
}

/** Returns the tree without empty elements, and without headings that have no content below. */
export const prune = (nodes: readonly HtmlNode[]): HtmlNode[] => {
  const flowing = nodes.some((node) => isInline(node) && !isEmpty(node))
  const filled = nodes.flatMap((node): HtmlNode[] => {
    if (!isElement(node)) return flowing || node.text.trim() !== '' ? [node] : []
    const pruned = SHOWS.has(node.tag) ? node : { ...node, children: prune(node.children) }
    return isEmpty(pruned) ? [] : [pruned]
  })
  return withoutBareHeadings(filled)
}

/** Removes whitespace at the ends of every run, except in preformatted text. Changes the tree. */
export const trimRuns = (nodes: readonly HtmlNode[]): void => {
  for (const { leaves, block } of runsOf(nodes)) {
    const [first, last] = [leaves[0], leaves.at(-1)]
    if (!first || !last || block === 'pre') continue
    first.node.text = first.node.text.trimStart()
    last.node.text = last.node.text.trimEnd()
  }
}
