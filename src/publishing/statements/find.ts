import { collapse } from '../../content/html/references.ts'
import { sentencesOf } from '../../platform/lib/sentences.ts'
import { type Block, blockOfText, blocksOf } from './blocks.ts'
import { LEAST, likeness, type Weighed, type Word, weighed, wordsOf } from './words.ts'

/** Wording of a statement, read for comparison. `sentences`: number of its sentences. */
export type Wording = { text: string; words: readonly Word[]; keys: Weighed; sentences: number }

/** Fields of an article in which statements are found. */
export const FIELDS = ['title', 'meta_description', 'content'] as const
type Field = (typeof FIELDS)[number]

/** Sentence that says a statement. `from` and `to`: its words in the block; `wording`: the wording that it says. */
export type Use = {
  field: Field
  block: Block
  words: readonly Word[]
  from: number
  to: number
  sentence: string
  match: 'exact' | 'similar'
  score: number
  wording: Wording
}

/** Reads a wording for comparison. */
export const wordingOf = (text: string): Wording => {
  const words = wordsOf(text)
  return { text, words, keys: weighed(words), sentences: Math.max(1, sentencesOf(text).length) }
}

/** True if two wordings are equal apart from case, spaces, punctuation and the format of numbers. */
export const isSame = (one: Wording, other: Wording): boolean =>
  one.words.length === other.words.length && one.words.every(({ key }, n) => key === other.words[n]?.key)

const isAt = (words: readonly Word[], from: number, wording: Wording): boolean =>
  wording.words.every(({ key }, n) => words[from + n]?.key === key)

/** Sentence of a block, with its first word and the word after its last. */
type Sentence = { start: number; end: number; from: number; to: number }

const sentencesIn = (text: string, words: readonly Word[]): Sentence[] => {
  let from = 0
  return sentencesOf(text).map(({ start, end }) => {
    let to = from
    while (to < words.length && (words[to] as Word).start < end) to += 1
    const sentence = { start, end, from, to }
    from = to
    return sentence
  })
}

/** Text of an article in which statements are found. */
export type Said = { title: string; metaDescription: string; content: string }

/** Block of an article, read for comparison. */
type ReadBlock = { field: Field; block: Block; words: readonly Word[]; sentences: readonly Sentence[] }

/** Reads an article for comparison: its title, its description and the blocks of its text. */
export const readArticle = ({ title, metaDescription, content }: Said): ReadBlock[] =>
  [
    { field: 'title' as const, block: blockOfText(title) },
    { field: 'meta_description' as const, block: blockOfText(metaDescription) },
    ...blocksOf(content).map((block) => ({ field: 'content' as const, block })),
  ].map(({ field, block }) => {
    const words = wordsOf(block.text)
    return { field, block, words, sentences: sentencesIn(block.text, words) }
  })

/** Most uses of one article. No text that people wrote says the same thing so often. */
const MOST_USES = 500

/** Returns which words of a block are in one of the uses. */
const wordsIn = (uses: readonly Use[], count: number): Uint8Array => {
  const marked = new Uint8Array(count)
  for (const { from, to } of uses) marked.fill(1, from, to)
  return marked
}

/** Returns the exact uses of the wordings in a block. Of uses that overlap, that of the first wording counts. */
const exactIn = ({ field, block, words, sentences }: ReadBlock, wordings: readonly Wording[]): Use[] => {
  const found: Use[] = []
  const isTaken = new Uint8Array(words.length)
  /** Place of each word's sentence among the sentences. */
  const places = new Int32Array(words.length)
  for (const [n, { from, to }] of sentences.entries()) places.fill(n, from, to)
  for (const wording of wordings) {
    const length = wording.words.length
    for (let from = 0; length > 0 && from + length <= words.length && found.length < MOST_USES; from += 1) {
      const to = from + length
      if (!isAt(words, from, wording) || isTaken.subarray(from, to).includes(1)) continue
      const [first = 0, last = 0] = [places[from], places[to - 1]]
      if (last - first >= wording.sentences) continue
      const sentence = collapse(block.text.slice(sentences[first]?.start, sentences[last]?.end))
      isTaken.fill(1, from, to)
      found.push({ field, block, words, from, to, sentence, match: 'exact', score: 1, wording })
    }
  }
  return found
}

/** Returns the sentences of a block that share enough with a wording, without those that have an exact use. */
const similarIn = (
  { field, block, words, sentences }: ReadBlock,
  wordings: readonly Wording[],
  exact: readonly Use[],
): Use[] => {
  const isSaid = wordsIn(exact, words.length)
  return sentences.flatMap(({ start, end, from, to }): Use[] => {
    if (isSaid.subarray(from, to).includes(1)) return []
    const keys = weighed(words.slice(from, to))
    const [best] = wordings
      .map((wording) => ({ wording, score: likeness(wording.keys, keys) }))
      .sort((a, b) => b.score - a.score)
    if (!best || best.score < LEAST) return []
    const sentence = collapse(block.text.slice(start, end))
    return [{ field, block, words, from, to, sentence, match: 'similar', score: best.score, wording: best.wording }]
  })
}

/** Returns the exact uses of a statement in an article, in order. Of wordings that overlap, the first counts. */
export const exactUses = (article: readonly ReadBlock[], wordings: readonly Wording[]): Use[] =>
  article.flatMap((one) => exactIn(one, wordings).sort((a, b) => a.from - b.from)).slice(0, MOST_USES)

/** Returns the uses of a statement in an article, in order: exact ones, and sentences that say it in other words. */
export const usesIn = (article: readonly ReadBlock[], wordings: readonly Wording[]): Use[] =>
  article
    .flatMap((one) => {
      const exact = exactIn(one, wordings)
      return [...exact, ...similarIn(one, wordings, exact)].sort((a, b) => a.from - b.from)
    })
    .slice(0, MOST_USES)

/** Returns the keys of all words of an article, for the index. */
export const keysIn = (article: readonly ReadBlock[]): string[] => [
  ...new Set(article.flatMap(({ words }) => [...weighed(words).keys()])),
]
