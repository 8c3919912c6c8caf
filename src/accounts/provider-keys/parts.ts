import { asc, eq, type SQL } from 'drizzle-orm'
import { providerKeys } from '../../../schema/keywords.ts'
import type { Db } from '../../platform/db/client.ts'

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
