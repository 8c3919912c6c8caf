import { outermost, type Place } from '../html/events.ts'
import { shownWords, withoutHidden } from '../html/shown.ts'

/** Question of a text, with its answer as plain text. */
type Question = { question: string; answer: string }
/** Step of instructions, with its text. */
type Step = { name: string; text: string }

/** Value of JSON-LD. */
type Json = string | number | readonly Json[] | { readonly [name: string]: Json }
/** Thing of schema.org in JSON-LD. */
type Thing = { readonly '@type': string } & { readonly [name: string]: Json }

const HEADINGS = new Set(['h2', 'h3', 'h4'])
const PARTS = new Set([...HEADINGS, 'h1', 'h5', 'h6', 'p', 'ul', 'ol', 'dl', 'table', 'blockquote', 'pre', 'details'])
/** Most questions or steps that are named. */
const MOST = 50
/** Longest text of an answer or a step, in characters. */
const MAX_TEXT = 5_000

/** A question in any script; the Greek question mark looks like a semicolon. */
const isQuestion = (heading: string): boolean =>
  /[?？؟⸮]["'”’»)\]]*$/u.test(heading) || (/;$/.test(heading) && /\p{Script=Greek}/u.test(heading))

const STEP_WORDS =
  'adım|askel|bước|etapa|étape|fase|krok|langkah|lépés|pas|paso|passo|schritt|samm|stap|steg|step|trin|žingsnis|βήμα|крок|стъпка|шаг|مرحله|الخطوة|שלב|चरण|ขั้นตอนที่'
/** Heading of a numbered step: `Step 2: Sand the wood`, `第2步`, `2단계`. */
const NUMBERED = new RegExp(
  `^(?:(?:${STEP_WORDS}|ステップ|第)\\s*(\\d{1,2})|(\\d{1,2})\\s*단계)\\s*步?\\s*[.:：)–—-]?\\s*(.*)$`,
  'iu',
)

const textOf = (html: string): string => shownWords(html).join(' ').slice(0, MAX_TEXT)

/** Section of a text: a heading, and what follows it until the next heading of its level or above. */
type Section = { level: number; heading: string; html: string }

const sectionsOf = (html: string): Section[] => {
  const parts = outermost(html, PARTS)
  const levelOf = ({ name }: Place) => (/^h[1-6]$/.test(name) ? Number(name[1]) : 7)
  /** End of each open section, closed from the back, so that the parts are walked once. */
  const ends = new Map<number, number>()
  const open: number[] = []
  for (const [n, part] of parts.entries()) {
    while (open.length > 0 && levelOf(parts[open.at(-1) ?? 0] as Place) >= levelOf(part))
      ends.set(open.pop() ?? 0, part.start)
    if (levelOf(part) < 7) open.push(n)
  }
  return parts.flatMap((part, n) =>
    HEADINGS.has(part.name)
      ? [
          {
            level: levelOf(part),
            heading: textOf(html.slice(part.start, part.end)),
            html: html.slice(part.end, ends.get(n)),
          },
        ]
      : [],
  )
}

const questionsIn = (sections: readonly Section[]): Question[] =>
  sections.flatMap(({ heading, html }) => {
    const answer = isQuestion(heading) ? textOf(html) : ''
    return answer === '' ? [] : [{ question: heading, answer }]
  })

/** Returns the sections of one level whose headings are numbered from 1 on; none if a number is missing. */
const stepsIn = (sections: readonly Section[]): Step[] => {
  const numbered = sections.flatMap(({ level, heading, html }) => {
    const [, before, after, rest = ''] = NUMBERED.exec(heading) ?? []
    const number = Number(before ?? after)
    return Number.isNaN(number) ? [] : [{ level, number, name: rest || heading, html }]
  })
  const isInOrder = numbered.every(({ level, number }, n) => number === n + 1 && level === numbered[0]?.level)
  return isInOrder ? numbered.map(({ name, html }) => ({ name, text: textOf(html) || name })) : []
}

const faqOf = (questions: readonly Question[]): Thing => ({
  '@type': 'FAQPage',
  mainEntity: questions.map(({ question, answer }) => ({
    '@type': 'Question',
    name: question,
    acceptedAnswer: { '@type': 'Answer', text: answer },
  })),
})

const howToOf = (title: string, steps: readonly Step[]): Thing => ({
  '@type': 'HowTo',
  name: title,
  step: steps.map(({ name, text }, n) => ({ '@type': 'HowToStep', position: n + 1, name, text })),
})

/** Text with the title that instructions in it have. */
type Text = { title: string; content: string }

/**
 * Returns what a text itself says in the words of schema.org: an `FAQPage` of its headings that are questions, a `HowTo` of its
 * headings that are numbered steps. Either needs two.
 */
export const thingsInText = ({ title, content }: Text): Thing[] => {
  const sections = sectionsOf(withoutHidden(content))
  const questions = questionsIn(sections).slice(0, MOST)
  const steps = stepsIn(sections).slice(0, MOST)
  return [...(questions.length > 1 ? [faqOf(questions)] : []), ...(steps.length > 1 ? [howToOf(title, steps)] : [])]
}

/** Returns what the text of an article says in the words of schema.org, as JSON-LD; null if nothing. */
export const dataInText = ({ title, html }: { title: string; html: string }): object | null => {
  const things = thingsInText({ title, content: html })
  return things.length === 0 ? null : { '@context': 'https://schema.org', '@graph': things }
}

/** Article as structured data describe it. Empty texts are left out. */
export type Described = Text & {
  description: string
  image: string
  author: string
  category: string
  tags: readonly string[]
  url: string | null
  publishedAt: Date | null
  updatedAt: Date
  /** Language tag (RFC 5646). */
  language: string
  site: { name: string; url: string; blogUrl: string | null }
}

const crumb = (position: number, name: string, item?: string | null): Thing => ({
  '@type': 'ListItem',
  position,
  name,
  ...(item ? { item } : {}),
})

const filled = (fields: Record<string, Json | null>): Record<string, Json> =>
  Object.fromEntries(
    Object.entries(fields).filter(
      (field): field is [string, Json] => field[1] !== null && field[1] !== '' && String(field[1]) !== '',
    ),
  )

/** Structured data of an article, as JSON-LD. */
export type StructuredData = { '@context': 'https://schema.org'; '@graph': Thing[] }

/**
 * Returns the structured data of an article: the article, the organization that publishes it, its place in the site, and what its
 * text says.
 *
 * The types are those that Google documents for articles: https://developers.google.com/search/docs/appearance/structured-data/article.
 */
export const structuredData = (article: Described): StructuredData => {
  const { site } = article
  const name = site.name || new URL(site.url).hostname
  const organization: Thing = { '@type': 'Organization', name, url: site.url }
  const crumbs = [crumb(1, name, site.url), ...(site.blogUrl ? [crumb(2, 'Blog', site.blogUrl)] : [])]
  return {
    '@context': 'https://schema.org',
    '@graph': [
      {
        '@type': 'BlogPosting',
        headline: article.title,
        ...filled({
          description: article.description,
          image: article.image,
          datePublished: article.publishedAt?.toISOString() ?? null,
          dateModified: article.updatedAt.toISOString(),
          author: article.author === '' ? organization : { '@type': 'Person', name: article.author },
          mainEntityOfPage: article.url,
          inLanguage: article.language,
          articleSection: article.category,
          keywords: article.tags,
        }),
        publisher: organization,
      },
      { '@type': 'BreadcrumbList', itemListElement: [...crumbs, crumb(crumbs.length + 1, article.title)] },
      ...thingsInText(article),
    ],
  }
}

/** Id of the script element, by which a later version replaces it. */
export const SCRIPT_ID = 'article-structured-data'

/** Returns JSON-LD as a script element. No text in it can end the element. */
export const scriptOf = (data: object): string =>
  `<script type="application/ld+json" id="${SCRIPT_ID}">${JSON.stringify(data).replace(/</g, '\\u003c')}</script>`
