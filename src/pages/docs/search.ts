import type { Section } from './library.ts'
import type { Entry } from './menu.ts'
import { stemOf, synonymsOf } from './synonyms.ts'

/** Search result: a section of a document, and the text around the first match. */
export type Found = { title: string; path: string; excerpt: string }

const MOST = 20
/** Results of one page, so that a long page does not hide the others. */
const MOST_OF_A_PAGE = 2
const EXCERPT = 180

/** Weights of a match by its place. A synonym counts for a part of the word itself. */
const IN_TITLE = 8
const IN_HEADING = 5
const SYNONYM = 0.4

/** Words without which a query means the same. */
const SMALL = new Set(
  'a an and are as at be by can do does for from how i in is it me my no not of on or our the this to we what when where which who why will with you your'.split(
    ' ',
  ),
)

const WORD = /[\p{L}\p{N}_]+/gu

/** Returns the stems of a text's words. A name such as `no_article_credits` is one word, and also each of its parts. */
const stemsIn = (text: string): string[] =>
  [...text.toLowerCase().matchAll(WORD)].flatMap(([word]) =>
    word.includes('_') ? [word, ...word.split('_').filter(Boolean).map(stemOf)] : [stemOf(word)],
  )

/** Section with what it is found by. */
type Indexed = {
  section: Section
  title: Set<string>
  heading: Set<string>
  counts: Map<string, number>
  length: number
}

const indexed = (section: Section): Indexed => {
  const stems = stemsIn(section.text)
  const counts = new Map<string, number>()
  for (const stem of stems) counts.set(stem, (counts.get(stem) ?? 0) + 1)
  return {
    section,
    title: new Set([...stemsIn(section.entry.title), ...stemsIn(section.entry.path)]),
    heading: new Set(section.anchor === '' ? [] : stemsIn(section.heading)),
    counts,
    length: stems.length,
  }
}

/** Index of the newest sections. They change only with a deployment. */
let index: { of: readonly Section[]; all: Indexed[]; pages: Map<string, number> } | undefined

const indexOf = (sections: readonly Section[]) => {
  if (index?.of.length === sections.length && index.of[0]?.text === sections[0]?.text) return index
  const all = sections.map(indexed)
  const pages = new Map<string, number>()
  for (const { counts } of all) for (const stem of counts.keys()) pages.set(stem, (pages.get(stem) ?? 0) + 1)
  index = { of: sections, all, pages }
  return index
}

/** Weight of a page by its kind: guides and help before rules, rules before the reference, users' pages before operators'. */
const kindOf = ({ path }: Entry): number => {
  if (/^(owners|guides|help|first-article|quickstart|clients|index)/.test(path)) return 1.5
  if (/^(how|http|command-line)/.test(path)) return 1.2
  if (/^operations\//.test(path)) return 0.4
  return path === 'reference/webhooks' ? 1 : 0.6
}

/** Returns how well one word is matched by a section: 0 if it is not in it. */
const matchOf = ({ title, heading, counts, length }: Indexed, stem: string): number => {
  const count = counts.get(stem) ?? 0
  const inText = count === 0 ? 0 : (2 * count) / (count + 0.5 + length / 300)
  return (title.has(stem) ? IN_TITLE : 0) + (heading.has(stem) ? IN_HEADING : 0) + inText
}

/** Returns the text around the first matching word. */
const excerptOf = (text: string, stems: ReadonlySet<string>): string => {
  const plain = text
    .replace(/^#+ .*$/m, '')
    .replace(/[`*|#>\n]+/g, ' ')
    .replace(/\s+/g, ' ')
  const first = [...plain.matchAll(WORD)].find(([word]) => stems.has(stemOf(word.toLowerCase())))
  const at = Math.max(0, (first?.index ?? 0) - EXCERPT / 3)
  return `${at > 0 ? '…' : ''}${plain.slice(at, at + EXCERPT).trim()}…`
}

/** Returns the words of a query. Small words count only if there are no others. */
const wordsOf = (query: string): string[] => {
  const words = [...query.toLowerCase().matchAll(WORD)].map(([word]) => word)
  const large = words.filter((word) => !SMALL.has(word))
  return [...new Set((large.length > 0 ? large : words).map((word) => (word.includes('_') ? word : stemOf(word))))]
}

/**
 * Returns the sections for a query, best first: those with most of its words, or with others that mean the same.
 *
 * Whole words match, in any of their forms.
 */
export const searchSections = (sections: readonly Section[], query: string): Found[] => {
  const words = wordsOf(query)
  const { all, pages } = indexOf(sections)
  /** Rare words tell more than words that most sections have. */
  const weightOf = (stem: string): number => Math.log(1 + all.length / ((pages.get(stem) ?? 0) + 1))
  const wanted = words.map((word) => ({ word, others: synonymsOf(word) }))
  const scored = all.map((one) => {
    let [sum, found] = [0, 0]
    for (const { word, others } of wanted) {
      const own = matchOf(one, word) * weightOf(word)
      const other = Math.max(0, ...others.map((stem) => matchOf(one, stem) * weightOf(stem))) * SYNONYM
      if (own > 0 || other > 0) found += own > 0 ? 1 : 0.7
      sum += Math.max(own, other)
    }
    return { section: one.section, score: sum * (found / words.length) ** 2 * kindOf(one.section.entry) }
  })
  const stems = new Set(wanted.flatMap(({ word, others }) => [word, ...others]))
  const taken = new Map<string, number>()
  return scored
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .filter(({ section }) => {
      const count = taken.get(section.entry.path) ?? 0
      taken.set(section.entry.path, count + 1)
      return count < MOST_OF_A_PAGE
    })
    .slice(0, MOST)
    .map(({ section: { entry, heading, anchor, text } }) => ({
      title: anchor === '' ? entry.title : `${entry.title}: ${heading}`,
      path: `/docs/${entry.path}${anchor === '' ? '' : `#${anchor}`}`,
      excerpt: excerptOf(text, stems),
    }))
}
