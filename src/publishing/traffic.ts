import { and, asc, eq, lte, type SQL, sql } from 'drizzle-orm'
import { integrations } from '../../schema/integrations.ts'
import { projects } from '../../schema/projects.ts'
import { trafficDays } from '../../schema/traffic.ts'
import { dayFrom } from '../insights/traffic/rules.ts'
import { keepDay } from '../insights/traffic/writes.ts'
import { enqueue } from '../platform/jobs/enqueue.ts'
import type { JobResult } from '../platform/jobs/job.ts'
import { hasCallsLeft } from '../platform/lib/request-scope.ts'
import { type Ctx, type Deps, sendBatch } from '../platform/runtime/ctx.ts'
import { trafficJob } from './jobs.ts'
import { openTarget } from './target/open.ts'
import type { TargetFactory } from './target/publish-target.ts'

/** Platform whose sites count visits, with our plugin. */
const COUNTING = 'wordpress'
/** Most sites queued in a minute. */
const BATCH = 50
/** Days for which the plugin keeps its sums, without today. */
const KEPT_DAYS = 89
/** Minutes of the night (UTC) over which the sites are spread, and after which the first one is read. */
const SPREAD = { from: 10, over: 180 }
const AGAIN_MS = 3_600_000
/** Calls over bindings that one day needs: the site, and the batch. */
const CALLS_OF_DAY = 2

const nextNight = (now: Date, id: number): Date =>
  new Date(Date.parse(`${dayFrom(now, 1)}T00:00:00Z`) + (SPREAD.from + (id % SPREAD.over)) * 60_000)

/** Queues the daily reading of visits that is due; returns of how many sites. Reads one index if none is due. */
export const enqueueDueTraffic = async ({ db, now }: Pick<Deps, 'db' | 'now'>): Promise<number> => {
  const runAt = now()
  const { id, accountId, platform, status, nextTrafficAt, projectId } = integrations
  const due = db
    .select({ id })
    .from(integrations)
    .where(and(eq(status, 'Active'), eq(platform, COUNTING), lte(nextTrafficAt, runAt)))
    .orderBy(asc(nextTrafficAt))
    .limit(BATCH)
    .for('no key update', { skipLocked: true })
  const taken = db
    .update(integrations)
    .set({ nextTrafficAt: sql`${new Date(runAt.getTime() + AGAIN_MS).toISOString()}::timestamptz` })
    .where(sql`${id} = any(array${due})`)
    .returning({ id, accountId, projectId })
  const queued = enqueue(
    trafficJob,
    { integration_id: sql`taken.id` },
    {
      if: sql`exists (select 1 from ${projects} where ${projects.id} = taken.project_id and ${eq(projects.status, 'Active')})`,
      from: sql`taken`,
      account: sql`taken.account_id`,
      runAt,
      open: 'keep',
    },
  )
  const { rows } = await sendBatch(
    db,
    { rows: sql`with taken as ${taken} ${queued}` },
    { unaudited: 'the service’s own clock' },
  )
  return rows.length
}

const UNAUDITED = { unaudited: 'numbers that the site counted' }

const siteToRead = (ctx: Ctx, owner: SQL, id: number) =>
  ctx.db
    .select({
      id: integrations.id,
      platform: integrations.platform,
      url: integrations.url,
      sealedSecrets: integrations.sealedSecrets,
      projectId: integrations.projectId,
      lastDay: sql<
        string | null
      >`(select max(d.day)::text from ${trafficDays} d where d.project_id = integrations.project_id)`,
    })
    .from(integrations)
    .where(and(eq(integrations.id, id), eq(integrations.accountId, owner), eq(integrations.status, 'Active')))

/** Stores when a site is read next, and the reason why it was not read now. */
const plan = async (ctx: Ctx, id: number, next: Date, error: string | null): Promise<void> => {
  const planned = ctx.db
    .update(integrations)
    .set({ nextTrafficAt: next, trafficError: error })
    .where(and(eq(integrations.id, id), eq(integrations.status, 'Active')))
  await ctx.batch({ planned }, UNAUDITED)
}

const NOT_COUNTED = 'The plugin could not make its table in the database of the site, so it counts no visits.'

/**
 * Reads the days that a site counted since the last reading, and stores their sums. The sums of a day that was stored before are
 * replaced, so a repeated run changes nothing.
 *
 * A site that does not answer is asked again an hour later. It keeps its days for three months.
 */
export const readTraffic = async (ctx: Ctx, targets: TargetFactory, id: number): Promise<JobResult> => {
  const [row] = await ctx.read((owner) => siteToRead(ctx, owner, id))
  if (!row) return { kind: 'done' }
  const target = await openTarget(ctx, targets, row)
  if (!target?.traffic) return { kind: 'done' }
  const isActive = sql`exists (select 1 from ${integrations} where ${and(eq(integrations.id, id), eq(integrations.status, 'Active'))})`
  const oldest = dayFrom(ctx.now(), -KEPT_DAYS)
  let day = row.lastDay === null ? oldest : dayFrom(new Date(row.lastDay), 1)
  if (day < oldest) day = oldest
  while (day < dayFrom(ctx.now(), 0)) {
    if (!hasCallsLeft(CALLS_OF_DAY)) return { kind: 'later', at: ctx.now() }
    const read = await target.traffic(day)
    if (read.kind !== 'done') {
      const isLater = read.kind === 'unknown' || read.retryable
      const next = isLater ? new Date(ctx.now().getTime() + AGAIN_MS) : nextNight(ctx.now(), id)
      await plan(ctx, id, next, read.reason)
      return { kind: 'done' }
    }
    const { since, isCounted, counts } = read.value
    if (since === null) {
      await plan(ctx, id, nextNight(ctx.now(), id), NOT_COUNTED)
      return { kind: 'done' }
    }
    const site = `${row.platform} ${row.url}`
    if (isCounted)
      await ctx.batch(keepDay(ctx.db, { projectId: row.projectId, site, day, counts }, isActive), UNAUDITED)
    day = dayFrom(new Date(day), 1)
    if (day < since) day = since
  }
  await plan(ctx, id, nextNight(ctx.now(), id), null)
  return { kind: 'done' }
}
