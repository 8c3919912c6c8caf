import { eq, type SQL, sql } from 'drizzle-orm'
import { articles } from '../../../schema/articles.ts'
import { remoteVersions } from '../../../schema/remote.ts'
import { releaseArticle } from '../../content/articles/parts.ts'
import { takenBack } from '../../insights/effects/parts.ts'
import { audit } from '../../platform/db/audit.ts'
import { statement } from '../../platform/db/statement.ts'
import { update } from '../../platform/db/write-parts.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { noteUse } from '../connect/parts.ts'
import { checkLivePage, lostRollbackJob } from '../jobs.ts'
import { type Hold, isHeldBy } from './hold-parts.ts'

/** End of a rollback; `error` null if the version is shown again, `mayShow` also if that is not known. */
export type RollbackEnding = {
  versionId: number
  integrationId: number
  error: string | null
  mayShow: boolean
  url: string | null
}

/** Writes how a rollback ended; a good one is looked at on the live page like a publication. */
export const finishRollback = (ctx: Ctx, rollback: Hold, ending: RollbackEnding, answer: unknown): SQL => {
  const now = ctx.now()
  const { versionId, integrationId, error, mayShow } = ending
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
      mayShow && takenBack(article, { accountId: rollback.accountId, now }),
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
