import type { SQL } from 'drizzle-orm'
import type { BatchResponse } from 'drizzle-orm/batch'
import { owned } from '../accounts/check-owner.ts'
import type { Query } from '../db/client.ts'
import { ApiError } from '../lib/errors.ts'
import { type Paging, type PagingInput, pageOf, pagingOf } from '../lib/paging.ts'
import type { Ctx } from '../runtime/ctx.ts'
import { projectOwner } from './scope-queries.ts'

type ListInput = PagingInput & { project_id?: number | undefined }
type Bounds = { default: number; max: number }

/**
 * One page of an account's rows, of one project where `project_id` is given; one round trip. `rows` reads one more than the
 * limit. Throws 404 and 403 for a project that is not the account's.
 */
export const readPage = async <Row extends { id: number }>(
  ctx: Ctx,
  input: ListInput,
  bounds: Bounds,
  rows: (owner: SQL, paging: Paging) => Query<Row[]>,
) => {
  const paging = pagingOf(input, bounds)
  const { project_id: projectId } = input
  if (projectId === undefined) {
    const [found] = await ctx.read((owner) => [rows(owner, paging)])
    return pageOf(found as Row[], paging)
  }
  const [found, projects] = await ctx.read((owner) => [rows(owner, paging), projectOwner(ctx.db, owner, projectId)])
  owned(projects[0] && { row: projects[0], mine: projects[0].mine }, 'project')
  return pageOf(found as Row[], paging)
}

/**
 * An active project of the account, and what other queries (made with the account's id, where they ask for it) found in the
 * same round trip. Throws 404 when there is no such
 * active project, 403 when it belongs to another account.
 */
export const readWithProject = async <T extends readonly Query[]>(
  ctx: Ctx,
  id: number,
  also: T | ((owner: SQL) => T),
) => {
  const [found, ...rest] = await ctx.read((owner) => [
    projectOwner(ctx.db, owner, id),
    ...(typeof also === 'function' ? also(owner) : also),
  ])
  const project = owned(found[0] && { row: found[0], mine: found[0].mine }, 'project')
  if (project.status !== 'Active') throw new ApiError('not_found', 'The project does not exist.')
  return { project, results: rest as unknown as BatchResponse<T> }
}
