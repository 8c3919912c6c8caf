import { type SQL, sql } from 'drizzle-orm'
import { literals } from '../../schema/columns.ts'
import type { ApprovalStatus } from '../../schema/values/approvals.ts'
import type { ARTICLE_STATUSES, PublishState } from '../../schema/values/articles.ts'
import { OPEN_STATES, type SuggestionState } from '../../schema/values/suggestions.ts'
import { type Reader, unreadNotices } from '../accounts/notices/queries.ts'
import { isNotSentBack } from '../insights/overview/queries.ts'
import { type Db, rowsOf } from '../platform/db/client.ts'
import { sendReading } from '../platform/runtime/ctx.ts'

/** Statuses of articles that go out on their date, also while the writer has them. */
const PLANNED = literals(['Planned', 'Generating'] satisfies (typeof ARTICLE_STATUSES)[number][])

/** Counts of what stops when a site is archived. */
export type Stopping = { planned: number; suggestions: number; networks: number }

/** Counts what stops when a site is archived. The caller has checked that the account owns the site. */
export const readStopping = async (db: Db, siteId: number): Promise<Stopping> => {
  const [row] = await rowsOf<Stopping>(
    db,
    sql`select
      (select count(*)::int from articles where project_id = ${siteId}::int and status in ${PLANNED} and scheduled_at is not null) as planned,
      (select count(*)::int from suggestions where project_id = ${siteId}::int and status in ${literals(OPEN_STATES)}) as suggestions,
      (select count(*)::int from social_accounts where project_id = ${siteId}::int and status = 'Active') as networks`,
  )
  return row ?? { planned: 0, suggestions: 0, networks: 0 }
}

/**
 * Site in the menu. Counts: `failed`, publications with a failure or an unknown outcome; `ready`, rewrites; `asked`,
 * approvals.
 */
export type Site = { id: number; name: string; url: string; zone: string; failed: number; ready: number; asked: number }

/** States of publications that need a person. */
export const NEEDS_SOMEBODY = literals(['failed', 'unknown'] satisfies PublishState[])
/** States of rewrites that wait for a decision. */
export const READY = literals(['ready'] satisfies SuggestionState[])
/** States of approvals that wait for a decision. */
const AWAITING = literals(['awaiting'] satisfies ApprovalStatus[])
/** Most sites in the menu. The list of sites has the others. */
const MOST = 500
const BY_NAME = sql`lower(coalesce(nullif(p.business_name, ''), p.website_url)), p.id`

/** Returns a condition to append: the project `p` is the only one that the person works in. Empty for null. */
export const onlySite = (only: number | null): SQL => (only === null ? sql`` : sql`and p.id = ${only}::int`)

const sitesOf = (account: SQL, about: number, only: number | null) => sql`
  select p.id, p.business_name as name, p.website_url as url, p.timezone as zone,
    coalesce(f.n, 0) as failed, coalesce(r.n, 0) as ready, coalesce(w.n, 0) as asked
  from (select p.id, p.business_name, p.website_url, p.timezone from projects p
    where p.account_id = ${account} and p.status = 'Active' ${onlySite(only)}
    order by p.id = ${about}::int desc, ${BY_NAME} limit ${MOST}) p
  left join (select project_id, count(*)::int as n from articles
    where account_id = ${account} and publish_state in ${NEEDS_SOMEBODY} and ${isNotSentBack(sql`publish_error`)} group by project_id) f on f.project_id = p.id
  left join lateral (select count(*)::int as n from suggestions s where s.project_id = p.id and s.status in ${READY}) r on true
  left join (select project_id, count(*)::int as n from approvals
    where account_id = ${account} and status in ${AWAITING} group by project_id) w on w.project_id = p.id
  order by ${BY_NAME}`

/**
 * Returns the active sites of an account by name, with counts of what needs a person.
 *
 * The site `about` is always among them. `only` is the one site that the person works in; null for all.
 */
export const readSites = (db: Db, accountId: number, about: number, only: number | null): Promise<Site[]> =>
  rowsOf<Site>(db, sitesOf(sql`${accountId}::int`, about, only))

/** Parts of the menu that are read: the active sites by name, with counts of what needs a person, and unread notices. */
export type MenuParts = { sites: Site[]; unread: number }

/** Returns the sites of `readSites` for a person, and the number of their unread notices. */
export const readMenu = async (db: Db, reader: Reader, about: number, only: number | null): Promise<MenuParts> => {
  const { sites, unread } = await sendReading(db, {
    sites: db.execute<Site>(sitesOf(sql`${reader.accountId}::int`, about, only)),
    unread: unreadNotices(db, reader),
  })
  return { sites: sites.rows, unread: unread.rows[0]?.n ?? 0 }
}
