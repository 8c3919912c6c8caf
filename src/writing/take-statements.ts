import { type SQL, sql } from 'drizzle-orm'
import { PLANS_WITH_WRITER } from '../accounts/credits.ts'
import { mayMove, SHOWS_NOTHING } from '../articles/standing-queries.ts'
import { progressOf } from './rules.ts'
import { at, queueWriting } from './statements.ts'

/** How long before its date the writer takes an article. */
const WINDOW = sql`interval '72 hours'`
/** Articles looked at, and taken, in one go; being written at once in one project. */
const LOOKED_AT = sql.raw('200')
const TAKEN_AT_ONCE = sql.raw('25')
const PER_PROJECT = sql.raw('3')
/** Content as long as this is the caller's own. */
const OWN_CONTENT = sql.raw('2000')
/** How long an article waits for the next look when the account had no credit for it. */
const WITHOUT_CREDIT = sql`interval '1 hour'`
const NO_CREDIT =
  'The writer could not begin: the account has no article credit left. It tries again when there is one; to write the article yourself, save its content with PUT /articles/:id.'

/**
 * Whether the writer may take planned article `a` at this instant: its date is near, nobody claimed it, it was not written
 * before, and the words it has are notes. Once its date has come only one with nothing to show is taken, also when it was
 * given up for that; any other goes out as it is.
 */
const isOpen = (now: Date): SQL =>
  sql`${mayMove('write', now, 'a')} and a.claimed_at is null and a.written_at is null and a.scheduled_at <= ${at(now)} + ${WINDOW}
    and (a.write_after is null or a.write_after <= ${at(now)}) and length(a.content) < ${OWN_CONTENT}
    and (a.scheduled_at > ${at(now)} or ${SHOWS_NOTHING})
    and (a.publish_state = 'idle' and a.due_taken_at is null or a.publish_state = 'failed' and ${SHOWS_NOTHING})`

/** How many articles of an open one's project are being written. */
const WRITING = sql`(select count(*) from articles g where g.project_id = open.project_id and g.status = 'Generating')`

/**
 * Takes planned articles over, a credit for each, in one statement: the account's row is locked first, then the article's,
 * and both are asked again as they then are. Who claims an article at the same moment either finds it taken or keeps it.
 * `only` narrows it to one article. Articles the account has no credit for are told so. Answers `taken` and `unpaid`.
 */
export const takeToWrite = (now: Date, only: number | null): SQL =>
  sql`with open as (select a.id, a.account_id, a.project_id, a.scheduled_at,
        row_number() over (partition by a.project_id order by a.scheduled_at, a.id) as turn
      from articles a join projects p on p.id = a.project_id and p.status = 'Active'
      join accounts c on c.id = a.account_id and c.suspended_at is null and c.plan in (${PLANS_WITH_WRITER})
      where ${isOpen(now)} and (${only}::int is null or a.id = ${only}::int)),
    near as materialized (select * from open where turn <= ${PER_PROJECT} and turn + ${WRITING} <= ${PER_PROJECT}
      order by scheduled_at, id limit ${LOOKED_AT}),
    purses as materialized (select id, article_credits from accounts where id in (select account_id from near)
      order by id for no key update skip locked),
    ranked as materialized (select near.id, near.scheduled_at, purses.article_credits,
        row_number() over (partition by near.account_id order by near.scheduled_at, near.id) as nth
      from near join purses on purses.id = near.account_id),
    chosen as materialized (select id from ranked where nth <= article_credits order by scheduled_at, id limit ${TAKEN_AT_ONCE}),
    locked as materialized (select a.id, a.account_id, a.content, a.instructions from articles a
      where a.id in (select id from chosen) and ${isOpen(now)} order by a.id for no key update of a skip locked),
    taken as (update articles a set status = 'Generating', writing_started_at = ${at(now)}, generation_error = null,
        progress = ${JSON.stringify(progressOf(null, 0))}::jsonb, updated_at = ${at(now)}
      from locked where a.id = locked.id returning a.id, a.account_id),
    paid as (update accounts c set article_credits = c.article_credits - t.count
      from (select account_id, count(*) from taken group by account_id) t where c.id = t.account_id returning c.id),
    begun as (insert into article_writings (article_id, kind, notes, credit_taken, started_at, updated_at)
      select taken.id, 'scheduled', locked.content, true, ${at(now)}, ${at(now)} from taken join locked on locked.id = taken.id
      on conflict (article_id) do update set kind = 'scheduled', notes = excluded.notes, brief = null, outline = null, sections = '[]'::jsonb,
        repairs = 0, failures = 0, credit_taken = true, step = article_writings.step + 1, updated_at = excluded.updated_at
      returning article_id)
    ${queueWriting(sql`taken`, now)},
    unpaid as (update articles a set generation_error = ${NO_CREDIT}::text, write_after = ${at(now)} + ${WITHOUT_CREDIT}
      where a.id in (select id from ranked where nth > article_credits) and a.id not in (select id from locked)
        and a.status = 'Planned' and a.writing_started_at is null returning a.id),
    audited as (insert into audit_log (account_id, actor, action, subject, at)
      select account_id, 'cron:minute', 'article.taken_by_writer', 'article:' || id, ${at(now)} from taken returning id)
    select (select count(*)::int from taken) as taken, (select count(*)::int from unpaid) as unpaid`
