import { phraseKey, phrasesIn } from '../../platform/lib/phrases.ts'

const MAX_TOPICS = 40
const MIN_USES = 2

type Site = {
  business_name: string
  business_description: string
  headings: readonly string[]
  pages: readonly { title: string; keyword: string; description: string }[]
  tag: string
}

/**
 * Phrases a site is about, best first: from its description, headings, and what its pages are called. Its own name is no topic;
 * a phrase used only once counts where little else is known.
 */
export const topicsOf = ({
  business_name: name,
  business_description: description,
  headings,
  pages,
  tag,
}: Site): string[] => {
  const phrases = phrasesIn(
    [
      { text: description, weight: 3 },
      ...headings.map((text) => ({ text, weight: 2 })),
      ...pages.flatMap((page) => [
        { text: page.title, weight: 2 },
        { text: page.description, weight: 1 },
      ]),
    ],
    tag,
  )
  const own = phraseKey(name)
  const others = phrases.filter(({ phrase, words }) => words <= 4 && phraseKey(phrase) !== own)
  const often = others.filter(({ uses }) => uses >= MIN_USES)
  return (often.length >= MAX_TOPICS / 2 ? often : others).slice(0, MAX_TOPICS).map(({ phrase }) => phrase)
}
