import { type SQL, sql } from 'drizzle-orm'
import { rowsOf } from '../db/client.ts'
import { workload } from '../jobs/outbox.ts'
import { waitingFor, within } from '../lib/request-scope.ts'
import type { Deps } from '../runtime/ctx.ts'
import { createRedis } from '../runtime/redis.ts'

const TIMEOUT_MS = 2_000

type Part = { ok: boolean; latency_ms: number }

const timed = async (now: () => Date, work: () => Promise<unknown>): Promise<Part> => {
  const startedAt = now().getTime()
  const ok = await within(work(), TIMEOUT_MS).then(
    () => true,
    () => false,
  )
  return { ok, latency_ms: now().getTime() - startedAt }
}

type Jobs = { dead: number; overdue_s: number }

type Readiness = { ready: boolean; database: Part; redis: Part; jobs: Jobs | null }

/** A database on a full disk is read-only. */
const workloadAndMode = (now: Date): SQL =>
  sql`select w.*, current_setting('transaction_read_only') = 'off' as writable from (${workload(now)}) w`

/** Checks that database and Redis answer within 2 s, and that the database takes writes. Returns the latency of each, and the amount of dead and overdue work. */
const readiness = async ({ db, settings, now }: Deps): Promise<Readiness> => {
  let jobs: Jobs | null = null
  const [database, redis] = await Promise.all([
    timed(now, async () => {
      const [row] = await rowsOf<Jobs & { writable: boolean }>(db, workloadAndMode(now()))
      if (!row?.writable) throw new Error('The database takes no writes.')
      jobs = { dead: row.dead, overdue_s: row.overdue_s }
    }),
    timed(now, () => waitingFor('redis', () => createRedis(settings.redisUrl, settings.redisToken, TIMEOUT_MS).ping())),
  ])
  return { ready: database.ok && redis.ok, database, redis, jobs }
}

const REMEMBERED_MS = 1_000

/**
 * Returns a readiness check that runs at most once a second, because anyone may call it.
 *
 * A call during a check gets the result before it. Only the first calls, before any result exists, each run a check.
 */
export const rememberedReadiness = (deps: Deps): (() => Promise<Readiness>) => {
  let askedAt = 0
  let last: Readiness | undefined
  return async () => {
    const now = deps.now().getTime()
    if (last && now - askedAt < REMEMBERED_MS) return last
    askedAt = now
    last = await readiness(deps)
    return last
  }
}
