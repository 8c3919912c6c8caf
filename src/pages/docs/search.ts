import type { Section } from './library.ts'

/** One part of the documents that was found: where it is, and the words around the first match. */
export type Found = { title: string; path: string; excerpt: string }

const MOST = 20
const EXCERPT = 180
/** A match in a heading counts as much as this many in the text. */
const HEADING_WEIGHT = 10

const wordsOf = (query: string): string[] => [
  ...new Set(
    query
      .toLowerCase()
      .split(/[^\p{L}\p{N}_/:.-]+/u)
      .filter((word) => word !== ''),
  ),
]

const countIn = (text: string, word: string): number => text.split(word).length - 1

const excerptOf = (text: string, word: string): string => {
  const plain = text
    .replace(/^#+ .*$/m, '')
    .replace(/[`*|#>\n]+/g, ' ')
    .replace(/\s+/g, ' ')
  const at = Math.max(0, plain.toLowerCase().indexOf(word) - EXCERPT / 3)
  return `${at > 0 ? '…' : ''}${plain.slice(at, at + EXCERPT).trim()}…`
}

/** Returns the parts that have every word of the query, best first. */
export const searchSections = (sections: readonly Section[], query: string): Found[] => {
  const words = wordsOf(query)
  if (words.length === 0) return []
  return sections
    .map((section) => {
      const heading = section.heading.toLowerCase()
      const text = section.text.toLowerCase()
      const counts = words.map((word) => countIn(text, word) + HEADING_WEIGHT * countIn(heading, word))
      return { section, score: counts.every((count) => count > 0) ? counts.reduce((sum, count) => sum + count, 0) : 0 }
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, MOST)
    .map(({ section: { entry, heading, anchor, text } }) => ({
      title: anchor === '' ? entry.title : `${entry.title}: ${heading}`,
      path: `/docs/${entry.path}${anchor === '' ? '' : `#${anchor}`}`,
      excerpt: excerptOf(text, words[0] ?? ''),
    }))
}
