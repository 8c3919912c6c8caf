import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { outbox } from '../../../schema/kernel.ts'
import { projects } from '../../../schema/projects.ts'
import { scanJob } from '../../accounts/projects/jobs.ts'
import { changeScan } from '../../accounts/projects/parts.ts'
import type { ScanProgress } from '../../accounts/projects/scan-progress.ts'
import { audit } from '../../platform/db/audit.ts'
import type { Part } from '../../platform/db/part.ts'
import { statement } from '../../platform/db/statement.ts'
import { DEFAULT_LANGUAGE } from '../../platform/lib/languages.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'

/** A scan changes nothing a person would ask about before its end, which is audited. */
export const UNDER_WAY = 'a step of the scan; its end is audited'

const SCANNED = {
  websiteUrl: projects.websiteUrl,
  websiteKey: projects.websiteKey,
  sitemapUrl: projects.sitemapUrl,
  blogRootUrl: projects.blogRootUrl,
  businessName: projects.businessName,
  businessDescription: projects.businessDescription,
  language: projects.language,
  contentPillars: projects.contentPillars,
}

/** Fields of a project that a scan reads. */
export type ScannedProject = Record<Exclude<keyof typeof SCANNED, 'contentPillars'>, string> & {
  contentPillars: string[]
}

/** Marks a project's scan as running and returns the project. No row if there is nothing to scan. */
export const claimScan = (projectId: number): SQL => {
  const taken = changeScan('taken', {
    changes: { siteScanState: 'running' },
    where: sql`${and(
      eq(projects.id, projectId),
      eq(projects.status, 'Active'),
      inArray(projects.siteScanState, ['pending', 'running']),
    )}`,
    returning: SCANNED,
  })
  return statement({ unaudited: UNDER_WAY, parts: [taken], answer: taken.c })
}

const hasTurn = (turn: number): SQL => sql`coalesce((${outbox.payload} ->> 'turn')::int, 0) = ${turn}::int`

/** A part that makes `progress` the scan's next run. No row when another run of the scan was faster. */
export const advance = (progress: ScanProgress, turn: number, runAt: Date): Part<'id'> => {
  const payload: ScanProgress = { ...progress, not_before: runAt.getTime() }
  return scanJob.move(progress.project_id, runAt, {
    payload,
    where: hasTurn(turn),
  })
}

/** Writes how far a scan is, and nothing else. */
export const advanceScan = (progress: ScanProgress, turn: number, runAt: Date): SQL => {
  const advanced = advance(progress, turn, runAt)
  return statement({ unaudited: UNDER_WAY, parts: [advanced], answer: { id: advanced.c.id } })
}

const FACTS = ['businessName', 'businessDescription', 'language', 'sitemapUrl', 'blogRootUrl'] as const
type Fact = (typeof FACTS)[number]

/** Settings the site itself tells. */
export type SiteFacts = Partial<Record<Fact, string>>

/** The column's new value: the site's where it is blank and no caller ever sent it. The language has a default instead of being blank. */
const fill = (fact: Fact, value: string): SQL => {
  const column = projects[fact]
  const isBlank = eq(column, fact === 'language' ? DEFAULT_LANGUAGE : '')
  const isSent = sql`${column.name}::text = any(${projects.sentFields})`
  return sql`case when ${isBlank} and not (${isSent}) then ${value}::text else ${column} end`
}

type Ended = {
  topics: string
  siteScanState: 'completed'
  siteScanError: string | null
  siteScannedAt: Date
  siteReadAt: Date
}

/** True in SQL while the scan's row is at this turn: no other run was faster, and the scan was not begun again. */
const isAtTurn = ({ project_id, turn }: Pick<ScanProgress, 'project_id' | 'turn'>): SQL =>
  sql`exists (select 1 from ${outbox} where ${outbox.key} = ${scanJob.keyOf(project_id)} and ${outbox.doneAt} is null
    and ${outbox.deadAt} is null and ${hasTurn(turn)})`

/** A part that fills the settings the site tells, while the scan is at this turn. */
export const fillFacts = (progress: Pick<ScanProgress, 'project_id' | 'turn'>, facts: SiteFacts, ended?: Ended) => {
  const { project_id: projectId } = progress
  const filled = FACTS.flatMap((fact) => (facts[fact] ? [[fact, fill(fact, facts[fact])] as const] : []))
  return changeScan('filled', {
    changes: { ...Object.fromEntries(filled), siteScanError: null, ...ended },
    where: sql`${and(eq(projects.id, projectId), eq(projects.siteScanState, 'running'), isAtTurn(progress))}`,
    returning: { id: projects.id, accountId: projects.accountId },
  })
}

/** Ends a scan that found its site; `trouble` is what of it could not be read. */
export const completeScan = (
  ctx: Ctx,
  progress: ScanProgress,
  facts: SiteFacts,
  topics: string,
  trouble: string | null,
): SQL => {
  const now = ctx.now()
  const filled = fillFacts(progress, facts, {
    topics,
    siteScanState: 'completed',
    siteScanError: trouble,
    siteScannedAt: now,
    siteReadAt: now,
  })
  return statement({
    parts: [filled],
    audit: audit(ctx, {
      of: filled,
      account: filled.c.accountId,
      action: 'project.scan',
      on: ['project', filled.c.id],
    }),
    answer: { id: filled.c.id },
  })
}

/** Ends a scan that did not, with the reason. Without a turn it ends whatever run it is. */
export const failScan = (ctx: Ctx, progress: { project_id: number; turn?: number }, error: string): SQL => {
  const { project_id: projectId, turn } = progress
  const failed = changeScan('failed', {
    changes: { siteScanState: 'failed', siteScanError: error, siteScannedAt: ctx.now(), siteReadAt: null },
    where: sql`${and(
      eq(projects.id, projectId),
      inArray(projects.siteScanState, ['pending', 'running']),
      turn === undefined ? undefined : isAtTurn({ project_id: projectId, turn }),
    )}`,
    returning: { id: projects.id, accountId: projects.accountId },
  })
  const entry = { account: failed.c.accountId, action: 'project.scan_failed', on: ['project', failed.c.id] } as const
  return statement({ parts: [failed], audit: audit(ctx, { of: failed, ...entry }), answer: { id: failed.c.id } })
}
