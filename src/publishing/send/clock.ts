import { and, isNull, sql } from 'drizzle-orm'
import { deliveries } from '../../../schema/deliveries.ts'
import { outbox } from '../../../schema/kernel.ts'
import { obstacleReason } from '../../accounts/policy/read.ts'
import { mayPassLater, type Obstacle } from '../../accounts/policy/rules.ts'
import { statusesFor } from '../../content/articles/transitions.ts'
import { at } from '../../platform/db/instant.ts'
import { enqueue } from '../../platform/jobs/enqueue.ts'
import { ACCOUNT_CLOSED, type JobResult } from '../../platform/jobs/job.ts'
import { ApiError } from '../../platform/lib/errors.ts'
import { type Ctx, type Deps, sendBatch } from '../../platform/runtime/ctx.ts'
import { claimDue, claimNextDue, failDue, nextLate, releaseDue } from '../due.ts'
import { deliverJob } from '../jobs.ts'
import { type PublishableRow, publishableById } from '../queries.ts'
import { GAVE_UP, WANTS_TARGET } from '../target/open.ts'
import type { TargetFactory } from '../target/publish-target.ts'
import { isOpen } from '../writes.ts'
import { type FoundArticle, findAlone, publishByClock, publishFound } from './publish.ts'
import { RECEIVER_TURN_MS } from './rules.ts'

/** Refusals that a retry cannot change. The article shows the reason, and its owner must act. */
const FINAL = new Set(['no_cms_integration', 'empty_content'])

/** True if the article is still due: its date was not moved or removed, and no delivery was started. */
const isStillDue = (article: PublishableRow): boolean =>
  statusesFor('go_live').includes(article.status) && article.dueTakenAt !== null && article.publishState === 'idle'

const find = async (ctx: Ctx, id: number): Promise<FoundArticle | undefined> => {
  try {
    return await findAlone(ctx, id)
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') return undefined
    throw error
  }
}

/** A moment longer than a receiver's turn, ms. */
const SLOW_MS = RECEIVER_TURN_MS + 500

/**
 * Waits for a publication. If it takes longer than its project's turn, starts the project's next article in the
 * meantime.
 */
const whileSlow = async <T>(ctx: Ctx, sending: Promise<T>, letNextGo: () => Promise<void>): Promise<T> => {
  const ended = sending.then(
    () => true,
    () => true,
  )
  const isEnded = await Promise.race([ended, ctx.wait(SLOW_MS).then(() => false)])
  if (!isEnded) await letNextGo()
  return await sending
}

/**
 * Ends a refused publication. If it is forbidden only for now, or the account is closed, the clock may take the article
 * again later; otherwise it fails.
 */
const endRefused = async (ctx: Ctx, { id, projectId }: PublishableRow, rule: Obstacle): Promise<void> => {
  const reason =
    mayPassLater(rule) || rule === 'account_inactive' ? undefined : await obstacleReason(ctx, projectId, rule)
  await (reason === undefined ? releaseDue(ctx, id) : failDue(ctx, id, reason, rule))
}

/**
 * Publishes an article on its date, in its project's turn. Then the project's next late article follows.
 *
 * If its owner must act, the article becomes `failed` with the reason. Any other refusal is retried.
 */
export const publishDue = async (
  ctx: Ctx,
  targets: TargetFactory,
  articleId: number,
  live: boolean,
): Promise<JobResult> => {
  const found = await find(ctx, articleId)
  if (!found) return { kind: 'done' }
  const ended = { kind: 'done', next: nextLate(ctx, found.article.projectId) } as const
  // An earlier run of this job may have sent the article and crashed, so the next article must still be started.
  if (!isStillDue(found.article)) return ended
  try {
    const sending = publishFound(ctx, targets, found, { live, onDate: true, claimsNext: false })
    const later = await whileSlow(ctx, sending, () => claimNextDue(ctx, found.article.projectId))
    if (later instanceof Date) return { kind: 'later', at: later }
    if (later) await endRefused(ctx, found.article, later)
    return ended
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.code === 'project_archived') {
      await releaseDue(ctx, articleId)
      return { kind: 'done' }
    }
    if (!FINAL.has(error.code)) return { kind: 'again', reason: error.code }
    await failDue(ctx, articleId, error.message)
    return ended
  }
}

/** Fails a publication after its last job attempt. An article of a closed account stays planned instead. */
export const giveUpDue = (ctx: Ctx, articleId: number, reason: string): Promise<void> =>
  reason === ACCOUNT_CLOSED ? releaseDue(ctx, articleId) : failDue(ctx, articleId, GAVE_UP)

const MAX_BATCHES = 10

/**
 * Claims late articles: one of each project to publish, or all as drafts, by the project's setting. Returns how many of
 * each.
 *
 * It works in batches, so that a project with many late articles does not delay others.
 */
export const claimDueArticles = async (deps: Deps): Promise<{ taken: number; drafted: number }> => {
  const all = { taken: 0, drafted: 0 }
  for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
    const { taken, drafted } = await claimDue(deps.db, deps.now(), null)
    all.taken += taken
    all.drafted += drafted
    if (taken + drafted === 0) break
  }
  return all
}

/**
 * Publishes an article that failed because its project had no target, in the project's turn.
 *
 * Does nothing if it was edited, published or tried again since.
 */
export const republish = async (
  ctx: Ctx,
  targets: TargetFactory,
  articleId: number,
  live: boolean,
): Promise<JobResult> => {
  const rows = await ctx.read((owner) => publishableById(ctx.db, owner, articleId))
  const article = rows[0]?.article
  const stillWants = WANTS_TARGET.some((reason) => reason === article?.publishError)
  if (article?.publishState !== 'failed' || !stillWants) return { kind: 'done' }
  try {
    return await publishByClock(ctx, targets, articleId, live)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return error.retryable ? { kind: 'again', reason: error.code } : { kind: 'done' }
  }
}

/** Time that an open delivery may be overdue without unfinished work in the outbox, ms. */
const STRANDED_AFTER_MS = 5 * 60_000
const BATCH = sql.raw('200')

/**
 * Enqueues work for open deliveries whose outbox row was lost. Returns how many. Reads only `deliveries_open_unique`.
 */
export const wakeStranded = async (deps: Deps): Promise<number> => {
  const now = deps.now()
  const due = new Date(now.getTime() - STRANDED_AFTER_MS)
  const work = sql`select 1 from ${outbox} where ${outbox.key} = ${deliverJob.keyOf(sql`${deliveries.id}`)}
    and ${isNull(outbox.doneAt)} and ${isNull(outbox.deadAt)}`
  const stranded = sql`(select ${deliveries.id}, ${deliveries.accountId} from ${deliveries}
    where ${and(isOpen(), isNull(deliveries.replayOf))}
      and coalesce(${deliveries.leaseUntil}, ${deliveries.nextAttemptAt}, ${deliveries.updatedAt}) <= ${at(due)}
      and not exists (${work}) limit ${BATCH}) as stranded`
  const asked = enqueue(
    deliverJob,
    { delivery_id: sql`stranded.id` },
    { from: stranded, if: 'always', account: sql`stranded.account_id`, runAt: now, open: 'keep' },
  )
  const unaudited = 'nothing changes but that work which was lost is asked for again'
  const { woken } = await sendBatch(deps.db, { woken: asked }, { unaudited })
  return woken.length
}
