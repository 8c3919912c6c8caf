import { and, eq, isNull, lte, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { accounts } from '../../schema/accounts.ts'
import { articles } from '../../schema/articles.ts'
import { oneOf } from '../../schema/columns.ts'
import { integrations } from '../../schema/integrations.ts'
import { projects } from '../../schema/projects.ts'
import type { PublishState } from '../../schema/values/articles.ts'
import { JOIN_POLICY, nextChance, PASSING, ruleFor } from '../accounts/policy/parts.ts'
import { type Obstacle, WAITS } from '../accounts/policy/rules.ts'
import { SHOWS_NOTHING, statusAllows } from '../content/articles/parts.ts'
import { statusAfter } from '../content/articles/transitions.ts'
import { changeArticle } from '../content/articles/writes.ts'
import { PLANS_WITH_WRITER } from '../platform/accounts/plans.ts'
import type { Db } from '../platform/db/client.ts'
import { at } from '../platform/db/instant.ts'
import { AuditStatement, audit } from '../platform/db/writes.ts'
import { enqueue } from '../platform/jobs/enqueue.ts'
import type { Next } from '../platform/jobs/job.ts'
import { type Ctx, sendBatch } from '../platform/runtime/ctx.ts'
import { publishDueJob } from './jobs.ts'

const IDLE: PublishState = 'idle'

/** Returns the condition that a planned article's publication has not started. */
const isNotBegun = (articleId: number): SQL =>
  and(eq(articles.id, articleId), statusAllows('go_live'), eq(articles.publishState, 'idle')) as SQL

/** Marks an article as failed that could not even be tried on its date. Article and audit log get the reason. */
export const failDue = async (ctx: Ctx, articleId: number, reason: string, rule?: Obstacle): Promise<void> => {
  const which = isNotBegun(articleId)
  await ctx.batch({
    article: ctx.db.select({ id: articles.id }).from(articles).where(which).for('no key update'),
    audit: audit(ctx, {
      account: articles.accountId,
      action: 'article.publish_failed',
      on: ['article', articles.id],
      detail: { reason, ...(rule === undefined ? {} : { rule }) },
      from: sql`${articles}`,
      if: which,
    }),
    changeArticle: changeArticle(ctx.db, { publishState: 'failed', publishError: reason, updatedAt: ctx.now() }, which),
  })
}

/**
 * Releases a due article because its project is archived or its policy forbids it for now. The clock claims it again.
 */
export const releaseDue = async (ctx: Ctx, articleId: number): Promise<void> => {
  await ctx.batch(
    { changeArticle: changeArticle(ctx.db, { dueTakenAt: null }, isNotBegun(articleId)) },
    {
      unaudited: 'nothing was done',
    },
  )
}

/** Maximum number of late articles read at a time. */
const DUE_BATCH = 200

const a = alias(articles, 'a')
const h = alias(articles, 'h')
const c = alias(accounts, 'c')

/**
 * Condition: article `a` of account `c` waits for the service's writer. It has no content yet, and its plan includes
 * the writer.
 */
const AWAITS_WRITER = sql`(${c.plan} in (${PLANS_WITH_WRITER}) and ${SHOWS_NOTHING})`

/**
 * Returns the condition that the writer finished an article with an error. It is then published by hand, or after an
 * edit.
 */
const isUnfit = (of: typeof articles | typeof a): SQL =>
  sql`(${oneOf(of.publishState, ['failed'])} and ${of.writtenAt} is not null and ${of.generationError} is not null and ${of.claimedAt} is null)`

/** Platform of a project's target. */
const TARGET = sql`(select i.platform from ${integrations} i where i.project_id = ${projects.id} and i.status = 'Active')`

/**
 * Returns the rule of the project's policy that forbids article `a` now. Missing approval does not count: a person is
 * asked after the article is taken.
 */
const forbidding = (now: Date): SQL => sql`case when ${projects.publishingStatus} = 'Publish Immediately'
  then ${ruleFor({ activity: 'publish', now, target: TARGET, articleId: sql`${a.id}`, isApproved: sql`true` })}
  else ${ruleFor({ activity: 'publish', now, target: TARGET, isSettled: true })} end`

/** Returns the condition that article `a` waits because its project's policy forbids it for now. */
const waitsForPolicy = (now: Date): SQL => sql`coalesce(${forbidding(now)} in (${PASSING}), false)`

/**
 * Selects late articles with their project's publishing setting, longest overdue first.
 *
 * It leaves out suspended accounts and articles that wait for the writer.
 */
const lateArticles = (now: Date, only: SQL, most = DUE_BATCH): SQL =>
  sql`select a.id, a.project_id, a.scheduled_at, ${projects.publishingStatus}, ${forbidding(now)} as rule
      from ${articles} a
      join ${projects} on ${projects.id} = ${a.projectId} and ${projects.status} = 'Active'
      ${JOIN_POLICY}
      join ${accounts} c on ${c.id} = ${a.accountId} and ${c.suspendedAt} is null
      where ${statusAllows('go_live', 'a')} and ${oneOf(a.publishState, ['idle', 'failed'])} and ${a.dueTakenAt} is null
        and ${a.scheduledAt} <= ${at(now)} and ${a.writingStartedAt} is null and ${only} and not ${AWAITS_WRITER}
        and not ${isUnfit(a)}
      order by ${a.scheduledAt}, ${a.id} limit ${sql.raw(String(most))}`

/**
 * Time during which an article that was claimed but not sent blocks the next one of its project, ms.
 *
 * It is longer than the wait for the account's next minute. After that its run has crashed, and the lease brings it
 * back.
 */
const TAKEN_MS = 70_000

/**
 * Returns the condition that the clock has no other article of the project: none claimed just now, none being sent in
 * its turn.
 */
const noneInHand = (now: Date): SQL => sql`not exists (select 1 from ${articles} h where ${h.projectId} = ${a.projectId}
  and ${statusAllows('go_live', 'h')} and ${h.dueTakenAt} is not null
  and ((${oneOf(h.publishState, ['idle'])} and ${h.dueTakenAt} > ${at(new Date(now.getTime() - TAKEN_MS))})
    or (${oneOf(h.publishState, ['publishing'])} and ${projects.publishingUntil} > ${at(now)})))`

/** Returns the condition that a late article can still be taken, for its locked row. */
const isStillLate = (now: Date): SQL =>
  sql`${and(statusAllows('go_live'), oneOf(articles.publishState, ['idle', 'failed']), lte(articles.scheduledAt, now))}
    and not ${isUnfit(articles)}`

/** Selects and locks the chosen articles in order of id. Skips those that another transaction has locked. */
const lockedOf = (chosen: SQL, now: Date): SQL =>
  sql`select ${articles.id}, chosen.publishing_status from ${articles}, ${chosen} as chosen
    where ${articles.id} = chosen.id and ${isNull(articles.dueTakenAt)} and ${isStillLate(now)}
    order by ${articles.id} for update of ${articles} skip locked`

/** Returns the context with which the audit log records the clock's run. */
const cronAt = (now: Date) => ({ actor: () => 'cron:minute', now: () => now })

/**
 * Returns the statement that turns late articles of `Save as Drafts` projects into drafts. It returns a row for each.
 */
const saveAsDrafts = (now: Date, here: SQL): AuditStatement => {
  const late = lateArticles(now, sql`${here} and ${projects.publishingStatus} = 'Save as Drafts'`)
  const noted = audit(cronAt(now), {
    account: sql`drafted.account_id`,
    action: 'article.saved_as_draft_on_its_date',
    on: ['article', sql`drafted.id`],
    from: sql`drafted`,
    if: 'always',
  })
  return new AuditStatement(
    sql`with late as materialized (${late}), locked as materialized (${lockedOf(sql`late`, now)}),
      drafted as (
        update articles set status = ${statusAfter('keep_draft')}, publish_state = ${IDLE}, publish_error = null, updated_at = ${at(now)}
        from locked where articles.id = locked.id returning articles.id, articles.account_id)
      ${noted}`.queryChunks,
  )
}

/** Message on a late article that waits for its project's policy. */
const REASON: SQL = sql.raw(
  `case rule ${Object.entries(WAITS)
    .map(([rule, reason]) => `when '${rule}' then '${reason.replaceAll("'", "''")}'`)
    .join(' ')} end`,
)

/** Returns the statement that stores in late articles which rule they wait for, once for each rule. */
const sayWhyLate = (now: Date, here: SQL): AuditStatement => {
  const late = lateArticles(
    now,
    sql`${here} and ${projects.publishingStatus} <> 'Save as Drafts' and ${waitsForPolicy(now)}`,
  )
  const noted = audit(cronAt(now), {
    account: sql`waiting.account_id`,
    action: 'article.waits_for_policy',
    on: ['article', sql`waiting.id`],
    detail: sql`jsonb_build_object('rule', waiting.rule)`,
    from: sql`waiting`,
    if: 'always',
  })
  return new AuditStatement(
    sql`with late as materialized (${late}), kept as (select id, rule, ${REASON} as reason from late),
      waiting as (
        update articles set publish_state = ${IDLE}, publish_error = kept.reason from kept
        where articles.id = kept.id and articles.publish_error is distinct from kept.reason and articles.due_taken_at is null
          and ${isStillLate(now)}
        returning articles.id, articles.account_id, kept.rule)
      ${noted}`.queryChunks,
  )
}

/**
 * Returns the statement that claims one late article of each project for the clock and enqueues its publication.
 *
 * It returns the jobs' rows. `leaseUntil`: the caller runs these jobs itself.
 */
const takeChosen = (now: Date, late: SQL, leaseUntil?: Date) => {
  const queued = enqueue(
    publishDueJob,
    { article_id: sql`taken.id`, live: sql`taken.publishing_status = 'Publish Immediately'` },
    {
      from: sql`taken`,
      if: 'always',
      account: sql`taken.account_id`,
      // If the article is taken again with another date, that is separate work, because the earlier run may still end.
      apart: String(now.getTime()),
      runAt: now,
      open: 'keep',
      isByClock: true,
      ...(leaseUntil ? { leaseUntil } : {}),
    },
  )
  return sql<{ id: string; payload: unknown }>`with late as materialized (${late}),
    firsts as (select distinct on (project_id) id, publishing_status from late order by project_id, scheduled_at, id),
    locked as materialized (${lockedOf(sql`firsts`, now)}), 
    taken as (
      update articles set due_taken_at = ${at(now)}, publish_state = ${IDLE}, publish_error = null
      from locked where articles.id = locked.id returning articles.id, articles.account_id, locked.publishing_status)
    ${queued}`
}

/** Selects late articles to publish, of projects without one in progress. */
const lateToPublish = (now: Date, here: SQL, most = DUE_BATCH): SQL =>
  lateArticles(
    now,
    sql`${here} and ${projects.publishingStatus} <> 'Save as Drafts' and ${noneInHand(now)} and not ${waitsForPolicy(now)}`,
    most,
  )

/**
 * Returns the statement that claims a project's longest overdue article for a caller that runs its job itself.
 *
 * It returns the outbox row; no row if nothing is late or an article of the project is in progress.
 */
export const leaseNextDue = (now: Date, projectId: number, leaseUntil: Date) =>
  takeChosen(now, lateToPublish(now, eq(a.projectId, projectId), 1), leaseUntil)

/**
 * Returns the statement that claims the longest overdue article of every project and enqueues its publication. Projects
 * with an article in progress are left out.
 */
export const takeLate = (now: Date, here: SQL = sql`true`) => takeChosen(now, lateToPublish(now, here))

/**
 * Claims late articles, each once. Returns how many to publish and how many became drafts.
 *
 * Of `Save as Drafts` projects it takes a whole batch and makes them drafts. Of every other project it takes the
 * longest overdue article, unless one is in progress, and enqueues its publication. Articles that the policy forbids
 * for now wait and get the reason. `projectId` limits it to one project.
 */
export const claimDue = async (
  db: Db,
  now: Date,
  projectId: number | null,
): Promise<{ taken: number; drafted: number }> => {
  const here = projectId === null ? sql`true` : eq(a.projectId, projectId)
  const { drafted, taken } = await sendBatch(db, {
    drafted: saveAsDrafts(now, here),
    sayWhyLate: sayWhyLate(now, here),
    taken: takeLate(now, here),
  })
  return { taken: taken.length, drafted: drafted.length }
}

/** Claims a project's next due article after one ended, and offers its job to the queue. */
export const claimNextDue = async (ctx: Ctx, projectId: number): Promise<void> => {
  await claimDue(ctx.db, ctx.now(), projectId)
  await ctx.wakeQueue()
}

/** Returns the work that follows a publication by the clock: the project's next late article. */
export const nextLate = (ctx: Ctx, projectId: number): Next => ({
  held: (leaseUntil) => leaseNextDue(ctx.now(), projectId, leaseUntil),
  queued: () => claimNextDue(ctx, projectId),
})

/** Returns the condition that a planned article waits for its date. */
const isWaiting = (): SQL => sql`${statusAllows('go_live')} and ${oneOf(articles.publishState, ['idle', 'failed'])}
  and ${articles.dueTakenAt} is null`

/** Returns the next future date of a planned article. Overdue ones are in progress already, or wait for a change. */
export const nextDueDate = (now: Date): SQL =>
  sql`(select min(${articles.scheduledAt}) from ${articles} where ${isWaiting()} and ${articles.scheduledAt} > ${at(now)})`

/** Returns when a policy may next allow an overdue article: at the end of quiet hours, or on the next day. */
export const nextDueByPolicy = (now: Date): SQL =>
  sql`(select min(${nextChance(now)}) from ${articles} join ${projects} on ${projects.id} = ${articles.projectId} ${JOIN_POLICY}
    where ${isWaiting()} and ${articles.scheduledAt} <= ${at(now)})`
