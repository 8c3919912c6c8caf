import { and, inArray, isNull, type SQL, sql } from 'drizzle-orm'
import { apiKeys } from '../../../schema/accounts.ts'
import { oauthGrants } from '../../../schema/people.ts'
import type { Db } from '../../platform/db/client.ts'
import { audit } from '../../platform/db/writes.ts'

/** Revokes the keys behind grants that meet a condition; each that was open has an audit entry. Statements of a batch. */
export const revokeKeys = (db: Db, grants: SQL, now: Date) => {
  const { id, accountId, revokedAt } = apiKeys
  const behind = db.select({ keyId: oauthGrants.keyId }).from(oauthGrants).where(grants)
  const isOpen = sql`${and(isNull(revokedAt), inArray(id, behind))}`
  const entry = { account: sql`${accountId}`, action: 'application.end', on: ['key', sql`${id}`] } as const
  return [
    db.select({ id }).from(apiKeys).where(isOpen).orderBy(id).for('no key update'),
    audit({ actor: () => 'oauth', now: () => now }, { ...entry, from: sql`${apiKeys}`, if: isOpen }),
    db.update(apiKeys).set({ revokedAt: now }).where(isOpen),
  ] as const
}
