import { and, eq, inArray, ne, type SQL, sql } from 'drizzle-orm'
import { accounts } from '../../../schema/accounts.ts'
import { articles } from '../../../schema/articles.ts'
import { exchangeCommitments as commitments, exchangeLedger, exchangeLinks as links } from '../../../schema/exchange.ts'
import { projects } from '../../../schema/projects.ts'
import type { Welcome } from '../../accounts/projects/create.ts'
import { at } from '../../platform/db/instant.ts'
import type { Statement } from '../../platform/db/steps.ts'
import { insertWhere, listed } from '../../platform/db/writes.ts'
import { enqueue } from '../../platform/jobs/enqueue.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { canPay, isFull, isParticipant } from './candidates.ts'
import { verifyJob } from './jobs.ts'
import type { CountedLink } from './links.ts'
import { firstLookAt } from './rules.ts'

/** First keys of the exchange's advisory locks. The second key is the id of the article or the project. */
const LINKS_OF_ARTICLE = sql.raw('1001')
const COMMITMENTS_OF_PROJECT = sql.raw('1002')

const receivers = (wanted: readonly CountedLink[]): SQL =>
  sql`${sql.param(wanted.map((link) => link.toProjectId))}::int[]`

/**
 * Returns the locks for changing an article's links: one for the links, then every project whose credits can change.
 *
 * Projects are locked in id order. A save that waited for the locks sees every earlier write, so no link is booked twice or
 * lost. The article's row is locked last, because a publication locks its project first.
 */
export const articleLocks = (articleId: number, wanted: readonly CountedLink[] = []): SQL[] => {
  const ids = receivers(wanted)
  const counted = sql`${links} where ${and(eq(links.articleId, articleId), ne(links.status, 'Removed'))}`
  const reserved = sql`${commitments} where ${and(eq(commitments.articleId, articleId), eq(commitments.reserved, true))}`
  return [
    sql`select pg_advisory_xact_lock(${LINKS_OF_ARTICLE}, ${articleId}::int)`,
    sql`select ${projects.id} from ${projects} where ${projects.id} in (
        select unnest(${ids}) union select ${links.toProjectId} from ${counted}
        union select ${commitments.toProjectId} from ${reserved}
        union select ${articles.projectId} from ${articles}
          where ${articles.id} = ${articleId}::int and (cardinality(${ids}) > 0 or exists (select 1 from ${counted})))
      order by ${projects.id} for no key update`,
  ]
}

/**
 * Returns the locks for choosing partners: one for the article's links, and one for the choices of its project.
 *
 * So two articles do not get the same partner at once. The statement that chooses the partners locks their rows.
 */
export const commitLocks = (articleId: number): SQL[] => [
  sql`select pg_advisory_xact_lock(${LINKS_OF_ARTICLE}, ${articleId}::int)`,
  sql`select pg_advisory_xact_lock(${COMMITMENTS_OF_PROJECT}, ${articles.projectId}) from ${articles} where ${eq(articles.id, articleId)}`,
]

/** Returns the locks for a new article's links. A new article needs no lock of its own. Empty if it links to no partner. */
export const newArticleLocks = (projectId: number, wanted: readonly CountedLink[]): SQL[] =>
  wanted.length === 0
    ? []
    : [
        sql`select ${projects.id} from ${projects}
          where ${projects.id} = any(${sql.param([projectId, ...wanted.map((link) => link.toProjectId)])}::int[])
          order by ${projects.id} for no key update`,
      ]

/**
 * Ends an SQL template: writes `entries` to the ledger and adds them to the credits of their projects, which must be locked.
 *
 * If a project has spent credits that are taken back, they become its debt. New credits pay the debt first, so no balance is
 * negative. An entry's key prevents booking it twice.
 */
const book = (entries: SQL, now: Date): SQL => sql`
  booked as (
    insert into exchange_ledger (account_id, project_id, link_id, delta, reason, key, at)
    select p.account_id, p.id, entry.link_id, entry.delta, entry.reason, entry.key, ${at(now)}
    from (${entries}) as entry (project_id, link_id, delta, reason, key) join projects p on p.id = entry.project_id
    returning project_id, delta),
  credits as (select project_id, sum(delta)::int as delta from booked group by project_id)
  update projects set
    backlink_credits = greatest(backlink_credits - backlink_debt + credits.delta, 0),
    backlink_debt = greatest(-(backlink_credits - backlink_debt + credits.delta), 0)
  from credits where projects.id = credits.project_id`

/**
 * Sets the status of an article's links, and takes back the credits of those that counted. Run after `articleLocks`.
 *
 * `which` is a condition on the rows of `exchange_links`.
 */
export const loseLinks = (status: 'Removed' | 'Missing', which: SQL, now: Date): SQL => sql`
  with held as materialized (select id, status from exchange_links where ${which}),
  lost as (
    update exchange_links l set status = ${status}, updated_at = ${at(now)} from held where l.id = held.id
    returning l.id, l.from_project_id, l.to_project_id, l.round, held.status as before),
  ${book(
    sql`select side.project_id, lost.id, side.delta, side.reason || '_taken_back',
        concat_ws(':', 'link', lost.id, lost.round, side.reason, 'back')
      from lost cross join lateral (
        values (lost.from_project_id, -1, 'link_given'), (lost.to_project_id, 1, 'link_received')) as side (project_id, delta, reason)
      where lost.before <> 'Missing'`,
    now,
  )}`

/**
 * Returns reserved credits to their projects, which must be locked. `which` is a condition on the rows of
 * `exchange_commitments`.
 */
export const endReservations = (which: SQL, now: Date): SQL => sql`
  with ended as (update exchange_commitments set reserved = false where reserved and ${which} returning id, to_project_id),
  ${book(sql`select to_project_id, null::int, 1, 'reservation_ended', 'reservation_ended:' || id from ended`, now)}`

/**
 * Makes an article's links count, each once: the receiver pays a credit to the giver. Missing links count again.
 *
 * Also ends the reservations for these links.
 */
const countLinks = (
  articleId: number,
  projectId: SQL,
  counted: readonly CountedLink[],
  condition: SQL,
  now: Date,
) => sql`
  with wanted as (select * from ${listed({ toProjectId: links.toProjectId, url: links.targetUrl, anchor: links.anchor }, counted)}),
  returned as (
    update exchange_links l set status = 'Scheduled', round = l.round + 1, target_url = wanted.url, anchor = wanted.anchor,
      updated_at = ${at(now)}
    from wanted join projects p on p.id = wanted."toProjectId"
    where l.article_id = ${articleId}::int and l.to_project_id = p.id and l.status = 'Missing'
      and ${canPay('p', sql`${articleId}::int`)} and ${condition}
    returning l.id, l.from_project_id, l.to_project_id, l.round),
  added as (
    insert into exchange_links (article_id, from_project_id, to_project_id, status, target_url, anchor, created_at, updated_at)
    select ${articleId}::int, ${projectId}, p.id, 'Scheduled', wanted.url, wanted.anchor, ${at(now)}, ${at(now)}
    from wanted join projects p on p.id = wanted."toProjectId" and ${isParticipant('p')} join accounts c on c.id = p.account_id
    where not exists (select 1 from exchange_links where article_id = ${articleId}::int and to_project_id = p.id and status <> 'Removed')
      and not ${isFull('c', 'p', now)} and ${canPay('p', sql`${articleId}::int`)} and ${condition}
    returning id, from_project_id, to_project_id, round),
  moves as (select * from returned union all select * from added),
  ended as (
    update exchange_commitments m set reserved = false from moves
    where m.article_id = ${articleId}::int and m.to_project_id = moves.to_project_id and m.reserved
    returning m.id, m.to_project_id),
  ${book(
    sql`select side.project_id, moves.id, side.delta, side.reason, concat_ws(':', 'link', moves.id, moves.round, side.reason, 'in')
      from moves cross join lateral (
        values (moves.from_project_id, 1, 'link_given'), (moves.to_project_id, -1, 'link_received')) as side (project_id, delta, reason)
      union all select to_project_id, null::int, 1, 'reservation_ended', 'reservation_ended:' || id from ended`,
    now,
  )}`

/**
 * Condition: every link that begins to count has a receiver that can pay and has room in its month, or counts by now.
 *
 * A missing link needs no room. The save's answer depends on this condition. Undefined if no link begins to count. Also true
 * after `saveLinks`. Only valid after `articleLocks` or `newArticleLocks`.
 */
export const linksAreCurrent = (articleId: number, counted: readonly CountedLink[], now: Date): SQL | undefined => {
  const charged = counted.filter((link) => link.charged).map((link) => link.toProjectId)
  if (charged.length === 0) return undefined
  const has = (statuses: SQL): SQL =>
    sql`exists (select 1 from exchange_links l where l.article_id = ${articleId}::int and l.to_project_id = p.id and l.status in (${statuses}))`
  return sql`(select count(*) from projects p join accounts c on c.id = p.account_id
    where p.id = any(${sql.param(charged)}::int[]) and (${has(sql`'Scheduled', 'Verified'`)}
      or (${canPay('p', sql`${articleId}::int`)} and ((${isParticipant('p')} and not ${isFull('c', 'p', now)}) or ${has(sql`'Missing'`)}))))
    = ${charged.length}::int`
}

/**
 * Returns the statements that set an article's links to those of its content, and book the credits.
 *
 * The batch must begin with `articleLocks` or `newArticleLocks`.
 */
export const saveLinks = (
  { db, now }: Pick<Ctx, 'db' | 'now'>,
  articleId: number,
  projectId: SQL,
  counted: readonly CountedLink[],
  condition: SQL,
): Statement[] => {
  const ofArticle = eq(links.articleId, articleId)
  const wanted = sql`(${sql.param(counted.map((link) => link.toProjectId))}::int[])`
  const gone = sql`${ofArticle} and ${links.status} <> 'Removed' and not (${links.toProjectId} = any ${wanted}) and ${condition}`
  if (counted.length === 0) return [loseLinks('Removed', gone, now())]
  const isOther = sql`(${links.targetUrl} <> listed.url or ${links.anchor} <> listed.anchor)`
  return [
    loseLinks('Removed', gone, now()),
    db
      .update(links)
      .set({ targetUrl: sql`listed.url`, anchor: sql`listed.anchor`, updatedAt: now() })
      .from(listed({ toProjectId: links.toProjectId, url: links.targetUrl, anchor: links.anchor }, counted))
      .where(
        and(
          ofArticle,
          sql`${links.toProjectId} = listed."toProjectId"`,
          inArray(links.status, ['Scheduled', 'Verified']),
          isOther,
          condition,
        ),
      ),
    countLinks(articleId, projectId, counted, condition, now()),
  ]
}

/** Returns the statements that take back an article's links and reservations before it is deleted. Run after `articleLocks`. */
export const removeLinks = (articleId: number, condition: SQL, now: Date): Statement[] => [
  loseLinks('Removed', sql`article_id = ${articleId}::int and status <> 'Removed' and ${condition}`, now),
  endReservations(sql`article_id = ${articleId}::int and ${condition}`, now),
]

/**
 * Enqueues the check of a live page for its links. The check also returns credits reserved for links that the article does not
 * have.
 *
 * Does nothing for an article without links and reservations, or without an address. Without `url`, run it after the article's
 * change.
 */
export const lookForLinks = (
  articleId: number,
  account: SQL | number,
  url: string | undefined,
  { if: condition, now }: { if: SQL; now: Date },
) => {
  const runAt = firstLookAt(now)
  const isLive = sql`exists (select 1 from ${articles} where ${eq(articles.id, articleId)} and ${articles.url} is not null)`
  const hasLinks = sql`exists (select 1 from ${links} where ${and(eq(links.articleId, articleId), eq(links.status, 'Scheduled'))})`
  const hasReserved = sql`exists (select 1 from ${commitments} where ${and(eq(commitments.articleId, articleId), eq(commitments.reserved, true))})`
  return enqueue(
    verifyJob,
    { article_id: articleId, look: 0, not_before: runAt.getTime() },
    {
      if: sql`${condition} and ${url === undefined ? isLive : sql`true`} and (${hasLinks} or ${hasReserved})`,
      account,
      runAt,
      open: 'move',
      replacePayload: true,
    },
  )
}

/** Credits of a new project. Without them no project could pay for the first link. */
const WELCOME_CREDITS = 3

const keyOf = (accountId: number, websiteKey: string): SQL =>
  sql`'welcome:' || ${accountId}::int || ':' || ${websiteKey}::text`

/** Credits of a new project. Each site of an account gets them once, and an account at most once per project slot. */
export const welcome: Welcome = {
  credits: ({ accountId, websiteKey }) =>
    sql`case when exists (select 1 from ${exchangeLedger} where ${exchangeLedger.key} = ${keyOf(accountId, websiteKey)})
        or (select count(*) from ${exchangeLedger} where ${eq(exchangeLedger.accountId, accountId)} and ${exchangeLedger.reason} = 'welcome')
          >= (select ${accounts.projectSlots} from ${accounts} where ${eq(accounts.id, accountId)})
      then 0 else ${WELCOME_CREDITS}::int end`,
  book: ({ accountId, websiteKey }, projectId, now) =>
    insertWhere(
      exchangeLedger,
      {
        accountId,
        projectId,
        delta: sql`${projects.backlinkCredits}`,
        reason: 'welcome',
        key: keyOf(accountId, websiteKey),
        at: now,
      },
      { from: sql`${projects}`, if: sql`${eq(projects.id, projectId)} and ${projects.backlinkCredits} > 0` },
    ),
}
