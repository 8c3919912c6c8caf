import { and, type SQL, sql } from 'drizzle-orm'
import { literals } from '../../../schema/columns.ts'
import { auditLog } from '../../../schema/kernel.ts'
import { isDeputyNow } from '../../../schema/policies.ts'
import type { ApprovalStatus } from '../../../schema/values/approvals.ts'
import type { ARTICLE_STATUSES, PublishState } from '../../../schema/values/articles.ts'
import type { AuditAction } from '../../../schema/values/audit.ts'
import type { NoticeChoice, ToldKind } from '../../../schema/values/notices.ts'
import { PROJECT_ROLES, type Role } from '../../../schema/values/people.ts'
import type { PostStatus } from '../../../schema/values/social.ts'
import { isServed } from '../../platform/accounts/parts.ts'
import type { Db } from '../../platform/db/client.ts'
import { inFeedOrder, isBehind, isSettled } from '../../platform/db/feed.ts'
import { at } from '../../platform/db/instant.ts'
import { PATHS } from '../people/paths.ts'
import { actionsOf, type EventKind, toldActions } from './kinds.ts'
import { FEW_CREDITS } from './rules.ts'

const FAILED = literals(['failed'] satisfies PublishState[])
const UNDONE = literals(['failed'] satisfies ApprovalStatus[])
const REPLACED = literals(['superseded'] satisfies ApprovalStatus[])
const SPOILT = literals(['failed'])
const UNSENT = literals(['failed'] satisfies PostStatus[])
const PUBLISHED = literals(['Published'] satisfies (typeof ARTICLE_STATUSES)[number][])
const TOLD = literals(toldActions())
const PLANNED = literals(['Planned'] satisfies (typeof ARTICLE_STATUSES)[number][])

/** Number of audit entries that one run reads, and of notices that one run mails. */
const BATCH = 500

/** Condition: a notice or a digest is due. */
export const isDue = (
  now: Date,
): SQL => sql`(exists (select from notices where ended_at is null and due_at <= ${at(now)})
  or exists (select from notice_settings where digest_at <= ${at(now)}))`

/** Event for one person. `choice` is null if they have not chosen. */
export type Event = {
  person_id: string
  account_id: number
  kind: EventKind
  action: AuditAction
  key: string
  subject: string
  choice: NoticeChoice | null
  timezone: string
}

/** Returns the position of the cursor, and the entries behind it that can be read in this batch, in order. */
export const cursorRow = (db: Db) =>
  db.execute<{ entry_id: number; next_ids: number[] }>(sql`select c.entry_id, array(
    select ${auditLog.id} from ${auditLog} where ${and(isBehind(sql`c.entry_id`), isSettled)}
    order by ${inFeedOrder} limit ${BATCH}::int) as next_ids
    from notice_cursor c where c.id = 1`)

/** Returns the project of a subject such as `article:7`; null for a subject without a project. */
const projectOf = (subject: SQL): SQL => {
  const id = sql`split_part(${subject}, ':', 2)::int`
  return sql`(case split_part(${subject}, ':', 1)
    when 'article' then (select project_id from articles where id = ${id})
    when 'delivery' then (select project_id from deliveries where id = ${id})
    when 'suggestion' then (select project_id from suggestions where id = ${id})
    when 'social_post' then (select project_id from social_posts where id = ${id})
    when 'project' then ${id}
    when 'approval' then (select project_id from approvals where id = ${id}) end)`
}

const isOfSite = literals(PROJECT_ROLES)

/** Kinds of which an editor is notified, in their project. */
const FOR_EDITORS = literals([
  'publication_failed',
  'will_not_go_out',
  'draft_waits',
  'decided',
  'rewrite_ready',
  'work_failed',
] satisfies EventKind[])

/**
 * Condition: the person of the membership `m` may be notified of an event.
 *
 * Owners and members are notified of everything. An editor is notified of what they can act on in their project, a client of its
 * approvals, and so is a deputy. Reading a site and planning its month is for owners and members.
 */
const mayKnow = (kind: SQL, subject: SQL): SQL => sql`(m.role not in ${isOfSite} or (case m.role
  when ${'editor' satisfies Role} then ${kind} in ${FOR_EDITORS} and not (${kind} = 'work_failed' and ${subject} like 'project:%')
    or ${kind} = 'approval_wanted' and ${isDeputyNow(sql`m.person_id`, projectOf(subject))}
  else ${kind} = 'approval_wanted' end and m.project_id = ${projectOf(subject)}))`

/** Returns the condition that the entry's action makes notices of a kind. */
const tellsOf = (kind: EventKind): SQL => sql`e.action in ${literals(actionsOf(kind))}`

/** Condition: the delivery of the entry failed for good. Earlier attempts are repeated. */
const hasFailed = sql`(e.action <> 'delivery.attempt_failed' or e.detail ->> 'outcome' in ${FAILED})`
/** Condition: the network ended the account, so that the post failed. */
const isLapsed = sql`(e.action = 'social.failed' and e.detail ->> 'lapsed' is not null)`

/** Actions by which people plan an article. */
const PLANS = literals(['article.create', 'article.update', 'article.restore'] satisfies AuditAction[])
const IS_CALLER = sql.raw("'^(person|editor|key):'")

/** Returns the person of an actor: a person, or the maker of a key. Null for others. */
const personOfActor = (actor: SQL): SQL => sql`(case
  when ${actor} ~ '^(person|editor):' then split_part(${actor}, ':', 2)
  when ${actor} ~ '^key:[0-9]{1,9}$' then (select a.made_by from api_keys a
    where a.id = split_part(${actor}, ':', 2)::int and a.account_id = e.account_id) end)`

/**
 * The person who asked for the approval of the entry, as `asker.id`. If the clock asked, the one who last changed the article, and
 * so planned it. Null if it was nobody of the account.
 */
const asker = sql`lateral (select mm.person_id as id from (
    select case when v.requested_by ~ ${IS_CALLER} then v.requested_by else (
        select l.actor from audit_log l where l.subject = 'article:' || v.article_id and l.account_id = v.account_id
          and l.action in ${PLANS} and l.actor ~ ${IS_CALLER} order by l.id desc limit 1) end as actor
      from approvals v where k.kind = 'decided' and v.id = split_part(e.subject, ':', 2)::int) asked
  join memberships mm on mm.account_id = e.account_id and mm.person_id = ${personOfActor(sql`asked.actor`)})`

/**
 * Condition: the membership `m` is of a person whom a decision is for: the one who asked, else the owners and members. Whoever
 * decided knows it.
 */
const isForThem = sql`(k.kind <> 'decided' or (e.actor <> 'person:' || m.person_id
  and (m.person_id = asker.id or (asker.id is null and m.role not in ${isOfSite}))))`

/** Condition: the membership `m` is of a person who only asks. People who may decide get a mail of the approval itself. */
const isNoDecider = sql`(e.action <> 'approval.undecided'
  or (m.role = ${'editor' satisfies Role} and not ${isDeputyNow(sql`m.person_id`, projectOf(sql`e.subject`))}))`

/**
 * Returns the events of entries, with a row for each person who may be notified.
 *
 * A connection lapsed if the site or Google refuses the sign-in, or a network ended the account. An account that a person
 * disconnected did not lapse: its entry has no reason. Drafts at the site that somebody sent by hand need no notice.
 */
export const eventsOf = (db: Db, entryIds: readonly number[]) =>
  db.execute<Event>(sql`
    select m.person_id, e.account_id, k.kind, e.action, k.key, e.subject, c.choice, coalesce(z.timezone, 'UTC') as timezone
    from audit_log e join accounts x on x.id = e.account_id and x.suspended_at is null
    cross join lateral (
      select 'publication_failed' as kind, 'entry:' || e.id as key
        where ${tellsOf('publication_failed')} and ${hasFailed} and not ${isLapsed}
      union all select 'will_not_go_out', 'entry:' || e.id where ${tellsOf('will_not_go_out')}
        and (e.action <> 'article.written' or e.detail ->> 'unfit' is not null)
        and (e.action <> 'article.waits_for_policy' or e.detail ->> 'rule' = 'frozen')
      union all select 'draft_waits', 'entry:' || e.id where ${tellsOf('draft_waits')}
        and (e.action <> 'article.send_as_draft' or e.actor like 'job:%')
      union all select 'connection_lapsed', 'lapsed:' || e.id where ${tellsOf('connection_lapsed')} and case
        when e.action in ('article.sync_failed', 'delivery.attempt_failed') then ${hasFailed} and (
          select a.http_status in (401, 403) from delivery_attempts a where a.delivery_id = split_part(e.subject, ':', 2)::int
          order by a.number desc limit 1)
        when e.action = 'social.disconnect' then e.detail ->> 'reason' is not null
        when e.action = 'social.failed' then ${isLapsed}
        else true end
      union all select 'rewrite_ready', 'entry:' || e.id where ${tellsOf('rewrite_ready')}
      union all select 'work_failed', 'entry:' || e.id where ${tellsOf('work_failed')}
      union all select 'approval_wanted', 'entry:' || e.id where ${tellsOf('approval_wanted')}
      union all select 'decided', 'entry:' || e.id where ${tellsOf('decided')}
      union all select 'credits_low', 'credits:' || x.id || ':' || floor(extract(epoch from x.credits_filled_at))
        where ${tellsOf('credits_low')} and x.article_credits <= ${FEW_CREDITS}::int
    ) k
    left join ${asker} asker on true
    join memberships m on m.account_id = e.account_id and ${mayKnow(sql`k.kind`, sql`e.subject`)} and ${isForThem} and ${isNoDecider}
    join people p on p.id = m.person_id and p.email_verified
    left join notice_choices c on c.person_id = m.person_id and c.kind = k.kind
    left join notice_settings z on z.person_id = m.person_id
    where e.id = any(${sql.param(entryIds)}::int[]) and e.action in ${TOLD} order by e.tx, e.id`)

/** Notice that is due. `is_open` is true if it is still valid, and its person may still be notified of it. */
export type Due = {
  id: number
  account_id: number
  person_id: string
  email: string
  kind: ToldKind
  action: AuditAction | null
  subject: string
  is_open: boolean
  title: string | null
  path: string | null
  /** True if the article is live, and its change failed. */
  is_change: boolean
}

const number = sql`split_part(n.subject, ':', 2)::int`

/** Condition: the article of the notice, directly or through its delivery. */
const isOfArticle = sql`a.id = case when n.subject like 'article:%' then ${number}
  else (select d.article_id from deliveries d where n.subject like 'delivery:%' and d.id = ${number}) end`

const ARTICLE = sql`coalesce(nullif(a.title, ''), a.main_keyword) as title, '/p/' || a.project_id || '/articles/' || a.id as path,
  a.status in ${PUBLISHED} as is_change from articles a where ${isOfArticle}`
const APPROVAL = sql`coalesce(nullif(v.proposed ->> 'title', ''), v.target), '/p/' || v.project_id || '/approvals/' || v.id, false
  from approvals v where n.subject like 'approval:%' and v.id = ${number}`

/** The thing that the notice `n` of the account `x` is about, as `t`. `is_open`: there is still something to do. No row if it is gone. */
const thing = sql`lateral (
      select a.publish_state in ${FAILED} as is_open, ${ARTICLE} and n.kind = 'publication_failed'
      union all select a.status not in ${PUBLISHED} and coalesce(a.generation_error, a.publish_error) is not null, ${ARTICLE} and n.kind = 'will_not_go_out'
      union all select a.status not in ${PUBLISHED}, ${ARTICLE} and n.kind = 'draft_waits'
      union all select w.status in ${UNSENT}, left(w.content, 60), '/p/' || w.project_id || '/social/' || w.id, false
        from social_posts w where n.kind = 'publication_failed' and n.subject like 'social_post:%' and w.id = ${number}
      union all select v.status in ${UNDONE}, ${APPROVAL} and n.kind = 'publication_failed'
      union all select v.status = case when n.action = 'approval.undecided' then 'awaiting' else 'expired' end, ${APPROVAL}
        and n.kind = 'will_not_go_out'
      union all select v.status not in ${REPLACED}, ${APPROVAL} and n.kind = 'decided'
      union all select v.status = 'awaiting', ${APPROVAL} and n.kind = 'approval_wanted'
      union all select i.status = 'Active' and i.last_error is not null, i.name, '/settings/integrations', false
        from deliveries d join integrations i on i.id = d.integration_id
        where n.kind = 'connection_lapsed' and n.subject like 'delivery:%' and d.id = ${number}
      union all select c.status = 'Active' and c.last_error is not null, 'Search Console (' || c.name || ')', '/settings/integrations', false
        from connections c where n.kind = 'connection_lapsed' and n.subject like 'integration:%' and c.id = ${number}
      union all select v.status = 'paused', substring(v.url from '^https?://([^/?#]+)'), ${PATHS.eventEndpoints}, false
        from event_endpoints v where n.kind = 'connection_lapsed' and n.subject like 'event_endpoint:%' and v.id = ${number}
      union all select not exists (select from social_accounts o where o.project_id = s.project_id and o.platform = s.platform
            and o.remote_id = s.remote_id and o.status = 'Active'),
          s.platform || ' account ' || coalesce(nullif(s.username, ''), s.name), '/p/' || s.project_id || '/setup', false
        from social_accounts s where n.kind = 'connection_lapsed' and n.subject like 'social_account:%' and s.id = ${number}
      union all select w.status in ${UNSENT}, w.platform || ' account ' || w.social_account_id, '/p/' || w.project_id || '/setup', false
        from social_posts w where n.kind = 'connection_lapsed' and n.subject like 'social_post:%' and w.id = ${number}
      union all select case n.kind when 'rewrite_ready' then s.status = 'ready' else s.status in ${SPOILT} end, s.article_title,
          '/p/' || s.project_id || '/suggestions/' || s.id, false
        from suggestions s where n.kind in ('rewrite_ready', 'work_failed') and n.subject like 'suggestion:%' and s.id = ${number}
      union all select j.status = 'Active' and case n.action when 'project.scan_failed' then j.site_scan_state in ${SPOILT}
            else j.onboarding_error is not null end,
          coalesce(nullif(j.business_name, ''), j.website_url), '/p/' || j.id || '/setup', false
        from projects j where n.kind = 'work_failed' and n.subject like 'project:%' and j.id = ${number}
      union all select x.article_credits <= ${FEW_CREDITS}::int, x.article_credits::text, '/settings/billing', false
        where n.kind = 'credits_low'
      union all select j.backlinks_network and j.status = 'Active', coalesce(nullif(j.business_name, ''), j.website_url), '/p/' || j.id || '/settings/links', false
        from projects j where n.kind = 'exchange_asked' and j.id = ${number}
    )`

/** Condition: the membership `m` is of the person of the notice `n`, who may still know of it. */
const isTheirs = sql`m.person_id = n.person_id and m.account_id = n.account_id and ${mayKnow(sql`n.kind`, sql`n.subject`)}`

/** Returns the notices that are due, oldest first. */
export const dueNotices = (db: Db, now: Date) =>
  db.execute<Due>(sql`
    select n.id, n.account_id, n.person_id, p.email, n.kind, n.action, n.subject, t.title, t.path, coalesce(t.is_change, false) as is_change,
      coalesce(t.is_open, false) and exists (select from memberships m where ${isTheirs}) and x.suspended_at is null as is_open
    from (select * from notices where ended_at is null and due_at <= ${at(now)} order by due_at limit ${BATCH}::int) n
    join people p on p.id = n.person_id join accounts x on x.id = n.account_id
    left join ${thing} t on true
    order by n.id`)

/** Notice on the page of a person. `title` and `path` are null if its thing is gone. */
export type Listed = {
  id: number
  kind: ToldKind
  action: AuditAction | null
  at: Date
  is_read: boolean
  is_open: boolean
  title: string | null
  path: string | null
  is_change: boolean
}

/** Person with the account they work in. */
export type Reader = { personId: string; accountId: number }

/** Returns a query for the notices `n` of a person in one account that they may see, with the membership `m`. */
const ofReader = ({ personId, accountId }: Reader): SQL =>
  sql`notices n join memberships m on ${isTheirs} where n.person_id = ${personId} and n.account_id = ${accountId}::int`

/** Returns a person's notices in an account, newest first, one more than `limit`. */
export const listedNotices = (db: Db, reader: Reader, { before, limit }: { before: number; limit: number }) =>
  db.execute<Listed>(sql`
    select n.id, n.kind, n.action, n.created_at as at, n.read_at is not null as is_read, coalesce(t.is_open, false) as is_open, t.title, t.path,
      coalesce(t.is_change, false) as is_change
    from (select n.* from ${ofReader(reader)} and (${before}::int = 0 or n.id < ${before}::int) order by n.id desc limit ${limit + 1}::int) n
    join accounts x on x.id = n.account_id
    left join ${thing} t on true
    order by n.id desc`)

/** Largest number of unread notices that the menu shows. */
const MOST_UNREAD = 99

/** Returns the number of a person's unread notices in an account, at most `MOST_UNREAD`. */
export const unreadNotices = (db: Db, reader: Reader) =>
  db.execute<{ n: number }>(sql`select count(*)::int as n from (
    select from ${ofReader(reader)} and n.read_at is null limit ${sql.raw(String(MOST_UNREAD))}) unread`)

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
