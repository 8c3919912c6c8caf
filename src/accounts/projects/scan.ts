import { and, eq, exists, inArray } from 'drizzle-orm'
import { projects } from '../../../schema/projects.ts'
import { when } from '../../platform/db/steps.ts'
import { audit } from '../../platform/db/writes.ts'
import { enqueue } from '../../platform/jobs/enqueue.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { SCAN_ASKED, scanJob } from './jobs.ts'
import { getProject } from './read.ts'
import { notActive } from './scope.ts'

/** Queues a scan of an active project, and keeps the answer. Returns false if a scan is under way, or the project is not active. */
export const askForScan = async (ctx: Ctx, accountId: number, id: number, answer: unknown): Promise<boolean> => {
  const mine = and(eq(projects.id, id), eq(projects.accountId, accountId))
  const canAsk = and(mine, eq(projects.status, 'Active'), inArray(projects.siteScanState, ['completed', 'failed']))
  const isIdle = exists(ctx.db.select({ id: projects.id }).from(projects).where(canAsk))
  const { asked } = await ctx.batch({
    project: ctx.db.select({ id: projects.id }).from(projects).where(mine).for('no key update'),
    ...when(isIdle, {
      scanJob: enqueue(scanJob, { project_id: id }, { account: accountId, runAt: ctx.now(), open: 'keep' }),
      audit: audit(ctx, { account: accountId, action: 'project.scan_asked', on: ['project', id] }),
      kept: ctx.keepAnswer(answer),
    }),
    asked: ctx.db.update(projects).set(SCAN_ASKED).where(canAsk).returning({ id: projects.id }),
  })
  if (asked.length > 0) ctx.defer(ctx.wakeQueue())
  return asked.length > 0
}

const MESSAGES = {
  started:
    'The site is scanned in the background: its settings, its pages for internal links, and what it is about. This spends nothing.',
  already_running: 'The site is being scanned already, so no second scan was started.',
}

const answerOf = (id: number, status: keyof typeof MESSAGES) => ({
  project_id: id,
  status,
  message: `${MESSAGES[status]} setup.site_scan in GET /projects/${id} shows the progress.`,
  status_path: `/projects/${id}`,
})

/** Scans the site of an active project, unless a scan is under way. Throws 404, also for an archived project, 403. */
export const scanProject = async (ctx: Ctx, id: number) => {
  const project = await getProject(ctx, id)
  if (project.status !== 'Active') throw notActive(id)
  const account = await ctx.account()
  const answer = answerOf(id, 'started')
  return (await askForScan(ctx, account.id, id, answer)) ? answer : answerOf(id, 'already_running')
}
