import { isArrived, isOpenStatus } from '../../../schema/values/publishing.ts'
import { SENT_DAYS } from '../../../schema/values/retention.ts'
import { proposedArticle } from '../../accounts/approvals/rules.ts'
import { refusalOrQuestion } from '../../accounts/policy/read.ts'
import { refuseArchived } from '../../accounts/projects/scope.ts'
import { owned } from '../../platform/accounts/check-owner.ts'
import { answer } from '../../platform/http/route.ts'
import { ApiError } from '../../platform/lib/errors.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import type { ReplayDeliveryInput } from '../operations.ts'
import { deliveryToSend, nextDeliveryId } from '../queries.ts'
import { noTarget, openTarget, type TargetRow } from '../target/open.ts'
import type { PublishRequest, TargetFactory } from '../target/publish-target.ts'
import type { NewAttempt } from '../writes.ts'
import { targetName } from './approval.ts'
import { openReplay, replaySubject } from './claim.ts'
import { storedRequest } from './prepare.ts'
import { publishArticle } from './publish.ts'
import { leaseMs } from './rules.ts'
import { sendOnce } from './run.ts'

/** Returns a context that adds fields to the kept answer, so that it equals the answer of the call itself. */
const keepingWith = (ctx: Ctx, also: Record<string, unknown>): Ctx => ({
  ...ctx,
  // The status is the replay's usual one, not the publication's.
  keepDone: (body) => ctx.keepDone({ ...also, ...(body as Record<string, unknown>) }),
})

type Loaded = Awaited<ReturnType<typeof deliveryToSend>>[number]

/**
 * Adds the post's id to a request that was stored before the post existed. A CMS then finds the post even if its title
 * changed.
 */
const withPostId = (request: PublishRequest, remoteId: string | null): PublishRequest =>
  remoteId === null ? request : { ...request, article: { ...request.article, external_id: remoteId } }

const attemptOf = async (ctx: Ctx, { delivery, article }: Loaded, row: TargetRow): Promise<NewAttempt> => {
  const updateOnly = delivery.eventType === 'update_articles'
  const isChange = article?.status === 'Published'
  const stored = await storedRequest(
    delivery,
    // Deliveries of adopted posts are not replayed.
    {
      updateOnly,
      isChange,
      isRepeat: isArrived(delivery.status),
      isAdopted: false,
      generation: article?.generation ?? 0,
    },
    ctx,
  )
  return {
    accountId: delivery.accountId,
    projectId: delivery.projectId,
    integrationId: row.id,
    platform: row.platform,
    articleId: delivery.articleId,
    replayOf: delivery.id,
    lease: new Date(ctx.now().getTime() + leaseMs(row.platform)),
    token: ctx.newId(),
    revision: delivery.revision,
    live: delivery.live,
    request: row.platform === 'webhook' ? stored : withPostId(stored, article?.remoteId ?? null),
    claimsNext: false,
  }
}

const policyChanges = (): ApiError =>
  new ApiError(
    'delivery_in_progress',
    'The policy of the project is being changed. Nothing was sent; repeat the call.',
    {
      retry_after: 1,
    },
  )

/** Throws 409 if readers see newer content, so that older content does not replace it by mistake. */
const refuseOlder = ({ delivery, article }: Loaded): void => {
  const live = article?.liveRevision ?? null
  if (live === null || delivery.revision >= live) return
  throw new ApiError(
    'superseded',
    `The delivery has revision ${delivery.revision} of the article, and revision ${live} is live. Nothing was sent. Send {"force": true} to publish the older content anyway.`,
    { revision: delivery.revision, live_revision: live },
  )
}

/** Throws 409 if the article was deleted: a new post could not be changed or taken down by any call. */
const refuseDeleted = ({ article }: Loaded): void => {
  if (article) return
  throw new ApiError(
    'superseded',
    'The article was deleted, so no call could change or take down a post that is made now. Nothing was sent. Send {"force": true} to send it anyway.',
  )
}

/** Returns the refusal of a replay whose text is not kept any more. */
const notKept = (): ApiError =>
  new ApiError(
    'superseded',
    `The article was deleted, and the delivery is older than ${SENT_DAYS} days, so its text is not kept. Nothing was sent.`,
  )

/** Returns the refusal of a replay that would replace the whole text of an adopted post. */
const notReplayed = (id: number): ApiError =>
  new ApiError(
    'unsupported_for_sync',
    'A delivery has the whole text, and an adopted post is changed in its parts only. Nothing was sent.',
    { next_calls: [{ method: 'POST', path: `/articles/${id}/sync`, why: 'Sends the fields that you name again.' }] },
  )

/**
 * Sends a finished delivery again, as a new one with the same key and content. An unpublished article is published
 * instead.
 *
 * Throws 400 without a target, 404, and 403, also if the policy forbids it. Throws 409 for an archived project and
 * while the delivery is open. Without `force`, it throws 409 also if readers see newer content or the article was
 * deleted.
 */
export const replayDelivery = async (
  ctx: Ctx,
  targets: TargetFactory,
  id: number,
  { force = false }: ReplayDeliveryInput = {},
) => {
  const {
    rows,
    next: [next],
  } = await ctx.read((owner) => ({ rows: deliveryToSend(ctx.db, owner, id), next: nextDeliveryId(ctx.db) }))
  const found = owned(rows[0] && { row: rows[0], mine: rows[0].mine }, 'delivery')
  const { delivery, target: row, article } = found
  refuseArchived(delivery.projectId, delivery.projectStatus)
  if (isOpenStatus(delivery.status))
    throw new ApiError('delivery_in_progress', 'The delivery is still under way; replay it when it has ended.', {
      retry_after: 30,
    })
  if (article && article.status !== 'Published' && delivery.articleId !== null) {
    const also = { replay_of: id }
    const { body } = await publishArticle(keepingWith(ctx, also), targets, delivery.articleId, delivery.live)
    return { ...also, ...body }
  }
  if (delivery.payload.content_html === '') throw notKept()
  if (!force) {
    refuseDeleted(found)
    refuseOlder(found)
  }
  if (article?.origin === 'adopted' && delivery.articleId !== null) throw notReplayed(delivery.articleId)
  const target = row && (await openTarget(ctx, targets, row))
  if (!row || !target) throw noTarget(ctx, delivery.projectId)
  const attempt = await attemptOf(ctx, found, row)
  const deliveryId = Number(next?.id)
  const { isMade, rule } = await openReplay(ctx, deliveryId, attempt)
  if (!isMade && rule)
    throw await refusalOrQuestion(ctx, delivery.projectId, rule, 'replay', () => ({
      kind: 'replay',
      projectId: delivery.projectId,
      subject: replaySubject(attempt),
      articleId: delivery.articleId,
      target: targetName(row),
      proposed: proposedArticle(attempt.request.article),
      body: { force: true },
    }))
  if (!isMade) throw policyChanges()
  const also = { replay_of: id, delivery_id: deliveryId }
  const { body } = await sendOnce(keepingWith(ctx, also), target, { ...attempt, deliveryId, number: 1, lookups: 0 })
  return { ...also, ...body }
}

/** Replays a delivery and returns the answer with its status: 202 if a person must approve it first, otherwise 201. */
export const replayAnswer = async (ctx: Ctx, targets: TargetFactory, id: number, input?: ReplayDeliveryInput) => {
  const body = await replayDelivery(ctx, targets, id, input)
  return answer('approval_id' in body ? 202 : 201, body)
}
