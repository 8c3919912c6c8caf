import { readDocument } from '../html/document.ts'
import { parseFragment } from '../html/tree.ts'
import { evidenceOf, keepToFacts } from '../writing/facts.ts'
import type { WritingBrief } from '../writing/port.ts'

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
 * What a rewrite may not do, each as a sentence: lose a link, an image, an embed, a table or an id, be cut short, or state a number
 * or quotation that stands neither in the article nor in the brief. Empty when it is sound.
 */
export const faultsOf = (before: string, after: string, brief: WritingBrief): string[] => {
  const [old, made] = [readDocument(before), readDocument(after)]
  const faults: string[] = []
  const tell = (what: string, lost: readonly string[]) => {
    if (lost.length > 0) faults.push(`It lost ${what}: ${lost.slice(0, 3).join(', ')}.`)
  }
  tell(
    'links',
    missing(
      old.links.map(({ href }) => href),
      made.links.map(({ href }) => href),
    ),
  )
  tell(
    'images',
    missing(
      old.images.map(({ src }) => src),
      made.images.map(({ src }) => src),
    ),
  )
  tell('ids', missing(old.ids, made.ids))
  for (const tag of ['iframe', 'table'])
    if (occurrences(after, tag) < occurrences(before, tag)) faults.push(`It lost an element: ${tag}.`)
  if (made.text.length < LEAST * old.text.length) faults.push('It is much shorter than the article.')
  const cut = keepToFacts(parseFragment(after), evidenceOf(before, brief))
  if (cut.length > 0) faults.push(`It states what the article does not: ${cut[0]?.slice(0, 200)}`)
  return faults
}
