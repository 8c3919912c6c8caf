import { eq, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { projects } from '../../../schema/projects.ts'
import { owned } from '../../platform/accounts/check-owner.ts'
import type { Db, Query } from '../../platform/db/client.ts'
import { type Paging, type PagingInput, pageOf, pagingOf } from '../../platform/db/paging.ts'
import type { Reading, ResultOf } from '../../platform/db/steps.ts'
import { ApiError, type ErrorExtras } from '../../platform/lib/errors.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'

/** Returns the call that makes an archived project active, as extras of an error. */
export const unarchiving = (projectId: number): ErrorExtras => ({
  next_calls: [
    {
      method: 'POST',
      path: `/projects/${projectId}/unarchive`,
      why: 'Makes the project active again. This uses a project slot.',
    },
  ],
})

/** Returns the 404 for a call that needs an active project, if the project is archived. It names the call that restores it. */
export const notActive = (projectId: number): ApiError =>
  new ApiError(
    'not_found',
    `The project is archived. POST /projects/${projectId}/unarchive makes it active again.`,
    unarchiving(projectId),
  )

/** Throws `project_archived` if the project is archived, since nothing of such a project is published. */
export const refuseArchived = (projectId: number, status: string): void => {
  if (status !== 'Archived') return
  throw new ApiError(
    'project_archived',
    'The project is archived, so nothing of it is published. Nothing was sent.',
    unarchiving(projectId),
  )
}

/** Returns the 402 for an account without a free project slot, with the address to buy one. */
export const limitReached = (ctx: Ctx, used: number, total: number): ApiError => {
  const purchaseUrl = `${ctx.settings.publicUrl}/settings/billing`
  return new ApiError(
    'project_limit_reached',
    `The account has no free project slot: ${used} of ${total} are in use.`,
    {
      active_projects: used,
      project_quantity: total,
      purchase_url: purchaseUrl,
      instructions_for_agent: `Tell the user that the account has no free project slot and that one can be bought at ${purchaseUrl}. After the purchase send the same request again.`,
    },
  )
}

/** Returns a project's status, clock and publishing settings. `mine` is true if the account owns the project. */
const projectOwner = (db: Db, owner: SQL, id: number) =>
  db
    .select({
      id: projects.id,
      status: projects.status,
      timezone: projects.timezone,
      publishTime: projects.publishTime,
      publishingStatus: projects.publishingStatus,
      videosEnabled: projects.videosEnabled,
      mine: sql<boolean>`coalesce(${projects.accountId} = ${owner}, false)`,
    })
    .from(projects)
    .where(eq(projects.id, id))

type ProjectOwner = Awaited<ReturnType<typeof projectOwner>>[number]

type ListInput = PagingInput & { project_id?: number | undefined }
type Bounds = { default: number; max: number }
/** Another resource that the rows belong to, with its name in errors. The caller must own it too. */
type Also = { what: string; owner: (owner: SQL) => Query<{ mine: boolean }[]> }

/**
 * Returns one page of an account's rows, or of one project's rows if `project_id` is given. Needs one round trip.
 *
 * `rows` must read one row more than the limit. Throws 404 or 403 if the account does not own the project, or the resource `also`.
 */
export const readPage = async <Row extends { id: number }>(
  ctx: Ctx,
  input: ListInput,
  bounds: Bounds,
  rows: (owner: SQL, paging: Paging, keyHash?: string) => Query<Row[]>,
  also?: Also,
) => {
  const paging = pagingOf(input, bounds)
  const { project_id: projectId } = input
  const { found, project, other } = await ctx.read((owner, keyHash) => ({
    found: rows(owner, paging, keyHash),
    project: projectId !== undefined && projectOwner(ctx.db, owner, projectId),
    other: also?.owner(owner),
  }))
  if (project) owned(project[0] && { row: project[0], mine: project[0].mine }, 'project')
  if (also) owned(other?.[0] && { row: other[0], mine: other[0].mine }, also.what)
  return pageOf(found as Row[], paging)
}

/**
 * Returns an active project of the account, and the results of other queries from the same round trip. `also` may be a function
 * of the account's id.
 *
 * Throws 404 if there is no such active project, 403 if it belongs to another account.
 */
export const readWithProject = async <const S extends Reading = undefined>(
  ctx: Ctx,
  id: number,
  also?: S | ((owner: SQL) => S),
): Promise<{ project: ProjectOwner; results: ResultOf<S> }> => {
  const {
    project: [row],
    results,
  } = await ctx.read((owner) => ({
    project: projectOwner(ctx.db, owner, id),
    results: typeof also === 'function' ? also(owner) : also,
  }))
  const project = owned(row && { row, mine: row.mine }, 'project')
  if (project.status !== 'Active') throw notActive(id)
  return { project, results: results as ResultOf<S> }
}

/**
 * Condition: no unfinished import is writing the row's project. An account has one import at a time.
 *
 * `coalesce` hides the comparison from the planner, which then expects it to hold for half of the rows. In a database with
 * one project it would expect no row, read the whole table and sort it.
 */
export const isNotImporting = (projectId: AnyPgColumn, owner: SQL): SQL =>
  sql`coalesce(${projectId} <> (select i.project_id from project_imports i where i.account_id = ${owner} and i.state = 'importing'), true)`
