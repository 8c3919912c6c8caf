import { sql } from 'drizzle-orm'
import { bingReports } from '../../../../schema/bing.ts'
import { projects } from '../../../../schema/projects.ts'
import { readWithProject } from '../../../accounts/projects/scope.ts'
import { lockProject } from '../../../accounts/projects/writes.ts'
import { when } from '../../../platform/db/steps.ts'
import { audit, decideOnce, insertWhere } from '../../../platform/db/writes.ts'
import { sha256 } from '../../../platform/lib/crypto.ts'
import { siteKey } from '../../../platform/lib/urls.ts'
import type { Ctx } from '../../../platform/runtime/ctx.ts'
import type { ImportBingInput } from '../operations.ts'
import { periodOf, readBingFile } from './file.ts'
import { importedOf, KEPT } from './queries.ts'

/**
 * Imports a file of Bing's AI performance report. A file of the same kind and period is replaced; the same file again changes
 * nothing. Throws 400 with the line and the column, 404, 403.
 */
export const importBing = async (ctx: Ctx, { project_id: id, file: text, from, to }: ImportBingInput) => {
  const { results } = await readWithProject(ctx, id, {
    site: ctx.db.select({ url: projects.websiteUrl }).from(projects).where(sql`${projects.id} = ${id}::int`),
  })
  const url = URL.parse(results.site[0]?.url ?? '')
  const file = readBingFile(text, url ? siteKey(url) : undefined)
  const period = periodOf(file, { from, to }, ctx.now().toISOString().slice(0, 10))
  const citations = file.rows.reduce((sum, row) => sum + row.citations, 0)
  const hash = await sha256(JSON.stringify(file.rows))
  const { id: account } = await ctx.account()
  const isThat = sql`project_id = ${id}::int and kind = ${file.kind}::text and from_day = ${period.from}::date and to_day = ${period.to}::date`
  const isNew = decideOnce(sql`not exists (select from bing_reports where ${isThat} and hash = ${hash}::text)`)
  const answer = {
    project_id: id,
    kind: file.kind,
    ...period,
    rows: file.rows.length,
    citations,
    columns: file.columns,
    ignored_columns: file.ignored,
  }
  const row = {
    projectId: id,
    kind: file.kind,
    fromDay: period.from,
    toDay: period.to,
    hash,
    rows: file.rows,
    citations,
    importedAt: ctx.now(),
  }
  const { kept } = await ctx.batch({
    project: lockProject(ctx.db, id),
    decided: isNew.statement,
    ...when(isNew.isMet, {
      kept: (isMet) =>
        insertWhere(bingReports, row, {
          if: isMet,
          onConflict: sql`(project_id, kind, to_day, from_day) do update set hash = excluded.hash, rows = excluded.rows,
            citations = excluded.citations, imported_at = excluded.imported_at`,
        }),
      older: (isMet) =>
        ctx.db.delete(bingReports).where(sql`${isMet} and project_id = ${id}::int and kind = ${file.kind}::text
          and (to_day, from_day) in (select b.to_day, b.from_day from bing_reports b where b.project_id = ${id}::int
            and b.kind = ${file.kind}::text order by b.to_day desc, b.from_day desc offset ${KEPT}::int)`),
      audit: audit(ctx, {
        account,
        action: 'visibility.bing_import',
        on: ['project', id],
        detail: { kind: file.kind, ...period },
      }),
      answer: ctx.keepAnswer({ status: 'imported', ...answer }),
    }),
  })
  return { status: kept.length > 0 ? ('imported' as const) : ('unchanged' as const), ...answer }
}

const DAYS_SHOWN = 20
const MOST_SHOWN = 100

/** Returns what Bing's AI performance report said, by the imported files. One round trip. Throws 404, 403. */
export const bingReport = async (
  ctx: Ctx,
  { project_id: id, limit }: { project_id: number; limit?: number | undefined },
) => {
  const { results } = await readWithProject(ctx, id, {
    files: importedOf(ctx.db, id, Math.min(limit ?? DAYS_SHOWN, MOST_SHOWN)),
  })
  const files = results.files.rows
  const newest = (kind: (typeof files)[number]['kind']) => {
    const file = files.find((one) => one.kind === kind)
    if (!file) return null
    const { from, to, imported_at, citations, count, rows } = file
    return { from, to, imported_at, citations, total: count, rows: rows ?? [] }
  }
  const named = <Name extends string>(name: Name, found: ReturnType<typeof newest>) =>
    found && {
      ...found,
      rows: found.rows.map(
        (row) => ({ [name]: row.name, citations: row.citations }) as Record<Name, string> & { citations: number },
      ),
    }
  return {
    project_id: id,
    pages: named('url', newest('pages')),
    queries: named('query', newest('queries')),
    days: named('date', newest('days')),
    files: files.map(({ kind, from, to, imported_at, citations, count }) => ({
      kind,
      from,
      to,
      imported_at,
      citations,
      rows: count,
    })),
  }
}
