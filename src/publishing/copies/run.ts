import { and, eq, isNull, lte, or, sql } from 'drizzle-orm'
import { copies, type TriedCopy } from '../../../schema/copies.ts'
import type { AuditAction } from '../../../schema/values/audit.ts'
import type { SentArticle } from '../../../schema/values/delivered-article.ts'
import type { CopyState } from '../../../schema/values/publishing.ts'
import { policyAllows, ruleOf } from '../../accounts/policy/parts.ts'
import { obstacleReason } from '../../accounts/policy/read.ts'
import { askAgainAt, mayPassLater } from '../../accounts/policy/rules.ts'
import { when } from '../../platform/db/steps.ts'
import { audit } from '../../platform/db/writes.ts'
import { finishJob, moveJob } from '../../platform/jobs/enqueue.ts'
import { type JobResult, shownReason } from '../../platform/jobs/job.ts'
import { sha256 } from '../../platform/lib/crypto.ts'
import { storableText } from '../../platform/lib/text.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { noteUse } from '../connect/writes.ts'
import { copyJob } from '../jobs.ts'
import { keepingOf } from '../remote.ts'
import { storedRequest } from '../send/prepare.ts'
import { askAfterSendMs, askAgainMs, deliveryKey, isOutOfSends, leaseMs, nextAttempt } from '../send/rules.ts'
import { lookUpAgainAt, noAnswerReason } from '../send/run.ts'
import { GAVE_UP, openTarget, TARGET_GONE } from '../target/open.ts'
import type { Keeping, PublishOutcome, PublishRequest, PublishTarget, TargetFactory } from '../target/publish-target.ts'
import { type CopyToSend, copyToSend } from './queries.ts'

/** Attempt at a follower, with its claim. `wish` is what it was claimed for. */
type Attempt = { found: CopyToSend; token: string; wish: number; attempts: number; lookups: number }

/** End of an attempt: the columns it writes, and when the next one is. */
type Ending = {
  state: Exclude<CopyState, 'waiting' | 'sending'>
  error: string | null
  nextAt?: Date | undefined
  columns?: Partial<typeof copies.$inferInsert>
}

const isUp = ({ copy }: CopyToSend): boolean => copy.sentRevision !== null

/** True if the follower has what is wanted, or the copy ended otherwise. */
const isSettled = ({ copy }: CopyToSend): boolean => ['published', 'failed', 'removed'].includes(copy.state)

/** Returns the article as a follower gets it: as the home has it, with the copy's own id and address, and its original. */
const copyOf = (article: SentArticle, { copy, target }: CopyToSend): SentArticle => {
  const { url: _, external_id: __, fields: ___, ...same } = article
  return {
    ...same,
    ...(target.platform === 'webhook' && article.fields ? { fields: article.fields } : {}),
    ...(copy.url === null ? {} : { url: copy.url }),
    ...(copy.remoteId === null ? {} : { external_id: copy.remoteId }),
    canonical_url: copy.canonical ?? '',
  }
}

/** Returns the key of an attempt: the same for the same content, and another for each update. */
const keyOf = async (ctx: Ctx, found: CopyToSend, wish: number): Promise<string> => {
  const { articleId, integrationId, revision, canonical } = found.copy
  const content = `${ctx.settings.publicUrl} copy ${articleId} at ${integrationId} ${revision} of ${canonical}`
  return deliveryKey(await sha256(isUp(found) ? `${content} update ${wish}` : content))
}

const requestOf = async (ctx: Ctx, found: CopyToSend, article: SentArticle, wish: number): Promise<PublishRequest> => {
  const { copy, imageHosting } = found
  return await storedRequest(
    {
      payload: copyOf(article, found),
      idempotencyKey: await keyOf(ctx, found, wish),
      eventType: isUp(found) ? 'update_articles' : 'publish_articles',
      createdAt: copy.firstSentAt ?? ctx.now(),
      projectId: copy.projectId,
      articleId: copy.articleId,
      imageHosting,
    },
    { updateOnly: isUp(found), isChange: isUp(found), isRepeat: false, isAdopted: false, generation: 0 },
    ctx,
  )
}

/** Returns the functions of an attempt. Versions of copies are not kept, since a rollback of the home updates them. */
const keeping = (ctx: Ctx, found: CopyToSend): Keeping => {
  const { splice: _, ...kept } = keepingOf(ctx, found.target.id, found.copy.articleId)
  const before = found.before && { ...copyOf(found.before, found), canonical_url: found.copy.sentCanonical ?? '' }
  return {
    ...kept,
    sentBefore: async () => (before ? [before] : []),
    version: async () => {},
    dropVersion: async () => {},
  }
}

const ACTIONS = {
  published: 'copy.publish',
  removed: 'copy.take_down',
  retrying: 'copy.attempt_failed',
  unknown: 'copy.attempt_failed',
  failed: 'copy.attempt_failed',
} as const satisfies Record<Ending['state'], AuditAction>

/** Records the end of an attempt, and what follows it: the next attempt, that of a newer wish, or nothing. */
const conclude = async (ctx: Ctx, { found, token, wish }: Attempt, ending: Ending): Promise<JobResult> => {
  const { db } = ctx
  const now = ctx.now()
  const { id, accountId, articleId, integrationId } = found.copy
  const itself = and(eq(copies.id, id), eq(copies.token, token))
  const isMine = sql`exists (select 1 from ${copies} where ${itself})`
  const isNewer = sql`exists (select 1 from ${copies} where ${and(itself, sql`${copies.wish} <> ${wish}::int`)})`
  const { state, error, nextAt, columns } = ending
  const stays = sql`${copies.wish} = ${wish}::int`
  const isUnsure = state === 'unknown'
  const { ended } = await ctx.batch({
    ended: db
      .update(copies)
      .set({
        ...columns,
        state: isUnsure ? state : sql`case when ${stays} then ${state} else 'waiting' end`,
        error: sql`case when ${stays} then ${error} end`,
        nextAttemptAt: nextAt ?? null,
        attempts: isUnsure ? copies.attempts : sql`case when ${stays} then ${copies.attempts} else 0 end`,
        leaseUntil: null,
        updatedAt: now,
      })
      .where(itself)
      .returning({ id: copies.id }),
    ...when(isMine, {
      audit: audit(ctx, {
        account: accountId,
        action: ACTIONS[state],
        on: ['integration', integrationId],
        detail: { article_id: articleId, ...(error === null ? {} : { outcome: state }) },
      }),
      use: noteUse(db, integrationId, error, now),
    }),
    ...(nextAt
      ? { next: moveJob(db, copyJob, id, { if: isMine, runAt: nextAt }) }
      : {
          newer: moveJob(db, copyJob, id, { if: isNewer, runAt: now }),
          finished: finishJob(db, copyJob, id, { if: sql`${isMine} and not ${isNewer}`, now }),
        }),
  })
  await ctx.step('concluded')
  ctx.defer(ctx.wakeQueue())
  return ended.length > 0 ? { kind: 'settled' } : { kind: 'later', at: now }
}

/** Returns the end of an attempt whose answer was lost, or of a look-up without a clear answer. */
const unsure = (ctx: Ctx, attempt: Attempt, reason: string, wasAsked: boolean): Ending => {
  const waitMs = wasAsked ? askAgainMs(attempt.lookups + 1) : askAfterSendMs(attempt.attempts)
  const lookups = wasAsked ? { lookups: attempt.lookups + 1 } : {}
  return waitMs === undefined
    ? { state: 'failed', error: noAnswerReason(reason), columns: lookups }
    : { state: 'unknown', error: reason, nextAt: lookUpAgainAt(ctx, waitMs), columns: lookups }
}

/** Returns the end of a refused attempt. An update at a webhook is sent once. */
const refused = (
  ctx: Ctx,
  { found, attempts }: Attempt,
  { reason, retryable, retryAfterS }: { reason: string; retryable: boolean; retryAfterS?: number | undefined },
): Ending => {
  const isOnce = found.target.platform === 'webhook' && isUp(found)
  const clock = { now: ctx.now(), random: ctx.random(), scale: ctx.settings.retryTimeScale, retryAfterS }
  const nextAt = retryable ? nextAttempt(isOnce ? 'update_articles' : 'publish_articles', attempts, clock) : undefined
  return { state: nextAt ? 'retrying' : 'failed', error: storableText(reason), nextAt }
}

type Post = { remoteId?: string | undefined; url?: string | undefined }

const postColumns = ({ remoteId, url }: Post) => ({
  ...(remoteId === undefined ? {} : { remoteId }),
  ...(url === undefined ? {} : { url }),
})

/** Returns the end of an attempt whose content the follower has. */
const published = (
  { canonical, revision }: Pick<TriedCopy, 'canonical' | 'revision'>,
  post: Post,
  warnings: readonly string[] = [],
): Ending => ({
  state: 'published',
  error: null,
  columns: { sentRevision: revision, sentCanonical: canonical, warnings, ...postColumns(post) },
})

const ended = (ctx: Ctx, attempt: Attempt, outcome: PublishOutcome): Ending => {
  const { revision, canonical } = attempt.found.copy
  if (outcome.kind === 'accepted')
    return published({ revision: revision ?? 0, canonical: canonical ?? '' }, outcome, outcome.notes)
  if (outcome.kind === 'unknown') return unsure(ctx, attempt, storableText(outcome.reason), false)
  if (outcome.kind === 'held')
    return { state: 'failed', error: storableText(outcome.reason), columns: { remoteId: outcome.remoteId } }
  return refused(ctx, attempt, { retryable: false, ...outcome })
}

const NO_TAKE_DOWN =
  'The article was taken down at the home. The follower has no call that takes a copy down, so readers may still see it there. Take it down on the site itself.'

/** Takes a copy down. One that never was at the follower needs no call. */
const takeDown = async (ctx: Ctx, target: PublishTarget, attempt: Attempt): Promise<Ending> => {
  const { found, wish } = attempt
  const { copy, wanted, before } = found
  const article = before ?? wanted
  const gone = { sentRevision: null, sentCanonical: null }
  if (!article || (!isUp(found) && copy.firstSentAt === null)) return { state: 'removed', error: null, columns: gone }
  if (!target.unpublish) return { state: 'failed', error: NO_TAKE_DOWN }
  const outcome = await target.unpublish(await requestOf(ctx, found, article, wish))
  await ctx.step('answered')
  if (outcome.kind === 'taken_down')
    return { state: 'removed', error: null, columns: { ...gone, remoteId: outcome.remoteId } }
  if (outcome.kind === 'gone') return { state: 'removed', error: null, columns: { ...gone, remoteId: null, url: null } }
  // A second call does no harm, so a lost answer is a refusal that is repeated.
  return refused(ctx, attempt, {
    ...outcome,
    retryable: outcome.kind === 'unknown' || ('retryable' in outcome && outcome.retryable),
  })
}

/**
 * Asks the follower about an earlier attempt whose outcome is not known. Returns the end if nothing may be sent now.
 *
 * An update of a CMS changes the same post again. A webhook drops a repeated publication by its key, but not an update.
 */
const settleEarlier = async (
  ctx: Ctx,
  target: PublishTarget,
  attempt: Attempt,
  request: PublishRequest,
): Promise<Ending | undefined> => {
  const { found, attempts } = attempt
  const { tried, wants, error } = found.copy
  if (isUp(found))
    return found.target.platform === 'webhook'
      ? {
          state: 'failed',
          error: 'The update was interrupted. It is not known whether it arrived, and an update is sent once.',
        }
      : undefined
  if (!target.find || !tried) return undefined
  const { slug, title, canonical } = tried
  const known = await target.find({
    ...request,
    article: { ...request.article, slug, title, canonical_url: canonical },
  })
  if (known.kind === 'unsure') return unsure(ctx, attempt, storableText(known.reason), true)
  if (known.kind === 'found') {
    const isWanted = wants === 'live' && tried.revision === found.copy.revision && canonical === found.copy.canonical
    const seen = published(tried, known)
    // What is there is not what is wanted now: the next run changes it.
    return isWanted ? seen : { ...seen, state: 'retrying', nextAt: ctx.now() }
  }
  if (!isOutOfSends(attempts - 1)) return undefined
  return { state: 'failed', error: noAnswerReason(error ?? 'none.') }
}

/** Claims a copy for one attempt. Returns the claim, or the result of the run without one. */
const claim = async (ctx: Ctx, found: CopyToSend): Promise<Attempt | { rule: string; isFinal: boolean } | Date> => {
  const { db } = ctx
  const now = ctx.now()
  const { copy, target, wanted } = found
  const token = ctx.newId()
  const isFree = or(isNull(copies.leaseUntil), lte(copies.leaseUntil, now))
  const outward = {
    activity: copy.wants === 'live' ? 'publish' : 'unpublish',
    now,
    target: target.platform,
    articleId: copy.articleId,
    // The approval and the day's maximum are of the post at the home, which the copy is the same as.
    isSettled: true,
  } as const
  const tried: TriedCopy | null =
    copy.wants === 'live' && copy.state !== 'unknown' && copy.state !== 'sending' && wanted
      ? { slug: wanted.slug, title: wanted.title, canonical: copy.canonical ?? '', revision: copy.revision ?? 0 }
      : copy.tried
  const { rule, claimed } = await ctx.batch(
    {
      rule: ruleOf(copy.projectId, outward),
      claimed: db
        .update(copies)
        .set({
          state: 'sending',
          token,
          tried,
          leaseUntil: new Date(now.getTime() + leaseMs(target.platform)),
          attempts: sql`${copies.attempts} + 1`,
          ...(copy.wants === 'live' ? { firstSentAt: copy.firstSentAt ?? now } : {}),
          updatedAt: now,
        })
        .where(and(eq(copies.id, copy.id), eq(copies.wish, copy.wish), isFree, policyAllows(copy.projectId, outward)))
        .returning({ attempts: copies.attempts }),
    },
    { unaudited: 'what an attempt did is written to the audit log when it ends' },
  )
  const [row] = claimed
  if (row) return { found, token, wish: copy.wish, attempts: row.attempts, lookups: copy.lookups }
  const obstacle = rule[0]?.rule
  if (!obstacle) return new Date(now.getTime() + 1_000)
  if (mayPassLater(obstacle)) return askAgainAt(now, ctx.settings.retryTimeScale)
  return { rule: await obstacleReason(ctx, copy.projectId, obstacle), isFinal: true }
}

const ARCHIVED = 'The project was archived before the copy could be sent.'
const NOT_PUBLISHED = 'The article is not published at the home, or was not sent there by this service.'

/** Ends a copy without an attempt: with a reason, or because nothing is to be done. Leaves one that has a newer wish. */
const endWithout = async (ctx: Ctx, { copy }: CopyToSend, reason: string | null): Promise<JobResult> => {
  const now = ctx.now()
  const itself = and(eq(copies.id, copy.id), eq(copies.wish, copy.wish))
  const isSame = sql`exists (select 1 from ${copies} where ${itself})`
  await ctx.batch(
    {
      lock: ctx.db.select({ id: copies.id }).from(copies).where(eq(copies.id, copy.id)).for('no key update'),
      ended:
        reason !== null &&
        ctx.db
          .update(copies)
          .set({ state: 'failed', error: reason, leaseUntil: null, nextAttemptAt: null, updatedAt: now })
          .where(itself),
      finished: finishJob(ctx.db, copyJob, copy.id, { if: isSame, now }),
      newer: moveJob(ctx.db, copyJob, copy.id, { if: sql`not ${isSame}`, runAt: now }),
    },
    { unaudited: 'nothing was sent; the copy has the reason' },
  )
  return { kind: 'settled' }
}

/**
 * Brings a copy to what it should be, by one attempt: sent, updated or taken down at its follower.
 *
 * A lost answer is looked up before anything is sent again. A newer wish waits for the end of the attempt.
 */
export const sendCopy = async (ctx: Ctx, targets: TargetFactory, id: number): Promise<JobResult> => {
  const [found] = await ctx.read((owner) => copyToSend(ctx.db, owner, id))
  if (!found) return { kind: 'done' }
  const { copy, wanted } = found
  const now = ctx.now()
  if (isSettled(found)) return await endWithout(ctx, found, null)
  if (copy.leaseUntil && copy.leaseUntil > now) return { kind: 'later', at: copy.leaseUntil }
  if (found.projectStatus === 'Archived') return await endWithout(ctx, found, ARCHIVED)
  const target = found.isFollowing ? await openTarget(ctx, targets, found.target) : undefined
  if (!target) return await endWithout(ctx, found, TARGET_GONE)
  const isLive = copy.wants === 'live'
  if (isLive && (found.articleStatus !== 'Published' || !wanted)) return await endWithout(ctx, found, NOT_PUBLISHED)
  const attempt = await claim(ctx, found)
  if (attempt instanceof Date) return { kind: 'later', at: attempt }
  if ('rule' in attempt) return await endWithout(ctx, found, attempt.rule)
  await ctx.step('claimed')
  const article = wanted ?? found.before
  const request = article && (await requestOf(ctx, found, article, attempt.wish))
  const isUnsettled = copy.state === 'unknown' || copy.state === 'sending'
  const earlier = request && isUnsettled ? await settleEarlier(ctx, target, attempt, request) : undefined
  if (earlier) return await conclude(ctx, attempt, earlier)
  if (!isLive || !request) return await conclude(ctx, attempt, await takeDown(ctx, target, attempt))
  const outcome = await target.deliver(request, keeping(ctx, found))
  await ctx.step('answered')
  return await conclude(ctx, attempt, ended(ctx, attempt, outcome))
}

/** Fails a copy after its job's last attempt, or because its account is closed. */
export const giveUpCopy = async (ctx: Ctx, id: number, reason: string): Promise<void> => {
  const { db } = ctx
  const shown = shownReason(reason, GAVE_UP)
  await ctx.batch(
    {
      changed: db
        .update(copies)
        .set({ state: 'failed', error: shown, leaseUntil: null, nextAttemptAt: null, updatedAt: ctx.now() })
        .where(and(eq(copies.id, id), sql`${copies.state} not in ('published', 'removed')`)),
    },
    { unaudited: 'the attempts before are in the audit log' },
  )
}
