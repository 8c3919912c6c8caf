import { returnedError } from '../../accounts/approvals/rules.ts'
import { rejectClosed, rewritesIn } from '../../insights/suggestions/proposed.ts'
import type { JobResult } from '../../platform/jobs/job.ts'
import { ApiError } from '../../platform/lib/errors.ts'
import { storableText } from '../../platform/lib/text.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { deliveryToSend } from '../queries.ts'
import { storedRequest } from '../send/prepare.ts'
import { lookUpAgainAt } from '../send/run.ts'
import type { CmsPull } from '../target/cms-adapter.ts'
import { openTarget } from '../target/open.ts'
import type { PublishRequest, PublishTarget, TargetFactory } from '../target/publish-target.ts'
import { endMerged, endUnmerged, endWithdrawn, lookAgainAt, type Proposed } from './ends.ts'
import { askPullAgainMs } from './rules.ts'

type Loaded = Awaited<ReturnType<typeof deliveryToSend>>[number]

/** Delivery with its pull request: what was sent, and the target that has it. */
type Followed = {
  proposed: Proposed
  target: PublishTarget & Required<Pick<PublishTarget, 'pull' | 'closePull'>>
  request: PublishRequest
}

const canPropose = (target: PublishTarget | null | undefined): target is Followed['target'] =>
  target?.pull !== undefined && target.closePull !== undefined

/**
 * Returns a delivery that waits to be merged, with its target. Undefined if it does not wait, or the target is not connected any
 * more.
 */
const followedOf = async (
  ctx: Ctx,
  targets: TargetFactory,
  found: Loaded | undefined,
): Promise<Followed | undefined> => {
  if (!found?.article || found.delivery.articleId === null || found.delivery.status !== 'awaiting_merge')
    return undefined
  const { delivery, article, target: row } = found
  const target = row?.id === delivery.integrationId ? await openTarget(ctx, targets, row) : undefined
  if (!canPropose(target)) return undefined
  const isPublished = article.status === 'Published'
  const given = {
    updateOnly: isPublished,
    isChange: isPublished,
    isRepeat: false,
    isAdopted: article.origin === 'adopted',
    generation: article.generation,
  }
  const request = await storedRequest(delivery, given, ctx)
  return { proposed: { delivery, article, articleId: found.delivery.articleId }, target, request }
}

const NOT_THERE = (url: string | null) =>
  `The pull request ${url} was merged, but the branch does not show the article. Look at its file, then publish the article again.`
const TOO_LONG = (url: string | null) =>
  `The pull request ${url} was neither merged nor closed for 30 days, so the service does not look at it any more. Publish the article again: that finds the same pull request.`

/** Returns the error of an article whose pull request was closed, with the comments. */
export const closedError = (url: string | null, said: string): string =>
  storableText(returnedError(`the people of ${url}`, said || 'the pull request was closed without a comment.'))

/** Records what became of a pull request. Returns true if it is still open, or nobody can say. */
const conclude = async (ctx: Ctx, { proposed, target, request }: Followed, pull: CmsPull): Promise<boolean> => {
  const { url } = pull
  if (pull.state !== 'merged' && pull.state !== 'closed') return true
  const { articleId, delivery } = proposed
  const isPublished = proposed.article?.status === 'Published'
  const rewrites = isPublished ? await ctx.read(() => rewritesIn(ctx.db, articleId, delivery.revision)) : []
  if (pull.state === 'closed') {
    const error = closedError(url, pull.said)
    // The delivery ends last, so that a crash in between is made up for.
    for (const { id } of rewrites) await rejectClosed(ctx, id, error)
    await endUnmerged(ctx, proposed, error)
    return false
  }
  if (isPublished) {
    const ids = rewrites.map(({ id }) => id)
    await endMerged(ctx, proposed, {}, ids)
    return false
  }
  const known = await target.find?.(request)
  if (!known || known.kind === 'unsure') return true
  if (known.kind === 'found') await endMerged(ctx, proposed, known)
  else await endUnmerged(ctx, proposed, NOT_THERE(url))
  return false
}

/** Looks at the pull request of a delivery, and records what became of it. Looks again later if it is open. */
export const followPull = async (ctx: Ctx, targets: TargetFactory, found: Loaded): Promise<JobResult | undefined> => {
  const followed = await followedOf(ctx, targets, found)
  if (!followed) return undefined
  const pull = await followed.target.pull(followed.request)
  if (pull.kind === 'done' && !(await conclude(ctx, followed, pull.value))) return { kind: 'settled' }
  const { createdAt } = followed.proposed.delivery
  const waitMs = askPullAgainMs((ctx.now().getTime() - createdAt.getTime()) * ctx.settings.retryTimeScale)
  if (waitMs === undefined) {
    await endUnmerged(ctx, followed.proposed, TOO_LONG(pull.kind === 'done' ? pull.value.url : null))
    return { kind: 'settled' }
  }
  const at = lookUpAgainAt(ctx, waitMs)
  await lookAgainAt(ctx, followed.proposed, at)
  return { kind: 'later', at }
}

const loadDelivery = async (ctx: Ctx, id: number): Promise<Loaded | undefined> =>
  (await ctx.read((owner) => deliveryToSend(ctx.db, owner, id)))[0]

/**
 * Looks at the pull request of a delivery before something else is done with its article, so that a merge is not overlooked.
 * Returns true if it was merged or closed meanwhile.
 */
export const settlePull = async (ctx: Ctx, targets: TargetFactory, deliveryId: number): Promise<boolean> => {
  const followed = await followedOf(ctx, targets, await loadDelivery(ctx, deliveryId))
  const pull = await followed?.target.pull(followed.request)
  return followed !== undefined && pull?.kind === 'done' && !(await conclude(ctx, followed, pull.value))
}

type Withdrawn = { status: 'withdrawn'; article_id: number; message: string }

/**
 * Closes the pull request of an article that was not published yet. The article becomes a draft.
 *
 * Returns undefined if it was merged or closed meanwhile. Throws 502 with the host's reason.
 */
export const withdrawPull = async (
  ctx: Ctx,
  targets: TargetFactory,
  deliveryId: number,
): Promise<Withdrawn | undefined> => {
  if (await settlePull(ctx, targets, deliveryId)) return undefined
  const followed = await followedOf(ctx, targets, await loadDelivery(ctx, deliveryId))
  if (!followed) return undefined
  const { proposed, target, request } = followed
  const closed = await target.closePull(request, 'The article was taken back, so this is not needed any more.')
  if (closed.kind !== 'done')
    throw new ApiError('unpublish_failed', closed.reason, {
      article_id: proposed.articleId,
      retryable: closed.kind === 'unknown' || closed.retryable,
    })
  if (closed.value.state === 'merged') return await withdrawPull(ctx, targets, deliveryId)
  const answer: Withdrawn = {
    status: 'withdrawn',
    article_id: proposed.articleId,
    message: `The pull request ${closed.value.url} is closed. The article is a draft and was not published.`,
  }
  return (await endWithdrawn(ctx, proposed, answer)) ? answer : undefined
}
