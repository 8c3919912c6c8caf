import { and, eq, sql } from 'drizzle-orm'
import { monthlyReports } from '../../../schema/reports.ts'
import { readWithProject } from '../../accounts/projects/scope.ts'
import { when } from '../../platform/db/steps.ts'
import { audit, insertWhere } from '../../platform/db/writes.ts'
import { base64Url, sealedAnswer, sha256 } from '../../platform/lib/crypto.ts'
import { ApiError, invalidInput } from '../../platform/lib/errors.ts'
import type { Ctx, Deps } from '../../platform/runtime/ctx.ts'
import type { MakeReportInput } from './operations.ts'
import { monthOf, reportByToken, reportsOf } from './queries.ts'

/** Path of the page of a report, for everybody with its link. */
export const REPORT_PATH = '/report'

/**
 * Makes the report of a month, or gives an existing one a new link; its figures stay. Throws 404, 403, and 400 for a month that is
 * not over.
 */
export const makeReport = async (ctx: Ctx, id: number, { month }: MakeReportInput) => {
  const token = base64Url(crypto.getRandomValues(new Uint8Array(32)))
  const now = ctx.now()
  const { project, results } = await readWithProject(ctx, id, {
    found: monthOf(ctx.db, id, month === undefined ? null : `${month}-01`, now),
  })
  const [found] = results.found.rows
  if (!found)
    throw invalidInput([{ field: 'month', message: `must be a month that is over (time zone ${project.timezone})` }])
  const { id: accountId } = await ctx.account()
  const answer = {
    project_id: id,
    month: found.month,
    made_at: found.made_at ?? now.toISOString(),
    figures: found.figures,
    url: `${ctx.settings.publicUrl}${REPORT_PATH}/${token}`,
  }
  const row = {
    projectId: id,
    month: found.first,
    figures: found.figures,
    tokenHash: await sha256(token),
    createdAt: now,
  }
  await ctx.batch({
    made: insertWhere(monthlyReports, row, {
      if: 'always',
      onConflict: sql`(project_id, month) do update set token_hash = excluded.token_hash`,
    }),
    ...when(sql`true`, {
      audit: audit(ctx, {
        account: accountId,
        action: 'report.make',
        on: ['project', id],
        detail: { month: found.month },
      }),
      kept: ctx.keepAnswer(await sealedAnswer(ctx.settings.secretsKeys, accountId, answer)),
    }),
  })
  return answer
}

/** Lists the reports of a project, the newest month first. Throws 404, 403. */
export const listReports = async (ctx: Ctx, id: number) => {
  const { results } = await readWithProject(ctx, id, { reports: reportsOf(ctx.db, id) })
  return {
    project_id: id,
    reports: results.reports.map(({ month, createdAt, figures, tokenHash }) => ({
      month: month.slice(0, 7),
      made_at: createdAt.toISOString(),
      figures,
      has_link: tokenHash !== null,
    })),
  }
}

/** Deletes the report of a month, whose link ends. Throws 404, 403. */
export const deleteReport = async (ctx: Ctx, id: number, month: string): Promise<void> => {
  await readWithProject(ctx, id)
  const { id: accountId } = await ctx.account()
  const which = and(eq(monthlyReports.projectId, id), eq(monthlyReports.month, `${month}-01`))
  const { gone } = await ctx.batch({
    audit: audit(ctx, {
      account: accountId,
      action: 'report.delete',
      on: ['project', id],
      detail: { month },
      from: sql`${monthlyReports}`,
      if: sql`${which}`,
    }),
    gone: ctx.db.delete(monthlyReports).where(which).returning({ id: monthlyReports.id }),
  })
  if (gone.length === 0) throw new ApiError('not_found', 'There is no report of this month.')
}

/** Returns the report of a link; undefined if the link is unknown or has ended. */
export const readReport = async ({ db }: Pick<Deps, 'db'>, token: string) =>
  (await reportByToken(db, await sha256(token)))[0]
