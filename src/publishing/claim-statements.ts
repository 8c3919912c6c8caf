import { type SQL, sql } from 'drizzle-orm'
import { mayMove } from '../articles/standing-queries.ts'
import type { Ctx } from '../runtime/ctx.ts'
import { PUBLICATIONS_PER_MINUTE } from './rules.ts'
import { at, attemptRow, insertDelivery, interrupted, type NewDelivery, wakeRow } from './statements.ts'

type Holding = {
  articleId: number
  accountId: number
  projectId: number
  /** The revision that goes out. */
  revision: number
  /** Where `columns` make it of the one before: that one. */
  readRevision?: number
  columns?: Record<string, SQL> | undefined
  lease: Date
  /** Whether the clock sends it, which has to wait for the account's next minute; a call by hand is only counted. */
  byClock: boolean
}

/** How a claim ended: the delivery when it was made, else what was in the way. No row: the account or project is gone. */
export type ClaimRow = {
  id: number | null
  attempts: number | null
  /** The article may not be published now: somebody holds it, or it is not as it was read. */
  held: boolean
  /** Another article of the project is being published. */
  busy: boolean
  /** The account has had its publications of this minute. */
  full: boolean
}

const minuteOf = (now: Date): Date => new Date(Math.floor(now.getTime() / 60_000) * 60_000)

/** What publication changes of an article nobody claimed, for the update that takes it. */
const preparation = ({ columns, revision }: Holding): SQL => {
  if (!columns) return sql``
  const sets = Object.entries(columns).map(([column, value]) => sql`, ${sql.raw(column)} = ${value}`)
  return sql`, revision = ${revision}::int ${sql.join(sets, sql` `)}`
}

/** Keeps the version before: a CTE reads what stood there when the statement began, which is the revision that was read. */
const keptVersion = ({ columns }: Holding): SQL =>
  columns
    ? sql`, kept as (insert into article_revisions (article_id, revision, title, meta_description, content)
      select id, revision, title, meta_description, content from articles where id in (select id from art) on conflict do nothing returning id)`
    : sql``

/**
 * Locks account, project, the `open` delivery that is taken up again, and article, reads from the locked rows whether it is
 * the article's turn, and takes the article if it is. The open delivery's own turn is no obstacle.
 */
const takeTurn = (d: Holding, now: Date, open: number | null, asRead: SQL): SQL =>
  sql`acc as materialized (select id, coalesce(publish_minute = ${at(minuteOf(now))} and published_in_minute >= ${sql.raw(String(PUBLICATIONS_PER_MINUTE))}, false) as spent
      from accounts where id = ${d.accountId}::int for no key update),
    prj as materialized (select p.id, coalesce(p.publishing_until > ${at(now)} and p.publishing_delivery_id is distinct from ${open}::int, false) as busy
      from projects p, acc where p.id = ${d.projectId}::int for no key update of p),
    ongoing as materialized (select o.id from deliveries o, prj
      where o.id = ${open}::int and o.status in ('sending', 'retrying', 'unknown') for no key update of o),
    seen as materialized (select a.id, (a.revision = ${d.readRevision ?? d.revision}::int ${d.columns ? sql`and a.claimed_at is null` : sql``} and ${mayMove('publish', now, 'a')} and ${asRead}) as ready
      from articles a, prj where a.id = ${d.articleId}::int and a.account_id = ${d.accountId}::int for no key update of a),
    turn as materialized (select seen.id from acc, prj, seen where seen.ready and not prj.busy and not (acc.spent and ${d.byClock}::boolean)),
    art as (update articles set publish_state = 'publishing', publish_lease_until = ${at(d.lease)}${preparation(d)} from turn where articles.id = turn.id
      returning articles.id)${keptVersion(d)}`

/** Notes whose turn the project's is until when, counts the publication for the account, and says how the claim ended. */
const noteTurn = (d: Holding, now: Date): SQL =>
  sql`, slot as (update projects set publishing_delivery_id = del.id, publishing_until = ${at(d.lease)} from del
      where projects.id = ${d.projectId}::int returning projects.id),
    counted as (update accounts set publish_minute = ${at(minuteOf(now))},
        published_in_minute = case when publish_minute = ${at(minuteOf(now))} then published_in_minute + 1 else 1 end
      from del where accounts.id = ${d.accountId}::int returning accounts.id)
    select del.id, del.attempts, not coalesce(seen.ready, false) as held, prj.busy, acc.spent as full
    from acc cross join prj left join seen on true left join del on true`

/** The article is as it was read: never sent as a draft since, and no delivery came to wait meanwhile that nobody has seen. */
const asReadBy = ({ articleId, replaces, request }: NewDelivery & { replaces: number | null }): SQL =>
  sql`(a.sent_as_draft_at is not null) = ${request.event === 'update_articles'}::boolean and not exists (select 1 from deliveries where article_id = ${articleId}::int and status in ('sending', 'retrying', 'unknown')
        and replay_of is null and id is distinct from ${replaces}::int)`

/**
 * Claims the article and the project's turn and opens a new delivery; `replaces`, the one still open for other content, is
 * called off. Answers a ClaimRow. Two at once may violate `deliveries_open_unique`.
 */
export const claimWithNewDelivery = (ctx: Ctx, d: Holding & NewDelivery & { replaces: number | null }): SQL => {
  const now = ctx.now()
  // `held` is materialized, or the planner drops the unread count and inserts before the open delivery is called off, which
  // `deliveries_open_unique` refuses.
  return sql`with ${takeTurn(d, now, null, asReadBy(d))},
    called_off as (update deliveries set status = 'superseded', error = 'Replaced by a delivery of newer content.', next_attempt_at = null,
        lease_until = null, updated_at = ${at(now)}
      where article_id in (select id from art) and status in ('sending', 'retrying', 'unknown') and replay_of is null returning id),
    silenced as (update outbox set done_at = ${at(now)} where key in (select 'deliver:' || id from called_off) and done_at is null and dead_at is null returning id),
    held as materialized (select art.id, (select count(*) from called_off) as called_off from art),
    del as (${insertDelivery(d, sql`held.id`, sql`held`, new Date(d.request.firstSentAt), null)})
    ${interrupted(sql`called_off`)} ${attemptRow(now)} ${wakeRow(sql`del`, d.accountId, d.lease, now)} ${ctx.recordRunning(sql`del`, d.lease)}
    ${noteTurn(d, now)}`
}

/** Claims the article, the project's turn and the delivery already open for the same content. Answers a ClaimRow. */
export const claimOpenDelivery = (ctx: Ctx, d: Holding & { id: number }): SQL => {
  const now = ctx.now()
  // A delivery that ends at this moment must not leave its article held for nothing, so the locked row is asked.
  return sql`with ${takeTurn(d, now, d.id, sql`exists (select 1 from ongoing)`)},
    del as (update deliveries set status = 'sending', attempts = attempts + 1, lease_until = ${at(d.lease)}, next_attempt_at = null, updated_at = ${at(now)}
      from art where deliveries.id = ${d.id}::int and deliveries.article_id = art.id and deliveries.status in ('sending', 'retrying', 'unknown')
      returning deliveries.id, deliveries.attempts)
    ${interrupted(sql`del`)} ${attemptRow(now)} ${wakeRow(sql`del`, d.accountId, d.lease, now)} ${ctx.recordRunning(sql`del`, d.lease)}
    ${noteTurn(d, now)}`
}
