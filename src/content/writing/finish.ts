import { and, eq, ne, type SQL, sql } from 'drizzle-orm'
import { articles, articleWritings } from '../../../schema/articles.ts'
import { oneOf } from '../../../schema/columns.ts'
import type { PublishState } from '../../../schema/values/articles.ts'
import type { WritingKind } from '../../../schema/values/writing.ts'
import { lockProjectOf, returnToBudget } from '../../accounts/policy/parts.ts'
import { holdAccount, returnCredit } from '../../platform/accounts/parts.ts'
import type { Db } from '../../platform/db/client.ts'
import { when } from '../../platform/db/steps.ts'
import { audit } from '../../platform/db/writes.ts'
import { finishJob } from '../../platform/jobs/enqueue.ts'
import { shownReason } from '../../platform/jobs/job.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import type { Assessment } from '../articles/assess.ts'
import { statusAllows } from '../articles/parts.ts'
import { type Status, statusAfter } from '../articles/transitions.ts'
import { changeArticle, keepRevision } from '../articles/writes.ts'
import { safeHtml } from '../html/sanitize.ts'
import { renderFragment } from '../html/tree.ts'
import { type HostedImage, holdImages } from '../media/store.ts'
import type { Placed } from './illustrate.ts'
import { writeJob } from './jobs.ts'
import { readNotes } from './notes.ts'
import { writeAgainAt } from './rules.ts'

/** Selects an unfinished writing with its article; no row if the article is not being written. */
export const writingById = (db: Db, owner: SQL, articleId: number) =>
  db
    .select({
      articleId: articles.id,
      accountId: articles.accountId,
      keyword: articles.mainKeyword,
      slug: articles.slug,
      metaDescription: articles.metaDescription,
      articleStyle: articles.articleStyle,
      featureImage: articles.featureImage,
      kind: articleWritings.kind,
      notes: articleWritings.notes,
      brief: articleWritings.brief,
      outline: articleWritings.outline,
      sections: articleWritings.sections,
      step: articleWritings.step,
      repairs: articleWritings.repairs,
      failures: articleWritings.failures,
      startedAt: articleWritings.startedAt,
    })
    .from(articles)
    .innerJoin(articleWritings, eq(articleWritings.articleId, articles.id))
    .where(and(eq(articles.id, articleId), eq(articles.accountId, owner), statusAllows('finish_generation')))

/** Row of `writingById`. */
export type WritingRow = Awaited<ReturnType<typeof writingById>>[number]

/** Step of a writing. Its result counts only while the writing is still at `step`; null for any step. */
type Step = { articleId: number; kind: WritingKind; step: number | null }

/**
 * Returns locks for an article and its writing, and conditions for the statements after them.
 *
 * `isHeld`: the writing is still at this step. `hasEnded`: the article has no active writing. Use it to change the article
 * after its writing was deleted or ended.
 */
export const writingAtStep = (db: Db, { articleId, kind, step }: Step) => {
  const article = and(eq(articles.id, articleId), statusAllows('finish_generation'))
  const writing = eq(articleWritings.articleId, articleId)
  const isAtStep = and(
    eq(articleWritings.kind, kind),
    step === null ? undefined : eq(articleWritings.step, step),
    eq(articleWritings.creditTaken, true),
  )
  return {
    locks: [
      db.select({ id: articles.id }).from(articles).where(article).for('no key update'),
      db.select({ id: articleWritings.articleId }).from(articleWritings).where(writing).for('update'),
    ],
    isHeld: sql`exists (select 1 from ${articles} join ${articleWritings} on ${writing} where ${and(article, isAtStep)})`,
    hasEnded: sql`${article} and not exists (select 1 from ${articleWritings} where ${and(writing, eq(articleWritings.creditTaken, true))})`,
  }
}

/** SQL expression for the number of the next step. */
export const NEXT_STEP: SQL = sql`${articleWritings.step} + 1`

/** Returns the status of an article after its writing. */
const statusAfterWriting = (kind: WritingKind): Status =>
  statusAfter(kind === 'generate' ? 'finish_generation' : 'finish_planned')

/** Columns of an article that is not being written. */
const AT_REST = { progress: null, writingStartedAt: null }

/** Texts of a written article. */
export type Finished = { title: string; metaDescription: string; html: string }

/** Additions to the text: the feature image, and every image hosted for the article. */
export type Additions = { feature: Placed | undefined; images: readonly HostedImage[] }

const IDLE: PublishState = 'idle'
const HAS_FAILED = oneOf(articles.publishState, ['failed'])

/**
 * Returns a column's value, or null if the publication had failed because the article was empty. It is then published again.
 */
const unlessFailed = (column: typeof articles.publishError | typeof articles.dueTakenAt): SQL =>
  sql`case when ${HAS_FAILED} then null else ${column} end`

const FIT = {
  generationError: null,
  publishState: sql`case when ${HAS_FAILED} then ${IDLE}::text else ${articles.publishState} end`,
  publishError: unlessFailed(articles.publishError),
  dueTakenAt: unlessFailed(articles.dueTakenAt),
}

const unfitBecause = (reason: string) => ({
  generationError: reason,
  publishState: 'failed' as const,
  publishError: reason,
})

/** Returns the columns for a feature image. The caller's image stays, even if it was added during the writing. */
const featured = (feature: Placed | undefined) =>
  feature
    ? {
        featureImage: sql`case when ${articles.featureImage} = '' then ${feature.url}::text else ${articles.featureImage} end`,
        altText: sql`case when ${articles.featureImage} = '' and ${articles.altText} = '' then ${feature.alt}::text else ${articles.altText} end`,
      }
    : {}

/**
 * Finishes a written article: a generated one becomes a draft, a planned one is planned again.
 *
 * A planned article that failed because it was empty is due again. `unfit` is an error in the report: the article shows it, is
 * not published on its date, and costs no credit.
 *
 * The earlier version is stored as a revision. Does nothing if another run was faster.
 */
export const finishWriting = async (
  ctx: Ctx,
  { articleId, accountId, kind, step }: WritingRow,
  made: Finished & Additions,
  derived: Assessment,
  unfit: string | undefined,
): Promise<void> => {
  const now = ctx.now()
  const { locks, isHeld, hasEnded } = writingAtStep(ctx.db, { articleId, kind, step })
  const ofArticle = eq(articles.id, articleId)
  const isReturned = unfit !== undefined
  await ctx.batch({
    derivedLocks: derived.locks,
    account: isReturned && holdAccount(accountId),
    project: isReturned && lockProjectOf(ctx.db, articleId),
    locks,
    ...when(isHeld, {
      revision: (isMet) => keepRevision({ if: sql`${and(ofArticle, ne(articles.content, ''))} and ${isMet}` }),
      returnCredit: isReturned && ((isMet) => returnCredit(ctx.db, accountId, isMet)),
      returnToBudget: isReturned && ((isMet) => returnToBudget(ctx.db, articleId, now, isMet)),
      endedWriteJob: finishJob(ctx.db, writeJob, articleId, { now }),
      writes: (isMet) => derived.writes(articleId, isMet),
      holdImages: (isMet) => holdImages({ accountId, images: made.images, now, if: isMet }),
      audit: audit(ctx, {
        account: accountId,
        action: 'article.written',
        on: ['article', articleId],
        ...(isReturned ? { detail: { unfit } } : {}),
      }),
      deletedArticleWritings: (isMet) =>
        ctx.db.delete(articleWritings).where(and(eq(articleWritings.articleId, articleId), isMet)),
    }),
    changeArticle: changeArticle(
      ctx.db,
      {
        ...AT_REST,
        status: statusAfterWriting(kind),
        title: made.title,
        metaDescription: made.metaDescription,
        content: made.html,
        ...featured(made.feature),
        ...(isReturned ? unfitBecause(unfit) : FIT),
        writeAfter: null,
        writtenAt: now,
        revision: sql`${articles.revision} + case when ${articles.content} = '' then 0 else 1 end`,
        updatedAt: now,
        ...derived.changes,
      },
      hasEnded,
    ),
  })
}

const AFTER = {
  generate: 'The article credit was returned; the draft holds your notes.',
  scheduled: 'The article credit was returned; the writer tries again later.',
}

/**
 * Ends a writing with a reason and returns the credit, if it is still at `step` (null for any step).
 *
 * A generated article becomes a draft with the notes. A planned one is planned again and tried later.
 */
export const giveUpWriting = async (ctx: Ctx, row: WritingRow, why: string, step: number | null): Promise<void> => {
  const { articleId, accountId, kind } = row
  const now = ctx.now()
  const reason = `The article could not be written. ${why} ${AFTER[kind]}`
  const notes = renderFragment(readNotes(row.notes))
  const { locks, isHeld, hasEnded } = writingAtStep(ctx.db, { articleId, kind, step })
  await ctx.batch({
    account: holdAccount(accountId),
    project: lockProjectOf(ctx.db, articleId),
    locks,
    ...when(isHeld, {
      returnCredit: (isMet) => returnCredit(ctx.db, accountId, isMet),
      returnToBudget: (isMet) => returnToBudget(ctx.db, articleId, now, isMet),
      endedWriteJob: finishJob(ctx.db, writeJob, articleId, { now }),
      audit: audit(ctx, {
        account: accountId,
        action: 'article.writing_failed',
        on: ['article', articleId],
        detail: { reason },
      }),
      changedArticleWritings: (isMet) =>
        ctx.db
          .update(articleWritings)
          .set({
            brief: null,
            outline: null,
            sections: [],
            step: NEXT_STEP,
            repairs: 0,
            failures: 0,
            creditTaken: false,
            lastError: reason,
            updatedAt: now,
          })
          .where(and(eq(articleWritings.articleId, articleId), isMet)),
    }),
    changeArticle: changeArticle(
      ctx.db,
      {
        ...AT_REST,
        status: statusAfterWriting(kind),
        generationError: reason,
        updatedAt: now,
        ...(kind === 'generate'
          ? { publishState: 'failed', publishError: reason, content: safeHtml(notes) ?? '', writeAfter: null }
          : { writeAfter: writeAgainAt(row.startedAt, now) }),
      },
      hasEnded,
    ),
  })
}

const OURS = 'It was tried many times and failed for a reason on our side.'

/** Ends a writing whose job failed too often. Does nothing if it has ended already. */
export const abandonWriting = async (ctx: Ctx, articleId: number, reason: string): Promise<void> => {
  const [row] = await ctx.read((owner) => writingById(ctx.db, owner, articleId))
  if (row) await giveUpWriting(ctx, row, shownReason(reason, OURS), null)
}
