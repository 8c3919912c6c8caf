import type { JobResult } from '../jobs/define.ts'
import { ApiError, ERROR_CODES } from '../lib/errors.ts'
import type { Ctx } from '../runtime/ctx.ts'
import { type ClaimRow, claimOpenDelivery } from './claim-statements.ts'
import { takeNextDue } from './next-due.ts'
import type { PublishRequest, PublishTarget, TargetFactory } from './port.ts'
import { publishByClock } from './publish.ts'
import { deliveryToSend } from './queries.ts'
import { backAt, LOOK_UP_AGAIN_MS, leaseMs } from './rules.ts'
import { attempt, conclude, type Held, openTarget } from './send.ts'
import { storedRequest } from './snapshot.ts'
import { abandonDelivery, claimReplay } from './statements.ts'

type Loaded = Awaited<ReturnType<typeof deliveryToSend>>[number]

/** When the delivery may be taken up: its next attempt, or the end of the lease of whoever holds it. Undefined: now. */
const notBefore = ({ delivery }: Loaded, now: Date): Date | undefined => {
  const until = delivery.status === 'sending' ? delivery.leaseUntil : delivery.nextAttemptAt
  return until && until > now ? until : undefined
}

const isOver = (status: string): boolean => status === 'delivered' || status === 'failed' || status === 'superseded'

/** Whether the clock sent the article on its date, so that the project's next one waits for this one's end. */
const isDue = (article: Loaded['article']): boolean => article !== null && article.dueTakenAt !== null

/** The delivery claimed for one attempt, or when to come back. A replay is no publication and needs no turn. */
const claim = async (ctx: Ctx, { delivery, article, target }: Loaded): Promise<Held | Date> => {
  const now = ctx.now()
  const { id, accountId, projectId, articleId, revision } = delivery
  const base = { id, accountId, projectId, lease: new Date(now.getTime() + leaseMs(target?.platform ?? 'webhook')) }
  const statement =
    delivery.replayOf === null && articleId !== null
      ? claimOpenDelivery(ctx, { ...base, articleId, revision, byClock: true })
      : claimReplay(ctx, base)
  const [claimed] = await ctx.write<Pick<ClaimRow, 'id' | 'attempts'> & Partial<ClaimRow>>(statement)
  if (!claimed?.id) {
    if (!claimed || claimed.held) return new Date(now.getTime() + LOOK_UP_AGAIN_MS)
    return backAt(claimed.busy ? 'busy' : 'full', now, ctx.random())
  }
  return {
    deliveryId: id,
    number: Number(claimed.attempts),
    lookups: delivery.lookups,
    platform: target?.platform ?? '',
    accountId,
    projectId,
    integrationId: delivery.integrationId,
    articleId: delivery.replayOf === null ? delivery.articleId : null,
    shownArticleId: delivery.articleId,
    due: isDue(article),
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

const abandon = async (ctx: Ctx, { delivery, article }: Loaded, reason: string): Promise<JobResult> => {
  await ctx.write(abandonDelivery(ctx, delivery.id, reason))
  if (isDue(article)) ctx.defer(takeNextDue(ctx, delivery.projectId))
  return { kind: 'done' }
}

/** The article was edited while its delivery waited: the new content goes out under a new key in place of the old. */
const publishAnew = async (ctx: Ctx, targets: TargetFactory, found: Loaded, articleId: number): Promise<JobResult> => {
  try {
    const later = await publishByClock(ctx, targets, articleId, found.delivery.live)
    return later ? { kind: 'later', at: later } : { kind: 'done' }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (ERROR_CODES[error.code].retryable) return { kind: 'again', reason: error.code }
    return await abandon(ctx, found, error.message)
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
    return await abandon(ctx, found, INTERRUPTED_SYNC)
  }
  const edited = article !== null && article.status !== 'Published' && article.revision !== delivery.revision
  if (edited && delivery.articleId !== null && delivery.replayOf === null)
    return await publishAnew(ctx, targets, found, delivery.articleId)
  const target = found.target && (await openTarget(ctx, targets, found.target))
  if (!target) {
    return await abandon(ctx, found, 'The CMS or webhook was disconnected before the article could be sent.')
  }
  const held = await claim(ctx, found)
  if (held instanceof Date) return { kind: 'later', at: held }
  if (!(await settleByAsking(ctx, target, held, held.request))) await attempt(ctx, target, held)
  return { kind: 'settled' }
}
