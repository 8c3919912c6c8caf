import { type SQL, sql } from 'drizzle-orm'
import { literals } from '../../../schema/columns.ts'
import type { ApprovalStatus } from '../../../schema/values/approvals.ts'
import type { ARTICLE_STATUSES, PublishState } from '../../../schema/values/articles.ts'
import type { IndexState } from '../../../schema/values/indexing.ts'
import type { SuggestionState } from '../../../schema/values/suggestions.ts'
import { RETURNED_LIKE } from '../../accounts/approvals/rules.ts'
import type { Db } from '../../platform/db/client.ts'
import { at } from '../../platform/db/instant.ts'
import { DAY_MS } from '../../platform/lib/time.ts'

/** State of one site, for the list of all sites. */
export type Standing = {
  id: number
  name: string
  url: string
  zone: string
  failed: number
  unknown: number
  /** Approvals that wait for a person. */
  waiting: number
  /** Rewrites that are ready. */
  ready: number
  next_at: string | null
  /** Articles published in the last 30 days. */
  published: number
  /** Live articles about which Google was asked, and those of them that it listed then. */
  looked_at: number
  indexed: number
  /** Article credits of the account. */
  credits: number
  has_target: boolean
  /** True if the target was used or tested. `target_error` is the error of the last time. */
  target_tried: boolean
  target_error: string | null
  /** Number of the account's active sites. */
  total: number
}

/** Most sites in the list. */
export const MOST_SITES = 5_000

type ArticleStatus = (typeof ARTICLE_STATUSES)[number]

const FAILED = literals(['failed'] satisfies PublishState[])
const UNKNOWN = literals(['unknown'] satisfies PublishState[])
const PLANNED = literals(['Planned'] satisfies ArticleStatus[])
const PUBLISHED = literals(['Published'] satisfies ArticleStatus[])
const READY = literals(['ready'] satisfies SuggestionState[])
const AWAITING = literals(['awaiting'] satisfies ApprovalStatus[])
const NOT_MEASURED = literals(['not_measured'] satisfies IndexState[])
const INDEXED = literals(['indexed'] satisfies IndexState[])

/** Condition on the error of an article: no person sent it back. */
export const isNotSentBack = (error: SQL): SQL => sql`coalesce(${error} not like ${RETURNED_LIKE}, true)`

/**
 * Selects the state of the active sites of an account, or of the `only` one. Sites that need a person come first: failed and unknown
 * publications, then approvals, sites that cannot publish, and rewrites.
 *
 * Each count reads an index of its site or account. Only the looks of Google are read with their articles: a page that was taken
 * down, or has another address since, was not looked at.
 */
export const siteStandings = (
  db: Db,
  account: SQL,
  { only = null, limit, now }: { only?: number | null; limit: number; now: Date },
) => {
  const count = (where: SQL) => sql`(select count(*)::int from articles a where a.project_id = p.id and ${where})`
  const looked = (states: SQL) =>
    sql`(select count(*)::int from index_states x join articles a on a.id = x.article_id and a.url = x.url
      where x.project_id = p.id and a.status in ${PUBLISHED} and ${states})`
  const month = new Date(now.getTime() - 30 * DAY_MS)
  return db.execute<Standing>(sql`
    select p.id, p.business_name as name, p.website_url as url, p.timezone as zone,
      ${count(sql`a.publish_state in ${FAILED} and ${isNotSentBack(sql`a.publish_error`)}`)} as failed,
      ${count(sql`a.publish_state in ${UNKNOWN}`)} as unknown,
      (select count(*)::int from approvals w where w.project_id = p.id and w.status in ${AWAITING}) as waiting,
      (select count(*)::int from suggestions s where s.project_id = p.id and s.status in ${READY}) as ready,
      (select to_char(min(a.scheduled_at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') from articles a
        where a.project_id = p.id and a.status in ${PLANNED} and a.scheduled_at > ${at(now)}) as next_at,
      ${count(sql`a.status in ${PUBLISHED} and a.published_at > ${at(month)}`)} as published,
      ${looked(sql`x.state not in ${NOT_MEASURED}`)} as looked_at, ${looked(sql`x.state in ${INDEXED}`)} as indexed,
      i.id is not null as has_target, i.last_used_at is not null as target_tried, i.last_error as target_error,
      c.article_credits as credits, count(*) over ()::int as total
    from projects p join accounts c on c.id = p.account_id left join integrations i on i.project_id = p.id and i.status = 'Active'
    where p.account_id = ${account} and p.status = 'Active' and (${only}::int is null or p.id = ${only}::int)
    order by failed desc, unknown desc, waiting desc, (i.id is null or i.last_error is not null) desc, ready desc,
      lower(coalesce(nullif(p.business_name, ''), p.website_url)), p.id
    limit ${Math.min(limit, MOST_SITES)}::int`)
}
