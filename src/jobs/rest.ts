import { type SQL, sql } from 'drizzle-orm'
import { rowsOf } from '../db/client.ts'
import type { Deps } from '../runtime/ctx.ts'
import { errorFields } from '../runtime/log.ts'
import { CHANGED_KEY, redisCommand } from '../runtime/redis.ts'

/** Holds the mark of the last change that the minute's work had seen, and until when it has nothing to do: `mark:ms`. */
const REST_KEY = 'galley:rest'
const TIMEOUT_MS = 2_000
const MINUTE_MS = 60_000

/** What Redis knows before a minute's work: the mark of the last change, and whether there is anything to do. */
export type Rest = { mark: string | undefined; isResting: boolean }

const ask = (deps: Deps, ...command: string[]) =>
  redisCommand(deps.settings.redisUrl, deps.settings.redisToken, command, TIMEOUT_MS)

/**
 * Whether the minute's work may be left out without asking the database: nothing was changed since it last ran, and nothing
 * has become due. Where Redis does not answer, or resting is switched off, it may not.
 */
export const readRest = async (deps: Deps): Promise<Rest> => {
  if (deps.settings.cronRestMinutes === 0) return { mark: undefined, isResting: false }
  try {
    const [mark, rest] = await Promise.all([ask(deps, 'GET', CHANGED_KEY), ask(deps, 'GET', REST_KEY)])
    const [seen, until] = String(rest ?? '').split(':')
    const isResting = seen === String(mark ?? '') && deps.now().getTime() < Number(until ?? 0)
    return { mark: String(mark ?? ''), isResting }
  } catch (error) {
    deps.log('warn', 'cron.rest_unknown', errorFields(error))
    return { mark: undefined, isResting: false }
  }
}

/** The instant of the next work that a date brings about by itself: a row of the outbox, or one of the domains' `dates`. */
const nextWork = (dates: readonly SQL[]): SQL => {
  const queued = sql`(select min(run_at) from outbox where done_at is null and dead_at is null)`
  return sql`select extract(epoch from least(${sql.join([queued, ...dates], sql`, `)})) * 1000 as at_ms`
}

/**
 * Lets the following minutes rest until there is work, an hour at most, unless something was changed since `rest` was read: the
 * mark of a change is written after it, so a change this run has not seen has another mark. `dates`: the next work of each domain.
 */
export const saveRest = async (deps: Deps, rest: Rest, dates: (now: Date) => readonly SQL[]): Promise<void> => {
  if (rest.mark === undefined) return
  const now = deps.now()
  const latest = now.getTime() + deps.settings.cronRestMinutes * MINUTE_MS
  const [row] = await rowsOf<{ at_ms: number | string | null }>(deps.db, nextWork(dates(now)))
  const next = row?.at_ms == null ? latest : Math.min(latest, Number(row.at_ms))
  if (next <= now.getTime()) return
  await ask(deps, 'SET', REST_KEY, `${rest.mark}:${Math.floor(next)}`, 'EX', String(2 * 3_600))
}
