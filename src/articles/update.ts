import { sql } from 'drizzle-orm'
import { type Query, violatedUnique } from '../db/client.ts'
import { ApiError } from '../lib/errors.ts'
import type { SanitizedHtml } from '../lib/html.ts'
import { slugify } from '../lib/slug.ts'
import { wallTime } from '../lib/time.ts'
import type { Ctx } from '../runtime/ctx.ts'
import { instantValue, plainAssignments, textValue } from './assign.ts'
import { removedNote, safeContent } from './content.ts'
import { checkPublishedAt } from './create.ts'
import type { ArticleDetail } from './present.ts'
import { type Assignments, freeSlug, projectOf, slugWithId, updateArticle } from './queries.ts'
import { getArticle, getArticleWith } from './read.ts'
import { nextStatus, refusal } from './refusals.ts'
import { claimOf, isClaimed } from './rules.ts'
import type { UpdateArticleInput } from './schemas.ts'
import { moveOf } from './transitions.ts'

/** Fields a reader of the published post would notice: changing one makes a new revision. */
const VISIBLE = [
  'title',
  'meta_description',
  'feature_image',
  'alt_text',
  'tags',
  'category',
  'keyword',
  'published_at',
] as const

type Slug = { rows: { slug: string }[] }

/** The article, and a free slug when a new keyword asks for one. */
const load = async (
  ctx: Ctx,
  id: number,
  base: string,
): Promise<{ article: ArticleDetail; slug: string | undefined }> => {
  if (base === '') return { article: await getArticle(ctx, id), slug: undefined }
  const free = freeSlug(ctx.db, projectOf(id), base, id) as unknown as Query<Slug>
  const [article, slugs] = await getArticleWith<Slug>(ctx, id, free)
  return { article, slug: slugs.rows[0]?.slug ?? slugWithId(base, id) }
}

/** Whether the date is the one answers show: sent back it moves nothing, not even in the hour a clock shows twice. */
const isDateAsRead = ({ scheduledAt, timezone }: ArticleDetail, date: string | null | undefined): boolean =>
  scheduledAt !== null && date?.trim() === wallTime(scheduledAt, timezone)

const assignmentsOf = (
  ctx: Ctx,
  article: ArticleDetail,
  status: string,
  input: UpdateArticleInput,
  slug?: string,
  safe?: SanitizedHtml,
) => {
  const values: Assignments = plainAssignments(input, article.timezone)
  if (isDateAsRead(article, input.scheduled_date)) values.scheduled_at = instantValue(article.scheduledAt)
  if (status !== article.status) {
    values.status = textValue(status)
    values.due_taken_at = instantValue(null)
  }
  if (slug !== undefined) values.slug = textValue(slug)
  if (safe) {
    values.content = textValue(safe.html)
  }
  // A draft that holds the caller's own text stays theirs when it is planned.
  if (safe || status !== article.status)
    values.claimed_at = instantValue(isClaimed(status, input.content ?? article.content) ? ctx.now() : null)
  if (article.publishState === 'failed' && (safe || values.scheduled_at || values.status)) {
    values.publish_state = textValue('idle')
    values.publish_error = sql`null`
    values.due_taken_at = instantValue(null)
  }
  const visible =
    VISIBLE.some((field) => input[field] !== undefined) || (safe !== undefined && safe.html !== article.content)
  return { values, visible }
}

/**
 * What the article must still be for the judgement to hold: its status, which says where the PUT leads; and where stored
 * content decides about the claim, that content.
 */
const judgedOn = (article: ArticleDetail, claimsBySaved: boolean) =>
  claimsBySaved
    ? sql`a.status = ${article.status} and a.revision = ${article.revision}::int`
    : sql`a.status = ${article.status}`

const slugTaken = (error: unknown): never => {
  if (violatedUnique(error) !== 'articles_slug_unique') throw error
  throw new ApiError('edit_conflict', 'Another article took the same slug at this moment. Repeat the call.', {
    retry_after: 1,
  })
}

/**
 * Changes the sent fields of a Draft or Planned article; content of 2,000 characters or more claims a planned one.
 * Throws 400 (nothing sent, published, content), 404, 403, 409 while it is being written or published.
 */
export const updateArticleFields = async (ctx: Ctx, id: number, input: UpdateArticleInput) => {
  const fields = Object.keys(input).filter((name) => input[name as keyof UpdateArticleInput] !== undefined)
  await ctx.check(() => {
    if (fields.length === 0) throw new ApiError('no_fields', 'The body has no field of an article. Send at least one.')
  })
  const safe = await safeContent(ctx, input.content)
  const { article, slug } = await load(ctx, id, input.keyword === undefined ? '' : slugify(input.keyword))
  const move = moveOf(input)
  const status = nextStatus(move, article, ctx.now())
  checkPublishedAt(input.published_at, article.timezone, ctx.now())
  const { values, visible } = assignmentsOf(ctx, article, status, input, slug, safe)
  const account = await ctx.account()
  const judged = judgedOn(article, status !== article.status && safe === undefined)
  const statement = updateArticle(ctx, account.id, id, values, { keepRevision: visible, judged })
  const [changed] = await ctx.write(statement).catch(slugTaken)
  if (!changed) {
    nextStatus(move, await getArticle(ctx, id), ctx.now())
    throw refusal('edit_conflict', move, id)
  }
  return {
    article_id: id,
    status,
    ...(slug === undefined ? {} : { slug }),
    updated_fields: fields,
    message: `Updated ${fields.join(', ')}.`,
    backlinks_processed: 0,
    ...(safe && status === 'Planned' ? claimOf(input.content ?? '') : {}),
    ...removedNote(safe?.removed),
  }
}
