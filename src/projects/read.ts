import { owned } from '../accounts/ownership.ts'
import { type PagingInput, pageOf, pagingOf } from '../lib/paging.ts'
import type { Ctx } from '../runtime/ctx.ts'
import type { ProjectRow } from './present.ts'
import { listActive, projectById } from './queries.ts'

const PAGE = { default: 200, max: 1_000 }

/** The account's active projects, newest first. */
export const listProjects = async (ctx: Ctx, input: PagingInput) => {
  const paging = pagingOf(input, PAGE)
  const [rows] = await ctx.read((owner) => [listActive(ctx.db, owner, paging)])
  return pageOf(rows, paging)
}

/** One project of the account. Throws 404, 403. */
export const getProject = async (ctx: Ctx, id: number): Promise<ProjectRow> => {
  const [rows] = await ctx.read((owner) => [projectById(ctx.db, owner, id)])
  return owned(rows[0] && { row: rows[0].project, mine: rows[0].mine }, 'project')
}
