import { and, eq, not, type SQL, sql } from 'drizzle-orm'
import { articles } from '../../../schema/articles.ts'
import { supersedeApprovals } from '../../accounts/approvals/writes.ts'
import { isOnItsWayOut, onItsWayOut } from '../../accounts/policy/parts.ts'
import { CHANGING_OUTGOING } from '../../accounts/policy/rules.ts'
import { includesScope, keyMayNot } from '../../platform/accounts/scopes.ts'
import { violatedUnique } from '../../platform/db/client.ts'
import { when } from '../../platform/db/steps.ts'
import { audit } from '../../platform/db/writes.ts'
import { ApiError, noFields } from '../../platform/lib/errors.ts'
import { checkUnchanged, etagOf, withTag } from '../../platform/lib/etag.ts'
import type { SlugChoice } from '../../platform/lib/slug.ts'
import type { Account, Ctx } from '../../platform/runtime/ctx.ts'
import type { ContentReading } from '../seo/assess.ts'
import { type AssessmentFound, assess, assessmentQueries } from './assess.ts'
import { changesOf, hasFailedReport, isClaimedBy, isRestorable, isVisible, questionOf, type Sent } from './changes.ts'
import { hostDataImages, readSent, removedNote, shownIn } from './content.ts'
import { checkPublishedAt } from './create.ts'
import { forecastOf, type Prospects } from './forecast.ts'
import { UpdateArticle, type UpdateArticleInput } from './operations.ts'
import { checkGivenSlug, type FoundSlug, freeSlug, hasSlug, isMoveAllowed, slugFor } from './parts.ts'
import { projectOf, prospectsIn, prospectsOf } from './queries.ts'
import { type ArticleDetail, getArticleWith } from './read.ts'
import { nextStatus, refusal } from './refusals.ts'
import { claimNoteOf } from './rules.ts'
import { isStatus, type Move, moveOf } from './transitions.ts'
import { changeArticle, earlierValues, keepRevision } from './writes.ts'

type Loaded = {
  article: ArticleDetail
  slug: string | undefined
  /** True if the article is on its way out. */
  isGoing: boolean
  prospects: Prospects
  found: AssessmentFound
}

/** Returns the slug to save; undefined if the article keeps its slug. An article with a post on its site keeps it. */
const newSlug = (article: ArticleDetail, slugs: FoundSlug, given: string | undefined): string | undefined => {
  const isKept = article.url !== null || (article.slugGiven && given === undefined)
  return isKept || !hasSlug(slugs) ? undefined : slugFor(slugs, article.id)
}

/** Reads the article and what its assessment needs. Also finds a free slug if a slug or keyword was sent. */
const load = async (
  ctx: Ctx,
  id: number,
  { keyword, slug: given }: UpdateArticleInput,
  reading: ContentReading | undefined,
  choice: SlugChoice,
): Promise<Loaded> => {
  const isNamed = keyword !== undefined || Boolean(given)
  const { article, results } = await getArticleWith(ctx, id, {
    slugs: isNamed && freeSlug(ctx.db, projectOf(id), choice, id),
    out: onItsWayOut(ctx.db, id),
    prospects: prospectsOf(ctx.db, projectOf(id), ctx.now(), id),
    assessed: assessmentQueries(ctx, { articleId: id }, reading, keyword),
  })
  const { slugs, out, prospects, assessed: found } = results
  if (slugs) checkGivenSlug(slugs, given)
  const slug = slugs && newSlug(article, slugs, given)
  return { article, slug, isGoing: out[0]?.isGoing === true, prospects: prospectsIn(prospects), found }
}

/** Returns the article with the sent fields, as the SEO checks need it. */
const assessedOf = (article: ArticleDetail, input: UpdateArticleInput, slug: string | undefined) => ({
  keyword: input.keyword ?? article.mainKeyword,
  title: input.title ?? article.title,
  slug: slug ?? article.slug,
  metaDescription: input.meta_description ?? article.metaDescription,
  featureImage: input.feature_image ?? article.featureImage,
  articleStyle: input.article_style ?? article.articleStyle,
  stored: { content: article.content, seo: article.seo },
})

/**
 * Condition: the columns that the save depends on are unchanged since they were read.
 *
 * The next status, the claim, the report and the end of a failed publication depend on them. With `If-Match` the exact version
 * must be unchanged.
 */
const judgedOn = (article: ArticleDetail, { ifMatch }: Ctx) =>
  sql`${and(
    eq(articles.status, article.status),
    eq(articles.revision, article.revision),
    eq(articles.publishState, article.publishState),
    ifMatch ? eq(articles.updatedAt, article.updatedAt) : undefined,
  )}`

const slugTaken = (error: unknown): never => {
  if (violatedUnique(error) !== 'articles_slug_unique') throw error
  throw new ApiError('edit_conflict', 'Another article took the same slug at the same moment. Repeat the call.', {
    retry_after: 1,
  })
}

/** Returns the names of the sent fields that are stored. `content_format` is not. */
const sentFields = (input: UpdateArticleInput): string[] =>
  Object.keys(input).filter(
    (name) => name !== 'content_format' && input[name as keyof UpdateArticleInput] !== undefined,
  )

/** Returns the answer's note on a claim, for new content or for a changed status. */
const claimNote = (article: ArticleDetail, sent: Sent) => {
  const claimed = isClaimedBy(article, sent)
  if (sent.input.content !== undefined && sent.status === 'Planned')
    return claimed ? { claimed } : { claimed, claim_note: claimNoteOf(sent.input.content) }
  return sent.status !== article.status && claimed ? { claimed } : {}
}

/** Returns the detail of the audit entry: the changed fields and their earlier values. */
const changeOf = (fields: readonly string[]): SQL =>
  sql`jsonb_build_object('fields', ${JSON.stringify(fields)}::jsonb, 'before', ${earlierValues(fields)})`

type Values = ReturnType<typeof changesOf>

/** Returns the article after the save, as the forecast needs it. */
const savedOf = (article: ArticleDetail, sent: Sent, values: Values) => ({
  ...article,
  status: sent.status,
  publishState: values.publishState === 'idle' ? ('idle' as const) : article.publishState,
  content: sent.safe?.html ?? article.content,
  scheduledAt: values.scheduledAt === undefined ? article.scheduledAt : (values.scheduledAt as Date | null),
  claimed: isClaimedBy(article, sent),
  written: values.writtenAt !== null && article.writtenAt !== null,
  unfit: values.writtenAt !== null && hasFailedReport(article) && !isClaimedBy(article, sent),
})

const keptSlug = ({ slug, url }: ArticleDetail): string =>
  `slug was not changed: the article has a post at ${url}, which keeps its slug "${slug}".`

const answerOf = (
  article: ArticleDetail,
  sent: Sent,
  values: Values,
  { account, prospects }: { account: Account; prospects: Prospects },
) => {
  const fields = sentFields(sent.input)
  const {
    message,
    warnings = [],
    ...forecast
  } = forecastOf(savedOf(article, sent, values), account, prospects, sent.now)
  const all = sent.input.slug && article.url !== null ? [...warnings, keptSlug(article)] : warnings
  return {
    article_id: article.id,
    status: sent.status,
    ...(sent.slug === undefined ? {} : { slug: sent.slug }),
    updated_fields: fields,
    message: `Updated ${fields.join(', ')}. ${message}`,
    ...forecast,
    ...(all.length > 0 ? { warnings: all } : {}),
    ...claimNote(article, sent),
    ...removedNote(sent.safe?.removed),
  }
}

/** Attempts at a save, because the article may change between reading and saving. */
const TRIES = 10

/**
 * Saves fields of an article by a move of the state table. Content of 2,000 characters or more claims a planned article.
 *
 * `moreFields` returns fields to add to the answer. Throws 404, 403, 412, 400, and 409 as the state table says.
 */
export const saveFields = async (
  ctx: Ctx,
  id: number,
  input: UpdateArticleInput,
  move: Move,
  moreFields: (revision: number) => Record<string, unknown> = () => ({}),
) => {
  const named = input.slug || input.keyword
  const { safe: given, slug: choice } = await readSent(ctx, input, named === undefined ? [] : [named])
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const { article, slug, isGoing, prospects, found } = await load(ctx, id, input, given?.reading, choice)
    const account = await ctx.account()
    const isDrafting = account.key !== undefined && !includesScope(account.key.scopes, 'write')
    if (isDrafting && isGoing)
      throw keyMayNot(ctx.settings.publicUrl, account.key?.scopes ?? [], 'write', CHANGING_OUTGOING)
    const safe = shownIn(given, article)
    const reading = safe?.reading
    checkUnchanged(ctx.ifMatch, etagOf(article.updatedAt, article.revision))
    const now = ctx.now()
    const next = nextStatus(move, { ...article, isArchived: prospects.isArchived }, now)
    checkPublishedAt(input.published_at, article.timezone, now)
    const sent = { status: isStatus(next) ? next : article.status, input, slug, safe, reading, now }
    const values = changesOf(article, sent)
    const makesRevision = isVisible(article, values)
    const judged = await assess(ctx, found, { articleId: id }, assessedOf(article, input, slug), reading)
    const assessment = await hostDataImages(ctx, safe?.images, judged)
    // At least 1 ms later, so that no two versions have the same ETag.
    const savedAt = new Date(Math.max(now.getTime(), article.updatedAt.getTime() + 1))
    const revision = makesRevision ? article.revision + 1 : article.revision
    const question = questionOf(article, values)
    const body = {
      ...answerOf(article, sent, values, { account, prospects }),
      ...assessment.answer,
      ...moreFields(revision),
    }
    const answer = withTag(body, etagOf(savedAt, revision))
    const own = and(eq(articles.id, id), eq(articles.accountId, account.id))
    const mayChange = isDrafting ? not(isOnItsWayOut()) : undefined
    const canChange = sql`${and(own, judgedOn(article, ctx), isMoveAllowed('edit', now), mayChange, assessment.isCurrent)}`
    const condition = sql`exists (select 1 from ${articles} where ${canChange})`
    const { changed } = await ctx
      .batch({
        partners: assessment.locks,
        article: ctx.db.select({ id: articles.id }).from(articles).where(own).for('update'),
        links: assessment.writes(id, condition),
        revision: isRestorable(article, values) && keepRevision({ if: canChange }),
        supersedeApprovals: question.ends
          ? supersedeApprovals(ctx, id, account.id, { if: condition, asksAgain: question.asksAgain })
          : [],
        kept: ctx.keepAnswer(answer)(condition),
        ...when(canChange, {
          audit: audit(ctx, {
            account: account.id,
            action: 'article.update',
            on: ['article', id],
            detail: changeOf(sentFields(input)),
            from: sql`${articles}`,
          }),
          changed: (isMet) =>
            changeArticle(
              ctx.db,
              {
                ...values,
                ...assessment.changes,
                ...(makesRevision ? { revision: sql`${articles.revision} + 1` } : {}),
                updatedAt: savedAt,
              },
              isMet,
            ),
        }),
      })
      .catch(slugTaken)
    if (changed.length === 0) continue
    if (question.asksAgain) ctx.defer(ctx.wakeQueue())
    return answer
  }
  throw refusal('edit_conflict', move, id)
}

/**
 * Changes the sent fields of a Draft or Planned article.
 *
 * Throws 400 (no fields, published, content), 404, 403, 412, and 409 while it is being written or published.
 */
export const updateArticleFields = async (ctx: Ctx, id: number, input: UpdateArticleInput) => {
  if (sentFields(input).length === 0) {
    const changes = Object.keys(UpdateArticle.shape).filter((name) => name !== 'content_format')
    throw noFields('The body has no field of an article. Send at least one.', changes, 'has nothing to change')
  }
  return await saveFields(ctx, id, input, moveOf(input))
}
