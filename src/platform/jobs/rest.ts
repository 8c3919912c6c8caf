import { type SQL, sql } from 'drizzle-orm'
import { rowsOf } from '../db/client.ts'
import { waitingFor } from '../lib/request-scope.ts'
import type { Deps } from '../runtime/ctx.ts'
import { errorFields } from '../runtime/log.ts'
import { CHANGED_KEY, createRedis } from '../runtime/redis.ts'

/** Key of the current rest, stored as `mark:ms`: the last change that the minute's work saw, and when the rest ends. */
const REST_KEY = 'galley:rest'
const TIMEOUT_MS = 2_000
const MINUTE_MS = 60_000

/** State in Redis before a minute's work: the mark of the last change, and whether the work can be skipped. */
export type Rest = { mark: string | undefined; isResting: boolean }

const redisOf = ({ settings }: Deps) => createRedis(settings.redisUrl, settings.redisToken, TIMEOUT_MS)

/**
 * Returns the mark of the last change, and whether the minute's work can be skipped without a query.
 *
 * It can if nothing changed since it last ran and nothing has become due. It cannot if Redis does not answer or resting is
 * switched off.
 */
export const readRest = async (deps: Deps): Promise<Rest> => {
  if (deps.settings.cronRestMinutes === 0) return { mark: undefined, isResting: false }
  try {
    const redis = redisOf(deps)
    const read = (key: string) => waitingFor('redis', () => redis.get<string>(key))
    const [mark, rest] = await Promise.all([read(CHANGED_KEY), read(REST_KEY)])
    const [seen, until] = (rest ?? '').split(':')
    const isResting = seen === (mark ?? '') && deps.now().getTime() < Number(until ?? 0)
    return { mark: mark ?? '', isResting }
  } catch (error) {
    deps.log('warn', 'cron.rest_unknown', errorFields(error))
    return { mark: undefined, isResting: false }
  }
}

/** Returns a query for when the next scheduled work is due: a row of the outbox, or one of the domains' `dates`. */
const nextWork = (dates: readonly SQL[]): SQL => {
  const queued = sql`(select min(run_at) from outbox where done_at is null and dead_at is null)`
  return sql`select extract(epoch from least(${sql.join([queued, ...dates], sql`, `)})) * 1000 as at_ms`
}

/**
 * Lets the minute's work rest until work is due, unless something changed since `rest` was read.
 *
 * The mark of a change is written after it, so a change that this run has not seen has another mark. `dates`: when each domain's
 * next work is due.
 */
export const saveRest = async (deps: Deps, rest: Rest, dates: (now: Date) => readonly SQL[]): Promise<void> => {
  if (rest.mark === undefined) return
  const now = deps.now()
  const latest = now.getTime() + deps.settings.cronRestMinutes * MINUTE_MS
  const [row] = await rowsOf<{ at_ms: number | string | null }>(deps.db, nextWork(dates(now)))
  const next = row?.at_ms == null ? latest : Math.min(latest, Number(row.at_ms))
  if (next <= now.getTime()) return
  const rests = `${rest.mark}:${Math.floor(next)}`
  await waitingFor('redis', () => redisOf(deps).set(REST_KEY, rests, { ex: 2 * 3_600 }))
}
