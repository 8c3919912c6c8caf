import { JOINTS } from './fold.ts'
import { isLeadingVerb, isStopWord } from './stop-words.ts'

/** A text to find phrases in. `weight`: a heading shows a topic better than running text. */
export type WeightedText = { text: string; weight: number }

/** A phrase of the texts, with its score as a topic. Lower case except for names and German nouns. */
export type Phrase = { phrase: string; words: number; score: number; uses: number }

/** Returns the pattern of a word. Built on use, because the letter tables it needs take longer to build than a text to search. */
const wordPattern = () => /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*(?:['’.&-][\p{L}\p{N}][\p{L}\p{M}\p{N}]*)*/gu
/** Characters that end a phrase, as stop words do. */
const BREAK = /[.!?;:,()[\]{}|/\\"“”„«»–—•·…<>\n\t]+|\s-\s/u
const MAX_WORDS = 4
const MIN_LETTERS = 3

/** Returns the words of a text in lower case. */
export const wordsOf = (text: string): string[] => text.toLowerCase().match(wordPattern()) ?? []

/** Returns a word without its plural ending, for comparing. For English, and for endings that other languages share with it. */
export const singular = (word: string): string => {
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`
  if (word.length > 4 && /(ch|sh|ss|x|z)es$/.test(word)) return word.slice(0, -2)
  return word.length > 3 && word.endsWith('s') && !/(ss|us|is)$/.test(word) ? word.slice(0, -1) : word
}

/** Returns the form in which equal phrases compare equal: their words without joints and plural endings, sorted. */
export const phraseKey = (text: string): string => {
  const words = wordsOf(text)
  const significant = words.filter((word) => !JOINTS.includes(word))
  return [...new Set((significant.length > 0 ? significant : words).map(singular))].sort().join(' ')
}

const isSignificant = (word: string, tag: string): boolean =>
  !isStopWord(word.toLowerCase(), tag) && !/^[\d.,'’-]+$/.test(word)

/** Returns the spelling of a word in a phrase. Capitals inside it stay (SEO, WordPress); one at its beginning stays only in German. */
const spelled = (word: string, tag: string, shouted: boolean): string =>
  !shouted && (tag === 'de' || /\p{Lu}/u.test(word.slice(1))) ? word : word.toLowerCase()

/**
 * Returns the runs of significant words in a text, between stop words and punctuation. A leading verb, as in "we repair bikes",
 * is dropped.
 */
const runsOf = (text: string, tag: string): string[][] => {
  const runs: string[][] = []
  const shouted = text === text.toUpperCase()
  const add = (run: string[]) => {
    const significant = run.length > 1 && isLeadingVerb((run[0] ?? '').toLowerCase(), tag) ? run.slice(1) : run
    if (significant.length > 0) runs.push(significant)
  }
  for (const part of text.split(BREAK)) {
    let run: string[] = []
    for (const word of part.match(wordPattern()) ?? []) {
      if (isSignificant(word, tag)) run.push(spelled(word, tag, shouted))
      else {
        add(run)
        run = []
      }
    }
    add(run)
  }
  return runs
}

/** Returns the phrases of a run: the run itself if it has up to four words, else its pairs and triples. */
const phrasesOfRun = (run: readonly string[]): string[] => {
  if (run.length <= MAX_WORDS) return [run.join(' ')]
  const found: string[] = []
  for (const size of [2, 3])
    for (let at = 0; at + size <= run.length; at += 1) found.push(run.slice(at, at + size).join(' '))
  return found
}

/** Returns a score for each word. Words in long runs often name a topic (RAKE: degree by frequency). */
const wordScores = (runs: readonly { run: string[]; weight: number }[]): Map<string, number> => {
  const seen = new Map<string, { frequency: number; degree: number }>()
  for (const { run, weight } of runs)
    for (const word of run.map((written) => written.toLowerCase())) {
      const entry = seen.get(word) ?? { frequency: 0, degree: 0 }
      entry.frequency += weight
      entry.degree += weight * Math.min(run.length, MAX_WORDS)
      seen.set(word, entry)
    }
  return new Map(
    [...seen].map(([word, { frequency, degree }]) => [word, (degree / frequency) * Math.log2(1 + frequency)]),
  )
}

/**
 * Returns the phrases that texts are about, best first, each once, in the form used most.
 *
 * They are runs of words between stop words (RAKE), scored by the degree and frequency of their words and by their number of
 * uses. `tag`: the language's tag.
 */
export const phrasesIn = (texts: readonly WeightedText[], tag: string): Phrase[] => {
  const runs = texts.flatMap(({ text, weight }) => runsOf(text, tag).map((run) => ({ run, weight })))
  const scores = wordScores(runs)
  const found = new Map<string, Phrase & { forms: Map<string, number> }>()
  for (const { run, weight } of runs)
    for (const phrase of phrasesOfRun(run)) {
      const words = phrase.split(' ')
      if (phrase.length < MIN_LETTERS || phrase.length > 60) continue
      const key = phraseKey(phrase)
      const entry = found.get(key) ?? {
        phrase,
        words: words.length,
        score: 0,
        uses: 0,
        forms: new Map<string, number>(),
      }
      entry.uses += weight
      entry.forms.set(phrase, (entry.forms.get(phrase) ?? 0) + weight)
      found.set(key, entry)
    }
  return [...found.values()]
    .map(({ forms, uses }) => {
      const phrase = [...forms].sort((a, b) => b[1] - a[1])[0]?.[0] ?? ''
      const words = phrase.split(' ')
      const sum = words.reduce((total, word) => total + (scores.get(word.toLowerCase()) ?? 0), 0)
      // A single word scores half of what a phrase does.
      return { phrase, words: words.length, uses, score: sum * Math.log2(1 + uses) * (words.length === 1 ? 0.5 : 1) }
    })
    .sort((a, b) => b.score - a.score || (a.phrase < b.phrase ? -1 : 1))
}
