import { readWithProject } from '../../../accounts/projects/scope.ts'
import { budgetRefusal, NO_SPENDING, spendOfKey } from '../../../platform/accounts/key-budget.ts'
import { PLAN_INCLUDES } from '../../../platform/accounts/plans.ts'
import type { JobResult } from '../../../platform/jobs/handler.ts'
import { ApiError } from '../../../platform/lib/errors.ts'
import { required } from '../../../platform/lib/issues.ts'
import type { Ctx } from '../../../platform/runtime/ctx.ts'
import { marketOf } from '../../keywords/market.ts'
import type { StartScanInput } from '../operations.ts'
import { knownPrompts } from '../read/queries.ts'
import { promptKey } from '../rules.ts'
import { autoPrompts } from './auto-prompts.ts'
import { beginScan, type NewScan } from './begin.ts'
import { type ScanBasis, scanBasis, untilTomorrowS } from './queries.ts'

const TRIES = 4
const SCAN_RETRY_S = 30

const refusedAs = (used: number, limit: number, now: Date): ApiError =>
  new ApiError(
    'rate_limited',
    `All ${limit} manual scans of this project were used today. The count starts again at midnight UTC; one scan a week runs by itself.`,
    {
      status: 'rate_limited',
      manual_scans_used: used,
      manual_scans_limit: limit,
      retry_after: untilTomorrowS(now),
    },
  )

const scanRunning = (projectId: number): ApiError =>
  new ApiError(
    'scan_running',
    'A scan of this project is running. Nothing was started and nothing was counted; read its result when `scanning` is false.',
    {
      retry_after: SCAN_RETRY_S,
      next_calls: [
        { method: 'GET', path: `/ai-visibility?project_id=${projectId}`, why: 'Shows whether the scan still runs.' },
      ],
    },
  )

const noPrompts = (projectId: number): ApiError =>
  new ApiError('no_prompts', 'There is nothing to ask yet: the project has no prompts and no business description.', {
    next_calls: [
      {
        method: 'GET',
        path: `/projects/${projectId}`,
        why: 'Shows business_description: prompts are made from it once PUT /projects/:id fills it in.',
      },
      {
        method: 'GET',
        path: `/ai-visibility?project_id=${projectId}&view=prompts`,
        why: 'Lists the prompts; POST /ai-visibility/prompts adds a question customers ask.',
      },
    ],
  })

/** Returns the prompts that the service would make for a project. */
const promptsFor = (basis: ScanBasis): string[] =>
  autoPrompts({
    name: basis.business_name,
    description: basis.business_description,
    pillars: basis.content_pillars,
    competitors: basis.competitor_websites,
    audience: basis.target_audience,
    language: basis.language,
    topics: basis.topics,
  })

/**
 * True if a scan of a project has something to ask.
 *
 * A project without prompts can ask those that the service would make, unless it removed them before.
 */
export const hasQuestions = async ({ db, read }: Pick<Ctx, 'db' | 'read'>, projectId: number, basis: ScanBasis) => {
  if (basis.prompts > 0) return true
  const keys = promptsFor(basis).map(promptKey)
  if (keys.length === 0) return false
  const [known] = await read(() => [knownPrompts(db, projectId, keys)])
  return known.length < keys.length
}

/** Returns the scan that fits the state of a project. */
const newScan = (
  basis: ScanBasis,
  projectId: number,
  kind: NewScan['kind'],
  samples: number,
): Omit<NewScan, 'used'> => {
  const market = marketOf(basis.language, basis.keyword_region)
  return {
    accountId: basis.account_id,
    projectId,
    kind,
    samples,
    country: market.country,
    language: market.language,
    autoPrompts: promptsFor(basis),
  }
}

const MESSAGE =
  'The engines are being asked. Read the result with GET /ai-visibility when `scanning` is false, usually after some minutes.'

/**
 * Starts a manual scan. It counts toward the daily limit (UTC) of the project.
 *
 * Throws 400, 404, 403, 409 if a scan is running or there is nothing to ask, 429 if the day's scans are used.
 */
export const startScan = async (ctx: Ctx, input: StartScanInput) => {
  const { project_id: projectId } = required(input, ['project_id'])
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const {
      results: [found],
    } = await readWithProject(ctx, projectId, [scanBasis(ctx.db, projectId, ctx.now())] as const)
    const [basis] = found.rows
    if (!basis) throw new ApiError('not_found', 'The project does not exist.')
    const account = await ctx.account()
    const limit = PLAN_INCLUDES[account.plan].manualScans
    if (basis.scanning) throw scanRunning(projectId)
    if (basis.used >= limit) throw refusedAs(basis.used, limit, ctx.now())
    const scan = newScan(basis, projectId, 'manual', input.samples ?? 1)
    if (basis.prompts === 0 && scan.autoPrompts.length === 0) throw noPrompts(projectId)
    const answer = {
      status: 'queued',
      project_id: projectId,
      manual_scans_used: basis.used + 1,
      manual_scans_limit: limit,
      message: MESSAGE,
    }
    const spending = spendOfKey(account, ctx.now(), 'scans', 1)
    if (await beginScan(ctx, { ...scan, used: basis.used }, answer, spending)) {
      ctx.defer(ctx.wakeQueue())
      return answer
    }
    const refusal = await budgetRefusal(ctx, 'scans', 1)
    if (refusal) throw refusal
  }
  throw noPrompts(input.project_id ?? 0)
}

const SAMPLES = 1

/** Starts the weekly scan of a project. Does nothing if a scan is running, nothing can be asked, or the project is archived. */
export const scanWeekly = async (ctx: Ctx, projectId: number): Promise<JobResult> => {
  const [found] = await ctx.read(() => [scanBasis(ctx.db, projectId, ctx.now())])
  const [basis] = found.rows
  if (basis?.active && !basis.scanning)
    await beginScan(ctx, newScan(basis, projectId, 'weekly', SAMPLES), undefined, NO_SPENDING)
  return { kind: 'done' }
}
