import type { KeyProvider } from '../../../schema/values/keywords.ts'
import { seal, unseal } from '../../platform/lib/crypto.ts'
import { ApiError, type FieldError, invalidInput } from '../../platform/lib/errors.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { contextOf } from './context.ts'
import { keysInvalid, PROVIDER_NAMES, providerUnavailable } from './failures.ts'
import { shownKeys } from './parts.ts'
import type { ProbedProviders, ProviderFailure } from './port.ts'
import type { SaveProviderKeyInput } from './schemas.ts'
import { dropKey, saveKey } from './statements.ts'

const FIELDS = {
  dataforseo: ['login', 'password'],
  ahrefs: ['api_key'],
} as const satisfies Record<KeyProvider, readonly (keyof SaveProviderKeyInput)[]>

const ALL = ['login', 'password', 'api_key'] as const

/** Returns the address of the page on which a person saves keys. */
export const setupUrl = (ctx: Pick<Ctx, 'settings'>): string => `${ctx.settings.publicUrl}/settings/provider-keys`

/** The account's saved keys, masked. */
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

/** The provider's own fields of a body. Throws 400 naming those that are missing, and those of another provider. */
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

/** The end of a secret, where it is long enough that its end says little. */
const maskedOf = (secret: string): string => `****${secret.length >= LONG_ENOUGH ? secret.slice(-4) : ''}`

/** Returns the error for a failed call with a customer's key. */
export const keyFailure = (ctx: Ctx, provider: KeyProvider, failure: ProviderFailure): ApiError =>
  failure.code === 'auth' || failure.code === 'billing'
    ? keysInvalid(provider, failure, setupUrl(ctx))
    : providerUnavailable(provider, failure)

/** Saves the account's own key of a provider once the provider accepts it. Throws 400, 402 when it does not, 503. */
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
  const [row] = await ctx.write<{ replaced: boolean }>(
    saveKey(ctx, {
      accountId,
      provider,
      sealedSecrets: await seal(ctx.settings.secretsKeys, JSON.stringify(secrets), contextOf(accountId, provider)),
      login: secrets.login ?? null,
      masked,
    }),
  )
  return {
    provider,
    status: 'saved' as const,
    masked,
    replaced: row?.replaced ?? false,
    message: `${PROVIDER_NAMES[provider]} accepted the key, and it is stored encrypted. Keyword searches can use it now.`,
    ...(probed.note === undefined ? {} : { warning: probed.note }),
    ...(providers.isSandbox(provider) ? { sandbox: true as const } : {}),
  }
}

/** Forgets the account's own key of a provider. Throws 404 when none is saved. */
export const removeProviderKey = async (ctx: Ctx, provider: KeyProvider) => {
  const { id } = await ctx.account()
  const [gone] = await ctx.write(dropKey(ctx, id, provider))
  if (!gone) throw new ApiError('not_found', `No key of ${PROVIDER_NAMES[provider]} is saved.`)
  return { provider, deleted: true as const, message: `The key of ${PROVIDER_NAMES[provider]} is deleted.` }
}

/** Opens a sealed key. Throws when no key of the ring opens it. */
export const openKey = async (
  ctx: Pick<Ctx, 'settings'>,
  accountId: number,
  { provider, sealedSecrets }: { provider: KeyProvider; sealedSecrets: string },
): Promise<Record<string, string>> =>
  JSON.parse(await unseal(ctx.settings.secretsKeys, sealedSecrets, contextOf(accountId, provider)))
