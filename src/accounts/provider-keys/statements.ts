import { and, eq, type SQL, sql } from 'drizzle-orm'
import { providerKeys } from '../../../schema/keywords.ts'
import type { KeyProvider } from '../../../schema/values/keywords.ts'
import { audit } from '../../platform/db/audit.ts'
import { read } from '../../platform/db/read-parts.ts'
import { statement } from '../../platform/db/statement.ts'
import { insert, overwritten, remove, update } from '../../platform/db/write-parts.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'

type NewKey = { accountId: number; provider: KeyProvider; sealedSecrets: string; login: string | null; masked: string }

const keyOf = (accountId: number, provider: KeyProvider): SQL =>
  sql`${and(eq(providerKeys.accountId, accountId), eq(providerKeys.provider, provider))}`

/** Saves a key in place of the one before; `replaced` says whether there was one. */
export const saveKey = (ctx: Ctx, key: NewKey): SQL => {
  const now = ctx.now()
  const { accountId, provider } = key
  const before = read('before', providerKeys, { id: providerKeys.id }, { where: keyOf(accountId, provider) })
  const { sealedSecrets, login, masked, rejected, checkedAt, updatedAt } = providerKeys
  const saved = insert(
    'saved',
    providerKeys,
    { ...key, rejected: null, checkedAt: now, createdAt: now, updatedAt: now },
    {
      onConflict: {
        columns: [providerKeys.accountId, providerKeys.provider],
        set: overwritten({ sealedSecrets, login, masked, rejected, checkedAt, updatedAt }),
      },
      returning: { id: providerKeys.id },
    },
  )
  return statement({
    parts: [before, saved],
    audit: audit(ctx, {
      of: saved,
      account: accountId,
      action: 'provider_key.save',
      on: ['provider_key', saved.c.id],
      detail: { provider },
    }),
    answer: { replaced: before.hasRows },
    answerFrom: saved.rows,
  })
}

/** Forgets a key. No row: there was none. */
export const dropKey = (ctx: Ctx, accountId: number, provider: KeyProvider): SQL => {
  const dropped = remove('dropped', providerKeys, {
    where: keyOf(accountId, provider),
    returning: { id: providerKeys.id },
  })
  return statement({
    parts: [dropped],
    audit: audit(ctx, {
      of: dropped,
      account: accountId,
      action: 'provider_key.delete',
      on: ['provider_key', dropped.c.id],
      detail: { provider },
    }),
    answer: { id: dropped.c.id },
  })
}

/** Puts freshly sealed secrets in the place of those that were read. No row: they were changed meanwhile. */
export const resealKey = (id: number, sealed: string, fresh: string): SQL => {
  const resealed = update(
    'resealed',
    providerKeys,
    { sealedSecrets: fresh },
    {
      where: sql`${and(eq(providerKeys.id, id), eq(providerKeys.sealedSecrets, sealed))}`,
      returning: { id: providerKeys.id },
    },
  )
  return statement({
    unaudited: 'the operator’s command is logged as a whole; no secret changes',
    parts: [resealed],
    answer: { id: resealed.c.id },
  })
}
