import type { BatchResponse } from 'drizzle-orm/batch'
import { owned } from '../../platform/accounts/check-owner.ts'
import type { Query } from '../../platform/db/client.ts'
import { type PagingInput, pageOf, pagingOf } from '../../platform/db/paging.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import type { ProjectRow } from './present.ts'
import { listActive, projectById } from './queries.ts'

const PAGE = { default: 200, max: 1_000 }

/** Returns the account's active projects, newest first. */
export const listProjects = async (ctx: Ctx, input: PagingInput) => {
  const paging = pagingOf(input, PAGE)
  const [rows] = await ctx.read((owner) => [listActive(ctx.db, owner, paging)])
  return pageOf(rows, paging)
}

/** Returns one project of the account, and the results of other queries from the same round trip. Throws 404, 403. */
export const getProjectWith = async <T extends readonly Query[]>(ctx: Ctx, id: number, also: T) => {
  const [rows, ...rest] = await ctx.read((owner) => [projectById(ctx.db, owner, id), ...also])
  const project: ProjectRow = owned(rows[0] && { row: rows[0].project, mine: rows[0].mine }, 'project')
  return { project, results: rest as unknown as BatchResponse<T> }
}

/** Returns one project of the account. Throws 404, 403. */
export const getProject = async (ctx: Ctx, id: number): Promise<ProjectRow> =>
  (await getProjectWith(ctx, id, [])).project
