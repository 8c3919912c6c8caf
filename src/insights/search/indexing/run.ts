import { eq } from 'drizzle-orm'
import { searchConnections } from '../../../../schema/search.ts'
import type { JobResult } from '../../../platform/jobs/job.ts'
import { DAY_MS } from '../../../platform/lib/time.ts'
import type { Ctx } from '../../../platform/runtime/ctx.ts'
import { type Asker, isLasting, isOpen, type Open, searchApiFor } from '../access.ts'
import type { Failure, SearchConsole } from '../port.ts'
import { connectionOf } from '../queries.ts'
import { endRefused } from '../sync.ts'
import { askAbout } from './ask.ts'
import { dueArticles, type InspectedArticle, nextInspections, watchedSitemaps } from './queries.ts'
import { MOST_A_DAY, quotaDay } from './rules.ts'
import { keepSeen, UNAUDITED } from './writes.ts'

/** Questions at once. Google answers slowly, and refuses many at once. */
const AT_ONCE = 5
/** Time after which a run asks no more, ms. */
const BUDGET_MS = 15_000
/** Pause before the next run, if articles are left, ms. */
const PAUSE_MS = 30_000
/** Failures after which a run asks no more: Google is away. */
const MOST_FAILURES = 2
/** Time after which the sitemaps are read again. */
const SITEMAPS_AFTER_MS = 0.9 * DAY_MS

/** Stores the sitemaps of the property that Google knows, once a day. Nothing is submitted. */
const watchSitemaps = async (ctx: Ctx, google: SearchConsole, ask: Asker, row: Open): Promise<void> => {
  const rows = await ctx.read(() => watchedSitemaps(ctx.db, row.project_id, quotaDay(ctx.now())))
  const last = rows.rows[0]?.sitemaps_at
  const now = ctx.now()
  if (last && now.getTime() - Date.parse(last) < SITEMAPS_AFTER_MS) return
  const found = await ask((token) => google.sitemaps(token, row.property))
  if ('failure' in found) return
  await ctx.batch(
    {
      changed: ctx.db
        .update(searchConnections)
        .set({ sitemaps: found.ok, sitemapsAt: now })
        .where(eq(searchConnections.connectionId, row.connection_id)),
    },
    { unaudited: 'a copy of what Google says' },
  )
}

type Left = { failure?: Failure; isUsedUp: boolean; isMore: boolean }

const askAboutDue = async (
  ctx: Ctx,
  google: SearchConsole,
  ask: Asker,
  row: Open,
  due: readonly InspectedArticle[],
): Promise<Left> => {
  const startedAt = ctx.now().getTime()
  const whose = { accountId: row.account_id, projectId: row.project_id }
  const failures: Failure[] = []
  for (let from = 0; from < due.length; from += AT_ONCE) {
    if (ctx.now().getTime() - startedAt > BUDGET_MS) return { isUsedUp: false, isMore: true }
    const asking = { google, ask, row, most: MOST_A_DAY.byClock }
    const asked = await askAbout(ctx, asking, due.slice(from, from + AT_ONCE))
    if (asked.seen.length > 0)
      await ctx.batch({ seen: asked.seen.map((one) => keepSeen(ctx, whose, one, ctx.now())) }, UNAUDITED)
    failures.push(...asked.failures)
    const lasting = failures.find((failure) => isLasting(failure) || failure.kind === 'quota')
    const failure = lasting ?? (failures.length >= MOST_FAILURES ? failures[0] : undefined)
    if (failure) return { failure, isUsedUp: false, isMore: true }
    if (asked.isUsedUp) return { isUsedUp: true, isMore: true }
  }
  return { ...(failures[0] ? { failure: failures[0] } : {}), isUsedUp: false, isMore: due.length > 0 }
}

/**
 * Asks Google about the articles of a project that are due, at most 50 in a run, and stores its answers.
 *
 * If more are due, the next run follows soon. If the project's share of the quota is used up, it follows some hours later.
 */
export const inspectProject = async (ctx: Ctx, google: SearchConsole, projectId: number): Promise<JobResult> => {
  const { connections, due } = await ctx.read(() => ({
    connections: connectionOf(ctx.db, projectId),
    due: dueArticles(ctx.db, projectId, ctx.now()),
  }))
  const [row] = connections.rows
  if (!isOpen(row) || row.failure === 'revoked') return { kind: 'done' }
  const ask = searchApiFor(ctx, google, row)
  await watchSitemaps(ctx, google, ask, row)
  const { failure, isUsedUp, isMore } = await askAboutDue(ctx, google, ask, row, due.rows)
  if (failure) return endRefused(ctx, failure)
  if (isUsedUp) return { kind: 'done' }
  if (isMore) return { kind: 'later', at: new Date(ctx.now().getTime() + PAUSE_MS / ctx.settings.retryTimeScale) }
  await ctx.batch(
    {
      changed: ctx.db
        .update(searchConnections)
        .set({ nextInspectionsAt: nextInspections(projectId, ctx.now()) })
        .where(eq(searchConnections.connectionId, row.connection_id)),
    },
    { unaudited: 'the service’s own clock' },
  )
  return { kind: 'done' }
}
