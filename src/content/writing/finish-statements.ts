import { and, eq, ne, type SQL, sql } from 'drizzle-orm'
import { accounts } from '../../../schema/accounts.ts'
import { articles, articleWritings } from '../../../schema/articles.ts'
import { oneOf } from '../../../schema/columns.ts'
import { creditReturned, lockProjectOf } from '../../accounts/policy/parts.ts'
import { lockAccount, returnCredit } from '../../platform/accounts/parts.ts'
import { audit } from '../../platform/db/audit.ts'
import { statement } from '../../platform/db/statement.ts'
import { remove, typedValue } from '../../platform/db/write-parts.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import type { Assessment } from '../articles/assess.ts'
import { changeArticle, keepRevision } from '../articles/parts.ts'
import { holdImages } from '../media/parts.ts'
import type { HostedImage } from '../media/store.ts'
import { AT_REST, heldAt, type Step, statusAfterWriting } from './held.ts'
import type { Placed } from './illustration-rules.ts'
import { writeJob } from './jobs.ts'

export type Finished = { title: string; metaDescription: string; html: string }

/** Additions to the words: the feature image, and every image that is hosted for the article. */
export type Additions = { feature: Placed | undefined; images: readonly HostedImage[] }

/** A planned article that has an error in its report: why the clock leaves it, and whose credit goes back. */
export type Unfit = { reason: string; accountId: number }

const HAS_FAILED = oneOf(articles.publishState, ['failed'])

/** Publication that was given up because the article was empty begins again. */
const unlessFailed = (column: typeof articles.publishError | typeof articles.dueTakenAt): SQL =>
  sql`case when ${HAS_FAILED} then null else ${column} end`

const FIT = {
  generationError: null,
  publishState: sql`case when ${HAS_FAILED} then ${typedValue(articles.publishState, 'idle')} else ${articles.publishState} end`,
  publishError: unlessFailed(articles.publishError),
  dueTakenAt: unlessFailed(articles.dueTakenAt),
}

const unfitBecause = (reason: string) => ({
  generationError: reason,
  publishState: 'failed' as const,
  publishError: reason,
})

/** A feature image the caller gave, also while the article was being written, stays. */
const featured = (feature: Placed | undefined) =>
  feature
    ? {
        featureImage: sql`case when ${articles.featureImage} = '' then ${feature.url}::text else ${articles.featureImage} end`,
        altText: sql`case when ${articles.featureImage} = '' and ${articles.altText} = '' then ${feature.alt}::text else ${articles.altText} end`,
      }
    : {}

/**
 * Hands a written article over: a generated one becomes a draft, a planned one is planned again and, where it was given up
 * for being empty, due again. One that is `unfit` shows why, is left alone by the clock, and costs no credit.
 *
 * The version before is kept. No row: another run was faster.
 */
export const finishWriting = (
  ctx: Ctx,
  s: Step,
  made: Finished & Additions,
  derived: Assessment,
  unfit?: Unfit,
): SQL => {
  const now = ctx.now()
  const lockedAccounts = unfit && lockAccount(unfit.accountId)
  const project = lockedAccounts && lockProjectOf(s.articleId, [lockedAccounts])
  const { old, held } = heldAt(s, lockedAccounts && project ? [lockedAccounts, project] : [])
  const ended = remove('ended', articleWritings, {
    from: [held],
    where: eq(articleWritings.articleId, held.c.articleId),
    returning: { articleId: articleWritings.articleId },
  })
  const written = changeArticle(
    'written',
    {
      ...AT_REST,
      status: statusAfterWriting(held),
      title: made.title,
      metaDescription: made.metaDescription,
      content: made.html,
      ...featured(made.feature),
      ...(unfit ? unfitBecause(unfit.reason) : FIT),
      writeAfter: null,
      writtenAt: now,
      revision: sql`${articles.revision} + case when ${old.c.content} = '' then 0 else 1 end`,
      updatedAt: now,
      ...derived.changes,
    },
    {
      from: [old, held, ended],
      where: sql`${and(
        eq(articles.id, old.c.id),
        eq(articles.id, held.c.articleId),
        eq(articles.id, ended.c.articleId),
      )}`,
      returning: { accountId: articles.accountId },
    },
  )
  const isPaid = sql`${eq(accounts.id, written.c.accountId)} and ${held.c.creditTaken}`
  return statement({
    parts: [
      lockedAccounts,
      project,
      old,
      held,
      ended,
      written,
      keepRevision(old, written, ne(old.c.content, '')),
      project && [
        returnCredit([written, held], isPaid),
        creditReturned(now, project, [written, held], held.c.creditTaken),
      ],
      writeJob.finish(s.articleId, now, { where: written.hasRows }),
      derived.parts(written),
      holdImages('pictures', { accountId: written.c.accountId, images: made.images, now, from: [written] }),
    ],
    audit: audit(ctx, {
      of: written,
      account: written.c.accountId,
      action: 'article.written',
      on: ['article', written.c.id],
      ...(unfit ? { detail: { unfit: unfit.reason } } : {}),
    }),
    answer: { id: written.c.id },
  })
}
