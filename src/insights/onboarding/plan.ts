import { and, eq, exists, sql } from 'drizzle-orm'
import { projects } from '../../../schema/projects.ts'
import { projectKeywords } from '../../../schema/site.ts'
import { changeOnboarding } from '../../accounts/projects/writes.ts'
import { type PlannedArticle, planArticles } from '../../content/articles/writes.ts'
import { audit, insertWhere, listed } from '../../platform/db/writes.ts'
import { phraseKey, wordsOf } from '../../platform/lib/phrases.ts'
import { cutSlug, MAX_SLUG } from '../../platform/lib/slug.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import type { FoundKeyword } from './discover.ts'
import type { OnboardedProject } from './queries.ts'

type Style = 'Informative' | 'Listicle' | 'How-To' | 'Comparison' | 'Review' | 'Explainer' | 'Resources'

/** Styles of an article by the words of its keyword, in the languages in which keywords are made. The first match wins. */
const STYLES: readonly (readonly [RegExp, Style])[] = [
  [/ (vs\.?|versus) /, 'Comparison'],
  [
    /\b(alternatives?|alternativen|alternativas|alternatieven|vergleich|compared|comparison|vergelijken)\b/,
    'Comparison',
  ],
  [/^(how to|how do|comment|cómo|wie|hoe) |richtig auswählen|anleitung|stappenplan|step by step| kiezen$/, 'How-To'],
  [/\b(checklist|checkliste|templates?|tools|resources|vorlagen?|plantillas?)\b/, 'Resources'],
  [
    /^(best|beste|besten|top|meilleure?s?|mejore?s?) |\b(tips|tipps|ideas|examples|beispiele|ejemplos|exemples)\b/,
    'Listicle',
  ],
  [
    /\b(mistakes|fehler|errores|erreurs|fouten|benefits|vorteile|ventajas|avantages|voordelen|conseils|consejos)\b/,
    'Listicle',
  ],
  [/\b(reviews?|erfahrungen|avis|opiniones|ervaringen)$/, 'Review'],
  [
    /\b(explained|erklärt|uitgelegd|guide|guía|for beginners|für anfänger|débutants|principiantes|voor beginners)\b|^(what|was|was ist|qu|qué|wat) /,
    'Explainer',
  ],
]

/** Words for "or" by language, which show a comparison. They are too common to be in the table for all languages. */
const OR: Record<string, RegExp> = { de: / oder /, fr: / ou /, es: / o /, nl: / of / }

/** Returns the style of an article by its keyword's pattern. */
export const styleOf = (keyword: string, tag: string): Style => {
  const text = keyword.toLowerCase()
  if (OR[tag]?.test(text)) return 'Comparison'
  return STYLES.find(([pattern]) => pattern.test(text))?.[1] ?? 'Informative'
}

const MAX_TITLE = 60
/** Words added to a bare phrase in a title, by language tag. */
const ADDED: Record<string, string> = {
  en: 'A Practical Guide',
  de: 'Was Sie wissen sollten',
  fr: 'le guide pratique',
  es: 'guía práctica',
  nl: 'wat u moet weten',
}
const SMALL = new Set('a an and as at but by for from in into of on or the to vs with'.split(' '))

const capitalised = (word: string): string => word.charAt(0).toLocaleUpperCase() + word.slice(1)

/** Returns a title for a keyword, with the capitals of its language. A bare phrase gets more words if there is room. */
export const titleOf = (keyword: string, tag: string): string => {
  const words = keyword.split(' ')
  const cased =
    tag === 'en'
      ? words.map((word, n) => (n > 0 && SMALL.has(word) ? word : capitalised(word))).join(' ')
      : capitalised(keyword)
  const added = styleOf(keyword, tag) === 'Informative' ? ADDED[tag] : undefined
  return added && cased.length + added.length + 2 <= MAX_TITLE ? `${cased}: ${added}` : cased
}

type Known = {
  pages: readonly { title: string; keyword: string }[]
  /** Keywords and titles of articles, whatever their state. */
  articles: readonly string[]
  /** Lower-case keywords that a page of the site has already. */
  ranked: ReadonlySet<string>
  banned: readonly string[]
}

/** Number of words that a title may have besides the keyword's, and still be about the keyword. */
const MORE_WORDS = 1

/** Returns the keywords that no page or article covers and that are not banned, each once, in the given order. */
export const withoutWritten = (found: readonly FoundKeyword[], known: Known): FoundKeyword[] => {
  const taken = new Set(
    [...known.articles, ...known.pages.flatMap(({ title, keyword }) => [title, keyword])].map(phraseKey),
  )
  const titles = known.pages.map(({ title }) => phraseKey(title).split(' '))
  const banned = known.banned.map((phrase) => phrase.toLowerCase())
  return found.filter(({ keyword }) => {
    const key = phraseKey(keyword)
    const words = key.split(' ')
    const text = keyword.toLowerCase()
    const isCovered =
      words.length > 1 &&
      titles.some((title) => title.length <= words.length + MORE_WORDS && words.every((word) => title.includes(word)))
    if (wordsOf(keyword).length === 0 || taken.has(key) || known.ranked.has(text) || isCovered) return false
    if (banned.some((phrase) => text.includes(phrase))) return false
    taken.add(key)
    return true
  })
}

/** Returns the note for a month with fewer articles than its plan, and what to do. */
const fewerThanWanted = (projectId: number, planned: number, wanted: number): string =>
  `Planned ${planned} of ${wanted}: the site and its settings name no other topics that are not covered yet. Add products, services and topics to business_description and content_pillars with PUT /projects/${projectId}, and plan the other ${wanted - planned} with POST /articles.`

/** Returns the slugs, made different from each other and from those in `taken`. */
export const freeSlugs = (slugs: readonly string[], taken: readonly string[]): string[] => {
  const used = new Set(taken)
  return slugs.map((made) => {
    const base = made || 'article'
    let slug = base
    for (let n = 2; used.has(slug); n += 1) slug = `${cutSlug(base, MAX_SLUG - 6)}-${n}`
    used.add(slug)
    return slug
  })
}

/** Returns the note on a plan with too few articles and the note on its keywords; null if there is neither. */
const noteOf = (id: number, planned: number, wanted: number, note: string | null): string | null => {
  const notes = [planned < wanted ? fewerThanWanted(id, planned, wanted) : null, note].filter((part) => part !== null)
  return notes.length === 0 ? null : notes.join(' ')
}

/** Returns a condition: the project of the account is being onboarded. */
export const isRunning = (id: number, accountId: number) =>
  and(eq(projects.id, id), eq(projects.accountId, accountId), eq(projects.onboardingState, 'running'))

/** Settings that the plan was made for. If one of them changes, the plan is made again. */
type Seen = Pick<OnboardedProject, 'article_plan' | 'publish_time' | 'timezone'>

/**
 * Stores the plan and ends onboarding. Returns false if onboarding has ended, or the article plan, time or zone was changed.
 *
 * The project is locked first, so that two runs never both plan. A slug that was taken in the meantime violates
 * `articles_slug_unique`, which undoes everything.
 */
export const planMonth = async (
  ctx: Ctx,
  id: number,
  seen: Seen,
  articlesPerMonth: number,
  { keywords: found, note }: { keywords: readonly FoundKeyword[]; note: string | null },
  planned: readonly PlannedArticle[],
): Promise<boolean> => {
  const { id: accountId } = await ctx.account()
  const now = ctx.now()
  const isAsSeen = and(
    isRunning(id, accountId),
    eq(projects.status, 'Active'),
    sql`${projects.articlePlan} is not distinct from ${seen.article_plan}::int`,
    eq(projects.publishTime, seen.publish_time),
    eq(projects.timezone, seen.timezone),
  )
  const project = () => ctx.db.select({ id: projects.id }).from(projects).where(isAsSeen)
  const { keyword, searchVolume, keywordDifficulty: difficulty, source } = projectKeywords
  const { held } = await ctx.batch({
    held: project().for('no key update'),
    projectKeywords: insertWhere(
      projectKeywords,
      {
        projectId: id,
        keyword: sql`listed.keyword`,
        searchVolume: sql`listed."searchVolume"`,
        keywordDifficulty: sql`listed.difficulty`,
        source: sql`listed.source`,
        createdAt: now,
      },
      {
        from: listed({ keyword, searchVolume, difficulty, source }, found),
        orderBy: sql`listed.n`,
        if: exists(project()),
        onConflict: sql`do nothing`,
      },
    ),
    planArticles: planArticles({ id, accountId }, planned, { if: exists(project()), now }),
    audit: audit(ctx, {
      account: accountId,
      action: 'project.onboarded',
      on: ['project', id],
      detail: { articles: planned.length, keywords: found.length },
      if: exists(project()),
    }),
    changeOnboarding: changeOnboarding(
      ctx.db,
      {
        onboardingState: 'completed',
        onboardingError: null,
        onboardingPlanned: planned.length,
        onboardingWanted: articlesPerMonth,
        onboardingNote: noteOf(id, planned.length, articlesPerMonth, note),
        articlePlan: articlesPerMonth as typeof projects.$inferInsert.articlePlan,
        updatedAt: now,
      },
      isAsSeen,
    ),
  })
  return held.length > 0
}
