import { and, eq, exists, isNull, notExists, type SQL, sql } from 'drizzle-orm'
import type { ScanKind } from '../../../../schema/values/visibility.ts'
import {
  visibilityAnswers as answers,
  visibilityPrompts as prompts,
  visibilityScans as scans,
  visibilitySchedules as schedules,
} from '../../../../schema/visibility.ts'
import { lockProject } from '../../../accounts/projects/writes.ts'
import type { Spending } from '../../../platform/accounts/key-budget.ts'
import { audit, decideOnce, type If, insertWhere, listed } from '../../../platform/db/writes.ts'
import type { Ctx } from '../../../platform/runtime/ctx.ts'
import { askEngines, listedEngines } from '../jobs.ts'
import { MAX_ACTIVE, MAX_AUTO, promptKey } from '../rules.ts'
import { isScanning, manualScansOn } from './queries.ts'

const WEEK_MS = 7 * 86_400_000

/** Schedules weekly scans of a project. A project that is scheduled already keeps its day. */
export const schedule = (accountId: number, projectId: number, now: Date, condition: If) =>
  insertWhere(
    schedules,
    { accountId, projectId, nextScanAt: new Date(now.getTime() + WEEK_MS) },
    { if: condition, onConflict: sql`(project_id) do nothing` },
  )

/** A scan to begin. `used`: the manual scans of the day that the caller saw; undefined for the weekly scan. */
export type NewScan = {
  accountId: number
  projectId: number
  kind: ScanKind
  samples: number
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
 * Returns false if a scan is running, another manual scan was counted since, the key's budget has no room, or there is no
 * prompt.
 */
export const beginScan = async (ctx: Ctx, scan: NewScan, answer: unknown, spending: Spending): Promise<boolean> => {
  const { accountId, projectId, kind, samples, used } = scan
  const now = ctx.now()
  const isCounted = used === undefined ? undefined : sql`${manualScansOn(projectId, now)} = ${used}::int`
  const may = decideOnce(sql`${and(sql`not ${isScanning(projectId)}`, isCounted, spending.hasRoom)}`)
  const asked = ctx.db.select({ id: prompts.id }).from(prompts).where(isActive(projectId))
  // No scan was running before, so the running one is the new one.
  const isNew = sql`${and(may.holds, eq(scans.projectId, projectId), eq(scans.state, 'running'))}`
  const isBegun = exists(ctx.db.select({ id: scans.id }).from(scans).where(isNew))
  const begun = { from: sql`${scans}`, if: isNew }
  const [, , , , made] = await ctx.batch([
    spending.lock,
    lockProject(ctx.db, projectId),
    may.statement,
    addAuto(ctx, scan, may.holds),
    insertWhere(
      scans,
      { accountId, projectId, kind, samples, location: scan.country, language: scan.language, startedAt: now },
      { if: sql`${may.holds} and ${exists(asked)}` },
    ),
    insertWhere(
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
    askEngines({ ...begun, id: sql`${scans.id}`, account: sql`${scans.accountId}` }, now),
    spending.chargeIf(ctx.db, isBegun),
    schedule(accountId, projectId, now, isBegun),
    ctx.keepAnswer(answer, { if: isBegun }),
    audit(ctx, {
      account: accountId,
      action: 'visibility.scan',
      on: ['visibility_scan', scans.id],
      detail: { kind, samples },
      ...begun,
    }),
  ])
  return made.length > 0
}
