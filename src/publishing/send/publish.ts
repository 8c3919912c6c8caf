import type { PolicyRule } from '../../../schema/values/policy.ts'
import { awaitingBody, type Proposal } from '../../accounts/approvals/rules.ts'
import { policyRefusal } from '../../accounts/policy/refusal.ts'
import { askAgainAt, isPassing } from '../../accounts/policy/rules.ts'
import { refuseArchived } from '../../accounts/projects/refusals.ts'
import { nextStatus, refusal } from '../../content/articles/refusals.ts'
import { showsContent } from '../../content/html/shown.ts'
import { type PublicationFound, publicationQueries } from '../../content/seo/publication.ts'
import { owned } from '../../platform/accounts/check-owner.ts'
import { violatedUnique } from '../../platform/db/client.ts'
import type { JobResult } from '../../platform/jobs/handler.ts'
import { ApiError } from '../../platform/lib/errors.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import type { Attempt, NewAttempt } from '../deliveries/writes.ts'
import { type Publishable, projectOf, publishableById } from '../read/queries.ts'
import { noTarget, openTarget, type TargetRow } from '../target/open.ts'
import type { PublishRequest, PublishTarget, TargetFactory } from '../target/publish-target.ts'
import { answerInTime, type PublishAnswer, publishedBody, unaccepted } from './answers.ts'
import { askToPublish, proposalOf } from './approval.ts'
import { claimTurn } from './claim.ts'
import { askForReplaced, type Prepared, prepareArticle, snapshot } from './prepare.ts'
import { backAt, leaseMs, TURN_WAITS_MS, turnMs } from './rules.ts'
import { concludeByAsking, lookUpAgainAt, sendOnce } from './run.ts'

/** An article to be published. `asked`: what is around it, where that was read with it. */
export type FoundArticle = Publishable & { asked?: PublicationFound }

/** Reads an article for the clock, which can wait for what is around it if it is needed. Throws 403 and 404. */
export const findAlone = async (ctx: Ctx, id: number): Promise<FoundArticle> => {
  const [[row]] = await ctx.read((owner) => [publishableById(ctx.db, owner, id)])
  return owned(row && { row, mine: row.mine }, 'article')
}

const around = (ctx: Ctx, id: number): Promise<PublicationFound> =>
  ctx.read(() => publicationQueries(ctx.db, projectOf(id), id))

/** Reads an article and what is around it in one round trip. Throws 403 and 404. */
const findArticle = async (ctx: Ctx, id: number): Promise<FoundArticle> => {
  const [rows, ...asked] = await ctx.read((owner) => [
    publishableById(ctx.db, owner, id),
    ...publicationQueries(ctx.db, projectOf(id), id),
  ])
  return { ...owned(rows[0] && { row: rows[0], mine: rows[0].mine }, 'article'), asked }
}

/** True if the clock took the article on its date, so that the project's next one waits for its end. */
const isOnDate = ({ article }: FoundArticle): boolean => article.dueTakenAt !== null

const targetOf = (ctx: Ctx, { article, target }: Publishable): TargetRow => {
  if (!target) throw noTarget(ctx, article.projectId)
  if (!showsContent(article.content))
    throw new ApiError('empty_content', 'The article has no content yet. Save content, then publish it.', {
      next_calls: [
        {
          method: 'GET',
          path: `/articles/${article.id}/brief`,
          why: 'Says what to write; PUT /articles/:id then saves the content.',
        },
      ],
    })
  return target
}

/** An article that is ready to be claimed: as it was read, as it goes out, and where to. */
type Publication = {
  found: Publishable
  prepared: Prepared
  request: PublishRequest
  row: TargetRow
  live: boolean
  /** True if its date sends it, and must stand when it is claimed. */
  onDate: boolean
  byClock: boolean
  claimsNext: boolean
  /** Content that a person may have to approve. */
  proposal: Proposal | undefined
}

type Claimed =
  /** `resumed`: a delivery that was open already, whose content may have reached the target. */
  | { kind: 'claimed'; attempt: Attempt; resumed: boolean }
  | { kind: 'busy' | 'full' }
  | { kind: 'refused'; rule: PolicyRule }

/** True if what is to go out is under way already: a delivery of the same content to the same target is open. */
const isUnderWay = ({ open }: Publishable, request: PublishRequest, row: TargetRow): boolean =>
  open !== null && open.key === request.key && open.integrationId === row.id

const attemptOf = (
  { found, prepared, request, row, live, claimsNext }: Publication,
  now: Date,
  token: string,
): NewAttempt => ({
  accountId: found.article.accountId,
  projectId: found.article.projectId,
  integrationId: row.id,
  platform: row.platform,
  articleId: found.article.id,
  replayOf: null,
  lease: new Date(now.getTime() + leaseMs(row.platform)),
  token,
  revision: prepared.article.revision,
  live,
  request,
  claimsNext,
})

/**
 * Claims the article and the project's turn with the delivery that is open for what it says now, or with a new one. `busy`:
 * another article of the project is being published. Throws `publish_in_progress` when it is this one.
 */
const claim = async (ctx: Ctx, publication: Publication): Promise<Claimed> => {
  const { found, prepared, row: target, onDate, byClock } = publication
  const { article, open } = found
  const now = ctx.now()
  const fresh = attemptOf(publication, now, ctx.newId())
  const { accountId, projectId, lease, token } = fresh
  const { changes } = prepared
  const resumed = open !== null && isUnderWay(found, fresh.request, target)
  const taking = {
    accountId,
    projectId,
    articleId: article.id,
    lease,
    token,
    turnUntil: new Date(now.getTime() + turnMs(target.platform)),
    readRevision: article.revision,
    changes,
    onDate,
    byClock,
    target: target.platform,
    isSettled: publication.proposal === undefined,
    gate: publication.proposal,
  }
  // A request that may have arrived before is sent again as it was, its date included.
  const attempt = resumed
    ? {
        ...fresh,
        request: { ...fresh.request, article: open.payload, firstSentAt: open.createdAt.toISOString() },
      }
    : fresh
  const opening = resumed ? { resumes: open.id } : { attempt, replaces: open }
  const claimed = await claimTurn(ctx, taking, opening).catch((error: unknown) => {
    if (violatedUnique(error) !== 'deliveries_open_unique') throw error
    return undefined
  })
  const begun = claimed?.begun
  if (begun)
    return {
      kind: 'claimed',
      attempt: { ...attempt, deliveryId: begun.id, number: begun.attempts, lookups: resumed ? open.lookups : 0 },
      resumed,
    }
  if (claimed?.rule) return { kind: 'refused', rule: claimed.rule }
  if (!claimed || claimed.isTaken) throw refusal('publish_in_progress', 'publish', article.id)
  return { kind: claimed.isBusy ? 'busy' : 'full' }
}

/** Claims as soon as the project has no other publication under way; gives up after some 10 s. */
const claimInTurn = async (ctx: Ctx, publication: Publication): Promise<Claimed> => {
  for (const waitMs of TURN_WAITS_MS) {
    const claimed = await claim(ctx, publication)
    if (claimed.kind !== 'busy') return claimed
    await ctx.wait(waitMs * (0.5 + ctx.random()))
  }
  return await claim(ctx, publication)
}

/** The article as it goes out now, as a change of the post an earlier delivery left. Else the answer that this is not known. */
const compose = async (
  ctx: Ctx,
  target: PublishTarget,
  row: TargetRow,
  { found, prepared, live }: Pick<Publication, 'found' | 'prepared' | 'live'>,
): Promise<PublishRequest | { kind: 'unsure'; answer: PublishAnswer }> => {
  const now = ctx.now()
  const make = (remoteId: string | null) => snapshot(ctx, { ...prepared.article, remoteId }, live, now)
  const request = await make(found.article.remoteId)
  const left = await askForReplaced(ctx, target, found, request)
  if (left.kind === 'known') return left.remoteId === found.article.remoteId ? request : await make(left.remoteId)
  const answered = { articleId: found.article.id, deliveryId: left.deliveryId, platform: row.platform }
  const unknown = { status: 'unknown' as const, error: left.reason, nextAt: lookUpAgainAt(ctx) }
  return { kind: 'unsure', answer: unaccepted(answered, unknown, undefined) }
}

/** Sends a claimed delivery. An attempt from before may have reached the target, so the target is asked first then. */
const sendClaimed = async (
  ctx: Ctx,
  target: PublishTarget,
  { attempt, resumed }: Extract<Claimed, { kind: 'claimed' }>,
): Promise<PublishAnswer> => {
  const known = resumed ? await concludeByAsking(ctx, target, attempt) : undefined
  return known ?? (await sendOnce(ctx, target, attempt))
}

type Order = Pick<Publication, 'live' | 'onDate' | 'byClock' | 'claimsNext'>
type Outcome =
  | { kind: 'answered' | 'unsure'; answer: PublishAnswer }
  | { kind: 'busy' | 'full' }
  | { kind: 'refused'; rule: PolicyRule }

/** Asks a person whether the article may go out as it is; the answer until they have decided. */
const awaitApproval = async (
  ctx: Ctx,
  { found: { article }, prepared: { changes }, onDate }: Publication,
  proposal: Proposal,
): Promise<PublishAnswer> => {
  const { id: articleId, accountId, revision: readRevision } = article
  const asked = await askToPublish(ctx, proposal, { articleId, accountId, readRevision, changes, onDate })
  if (!asked) throw refusal('publish_in_progress', 'publish', articleId)
  return { status: 202, body: awaitingBody(ctx.settings.publicUrl, proposal, asked) }
}

const publish = async (ctx: Ctx, targets: TargetFactory, found: FoundArticle, order: Order): Promise<Outcome> => {
  const { article } = found
  const { live, byClock } = order
  refuseArchived(article.projectId, article.projectStatus)
  if (nextStatus('publish', article, ctx.now()) === 'unchanged')
    return { kind: 'answered', answer: { status: 200, body: publishedBody(article.id, article.url) } }
  const row = targetOf(ctx, found)
  const target = await openTarget(ctx, targets, row)
  if (!target) throw noTarget(ctx, article.projectId)
  const prepared = await prepareArticle(
    ctx,
    article,
    async () => found.asked ?? (await around(ctx, article.id)),
    // The text of an open question stays as it was asked.
    found.isSent || found.approvalRevision === article.revision,
  )
  const request = await compose(ctx, target, row, { found, prepared, live })
  if ('kind' in request) return request
  const proposal =
    live && !isUnderWay(found, request, row)
      ? await proposalOf({ kind: 'publish', article: prepared.article, request, row })
      : undefined
  const publication = { found, prepared, request, row, proposal, ...order }
  const claimed = byClock ? await claim(ctx, publication) : await claimInTurn(ctx, publication)
  if (claimed.kind === 'refused' && claimed.rule === 'needs_approval' && proposal)
    return { kind: 'answered', answer: await awaitApproval(ctx, publication, proposal) }
  if (claimed.kind !== 'claimed') return claimed
  const sending = sendClaimed(ctx, target, claimed)
  return { kind: 'answered', answer: await (byClock ? sending : answerInTime(ctx, claimed.attempt, sending)) }
}

/**
 * Publishes an article once: claims it, sends it, records the answer. 200 if the target has it (or had it before).
 *
 * 202 with the reason if the attempt failed; it is then retried by itself if that can help. 202 too if a person has to approve
 * it first.
 *
 * `live: false` sends a draft. Waits up to some 10 s while another article of the project is published.
 *
 * Throws 400 without a target or content, 404, 403 also for what the policy forbids. Throws 409 while it is written or
 * published, or if the project's turn did not come.
 */
export const publishArticle = async (
  ctx: Ctx,
  targets: TargetFactory,
  id: number,
  live = true,
): Promise<PublishAnswer> => {
  const found = await findArticle(ctx, id)
  const outcome = await publish(ctx, targets, found, {
    live,
    onDate: false,
    byClock: false,
    claimsNext: isOnDate(found),
  })
  if ('answer' in outcome) return outcome.answer
  if (outcome.kind === 'refused') throw await policyRefusal(ctx, found.article.projectId, outcome.rule, 'publish')
  throw new ApiError(
    'publish_in_progress',
    'Other articles of the project are being published, one at a time. Nothing was sent of this one; repeat the call.',
    { retry_after: 5 },
  )
}

/**
 * Publishes for the clock, which waits for nothing. Undefined if it ended.
 *
 * Returns the time to come back if another article of the project is being published or the account has had its publications of
 * this minute. Returns the rule if the policy forbids it. `onDate`: its date sends it, which must be unchanged. `claimsNext`:
 * its end claims the project's next late article.
 */
export const publishFound = async (
  ctx: Ctx,
  targets: TargetFactory,
  found: FoundArticle,
  order: Omit<Order, 'byClock'>,
): Promise<Date | PolicyRule | undefined> => {
  const outcome = await publish(ctx, targets, found, { ...order, byClock: true })
  if (outcome.kind === 'answered') return undefined
  if (outcome.kind === 'refused') return outcome.rule
  return outcome.kind === 'unsure' ? lookUpAgainAt(ctx) : backAt(outcome.kind, ctx.now(), ctx.random())
}

/** The same for an article by its id: how its job ended. Throws `policy` for what its policy forbids for good. */
export const publishByClock = async (
  ctx: Ctx,
  targets: TargetFactory,
  id: number,
  live: boolean,
): Promise<JobResult> => {
  const found = await findArticle(ctx, id)
  const later = await publishFound(ctx, targets, found, { live, onDate: false, claimsNext: isOnDate(found) })
  if (later === undefined) return { kind: 'done' }
  if (later instanceof Date) return { kind: 'later', at: later }
  if (isPassing(later)) return { kind: 'later', at: askAgainAt(ctx.now(), ctx.settings.retryTimeScale) }
  throw await policyRefusal(ctx, found.article.projectId, later, 'publish')
}
