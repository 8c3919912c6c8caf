import { and, eq, exists, isNull, notExists, type SQL, sql } from 'drizzle-orm'
import type { ScanKind } from '../../../../schema/values/visibility.ts'
import {
  visibilityAnswers as answers,
  visibilityPrompts as prompts,
  visibilityScans as scans,
  visibilitySchedules as schedules,
} from '../../../../schema/visibility.ts'
import { readWithProject } from '../../../accounts/projects/scope.ts'
import { lockProject } from '../../../accounts/projects/writes.ts'
import { budgetRefusal, NO_SPENDING, type Spending, spendOfKey } from '../../../platform/accounts/key-budget.ts'
import { PLAN_INCLUDES } from '../../../platform/accounts/plans.ts'
import {
  chargeDollars,
  hasDollars,
  isBeyond,
  lockDollars,
  providerDollars,
  requireDollars,
  toCents,
} from '../../../platform/accounts/provider-dollars.ts'
import { when } from '../../../platform/db/steps.ts'
import { audit, decideOnce, type If, insertWhere, listed } from '../../../platform/db/writes.ts'
import type { JobResult } from '../../../platform/jobs/job.ts'
import { ApiError } from '../../../platform/lib/errors.ts'
import { required } from '../../../platform/lib/issues.ts'
import type { Ctx } from '../../../platform/runtime/ctx.ts'
import { marketOf } from '../../keywords/market.ts'
import { askEngines, listedEngines } from '../jobs.ts'
import type { StartScanInput } from '../operations.ts'
import { knownPrompts } from '../read/queries.ts'
import { expectedUsd, MAX_ACTIVE, MAX_AUTO, promptKey } from '../rules.ts'
import { autoPrompts } from './auto-prompts.ts'
import { isScanning, manualScansOn, type ScanBasis, scanBasis, untilTomorrowS } from './queries.ts'

const WEEK_MS = 7 * 86_400_000

/** Schedules weekly scans of a project. A project that is scheduled already keeps its day. */
export const schedule = (accountId: number, projectId: number, now: Date, condition: If) =>
  insertWhere(
    schedules,
    { accountId, projectId, nextScanAt: new Date(now.getTime() + WEEK_MS) },
    { if: condition, onConflict: sql`(project_id) do nothing` },
  )

/** A scan to begin. `used`: the manual scans of the day that the caller saw; undefined for the weekly scan. */
type NewScan = {
  accountId: number
  projectId: number
  kind: ScanKind
  samples: number
  /** Most that it is expected to cost, dollars. */
  usd: number
  country: string
  language: string
  used?: number
  /** Prompts that the service would add to the existing ones. */
  autoPrompts: readonly string[]
}

const isActive = (projectId: number): SQL => sql`${and(eq(prompts.projectId, projectId), isNull(prompts.removedAt))}`

/**
 * Adds prompts made by the service, if there is room. Prompts that the project had before are not added, even if they were
 * removed.
 */
const addAuto = ({ db, now }: Ctx, { accountId, projectId, autoPrompts }: NewScan, condition: SQL) => {
  const isKnown = and(eq(prompts.projectId, projectId), eq(prompts.promptKey, sql`listed.key`))
  const known = db.select({ id: prompts.id }).from(prompts).where(isKnown)
  const given = autoPrompts.map((prompt) => ({ prompt, key: promptKey(prompt) }))
  return insertWhere(
    prompts,
    {
      accountId,
      projectId,
      prompt: sql`listed.prompt`,
      promptKey: sql`listed.key`,
      source: 'auto',
      createdAt: now(),
    },
    {
      from: listed({ prompt: prompts.prompt, key: prompts.promptKey }, given),
      if: sql`${condition} and ${notExists(known)}`,
      orderBy: sql`listed.n`,
      limit: sql`(select greatest(0, least(${MAX_AUTO}::int - count(*) filter (where ${prompts.source} = 'auto'), ${MAX_ACTIVE}::int - count(*)))
        from ${prompts} where ${isActive(projectId)})`,
      onConflict: sql`(project_id, prompt_key) do nothing`,
    },
  )
}

/**
 * Begins a scan with an open question for each prompt, engine and sample, and a job for each engine.
 *
 * Returns false if a scan is running, another manual scan was counted since, the key's budget or the account's ceiling has no room,
 * or there is no prompt.
 */
const beginScan = async (ctx: Ctx, scan: NewScan, answer: unknown, spending: Spending): Promise<boolean> => {
  const { accountId, projectId, kind, samples, usd, used } = scan
  const now = ctx.now()
  const isCounted = used === undefined ? undefined : sql`${manualScansOn(projectId, now)} = ${used}::int`
  const may = decideOnce(
    sql`${and(sql`not ${isScanning(projectId)}`, isCounted, spending.hasRoom, hasDollars(accountId, now, usd))}`,
  )
  const asked = ctx.db.select({ id: prompts.id }).from(prompts).where(isActive(projectId))
  // No scan was running before, so the running one is the new one.
  const isNew = sql`${and(may.isMet, eq(scans.projectId, projectId), eq(scans.state, 'running'))}`
  const isBegun = exists(ctx.db.select({ id: scans.id }).from(scans).where(isNew))
  const begun = { from: sql`${scans}`, if: isNew }
  const { made } = await ctx.batch({
    account: lockDollars(ctx.db, accountId),
    spendingLock: spending.lock,
    project: lockProject(ctx.db, projectId),
    decided: may.statement,
    ...when(may.isMet, {
      addAuto: (isMet) => addAuto(ctx, scan, isMet),
      made: (isMet) =>
        insertWhere(
          scans,
          {
            accountId,
            projectId,
            kind,
            samples,
            location: scan.country,
            language: scan.language,
            expectedUsd: usd,
            startedAt: now,
          },
          { if: sql`${isMet} and ${exists(asked)}` },
        ),
    }),
    answers: insertWhere(
      answers,
      {
        accountId,
        projectId,
        scanId: sql`${scans.id}`,
        promptId: sql`${prompts.id}`,
        engine: sql`listed.engine`,
        sample: sql`rounds.sample`,
      },
      {
        from: sql`${scans}, ${prompts}, ${listedEngines()}, generate_series(1, ${samples}::int) as rounds (sample)`,
        if: sql`${isNew} and ${isActive(projectId)}`,
        orderBy: sql`rounds.sample, ${prompts.id}, listed.n`,
      },
    ),
    askEngines: askEngines({ ...begun, id: sql`${scans.id}`, account: sql`${scans.accountId}` }, now),
    ...when(isBegun, {
      chargeIf: (isMet) => spending.chargeIf(ctx.db, isMet),
      charged: (isMet) => chargeDollars(ctx.db, accountId, now, usd, isMet),
      schedule: (isMet) => schedule(accountId, projectId, now, isMet),
      kept: ctx.keepAnswer(answer),
    }),
    audit: audit(ctx, {
      account: accountId,
      action: 'visibility.scan',
      on: ['visibility_scan', scans.id],
      detail: { kind, samples },
      ...begun,
    }),
  })
  return made.length > 0
}

const TRIES = 4
const SCAN_RETRY_S = 30

const refusedAs = (used: number, limit: number, samples: number, now: Date): ApiError =>
  new ApiError(
    'rate_limited',
    `The project has used ${used} of ${limit} manual scans today, and this one counts as ${samples}, one for each sample. The count starts again at midnight UTC; one scan a week runs by itself.`,
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
    'A scan of this project is running. Nothing was started or counted; read its result when `scanning` is false.',
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
  const known = await read(() => knownPrompts(db, projectId, keys))
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
    usd: expectedUsd(basis.prompts, samples),
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
    const { results: found } = await readWithProject(ctx, projectId, scanBasis(ctx.db, projectId, ctx.now()))
    const [basis] = found.rows
    if (!basis) throw new ApiError('not_found', 'The project does not exist.')
    const account = await ctx.account()
    const limit = PLAN_INCLUDES[account.plan].manualScans
    if (basis.scanning) throw scanRunning(projectId)
    const samples = input.samples ?? 1
    if (basis.used + samples > limit) throw refusedAs(basis.used, limit, samples, ctx.now())
    const scan = newScan(basis, projectId, 'manual', samples)
    if (basis.prompts === 0 && scan.autoPrompts.length === 0) throw noPrompts(projectId)
    const answer = {
      status: 'queued',
      project_id: projectId,
      manual_scans_used: basis.used + samples,
      manual_scans_limit: limit,
      cost_usd: toCents(scan.usd),
      message: MESSAGE,
    }
    const spending = spendOfKey(account, ctx.now(), 'scans', samples)
    if (await beginScan(ctx, { ...scan, used: basis.used }, answer, spending)) {
      ctx.defer(ctx.wakeQueue())
      return answer
    }
    const refusal = await budgetRefusal(ctx, 'scans', samples)
    if (refusal) throw refusal
    await requireDollars(ctx, scan.usd)
  }
  throw noPrompts(input.project_id ?? 0)
}

const SAMPLES = 1

/**
 * Starts the weekly scan of a project. Does nothing if a scan is running, nothing can be asked, the project is archived, or the
 * account's ceiling has no room.
 */
export const scanWeekly = async (ctx: Ctx, projectId: number): Promise<JobResult> => {
  const found = await ctx.read(() => scanBasis(ctx.db, projectId, ctx.now()))
  const [basis] = found.rows
  if (!basis?.active || basis.scanning) return { kind: 'done' }
  const scan = newScan(basis, projectId, 'weekly', SAMPLES)
  if (!(await beginScan(ctx, scan, undefined, NO_SPENDING))) {
    const [dollars] = await ctx.read(() => providerDollars(ctx.db, scan.accountId, ctx.now()))
    isBeyond(ctx, scan.accountId, dollars, scan.usd)
  }
  return { kind: 'done' }
}
