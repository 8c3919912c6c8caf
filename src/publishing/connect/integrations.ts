import { owned } from '../../accounts/check-owner.ts'
import { ApiError } from '../../lib/errors.ts'
import { readPage } from '../../projects/scope.ts'
import type { Ctx } from '../../runtime/ctx.ts'
import { openTarget } from '../target/open.ts'
import type { TargetFactory } from '../target/publish-target.ts'
import { integrationById, listIntegrationRows } from './queries.ts'
import type { ListIntegrationsInput, TestIntegrationInput } from './schemas.ts'
import { disconnect } from './statements.ts'

const PAGE = { default: 50, max: 200 }

/** The account's active integrations. Throws 404 and 403 for a project that is not the account's. */
export const listIntegrations = (ctx: Ctx, input: ListIntegrationsInput) =>
  readPage(ctx, input, PAGE, (owner, paging) => listIntegrationRows(ctx.db, owner, input, paging))

/** An active integration of the account, with its sealed secrets. Throws 404, 403. */
export const loadIntegration = async (ctx: Ctx, id: number) => {
  const [rows] = await ctx.read((owner) => [integrationById(ctx.db, owner, id)])
  const row = owned(rows[0] && { row: rows[0], mine: rows[0].mine }, 'integration')
  if (row.status !== 'Active') throw new ApiError('not_found', 'The integration does not exist: it was disconnected.')
  return row
}

/** Disconnects an integration; deliveries that still wait for it fail with that reason. Throws 404, 403. */
export const disconnectIntegration = async (ctx: Ctx, id: number) => {
  await loadIntegration(ctx, id)
  const account = await ctx.account()
  const [gone] = await ctx.write(disconnect(ctx, account.id, id))
  if (!gone) throw new ApiError('not_found', 'The integration does not exist: it was disconnected.')
  return { integration_id: id, deleted: true, message: 'Integration disconnected and its secrets forgotten.' }
}

/** Sends a test to a target and answers what came back; a receiver gets a sample article with `sample`. Throws 404, 403. */
export const testIntegration = async (
  ctx: Ctx,
  targets: TargetFactory,
  id: number,
  { sample = false }: TestIntegrationInput,
) => {
  const row = await loadIntegration(ctx, id)
  const target = await openTarget(ctx, targets, row)
  if (!target) throw new ApiError('unsupported_platform', `${row.platform} cannot be tested yet.`)
  const startedAt = ctx.now().getTime()
  const outcome = await target.probe({ sample })
  const base = {
    integration_id: id,
    platform: row.platform,
    http_status: outcome.httpStatus ?? null,
    duration_ms: ctx.now().getTime() - startedAt,
    response_excerpt: outcome.excerpt ?? null,
  }
  if (outcome.kind === 'accepted') {
    const warnings = outcome.notes?.length ? { warning: outcome.notes.join(' ') } : {}
    return { ...base, status: 'ok', message: 'The target answered as it should.', ...warnings }
  }
  return {
    ...base,
    status: 'failed',
    error: outcome.reason,
    message: 'The target did not accept the test. Fix the cause and test again.',
  }
}
