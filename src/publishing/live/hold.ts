import { and, eq, exists, type SQL, sql } from 'drizzle-orm'
import { articles } from '../../../schema/articles.ts'
import { oneOf } from '../../../schema/columns.ts'
import { liveChanges } from '../../../schema/remote.ts'
import type { PublishState } from '../../../schema/values/articles.ts'
import type { LiveChangeKind } from '../../../schema/values/publishing.ts'
import { approvalOf, policyAllows, ruleOf } from '../../accounts/policy/parts.ts'
import type { Obstacle } from '../../accounts/policy/rules.ts'
import { isMoveAllowed } from '../../content/articles/parts.ts'
import { holdArticle, isLastClaimedWith, releaseArticle } from '../../content/articles/writes.ts'
import { when } from '../../platform/db/steps.ts'
import { audit, insertWhere } from '../../platform/db/writes.ts'
import { enqueue, finishJob, moveJob } from '../../platform/jobs/enqueue.ts'
import { storableText } from '../../platform/lib/text.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { noteUse } from '../connect/writes.ts'
import { liveChangeJob } from '../jobs.ts'
import { LOOK_AT_PULL_MS } from '../pulls/rules.ts'
import { isComingDown } from '../remote.ts'
import { lookUpAgainAt } from '../send/run.ts'
import { replaceDelivery } from '../writes.ts'

/** A change of a published article at its target, with its lease on the article. */
export type LiveChange = {
  kind: LiveChangeKind
  articleId: number
  accountId: number
  projectId: number
  integrationId: number
  platform: string
  /** Unique to its claim, and written into the article. */
  token: string
  lease: Date
  /** Version that a rollback goes to. */
  versionId?: number
  /** Name of the change in approvals, if the policy may require one. */
  subject?: string
}

/** Returns the statement that records a claimed change. It replaces the one before, which it continues or follows. */
const recordChange = (change: LiveChange, { if: condition, now }: { if: SQL; now: Date }) => {
  const { articleId, integrationId, kind, token, versionId = null } = change
  return insertWhere(
    liveChanges,
    { articleId, integrationId, kind, token, versionId, lookups: 0, updatedAt: now },
    {
      if: condition,
      onConflict: sql`(article_id) do update set integration_id = excluded.integration_id, kind = excluded.kind,
        token = excluded.token, version_id = excluded.version_id, lookups = 0, updated_at = excluded.updated_at`,
    },
  )
}

const FOLLOWED = 'Followed by a rollback or a take-down before it was known how this sync ended.'

/**
 * Takes the lease on a published article for one change and records it, with a job that looks it up if this process
 * crashes. The look-up of a sync before it is called off.
 *
 * If it is not held, `rule` of the policy forbids it, another call has the article, or its status no longer allows the
 * change.
 */
export const holdLive = async (ctx: Ctx, change: LiveChange): Promise<{ isHeld: boolean; rule: Obstacle | null }> => {
  const { articleId, accountId, projectId, platform, kind, lease, token, subject } = change
  const now = ctx.now()
  const outward = { activity: kind, now, target: platform, articleId, ...approvalOf(ctx, now, subject) }
  const mine = and(eq(articles.id, articleId), eq(articles.accountId, accountId))
  const may = and(
    mine,
    isMoveAllowed(kind, now),
    kind === 'rollback' ? sql`not ${isComingDown}` : undefined,
    policyAllows(projectId, outward),
  )
  const { asked, held } = await ctx.batch(
    {
      asked: ruleOf(projectId, outward),
      held: holdArticle(ctx.db, { lease, token }, may, { publishError: null }),
      ...when(isLastClaimedWith(token, articleId), {
        recordChange: (isMet) => recordChange(change, { if: isMet, now }),
        replaced: replaceDelivery(ctx.db, articleId, FOLLOWED, now),
        liveChangeJob: enqueue(
          liveChangeJob,
          { article_id: articleId, token },
          { account: accountId, runAt: lease, open: 'move', replacePayload: true, quietSince: now },
        ),
        running: ctx.keepRunning(lease),
      }),
    },
    { unaudited: 'what became of it is written to the audit log when it ends' },
  )
  return { isHeld: held.length > 0, rule: asked[0]?.rule ?? null }
}

type Held = Pick<LiveChange, 'articleId' | 'token'>

/** States of an article whose change has no known end. */
const OPEN: readonly PublishState[] = ['publishing', 'unknown', 'awaiting_merge']

/**
 * Returns the pieces of a change's last batch: the lock, which comes first, and the condition that no other change
 * followed and that this one has no known end yet, or the article is in one of the `states`.
 */
export const endOf = ({ db }: Ctx, { articleId, token }: Held, states = OPEN) => {
  const held = and(eq(articles.id, articleId), eq(articles.publishToken, token), oneOf(articles.publishState, states))
  const lock = db.select({ id: articles.id }).from(articles).where(eq(articles.id, articleId)).for('no key update')
  return { lock, held, isHeld: exists(db.select({ id: articles.id }).from(articles).where(held)) }
}

/** Returns the statements with which a known end of a change clears its record and its job, if the condition holds. */
export const forget = ({ db }: Ctx, articleId: number, { if: condition, now }: { if: SQL; now: Date }) => [
  finishJob(db, liveChangeJob, articleId, { if: condition, now }),
  db.delete(liveChanges).where(and(eq(liveChanges.articleId, articleId), condition)),
]

type Failure = {
  error: string
  /** Time of the next look-up; absent if the change certainly was not made, or is given up. */
  nextAt?: Date | undefined
}

/**
 * Returns the statements that release an article after a change that failed, or whose end is looked up at `nextAt`.
 *
 * The record stays, so that the same call continues the change.
 */
export const failChange = (ctx: Ctx, { articleId, token }: Held, { error, nextAt }: Failure) => {
  const { held, isHeld } = endOf(ctx, { articleId, token })
  return [
    nextAt
      ? moveJob(ctx.db, liveChangeJob, articleId, { if: isHeld, runAt: nextAt })
      : finishJob(ctx.db, liveChangeJob, articleId, { if: isHeld, now: ctx.now() }),
    releaseArticle(ctx.db, nextAt ? 'unknown' : 'failed', error, held),
  ]
}

/** Leaves the article as it is until the pull request with its change is merged or closed. `answer`: kept for the caller, if there is one. */
export const endProposed = async (ctx: Ctx, change: LiveChange, reason: string, answer?: object): Promise<void> => {
  const { articleId: id, accountId: account } = change
  const { lock, held, isHeld } = endOf(ctx, change)
  await ctx.batch({
    lock,
    ...when(isHeld, {
      noteUse: noteUse(ctx.db, change.integrationId, null, ctx.now()),
      kept: answer && ctx.keepDone(answer, { status: 202 }),
      audit: audit(ctx, { account, action: 'article.propose', on: ['article', id] }),
      job: moveJob(ctx.db, liveChangeJob, id, { runAt: lookUpAgainAt(ctx, LOOK_AT_PULL_MS) }),
    }),
    released: releaseArticle(ctx.db, 'awaiting_merge', storableText(reason), held),
  })
}
