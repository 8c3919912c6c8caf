import type { JobResult } from '../jobs/define.ts'
import { ApiError, ERROR_CODES } from '../lib/errors.ts'
import type { Ctx } from '../runtime/ctx.ts'
import type { PublishRequest, PublishTarget, TargetFactory } from './port.ts'
import { publishArticle } from './publish.ts'
import { deliveryToSend } from './queries.ts'
import { LEASE_MS, LOOK_UP_AGAIN_MS } from './rules.ts'
import { attempt, conclude, type Held, openTarget } from './send.ts'
import { storedRequest } from './snapshot.ts'
import { abandonDelivery, claimOpenDelivery, claimReplay } from './statements.ts'

type Loaded = Awaited<ReturnType<typeof deliveryToSend>>[number]

/** When the delivery may be taken up: its next attempt, or the end of the lease of whoever holds it. Undefined: now. */
const notBefore = ({ delivery }: Loaded, now: Date): Date | undefined => {
  const until = delivery.status === 'sending' ? delivery.leaseUntil : delivery.nextAttemptAt
  return until && until > now ? until : undefined
}

const isOver = (status: string): boolean => status === 'delivered' || status === 'failed' || status === 'superseded'

const claim = async (ctx: Ctx, { delivery, article }: Loaded): Promise<Held | undefined> => {
  const lease = new Date(ctx.now().getTime() + LEASE_MS)
  const base = { id: delivery.id, accountId: delivery.accountId, lease }
  const statement =
    delivery.replayOf === null && delivery.articleId !== null
      ? claimOpenDelivery(ctx, { ...base, articleId: delivery.articleId, revision: delivery.revision })
      : claimReplay(ctx, base)
  const [claimed] = await ctx.write<{ id: number; attempts: number }>(statement)
  if (!claimed) return undefined
  return {
    deliveryId: delivery.id,
    number: Number(claimed.attempts),
    accountId: delivery.accountId,
    integrationId: delivery.integrationId,
    articleId: delivery.replayOf === null ? delivery.articleId : null,
    shownArticleId: delivery.articleId,
    live: delivery.live,
    request: await storedRequest(delivery, article?.status === 'Published', ctx.settings.publicUrl),
  }
}

/** Asks the target whether it has the post, then writes what it said. True when that settled the matter for now. */
const settleByAsking = async (
  ctx: Ctx,
  target: PublishTarget,
  held: Held,
  request: PublishRequest,
): Promise<boolean> => {
  const known = target.find ? await target.find(request) : { kind: 'absent' as const }
  if (known.kind === 'absent') return false
  if (known.kind === 'found') await conclude(ctx, held, { ...known, kind: 'accepted' }, null)
  else await conclude(ctx, held, { kind: 'unknown', reason: known.reason }, null)
  return true
}

/** Updates are sent once: one whose process died is not sent again by itself. */
const INTERRUPTED_SYNC =
  'The sync was interrupted, so it is not known whether the site has the edits. They are saved: sync again.'

/** The article was edited while its delivery waited: the new content goes out under a new key in place of the old. */
const publishAnew = async (
  ctx: Ctx,
  targets: TargetFactory,
  d: { id: number; articleId: number; live: boolean },
): Promise<JobResult> => {
  try {
    await publishArticle(ctx, targets, d.articleId, d.live)
    return { kind: 'done' }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (ERROR_CODES[error.code].retryable) return { kind: 'again', reason: error.code }
    await ctx.write(abandonDelivery(ctx, d.id, error.message))
    return { kind: 'done' }
  }
}

/**
 * Takes up a delivery that waits: a retry whose time has come, an outcome that is not known, or one whose holder died.
 * A target that can be asked is asked before anything is sent again. Never sends what has been delivered or replaced.
 */
export const deliverWaiting = async (ctx: Ctx, targets: TargetFactory, deliveryId: number): Promise<JobResult> => {
  const [rows] = await ctx.read((owner) => [deliveryToSend(ctx.db, owner, deliveryId)])
  const found = rows[0]
  if (!found || isOver(found.delivery.status)) return { kind: 'done' }
  const later = notBefore(found, ctx.now())
  if (later) return { kind: 'later', at: later }
  const { delivery, article } = found
  if (article?.status === 'Published' && delivery.eventType === 'update_articles' && delivery.replayOf === null) {
    await ctx.write(abandonDelivery(ctx, deliveryId, INTERRUPTED_SYNC))
    return { kind: 'done' }
  }
  const edited = article !== null && article.status !== 'Published' && article.revision !== delivery.revision
  if (edited && delivery.articleId !== null && delivery.replayOf === null)
    return await publishAnew(ctx, targets, { id: deliveryId, articleId: delivery.articleId, live: delivery.live })
  const target = found.target && (await openTarget(ctx, targets, found.target))
  if (!target) {
    await ctx.write(
      abandonDelivery(ctx, deliveryId, 'The CMS or webhook was disconnected before the article could be sent.'),
    )
    return { kind: 'done' }
  }
  const held = await claim(ctx, found)
  if (!held) return { kind: 'later', at: new Date(ctx.now().getTime() + LOOK_UP_AGAIN_MS) }
  if (!(await settleByAsking(ctx, target, held, held.request))) await attempt(ctx, target, held)
  return { kind: 'settled' }
}
