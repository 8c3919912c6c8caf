import { and, eq } from 'drizzle-orm'
import { integrations } from '../../../schema/integrations.ts'
import { ApiError } from '../../platform/lib/errors.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { openTarget } from '../target/open.ts'
import type { TargetFactory } from '../target/publish-target.ts'
import { type Grade, gradesOf } from '../target/receiver-check.ts'

/** Returns the webhook receiver that a project publishes to; undefined if it publishes elsewhere, or nowhere. */
export const receiverOf = async (ctx: Ctx, projectId: number) => {
  const [[row]] = await ctx.read((owner) => [
    ctx.db
      .select()
      .from(integrations)
      .where(
        and(
          eq(integrations.projectId, projectId),
          eq(integrations.accountId, owner),
          eq(integrations.status, 'Active'),
          eq(integrations.platform, 'webhook'),
        ),
      ),
  ])
  return row
}

/**
 * Sends a project's receiver test events that are good, repeated, out of order, late and forged, and grades its answers. Throws
 * `not_found` for a project without a receiver.
 */
export const checkReceiver = async (ctx: Ctx, targets: TargetFactory, projectId: number): Promise<Grade[]> => {
  const row = await receiverOf(ctx, projectId)
  const target = row && (await openTarget(ctx, targets, row))
  if (!target?.rehearse) throw new ApiError('not_found', 'The project has no webhook receiver.')
  return gradesOf(await target.rehearse())
}
