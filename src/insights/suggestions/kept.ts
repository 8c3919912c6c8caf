import { readDocument } from '../../content/html/document.ts'
import { type HtmlNode, isElement, parseFragment, renderFragment } from '../../content/html/tree.ts'
import { evidenceOf, keepToFacts } from '../../content/writing/facts.ts'
import { keepKnownLinks, type LinkRules, linkRules } from '../../content/writing/links.ts'
import type { WritingBrief } from '../../content/writing/port.ts'

/** The least share of the text a rewrite keeps. */
const LEAST = 0.6

const counted = (items: readonly string[]): Map<string, number> => {
  const counts = new Map<string, number>()
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1)
  return counts
}

const missing = (before: readonly string[], after: readonly string[]): string[] => {
  const there = counted(after)
  return [...counted(before)].filter(([item, n]) => (there.get(item) ?? 0) < n).map(([item]) => item)
}

const occurrences = (html: string, tag: string): number => html.match(new RegExp(`<${tag}[\\s>]`, 'gi'))?.length ?? 0

/**
 * Returns the faults of a rewrite, each as a sentence; empty if it is sound.
 *
 * It may not lose a link, an image, an embed, a table or an id, be cut short, or embed something new. It may not state a number
 * or quotation that neither the article nor the brief has.
 */
export const faultsOf = (before: string, after: string, brief: WritingBrief): string[] => {
  const [old, made] = [readDocument(before), readDocument(after)]
  const faults: string[] = []
  const addWarning = (what: string, lost: readonly string[]) => {
    if (lost.length > 0) faults.push(`It lost ${what}: ${lost.slice(0, 3).join(', ')}.`)
  }
  addWarning(
    'links',
    missing(
      old.links.map(({ href }) => href),
      made.links.map(({ href }) => href),
    ),
  )
  addWarning(
    'images',
    missing(
      old.images.map(({ src }) => src),
      made.images.map(({ src }) => src),
    ),
  )
  addWarning('ids', missing(old.ids, made.ids))
  for (const tag of ['iframe', 'table'])
    if (occurrences(after, tag) < occurrences(before, tag)) faults.push(`It lost an element: ${tag}.`)
  if (occurrences(after, 'iframe') > occurrences(before, 'iframe')) faults.push('It embeds what the article does not.')
  if (made.text.length < LEAST * old.text.length) faults.push('It is much shorter than the article.')
  const cut = keepToFacts(parseFragment(after), evidenceOf(before, brief))
  if (cut.length > 0) faults.push(`It states what the article does not: ${cut[0]?.slice(0, 200)}`)
  return faults
}

type Known = { links: ReadonlySet<string>; images: ReadonlySet<string>; rules: LinkRules }

const withoutUnknown = (nodes: readonly HtmlNode[], known: Known): HtmlNode[] =>
  nodes.flatMap((node): HtmlNode[] => {
    if (!isElement(node)) return [node]
    if (node.tag === 'img' && !known.images.has(node.attributes.src ?? '')) return []
    const whole = { ...node, children: withoutUnknown(node.children, known) }
    const href = node.attributes.href?.trim() ?? ''
    return node.tag !== 'a' || known.links.has(href) || href.startsWith('#')
      ? [whole]
      : keepKnownLinks([whole], known.rules)
  })

/**
 * Returns a rewrite without the links and images that stand neither in the article nor in the brief: what a page or a model slipped in. The
 * same text if there are none.
 */
export const keepKnown = (before: string, after: string, brief: WritingBrief, more: readonly string[]): string => {
  const [old, made] = [readDocument(before), readDocument(after)]
  const known = {
    links: new Set([...old.links.map(({ href }) => href), ...more]),
    images: new Set(old.images.map(({ src }) => src)),
    rules: linkRules(before, brief),
  }
  const isKnown =
    made.links.every(({ href }) => known.links.has(href)) && made.images.every(({ src }) => known.images.has(src))
  return isKnown ? after : renderFragment(withoutUnknown(parseFragment(after, new Set()), known))
}
