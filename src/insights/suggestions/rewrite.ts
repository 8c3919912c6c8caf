import { and, eq, sql } from 'drizzle-orm'
import { suggestions } from '../../../schema/suggestions.ts'
import type { LivePage, Making, OpportunityType, Wording } from '../../../schema/values/suggestions.ts'
import { briefOf } from '../../content/articles/brief.ts'
import { readDocument } from '../../content/html/document.ts'
import { safeHtml } from '../../content/html/sanitize.ts'
import { type PublicationFound, publicationQueries } from '../../content/seo/publication.ts'
import { judgeWork, optimise } from '../../content/seo/work.ts'
import type { Fault, Writer, WritingBrief } from '../../content/writing/port.ts'
import { type JobResult, shownReason } from '../../platform/jobs/job.ts'
import { clip } from '../../platform/lib/text.ts'
import type { Texts } from '../../platform/lib/text-work.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { differenceOfWordings } from './difference.ts'
import { compareLivePage, livePageNotes, type MainContent } from './live-edits.ts'
import { isAllowed, moveSuggestion } from './move.ts'
import {
  evidenceFor,
  faultsOf,
  headlineFaults,
  keepKnown,
  mentionsQuery,
  notesOf,
  proposeFrom,
  usableQueries,
} from './proposal.ts'
import { loadSuggestion, type SuggestionDetail } from './read.ts'

const WANTED: Record<OpportunityType, string> = {
  striking_distance: 'Answer the queries in a section each, where the article does not answer them yet.',
  ctr_underperform: 'Make the beginning answer the query in its first sentence.',
  declining_page: 'Bring up to date what can be brought up to date from what is given, and answer the queries.',
  cannibalisation: 'Narrow the article to what the other page does not say, and link to that page.',
  dead_page: 'Make the article answer the queries.',
  thin_content: 'Say more about what the article is about, from what is given.',
  not_indexed: 'Say more about what the article is about, in words that no other page has, from what is given.',
}

type Live = SuggestionDetail & {
  articleId: number
  title: string
  metaDescription: string
  content: string
  revision: number
  mainKeyword: string
  slug: string
  articleStyle: string
}

const isLive = (found: SuggestionDetail): found is Live =>
  found.articleId !== null && found.content !== null && found.articleStatus === 'Published'

const wordingOf = ({ title, metaDescription, content }: Live): Wording => ({
  title,
  meta_description: metaDescription,
  content,
})

/** Result of a step: the parts made so far, a retry, or the reason why the rewrite cannot be made. */
type StepEnd =
  | { kind: 'made'; making: Making }
  | { kind: 'again'; reason: string; making: Making }
  | { kind: 'failed'; reason: string }

type Asking = { texts: Texts; writer: Writer; brief: WritingBrief; around: PublicationFound; making: Making }

type Judging = Pick<Asking, 'texts' | 'around'>

const errorsOf = async ({ texts, around }: Judging, article: Live, after: Wording): Promise<Map<string, string>> => {
  const { title, meta_description: metaDescription, content: html } = after
  const { mainKeyword: keyword, slug, articleStyle, seo: before } = article
  const judged = { keyword, title, slug, metaDescription, articleStyle, byWriter: true }
  const found = { rows: around.surroundings.rows }
  const { judgement } = await texts(judgeWork, { found, article: judged, content: { html }, before })
  const errors = judgement?.report.failed.filter(({ severity }) => severity === 'error') ?? []
  return new Map(errors.map(({ check, message }) => [check, message]))
}

/** Returns the errors that the changes would add to the article's SEO report. */
const newErrors = async (judging: Judging, article: Live, changes: Partial<Wording>): Promise<string[]> => {
  const now = wordingOf(article)
  const [before, after] = await Promise.all([
    errorsOf(judging, article, now),
    errorsOf(judging, article, { ...now, ...changes }),
  ])
  return [...after].flatMap(([check, message]) => (before.has(check) ? [] : [message]))
}

/** Attempts of the writer at one part. Each gets the faults of the attempt before. */
const ROUNDS = 2
/** Longest query that the writer gets, characters. */
const MAX_QUERY = 100

/** Returns the writer's tasks for an article, as faults to fix. */
const failuresOf = (found: Live, faults: readonly string[]): Fault[] => {
  const remedy = [WANTED[found.opportunityType], found.feedback ?? '']
  return [
    {
      check: found.opportunityType,
      severity: 'warning',
      message: found.reason,
      fix: remedy.filter(Boolean).join(' '),
    },
    ...faults.map((message) => ({
      check: 'rewrite',
      severity: 'error' as const,
      message,
      fix: 'Keep it as it is in the article.',
    })),
  ]
}

/** Asks the writer for the text. The rewrite fails if the text is faulty twice. */
const writeText = async (asking: Asking, found: Live): Promise<StepEnd> => {
  const { writer, brief, making } = asking
  const outline = {
    title: found.title,
    metaDescription: found.metaDescription,
    sections: [{ heading: '', points: [] }],
  }
  const failures = failuresOf(found, making.faults)
  const queries = found.trigger.queries.map(({ query }) => clip(query, MAX_QUERY))
  const answer = await writer.repair({ brief, notes: found.content, outline, html: found.content, failures, queries })
  // A writer that leaves the text unchanged does not write the title either.
  if (answer.kind === 'kept') return { kind: 'made', making: { ...making, html: null, wording: null } }
  if (answer.kind === 'refused')
    return answer.retryable
      ? { kind: 'again', reason: answer.reason, making }
      : { kind: 'failed', reason: answer.reason }
  const other = found.trigger.other_page === null ? [] : [found.trigger.other_page]
  const given = safeHtml(answer.value)
  const html = given && keepKnown(found.content, given, brief, other)
  const faults =
    html === undefined
      ? ['It is not readable HTML.']
      : [...faultsOf(found.content, html, brief), ...(await newErrors(asking, found, { content: html }))]
  if (html !== undefined && faults.length === 0)
    return { kind: 'made', making: { ...making, html, faults: [], asked: 0 } }
  const asked = making.asked + 1
  return asked < ROUNDS
    ? { kind: 'made', making: { ...making, faults, asked } }
    : { kind: 'failed', reason: `The rewrite did not pass its checks. ${faults.join(' ')}` }
}

/** Asks the writer for title and description. If they are faulty twice, the page's own words are used. */
const writeHeadline = async (asking: Asking, found: Live): Promise<StepEnd> => {
  const { writer, brief, making } = asking
  const before = wordingOf(found)
  const evidence = evidenceFor(before, brief)
  const queries = usableQueries(
    found.trigger.queries.map(({ query }) => query),
    evidence,
  )
  const answer = await writer.headline({
    brief,
    notes: readDocument(found.content).text,
    headline: { title: found.title, metaDescription: found.metaDescription },
    queries,
    faults: making.faults,
  })
  if (answer.kind === 'kept') return { kind: 'made', making: { ...making, wording: null } }
  const asked = making.asked + 1
  if (answer.kind === 'refused') {
    const missed = { ...making, asked, faults: [answer.reason] }
    if (answer.retryable && asked < ROUNDS) return { kind: 'again', reason: answer.reason, making: missed }
    return { kind: 'made', making: { ...missed, wording: null } }
  }
  const wording = { title: answer.value.title, meta_description: answer.value.metaDescription }
  const faults = [...headlineFaults(answer.value, queries[0], evidence), ...(await newErrors(asking, found, wording))]
  if (faults.length === 0) return { kind: 'made', making: { ...making, wording, faults, asked: 0 } }
  return { kind: 'made', making: { ...making, faults, asked, ...(asked < ROUNDS ? {} : { wording: null }) } }
}

const nothingFor = (articleId: number): string =>
  `Nothing could be proposed: title, description, headings and links cannot be improved without inventing anything. A language model as the writer (WRITER_PROVIDER) could rework the text; or say in feedback what to change and write it yourself with POST /articles/${articleId}/sync.`

const fail = async (ctx: Ctx, found: SuggestionDetail, error: string): Promise<JobResult> => {
  await moveSuggestion(ctx, found, 'fail', { error }, { since: found.updatedAt })
  return { kind: 'done' }
}

/** Dependencies of a rewrite: the writer, and the reader of a page's main content. */
export type RewriteDeps = { writer: Writer; mainContent: MainContent }

/** Runs one step of a rewrite. `stage` is the last step. */
const runStep = async (ctx: Ctx, { writer, mainContent }: RewriteDeps, found: Live, making: Making) => {
  if (!making.live) {
    // The writer does not get the live page, because others can write there.
    const live = await compareLivePage(ctx, mainContent, found.articleUrl, wordingOf(found))
    return { kind: 'made', making: { ...making, live } } as const
  }
  const brief = await briefOf(ctx, found.articleId)
  const around = await surroundings(ctx, found)
  const asking = { texts: ctx.texts, writer, brief, around, making }
  if (making.html === undefined) return await writeText(asking, found)
  if (!mentionsQuery(found.opportunityType)) return { kind: 'made', making: { ...making, wording: null } } as const
  return await writeHeadline(asking, found)
}

const surroundings = async (ctx: Ctx, { projectId, articleId }: Live): Promise<PublicationFound> =>
  await ctx.read(() => publicationQueries(ctx.db, sql`${projectId}::int`, articleId))

const OWN_WORDS = (faults: readonly string[]) =>
  `Title and description use the page’s own words: those of the language model failed their checks. ${faults.join(' ')}`

/** Returns the article's content with the corrections that are always safe. */
const optimisedContent = async (ctx: Ctx, around: PublicationFound, live: Live): Promise<string> => {
  const { mainKeyword: keyword, title, slug, metaDescription, articleStyle, content, articleUrl: url, seo } = live
  const article = { keyword, title, slug, metaDescription, articleStyle, content, url, seo }
  return (await optimise(ctx.texts, around, article))?.content ?? content
}

/** Stores the finished rewrite as ready, or ends it as failed if it changes nothing. */
const stage = async (ctx: Ctx, found: Live, making: Making & { live: LivePage }): Promise<JobResult> => {
  const before = wordingOf(found)
  const around = await surroundings(ctx, found)
  const brief = await briefOf(ctx, found.articleId)
  const { html = null, wording, live } = making
  const optimised = html ?? (await optimisedContent(ctx, around, found))
  const queries = found.trigger.queries.map(({ query }) => query)
  const [query] = usableQueries(queries, evidenceFor(before, brief))
  const given = { type: found.opportunityType, trigger: found.trigger, query }
  const after = { ...proposeFrom(before, optimised, given), ...wording }
  if (JSON.stringify(after) === JSON.stringify(before)) return await fail(ctx, found, nothingFor(found.articleId))
  const difference = differenceOfWordings(before, after)
  const staged = {
    before,
    after,
    proposalBytes: new TextEncoder().encode(JSON.stringify([before, after])).byteLength,
    stats: difference.stats,
    diffHtml: difference.html,
    livePage: live,
    notes: [
      ...notesOf(found.opportunityType, html !== null),
      ...(html !== null && !wording && mentionsQuery(found.opportunityType) ? [OWN_WORDS(making.faults)] : []),
      ...livePageNotes(live, found.articleId),
    ],
    baseRevision: found.revision,
    readyAt: ctx.now(),
    error: null,
  }
  await moveSuggestion(ctx, found, 'stage', staged, { since: found.updatedAt })
  return { kind: 'done' }
}

/** Stores the progress of a rewrite, unless the suggestion was changed since it was read. */
const keepMaking = (ctx: Ctx, { id, updatedAt }: Live, making: Making) =>
  ctx.batch(
    {
      changedSuggestions: ctx.db
        .update(suggestions)
        .set({ making })
        .where(and(eq(suggestions.id, id), eq(suggestions.status, 'rewriting'), eq(suggestions.updatedAt, updatedAt))),
    },
    { unaudited: 'a step of a rewrite decides nothing' },
  )

const isWhole = (making: Making): making is Making & { live: LivePage } =>
  making.live !== undefined && making.html !== undefined && making.wording !== undefined

/** Time after which a run begins no further step, ms: a step may take a minute and a half, and a run two minutes. */
const RUN_MS = 15_000

/** Returns the parts that were made for the present revision of the article, or an empty start. */
const begun = ({ making, revision }: Live): Making =>
  making?.revision === revision ? making : { revision, faults: [], asked: 0 }

/**
 * Makes the rewrite of an approved suggestion step by step and stages it. Running it twice stages it once.
 *
 * Each step is stored. A run continues after the last stored step, and asks the writer for nothing twice.
 */
export const rewriteSuggestion = async (ctx: Ctx, deps: RewriteDeps, id: number): Promise<JobResult> => {
  const until = ctx.now().getTime() + RUN_MS
  while (ctx.now().getTime() < until) {
    const found = await loadSuggestion(ctx, id)
    if (!isAllowed('take', found.status)) return { kind: 'done' }
    if (!isLive(found)) {
      await moveSuggestion(ctx, found, 'supersede', { error: 'The article is no longer live.' })
      return { kind: 'done' }
    }
    const making = begun(found)
    if (found.status === 'approved') {
      await moveSuggestion(ctx, found, 'take', { making })
      continue
    }
    if (isWhole(making)) return await stage(ctx, found, making)
    const end = await runStep(ctx, deps, found, making)
    if (end.kind === 'failed') return await fail(ctx, found, end.reason)
    await keepMaking(ctx, found, end.making)
    if (end.kind === 'again') return { kind: 'again', reason: end.reason }
  }
  return { kind: 'later', at: ctx.now() }
}

/** Ends a rewrite that failed too often. */
export const abandonRewrite = async (ctx: Ctx, id: number, reason: string): Promise<void> => {
  const found = await loadSuggestion(ctx, id)
  await moveSuggestion(ctx, found, 'fail', {
    error: shownReason(reason, `The rewrite failed several times: ${reason}`),
  })
}
