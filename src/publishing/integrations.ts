import { owned } from '../accounts/ownership.ts'
import { violatedUnique } from '../db/client.ts'
import { base64, seal } from '../lib/crypto.ts'
import { ApiError, type FieldError, invalidInput } from '../lib/errors.ts'
import { sealedAnswer } from '../lib/sealed-answer.ts'
import { checkPublicUrl } from '../lib/urls.ts'
import { readPage, readWithProject } from '../projects/scope.ts'
import type { Ctx } from '../runtime/ctx.ts'
import {
  connectTarget,
  disconnect,
  integrationById,
  listIntegrationRows,
  nextIntegrationId,
} from './integrations-queries.ts'
import type { TargetFactory } from './port.ts'
import type { ConnectIntegrationInput, ListIntegrationsInput } from './schemas.ts'
import { openTarget } from './send.ts'

const PAGE = { default: 50, max: 200 }
const CONNECTABLE = ['webhook'] as const

/** The account's active integrations. Throws 404 and 403 for a project that is not the account's. */
export const listIntegrations = (ctx: Ctx, input: ListIntegrationsInput) =>
  readPage(ctx, input, PAGE, (owner, paging) => listIntegrationRows(ctx.db, owner, input, paging))

/** A webhook's fields, all present and its address public. Throws 400 naming what is missing or refused. */
const webhookFields = (ctx: Ctx, input: ConnectIntegrationInput): { url: string; token: string } => {
  if (!(CONNECTABLE as readonly string[]).includes(input.platform))
    throw new ApiError('unsupported_platform', `platform: ${input.platform} cannot be connected yet.`, {
      details: [{ field: 'platform', message: 'cannot be connected yet', allowed: CONNECTABLE }],
    })
  const missing: FieldError[] = []
  if (input.url === undefined) missing.push({ field: 'url', message: 'is required for a webhook' })
  if (input.access_token === undefined) missing.push({ field: 'access_token', message: 'is required for a webhook' })
  if (input.url === undefined || input.access_token === undefined) throw invalidInput(missing)
  const checked = checkPublicUrl(input.url, ctx.settings.allowPrivateHosts)
  if ('refusal' in checked) {
    const message = 'must be a public, absolute http or https address without credentials'
    const details = [{ field: 'url', message }]
    if (checked.refusal === 'not_absolute') throw invalidInput(details)
    throw new ApiError('forbidden_url', `url: ${message}`, { details })
  }
  return { url: input.url, token: input.access_token }
}

const newSigningSecret = (): string => `whsec_${base64(crypto.getRandomValues(new Uint8Array(32)))}`

/**
 * Connects a webhook receiver to a project in place of the target it had. The signing secret (Standard Webhooks) is in
 * this answer and never again. Throws 400, 404, 403.
 */
export const connectIntegration = async (ctx: Ctx, projectId: number, input: ConnectIntegrationInput) => {
  const { url, token } = await ctx.check(() => webhookFields(ctx, input))
  const {
    results: [ids],
  } = await readWithProject(ctx, projectId, [nextIntegrationId(ctx.db)] as const)
  const account = await ctx.account()
  const id = Number(ids.rows[0]?.id)
  const signingSecret = newSigningSecret()
  const answer = {
    integration_id: id,
    platform: input.platform,
    status: 'connected',
    signing_secret: signingSecret,
    message: `Webhook connected. Keep signing_secret: it is not shown again. Try it with POST /integrations/${id}/test.`,
    ...(url.startsWith('http:') ? { warning: 'The address is not https: token and articles travel unencrypted.' } : {}),
  }
  const sealedSecrets = await seal(
    ctx.settings.secretsKeys,
    JSON.stringify({ access_token: token, signing_secret: signingSecret }),
  )
  const row = {
    id,
    accountId: account.id,
    projectId,
    platform: input.platform,
    name: input.name ?? new URL(url).host,
    url,
    sealedSecrets,
  }
  try {
    await ctx.write(connectTarget(ctx, row, await sealedAnswer(ctx.settings.secretsKeys, answer)))
  } catch (error) {
    if (violatedUnique(error) !== 'integrations_active_target_unique') throw error
    throw new ApiError(
      'edit_conflict',
      'Another connection was made for this project at the same moment. Repeat the call.',
      { retry_after: 1 },
    )
  }
  return answer
}

const load = async (ctx: Ctx, id: number) => {
  const [rows] = await ctx.read((owner) => [integrationById(ctx.db, owner, id)])
  const row = owned(rows[0] && { row: rows[0], mine: rows[0].mine }, 'integration')
  if (row.status !== 'Active') throw new ApiError('not_found', 'The integration does not exist: it was disconnected.')
  return row
}

/** Disconnects an integration; deliveries that still wait for it fail with that reason. Throws 404, 403. */
export const disconnectIntegration = async (ctx: Ctx, id: number) => {
  await load(ctx, id)
  const account = await ctx.account()
  const [gone] = await ctx.write(disconnect(ctx, account.id, id))
  if (!gone) throw new ApiError('not_found', 'The integration does not exist: it was disconnected.')
  return { integration_id: id, deleted: true, message: 'Integration disconnected and its secrets forgotten.' }
}

/** Sends a sample to a target and tells what came back. Stores nothing. Throws 404, 403. */
export const testIntegration = async (ctx: Ctx, targets: TargetFactory, id: number) => {
  const row = await load(ctx, id)
  const target = await openTarget(ctx, targets, row)
  if (!target) throw new ApiError('unsupported_platform', `${row.platform} cannot be tested yet.`)
  const startedAt = ctx.now().getTime()
  const outcome = await target.probe()
  const base = {
    integration_id: id,
    platform: row.platform,
    http_status: outcome.httpStatus ?? null,
    duration_ms: ctx.now().getTime() - startedAt,
    response_excerpt: outcome.excerpt ?? null,
  }
  if (outcome.kind === 'accepted') return { ...base, status: 'ok', message: 'The target answered as it should.' }
  return {
    ...base,
    status: 'failed',
    error: outcome.reason,
    message: 'The target did not accept the test. Mend the cause and test again.',
  }
}
