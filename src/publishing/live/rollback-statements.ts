import { and, eq, type SQL, sql } from 'drizzle-orm'
import { articles } from '../../../schema/articles.ts'
import { remoteVersions } from '../../../schema/remote.ts'
import { holdArticle, releaseArticle } from '../../articles/parts.ts'
import { mayMove } from '../../articles/standing-parts.ts'
import { audit } from '../../db/audit.ts'
import { statement } from '../../db/statement.ts'
import { update } from '../../db/write-parts.ts'
import type { Ctx } from '../../runtime/ctx.ts'
import { noteUse } from '../connect/parts.ts'
import { checkLivePage } from '../send/receipt-job.ts'
import { lostRollbackJob } from './rollback-job.ts'

/** A rollback that holds its article until the lease ends. */
export type Rollback = { articleId: number; accountId: number; lease: Date }

/**
 * Takes a published article for a rollback, with a row that frees it should this process die. No row: a sync or another
 * rollback holds it.
 */
export const claimRollback = (ctx: Ctx, { articleId, accountId, lease }: Rollback): SQL => {
  const now = ctx.now()
  const article = holdArticle(lease, {
    where: sql`${and(eq(articles.id, articleId), eq(articles.accountId, accountId))} and ${mayMove('sync', now)}`,
    also: { publishError: null },
  })
  const freeing = lostRollbackJob.enqueue({
    from: article,
    account: accountId,
    payload: { article_id: article.c.id, lease: lease.toISOString() },
    runAt: lease,
    open: 'move',
    replacePayload: true,
    quietSince: now,
  })
  return statement({
    unaudited: 'what a rollback did is written to the audit log when it ends',
    parts: [article, freeing, ctx.keep.running([article], lease)],
    answer: { id: article.c.id },
  })
}

/** The article, if this rollback still holds it. */
const isHeldBy = ({ articleId, lease }: Pick<Rollback, 'articleId' | 'lease'>): SQL =>
  sql`${and(eq(articles.id, articleId), eq(articles.publishState, 'publishing'), eq(articles.publishLeaseUntil, lease))}`

/** How a rollback ended; `error` null when the version is shown again. */
export type RollbackEnding = { versionId: number; integrationId: number; error: string | null; url: string | null }

/** Writes how a rollback ended; a good one is looked at on the live page like a publication. */
export const finishRollback = (ctx: Ctx, rollback: Rollback, ending: RollbackEnding, answer: unknown): SQL => {
  const now = ctx.now()
  const { versionId, integrationId, error } = ending
  const succeeded = error === null
  const article = releaseArticle(succeeded ? 'idle' : 'failed', error, {
    where: isHeldBy(rollback),
    also: { url: sql`coalesce(${ending.url}, ${articles.url})`, ...(succeeded ? { receipt: null } : {}) },
  })
  const restored = update(
    'restored',
    remoteVersions,
    { restoredAt: succeeded ? now : null },
    { where: sql`${eq(remoteVersions.id, versionId)} and ${article.hasRows}` },
  )
  return statement({
    parts: [
      article,
      restored,
      noteUse(integrationId, error, article, now),
      lostRollbackJob.finish(article, now),
      succeeded && checkLivePage(article, rollback.accountId, now),
      succeeded ? ctx.keep.done(article, answer) : ctx.keep.dropped(article),
    ],
    audit: audit(ctx, {
      of: article,
      account: rollback.accountId,
      action: succeeded ? 'article.rollback' : 'article.rollback_failed',
      on: ['article', article.c.id],
      detail: { version: versionId },
    }),
    answer: { id: article.c.id },
  })
}

/** Frees an article whose rollback died before it could tell how it ended. */
export const freeLostRollback = (articleId: number, lease: Date, error: string): SQL => {
  const article = releaseArticle('failed', error, { where: isHeldBy({ articleId, lease }) })
  return statement({
    unaudited: 'nobody did anything; the article shows that it is not known what the site has',
    parts: [article],
    answer: { id: article.c.id },
  })
}
