import { and, eq, isNull, type SQL, sql } from 'drizzle-orm'
import { ENGINES, type ScanKind } from '../../../../schema/values/visibility.ts'
import {
  visibilityAnswers as answers,
  visibilityPrompts as prompts,
  visibilityScans as scans,
} from '../../../../schema/visibility.ts'
import type { Spending } from '../../../platform/accounts/key-budget.ts'
import { audit } from '../../../platform/db/audit.ts'
import type { Part } from '../../../platform/db/part.ts'
import { given, query } from '../../../platform/db/read-parts.ts'
import { statement } from '../../../platform/db/statement.ts'
import { insert } from '../../../platform/db/write-parts.ts'
import type { Ctx } from '../../../platform/runtime/ctx.ts'
import { askEngines } from '../jobs.ts'
import { MAX_ACTIVE, MAX_AUTO, promptKey } from '../rules.ts'
import { scheduled } from '../schedule-parts.ts'
import { isScanning, manualScansOn } from './queries.ts'

/** A scan that is to begin. `used`: how many manual scans of the day the caller was told of; none for the weekly one. */
export type NewScan = {
  accountId: number
  projectId: number
  kind: ScanKind
  samples: number
  country: string
  language: string
  used?: number
  /** Prompts the service would ask besides those there are. */
  autoPrompts: readonly string[]
}

const isActive = (projectId: number): SQL => sql`${and(eq(prompts.projectId, projectId), isNull(prompts.removedAt))}`

/** Fills up a project's own-made prompts where there is room with those it never had: one that was removed stays removed. */
const addAuto = (allowed: Part, { accountId, projectId, autoPrompts }: NewScan, now: Date) => {
  const made = given('wanted', {
    prompt: { type: 'text', values: [...autoPrompts] },
    key: { type: 'text', values: autoPrompts.map(promptKey) },
  })
  const fresh = query(
    'fresh',
    ['prompt', 'key', 'n'],
    sql`select ${made.c.prompt} as prompt, ${made.c.key} as key, row_number() over (order by ${made.c.n}) as n from ${made.rows}
      where not exists (select 1 from ${prompts} where ${and(eq(prompts.projectId, projectId), eq(prompts.promptKey, made.c.key))})`,
    { materialized: true },
  )
  const room = sql`(select least(${MAX_AUTO}::int - count(*) filter (where ${prompts.source} = 'auto'), ${MAX_ACTIVE}::int - count(*))
    from ${prompts} where ${isActive(projectId)})`
  const row = {
    accountId,
    projectId,
    prompt: fresh.c.prompt,
    promptKey: fresh.c.key,
    source: 'auto' as const,
    createdAt: now,
  }
  const added = insert('added_prompts', prompts, row, {
    from: [allowed, fresh],
    where: sql`${fresh.c.n} <= ${room}`,
    orderBy: fresh.c.n,
    onConflict: { columns: [prompts.projectId, prompts.promptKey] },
    returning: { id: prompts.id },
  })
  return { parts: [made, fresh, added], added }
}

/**
 * Begins a scan with a question open for each prompt, engine and sample, and a job for each engine.
 *
 * No row if a scan is running, another manual scan was counted meanwhile, the key's budget has no room, or there is nothing to
 * ask. Only valid after `projectLock` and the locks of `spending`.
 */
export const beginScan = (ctx: Ctx, scan: NewScan, answer: unknown, spending: Spending): SQL => {
  const { accountId, projectId, kind, samples, used } = scan
  const now = ctx.now()
  const isCounted = used === undefined ? sql`` : sql` and ${manualScansOn(projectId, now)} = ${used}::int`
  const allowed = query(
    'allowed',
    ['one'],
    sql`select 1 as one where not ${isScanning(projectId)}${isCounted} and ${spending.hasRoom}`,
    {
      materialized: true,
    },
  )
  const { parts: prepared, added } = addAuto(allowed, scan, now)
  const asked = query(
    'asked',
    ['id'],
    sql`select ${prompts.id} as id from ${prompts}, ${allowed.rows} where ${isActive(projectId)} union all select ${added.c.id} from ${added.rows}`,
    { materialized: true },
  )
  const begun = insert(
    'begun',
    scans,
    { accountId, projectId, kind, samples, location: scan.country, language: scan.language, startedAt: now },
    { from: [allowed], where: asked.hasRows, returning: { id: scans.id } },
  )
  const engines = given('engines', { engine: { type: 'text', values: [...ENGINES] } })
  const rounds = query('rounds', ['sample'], sql`select generate_series(1, ${samples}::int) as sample`)
  const opened = insert(
    'opened',
    answers,
    {
      accountId,
      projectId,
      scanId: begun.c.id,
      promptId: asked.c.id,
      engine: engines.c.engine,
      sample: rounds.c.sample,
    },
    { from: [begun, asked, engines, rounds], orderBy: sql`${rounds.c.sample}, ${asked.c.id}, ${engines.c.n}` },
  )
  const jobs = askEngines(begun, accountId, now)
  return statement({
    parts: [
      allowed,
      prepared,
      asked,
      begun,
      engines,
      rounds,
      opened,
      jobs,
      spending.charge(begun),
      scheduled(begun, accountId, projectId, now),
      ctx.keep.answer([begun], answer),
    ],
    audit: audit(ctx, {
      of: begun,
      account: accountId,
      action: 'visibility.scan',
      on: ['visibility_scan', begun.c.id],
      detail: { kind, samples },
    }),
    answer: { id: begun.c.id },
  })
}
