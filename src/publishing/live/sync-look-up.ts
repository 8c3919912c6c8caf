import { and, eq, exists, sql } from 'drizzle-orm'
import { articles } from '../../../schema/articles.ts'
import { oneOf } from '../../../schema/columns.ts'
import { deliveries } from '../../../schema/deliveries.ts'
import { endTurn, lockProject } from '../../accounts/projects/writes.ts'
import { isNotHeld, statusAllows } from '../../content/articles/parts.ts'
import { releaseArticle } from '../../content/articles/writes.ts'
import { pageChanged } from '../../insights/effects/writes.ts'
import { audit } from '../../platform/db/writes.ts'
import type { JobResult } from '../../platform/jobs/job.ts'
import { storableText } from '../../platform/lib/text.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { checkLivePage, keepLivePage } from '../live-page.ts'
import { LOOK_AT_PULL_MS, waitsText } from '../pulls/rules.ts'
import type { deliveryToSend } from '../queries.ts'
import { keepingOf } from '../remote.ts'
import { isLiveBy, lockDelivery } from '../send/ends.ts'
import { storedRequest } from '../send/prepare.ts'
import { askAgainMs } from '../send/rules.ts'
import { lookUpAgainAt } from '../send/run.ts'
import { CMS_FIELDS } from '../target/cms-adapter.ts'
import { openTarget } from '../target/open.ts'
import type { TargetFactory, UpdateSeen } from '../target/publish-target.ts'
import { endLostAttempts, isFree } from '../writes.ts'
import { forget } from './hold.ts'

type Loaded = Awaited<ReturnType<typeof deliveryToSend>>[number]

/** Updates are sent once. If the site cannot say how one ended, it is not repeated automatically. */
const NOT_KNOWN = 'It is not known whether the site has the edits. They are saved: sync again.'
const INTERRUPTED = `The sync was interrupted. ${NOT_KNOWN}`
const NOT_MADE = 'The site still has the words from before, so the sync was not made. The edits are saved: sync again.'
const NO_ANSWER =
  'The site gave no clear answer for a day, so it is not known whether it has the edits. They are saved: sync again.'

/** Asks the site how an update ended. Without a post or a way to ask, nobody can decide it. */
const lookAtUpdate = async (
  ctx: Ctx,
  targets: TargetFactory,
  { delivery, article, target }: Loaded,
): Promise<UpdateSeen | { kind: 'proposed'; url: string }> => {
  const opened = target && target.id === delivery.integrationId ? await openTarget(ctx, targets, target) : undefined
  if (!opened?.hasUpdate || !article || article.remoteId === null) return { kind: 'undecided' }
  const request = await storedRequest(
    delivery,
    {
      updateOnly: true,
      isChange: true,
      isRepeat: false,
      isAdopted: article.origin === 'adopted',
      generation: article.generation,
    },
    ctx,
  )
  const only = CMS_FIELDS.filter((field) => article.siteLacks.includes(field))
  const pull = await opened.pull?.({ ...request, only })
  if (pull?.kind === 'done' && pull.value.state === 'open' && pull.value.isCurrent && pull.value.url !== null)
    return { kind: 'proposed', url: pull.value.url }
  const keeping = keepingOf(ctx, delivery.integrationId, delivery.articleId)
  return await opened.hasUpdate(article.remoteId, { ...request, only }, keeping)
}

/** Returns the pieces of a look-up's batch: conditions that the sync still has no known end and its article waits for it. */
const endOf = ({ db, now }: Ctx, { id, articleId }: { id: number; articleId: number }) => {
  const itself = and(eq(deliveries.id, id), isFree(now()))
  const isOpen = exists(db.select({ id: deliveries.id }).from(deliveries).where(itself))
  const waiting = and(
    eq(articles.id, articleId),
    oneOf(articles.publishState, ['publishing', 'unknown', 'awaiting_merge']),
    isNotHeld(now()),
    statusAllows('sync'),
    isOpen,
  )
  return { itself, isOpen, waiting }
}

/** Records that the site has the update. */
const endMade = async (ctx: Ctx, { delivery }: Loaded, articleId: number): Promise<void> => {
  const { id, accountId, projectId, revision } = delivery
  const now = ctx.now()
  const token = ctx.newId()
  const { itself, isOpen, waiting } = endOf(ctx, { id, articleId })
  const live = { articleId, accountId, projectId, revision }
  const when = { if: sql`${isOpen} and ${isLiveBy({ articleId, token })}`, now }
  await ctx.batch({
    lockProject: lockProject(ctx.db, projectId),
    lockDelivery: lockDelivery(ctx, id),
    release: releaseArticle(ctx.db, 'idle', null, waiting, { siteLacks: [], receipt: null, publishToken: token }),
    livePage: keepLivePage(ctx.db, live, undefined, when),
    checkLivePage: checkLivePage(live, undefined, when),
    pageChanged: pageChanged(live, when),
    forgotten: forget(ctx, articleId, when),
    audit: audit(ctx, { account: accountId, action: 'article.sync', on: ['delivery', id], if: isOpen }),
    turn: endTurn(ctx.db, projectId, id)(isOpen),
    lostAttempts: endLostAttempts(ctx.db, itself),
    delivered: ctx.db
      .update(deliveries)
      .set({ status: 'delivered', error: null, nextAttemptAt: null, leaseUntil: null, updatedAt: now })
      .where(itself),
  })
}

/** Records that the site does not have the update, or that nobody can say if it has. */
const endFailed = async (ctx: Ctx, { delivery }: Loaded, articleId: number, error: string): Promise<void> => {
  const { id, accountId, projectId } = delivery
  const { itself, isOpen, waiting } = endOf(ctx, { id, articleId })
  await ctx.batch({
    lockProject: lockProject(ctx.db, projectId),
    lockDelivery: lockDelivery(ctx, id),
    release: releaseArticle(ctx.db, 'failed', error, waiting),
    audit: audit(ctx, { account: accountId, action: 'article.sync_failed', on: ['delivery', id], if: isOpen }),
    turn: endTurn(ctx.db, projectId, id)(isOpen),
    lostAttempts: endLostAttempts(ctx.db, itself),
    failed: ctx.db
      .update(deliveries)
      .set({ status: 'failed', error, nextAttemptAt: null, leaseUntil: null, updatedAt: ctx.now() })
      .where(itself),
  })
}

type Undecided = { state: 'unknown' | 'awaiting_merge'; waitMs: number; error: string; unaudited: string }

/** Records that the end of the update is not known yet. Returns when it is looked at again. */
const lookLater = async (
  ctx: Ctx,
  { delivery: { id, projectId, lookups } }: Loaded,
  articleId: number,
  { state, waitMs, error, unaudited }: Undecided,
): Promise<Date> => {
  const nextAt = lookUpAgainAt(ctx, waitMs)
  const { itself, isOpen, waiting } = endOf(ctx, { id, articleId })
  // Only questions without an answer count against the number of them.
  const asked = state === 'unknown' ? lookups + 1 : lookups
  await ctx.batch(
    {
      lockProject: lockProject(ctx.db, projectId),
      lockDelivery: lockDelivery(ctx, id),
      release: releaseArticle(ctx.db, state, error, waiting),
      turn: endTurn(ctx.db, projectId, id)(isOpen),
      lostAttempts: endLostAttempts(ctx.db, itself),
      undecided: ctx.db
        .update(deliveries)
        .set({ status: state, error, nextAttemptAt: nextAt, leaseUntil: null, lookups: asked, updatedAt: ctx.now() })
        .where(itself),
    },
    { unaudited },
  )
  return nextAt
}

/** Records that the update is in an open pull request. Returns when that is looked at. */
const waitForMerge = (ctx: Ctx, found: Loaded, articleId: number, url: string): Promise<Date> =>
  lookLater(ctx, found, articleId, {
    state: 'awaiting_merge',
    waitMs: LOOK_AT_PULL_MS,
    error: storableText(waitsText(url)),
    unaudited: 'the call is in the audit log; this is where its change was found',
  })

/** Records that the site could not say how the update ended. Returns when it is asked again; undefined if it is given up. */
const askLater = async (ctx: Ctx, found: Loaded, articleId: number, reason: string): Promise<Date | undefined> => {
  const waitMs = askAgainMs(found.delivery.lookups + 1)
  if (waitMs === undefined) return undefined
  return await lookLater(ctx, found, articleId, {
    state: 'unknown',
    waitMs,
    error: storableText(`It is not known whether the site has the edits. ${reason}`),
    unaudited: 'nobody did anything; the article shows that it is not known what the site has',
  })
}

/**
 * Asks the site how a sync ended whose answer was lost or whose process crashed, and records it. Never sends it again.
 *
 * A target that cannot be asked, as a webhook, leaves the article `failed`.
 */
export const lookUpSync = async (
  ctx: Ctx,
  targets: TargetFactory,
  found: Loaded,
  articleId: number,
): Promise<JobResult> => {
  const seen = await lookAtUpdate(ctx, targets, found)
  if (seen.kind === 'proposed') return { kind: 'later', at: await waitForMerge(ctx, found, articleId, seen.url) }
  if (seen.kind === 'unsure') {
    const at = await askLater(ctx, found, articleId, seen.reason)
    if (at) return { kind: 'later', at }
    await endFailed(ctx, found, articleId, NO_ANSWER)
  } else if (seen.kind === 'found') await endMade(ctx, found, articleId)
  else if (seen.kind === 'absent') await endFailed(ctx, found, articleId, NOT_MADE)
  else await endFailed(ctx, found, articleId, found.delivery.status === 'sending' ? INTERRUPTED : NOT_KNOWN)
  return { kind: 'done' }
}
