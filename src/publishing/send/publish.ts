import { awaitingBody, type Proposal } from '../../accounts/approvals/rules.ts'
import { policyRefusal } from '../../accounts/policy/read.ts'
import { askAgainAt, mayPassLater, type Obstacle } from '../../accounts/policy/rules.ts'
import { refuseArchived } from '../../accounts/projects/scope.ts'
import { nextStatus, refusal } from '../../content/articles/refusals.ts'
import { showsContent } from '../../content/html/shown.ts'
import { type PublicationFound, publicationQueries } from '../../content/seo/publication.ts'
import { owned } from '../../platform/accounts/check-owner.ts'
import { violatedUnique } from '../../platform/db/client.ts'
import type { JobResult } from '../../platform/jobs/job.ts'
import { ApiError } from '../../platform/lib/errors.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { standingAtSite } from '../live/look-up.ts'
import { settlePull } from '../pulls/follow.ts'
import { type Publishable, projectOf, publishableById } from '../queries.ts'
import { noTarget, openTarget, type TargetRow } from '../target/open.ts'
import type { PublishRequest, PublishTarget, TargetFactory } from '../target/publish-target.ts'
import type { Attempt, NewAttempt } from '../writes.ts'
import { answerInTime, type PublishAnswer, publishedBody, unaccepted, warningsOf } from './answers.ts'
import { askToPublish, proposalOf } from './approval.ts'
import { claimTurn } from './claim.ts'
import { askForReplaced, type Prepared, prepareArticle, snapshot } from './prepare.ts'
import { leaseMs, nextClockAttempt, TURN_WAITS_MS, turnMs } from './rules.ts'
import { concludeByAsking, lookUpAgainAt, sendOnce } from './run.ts'

/** An article to be published. `asked`: data that optimising it needs, if it was read in the same round trip. */
export type FoundArticle = Publishable & { asked?: PublicationFound }

/**
 * Reads an article for the clock. The data that optimising needs is read later, only if it is needed. Throws 403 and
 * 404.
 */
export const findAlone = async (ctx: Ctx, id: number): Promise<FoundArticle> => {
  const [row] = await ctx.read((owner) => publishableById(ctx.db, owner, id))
  return owned(row && { row, mine: row.mine }, 'article')
}

/** Reads the data about the project that optimising an article needs. */
const around = (ctx: Ctx, id: number): Promise<PublicationFound> =>
  ctx.read(() => publicationQueries(ctx.db, projectOf(id), id))

/** Reads an article and the data that optimising it needs, in one round trip. Throws 403 and 404. */
const findArticle = async (ctx: Ctx, id: number): Promise<FoundArticle> => {
  const { rows, asked } = await ctx.read((owner) => ({
    rows: publishableById(ctx.db, owner, id),
    asked: publicationQueries(ctx.db, projectOf(id), id),
  }))
  return { ...owned(rows[0] && { row: rows[0], mine: rows[0].mine }, 'article'), asked }
}

/** Reads an article. If its pull request was merged or closed meanwhile, that is recorded first. */
const findSettled = async (ctx: Ctx, targets: TargetFactory, id: number): Promise<FoundArticle> => {
  const found = await findArticle(ctx, id)
  const isSettled = found.open?.status === 'awaiting_merge' && (await settlePull(ctx, targets, found.open.id))
  return isSettled ? await findArticle(ctx, id) : found
}

/** Returns the answer for an article whose saved text is in an open pull request. */
const awaitingMerge = ({ article, open, target }: FoundArticle, live: boolean): PublishAnswer | undefined => {
  if (article.status === 'Published' || open?.status !== 'awaiting_merge' || open.integrationId !== target?.id)
    return undefined
  if (open.revision !== article.revision || open.live !== live) return undefined
  const answered = { articleId: article.id, deliveryId: open.id, platform: target.platform }
  return unaccepted(
    answered,
    { status: 'awaiting_merge', error: article.publishError ?? '', nextAt: open.nextAttemptAt },
    undefined,
  )
}

/** True if the clock took the article on its date. Its end then starts the project's next late article. */
const isOnDate = ({ article }: FoundArticle): boolean => article.dueTakenAt !== null

const targetOf = (ctx: Ctx, { article, target }: Publishable): TargetRow => {
  if (!target) throw noTarget(ctx, article.projectId)
  if (!showsContent(article.content))
    throw new ApiError('empty_content', 'The article has no content yet. Save content, then publish it.', {
      next_calls: [
        {
          method: 'GET',
          path: `/articles/${article.id}/brief`,
          why: 'Returns what to write; PUT /articles/:id then saves the content.',
        },
      ],
    })
  return target
}

/** A publication ready to be claimed: the article as it was read and as it will be sent, and its target. */
type Publication = {
  found: Publishable
  prepared: Prepared
  request: PublishRequest
  row: TargetRow
  live: boolean
  /** True if it is sent because of its date, which must be unchanged when the article is claimed. */
  onDate: boolean
  byClock: boolean
  claimsNext: boolean
  /** Content that a person may have to approve; undefined for drafts and for a delivery that is already open. */
  proposal: Proposal | undefined
}

type Claimed =
  /** `resumed`: the delivery was open before, so its content may have reached the target. */
  | { kind: 'claimed'; attempt: Attempt; resumed: boolean }
  | { kind: 'busy' | 'full' }
  | { kind: 'refused'; rule: Obstacle }

/** True if a delivery of the same content to the same target is open. */
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
 * Claims the article and the project's turn, with the open delivery of the same content or a new one.
 *
 * Returns `busy` if another article of the project is being published, `full` if the account's minute is full. Throws
 * `publish_in_progress` if this article is being published.
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
  // The earlier request may have arrived, so it is repeated unchanged, including its date.
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

/** Claims the article as soon as the project publishes no other one. Gives up after about 10 s. */
const claimInTurn = async (ctx: Ctx, publication: Publication): Promise<Claimed> => {
  for (const waitMs of TURN_WAITS_MS) {
    const claimed = await claim(ctx, publication)
    if (claimed.kind !== 'busy') return claimed
    await ctx.wait(waitMs * (0.5 + ctx.random()))
  }
  return await claim(ctx, publication)
}

/**
 * Returns the request for the article's current content, which changes the post of an earlier delivery if there is one.
 *
 * Returns the caller's answer instead if the target cannot tell whether that post exists.
 */
const compose = async (
  ctx: Ctx,
  target: PublishTarget,
  row: TargetRow,
  { found, prepared, live }: Pick<Publication, 'found' | 'prepared' | 'live'>,
): Promise<PublishRequest | { kind: 'unsure'; answer: PublishAnswer }> => {
  const now = ctx.now()
  const isRepeat = !live && found.isDraftAccepted && prepared.changes === undefined
  const make = async (remoteId: string | null) => ({
    ...(await snapshot(ctx, { ...prepared.article, remoteId }, live, now, isRepeat)),
    ...(prepared.links.length > 0 ? { addedLinks: prepared.links } : {}),
  })
  const request = await make(found.article.remoteId)
  const left = await askForReplaced(ctx, target, found, request)
  if (left.kind === 'known') return left.remoteId === found.article.remoteId ? request : await make(left.remoteId)
  const answered = { articleId: found.article.id, deliveryId: left.deliveryId, platform: row.platform }
  const unknown = { status: 'unknown' as const, error: left.reason, nextAt: lookUpAgainAt(ctx) }
  return { kind: 'unsure', answer: unaccepted(answered, unknown, undefined) }
}

/** Sends a claimed delivery. If it was resumed, asks the target first, because an earlier attempt may have arrived. */
const sendClaimed = async (
  ctx: Ctx,
  target: PublishTarget,
  { attempt, resumed }: Extract<Claimed, { kind: 'claimed' }>,
): Promise<PublishAnswer> => {
  const known = resumed ? await concludeByAsking(ctx, target, attempt) : undefined
  return known ?? (await sendOnce(ctx, target, attempt))
}

/** Returns the article as it will be sent. One that waits for approval keeps the text that the person was asked about. */
const prepare = (ctx: Ctx, found: FoundArticle): Promise<Prepared> =>
  prepareArticle(
    ctx,
    found.article,
    async () => found.asked ?? (await around(ctx, found.article.id)),
    found.isSent || found.approvalRevision === found.article.revision,
  )

/** Returns the links to own pages that publishing adds to an article. Throws 403 and 404. */
export const linksToAdd = async (ctx: Ctx, id: number): Promise<Prepared['links']> => {
  const found = await findArticle(ctx, id)
  const { status, content } = found.article
  return status === 'Published' || !showsContent(content) ? [] : (await prepare(ctx, found)).links
}

type Order = Pick<Publication, 'live' | 'onDate' | 'byClock' | 'claimsNext'>
type Outcome =
  | { kind: 'answered' | 'unsure'; answer: PublishAnswer }
  | { kind: 'busy' | 'full' }
  | { kind: 'refused'; rule: Obstacle }

/** Asks a person to approve the publication. Returns the answer for the caller, with status 202. */
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

/**
 * Returns the answer for an article that is published here. Undefined if its site hides the post: then it is a draft now.
 *
 * If its last change failed or has no known end, the site is asked first.
 */
const stillPublished = async (
  ctx: Ctx,
  targets: TargetFactory,
  { article, target: row }: FoundArticle,
): Promise<PublishAnswer | undefined> => {
  const { id, url, publishError, publishState, lastDelivered } = article
  const isRight = publishState !== 'failed' && publishState !== 'unknown'
  const target = isRight || !row ? undefined : await openTarget(ctx, targets, row)
  const standing = row && target ? await standingAtSite(ctx, target, row, article) : { kind: 'unsaid' as const }
  if (standing.kind === 'hidden') return undefined
  if (standing.kind === 'unsure' && row && lastDelivered !== null) {
    const unknown = { status: 'unknown' as const, error: standing.reason, nextAt: null }
    return unaccepted({ articleId: id, deliveryId: lastDelivered, platform: row.platform }, unknown, undefined)
  }
  const isSettled = isRight || (standing.kind === 'shown' && article.liveChange === 'unpublish')
  const warnings = isSettled || publishError === null ? [] : [publishError]
  return { status: 200, body: { ...publishedBody(id, url), ...warningsOf(warnings) } }
}

const publish = async (ctx: Ctx, targets: TargetFactory, found: FoundArticle, order: Order): Promise<Outcome> => {
  const { article } = found
  const { live, byClock } = order
  refuseArchived(article.projectId, article.projectStatus)
  if (nextStatus('publish', article, ctx.now()) === 'unchanged') {
    const answer = await stillPublished(ctx, targets, found)
    if (answer) return { kind: 'answered', answer }
    const again = await findArticle(ctx, article.id)
    if (again.article.status === 'Published') throw refusal('publish_in_progress', 'publish', article.id)
    return await publish(ctx, targets, again, order)
  }
  const row = targetOf(ctx, found)
  const target = await openTarget(ctx, targets, row)
  if (!target) throw noTarget(ctx, article.projectId)
  const prepared = await prepare(ctx, found)
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

/** Returns an answer that also warns of another article of the project with nearly the same text. */
const withDuplicate = ({ status, body }: PublishAnswer, { seo }: FoundArticle['article']): PublishAnswer => {
  const found = seo?.failed.find(({ check }) => check === 'duplicate_content')
  if (!found || status !== 200) return { status, body }
  const { warnings = [], ...rest } = body as { warnings?: readonly string[] }
  return {
    status,
    body: { ...rest, warnings: [...warnings, `duplicate_content: ${found.message} ${found.fix}`.trim()] },
  }
}

/**
 * Publishes an article once: claims it, sends it and records the answer. `live: false` sends a draft.
 *
 * Returns 200 if the target has the article, now or already before. Returns 202 with the reason if the attempt failed;
 * it is retried automatically if that can help. Returns 202 also if a person must approve the article first.
 *
 * Waits up to about 10 s while another article of the project is published.
 *
 * Throws 400 without a target or content, 404, and 403, also if the project's policy forbids it. Throws 409 for an
 * archived project, while the article is written or published, or if the project's turn did not come.
 */
export const publishArticle = async (
  ctx: Ctx,
  targets: TargetFactory,
  id: number,
  live = true,
): Promise<PublishAnswer> => {
  const found = await findSettled(ctx, targets, id)
  const waiting = awaitingMerge(found, live)
  if (waiting) return waiting
  const outcome = await publish(ctx, targets, found, {
    live,
    onDate: false,
    byClock: false,
    claimsNext: isOnDate(found),
  })
  if ('answer' in outcome) return withDuplicate(outcome.answer, found.article)
  if (outcome.kind === 'refused') throw await policyRefusal(ctx, found.article.projectId, outcome.rule, 'publish')
  throw new ApiError(
    'publish_in_progress',
    'Other articles of the project are being published, one at a time. This one was not sent; repeat the call.',
    { retry_after: 5 },
  )
}

/**
 * Publishes an article for the clock, which never waits. Returns undefined if its attempt is over or a person was
 * asked.
 *
 * Returns when to try again if another article of the project is being published or the account's minute is full. It
 * returns that time also if it is not known whether an earlier post exists. Returns the rule if the policy forbids it.
 *
 * `onDate`: it is sent because of its date, which must be unchanged. `claimsNext`: its end claims the project's next
 * late article.
 */
export const publishFound = async (
  ctx: Ctx,
  targets: TargetFactory,
  found: FoundArticle,
  order: Omit<Order, 'byClock'>,
): Promise<Date | Obstacle | undefined> => {
  const outcome = await publish(ctx, targets, found, { ...order, byClock: true })
  if (outcome.kind === 'answered') return undefined
  if (outcome.kind === 'refused') return outcome.rule
  return outcome.kind === 'unsure' ? lookUpAgainAt(ctx) : nextClockAttempt(outcome.kind, ctx.now(), ctx.random())
}

/**
 * Publishes an article by id for the clock and returns how its job ends. Throws `policy` if the policy forbids it for
 * good.
 */
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
  if (mayPassLater(later)) return { kind: 'later', at: askAgainAt(ctx.now(), ctx.settings.retryTimeScale) }
  throw await policyRefusal(ctx, found.article.projectId, later, 'publish')
}
