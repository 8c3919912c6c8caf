import { and, eq, sql } from 'drizzle-orm'
import { providerKeys } from '../../../schema/keywords.ts'
import type { KeyProvider } from '../../../schema/values/keywords.ts'
import { audit } from '../../platform/db/writes.ts'
import { seal, unseal } from '../../platform/lib/crypto.ts'
import { ApiError, type FieldError, invalidInput } from '../../platform/lib/errors.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { keysInvalid, PROVIDER_NAMES, providerUnavailable } from './failures.ts'
import type { SaveProviderKeyInput } from './operations.ts'
import { shownKeys } from './parts.ts'
import type { ProbedProviders, ProviderFailure } from './port.ts'

/** Returns the context that a provider key is sealed with. It cannot be unsealed with another. */
export const contextOf = (accountId: number, provider: KeyProvider): string => `provider_key:${accountId}:${provider}`

const FIELDS = {
  dataforseo: ['login', 'password'],
  ahrefs: ['api_key'],
} as const satisfies Record<KeyProvider, readonly (keyof SaveProviderKeyInput)[]>

const ALL = ['login', 'password', 'api_key'] as const

/** Returns the address of the page on which a person saves keys. */
export const setupUrl = (ctx: Pick<Ctx, 'settings'>): string => `${ctx.settings.publicUrl}/settings/provider-keys`

/** Returns the account's saved keys, masked. */
export const listProviderKeys = async (ctx: Ctx) => {
  const [rows] = await ctx.read((owner) => [shownKeys(ctx.db, owner)])
  const keys = rows.map((row) => ({
    provider: row.provider,
    login: row.login,
    masked: row.masked,
    status: row.rejected === null ? ('accepted' as const) : ('rejected' as const),
    last_error: row.rejected,
    checked_at: row.checkedAt.toISOString(),
    saved_at: row.updatedAt.toISOString(),
  }))
  return { provider_keys: keys, count: keys.length }
}

/** Returns the provider's own fields of a body. Throws 400 that names missing fields and fields of another provider. */
const secretsOf = (provider: KeyProvider, input: SaveProviderKeyInput): Record<string, string> => {
  const own: readonly string[] = FIELDS[provider]
  const missing = own.filter((field) => input[field as keyof SaveProviderKeyInput] === undefined)
  const foreign = ALL.filter((field) => input[field] !== undefined && !own.includes(field))
  const details: FieldError[] = [
    ...missing.map((field) => ({ field, message: 'is required' })),
    ...foreign.map((field) => ({ field, message: `is not for ${provider}: it takes ${own.join(' and ')}` })),
  ]
  if (details.length > 0) throw invalidInput(details)
  return Object.fromEntries(own.map((field) => [field, input[field as keyof SaveProviderKeyInput] ?? '']))
}

const LONG_ENOUGH = 8

/** Returns a masked secret. It shows the last four characters if the secret is long enough. */
const maskedOf = (secret: string): string => `****${secret.length >= LONG_ENOUGH ? secret.slice(-4) : ''}`

/** Returns the error for a failed call with a customer's key. */
export const keyFailure = (ctx: Ctx, provider: KeyProvider, failure: ProviderFailure): ApiError =>
  failure.code === 'auth' || failure.code === 'billing'
    ? keysInvalid(provider, failure, setupUrl(ctx))
    : providerUnavailable(provider, failure)

const keyOf = (accountId: number, provider: KeyProvider) =>
  and(eq(providerKeys.accountId, accountId), eq(providerKeys.provider, provider))

/** Locks an account's key of a provider. Returns no row if there is none. */
const lockKey = (ctx: Ctx, accountId: number, provider: KeyProvider) =>
  ctx.db.select({ id: providerKeys.id }).from(providerKeys).where(keyOf(accountId, provider)).for('update')

/** Writes an audit entry about the account's key of a provider, if the key exists at this point of the batch. */
const auditKey = (ctx: Ctx, action: string, accountId: number, provider: KeyProvider) =>
  audit(ctx, {
    account: accountId,
    action,
    on: ['provider_key', providerKeys.id],
    detail: { provider },
    from: sql`${providerKeys}`,
    if: sql`${keyOf(accountId, provider)}`,
  })

/** Saves the account's own key of a provider if the provider accepts it. Throws 400, 402 if it rejects the key, 503. */
export const saveProviderKey = async (
  ctx: Ctx,
  providers: ProbedProviders,
  provider: KeyProvider,
  input: SaveProviderKeyInput,
) => {
  const secrets = secretsOf(provider, input)
  const { id: accountId } = await ctx.account()
  const probed = await providers.opened(provider, secrets).probe()
  if (probed.kind === 'failed') throw keyFailure(ctx, provider, probed)
  const masked = maskedOf(secrets.password ?? secrets.api_key ?? '')
  const now = ctx.now()
  const key = {
    sealedSecrets: await seal(ctx.settings.secretsKeys, JSON.stringify(secrets), contextOf(accountId, provider)),
    login: secrets.login ?? null,
    masked,
    rejected: null,
    checkedAt: now,
    updatedAt: now,
  }
  const [before] = await ctx.batch([
    lockKey(ctx, accountId, provider),
    ctx.db
      .insert(providerKeys)
      .values({ accountId, provider, createdAt: now, ...key })
      .onConflictDoUpdate({ target: [providerKeys.accountId, providerKeys.provider], set: key }),
    auditKey(ctx, 'provider_key.save', accountId, provider),
  ])
  return {
    provider,
    status: 'saved' as const,
    masked,
    replaced: before.length > 0,
    message: `${PROVIDER_NAMES[provider]} accepted the key, and it is stored encrypted. Keyword searches can use it now.`,
    ...(probed.note === undefined ? {} : { warning: probed.note }),
    ...(providers.isSandbox(provider) ? { sandbox: true as const } : {}),
  }
}

/** Deletes the account's own key of a provider. Throws 404 if none is saved. */
export const removeProviderKey = async (ctx: Ctx, provider: KeyProvider) => {
  const { id } = await ctx.account()
  const [held] = await ctx.batch([
    lockKey(ctx, id, provider),
    auditKey(ctx, 'provider_key.delete', id, provider),
    ctx.db.delete(providerKeys).where(keyOf(id, provider)),
  ])
  if (held.length === 0) throw new ApiError('not_found', `No key of ${PROVIDER_NAMES[provider]} is saved.`)
  return { provider, deleted: true as const, message: `The key of ${PROVIDER_NAMES[provider]} is deleted.` }
}

/** Unseals a provider key. Throws if no sealing key of the ring opens it. */
export const openKey = async (
  ctx: Pick<Ctx, 'settings'>,
  accountId: number,
  { provider, sealedSecrets }: { provider: KeyProvider; sealedSecrets: string },
): Promise<Record<string, string>> =>
  JSON.parse(await unseal(ctx.settings.secretsKeys, sealedSecrets, contextOf(accountId, provider)))

/** Records why a provider rejects a key, or null if it accepts it again. Does nothing if another key was saved since. */
export const noteKeyUse = (
  ctx: Ctx,
  accountId: number,
  { provider, sealedSecrets }: { provider: KeyProvider; sealedSecrets: string },
  rejected: string | null,
) =>
  ctx.batch(
    [
      ctx.db
        .update(providerKeys)
        .set({ rejected, checkedAt: ctx.now() })
        .where(and(keyOf(accountId, provider), eq(providerKeys.sealedSecrets, sealedSecrets))),
    ],
    { unaudited: 'what a provider said of a key' },
  )
