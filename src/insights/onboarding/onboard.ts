import { exists } from 'drizzle-orm'
import { projects } from '../../../schema/projects.ts'
import { plannedPerMonth } from '../../accounts/projects/rules.ts'
import { changeOnboarding } from '../../accounts/projects/writes.ts'
import type { ProviderFailure } from '../../accounts/provider-keys/port.ts'
import { slugsFor } from '../../content/articles/content.ts'
import { placeOf, planDates } from '../../content/articles/rules.ts'
import type { PlannedArticle } from '../../content/articles/writes.ts'
import { pagesOf } from '../../content/site/pages.ts'
import { slugWords } from '../../content/site/rules.ts'
import { chargeDollars } from '../../platform/accounts/provider-dollars.ts'
import { rowsOf, violatedUnique } from '../../platform/db/client.ts'
import { audit } from '../../platform/db/writes.ts'
import { type JobResult, shownReason } from '../../platform/jobs/job.ts'
import { tagOfLanguage } from '../../platform/lib/languages.ts'
import { slugOf } from '../../platform/lib/slug.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import type { KeywordsFound } from '../keywords/market.ts'
import { type Discovery, discoverKeywords, type FoundKeyword, type KeywordDeps, type KeywordInput } from './discover.ts'
import { freeSlugs, isRunning, planMonth, styleOf, titleOf, withoutWritten } from './plan.ts'
import { articlesOf, type OnboardedProject, projectToOnboard, rankedAmong } from './queries.ts'

/** Most pages read to learn what the site is about and what it covers already. */
const PAGES = 2_000
/** Most keywords stored, including the planned ones. */
const MAX_KEYWORDS = 200
/** More keywords are requested than needed, because the site covers some of them already. */
const ASKED = 400
/** Earliest time of an article, from now: every article can still be claimed before the writer takes it. */
const CLAIM_MS = 72 * 3_600_000
const TRIES = 3

const nothingFound = (projectId: number): string =>
  `No keywords were found. Fill in business_description and content_pillars with PUT /projects/${projectId}, in the words customers use, then start onboarding again.`
const PROVIDER_REFUSED =
  'The provider of keyword data refuses this service at the moment, so no keywords were found. Its operator has been notified; start onboarding again later.'
const UNAUDITED = { unaudited: 'what a provider charged' }
const GAVE_UP = 'Onboarding failed many times for a reason on our side. Start it again.'

type Found = {
  project: OnboardedProject
  keywords: FoundKeyword[]
  note: string | null
  articles: Awaited<ReturnType<typeof articlesOf>>['rows']
}

const words = (address: string): string => {
  const url = URL.parse(address)
  return url ? slugWords(url) : ''
}

type Pages = Awaited<ReturnType<typeof pagesOf>>

const inputOf = (project: OnboardedProject, pages: Pages): KeywordInput => ({
  tag: tagOfLanguage(project.language),
  language: project.language,
  region: project.keyword_region,
  businessName: project.business_name,
  description: project.business_description,
  audience: project.target_audience,
  topics: project.topics.split('\n').filter((topic) => topic !== ''),
  pillars: project.content_pillars.map(words).filter((text) => text !== ''),
  pages,
  competitors: project.competitor_websites,
  limit: ASKED,
})

type Asked = (input: KeywordInput) => ReturnType<typeof discoverKeywords>

/** Returns keywords for the project that no page or article covers; undefined if it is no longer being onboarded. */
const research = async (ctx: Ctx, ask: Asked, id: number): Promise<Found | ProviderFailure | undefined> => {
  const { projects, pages, articles } = await ctx.read(() => ({
    projects: projectToOnboard(ctx.db, id),
    pages: pagesOf(ctx.db, id, PAGES),
    articles: articlesOf(ctx.db, id),
  }))
  const [project] = projects.rows
  if (!project) return undefined
  const answer = await ask(inputOf(project, pages))
  if (answer.kind === 'failed') return answer
  const { keywords: found, note } = answer
  const candidates = found.map(({ keyword }) => keyword.toLowerCase())
  const ranked = await rowsOf<{ keyword: string }>(ctx.db, rankedAmong(id, candidates))
  const keywords = withoutWritten(found, {
    pages,
    articles: articles.rows.flatMap((article) => [article.title, article.main_keyword]),
    ranked: new Set(ranked.map(({ keyword }) => keyword)),
    banned: project.banned_phrases,
  })
  return { project, keywords: keywords.slice(0, MAX_KEYWORDS), note, articles: articles.rows }
}

/** Returns the sources with a provider that reports what it charges for each answer, failures included. */
const metered = ({ words, providers }: KeywordDeps, note: (usd: number) => void): KeywordDeps => {
  const { service } = providers
  const counted = async <A extends KeywordsFound | ProviderFailure>(asked: Promise<A>): Promise<A> => {
    const answer = await asked
    note(answer.costUsd ?? 0)
    return answer
  }
  if (!service) return { words, providers }
  return {
    words,
    providers: {
      isSandbox: providers.isSandbox,
      service: {
        ...service,
        measure: (...asked) => counted(service.measure(...asked)),
        search: (...asked) => counted(service.search(...asked)),
      },
    },
  }
}

/**
 * Returns a function that reuses the answer to a repeated question, because every question costs. The account is charged with
 * what the provider charged, whatever it answered.
 */
const askingOnce = (ctx: Ctx, deps: KeywordDeps): Asked => {
  let last: { key: string; answer: Discovery } | undefined
  return async (input) => {
    const key = JSON.stringify(input)
    if (last?.key === key) return last.answer
    let usd = 0
    const note = (more: number) => {
      usd += more
    }
    const answer = await discoverKeywords(metered(deps, note), input)
    const { id } = await ctx.account()
    if (usd > 0) await ctx.batch({ charged: chargeDollars(ctx.db, id, ctx.now(), usd) }, UNAUDITED)
    if (answer.kind === 'found') last = { key, answer }
    return answer
  }
}

const planOf = async (
  ctx: Ctx,
  { project, keywords, articles }: Found,
  articlesPerMonth: number,
): Promise<PlannedArticle[]> => {
  const tag = tagOfLanguage(project.language)
  const chosen = keywords.slice(0, articlesPerMonth).map(({ keyword }) => keyword)
  const dates = planDates({
    from: new Date(ctx.now().getTime() + CLAIM_MS),
    count: chosen.length,
    articlesPerMonth,
    publishTime: project.publish_time,
    timezone: project.timezone,
    taken: articles.flatMap(({ scheduled_at: date }) => (date === null ? [] : [new Date(date)])),
  })
  const slugs = await slugsFor(
    ctx,
    chosen.map((keyword) => [keyword]),
  )
  const free = freeSlugs(
    slugs.map((choice) => slugOf(choice, project.language)),
    articles.map(({ slug }) => slug),
  )
  return chosen.map((keyword, n) => ({
    keyword,
    title: titleOf(keyword, tag),
    slug: free[n] ?? '',
    style: styleOf(keyword, tag),
    scheduledAt: dates[n] ?? ctx.now(),
    ...placeOf(dates[n] ?? ctx.now(), { publishTime: project.publish_time, timezone: project.timezone }),
  }))
}

/** Writes the plan. Returns false if the data behind it have changed. */
const write = async (ctx: Ctx, id: number, found: Found, articlesPerMonth: number): Promise<boolean> => {
  const articles = await planOf(ctx, found, articlesPerMonth)
  try {
    return await planMonth(ctx, id, found.project, articlesPerMonth, found, articles)
  } catch (error) {
    if (violatedUnique(error) === 'articles_slug_unique') return false
    throw error
  }
}

/** Ends onboarding without a plan. The error explains what to do, and onboarding can be started again. */
const endWithout = async (ctx: Ctx, id: number, error: string): Promise<void> => {
  const { id: accountId } = await ctx.account()
  const running = () => ctx.db.select({ id: projects.id }).from(projects).where(isRunning(id, accountId))
  await ctx.batch({
    running: running().for('no key update'),
    audit: audit(ctx, {
      account: accountId,
      action: 'project.onboarding_failed',
      on: ['project', id],
      if: exists(running()),
    }),
    changeOnboarding: changeOnboarding(
      ctx.db,
      { onboardingState: 'not_started', onboardingError: error, updatedAt: ctx.now() },
      isRunning(id, accountId),
    ),
  })
}

/** Repeats the step later after a temporary failure. After any other failure, it ends onboarding with a reason. */
const withoutKeywords = async (ctx: Ctx, id: number, failure: ProviderFailure): Promise<JobResult> => {
  const { code, reason, status, retryAfterS } = failure
  ctx.log('warn', 'onboarding.no_keywords', { project_id: id, code, status })
  if (code === 'rate_limited' && retryAfterS !== undefined)
    return { kind: 'later', at: new Date(ctx.now().getTime() + (retryAfterS * 1_000) / ctx.settings.retryTimeScale) }
  if (code === 'transient' || code === 'rate_limited') return { kind: 'again', reason }
  ctx.log('error', 'onboarding.provider_refused', { code, status })
  await endWithout(ctx, id, PROVIDER_REFUSED)
  return { kind: 'done' }
}

/**
 * Finds keywords for a project and plans a month of articles from them, at its publish time in its zone.
 *
 * A second run finds nothing left to do. If the settings change during the run, the month is planned again.
 */
export const runOnboarding = async (ctx: Ctx, deps: KeywordDeps, id: number): Promise<JobResult> => {
  const { plan } = await ctx.account()
  const ask = askingOnce(ctx, deps)
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const found = await research(ctx, ask, id)
    if (!found) return { kind: 'done' }
    if ('kind' in found) return await withoutKeywords(ctx, id, found)
    if (found.keywords.length === 0) {
      await endWithout(ctx, id, nothingFound(id))
      return { kind: 'done' }
    }
    await ctx.step('researched')
    if (await write(ctx, id, found, plannedPerMonth(found.project.article_plan, plan))) return { kind: 'done' }
  }
  return { kind: 'again', reason: 'the project changed while its month was planned' }
}

/** Ends an onboarding that failed too often on our side. */
export const abandonOnboarding = (ctx: Ctx, id: number, reason: string): Promise<void> =>
  endWithout(ctx, id, shownReason(reason, GAVE_UP))
