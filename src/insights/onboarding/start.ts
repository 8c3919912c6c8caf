import { and, eq, exists, inArray, ne, notExists } from 'drizzle-orm'
import { articles } from '../../../schema/articles.ts'
import { projects } from '../../../schema/projects.ts'
import { onboardJob, SCAN_ASKED, scanJob } from '../../accounts/projects/jobs.ts'
import type { ProjectRow } from '../../accounts/projects/present.ts'
import { getProjectWith } from '../../accounts/projects/read.ts'
import { needsScan, ONBOARDING_USD } from '../../accounts/projects/rules.ts'
import { notActive } from '../../accounts/projects/scope.ts'
import { changeOnboarding } from '../../accounts/projects/writes.ts'
import { PLAN_INCLUDES } from '../../platform/accounts/plans.ts'
import { requireDollars } from '../../platform/accounts/provider-dollars.ts'
import { audit } from '../../platform/db/writes.ts'
import { enqueue } from '../../platform/jobs/enqueue.ts'
import { ApiError } from '../../platform/lib/errors.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { articlesExist } from './queries.ts'

type Answer = { project_id: number; status: string; message: string; poll?: string; status_path?: string }

const SCAN_RETRY_S = 10

const startedAnswer = (id: number): Answer => ({
  project_id: id,
  status: 'started',
  message:
    'Keywords are being researched, then a month of articles is planned. Poll the list of articles until they appear; while it is empty, its setup shows the progress.',
  poll: `/articles?project_id=${id}`,
  status_path: `/projects/${id}`,
})

const alreadyOnboarded = (id: number): Answer => ({
  project_id: id,
  status: 'already_onboarded',
  message: 'The project has articles already, so nothing was started and nothing was spent.',
})

const skipped = (id: number): Answer => ({
  project_id: id,
  status: 'skipped_byok',
  message:
    'On this plan you choose the keywords yourself: nothing was started and nothing was spent. Find keywords with POST /keywords/search and plan articles with POST /articles.',
})

const scanRunning = (id: number): ApiError =>
  new ApiError(
    'site_scan_running',
    `The site is still being scanned, and research builds on what the scan finds. Repeat the call when setup.site_scan in GET /projects/${id} is completed or failed.`,
    {
      retry_after: SCAN_RETRY_S,
      next_calls: [{ method: 'GET', path: `/projects/${id}`, why: 'Shows the progress of the scan.' }],
    },
  )

/** Returns the error for a business about which too little is known to find keywords. */
const nothingKnown = (id: number): ApiError =>
  new ApiError(
    'invalid_input',
    'The site could not be scanned, and the project has no description, pillars or competitors, so there is nothing to find keywords from. Nothing was started and nothing was spent.',
    {
      details: [
        {
          field: 'business_description',
          message: `is empty: set it, content_pillars or competitors with PUT /projects/${id}, then start onboarding again`,
        },
      ],
      next_calls: [{ method: 'POST', path: `/projects/${id}/scan`, why: 'Scans the site again.' }],
    },
  )

const isUnknown = (p: ProjectRow): boolean =>
  p.siteScanState === 'failed' &&
  [p.businessDescription, p.topics, ...p.contentPillars, ...p.competitorWebsites].every((text) => text.trim() === '')

const load = async (ctx: Ctx, id: number): Promise<{ project: ProjectRow; hasArticles: boolean }> => {
  const { project, results: articles } = await getProjectWith(ctx, id, articlesExist(ctx.db, id))
  if (project.status !== 'Active') throw notActive(id)
  return { project, hasArticles: articles.rows.length > 0 }
}

/**
 * Starts onboarding with its job. The lock keeps new articles out.
 *
 * Returns false if onboarding is running, the project has articles, or its site is being scanned.
 */
const start = async (ctx: Ctx, accountId: number, project: ProjectRow): Promise<boolean> => {
  const { id } = project
  const now = ctx.now()
  const scan = needsScan(project, now)
  const canStart = and(
    eq(projects.id, id),
    eq(projects.accountId, accountId),
    eq(projects.status, 'Active'),
    ne(projects.onboardingState, 'running'),
    inArray(projects.siteScanState, ['completed', 'failed']),
    notExists(
      ctx.db
        .select({ id: articles.id })
        .from(articles)
        .where(and(eq(articles.projectId, id), eq(articles.origin, 'own'))),
    ),
  )
  const startable = () => ctx.db.select({ id: projects.id }).from(projects).where(canStart)
  const work = { if: exists(startable()), account: accountId, runAt: now } as const
  const started = { onboardingState: 'running', onboardingError: null, updatedAt: now } as const
  const { started: onboarding } = await ctx.batch({
    project: startable().for('update'),
    onboardJob: enqueue(onboardJob, { project_id: id }, { ...work, open: 'move' }),
    scanJob: scan && enqueue(scanJob, { project_id: id }, { ...work, open: 'keep' }),
    kept: ctx.keepAnswer(startedAnswer(id))(work.if),
    audit: audit(ctx, { account: accountId, action: 'project.onboarding', on: ['project', id], if: work.if }),
    started: changeOnboarding(ctx.db, { ...started, ...(scan ? SCAN_ASKED : {}) }, canStart),
  })
  return onboarding.length > 0
}

/**
 * Starts research and the plan of a month of articles, once. Returns 202 also while it is running, 200 if there is nothing to
 * start.
 *
 * A site is scanned again if its last scan failed or is old.
 *
 * Throws 404, 403, 400 if nothing is known of the business, 402 if the account's ceiling of dollars has no room, 409 while the site is scanned.
 */
export const onboardProject = async (ctx: Ctx, id: number): Promise<{ status: 200 | 202; body: Answer }> => {
  const { project, hasArticles } = await load(ctx, id)
  const account = await ctx.account()
  if (project.onboardingState === 'running') return { status: 202, body: startedAnswer(id) }
  if (hasArticles) return { status: 200, body: alreadyOnboarded(id) }
  if (!PLAN_INCLUDES[account.plan].writer) return { status: 200, body: skipped(id) }
  if (project.siteScanState === 'pending' || project.siteScanState === 'running') throw scanRunning(id)
  if (isUnknown(project)) throw nothingKnown(id)
  await requireDollars(ctx, ONBOARDING_USD)
  if (await start(ctx, account.id, project)) {
    ctx.defer(ctx.wakeQueue())
    return { status: 202, body: startedAnswer(id) }
  }
  const { hasArticles: planned } = await load(ctx, id)
  return planned ? { status: 200, body: alreadyOnboarded(id) } : { status: 202, body: startedAnswer(id) }
}
