import type { KeywordInput, SiteWords } from '../../../insights/onboarding/discover.ts'
import {
  type Phrase,
  phraseKey,
  phrasesIn,
  singular,
  type WeightedText,
  wordsOf,
} from '../../../platform/lib/phrases.ts'
import { clausesOf, TEMPLATES, type Templates, topicOf } from './clauses.ts'

const MAX_PHRASES = 120
const MAX_ACTIONS = 20
const MAX_PHRASE_WORDS = 4
/** A question is built only around a phrase of at most this many words. */
const MAX_TEMPLATE_WORDS = 3
/** Languages that write compounds as one word. In these a single long word can name a topic. */
const COMPOUNDING = new Set(['de', 'nl', 'sv', 'da', 'no', 'nb', 'fi', 'hu', 'et'])
const MIN_COMPOUND_LETTERS = 8
/** In other languages a single word counts only with this weight of uses. One use in the description is not enough. */
const MIN_SINGLE_USES = 6
const MAX_COMPARISONS = 6
const MAX_COMPETITORS = 3

/** Returns all texts about the business, without its name. A phrase about the business by name is no topic. */
const textsOf = (input: KeywordInput): WeightedText[] => {
  const name = input.businessName.trim()
  const nameless = (text: string): string => (name.length < 3 ? text : text.replaceAll(name, ' . '))
  return [
    ...input.pillars.map((text) => ({ text, weight: 4 })),
    { text: input.description, weight: 4 },
    ...input.topics.map((text) => ({ text, weight: 2 })),
    ...input.pages.flatMap((page) => [
      { text: page.title, weight: 1 },
      { text: page.description, weight: 0.5 },
    ]),
    ...input.audience.map((text) => ({ text, weight: 0.5 })),
  ].map(({ text, weight }) => ({ text: nameless(text), weight }))
}

/** Returns the texts without verbs, so that every phrase is a thing, and the actions in them. Only English texts have actions. */
const read = (input: KeywordInput): { things: WeightedText[]; actions: string[] } => {
  const texts = textsOf(input)
  if (input.tag !== 'en') return { things: texts, actions: [] }
  const clauses = texts.map(({ text, weight }) => ({ ...clausesOf(text), weight }))
  return {
    things: clauses.map(({ things, weight }) => ({ text: things, weight })),
    actions: [...new Set(clauses.flatMap(({ actions }) => actions))].slice(0, MAX_ACTIONS),
  }
}

/** Names after a word of place: in Paris, from New York. */
const PLACES =
  /(?<!\p{L})(?:in|from|near|around|across|at)\s+(\p{Lu}[\p{L}.'’-]*(?:[ ,]+(?:and\s+)?\p{Lu}[\p{L}.'’-]*)*)/gu

/** Returns the words of place names in texts, in lower case. */
const placesIn = (texts: readonly WeightedText[]): ReadonlySet<string> =>
  new Set(texts.flatMap(({ text }) => [...text.matchAll(PLACES)].flatMap(([, names = '']) => wordsOf(names))))

/**
 * Returns the phrases of a business, best first.
 *
 * A single word names a topic only if it is used often. If no phrase qualifies, as in "We sell bread and cakes", all phrases except places
 * are used.
 */
const phrasesOf = (input: KeywordInput, texts: readonly WeightedText[]): Phrase[] => {
  const own = new Set(wordsOf(input.businessName))
  const found = phrasesIn(texts, input.tag).flatMap((phrase) => {
    const topic = input.tag === 'en' ? topicOf(phrase.phrase) : phrase.phrase
    return topic === undefined ? [] : [{ ...phrase, phrase: topic, words: topic.split(' ').length }]
  })
  const each = [...new Map(found.toReversed().map((phrase) => [phraseKey(phrase.phrase), phrase])).values()]
    .toReversed()
    .filter(({ phrase, words }) => words <= MAX_PHRASE_WORDS && !wordsOf(phrase).every((word) => own.has(word)))
  const relevant = each.filter(
    ({ phrase, words, uses }) =>
      words > 1 || (COMPOUNDING.has(input.tag) ? phrase.length >= MIN_COMPOUND_LETTERS : uses >= MIN_SINGLE_USES),
  )
  if (relevant.length > 0) return relevant.slice(0, MAX_PHRASES)
  const places = placesIn(texts)
  return each.filter(({ phrase }) => !places.has(phrase)).slice(0, MAX_PHRASES)
}

/** Returns a thing in its form before another noun: `birthday cake` for `birthday cakes`. */
const oneOf = (phrase: string): string => phrase.replace(/(?<!\S)\S+$/, (head) => singular(head))

/** Returns comparisons of two-word phrases with the same last word: road bikes, city bikes. */
const comparisonsOf = (phrases: readonly Phrase[], { versus }: Templates): string[] => {
  const pairs = phrases.filter(({ words }) => words === 2).map(({ phrase }) => phrase.split(' ') as [string, string])
  const found: string[] = []
  for (const [n, [first, head]] of pairs.entries())
    for (const [other, otherHead] of pairs.slice(n + 1))
      if (head === otherHead && first !== other)
        found.push(versus.replace('{x}', `${first} ${head}`).replace('{y}', `${other} ${otherHead}`))
  return found.slice(0, MAX_COMPARISONS)
}

const nameOf = (domain: string): string => (domain.replace(/^www\./, '').split('.')[0] ?? '').replaceAll('-', ' ')

const competitorsOf = (input: KeywordInput, { versus, alternatives }: Templates): string[] =>
  input.competitors.slice(0, MAX_COMPETITORS).flatMap((domain) => {
    const name = nameOf(domain)
    if (name === '') return []
    const own = input.businessName
    const against = own === '' ? [] : [versus.replace('{x}', own).replace('{y}', name)]
    return [alternatives.replace('{x}', name), ...against]
  })

/** Returns both lists mixed, so that a month is not all of one kind: one of `some` after every four of `many`. */
const mixed = (many: readonly string[], some: readonly string[]): string[] =>
  [...many]
    .flatMap((text, n) => (n % 4 === 3 ? [text, ...some.slice((n - 3) / 4, (n - 3) / 4 + 1)] : [text]))
    .concat(some.slice(Math.ceil((many.length - 3) / 4)))

/** Actions on papers. Things that are filed or sent are not chosen. */
const PAPERWORK = /^(file|send|track|record|report|invoice|budget|schedule|measure|test|review) /

/**
 * True if people choose among such things. The phrase is a plural, does not begin with a participle in -ed, and is not the object of
 * paperwork.
 */
const isChosen = (phrase: string, actions: readonly string[]): boolean =>
  phrase.endsWith('s') &&
  !/^\w+ed /.test(phrase) &&
  !actions.some((action) => PAPERWORK.test(action) && action.endsWith(` ${phrase.toLowerCase()}`))

/** Returns every phrase in every form, in rounds. Each phrase comes once in a round, with neighbours in different forms. */
const roundsOf = (
  phrases: readonly Phrase[],
  { about, ofMany = [] }: Templates,
  actions: readonly string[] = [],
): string[] => {
  const forms = ['{x}', ...ofMany, ...about]
  return forms.flatMap((_, round) =>
    phrases.flatMap(({ phrase, words }, n) => {
      const form = forms[(n + round) % forms.length] ?? '{x}'
      if (form === '{x}') return words > 1 ? [phrase] : []
      if (ofMany.includes(form) && !isChosen(phrase, actions)) return []
      return words <= MAX_TEMPLATE_WORDS ? [form.replace('{x}', phrase).replace('{one}', oneOf(phrase))] : []
    }),
  )
}

const distinct = (keywords: readonly string[]): string[] =>
  [...new Map(keywords.toReversed().map((keyword) => [phraseKey(keyword), keyword])).values()].toReversed()

/** Returns the things that the business is about, best first, as seeds for a keyword provider. */
const seedsFrom = (input: KeywordInput): string[] => phrasesOf(input, read(input).things).map(({ phrase }) => phrase)

/** Returns keywords that a business could write about, from its own words: best first, each once, at most `limit`. */
const keywordsFrom = (input: KeywordInput): string[] => {
  const { things, actions } = read(input)
  const phrases = phrasesOf(input, things)
  const templates = TEMPLATES[input.tag]
  if (!templates)
    return distinct(phrases.filter(({ words }) => words > 1).map(({ phrase }) => phrase)).slice(0, input.limit)
  const { action } = templates
  const done = action === undefined ? [] : actions.map((text) => action.replace('{x}', text))
  const some = [...comparisonsOf(phrases, templates), ...done, ...competitorsOf(input, templates)]
  return distinct(mixed(roundsOf(phrases, templates, actions), some)).slice(0, input.limit)
}

/** Keywords from the words of the site and its owner. No provider is called, so they have no volume or difficulty. */
export const siteWords: SiteWords = { seeds: seedsFrom, keywords: keywordsFrom }
