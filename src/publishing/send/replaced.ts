import { and, eq } from 'drizzle-orm'
import { articles } from '../../../schema/articles.ts'
import { statusAllows } from '../../content/articles/standing-parts.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import type { Publishable } from '../read/queries.ts'
import { siteOf } from '../remote/site-parts.ts'
import type { PublishRequest, PublishTarget } from '../target/publish-target.ts'

/** Post that an earlier delivery left at the target: its id if the target reported one, or the reason for which it is not known. */
export type Left = { kind: 'known'; remoteId: string | null } | { kind: 'unsure'; reason: string; deliveryId: number }

/**
 * Asks the target for the post of an open delivery before other content replaces it, by its old title and slug.
 *
 * Nothing else may lead there. Its id is kept with the article before anything is sent, so that the new content changes that
 * post and makes no second one.
 */
export const askForReplaced = async (
  ctx: Ctx,
  target: PublishTarget,
  { article, open, target: row }: Publishable,
  fresh: PublishRequest,
): Promise<Left> => {
  // The last attempt of one that waits for its next made nothing: the target said so.
  const mayHaveArrived = open !== null && open.status !== 'retrying' && open.key !== fresh.key
  // A delivery to another target is not at this one.
  if (open?.integrationId !== row?.id) return { kind: 'known', remoteId: article.remoteId }
  if (!mayHaveArrived || !target.find) return { kind: 'known', remoteId: article.remoteId }
  const old = { ...fresh, key: open.key, article: open.payload, firstSentAt: open.createdAt.toISOString() }
  const known = await target.find(old)
  if (known.kind === 'unsure') return { kind: 'unsure', reason: known.reason, deliveryId: open.id }
  const remoteId = known.remoteId ?? article.remoteId
  if (remoteId !== null && remoteId !== article.remoteId)
    await ctx.batch(
      [
        ctx.db
          .update(articles)
          .set({ remoteId, remoteSite: siteOf(open.integrationId) })
          .where(and(eq(articles.id, article.id), statusAllows('publish'))),
      ],
      { unaudited: 'the publication that follows is in the audit log' },
    )
  return { kind: 'known', remoteId }
}
