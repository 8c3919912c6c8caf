import { asc, eq, type SQL } from 'drizzle-orm'
import { providerKeys } from '../../schema/keywords.ts'
import type { Db } from '../db/client.ts'

const { provider, login, masked, rejected, checkedAt, updatedAt } = providerKeys

/** What may be shown of an account's keys. */
export const shownKeys = (db: Db, owner: SQL) =>
  db
    .select({ provider, login, masked, rejected, checkedAt, updatedAt })
    .from(providerKeys)
    .where(eq(providerKeys.accountId, owner))
    .orderBy(asc(provider))
