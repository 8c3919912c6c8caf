import { sql } from 'drizzle-orm'
import { owned } from '../accounts/ownership.ts'
import { assess, assessmentQueries } from '../articles/assess.ts'
import { removedNote, safeContent } from '../articles/content.ts'
import { nextStatus, refusal } from '../articles/refusals.ts'
import { ApiError } from '../lib/errors.ts'
import type { SanitizedHtml } from '../lib/html.ts'
import { storableText } from '../lib/text.ts'
import type { Ctx } from '../runtime/ctx.ts'
import { type ContentReading, readContent } from '../seo/assess.ts'
import { keepingOf } from './keeping.ts'
import type { PublishTarget, TargetFactory } from './port.ts'
import { upstreamName, warningsOf } from './present.ts'
import { noIntegration } from './publish.ts'
import { type PublishableRow, publishableById } from './queries.ts'
import { hasContent, leaseMs } from './rules.ts'
import type { SyncArticleInput } from './schemas.ts'
import { finishing, type Held, openTarget } from './send.ts'
import { snapshot } from './snapshot.ts'
import { claimSync, type Edits, finishSync } from './statements.ts'

const COLUMNS = {
  title: 'title',
  meta_description: 'meta_description',
  feature_image: 'feature_image',
  alt_text: 'alt_text',
  tags: 'tags',
  category: 'category',
} as const

/** The article as it will be, and the columns that differ from what is saved. */
const edited = (article: PublishableRow, input: SyncArticleInput, safe: SanitizedHtml | undefined, now: Date) => {
  const after: PublishableRow = {
    ...article,
    title: input.title ?? article.title,
    metaDescription: input.meta_description ?? article.metaDescription,
    featureImage: input.feature_image ?? article.featureImage,
    altText: input.alt_text ?? article.altText,
    tags: input.tags ?? article.tags,
    category: input.category ?? article.category,
    content: safe?.html ?? article.content,
  }
  const edits: Edits = {}
  for (const [field, column] of Object.entries(COLUMNS)) {
    const value = input[field as keyof typeof COLUMNS]
    if (value !== undefined)
      edits[column] = Array.isArray(value) ? sql`${sql.param(value)}::text[]` : sql`${value}::text`
  }
  if (safe) edits.content = sql`${safe.html}::text`
  const changed = JSON.stringify({ ...after, updatedAt: 0 }) !== JSON.stringify({ ...article, updatedAt: 0 })
  const revision = changed ? article.revision + 1 : article.revision
  return { edits: changed ? edits : {}, after: { ...after, revision, updatedAt: changed ? now : article.updatedAt } }
}

const load = async (ctx: Ctx, targets: TargetFactory, id: number, reading: ContentReading | undefined) => {
  const [rows, ...assessed] = await ctx.read((owner) => [
    publishableById(ctx.db, owner, id),
    ...assessmentQueries(ctx, { articleId: id }, reading),
  ])
  const found = owned(rows[0] && { row: rows[0], mine: rows[0].mine }, 'article')
  nextStatus('sync', found.article, ctx.now())
  const target = found.target && (await openTarget(ctx, targets, found.target))
  if (!found.target || !target) throw noIntegration(ctx, found.article.projectId)
  return { article: found.article, target, row: found.target, assessed }
}

/** The article as the SEO checks will see it once the edits are saved. */
const assessedOf = (article: PublishableRow, after: PublishableRow) => ({
  keyword: after.mainKeyword,
  title: after.title,
  slug: after.slug,
  metaDescription: after.metaDescription,
  articleStyle: after.articleStyle,
  stored: { content: article.content, seo: article.seo },
})

/** Sends the claimed update once and writes how it ended. Throws `sync_failed` with the target's reason. */
const sendOnce = async (ctx: Ctx, target: PublishTarget, held: Held, said: Record<string, unknown>) => {
  await ctx.step('claimed')
  const startedAt = ctx.now().getTime()
  const outcome = await target.deliver(held.request, keepingOf(ctx, held.integrationId, held.articleId))
  await ctx.step('answered')
  const error = outcome.kind === 'accepted' ? null : storableText(outcome.reason)
  const url = outcome.kind === 'accepted' ? (outcome.url ?? held.request.article.url) : undefined
  const answer = {
    status: 'synced',
    article_id: held.articleId,
    url: url ?? null,
    delivery_id: held.deliveryId,
    ...(outcome.kind === 'accepted' ? warningsOf(outcome.notes) : {}),
    ...said,
  }
  await ctx.write(finishSync(ctx, finishing(held, outcome, ctx.now().getTime() - startedAt), error, url, answer))
  if (error === null) return answer
  throw new ApiError('sync_failed', error, {
    article_id: held.articleId,
    delivery_id: held.deliveryId,
    saved: true,
    ...(outcome.httpStatus === undefined
      ? {}
      : { upstream: { name: upstreamName(held.platform), status: outcome.httpStatus, message: error } }),
  })
}

/**
 * Saves edits of a published article as a revision and sends it once, as an update: same slug, same dates. Without edits it
 * sends what is saved. Throws 400 (not published, no target, content), 404, 403, 409 while another sync runs, 502 when the
 * target does not take it; the edits stay saved then.
 */
export const syncArticle = async (ctx: Ctx, targets: TargetFactory, id: number, input: SyncArticleInput) => {
  const safe = await safeContent(ctx, input.content)
  const reading = safe && (await readContent(safe.html))
  const { article, target, row, assessed } = await load(ctx, targets, id, reading)
  const now = ctx.now()
  const { edits, after } = edited(article, input, safe, now)
  if (!hasContent(after.content)) throw new ApiError('empty_content', 'A published article cannot be emptied.')
  const assessment = await assess(assessed, { articleId: id }, assessedOf(article, after), reading, now)
  const request = await snapshot(after, true, ctx.settings.publicUrl, now)
  const { accountId, projectId } = article
  const common = { accountId, projectId, articleId: id, integrationId: row.id, live: true, request }
  const lease = new Date(now.getTime() + leaseMs(row.platform))
  const [claimed] = await ctx.write<{ id: number; attempts: number }>(
    claimSync(ctx, { ...common, revision: after.revision, readRevision: article.revision, edits, lease }, assessment),
    assessment.locks,
  )
  if (!claimed) throw refusal('sync_in_progress', 'sync', id)
  const held: Held = {
    ...common,
    deliveryId: Number(claimed.id),
    number: Number(claimed.attempts),
    lookups: 0,
    platform: row.platform,
    shownArticleId: id,
    due: false,
  }
  return await sendOnce(ctx, target, held, { ...assessment.answer, ...removedNote(safe?.removed) })
}
