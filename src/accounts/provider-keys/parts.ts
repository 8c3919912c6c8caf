import { and, asc, eq, type SQL, sql } from 'drizzle-orm'
import { providerKeys } from '../../../schema/keywords.ts'
import type { KeyProvider } from '../../../schema/values/keywords.ts'
import type { Db } from '../../platform/db/client.ts'
import { statement } from '../../platform/db/statement.ts'
import { update } from '../../platform/db/write-parts.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'

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

/** An account's keys, sealed. */
export const sealedKeys = (db: Db, owner: SQL) =>
  db
    .select({
      provider: providerKeys.provider,
      sealedSecrets: providerKeys.sealedSecrets,
      rejected: providerKeys.rejected,
    })
    .from(providerKeys)
    .where(eq(providerKeys.accountId, owner))

/** Notes why a provider does not accept a key any more, or null where it does again; nothing where another was saved meanwhile. */
export const noteKeyUse = (
  ctx: Pick<Ctx, 'now'>,
  accountId: number,
  key: { provider: KeyProvider; sealedSecrets: string },
  rejected: string | null,
): SQL => {
  const noted = update(
    'noted',
    providerKeys,
    { rejected, checkedAt: ctx.now() },
    {
      where: sql`${and(
        eq(providerKeys.accountId, accountId),
        eq(providerKeys.provider, key.provider),
        eq(providerKeys.sealedSecrets, key.sealedSecrets),
      )}`,
      returning: { id: providerKeys.id },
    },
  )
  return statement({ unaudited: 'what a provider said of a key', parts: [noted], answer: noted.c })
}
