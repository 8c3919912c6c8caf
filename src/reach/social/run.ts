import type { AuditAction } from '../../../schema/values/audit.ts'
import { proposalOfCall } from '../../accounts/approvals/call.ts'
import { obstacleReason } from '../../accounts/policy/read.ts'
import { askAgainAt, mayPassLater, type Obstacle } from '../../accounts/policy/rules.ts'
import { type JobResult, shownReason } from '../../platform/jobs/job.ts'
import { storableText } from '../../platform/lib/text.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { type Attempt, askAboutPost, type Changes, claimPost, endAttempt, failPost } from './attempt.ts'
import { socialOperations } from './operations.ts'
import type { FindOutcome, SendOutcome, Social } from './port.ts'
import { wantedPost } from './posts.ts'
import { type PostToSend, postToSend } from './queries.ts'
import { LEASE_MS, MAX_LOOKUPS, NETWORKS, nextAttemptAt, nextLookUpAt } from './rules.ts'
import { type Transport, transportOf } from './transport.ts'

const DONE: JobResult = { kind: 'done' }
const MOVED_ON_MS = 2_000

/** Returns the message for a post with an unknown outcome. */
const notKnown = ({ platform }: PostToSend, reason: string): string =>
  `${reason} It is not known whether the post is out: check ${NETWORKS[platform].name}, and publish it again only if it is not there.`

type Held = Attempt & {
  post: PostToSend
  /** Returns true if the provider has lost its access to the account. */
  isCutOff: () => Promise<boolean>
}

const end = async (
  ctx: Ctx,
  attempt: Attempt,
  changes: Changes,
  said: { action?: AuditAction; detail?: Record<string, unknown> } = {},
): Promise<void> => {
  await endAttempt(ctx, attempt, changes, said)
  await ctx.step('concluded')
}

const fail = async (ctx: Ctx, held: Held, reason: string, also: Changes = {}): Promise<JobResult> => {
  const detail = (await held.isCutOff()) ? { reason, lapsed: true } : { reason }
  await end(ctx, held, { ...also, status: 'failed', error: reason }, { action: 'social.failed', detail })
  return DONE
}

const chance = (ctx: Ctx) => ({ now: ctx.now(), scale: ctx.settings.retryTimeScale })

/** Schedules another look-up of a post that may be out. After too many, it ends the post as failed, with an unknown outcome. */
const lookAgain = async (ctx: Ctx, held: Held, reason: string, also: Changes = {}): Promise<JobResult> => {
  const lookups = held.post.lookups + 1
  if (lookups > MAX_LOOKUPS) return await fail(ctx, held, notKnown(held.post, reason), also)
  const at = nextLookUpAt(held.post.lookups, chance(ctx))
  await end(ctx, held, { ...also, error: reason, lookups })
  return { kind: 'later', at }
}

type Settled = Exclude<SendOutcome | FindOutcome, { kind: 'absent' | 'unsure' | 'unknown' }>

/** Records the outcome of a post. `attempts` is the number of times it was sent. */
const conclude = async (ctx: Ctx, held: Held, outcome: Settled, attempts: number): Promise<JobResult> => {
  if (outcome.kind === 'published') {
    const { remoteId, networkId, url, publishedAt } = outcome
    const changes: Changes = {
      status: 'published',
      error: null,
      remoteId,
      networkId: networkId ?? null,
      url: url ?? null,
      publishedAt: publishedAt ?? ctx.now(),
      attempts,
      lookups: 0,
    }
    await end(ctx, held, changes, { action: 'social.published', detail: { url: url ?? null } })
    return DONE
  }
  if (outcome.kind === 'processing')
    return await lookAgain(ctx, held, `${NETWORKS[held.post.platform].name} is still processing it.`, {
      remoteId: outcome.remoteId,
      attempts,
    })
  const reason = storableText(outcome.reason)
  const remoteId = outcome.remoteId ?? held.post.remoteId
  const at = outcome.retryable ? nextAttemptAt(attempts, chance(ctx), outcome.retryAfterS) : undefined
  const also: Changes = { maybeSent: false, remoteId, attempts, lookups: 0 }
  if (!at) return await fail(ctx, held, reason, also)
  await end(ctx, held, { ...also, error: reason })
  return { kind: 'later', at }
}

const MAX_SENDS = 4

const send = async (ctx: Ctx, held: Held, transport: Transport): Promise<JobResult> => {
  await ctx.step('claimed')
  const outcome = await transport.send()
  await ctx.step('answered')
  const attempts = held.post.attempts + 1
  if (outcome.kind !== 'unknown') return await conclude(ctx, held, outcome, attempts)
  if (!transport.find) return await fail(ctx, held, notKnown(held.post, outcome.reason), { attempts })
  return await lookAgain(ctx, held, outcome.reason, { attempts })
}

/** Looks a post up that may be out, before anything is sent. */
const lookFirst = async (ctx: Ctx, held: Held, transport: Transport): Promise<JobResult> => {
  const { post } = held
  if (!transport.find) return await fail(ctx, held, notKnown(post, 'The previous attempt was interrupted.'))
  const found = await transport.find()
  if (found.kind === 'unsure') return await lookAgain(ctx, held, found.reason)
  if (found.kind !== 'absent') return await conclude(ctx, held, found, post.attempts)
  if (post.attempts >= MAX_SENDS) return await fail(ctx, held, 'Sending failed several times.', { maybeSent: false })
  return await send(ctx, held, transport)
}

/** True if the provider no longer has the account of a post, or a person must connect it again. */
const isCutOff = async ({ provider }: Social, { route, profileId, socialAccountId }: PostToSend): Promise<boolean> => {
  if (route !== 'provider' || !provider || profileId === null) return false
  const found = await provider.accounts(profileId)
  return found.kind === 'got' && !found.value.some(({ id, usable }) => id === socialAccountId && usable)
}

/** Returns the earliest time at which the post may be claimed; undefined for now. */
const notBefore = (post: PostToSend, now: Date): Date | undefined => {
  const until = post.leaseUntil ?? (post.status === 'scheduled' ? post.scheduledFor : null)
  return until && until > now ? until : undefined
}

/** Asks a person about a post that was not approved before its date. Their answer sends it, or leaves it unsent. */
const askFirst = async (ctx: Ctx, post: PostToSend): Promise<JobResult> => {
  const input = { params: { post_id: post.id }, query: {}, body: { content: post.content } }
  const call = { operation: socialOperations.publishPost.id, input }
  const proposal = await proposalOfCall(post.accountId, call, wantedPost(post, null))
  await askAboutPost(ctx, proposal, post)
  return DONE
}

/** Stops a post that the policy forbids: it asks a person, waits if the rule passes with time, or ends the post as failed. */
const refusedByPolicy = async (ctx: Ctx, post: PostToSend, rule: Obstacle): Promise<JobResult> => {
  if (rule === 'needs_approval') return await askFirst(ctx, post)
  if (mayPassLater(rule)) return { kind: 'later', at: askAgainAt(ctx.now(), ctx.settings.retryTimeScale) }
  const reason = await obstacleReason(ctx, post.projectId, rule)
  await failPost(ctx, post, post.maybeSent ? notKnown(post, reason) : reason)
  return DONE
}

/**
 * Publishes a post on its date, once.
 *
 * A post that may be out already is looked up before anything is sent: its last attempt crashed or lost the answer.
 */
export const runPost = async (ctx: Ctx, social: Social, id: number): Promise<JobResult> => {
  const rows = await ctx.read(() => postToSend(ctx.db, id))
  const post = rows[0]
  if (!post || (post.status !== 'scheduled' && post.status !== 'publishing')) return DONE
  const now = ctx.now()
  const later = notBefore(post, now)
  if (later) return { kind: 'later', at: later }
  const isLost = post.maybeSent || post.remoteId !== null
  if (post.projectStatus !== 'Active' && !isLost) {
    await failPost(ctx, post, 'The project was archived before the post went out.')
    return DONE
  }
  const transport = await transportOf(ctx, social, post)
  if (typeof transport === 'string') {
    await failPost(ctx, post, isLost ? notKnown(post, transport) : transport)
    return DONE
  }
  const lease = new Date(now.getTime() + LEASE_MS)
  const { isClaimed, rule } = await claimPost(ctx, post, lease)
  if (!isClaimed && rule !== null) return await refusedByPolicy(ctx, post, rule)
  if (!isClaimed) return { kind: 'later', at: new Date(now.getTime() + MOVED_ON_MS) }
  const held = { post, lease, isCutOff: () => isCutOff(social, post) }
  return post.maybeSent ? await lookFirst(ctx, held, transport) : await send(ctx, held, transport)
}

/** Ends a post whose job failed too often on our side, or whose account is closed. */
export const giveUpPost = async (ctx: Ctx, id: number, why: string): Promise<void> => {
  const rows = await ctx.read(() => postToSend(ctx.db, id))
  const post = rows[0]
  if (!post) return
  const reason = shownReason(why, 'Publishing failed many times for a reason on our side.')
  await failPost(ctx, post, post.maybeSent ? notKnown(post, reason) : reason)
}
