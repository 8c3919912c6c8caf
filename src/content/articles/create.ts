import { eq, sql } from 'drizzle-orm'
import { articles } from '../../../schema/articles.ts'
import { readWithProject } from '../../accounts/projects/scope.ts'
import { when } from '../../platform/db/steps.ts'
import { audit, insertWhere } from '../../platform/db/writes.ts'
import { ApiError, invalidInput } from '../../platform/lib/errors.ts'
import { etagOf, withTag } from '../../platform/lib/etag.ts'
import type { SlugChoice } from '../../platform/lib/slug.ts'
import { instantOf } from '../../platform/lib/time.ts'
import type { Account, Ctx } from '../../platform/runtime/ctx.ts'
import type { ContentReading } from '../seo/assess.ts'
import { type Assessment, assess, assessmentQueries } from './assess.ts'
import { isEmptied, plainChanges } from './changes.ts'
import { hostDataImages, readSent, removedNote, shownIn } from './content.ts'
import { forecastOf } from './forecast.ts'
import { knownAnswer } from './known.ts'
import type { CreateArticleInput } from './operations.ts'
import { checkGivenSlug, freeSlug, nextArticleId, slugFor, slugWarning } from './parts.ts'
import { articleByRef, prospectsIn, prospectsOf } from './queries.ts'
import { claimNoteOf, isOwnText } from './rules.ts'

const SLUG_TRIES = 5
const DEFAULT_STYLE = 'Informative'

/** Throws 400 if the publication date is in the future. */
export const checkPublishedAt = (text: string | null | undefined, timezone: string, now: Date): void => {
  if (text && instantOf(text, timezone) > now)
    throw invalidInput([
      { field: 'published_at', message: 'must not be in the future; use scheduled_date to publish later' },
    ])
}

const load = async (
  ctx: Ctx,
  { project_id: projectId, keyword, external_ref: ref }: CreateArticleInput,
  choice: SlugChoice,
  reading: ContentReading | undefined,
) => {
  const {
    project,
    results: { known, ids, slugs, prospects, found },
  } = await readWithProject(ctx, projectId, (owner) => ({
    known: articleByRef(ctx.db, owner, projectId, ref),
    ids: nextArticleId(ctx.db),
    slugs: freeSlug(ctx.db, sql`${projectId}::int`, choice),
    prospects: prospectsOf(ctx.db, sql`${projectId}::int`, ctx.now()),
    found: assessmentQueries(ctx, { projectId }, reading, keyword),
  }))
  const id = Number(ids.rows[0]?.id)
  return { project, known: known[0], id, slugs, slug: slugFor(slugs, id), prospects: prospectsIn(prospects), found }
}

const assessedOf = (input: CreateArticleInput, title: string, slug: string) => ({
  keyword: input.keyword,
  title,
  slug,
  metaDescription: input.meta_description ?? '',
  featureImage: input.feature_image ?? '',
  articleStyle: input.article_style ?? DEFAULT_STYLE,
})

const valuesOf = (input: CreateArticleInput, clock: Parameters<typeof plainChanges>[1], claimedAt: Date | null) => ({
  ...plainChanges(input, clock),
  projectId: input.project_id,
  title: input.title ?? input.keyword,
  mainKeyword: input.keyword,
  claimedAt,
  slugGiven: (input.slug ?? '') !== '',
  externalRef: input.external_ref,
})

type Loaded = Awaited<ReturnType<typeof load>>

/** Article as it will be created, and what the answer says of its content. */
type Made = {
  status: 'Draft' | 'Planned'
  content: string
  scheduledAt: Date | null
  claimed: boolean
  assessed: Assessment['answer']
  removed: readonly string[] | undefined
}

const answerOf = (
  input: CreateArticleInput,
  { project, id, slugs, slug, prospects }: Loaded,
  { assessed, removed, ...made }: Made,
  account: Account,
  now: Date,
) => {
  const saved = {
    ...project,
    ...made,
    projectId: input.project_id,
    id,
    publishState: 'idle' as const,
    written: false,
    unfit: false,
  }
  const { warnings = [], ...forecast } = forecastOf(saved, account, prospects, now)
  const all = [...warnings, ...slugWarning(slugs, id)]
  return {
    article_id: id,
    status: made.status,
    keyword: input.keyword,
    slug,
    ...forecast,
    ...(all.length > 0 ? { warnings: all } : {}),
    ...assessed,
    ...(input.content !== undefined && made.status === 'Planned'
      ? { claimed: made.claimed, ...(made.claimed ? {} : { claim_note: claimNoteOf(input.content) }) }
      : {}),
    ...removedNote(removed),
  }
}

type Created = { status: 201; body: { article_id: number; message: string } }
type Existing = { status: 200; body: ReturnType<typeof knownAnswer> }

/**
 * Creates an article as Draft or Planned, with safe content and a slug that is unique in its project.
 *
 * Returns 200 and changes nothing if an article of the project has the same `external_ref`.
 *
 * Throws 400 for content or dates, 404 and 403 for the project.
 */
export const createArticle = async (ctx: Ctx, input: CreateArticleInput): Promise<Created | Existing> => {
  const { safe: sent, slug: choice } = await readSent(
    ctx,
    input,
    input.slug ? [input.slug] : [input.keyword, input.title ?? ''],
    '',
  )
  const status = input.status ?? 'Draft'
  const title = input.title ?? input.keyword
  for (let attempt = 0; attempt < SLUG_TRIES; attempt += 1) {
    const loaded = await load(ctx, input, choice, sent?.reading)
    const { project, known, id, slug, found } = loaded
    const safe = shownIn(sent, project)
    if (known)
      return {
        status: 200,
        body: knownAnswer(known, { input, safe, slug: choice }, ctx.settings.publicUrl),
      }
    checkGivenSlug(loaded.slugs, input.slug)
    checkPublishedAt(input.published_at, project.timezone, ctx.now())
    const place = { projectId: input.project_id }
    const judged = await assess(ctx, found, place, assessedOf(input, title, slug), safe?.reading)
    const assessment = await hostDataImages(ctx, safe?.images, judged)
    const now = ctx.now()
    const content = safe?.html ?? ''
    const claimed =
      status === 'Planned' && isOwnText(input.content ?? '') && !isEmptied({ safe, reading: safe?.reading })
    const values = {
      ...valuesOf(input, project, claimed ? now : null),
      id,
      status,
      slug,
      content,
      contentSent: safe?.hash ?? null,
      createdAt: now,
      updatedAt: now,
    }
    const account = await ctx.account()
    const scheduledAt = (values.scheduledAt ?? null) as Date | null
    const made = { status, content, scheduledAt, claimed, assessed: assessment.answer, removed: safe?.removed }
    const answer = withTag(answerOf(input, loaded, made, account, now), etagOf(now, 1))
    const isMade = sql`exists (select 1 from ${articles} where ${eq(articles.id, id)})`
    const { inserted } = await ctx.batch({
      partners: assessment.locks,
      inserted: insertWhere(
        articles,
        { ...values, ...assessment.changes, accountId: account.id },
        { if: assessment.isCurrent ?? 'always', onConflict: sql`do nothing` },
      ),
      ...when(isMade, {
        links: (isMet) => assessment.writes(id, isMet),
        kept: ctx.keepAnswer(answer),
        audit: audit(ctx, { account: account.id, action: 'article.create', on: ['article', id] }),
      }),
    })
    if (inserted.length > 0) return { status: 201, body: answer }
  }
  throw new ApiError(
    'edit_conflict',
    'Several articles with this keyword are being created at once. Repeat the call.',
    { retry_after: 1 },
  )
}
