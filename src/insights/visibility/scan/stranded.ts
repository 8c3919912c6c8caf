import { and, eq, lt, sql } from 'drizzle-orm'
import { visibilityScans as scans } from '../../../../schema/visibility.ts'
import { type Deps, sendBatch } from '../../../platform/runtime/ctx.ts'
import { askEngines } from '../jobs.ts'

/** No scan takes as long, even of 25 prompts with five samples. */
const LONG_MS = 3 * 3_600_000
const BATCH = 20

/**
 * Gives scans that still run after hours their jobs back; returns how many scans. One whose jobs were lost would refuse every other
 * for good.
 */
export const wakeStrandedScans = async ({ db, now }: Pick<Deps, 'db' | 'now'>): Promise<number> => {
  const at = now()
  const isOld = and(eq(scans.state, 'running'), lt(scans.startedAt, new Date(at.getTime() - LONG_MS)))
  const old = db.select({ id: scans.id, accountId: scans.accountId }).from(scans).where(isOld).limit(BATCH)
  const account = sql`old.account_id`
  const asked = askEngines({ from: sql`${old} as old`, id: sql`old.id`, account, if: 'always' }, at)
  const [rows] = await sendBatch(db, [asked], { unaudited: 'work that was asked for when the scan began' })
  return new Set(rows.map(({ payload }) => payload.scan_id)).size
}
