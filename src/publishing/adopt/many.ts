import { eq, sql } from 'drizzle-orm'
import { adoptions } from '../../../schema/adopted.ts'
import { readWithProject } from '../../accounts/projects/scope.ts'
import { when } from '../../platform/db/steps.ts'
import { audit, insertWhere } from '../../platform/db/writes.ts'
import { enqueue } from '../../platform/jobs/enqueue.ts'
import { ApiError, invalidInput } from '../../platform/lib/errors.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { adoptJob } from '../jobs.ts'
import { noTarget, openTarget } from '../target/open.ts'
import type { TargetFactory } from '../target/publish-target.ts'
import type { AdoptManyInput } from './operations.ts'
import { newestAdoption, nextAdoptionId, targetOfProject } from './queries.ts'
import { checkOnSite, notListed } from './rules.ts'

const isRunning = (): ApiError =>
  new ApiError('adoption_running', 'Posts of this project are being adopted already. Nothing was started.', {
    retry_after: 30,
  })

/**
 * Starts to adopt many posts of a project's site. The job adopts them one after the other.
 *
 * Throws 404, 403, 400 without a target that reads posts, and 409 while another adoption of the project runs.
 */
export const adoptMany = async (ctx: Ctx, targets: TargetFactory, projectId: number, input: AdoptManyInput) => {
  const {
    results: {
      row: [row],
      ids,
    },
  } = await readWithProject(ctx, projectId, { row: targetOfProject(ctx.db, projectId), ids: nextAdoptionId(ctx.db) })
  if (!row) throw noTarget(ctx, projectId)
  const target = await openTarget(ctx, targets, row)
  if (!target?.posts && !target?.readPage) throw notListed(row.platform)
  if (!target.posts && input.urls === undefined)
    throw invalidInput([{ field: 'urls', message: 'is required for a webhook site, which has no list of posts' }])
  for (const url of target.posts ? [] : (input.urls ?? [])) checkOnSite('urls', url, row.site, ctx.settings)
  const wanted = input.every_post ? null : (input.urls ?? input.post_ids ?? [])
  const { id: accountId } = await ctx.account()
  const id = Number(ids.rows[0]?.id)
  const now = ctx.now()
  const answer = {
    status: 'running' as const,
    adoption_id: id,
    project_id: projectId,
    message: `The posts are being adopted. GET /projects/${projectId}/adoption shows the progress.`,
  }
  const isMade = sql`exists (select 1 from ${adoptions} where ${eq(adoptions.id, id)})`
  const { made } = await ctx.batch({
    made: insertWhere(
      adoptions,
      {
        id,
        accountId,
        projectId,
        integrationId: row.id,
        state: 'running',
        postIds: wanted,
        createdAt: now,
        updatedAt: now,
      },
      { if: 'always', onConflict: sql`do nothing`, returning: { id: adoptions.id } },
    ),
    ...when(isMade, {
      job: enqueue(adoptJob, { adoption_id: id }, { account: accountId, runAt: now, open: 'keep' }),
      kept: ctx.keepAnswer(answer),
      audit: audit(ctx, {
        account: accountId,
        action: 'project.adopt',
        on: ['project', projectId],
        detail: { adoption_id: id, posts: wanted?.length ?? null },
      }),
    }),
  })
  if (made.length === 0) throw isRunning()
  ctx.defer(ctx.wakeQueue())
  return answer
}

/** Returns the progress of a project's newest adoption of many posts. Throws 404, 403. */
export const showAdoption = async (ctx: Ctx, projectId: number) => {
  const {
    results: [row],
  } = await readWithProject(ctx, projectId, newestAdoption(ctx.db, projectId))
  if (!row) return { adoption: null }
  const { id, state, postIds, adopted, known, refused, problems, error, createdAt, updatedAt } = row
  return {
    adoption: {
      id,
      status: state,
      every_post: postIds === null,
      wanted: postIds?.length ?? null,
      adopted,
      known,
      refused,
      problems,
      error,
      started_at: createdAt.toISOString(),
      updated_at: updatedAt.toISOString(),
    },
  }
}
