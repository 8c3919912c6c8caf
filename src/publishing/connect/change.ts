import { and, eq, exists } from 'drizzle-orm'
import { integrations } from '../../../schema/integrations.ts'
import { audit } from '../../platform/db/writes.ts'
import { newSigningSecret, seal, sealedAnswer, unseal } from '../../platform/lib/crypto.ts'
import { ApiError, invalidInput } from '../../platform/lib/errors.ts'
import { checkUnchanged, etagOf, withTag } from '../../platform/lib/etag.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { loadIntegration } from './integrations.ts'
import type { ChangeIntegrationInput } from './operations.ts'

/** Time during which the previous signing secret also signs, ms: enough to install the new one. */
const BOTH_SIGN_MS = 24 * 3_600_000

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
  return {
    ...secrets,
    ...token,
    signing_secret: newSigningSecret(),
    previous_signing_secret: secrets.signing_secret ?? '',
    previous_signs_until: new Date(now.getTime() + BOTH_SIGN_MS).toISOString(),
  }
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
  const asRead = and(mine, eq(integrations.status, 'Active'), eq(integrations.sealedSecrets, row.sealedSecrets))
  const isAsRead = exists(ctx.db.select({ id: integrations.id }).from(integrations).where(asRead))
  const entry = {
    action: 'integration.update',
    on: ['integration', id],
    detail: { fields: Object.keys(input) },
  } as const
  const [, , , changed] = await ctx.batch([
    ctx.db.select({ id: integrations.id }).from(integrations).where(mine).for('no key update'),
    audit(ctx, { account: account.id, ...entry, if: isAsRead }),
    ctx.keepAnswer(await sealedAnswer(secretsKeys, account.id, answer), { if: isAsRead }),
    ctx.db
      .update(integrations)
      .set({ name: answer.name, sealedSecrets, updatedAt: savedAt })
      .where(asRead)
      .returning({ id: integrations.id }),
  ])
  if (changed.length > 0) return withTag(answer, etagOf(savedAt))
  // A caller that named a version gets the error of the change that was faster.
  if (ctx.ifMatch) checkUnchanged(ctx.ifMatch, etagOf((await loadIntegration(ctx, id)).updatedAt))
  throw new ApiError('edit_conflict', 'The integration was changed or disconnected meanwhile. Read it and repeat.', {
    retry_after: 1,
  })
}
