import { readWithProject } from '../../accounts/projects/scope.ts'
import { pageOf, pagingOf } from '../../platform/db/paging.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import type { BacklinkLedgerInput, BacklinksInput } from './operations.ts'
import { ledgerRows, receivedRows, type Standing, standingOf } from './queries.ts'

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
export const exchangeStanding = async (ctx: Ctx, id: number) => {
  const {
    results: [found],
  } = await readWithProject(ctx, id, [standingOf(ctx.db, id, ctx.now())] as const)
  const { cap, used, topics: _, ...standing } = found.rows[0] ?? NOTHING
  return { project_id: id, ...standing, velocity_cap: cap, velocity_used: used }
}

const NO_RATINGS =
  'source_dr, competitor_gap_percent and competitor_gap_target are null: no provider of domain ratings is connected.'

const withoutRating = <Row extends object>(row: Row) => ({ ...row, source_dr: null })

/** Returns links a project received, those on live pages and those to come, newest first. Throws 404, 403. */
export const listBacklinks = async (ctx: Ctx, input: BacklinksInput) => {
  const { project_id: id } = input
  const pages = {
    earned: pagingOf({ limit: input.earned_limit, before_id: input.earned_before_id }, EARNED),
    scheduled: pagingOf({ limit: input.scheduled_limit, before_id: input.scheduled_before_id }, SCHEDULED),
  }
  const {
    results: [earned, scheduled, found],
  } = await readWithProject(ctx, id, [
    receivedRows(ctx.db, id, 'Verified', pages.earned),
    receivedRows(ctx.db, id, 'Scheduled', pages.scheduled),
    standingOf(ctx.db, id, ctx.now()),
  ] as const)
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

/** Returns every change of a project's credits, newest first; they add up to the balance less the debt. Throws 404, 403. */
export const listLedger = async (ctx: Ctx, input: BacklinkLedgerInput) => {
  const { project_id: id } = input
  const paging = pagingOf(input, LEDGER)
  const {
    results: [entries, found],
  } = await readWithProject(ctx, id, [ledgerRows(ctx.db, id, paging), standingOf(ctx.db, id, ctx.now())] as const)
  const { rows, page } = pageOf(entries.rows, paging)
  const { credits, debt } = found.rows[0] ?? NOTHING
  return { entries: rows, balance: credits, debt, ...page }
}
