import { and, asc, eq, isNull, lte, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { accounts } from '../../../schema/accounts.ts'
import { articles } from '../../../schema/articles.ts'
import { oneOf } from '../../../schema/columns.ts'
import { integrations } from '../../../schema/integrations.ts'
import { projects } from '../../../schema/projects.ts'
import type { PolicyRule } from '../../../schema/values/policy.ts'
import { JOIN_POLICY, PASSING, ruleFor } from '../../accounts/policy/parts.ts'
import { WAITS } from '../../accounts/policy/rules.ts'
import { changeArticle } from '../../content/articles/parts.ts'
import { SHOWS_NOTHING, statusAllows } from '../../content/articles/standing-parts.ts'
import { statusAfter } from '../../content/articles/transitions.ts'
import { PLANS_WITH_WRITER } from '../../platform/accounts/credits.ts'
import { audit } from '../../platform/db/audit.ts'
import { at } from '../../platform/db/instant.ts'
import type { Part } from '../../platform/db/part.ts'
import { query, read, select } from '../../platform/db/read-parts.ts'
import { countOf, ONE_ROW, statement } from '../../platform/db/statement.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { publishDueJob } from '../jobs.ts'

/** Notes on the article, and in the audit log, why it could not even be tried on its date. */
export const failDue = (ctx: Ctx, articleId: number, reason: string, rule?: PolicyRule): SQL => {
  const failed = changeArticle(
    'failed_article',
    { publishState: 'failed', publishError: reason, updatedAt: ctx.now() },
    {
      where: sql`${and(eq(articles.id, articleId), statusAllows('go_live'), eq(articles.publishState, 'idle'))}`,
      returning: { accountId: articles.accountId },
    },
  )
  return statement({
    parts: [failed],
    audit: audit(ctx, {
      of: failed,
      account: failed.c.accountId,
      action: 'article.publish_failed',
      on: ['article', failed.c.id],
      detail: { reason, ...(rule === undefined ? {} : { rule }) },
    }),
    answer: { id: failed.c.id },
  })
}

/** Releases a due article of a project that is archived, or whose policy forbids it for now. The clock claims it again. */
export const letDueGo = (articleId: number): SQL => {
  const article = changeArticle(
    'article',
    { dueTakenAt: null },
    { where: sql`${and(eq(articles.id, articleId), statusAllows('go_live'), eq(articles.publishState, 'idle'))}` },
  )
  return statement({ unaudited: 'nothing was done', parts: [article], answer: { id: article.c.id } })
}

/** Late rows looked at, and taken, at a time. */
const DUE_BATCH = 200

const a = alias(articles, 'a')
const h = alias(articles, 'h')
const c = alias(accounts, 'c')

/** True if article `a` of account `c` waits for the service's writer: it has nothing to show yet, and its plan has one. */
const AWAITS_WRITER = sql`(${c.plan} in (${PLANS_WITH_WRITER}) and ${SHOWS_NOTHING})`

/** True if the writer handed the article of `of` over with an error in its report: it goes out by hand, or with other words. */
const isUnfit = (of: typeof articles | typeof a): SQL =>
  sql`(${oneOf(of.publishState, ['failed'])} and ${of.writtenAt} is not null and ${of.generationError} is not null and ${of.claimedAt} is null)`

/** The place that a project's articles go to. */
const TARGET = sql`(select i.platform from ${integrations} i where i.project_id = ${projects.id} and i.status = 'Active')`

/** The rule of the project's policy that forbids article `a` now. One that a person has to approve is taken: they are asked then. */
const forbidding = (now: Date): SQL => sql`case when ${projects.publishingStatus} = 'Publish Immediately'
  then ${ruleFor({ activity: 'publish', now, target: TARGET, articleId: sql`${a.id}`, isApproved: sql`true` })}
  else ${ruleFor({ activity: 'publish', now, target: TARGET, isSettled: true })} end`

/** True if article `a` waits for what its project's policy forbids now, as a condition. */
const waitsForPolicy = (now: Date): SQL => sql`coalesce(${forbidding(now)} in (${PASSING}), false)`

/** Late articles with their project's wish, the longest overdue first. Suspended accounts and the writer's articles wait. */
const lateArticles = (name: string, now: Date, only: SQL, most = DUE_BATCH) =>
  select(
    name,
    {
      id: a.id,
      projectId: a.projectId,
      scheduledAt: a.scheduledAt,
      publishingStatus: projects.publishingStatus,
      rule: forbidding(now),
    },
    sql`from ${articles} a
      join ${projects} on ${projects.id} = ${a.projectId} and ${projects.status} = 'Active'
      ${JOIN_POLICY}
      join ${accounts} c on ${c.id} = ${a.accountId} and ${c.suspendedAt} is null
      where ${statusAllows('go_live', 'a')} and ${oneOf(a.publishState, ['idle', 'failed'])} and ${a.dueTakenAt} is null
        and ${a.scheduledAt} <= ${at(now)} and ${a.writingStartedAt} is null and ${only} and not ${AWAITS_WRITER}
        and not ${isUnfit(a)}
      order by ${a.scheduledAt}, ${a.id} limit ${sql.raw(String(most))}`,
    { materialized: true },
  )

/**
 * Time for which an article that was claimed and not sent holds up the next one of its project, ms.
 *
 * It is longer than the wait for the account's next minute. After that its run is dead, and its lease brings it back.
 */
const TAKEN_MS = 70_000

/** No article of the project is in the clock's hands: taken a moment ago, or being sent and its project's turn not over. */
const noneInHand = (now: Date): SQL => sql`not exists (select 1 from ${articles} h where ${h.projectId} = ${a.projectId}
  and ${statusAllows('go_live', 'h')} and ${h.dueTakenAt} is not null
  and ((${oneOf(h.publishState, ['idle'])} and ${h.dueTakenAt} > ${at(new Date(now.getTime() - TAKEN_MS))})
    or (${oneOf(h.publishState, ['publishing'])} and ${projects.publishingUntil} > ${at(now)})))`

/** True if a late article can still be taken, asked of its locked row. */
const isStillLate = (now: Date): SQL =>
  sql`${and(statusAllows('go_live'), oneOf(articles.publishState, ['idle', 'failed']), lte(articles.scheduledAt, now))}
    and not ${isUnfit(articles)}`

const IN_ORDER = { orderBy: asc(articles.id), lock: 'update', skipLocked: true } as const

/** Parts that make late articles of `Save as Drafts` projects drafts. */
const saveAsDrafts = (now: Date, here: SQL) => {
  const late = lateArticles('to_draft', now, sql`${here} and ${projects.publishingStatus} = 'Save as Drafts'`)
  const locked = read(
    'locked_drafts',
    articles,
    { id: articles.id },
    { from: [late], where: sql`${eq(articles.id, late.c.id)} and ${isStillLate(now)}`, ...IN_ORDER },
  )
  const drafted = changeArticle(
    'drafted',
    { status: statusAfter('keep_draft'), publishState: 'idle', publishError: null, updatedAt: now },
    { from: [locked], where: eq(articles.id, locked.c.id), returning: { accountId: articles.accountId } },
  )
  return { drafted, parts: [late, locked, drafted] }
}

/** Late articles that are to be published, of projects that have none in hand. */
const lateToPublish = (now: Date, here: SQL, most: number) =>
  lateArticles(
    'late',
    now,
    sql`${here} and ${projects.publishingStatus} <> 'Save as Drafts' and ${noneInHand(now)} and not ${waitsForPolicy(now)}`,
    most,
  )

/** Message of a late article while its project's policy keeps it back. */
const REASON: SQL = sql.raw(
  `case rule ${Object.entries(WAITS)
    .map(([rule, reason]) => `when '${rule}' then '${reason.replaceAll("'", "''")}'`)
    .join(' ')} end`,
)

/** Parts that have late articles say for which rule they wait, once for each rule. */
const sayWhyLate = (now: Date, here: SQL) => {
  const kept = lateArticles(
    'kept',
    now,
    sql`${here} and ${projects.publishingStatus} <> 'Save as Drafts' and ${waitsForPolicy(now)}`,
  )
  const reasons = query(
    'reasons',
    ['id', 'rule', 'reason'],
    sql`select id, rule, ${REASON} as reason from ${kept.rows}`,
  )
  const waiting = changeArticle(
    'waiting',
    { publishState: 'idle', publishError: reasons.c.reason },
    {
      from: [reasons],
      where: sql`${eq(articles.id, reasons.c.id)} and ${articles.publishError} is distinct from ${reasons.c.reason}
        and ${isNull(articles.dueTakenAt)} and ${isStillLate(now)}`,
      returning: { accountId: articles.accountId, rule: reasons.c.rule },
    },
  )
  return { waiting, parts: [kept, reasons, waiting] }
}

/** Parts that claim these articles for the clock, with the publication job of each. */
const claimChosen = (chosen: Part<'id' | 'publishingStatus'>, now: Date) => {
  const locked = read(
    'locked_firsts',
    articles,
    { id: articles.id, publishingStatus: chosen.c.publishingStatus },
    {
      from: [chosen],
      where: sql`${and(eq(articles.id, chosen.c.id), isNull(articles.dueTakenAt))} and ${isStillLate(now)}`,
      ...IN_ORDER,
    },
  )
  const taken = changeArticle(
    'taken',
    { dueTakenAt: now, publishState: 'idle', publishError: null },
    {
      from: [locked],
      where: eq(articles.id, locked.c.id),
      returning: { accountId: articles.accountId, publishingStatus: locked.c.publishingStatus },
    },
  )
  const publication = {
    from: taken,
    account: taken.c.accountId,
    payload: { article_id: taken.c.id, live: sql`${taken.c.publishingStatus} = 'Publish Immediately'` },
    // An article that is taken again, with another date, is work of its own: the run that is under way may still end.
    apart: String(now.getTime()),
    runAt: now,
    open: 'keep',
  } as const
  return { taken, publication, parts: [locked, taken] }
}

/** Parts that claim the longest overdue article of every other project, unless one is being published, and queue its publication. */
const claimForPublication = (now: Date, here: SQL) => {
  const late = lateToPublish(now, here, DUE_BATCH)
  const { id, projectId, scheduledAt, publishingStatus } = late.c
  const firsts = query(
    'firsts',
    ['id', 'publishingStatus'],
    sql`select distinct on (${projectId}) ${id}, ${publishingStatus} from ${late.rows} order by ${projectId}, ${scheduledAt}, ${id}`,
  )
  const { taken, publication, parts } = claimChosen(firsts, now)
  return { taken, parts: [late, firsts, parts, publishDueJob.enqueue(publication)] }
}

/**
 * Claims the project's longest overdue article, unless one is being published, with its publication as work that the caller goes on
 * with. Answers that outbox row; none where there is nothing to take.
 */
export const leaseNextDue = (now: Date, projectId: number, leaseUntil: Date): SQL => {
  const late = lateToPublish(now, eq(a.projectId, projectId), 1)
  const { publication, parts } = claimChosen(late, now)
  const held = publishDueJob.enqueueHeld(publication, leaseUntil)
  return statement({
    unaudited: 'what becomes of the article is written down when its publication ends',
    parts: [late, parts, held],
    answer: { id: held.c.id, payload: held.c.payload },
  })
}

/**
 * Claims late articles, each once. Returns the number of each kind.
 *
 * Of `Save as Drafts` projects it claims as many as a batch has, which become drafts here. Of every other project it claims the
 * longest overdue one, unless one is being published, and its publishing job is written in this same statement. What the
 * project's policy forbids now waits, and has the reason. `projectId` narrows it to one project.
 */
export const claimDue = (now: Date, projectId: number | null): SQL => {
  const here = projectId === null ? sql`true` : eq(a.projectId, projectId)
  const { drafted, parts: drafting } = saveAsDrafts(now, here)
  const { waiting, parts: saying } = sayWhyLate(now, here)
  const byCron = { actor: () => 'cron:minute', now: () => now }
  const { taken, parts: taking } = claimForPublication(now, here)
  return statement({
    parts: [drafting, saying, taking],
    audit: [
      audit(byCron, {
        of: drafted,
        account: drafted.c.accountId,
        action: 'article.saved_as_draft_on_its_date',
        on: ['article', drafted.c.id],
      }),
      audit(byCron, {
        of: waiting,
        account: waiting.c.accountId,
        action: 'article.waits_for_policy',
        on: ['article', waiting.c.id],
        detail: sql`jsonb_build_object('rule', ${waiting.c.rule})`,
        name: 'audited_waiting',
      }),
    ],
    answer: { taken: countOf(taken), drafted: countOf(drafted) },
    answerFrom: ONE_ROW,
  })
}
