import { and, asc, eq, inArray, isNull, lt, lte, type SQL, sql } from 'drizzle-orm'
import { outbox } from '../../../schema/kernel.ts'
import { projects } from '../../../schema/projects.ts'
import { sitePages } from '../../../schema/site.ts'
import { SCAN_ASKED, type ScanProgress, scanJob } from '../../accounts/projects/jobs.ts'
import { SCAN_AGAIN_DAYS } from '../../accounts/projects/rules.ts'
import { changeScan, lockProject } from '../../accounts/projects/writes.ts'
import { isServed } from '../../platform/accounts/parts.ts'
import type { Db } from '../../platform/db/client.ts'
import { when } from '../../platform/db/steps.ts'
import { audit, insertWhere, listed } from '../../platform/db/writes.ts'
import { enqueue, moveJob } from '../../platform/jobs/enqueue.ts'
import { DEFAULT_LANGUAGE } from '../../platform/lib/languages.ts'
import { type Ctx, sendBatch } from '../../platform/runtime/ctx.ts'
import type { KnownPage } from './rules.ts'

/** Audit note for the steps of a scan. Only its end is audited. */
export const UNDER_WAY = { unaudited: 'a step of the scan; its end is audited' }

/** Columns of a project that a scan reads. */
export const SCANNED = {
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

const hasTurn = (turn: number): SQL => sql`coalesce((${outbox.payload} ->> 'turn')::int, 0) = ${turn}::int`

/**
 * Returns locks for a project and its scan's row, and conditions for the statements after them.
 *
 * `isAtTurn`: no other run was faster, and the scan was not restarted. `isRunning`: the project's scan is also running.
 */
export const atTurn = (db: Db, { project_id: projectId, turn }: Pick<ScanProgress, 'project_id' | 'turn'>) => {
  const row = and(eq(outbox.key, scanJob.keyOf(projectId)), isNull(outbox.doneAt), isNull(outbox.deadAt))
  const isAtTurn = sql`exists (select 1 from ${outbox} where ${row} and ${hasTurn(turn)})`
  const isRunning = sql`${and(eq(projects.id, projectId), eq(projects.siteScanState, 'running'))} and ${isAtTurn}`
  return {
    locks: [lockProject(db, projectId), db.select({ id: outbox.id }).from(outbox).where(row).for('no key update')],
    isAtTurn,
    isRunning,
  }
}

/**
 * Returns the statement that saves `progress` for the scan's next run, if the row is still at `turn`.
 *
 * Run it last in a batch, because it ends the turn that the other statements check.
 */
export const advance = (db: Db, progress: ScanProgress, turn: number, runAt: Date) =>
  moveJob(db, scanJob, progress.project_id, {
    if: hasTurn(turn),
    runAt,
    payload: { ...progress, not_before: runAt.getTime() },
  })

const FACTS = ['businessName', 'businessDescription', 'language', 'sitemapUrl', 'blogRootUrl'] as const
type Fact = (typeof FACTS)[number]

/** Settings found on the site itself. */
export type SiteFacts = Partial<Record<Fact, string>>

/**
 * Returns a column's new value: the site's if the column is blank and no caller ever sent it.
 *
 * A language is blank if it has the default value.
 */
const fill = (fact: Fact, value: string): SQL => {
  const column = projects[fact]
  const isBlank = eq(column, fact === 'language' ? DEFAULT_LANGUAGE : '')
  const isSent = sql`${column.name}::text = any(${projects.sentFields})`
  return sql`case when ${isBlank} and not (${isSent}) then ${value}::text else ${column} end`
}

/** Returns the changes that fill blank settings with the site's facts. */
export const filledBy = (facts: SiteFacts): Partial<Record<Fact, SQL>> =>
  Object.fromEntries(FACTS.flatMap((fact) => (facts[fact] ? [[fact, fill(fact, facts[fact])] as const] : [])))

/** Ends a scan that could not read its site, with the reason. Without `turn` it ends the scan at any turn. */
export const failScan = async (
  ctx: Ctx,
  { project_id: projectId, turn }: { project_id: number; turn?: number },
  error: string,
): Promise<void> => {
  const { locks, isAtTurn } = atTurn(ctx.db, { project_id: projectId, turn: turn ?? 0 })
  const canFail = sql`${and(
    eq(projects.id, projectId),
    inArray(projects.siteScanState, ['pending', 'running']),
    turn === undefined ? undefined : isAtTurn,
  )}`
  const failed = { siteScanState: 'failed', siteScanError: error, siteScannedAt: ctx.now(), siteReadAt: null } as const
  await ctx.batch({
    locks,
    ...when(canFail, {
      audit: audit(ctx, {
        account: projects.accountId,
        action: 'project.scan_failed',
        on: ['project', projectId],
        from: sql`${projects}`,
      }),
      changeScan: (isMet) => changeScan(ctx.db, failed, isMet),
    }),
  })
}

/** Adds new pages of a site, and marks known pages as seen. At most 5,000 at once, in the order of their keys. */
export const addPages = async (ctx: Ctx, projectId: number, pages: readonly KnownPage[]): Promise<void> => {
  const now = ctx.now()
  const { url, urlKey: key, title, keyword, language, alternateOf } = sitePages
  const added = insertWhere(
    sitePages,
    {
      projectId,
      url: sql`listed.url`,
      urlKey: sql`listed.key`,
      title: sql`listed.title`,
      keyword: sql`listed.keyword`,
      language: sql`listed.language`,
      alternateOf: sql`listed."alternateOf"`,
      seenAt: now,
      createdAt: now,
      updatedAt: now,
    },
    {
      from: listed({ url, key, title, keyword, language, alternateOf }, pages),
      if: sql`exists (select 1 from ${projects} where ${eq(projects.id, projectId)})`,
      orderBy: sql`listed.key`,
      onConflict: sql`(project_id, url_key) do update set seen_at = excluded.seen_at,
        language = case when ${sitePages.language} = '' then excluded.language else ${sitePages.language} end,
        alternate_of = case when ${isNull(sitePages.articleId)} then excluded.alternate_of else ${sitePages.alternateOf} end
        where ${lt(sitePages.seenAt, now)}`,
    },
  )
  await ctx.batch({ added }, UNDER_WAY)
}

/** Sites queued per minute. The longest overdue come first. */
const BATCH = 20

/** Queues scans of active projects whose last scan ended more than a week ago. Returns their number. */
export const enqueueDueSiteScans = async ({ db, now }: { db: Db; now: () => Date }): Promise<number> => {
  const before = new Date(now().getTime() - SCAN_AGAIN_DAYS * 86_400_000)
  const isDue = and(
    lte(projects.siteScannedAt, before),
    eq(projects.status, 'Active'),
    inArray(projects.siteScanState, ['completed', 'failed']),
    isServed(projects.accountId),
  )
  const found = db
    .select({ id: projects.id })
    .from(projects)
    .where(isDue)
    .orderBy(asc(projects.siteScannedAt))
    .limit(BATCH)
  const ids = (await found).map(({ id }) => id)
  if (ids.length === 0) return 0
  const due = sql`${and(inArray(projects.id, ids), isDue)}`
  const { queued } = await sendBatch(
    db,
    {
      project: db.select({ id: projects.id }).from(projects).where(due).orderBy(asc(projects.id)).for('no key update'),
      queued: enqueue(
        scanJob,
        { project_id: sql`${projects.id}` },
        { account: sql`${projects.accountId}`, from: sql`${projects}`, if: due, runAt: now(), open: 'keep' },
      ),
      changeScan: changeScan(db, SCAN_ASKED, due),
    },
    { unaudited: 'the week’s turn; the scan’s end is audited' },
  )
  return queued.length
}
