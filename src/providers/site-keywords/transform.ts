import { type Phrase, phraseKey, phrasesIn, wordsOf } from '../../lib/phrases.ts'
import type { KeywordInput } from '../../onboarding/port.ts'
import { TEMPLATES, type Templates } from './templates.ts'

const MAX_PHRASES = 120
const MAX_PHRASE_WORDS = 4
/** A question is built around a phrase of at most so many words. */
const MAX_TEMPLATE_WORDS = 3
/** Languages that write as one word what others write as several: there a single long word names a topic. */
const COMPOUNDING = new Set(['de', 'nl', 'sv', 'da', 'no', 'nb', 'fi', 'hu', 'et'])
const MIN_COMPOUND_LETTERS = 8
/** Elsewhere a single word counts when it is used in more than the description. */
const MIN_SINGLE_USES = 6
const MAX_COMPARISONS = 6
const MAX_COMPETITORS = 3

const phrasesOf = (input: KeywordInput): Phrase[] => {
  const own = new Set(wordsOf(input.businessName))
  const texts = [
    ...input.pillars.map((text) => ({ text, weight: 4 })),
    { text: input.description, weight: 4 },
    ...input.topics.map((text) => ({ text, weight: 2 })),
    ...input.pages.flatMap((page) => [
      { text: page.title, weight: 1 },
      { text: page.description, weight: 0.5 },
    ]),
    ...input.audience.map((text) => ({ text, weight: 0.5 })),
  ]
  return phrasesIn(texts, input.tag)
    .filter(({ phrase, words, uses }) => {
      if (words > MAX_PHRASE_WORDS || wordsOf(phrase).every((word) => own.has(word))) return false
      return words > 1 || (COMPOUNDING.has(input.tag) ? phrase.length >= MIN_COMPOUND_LETTERS : uses >= MIN_SINGLE_USES)
    })
    .slice(0, MAX_PHRASES)
}

/** Two things that bear the same last word or begin with the same one are compared: road bikes, city bikes. */
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

/** In turn from each list, so that a month is not all of one kind: one of `some` after every four of `many`. */
const mixed = (many: readonly string[], some: readonly string[]): string[] =>
  [...many]
    .flatMap((text, n) => (n % 4 === 3 ? [text, ...some.slice((n - 3) / 4, (n - 3) / 4 + 1)] : [text]))
    .concat(some.slice(Math.ceil((many.length - 3) / 4)))

/** Every phrase in every form, in rounds: in a round each phrase comes once, neighbours in different forms. */
const roundsOf = (phrases: readonly Phrase[], { about, ofMany = [] }: Templates): string[] => {
  const forms = ['{x}', ...ofMany, ...about]
  return forms.flatMap((_, round) =>
    phrases.flatMap(({ phrase, words }, n) => {
      const form = forms[(n + round) % forms.length] ?? '{x}'
      if (form === '{x}') return words > 1 ? [phrase] : []
      if (ofMany.includes(form) && !phrase.endsWith('s')) return []
      return words <= MAX_TEMPLATE_WORDS ? [form.replace('{x}', phrase)] : []
    }),
  )
}

const distinct = (keywords: readonly string[]): string[] =>
  [...new Map(keywords.toReversed().map((keyword) => [phraseKey(keyword), keyword])).values()].toReversed()

/** Keywords a business could write about, from its own words: best first, each once, at most `limit`. */
export const keywordsFrom = (input: KeywordInput): string[] => {
  const phrases = phrasesOf(input)
  const templates = TEMPLATES[input.tag]
  if (!templates)
    return distinct(phrases.filter(({ words }) => words > 1).map(({ phrase }) => phrase)).slice(0, input.limit)
  const some = [...comparisonsOf(phrases, templates), ...competitorsOf(input, templates)]
  return distinct(mixed(roundsOf(phrases, templates), some)).slice(0, input.limit)
}
