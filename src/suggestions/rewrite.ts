import { sql } from 'drizzle-orm'
import type { OpportunityType, Wording } from '../../schema/values/suggestions.ts'
import { briefOf } from '../articles/brief.ts'
import { safeHtml } from '../html/sanitize.ts'
import type { JobResult } from '../jobs/define.ts'
import type { Ctx } from '../runtime/ctx.ts'
import { judge, readContent } from '../seo/assess.ts'
import { optimiseText, type PublicationFound, publicationQueries } from '../seo/publication.ts'
import type { Writer, WritingBrief } from '../writing/port.ts'
import { differenceOf } from './difference.ts'
import { faultsOf, keepKnown } from './kept.ts'
import { livePageNotes, type MainContent, readLivePage } from './live-page.ts'
import { proposeFrom } from './proposal.ts'
import { loadSuggestion, type SuggestionDetail } from './read.ts'
import { moveSuggestion } from './statements.ts'
import { isAllowed } from './states.ts'

const WANTED: Record<OpportunityType, string> = {
  striking_distance: 'Answer the queries named here in a section each, where the article does not answer them yet.',
  ctr_underperform: 'Make the beginning answer the query in its first sentence.',
  declining_page:
    'Bring up to date what can be brought up to date from what is given, and answer the queries named here.',
  cannibalisation: 'Narrow the article to what the other page does not say, and link to that page.',
  dead_page: 'Make the article answer the queries named here.',
  thin_content: 'Say more about what the article is about, from what is given.',
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

type Made = { kind: 'made'; html: string } | { kind: 'kept' } | { kind: 'refused'; reason: string; retryable: boolean }

type Asking = { writer: Writer; brief: WritingBrief; found: PublicationFound }

const errorsOf = ([surroundings]: PublicationFound, article: Live, content: string): Map<string, string> => {
  const judged = { ...article, keyword: article.mainKeyword }
  const report = judge(surroundings, judged, readContent(content), article.seo)?.report
  const errors = report?.failed.filter(({ severity }) => severity === 'error') ?? []
  return new Map(errors.map(({ check, message }) => [check, message]))
}

/** Errors of the SEO report that the article does not have. */
const newErrors = (found: PublicationFound, article: Live, html: string): string[] => {
  const before = errorsOf(found, article, article.content)
  return [...errorsOf(found, article, html)].flatMap(([check, message]) => (before.has(check) ? [] : [message]))
}

/** The text as the writer would have it: refused where it loses or invents something twice. */
const askWriter = async ({ writer, brief, found: surroundings }: Asking, found: Live): Promise<Made> => {
  const outline = {
    title: found.title,
    metaDescription: found.metaDescription,
    sections: [{ heading: '', points: [] }],
  }
  const queries = found.trigger.queries.map(({ query }) => query).join(', ')
  const wish = [WANTED[found.opportunityType], queries && `Queries: ${queries}.`, found.feedback ?? '']
    .filter(Boolean)
    .join(' ')
  const other = found.trigger.other_page === null ? [] : [found.trigger.other_page]
  let faults: string[] = []
  for (let round = 0; round < 2; round += 1) {
    const failures = [
      { check: found.opportunityType, severity: 'warning' as const, message: found.reason, fix: wish },
      ...faults.map((message) => ({
        check: 'rewrite',
        severity: 'error' as const,
        message,
        fix: 'Keep it as it is in the article.',
      })),
    ]
    const asked = { brief, notes: found.content, outline, html: found.content, failures }
    const answer = await writer.repair(asked)
    if (answer.kind !== 'done') return answer.kind === 'kept' ? answer : { ...answer, kind: 'refused' }
    const given = safeHtml(answer.value)
    const html = given && keepKnown(found.content, given, brief, other)
    faults =
      html === undefined
        ? ['It is no readable HTML.']
        : [...faultsOf(found.content, html, brief), ...newErrors(surroundings, found, html)]
    if (html !== undefined && faults.length === 0) return { kind: 'made', html }
  }
  return { kind: 'refused', reason: `The rewrite was not sound. ${faults.join(' ')}`, retryable: false }
}

const NOTHING =
  'Nothing could be proposed: title, description, headings and links are as good as they can be made without inventing anything. A language model as the writer (WRITER_PROVIDER) could rework the text; or say in feedback what to change and write it yourself with POST /articles/:id/sync.'

const fail = async (ctx: Ctx, found: SuggestionDetail, error: string): Promise<JobResult> => {
  await ctx.write(moveSuggestion(ctx, found, 'fail', { error }))
  return { kind: 'done' }
}

/** Who writes, and who tells a page's main content from the rest. */
export type RewriteMeans = { writer: Writer; mainContent: MainContent }

/** Makes the rewrite of an approved suggestion and stages it. Running it twice stages it once. */
export const rewriteSuggestion = async (
  ctx: Ctx,
  { writer, mainContent }: RewriteMeans,
  id: number,
): Promise<JobResult> => {
  const found = await loadSuggestion(ctx, id)
  if (!isAllowed('take', found.status)) return { kind: 'done' }
  if (!isLive(found)) {
    await ctx.write(moveSuggestion(ctx, found, 'supersede', { error: 'The article is not live any more.' }))
    return { kind: 'done' }
  }
  const [taken] = await ctx.write(moveSuggestion(ctx, found, 'take'))
  if (!taken) return { kind: 'done' }
  const before = wordingOf(found)
  const { projectId, articleId } = found
  // The writer is not shown the live page: what others can write there must not reach it.
  const live = await readLivePage(ctx, mainContent, found.articleUrl, before)
  const brief = await briefOf(ctx, articleId)
  const around = await ctx.read(() => [...publicationQueries(ctx.db, sql`${projectId}::int`, articleId)])
  const made = await askWriter({ writer, brief, found: around }, found)
  if (made.kind === 'refused')
    return made.retryable ? { kind: 'again', reason: made.reason } : await fail(ctx, found, made.reason)
  const optimised = optimiseText(around, { ...found, url: found.articleUrl })?.content ?? found.content
  const proposed = proposeFrom(before, optimised, { type: found.opportunityType, trigger: found.trigger })
  const after = made.kind === 'made' ? { ...proposed.after, content: made.html } : proposed.after
  if (JSON.stringify(after) === JSON.stringify(before)) return await fail(ctx, found, NOTHING)
  const { html, stats } = differenceOf(before.content, after.content)
  const staged = {
    before,
    after,
    stats,
    diffHtml: html,
    livePage: live,
    notes: [...(made.kind === 'made' ? [] : proposed.notes), ...livePageNotes(live)],
    baseRevision: found.revision,
    readyAt: ctx.now(),
    error: null,
  }
  await ctx.write(moveSuggestion(ctx, found, 'stage', staged))
  return { kind: 'done' }
}

/** Ends a rewrite that failed too often. */
export const abandonRewrite = async (ctx: Ctx, id: number, reason: string): Promise<void> => {
  const found = await loadSuggestion(ctx, id)
  await ctx.write(moveSuggestion(ctx, found, 'fail', { error: `The rewrite failed several times: ${reason}` }))
}
