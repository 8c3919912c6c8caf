import { type SQL, sql } from 'drizzle-orm'
import { literals } from '../../../schema/columns.ts'
import type { ARTICLE_STATUSES, PublishState } from '../../../schema/values/articles.ts'
import type { NoticeChoice, ToldKind } from '../../../schema/values/notices.ts'
import { PROJECT_ROLES, type Role } from '../../../schema/values/people.ts'
import type { PostStatus } from '../../../schema/values/social.ts'
import { isServed } from '../../platform/accounts/parts.ts'
import type { Db } from '../../platform/db/client.ts'
import { at } from '../../platform/db/instant.ts'
import { FEW_CREDITS } from './rules.ts'

const FAILED = literals(['failed'] satisfies PublishState[])
const UNSENT = literals(['failed'] satisfies PostStatus[])
const PUBLISHED = literals(['Published'] satisfies (typeof ARTICLE_STATUSES)[number][])
const PLANNED = literals(['Planned'] satisfies (typeof ARTICLE_STATUSES)[number][])

/** Number of audit entries that one run reads, and of notices that one run mails. */
const BATCH = 500

/** Condition: people may be notified of the audit entry. */
const isTold = sql`e.action in ('delivery.attempt_failed', 'article.publish_failed', 'article.sync_failed', 'suggestion.stage',
  'approval.requested', 'article.generate', 'article.taken_by_writer', 'integration.lapsed', 'social.disconnect', 'social.failed')`

/** Condition: no transaction that began before the entry was written is open, so that no entry with a smaller id can follow. */
const isSettled = sql`age(e.xmin) > age(pg_snapshot_xmin(pg_current_snapshot())::xid)`

/** Condition: a notice or a digest is due. */
export const isDue = (
  now: Date,
): SQL => sql`(exists (select from notices where ended_at is null and due_at <= ${at(now)})
  or exists (select from notice_settings where digest_at <= ${at(now)}))`

/** Event for one person. `choice` is null if they have not chosen. */
export type Event = {
  person_id: string
  account_id: number
  kind: Exclude<ToldKind, 'exchange_asked'>
  key: string
  subject: string
  choice: NoticeChoice | null
  timezone: string
}

/** Returns the position of the cursor, and the last entry that can be read in this batch. */
export const cursorRow = (db: Db) =>
  db.execute<{ entry_id: number; last_id: number | null }>(sql`select c.entry_id, (select max(id) from (
    select e.id from audit_log e where e.id > c.entry_id and ${isSettled} order by e.id limit ${BATCH}::int) seen) as last_id
    from notice_cursor c where c.id = 1`)

/** Returns the project of a subject such as `article:7`; null for a subject without a project. */
const projectOf = (subject: SQL): SQL => {
  const id = sql`split_part(${subject}, ':', 2)::int`
  return sql`(case split_part(${subject}, ':', 1)
    when 'article' then (select project_id from articles where id = ${id})
    when 'delivery' then (select project_id from deliveries where id = ${id})
    when 'suggestion' then (select project_id from suggestions where id = ${id})
    when 'approval' then (select project_id from approvals where id = ${id}) end)`
}

const isOfSite = literals(PROJECT_ROLES)

/**
 * Condition: the person of the membership `m` may be notified of an event.
 *
 * Owners and members are notified of everything. An editor is notified of failed publications and rewrites in their project, a
 * client of its approvals.
 */
const mayKnow = (kind: SQL, subject: SQL): SQL => sql`(m.role not in ${isOfSite} or (case m.role
  when ${'editor' satisfies Role} then ${kind} in ('publication_failed', 'rewrite_ready')
  else ${kind} = 'approval_wanted' end and m.project_id = ${projectOf(subject)}))`

/**
 * Returns the events since the cursor, with a row for each person who may be notified.
 *
 * A connection lapsed if the site or Google refuses the sign-in, or a network ended the account. An account that a person
 * disconnected did not lapse: its entry has no reason.
 */
export const eventsSince = (db: Db, after: number, until: number) =>
  db.execute<Event>(sql`
    select m.person_id, e.account_id, k.kind, k.key, e.subject, c.choice, coalesce(z.timezone, 'UTC') as timezone
    from audit_log e join accounts x on x.id = e.account_id and x.suspended_at is null
    cross join lateral (
      select 'publication_failed' as kind, 'entry:' || e.id as key
        where e.action in ('article.publish_failed', 'article.sync_failed') or (e.action = 'delivery.attempt_failed' and e.detail ->> 'outcome' in ${FAILED})
      union all select 'connection_lapsed', 'lapsed:' || e.id
        where (e.action = 'article.sync_failed' or (e.action = 'delivery.attempt_failed' and e.detail ->> 'outcome' in ${FAILED})) and (
          select a.http_status in (401, 403) from delivery_attempts a where a.delivery_id = split_part(e.subject, ':', 2)::int
          order by a.number desc limit 1)
      union all select 'connection_lapsed', 'lapsed:' || e.id
        where e.action = 'integration.lapsed' or (e.action = 'social.disconnect' and e.detail ->> 'reason' is not null)
          or (e.action = 'social.failed' and e.detail ->> 'lapsed' is not null)
      union all select 'rewrite_ready', 'entry:' || e.id where e.action = 'suggestion.stage'
      union all select 'approval_wanted', 'entry:' || e.id where e.action = 'approval.requested'
      union all select 'credits_low', 'credits:' || x.id || ':' || floor(extract(epoch from x.credits_filled_at))
        where e.action in ('article.generate', 'article.taken_by_writer') and x.article_credits <= ${FEW_CREDITS}::int
    ) k
    join memberships m on m.account_id = e.account_id and ${mayKnow(sql`k.kind`, sql`e.subject`)}
    join people p on p.id = m.person_id and p.email_verified
    left join notice_choices c on c.person_id = m.person_id and c.kind = k.kind
    left join notice_settings z on z.person_id = m.person_id
    where e.id > ${after}::int and e.id <= ${until}::int and ${isTold} order by e.id`)

/** Notice that is due. `is_open` is true if it is still valid, and its person may still be notified of it. */
export type Due = {
  id: number
  account_id: number
  person_id: string
  email: string
  kind: ToldKind
  subject: string
  is_open: boolean
  title: string | null
  path: string | null
  /** True if the article is live, and its change failed. */
  is_change: boolean
}

const number = sql`split_part(n.subject, ':', 2)::int`

/** Returns the notices that are due, oldest first. */
export const dueNotices = (db: Db, now: Date) =>
  db.execute<Due>(sql`
    select n.id, n.account_id, n.person_id, p.email, n.kind, n.subject, t.title, t.path, coalesce(t.is_change, false) as is_change,
      coalesce(t.is_open, false) and exists (select from memberships m where m.person_id = n.person_id and m.account_id = n.account_id
          and ${mayKnow(sql`n.kind`, sql`n.subject`)})
        and x.suspended_at is null as is_open
    from (select * from notices where ended_at is null and due_at <= ${at(now)} order by due_at limit ${BATCH}::int) n
    join people p on p.id = n.person_id join accounts x on x.id = n.account_id
    left join lateral (
      select a.publish_state in ${FAILED} as is_open, coalesce(nullif(a.title, ''), a.main_keyword) as title,
          '/p/' || a.project_id || '/articles/' || a.id as path, a.status in ${PUBLISHED} as is_change
        from articles a where n.kind = 'publication_failed' and a.id = case when n.subject like 'article:%' then ${number}
          else (select d.article_id from deliveries d where n.subject like 'delivery:%' and d.id = ${number}) end
      union all select i.status = 'Active' and i.last_error is not null, i.name, '/settings/integrations', false
        from deliveries d join integrations i on i.id = d.integration_id
        where n.kind = 'connection_lapsed' and n.subject like 'delivery:%' and d.id = ${number}
      union all select c.status = 'Active' and c.last_error is not null, 'Search Console (' || c.name || ')', '/settings/integrations', false
        from connections c where n.kind = 'connection_lapsed' and n.subject like 'integration:%' and c.id = ${number}
      union all select not exists (select from social_accounts o where o.project_id = s.project_id and o.platform = s.platform
            and o.remote_id = s.remote_id and o.status = 'Active'),
          s.platform || ' account ' || coalesce(nullif(s.username, ''), s.name), '/p/' || s.project_id || '/setup', false
        from social_accounts s where n.kind = 'connection_lapsed' and n.subject like 'social_account:%' and s.id = ${number}
      union all select w.status in ${UNSENT}, w.platform || ' account ' || w.social_account_id, '/p/' || w.project_id || '/setup', false
        from social_posts w where n.kind = 'connection_lapsed' and n.subject like 'social_post:%' and w.id = ${number}
      union all select s.status = 'ready', s.article_title, '/p/' || s.project_id || '/suggestions/' || s.id, false
        from suggestions s where n.kind = 'rewrite_ready' and s.id = ${number}
      union all select v.status = 'awaiting', coalesce(v.proposed ->> 'title', v.target), '/p/' || v.project_id || '/approvals/' || v.id, false
        from approvals v where n.kind = 'approval_wanted' and v.id = ${number}
      union all select x.article_credits <= ${FEW_CREDITS}::int, x.article_credits::text, '/settings/billing', false
        where n.kind = 'credits_low'
      union all select j.backlinks_network and j.status = 'Active', coalesce(nullif(j.business_name, ''), j.website_url), '/p/' || j.id || '/settings/links', false
        from projects j where n.kind = 'exchange_asked' and j.id = ${number}
    ) t on true
    order by n.id`)

/** Returns the digests that are due, with a row for each active project that the person sees. `name` is null if there is none. */
export const dueDigests = (db: Db, now: Date) =>
  db.execute<{
    person_id: string
    email: string
    timezone: string
    name: string | null
    published: number
    failed: number
    planned: number
    ready: number
  }>(sql`
    select z.person_id, p.email, z.timezone, coalesce(nullif(j.business_name, ''), j.website_url) as name,
      (select count(*)::int from articles a where a.project_id = j.id and a.status in ${PUBLISHED} and a.published_at > ${at(now)} - interval '7 days') as published,
      (select count(*)::int from articles a where a.project_id = j.id and a.publish_state in ${FAILED}) as failed,
      (select count(*)::int from articles a where a.project_id = j.id and a.status in ${PLANNED} and a.scheduled_at between ${at(now)} and ${at(now)} + interval '7 days') as planned,
      (select count(*)::int from suggestions s where s.project_id = j.id and s.status = 'ready') as ready
    from (select * from notice_settings where digest_at <= ${at(now)} order by digest_at limit 100) z
    join people p on p.id = z.person_id
    left join memberships m on m.person_id = p.id and ${isServed(sql`m.account_id`)}
    left join projects j on j.account_id = m.account_id and j.status = 'Active'
      and (m.role not in ${isOfSite} or j.id = m.project_id)
    order by z.person_id, j.id`)
