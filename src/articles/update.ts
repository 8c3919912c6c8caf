import { sql } from 'drizzle-orm'
import { violatedUnique } from '../db/client.ts'
import { ApiError } from '../lib/errors.ts'
import type { SanitizedHtml } from '../lib/html.ts'
import { slugify } from '../lib/slug.ts'
import { wallTime } from '../lib/time.ts'
import type { Ctx } from '../runtime/ctx.ts'
import { type ContentReading, readContent } from '../seo/assess.ts'
import { type AssessmentFound, assess, assessmentQueries } from './assess.ts'
import { instantValue, plainAssignments, textValue } from './assign.ts'
import { removedNote, safeContent } from './content.ts'
import { checkPublishedAt } from './create.ts'
import type { ArticleDetail } from './present.ts'
import { type Assignments, projectOf, updateArticle } from './queries.ts'
import { getArticleWith } from './read.ts'
import { nextStatus, refusal } from './refusals.ts'
import { claimOf, isOwnText } from './rules.ts'
import type { UpdateArticleInput } from './schemas.ts'

import { freeSlug, slugWithId } from './slug-queries.ts'
import { type Move, moveOf } from './transitions.ts'

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

type Loaded = { article: ArticleDetail; slug: string | undefined; found: AssessmentFound }

/** The article, what is known of its content's surroundings, and a free slug when a new keyword asks for one. */
const load = async (ctx: Ctx, id: number, base: string, reading: ContentReading | undefined): Promise<Loaded> => {
  const queries = assessmentQueries(ctx, { articleId: id }, reading)
  if (base === '') {
    const [article, found] = await getArticleWith(ctx, id, queries)
    return { article, slug: undefined, found }
  }
  const [article, [slugs, ...found]] = await getArticleWith(ctx, id, [
    freeSlug(ctx.db, projectOf(id), base, id),
    ...queries,
  ] as const)
  return { article, slug: slugs.rows[0]?.slug ?? slugWithId(base, id), found }
}

/** The article as the SEO checks will see it once the fields are saved. */
const assessedOf = (article: ArticleDetail, input: UpdateArticleInput, slug: string | undefined) => ({
  keyword: input.keyword ?? article.mainKeyword,
  title: input.title ?? article.title,
  slug: slug ?? article.slug,
  metaDescription: input.meta_description ?? article.metaDescription,
  articleStyle: input.article_style ?? article.articleStyle,
  stored: { content: article.content, seo: article.seo },
})

/** Whether the date is the one answers show: sent back it moves nothing, not even in the hour a clock shows twice. */
const isDateAsRead = ({ scheduledAt, timezone }: ArticleDetail, date: string | null | undefined): boolean =>
  scheduledAt !== null && date?.trim() === wallTime(scheduledAt, timezone)

/** Whether the save claims the article. A draft that holds the caller's own text stays theirs when it is planned; the writer's does not become theirs. */
const claims = (article: ArticleDetail, status: string, { content }: UpdateArticleInput): boolean =>
  status === 'Planned' &&
  (content === undefined ? article.writtenAt === null && isOwnText(article.content) : isOwnText(content))

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
  if (safe || status !== article.status)
    values.claimed_at = instantValue(claims(article, status, input) ? ctx.now() : null)
  // From here on the words are the caller's, not the writer's.
  if (input.content !== undefined && isOwnText(input.content)) values.written_at = instantValue(null)
  // New words to write from: the writer need not wait until it would have tried again.
  if (safe || input.instructions !== undefined) values.write_after = instantValue(null)
  if (article.publishState === 'failed' && (safe || values.scheduled_at || values.status)) {
    values.publish_state = textValue('idle')
    values.publish_error = sql`null`
    values.due_taken_at = instantValue(null)
  }
  const visible =
    VISIBLE.some((field) => input[field] !== undefined) || (safe !== undefined && safe.html !== article.content)
  return { values, visible }
}

/** What the article must still be for the judgement to hold: where the PUT leads, the claim and the report depend on it. */
const judgedOn = (article: ArticleDetail) => sql`a.status = ${article.status} and a.revision = ${article.revision}::int`

const slugTaken = (error: unknown): never => {
  if (violatedUnique(error) !== 'articles_slug_unique') throw error
  throw new ApiError('edit_conflict', 'Another article took the same slug at this moment. Repeat the call.', {
    retry_after: 1,
  })
}

const sentFields = (input: UpdateArticleInput): string[] =>
  Object.keys(input).filter((name) => input[name as keyof UpdateArticleInput] !== undefined)

/** What the answer says of a claim: how the sent content fared, or that the content held before claims now. */
const claimNote = (article: ArticleDetail, status: string, input: UpdateArticleInput) => {
  if (input.content !== undefined && status === 'Planned') return claimOf(input.content)
  return status !== article.status && claims(article, status, input) ? { claimed: true } : {}
}

const answerOf = (
  article: ArticleDetail,
  status: string,
  slug: string | undefined,
  input: UpdateArticleInput,
  safe: SanitizedHtml | undefined,
) => ({
  article_id: article.id,
  status,
  ...(slug === undefined ? {} : { slug }),
  updated_fields: sentFields(input),
  message: `Updated ${sentFields(input).join(', ')}.`,
  ...claimNote(article, status, input),
  ...removedNote(safe?.removed),
})

/** How often a save is judged anew because the article changed while it was judged. */
const TRIES = 10

/**
 * Saves fields of an article by a move of the state table; content of 2,000 characters or more claims a planned one. `say`
 * adds to the answer, given the revision made. Throws 404, 403, 400, 409 as the table says.
 */
export const saveFields = async (
  ctx: Ctx,
  id: number,
  input: UpdateArticleInput,
  move: Move,
  say: (revision: number) => Record<string, unknown> = () => ({}),
) => {
  const safe = await safeContent(ctx, input.content)
  const reading = safe && (await readContent(safe.html))
  const base = input.keyword === undefined ? '' : slugify(input.keyword)
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const { article, slug, found } = await load(ctx, id, base, reading)
    const status = nextStatus(move, article, ctx.now())
    checkPublishedAt(input.published_at, article.timezone, ctx.now())
    const { values, visible } = assignmentsOf(ctx, article, status, input, slug, safe)
    const assessment = await assess(found, { articleId: id }, assessedOf(article, input, slug), reading, ctx.now())
    const account = await ctx.account()
    const place = { id, judged: judgedOn(article), keepRevision: visible }
    const said = say(visible ? article.revision + 1 : article.revision)
    const answer = { ...answerOf(article, status, slug, input, safe), ...assessment.answer, ...said }
    const statement = updateArticle(ctx, account.id, place, values, answer, assessment)
    const [changed] = await ctx.write(statement, assessment.locks).catch(slugTaken)
    if (changed) return answer
  }
  throw refusal('edit_conflict', move, id)
}

/**
 * Changes the sent fields of a Draft or Planned article. Throws 400 (nothing sent, published, content), 404, 403, 409 while
 * it is being written or published.
 */
export const updateArticleFields = async (ctx: Ctx, id: number, input: UpdateArticleInput) => {
  await ctx.check(() => {
    if (sentFields(input).length === 0)
      throw new ApiError('no_fields', 'The body has no field of an article. Send at least one.')
  })
  return await saveFields(ctx, id, input, moveOf(input))
}
