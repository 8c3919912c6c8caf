import type { Ctx } from '../runtime/ctx.ts'
import type { PublishRequest, PublishTarget } from './port.ts'
import type { Publishable } from './queries.ts'
import { rememberPost } from './remote-statements.ts'

/** What an earlier delivery left at the target: the id of its post where it told one, or why that is not known yet. */
export type Left = { kind: 'known'; remoteId: string | null } | { kind: 'unsure'; reason: string; deliveryId: number }

/**
 * Before other content takes the place of a delivery that is still open: asks the target for the post of the old content, by
 * its old title and slug, as nothing else may lead there. Its id is kept with the article before anything is sent, so that
 * the new content changes that post and makes no second one.
 */
export const askForReplaced = async (
  ctx: Ctx,
  target: PublishTarget,
  { article, open }: Publishable,
  fresh: PublishRequest,
): Promise<Left> => {
  // One that waits for its next attempt surely made nothing by the last.
  const mayHaveArrived = open !== null && open.status !== 'retrying' && open.key !== fresh.key
  if (!mayHaveArrived || !target.find) return { kind: 'known', remoteId: article.remoteId }
  const old = { ...fresh, key: open.key, article: open.payload, firstSentAt: open.createdAt.toISOString() }
  const known = await target.find(old)
  if (known.kind === 'unsure') return { kind: 'unsure', reason: known.reason, deliveryId: open.id }
  const remoteId = known.remoteId ?? article.remoteId
  if (remoteId !== null && remoteId !== article.remoteId) await ctx.write(rememberPost(article.id, remoteId))
  return { kind: 'known', remoteId }
}
