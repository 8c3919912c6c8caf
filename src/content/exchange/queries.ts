import { type SQL, sql } from 'drizzle-orm'
import type { LedgerReason, LinkStatus } from '../../../schema/values/exchange.ts'
import type { Db } from '../../platform/db/client.ts'
import type { Paging } from '../../platform/db/paging.ts'
import { type Candidate, partnersNear } from './candidates.ts'
import { capOf, participates, receivedThisMonth } from './fragments.ts'

const project = (id: number): SQL => sql`${id}::int`

/** State of a project in the exchange: numbers of links that count, given and received. */
export type Standing = {
  participating: boolean
  credits: number
  debt: number
  /** Credits set aside for links that articles are committed to. */
  reserved: number
  topics: string
  given: number
  received: number
  pending: number
  cap: number | null
  used: number
}

export const standingOf = (db: Db, id: number, now: Date) =>
  db.execute<Standing>(sql`
    select ${participates('p')} as participating, p.backlink_credits as credits, p.backlink_debt as debt, p.topics,
      (select count(*)::int from exchange_commitments where to_project_id = p.id and reserved) as reserved,
      (select count(*)::int from exchange_links where from_project_id = p.id and status in ('Scheduled', 'Verified')) as given,
      (select count(*)::int from exchange_links where to_project_id = p.id and status in ('Scheduled', 'Verified')) as received,
      (select count(*)::int from exchange_links where to_project_id = p.id and status = 'Scheduled') as pending,
      ${capOf(sql`c.plan`)}::int as cap, ${receivedThisMonth(sql`p.id`, now)}::int as used
    from projects p join accounts c on c.id = p.account_id where p.id = ${project(id)}`)

/** Partners' pages for a keyword, best first. */
export const targetsFor = (db: Db, id: number, keyword: string, limit: number, now: Date) =>
  db.execute<Candidate>(partnersNear({ projectId: project(id), keyword, limit, now, uncommitted: false }))

export type ReceivedRow = {
  id: number
  source_domain: string
  source_business: string
  source_url: string | null
  target_url: string
  anchor: string
  status: LinkStatus
  date: string
  scheduled_since: string
}

/**
 * Returns links a project received that stand as `status` says, newest first, one more than the page shows. Their date is that of the
 * proof, else of the save.
 */
export const receivedRows = (db: Db, id: number, status: 'Verified' | 'Scheduled', { limit, beforeId }: Paging) =>
  db.execute<ReceivedRow>(sql`
    select l.id, split_part(f.website_key, '/', 1) as source_domain, f.business_name as source_business, l.source_url, l.target_url, l.anchor,
      l.status, to_char(coalesce(l.verified_at, l.created_at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as date,
      to_char(l.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as scheduled_since
    from exchange_links l join projects f on f.id = l.from_project_id
    where l.to_project_id = ${project(id)} and l.status = ${status}
      ${beforeId === undefined ? sql`` : sql`and l.id < ${beforeId}::int`}
    order by l.id desc limit ${limit + 1}::int`)

export type LedgerRow = {
  id: number
  link_id: number | null
  delta: number
  reason: LedgerReason
  /** Null where the entry is about no link. */
  partner: string | null
  article_id: number | null
  at: string
}

/** Returns a project's ledger, newest first, one more than the page shows. The article is told to the side that wrote it. */
export const ledgerRows = (db: Db, id: number, { limit, offset, beforeId }: Paging) =>
  db.execute<LedgerRow>(sql`
    select e.id, e.link_id, e.delta, e.reason, split_part(other.website_key, '/', 1) as partner,
      case when l.from_project_id = e.project_id then l.article_id end as article_id,
      to_char(e.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at
    from exchange_ledger e left join exchange_links l on l.id = e.link_id
    left join projects other on other.id = case when l.from_project_id = e.project_id then l.to_project_id else l.from_project_id end
    where e.project_id = ${project(id)} ${beforeId === undefined ? sql`` : sql`and e.id < ${beforeId}::int`}
    order by e.id desc limit ${limit + 1}::int offset ${offset}::int`)
