import { type SQL, sql } from 'drizzle-orm'
import { isFull, takesPart } from './fragments.ts'
import type { CountedLink } from './links.ts'

const at = (instant: Date) => sql`${instant.toISOString()}::timestamptz`

/** First key of the advisory locks of the exchange; the second is the article's id. */
const LINKS_OF_ARTICLE = sql.raw('1001')

/**
 * What a statement that changes an article's links locks before it: the right to change its links, then every project whose
 * credits can change, in id order. Whoever waited here sees all that was written meanwhile, so that no link is booked twice or
 * forgotten. The article's row comes last, as everywhere: publication holds its project when it takes the article.
 */
export const articleLocks = (articleId: number, links: readonly CountedLink[] = []): SQL[] => {
  const ids = sql`${sql.param(links.map((link) => link.toProjectId))}::int[]`
  const counted = sql`exchange_links l where l.article_id = ${articleId}::int and l.status <> 'Removed'`
  return [
    sql`select pg_advisory_xact_lock(${LINKS_OF_ARTICLE}, ${articleId}::int)`,
    sql`select id from projects where id in (select unnest(${ids}) union select l.to_project_id from ${counted}
        union select project_id from articles where id = ${articleId}::int and (cardinality(${ids}) > 0 or exists (select 1 from ${counted})))
      order by id for no key update`,
  ]
}

/** The locks of a new article: nobody else can hold it yet. None when it links to no partner. */
export const newArticleLocks = (projectId: number, links: readonly CountedLink[]): SQL[] =>
  links.length === 0
    ? []
    : [
        sql`select id from projects where id = any(${sql.param([projectId, ...links.map((link) => link.toProjectId)])}::int[])
          order by id for no key update`,
      ]

/** CTEs that book `link_moves` (link_id, from_project_id, to_project_id, sign): the giver gains what the receiver pays. */
const bookingCtes = (now: Date): SQL =>
  sql`, booked_moves as (insert into exchange_ledger (account_id, project_id, link_id, delta, reason, at)
      select p.account_id, p.id, m.link_id, side.delta, side.reason || case when m.sign > 0 then '' else '_taken_back' end, ${at(now)}
      from link_moves m
      cross join lateral (values (m.from_project_id, m.sign, 'link_given'), (m.to_project_id, -m.sign, 'link_received')) as side(project_id, delta, reason)
      join projects p on p.id = side.project_id returning project_id, delta),
    credited_projects as (update projects p set backlink_credits = p.backlink_credits + d.delta
      from (select project_id, sum(delta)::int as delta from booked_moves group by project_id) d where p.id = d.project_id returning p.id)`

const heldLinks = (from: SQL): SQL =>
  sql`, held_links as materialized (select l.id, l.to_project_id, l.status from exchange_links l join ${from} as f on f.id = l.article_id
      where l.status <> 'Removed')`

const movesOut = (from: SQL): SQL =>
  sql`select id as link_id, from_project_id, to_project_id, -1 as sign from ${from} where before <> 'Missing'`

/**
 * CTEs that make an article's links in the exchange those of its content, and book what changed; empty without content.
 * `from` is the CTE that saved the article (`id`). The statement runs after `articleLocks` or `newArticleLocks`.
 */
export const linkCtes = (from: SQL, projectId: SQL, links: readonly CountedLink[] | undefined, now: Date): SQL => {
  if (!links) return sql``
  const ids = sql`${sql.param(links.map((link) => link.toProjectId))}::int[]`
  return sql`, wanted_links as (select * from unnest(${ids}, ${sql.param(links.map(({ url }) => url))}::text[],
      ${sql.param(links.map(({ anchor }) => anchor))}::text[]) as given(to_id, url, anchor))
    ${heldLinks(from)},
    dropped_links as (update exchange_links l set status = 'Removed', updated_at = ${at(now)} from held_links h
      where l.id = h.id and not (h.to_project_id = any(${ids})) returning l.id, l.from_project_id, l.to_project_id, h.status as before),
    kept_links as (update exchange_links l set target_url = w.url, anchor = w.anchor, updated_at = ${at(now)},
        status = case when h.status = 'Missing' then 'Scheduled' else h.status end
      from held_links h join wanted_links w on w.to_id = h.to_project_id
      where l.id = h.id and (h.status = 'Missing' or l.target_url <> w.url or l.anchor <> w.anchor)
      returning l.id, l.from_project_id, l.to_project_id, h.status as before),
    added_links as (insert into exchange_links (article_id, from_project_id, to_project_id, status, target_url, anchor, created_at, updated_at)
      select f.id, ${projectId}, p.id, 'Scheduled', w.url, w.anchor, ${at(now)}, ${at(now)}
      from ${from} as f cross join wanted_links w join projects p on p.id = w.to_id and ${takesPart('p')}
      join accounts c on c.id = p.account_id
      where not exists (select 1 from held_links h where h.to_project_id = w.to_id) and not ${isFull('c', 'p', now)}
      returning id, from_project_id, to_project_id),
    link_moves as (select id as link_id, from_project_id, to_project_id, 1 as sign from added_links
      union all select id, from_project_id, to_project_id, 1 from kept_links where before = 'Missing'
      union all ${movesOut(sql`dropped_links`)})
    ${bookingCtes(now)}`
}

/** CTEs that take an article's links back with it. `from` is the CTE that deleted the article; after `articleLocks`. */
export const unlinkCtes = (from: SQL, now: Date): SQL =>
  sql`${heldLinks(from)},
    dropped_links as (update exchange_links l set status = 'Removed', updated_at = ${at(now)} from held_links h
      where l.id = h.id returning l.id, l.from_project_id, l.to_project_id, h.status as before),
    link_moves as (${movesOut(sql`dropped_links`)})
    ${bookingCtes(now)}`

/** Marks links of one article that the live page does not have as missing and takes their credits back; after `articleLocks`. */
export const missingCtes = (linkIds: readonly number[], now: Date): SQL =>
  sql`, missed_links as (update exchange_links set status = 'Missing', updated_at = ${at(now)}
      where id = any(${sql.param([...linkIds])}::int[]) and status = 'Scheduled' returning id, from_project_id, to_project_id),
    link_moves as (select id as link_id, from_project_id, to_project_id, -1 as sign from missed_links)
    ${bookingCtes(now)}`
