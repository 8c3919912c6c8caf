import { type SQL, sql } from 'drizzle-orm'
import type { LedgerReason, LinkStatus } from '../../../schema/values/exchange.ts'
import { readWithProject } from '../../accounts/projects/scope.ts'
import type { Db } from '../../platform/db/client.ts'
import { type Paging, pageOf, pagingOf } from '../../platform/db/paging.ts'
import { searchWords } from '../../platform/lib/fold.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { type Candidate, isParticipant, monthlyLimitOf, partnersNear, receivedThisMonth } from './candidates.ts'
import type { BacklinkLedgerInput, BacklinksInput, BacklinkTargetsInput } from './operations.ts'

const project = (id: number): SQL => sql`${id}::int`

/** State of a project in the exchange. The numbers include only links that count. */
type Standing = {
  participating: boolean
  credits: number
  debt: number
  /** Credits reserved for links that articles are committed to. */
  reserved: number
  topics: string
  given: number
  received: number
  pending: number
  cap: number | null
  used: number
}

const stateOf = (db: Db, id: number, now: Date) =>
  db.execute<Standing>(sql`
    select ${isParticipant('p')} as participating, p.backlink_credits as credits, p.backlink_debt as debt, p.topics,
      (select count(*)::int from exchange_commitments where to_project_id = p.id and reserved) as reserved,
      (select count(*)::int from exchange_links where from_project_id = p.id and status in ('Scheduled', 'Verified')) as given,
      (select count(*)::int from exchange_links where to_project_id = p.id and status in ('Scheduled', 'Verified')) as received,
      (select count(*)::int from exchange_links where to_project_id = p.id and status = 'Scheduled') as pending,
      ${monthlyLimitOf(sql`c.plan`)}::int as cap, ${receivedThisMonth(sql`p.id`, now)}::int as used
    from projects p join accounts c on c.id = p.account_id where p.id = ${project(id)}`)

/** Selects partners' pages for a keyword, best first. */
const targetsFor = (db: Db, id: number, keyword: string, limit: number, now: Date) =>
  db.execute<Candidate>(partnersNear({ projectId: project(id), keyword, limit, now, uncommitted: false }))

/** Link that a project received, as answers show it. */
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
 * Selects links that a project received with a status, newest first, one more than the page shows.
 *
 * `date` is when the link was verified, or saved if it is not verified yet.
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

/** Change of a project's credits, as answers show it. */
export type LedgerRow = {
  id: number
  link_id: number | null
  delta: number
  reason: LedgerReason
  /** Null if the entry is not about a link. */
  partner: string | null
  article_id: number | null
  at: string
}

/**
 * Selects a project's ledger, newest first, one more than the page shows. `article_id` is null unless the project wrote the
 * article.
 */
export const ledgerRows = (db: Db, id: number, { limit, offset, beforeId }: Paging) =>
  db.execute<LedgerRow>(sql`
    select e.id, e.link_id, e.delta, e.reason, split_part(other.website_key, '/', 1) as partner,
      case when l.from_project_id = e.project_id then l.article_id end as article_id,
      to_char(e.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at
    from exchange_ledger e left join exchange_links l on l.id = e.link_id
    left join projects other on other.id = case when l.from_project_id = e.project_id then l.to_project_id else l.from_project_id end
    where e.project_id = ${project(id)} ${beforeId === undefined ? sql`` : sql`and e.id < ${beforeId}::int`}
    order by e.id desc limit ${limit + 1}::int offset ${offset}::int`)

const EARNED = { default: 100, max: 500 }
const SCHEDULED = { default: 50, max: 200 }
const LEDGER = { default: 50, max: 200 }

const NOTHING: Standing = {
  participating: false,
  credits: 0,
  debt: 0,
  reserved: 0,
  topics: '',
  given: 0,
  received: 0,
  pending: 0,
  cap: null,
  used: 0,
}

/** Returns the state of a project in the exchange. `received` includes pending links. Throws 404, 403. */
export const readExchangeStatus = async (ctx: Ctx, id: number) => {
  const { results: found } = await readWithProject(ctx, id, stateOf(ctx.db, id, ctx.now()))
  const { cap, used, topics: _, ...state } = found.rows[0] ?? NOTHING
  return { project_id: id, ...state, velocity_cap: cap, velocity_used: used }
}

const NO_RATINGS =
  'source_dr, competitor_gap_percent and competitor_gap_target are null: no provider of domain ratings is connected.'

const withoutRating = <Row extends object>(row: Row) => ({ ...row, source_dr: null })

/** Returns links that a project received, newest first: verified links and scheduled links. Throws 404, 403. */
export const listBacklinks = async (ctx: Ctx, input: BacklinksInput) => {
  const { project_id: id } = input
  const pages = {
    earned: pagingOf({ limit: input.earned_limit, before_id: input.earned_before_id }, EARNED),
    scheduled: pagingOf({ limit: input.scheduled_limit, before_id: input.scheduled_before_id }, SCHEDULED),
  }
  const {
    results: { earned, scheduled, found },
  } = await readWithProject(ctx, id, {
    earned: receivedRows(ctx.db, id, 'Verified', pages.earned),
    scheduled: receivedRows(ctx.db, id, 'Scheduled', pages.scheduled),
    found: stateOf(ctx.db, id, ctx.now()),
  })
  const { cap, used } = found.rows[0] ?? NOTHING
  const shown = { earned: pageOf(earned.rows, pages.earned), scheduled: pageOf(scheduled.rows, pages.scheduled) }
  return {
    earned: shown.earned.rows.map(withoutRating),
    earned_count: shown.earned.page.count,
    earned_limit: shown.earned.page.limit,
    earned_before_id: shown.earned.page.before_id,
    scheduled: shown.scheduled.rows.map(withoutRating),
    scheduled_count: shown.scheduled.page.count,
    scheduled_limit: shown.scheduled.page.limit,
    scheduled_before_id: shown.scheduled.page.before_id,
    velocity: {
      cap,
      used,
      month: ctx.now().toISOString().slice(0, 7),
      competitor_gap_percent: null,
      competitor_gap_target: null,
    },
    note: NO_RATINGS,
  }
}

/** Returns every change of a project's credits, newest first. They add up to the balance minus the debt. Throws 404, 403. */
export const listLedger = async (ctx: Ctx, input: BacklinkLedgerInput) => {
  const { project_id: id } = input
  const paging = pagingOf(input, LEDGER)
  const {
    results: { entries, found },
  } = await readWithProject(ctx, id, { entries: ledgerRows(ctx.db, id, paging), found: stateOf(ctx.db, id, ctx.now()) })
  const { rows, page } = pageOf(entries.rows, paging)
  const { credits, debt } = found.rows[0] ?? NOTHING
  return { entries: rows, balance: credits, debt, ...page }
}

const MAX_TARGETS = 5

/** Returns the topic that shares most words with the keyword, or the keyword if no topic shares any. */
export const categoryOf = (topics: string, keyword: string): string => {
  const wanted = new Set(searchWords(keyword))
  const shared = (topic: string) => searchWords(topic).filter((word) => wanted.has(word)).length
  const [best] = topics
    .split('\n')
    .map((topic) => ({ topic: topic.trim(), shared: shared(topic) }))
    .filter(({ shared: count }) => count > 0)
    .sort((a, b) => b.shared - a.shared)
  return best?.topic ?? keyword
}

const instructionsFor = (id: number, participating: boolean, found: number): string => {
  if (!participating)
    return `This project takes no part in the backlink exchange. Set backlinks_network to true with PUT /projects/${id} to take part.`
  if (found === 0)
    return 'No partner can be linked to at the moment. Write the article without an exchange link, and ask again for the next one.'
  return 'Link to one or two of these pages where it helps the reader, with the project name or words that describe the page as the anchor. Use each URL as it is, without rel="nofollow", "sponsored" or "ugc". Each partner linked earns one credit when the article is saved.'
}

/**
 * Returns at most five pages of other accounts' projects to link to for a keyword, best first.
 *
 * Partners near in topic and rich in credits come first. Takes one round trip. Throws 404 and 403 for the project.
 */
export const findTargets = async (ctx: Ctx, { project_id: id, keyword }: BacklinkTargetsInput) => {
  const {
    results: { targets, found },
  } = await readWithProject(ctx, id, {
    targets: targetsFor(ctx.db, id, keyword, MAX_TARGETS, ctx.now()),
    found: stateOf(ctx.db, id, ctx.now()),
  })
  const state = found.rows[0]
  return {
    targets: targets.rows.map(({ url, title, meta_description, project_name }) => ({
      url,
      title,
      meta_description,
      project_name,
    })),
    category: categoryOf(state?.topics ?? '', keyword),
    credits: state?.credits ?? 0,
    instructions: instructionsFor(id, state?.participating ?? false, targets.rows.length),
  }
}
