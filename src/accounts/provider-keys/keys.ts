import { and, asc, eq, type SQL, sql } from 'drizzle-orm'
import { providerKeys } from '../../../schema/keywords.ts'
import type { AuditAction } from '../../../schema/values/audit.ts'
import type { KeyProvider } from '../../../schema/values/keywords.ts'
import type { Db, SqlRunner } from '../../platform/db/client.ts'
import { audit } from '../../platform/db/writes.ts'
import { type KeyRing, seal, unseal } from '../../platform/lib/crypto.ts'
import { ApiError, type FieldError, invalidInput } from '../../platform/lib/errors.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import type { SaveProviderKeyInput } from './operations.ts'
import type { ProbedProviders, ProviderFailure } from './port.ts'

/** Returns the parts of an account's keys that people may see. */
export const shownKeys = (db: Db, owner: SQL) =>
  db
    .select({
      provider: providerKeys.provider,
      login: providerKeys.login,
      masked: providerKeys.masked,
      rejected: providerKeys.rejected,
      checkedAt: providerKeys.checkedAt,
      updatedAt: providerKeys.updatedAt,
    })
    .from(providerKeys)
    .where(eq(providerKeys.accountId, owner))
    .orderBy(asc(providerKeys.provider))

/** Returns an account's keys, sealed. */
export const sealedKeys = (db: Db, owner: SQL) =>
  db
    .select({
      provider: providerKeys.provider,
      sealedSecrets: providerKeys.sealedSecrets,
      rejected: providerKeys.rejected,
    })
    .from(providerKeys)
    .where(eq(providerKeys.accountId, owner))

/** Names of the providers, for people. */
const PROVIDER_NAMES: Readonly<Record<KeyProvider, string>> = { dataforseo: 'DataForSEO', ahrefs: 'Ahrefs' }

const RETRY_AFTER_S = 30

const upstreamOf = (provider: KeyProvider, { reason, status }: ProviderFailure) => ({
  name: provider,
  ...(status === undefined ? {} : { status }),
  message: reason,
})

/** Temporary failures. */
const PASSING: ReadonlySet<ProviderFailure['code']> = new Set(['rate_limited', 'transient'])

/**
 * Returns the error for a failed request to a provider: 400 with the provider's message if the input is wrong, else 503. Only
 * temporary failures are retryable.
 */
export const providerUnavailable = (provider: KeyProvider, failure: ProviderFailure): ApiError => {
  const name = PROVIDER_NAMES[provider]
  const upstream = upstreamOf(provider, failure)
  if (failure.code === 'invalid_input')
    return new ApiError('invalid_input', `${name} does not accept this request: ${failure.reason}`, { upstream })
  if (PASSING.has(failure.code))
    return new ApiError('provider_unavailable', `${name} returns no keywords at the moment. Nothing was changed.`, {
      retry_after: failure.retryAfterS ?? RETRY_AFTER_S,
      upstream,
    })
  return new ApiError(
    'provider_unavailable',
    `${name} returns no keywords until the operator of this service fixes it. Nothing was changed; repeating the call does not help.`,
    { retryable: false, upstream },
  )
}

/** Returns the error for a caller's own key that is rejected, or whose account cannot pay. A person changes it at `setupUrl`. */
const keysInvalid = (provider: KeyProvider, failure: ProviderFailure, setupUrl: string): ApiError => {
  const name = PROVIDER_NAMES[provider]
  const isBilling = failure.code === 'billing'
  return new ApiError(
    'byo_keys_invalid',
    isBilling
      ? `The account’s own ${name} account has no credit left, or lacks the required subscription.`
      : `${name} does not accept the account’s own key.`,
    {
      provider,
      reason: isBilling ? 'no_credit' : 'rejected',
      upstream: upstreamOf(provider, failure),
      setup_url: setupUrl,
      next_calls: [
        {
          method: 'GET',
          path: '/provider-keys',
          why: `Shows the saved keys; PUT /provider-keys/${provider} saves another.`,
        },
      ],
      instructions_for_agent: isBilling
        ? `Tell the user that their ${name} account has no credit left or lacks the subscription, and what ${name} said. Do not repeat the call before they have changed that.`
        : `Tell the user that ${name} rejected their key. Do not repeat the call before another one is saved at ${setupUrl} or with PUT /provider-keys/${provider}.`,
    },
  )
}

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
  const rows = await ctx.read((owner) => shownKeys(ctx.db, owner))
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
    ...foreign.map((field) => ({ field, message: `is not a field of ${provider}, which needs ${own.join(' and ')}` })),
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
const auditKey = (ctx: Ctx, action: AuditAction, accountId: number, provider: KeyProvider) =>
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
  const { before } = await ctx.batch({
    before: lockKey(ctx, accountId, provider),
    providerKeys: ctx.db
      .insert(providerKeys)
      .values({ accountId, provider, createdAt: now, ...key })
      .onConflictDoUpdate({ target: [providerKeys.accountId, providerKeys.provider], set: key }),
    auditKey: auditKey(ctx, 'provider_key.save', accountId, provider),
  })
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
  const { held } = await ctx.batch({
    held: lockKey(ctx, id, provider),
    auditKey: auditKey(ctx, 'provider_key.delete', id, provider),
    deletedProviderKeys: ctx.db.delete(providerKeys).where(keyOf(id, provider)),
  })
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
    {
      changedProviderKeys: ctx.db
        .update(providerKeys)
        .set({ rejected, checkedAt: ctx.now() })
        .where(and(keyOf(accountId, provider), eq(providerKeys.sealedSecrets, sealedSecrets))),
    },
    { unaudited: 'what a provider said of a key' },
  )

const BATCH = 200

type Row = { id: number; account_id: number; provider: 'dataforseo' | 'ahrefs'; sealed_secrets: string }

/** Seals every saved provider key again with the ring's first key. Returns how many it sealed, and the ids that no key opens. */
export const rotateProviderKeys = async (
  run: SqlRunner,
  ring: KeyRing,
): Promise<{ rotated: number; unreadable: number[] }> => {
  const keyId = ring[0]?.id ?? ''
  const unreadable: number[] = []
  let rotated = 0
  let after = 0
  for (;;) {
    const rows = await run<Row>(sql`select id, account_id, provider, sealed_secrets from provider_keys
      where id > ${after}::int and split_part(sealed_secrets, '.', 1) <> ${keyId} order by id limit ${BATCH}::int`)
    for (const row of rows) {
      after = Number(row.id)
      const context = contextOf(Number(row.account_id), row.provider)
      const opened = await unseal(ring, row.sealed_secrets, context).catch(() => undefined)
      if (opened === undefined) {
        unreadable.push(after)
        continue
      }
      const fresh = await seal(ring, opened, context)
      const changed = await run(sql`update provider_keys set sealed_secrets = ${fresh}
        where id = ${after}::int and sealed_secrets = ${row.sealed_secrets} returning id`)
      rotated += changed.length
    }
    if (rows.length < BATCH) return { rotated, unreadable }
  }
}
