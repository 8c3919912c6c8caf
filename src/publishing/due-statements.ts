import { type SQL, sql } from 'drizzle-orm'
import { PLANS_WITH_WRITER } from '../accounts/credits.ts'
import { SHOWS_NOTHING } from '../articles/standing-queries.ts'
import type { Ctx } from '../runtime/ctx.ts'
import { at } from './statements.ts'

/** Notes why a due article could not even be tried. */
export const failDue = (ctx: Ctx, articleId: number, reason: string): SQL =>
  sql`update articles set publish_state = 'failed', publish_error = ${reason}, updated_at = ${at(ctx.now())}
    where id = ${articleId}::int and status = 'Planned' and publish_state = 'idle' returning id`

/** Late rows looked at, and taken, at a time. */
const DUE_BATCH = sql.raw('200')

/** Whether article `a` of account `c` waits for the service's writer: it has nothing to show yet, and its plan has one. */
const AWAITS_WRITER = sql`(c.plan in (${PLANS_WITH_WRITER}) and ${SHOWS_NOTHING})`

/** Late articles with their project's wish, the longest overdue first. Suspended accounts and the writer's articles wait. */
const lateRows = (now: Date, only: SQL): SQL =>
  sql`select a.id, a.account_id, a.project_id, a.scheduled_at, p.publishing_status from articles a
      join projects p on p.id = a.project_id and p.status = 'Active'
      join accounts c on c.id = a.account_id and c.suspended_at is null
      where a.status = 'Planned' and a.publish_state in ('idle', 'failed') and a.due_taken_at is null and a.scheduled_at <= ${at(now)}
        and a.writing_started_at is null and ${only} and not ${AWAITS_WRITER}
      order by a.scheduled_at, a.id limit ${DUE_BATCH}`

/** No article of the project is in the clock's hands: taken and not yet sent, or being sent. */
const NONE_IN_HAND = sql`not exists (select 1 from articles h where h.project_id = a.project_id and h.status = 'Planned'
  and h.due_taken_at is not null and h.publish_state in ('idle', 'publishing'))`

/**
 * Takes late articles, each once: of `Save as Drafts` projects as many as a batch holds, which become drafts here; of every
 * other project the longest overdue one, unless one is in hand, and its publishing job leaves in this same statement.
 * `projectId` narrows it to one project. Answers how many of each.
 */
export const takeDue = (now: Date, projectId: number | null): SQL => {
  const here = projectId === null ? sql`true` : sql`a.project_id = ${projectId}::int`
  return sql`with to_draft as materialized (${lateRows(now, sql`${here} and p.publishing_status = 'Save as Drafts'`)}),
    late as materialized (${lateRows(now, sql`${here} and p.publishing_status <> 'Save as Drafts' and ${NONE_IN_HAND}`)}),
    firsts as materialized (select distinct on (project_id) id, publishing_status from late order by project_id, scheduled_at, id),
    free as materialized (select a.id, firsts.publishing_status from articles a join firsts on firsts.id = a.id
      where a.status = 'Planned' and a.due_taken_at is null and a.publish_state in ('idle', 'failed') and a.scheduled_at <= ${at(now)}
      order by a.id for update of a skip locked),
    taken as (update articles a set due_taken_at = ${at(now)}, publish_state = 'idle', publish_error = null from free
      where a.id = free.id returning a.id, a.account_id, free.publishing_status),
    ripe as materialized (select a.id from articles a join to_draft on to_draft.id = a.id
      where a.status = 'Planned' and a.publish_state in ('idle', 'failed') and a.scheduled_at <= ${at(now)}
      order by a.id for update of a skip locked),
    drafted as (update articles a set status = 'Draft', publish_state = 'idle', publish_error = null, updated_at = ${at(now)} from ripe
      where a.id = ripe.id returning a.id, a.account_id),
    queued as (insert into outbox (account_id, job, key, payload, run_at)
      select account_id, 'publishing.publish_due', 'publish_due:' || id || ':' || ${now.getTime()}::bigint,
        jsonb_build_object('article_id', id, 'live', publishing_status = 'Publish Immediately'), ${at(now)} from taken
      on conflict (key) where done_at is null and dead_at is null do nothing returning id),
    audited as (insert into audit_log (account_id, actor, action, subject, at)
      select account_id, 'cron:minute', 'article.saved_as_draft_on_its_date', 'article:' || id, ${at(now)} from drafted returning id)
    select (select count(*) from taken) as taken, (select count(*) from drafted) as drafted`
}
