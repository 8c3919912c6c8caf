import { and, eq, exists, sql } from 'drizzle-orm'
import { oneOf } from '../../../schema/columns.ts'
import { integrations } from '../../../schema/integrations.ts'
import { CONNECTED_STATUSES } from '../../../schema/values/publishing.ts'
import { readPage, readWithProject, refuseArchived } from '../../accounts/projects/scope.ts'
import { owned } from '../../platform/accounts/check-owner.ts'
import { when } from '../../platform/db/steps.ts'
import { audit } from '../../platform/db/writes.ts'
import { seal, sealedAnswer, unseal } from '../../platform/lib/crypto.ts'
import { ApiError, invalidInput } from '../../platform/lib/errors.ts'
import { checkUnchanged, etagOf, withTag } from '../../platform/lib/etag.ts'
import { rotated } from '../../platform/lib/webhook-signature.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { leaseMs } from '../send/rules.ts'
import { openTarget } from '../target/open.ts'
import type { PublishTarget, TargetFactory } from '../target/publish-target.ts'
import { type Grade, gradesOf } from '../target/receiver-check.ts'
import type { ChangeIntegrationInput, ListIntegrationsInput, TestIntegrationInput } from './operations.ts'
import { connectionById, integrationById, listIntegrationRows, targetsOf } from './queries.ts'
import { askUnknownAgain, disconnectTargets, noteUse } from './writes.ts'

const PAGE = { default: 50, max: 200 }

/** Returns the account's active integrations. Throws 404 and 403 for another account's project. */
export const listIntegrations = (ctx: Ctx, input: ListIntegrationsInput) =>
  readPage(ctx, input, PAGE, (owner, paging) => listIntegrationRows(ctx.db, owner, input, paging))

/** Returns the account's active integrations and its followers. Throws 404 and 403 for another account's project. */
export const listConnections = (ctx: Ctx, input: ListIntegrationsInput) =>
  readPage(ctx, input, PAGE, (owner, paging) => listIntegrationRows(ctx.db, owner, input, paging, CONNECTED_STATUSES))

/** Returns the home and the followers of a project. Throws 404 and 403. */
export const listTargets = async (ctx: Ctx, projectId: number) =>
  (await readWithProject(ctx, projectId, { targets: targetsOf(ctx.db, projectId) })).results.targets

const DISCONNECTED = 'The integration does not exist: it was disconnected.'

/** Returns the error for a connection that is not a publishing target, with the calls that manage it. */
const notATarget = ({ platform, projectId }: { platform: string; projectId: number }): ApiError => {
  const path = `/projects/${projectId}/search-console`
  return new ApiError('unsupported_platform', `${platform} is not a publishing target; it has its own operations.`, {
    next_calls: [
      { method: 'GET', path, why: 'Shows the state of the connection.' },
      { method: 'DELETE', path, why: 'Disconnects it and withdraws the access.' },
    ],
  })
}

/** Reads an integration of the account by id, in one round trip: a publishing target, else another connection. */
const find = async (ctx: Ctx, id: number) => {
  const { targets, others } = await ctx.read((owner) => ({
    targets: integrationById(ctx.db, owner, id),
    others: connectionById(ctx.db, owner, id),
  }))
  const [target] = targets
  const [other] = others
  if (other && !target) return { other: owned({ row: other, mine: other.mine }, 'integration') }
  return { target: owned(target && { row: target, mine: target.mine }, 'integration') }
}

/** Returns an active integration of the account. Throws 404 and 403. */
export const showIntegration = async (ctx: Ctx, id: number) => {
  const { target, other } = await find(ctx, id)
  const row = target ?? other
  if (row.status === 'Disconnected') throw new ApiError('not_found', DISCONNECTED)
  return row
}

/**
 * Returns an active publishing target of the account, with its sealed secrets. Throws 404, 403, and 400 for other
 * connections.
 */
export const loadIntegration = async (ctx: Ctx, id: number) => {
  const { target, other } = await find(ctx, id)
  const row = target ?? other
  if (row.status === 'Disconnected') throw new ApiError('not_found', DISCONNECTED)
  if (target) return target
  throw notATarget(row)
}

/** Returns a follower of a project, with its sealed secrets. Throws 404 and 403. */
const loadFollower = async (ctx: Ctx, projectId: number, id: number) => {
  const { results } = await readWithProject(ctx, projectId, (owner) => ({ rows: integrationById(ctx.db, owner, id) }))
  const [row] = results.rows
  if (row?.mine && row.projectId === projectId && row.status === 'Following') return row
  throw new ApiError('not_found', 'The project has no such follower.')
}

const isConnected = oneOf(integrations.status, CONNECTED_STATUSES)

/** Disconnects an integration. Deliveries that wait for it fail with that reason later. Throws 404, 403 and 412. */
export const disconnectIntegration = (ctx: Ctx, id: number) => disconnect(ctx, id)

/** Ends a follower of a project. The copies stay at its site. Throws 404, also for other integrations, and 403. */
export const disconnectFollower = (ctx: Ctx, projectId: number, id: number) => disconnect(ctx, id, projectId)

const disconnect = async (ctx: Ctx, id: number, followed?: number) => {
  const load = async () => {
    const row = await (followed === undefined ? loadIntegration(ctx, id) : loadFollower(ctx, followed, id))
    checkUnchanged(ctx.ifMatch, etagOf(row.updatedAt))
    return row
  }
  const { updatedAt } = await load()
  const account = await ctx.account()
  const mine = and(eq(integrations.id, id), eq(integrations.accountId, account.id))
  const asRead = and(mine, ctx.ifMatch && eq(integrations.updatedAt, updatedAt))
  const isActive = exists(ctx.db.select({ id: integrations.id }).from(integrations).where(and(asRead, isConnected)))
  const { gone } = await ctx.batch({
    target: ctx.db.select({ id: integrations.id }).from(integrations).where(mine).for('no key update'),
    audit: audit(ctx, { account: account.id, action: 'integration.disconnect', on: ['integration', id], if: isActive }),
    gone: disconnectTargets(ctx.db, asRead, ctx.now()),
  })
  const isGone = gone.length > 0
  // A caller that named a version gets the error of the change that was faster.
  if (!isGone && ctx.ifMatch) await load()
  if (!isGone) throw new ApiError('not_found', 'The integration does not exist: it was disconnected.')
  return { integration_id: id, deleted: true, message: 'Integration disconnected and its secrets deleted.' }
}

/** Runs the test and returns its answer. */
const tryTarget = async (
  ctx: Ctx,
  target: PublishTarget,
  { id, platform }: { id: number; platform: string },
  sample: boolean,
) => {
  const startedAt = ctx.now().getTime()
  const outcome = await target.probe({ sample })
  const base = {
    integration_id: id,
    platform,
    http_status: outcome.httpStatus ?? null,
    duration_ms: ctx.now().getTime() - startedAt,
    response_excerpt: outcome.excerpt ?? null,
  }
  if (outcome.kind === 'accepted') {
    if (!outcome.notes?.length) return { ...base, status: 'ok', message: 'The target accepted the test.' }
    const message = 'The target accepted the test. Read the warning before you publish.'
    return { ...base, status: 'ok', message, warning: outcome.notes.join(' ') }
  }
  return {
    ...base,
    status: 'failed',
    error: outcome.reason,
    message: 'The target did not accept the test. Fix the cause and test again.',
  }
}

/**
 * Sends a test to a target, records its result at the connection and returns it. With `sample`, a receiver gets a sample article.
 *
 * Simultaneous calls with one Idempotency-Key send one test. Throws 404, 403, and 409 for an archived project.
 */
export const testIntegration = async (
  ctx: Ctx,
  targets: TargetFactory,
  id: number,
  { sample = false }: TestIntegrationInput,
) => {
  const row = await loadIntegration(ctx, id)
  refuseArchived(row.projectId, row.projectStatus)
  const target = await openTarget(ctx, targets, row)
  if (!target) throw new ApiError('unsupported_platform', `${row.platform} cannot be tested yet.`)
  const unaudited = 'a test changes only what is known about the connection'
  const lease = new Date(ctx.now().getTime() + leaseMs(row.platform))
  await ctx.batch({ running: ctx.keepRunning(lease)('always') }, { unaudited })
  try {
    const answer = await tryTarget(ctx, target, { id, platform: row.platform }, sample)
    const noted = noteUse(ctx.db, id, 'error' in answer ? answer.error : null, ctx.now())
    await ctx.batch(
      { noted: noted(sql`true`), unknown: askUnknownAgain(ctx.db, id), kept: ctx.keepDone(answer)('always') },
      { unaudited },
    )
    return answer
  } catch (error) {
    await ctx.batch({ dropped: ctx.keepDropped()('always') }, { unaudited })
    throw error
  }
}

const iso = (at: Date | null): string | null => at?.toISOString() ?? null

type Integration = Omit<
  typeof integrations.$inferSelect,
  'sealedSecrets' | 'platform' | 'nextTrafficAt' | 'trafficError' | 'unknownAskedAt' | 'unknownStatus'
> & {
  platform: string
  businessName: string
}

/** API names of platforms that are stored under the name for people. */
const WIRE_NAMES: Record<string, string> = { 'Google Search Console': 'search_console' }

/** Returns an integration as lists show it, without secrets. */
export const integrationRow = (i: Integration) => ({
  ID: i.id,
  Platform: WIRE_NAMES[i.platform] ?? i.platform,
  IntegrationName: i.name,
  Status: i.status,
  ProjectID: i.projectId,
  BusinessName: i.businessName,
  Url: i.url,
  LastUsedAt: iso(i.lastUsedAt),
  LastError: i.lastError,
  CreatedAt: iso(i.createdAt),
})

/** Returns the project's active webhook; undefined if it publishes elsewhere or nowhere. */
export const receiverOf = async (ctx: Ctx, projectId: number) => {
  const [row] = await ctx.read((owner) =>
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
  )
  return row
}

/**
 * Sends test events to a project's receiver and grades its answers: good, repeated, out of order, late and forged ones. Records
 * at the connection whether it accepted the good one.
 *
 * Throws `not_found` for a project without a receiver.
 */
export const checkReceiver = async (ctx: Ctx, targets: TargetFactory, projectId: number): Promise<Grade[]> => {
  const row = await receiverOf(ctx, projectId)
  const target = row && (await openTarget(ctx, targets, row))
  if (!row || !target?.rehearse) throw new ApiError('not_found', 'The project has no webhook receiver.')
  const rehearsal = await target.rehearse()
  const { good } = rehearsal
  const error = good && 'reason' in good ? good.reason : null
  await ctx.batch(
    { noted: noteUse(ctx.db, row.id, error, ctx.now())(sql`true`) },
    { unaudited: 'a check changes only what is known about the connection' },
  )
  return gradesOf(rehearsal)
}

const WEBHOOK_ONLY = ['access_token', 'rotate_signing_secret'] as const

const checkFields = (platform: string, input: ChangeIntegrationInput): void => {
  if (platform === 'webhook') return
  const wrong = WEBHOOK_ONLY.filter((field) => input[field] !== undefined)
  if (wrong.length > 0)
    throw invalidInput(
      wrong.map((field) => ({ field, message: `is for webhooks only; connect ${platform} again to change its keys` })),
    )
}

/** Returns the secrets after the change. If the signing secret is rotated, the previous one also signs for a day. */
const changedSecrets = (
  secrets: Record<string, string>,
  input: ChangeIntegrationInput,
  now: Date,
): Record<string, string> => {
  const token: Record<string, string> = input.access_token === undefined ? {} : { access_token: input.access_token }
  if (!input.rotate_signing_secret) return { ...secrets, ...token }
  return { ...secrets, ...token, ...rotated(secrets, now) }
}

const messageOf = (id: number, input: ChangeIntegrationInput): string =>
  input.rotate_signing_secret
    ? 'A new signing secret was made: keep it, it is not shown again. For 24 hours deliveries carry signatures of both secrets.'
    : `The integration was changed. Try it with POST /integrations/${id}/test.`

/**
 * Changes an integration's name, or a webhook's token and signing secret.
 *
 * Throws 400, 404, 403, 412, and 409 if it changed since it was read.
 */
export const updateIntegration = async (ctx: Ctx, id: number, input: ChangeIntegrationInput) => {
  const row = await loadIntegration(ctx, id)
  checkUnchanged(ctx.ifMatch, etagOf(row.updatedAt))
  checkFields(row.platform, input)
  const account = await ctx.account()
  const { secretsKeys } = ctx.settings
  const context = `integration:${id}`
  const before = JSON.parse(await unseal(secretsKeys, row.sealedSecrets, context)) as Record<string, string>
  const secrets = changedSecrets(before, input, ctx.now())
  const answer = {
    integration_id: id,
    platform: row.platform,
    name: input.name ?? row.name,
    ...(input.rotate_signing_secret ? { signing_secret: secrets.signing_secret ?? '' } : {}),
    message: messageOf(id, input),
  }
  const sealedSecrets = await seal(secretsKeys, JSON.stringify(secrets), context)
  // Never use the same time twice, so that no two versions have the same ETag.
  const savedAt = new Date(Math.max(ctx.now().getTime(), row.updatedAt.getTime() + 1))
  const mine = and(eq(integrations.id, id), eq(integrations.accountId, account.id))
  // Change it only if the secrets are still those that were read.
  const asRead = and(mine, isConnected, eq(integrations.sealedSecrets, row.sealedSecrets))
  const isAsRead = exists(ctx.db.select({ id: integrations.id }).from(integrations).where(asRead))
  const entry = {
    action: 'integration.update',
    on: ['integration', id],
    detail: { fields: Object.keys(input) },
  } as const
  const { changed } = await ctx.batch({
    target: ctx.db.select({ id: integrations.id }).from(integrations).where(mine).for('no key update'),
    ...when(isAsRead, {
      audit: audit(ctx, { account: account.id, ...entry }),
      kept: ctx.keepAnswer(await sealedAnswer(secretsKeys, account.id, answer)),
    }),
    changed: ctx.db
      .update(integrations)
      .set({ name: answer.name, sealedSecrets, updatedAt: savedAt })
      .where(asRead)
      .returning({ id: integrations.id }),
  })
  if (changed.length > 0) return withTag(answer, etagOf(savedAt))
  // A caller that named a version gets the error of the change that was faster.
  if (ctx.ifMatch) checkUnchanged(ctx.ifMatch, etagOf((await loadIntegration(ctx, id)).updatedAt))
  throw new ApiError(
    'edit_conflict',
    'The integration was changed or disconnected at the same time. Nothing was saved; read it and repeat the call.',
    {
      retry_after: 1,
    },
  )
}
