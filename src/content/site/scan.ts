import { and, eq, inArray } from 'drizzle-orm'
import { projects } from '../../../schema/projects.ts'
import type { ScanProgress } from '../../accounts/projects/jobs.ts'
import { changeScan } from '../../accounts/projects/writes.ts'
import type { JobResult } from '../../platform/jobs/handler.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { failScan, SCANNED, UNDER_WAY } from './progress.ts'
import { openSite } from './scan-open.ts'
import { readPages } from './scan-pages.ts'
import { readSitemaps } from './scan-sitemaps.ts'

const STEPS = { open: openSite, sitemaps: readSitemaps, pages: readPages }

/**
 * Runs the next step of a project's site scan: robots.txt and home page, sitemaps, pages. A step saves what it found together
 * with where the next one goes on; one that was cut off is done again and changes nothing twice. Spends nothing.
 */
export const scanSite = async (ctx: Ctx, progress: ScanProgress): Promise<JobResult> => {
  const canScan = and(
    eq(projects.id, progress.project_id),
    eq(projects.status, 'Active'),
    inArray(projects.siteScanState, ['pending', 'running']),
  )
  const [[project]] = await ctx.batch(
    [changeScan(ctx.db, { siteScanState: 'running' }, canScan).returning(SCANNED)],
    UNDER_WAY,
  )
  return project ? await STEPS[progress.step](ctx, progress, project) : { kind: 'done' }
}

/** Ends a scan that failed too often on our side, so that nobody waits for it. */
export const abandonScan = async (ctx: Ctx, projectId: number): Promise<void> => {
  const why = 'The scan failed on our side although it was tried many times. The project works without it.'
  await failScan(ctx, { project_id: projectId }, why)
}
