import { sql } from 'drizzle-orm'
import type { Deps } from '../runtime/ctx.ts'
import { redisCommand } from './redis.ts'

const TIMEOUT_MS = 2_000

type Part = { ok: boolean; latency_ms: number }

const timed = async (now: () => Date, work: () => Promise<unknown>): Promise<Part> => {
  const startedAt = now().getTime()
  const limit = new Promise<false>((resolve) => setTimeout(() => resolve(false), TIMEOUT_MS))
  const done = work().then(
    () => true,
    () => false,
  )
  const ok = await Promise.race([done, limit])
  return { ok, latency_ms: now().getTime() - startedAt }
}

/** Whether database and Redis answer within 2 s, and after how many milliseconds each. */
export const readiness = async ({
  db,
  settings,
  now,
}: Deps): Promise<{ ready: boolean; database: Part; redis: Part }> => {
  const [database, redis] = await Promise.all([
    timed(now, async () => await db.execute(sql`select 1`)),
    timed(now, () => redisCommand(settings.redisUrl, settings.redisToken, ['PING'])),
  ])
  return { ready: database.ok && redis.ok, database, redis }
}
