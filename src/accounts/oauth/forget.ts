import { and, asc, inArray, lte, sql } from 'drizzle-orm'
import { invitations, oauthGrants, oauthRecords, personSessions, personVerifications } from '../../../schema/people.ts'
import { dropInBatches } from '../../platform/db/batches.ts'
import type { Db } from '../../platform/db/client.ts'
import { type Deps, sendBatch } from '../../platform/runtime/ctx.ts'
import { revokeKeys } from './store.ts'

/** Deletes the first rows of a table to expire. */
const dropFirst = (
  db: Db,
  table: typeof personSessions | typeof personVerifications | typeof invitations,
  now: Date,
  limit: number,
) => {
  const { id, expiresAt } = table
  const first = db.select({ id }).from(table).where(lte(expiresAt, now)).orderBy(asc(expiresAt)).limit(limit)
  return db.delete(table).where(inArray(id, first))
}

/**
 * Deletes a batch of each kind of what has expired; returns how many of all kinds that were. A grant that nobody refreshed takes the key
 * behind it along.
 */
const dropExpired = async (db: Db, now: Date, limit: number): Promise<number> => {
  const { key, expiresAt } = oauthRecords
  const found = await db
    .select({ key })
    .from(oauthRecords)
    .where(lte(expiresAt, now))
    .orderBy(asc(expiresAt))
    .limit(limit)
  // Locked before the keys: a grant that is refreshed meanwhile has not expired any more, and keeps its key.
  const isExpired = and(sql`${key} = any(${sql.param(found.map((record) => record.key))}::text[])`, lte(expiresAt, now))
  const grants = db
    .select({ id: sql`split_part(${key}, ':', 3)` })
    .from(oauthRecords)
    .where(and(sql`${key} like 'grant:%'`, isExpired))
  const results = await sendBatch(db, [
    db.select({ key }).from(oauthRecords).where(isExpired).orderBy(key).for('update'),
    ...revokeKeys(db, inArray(oauthGrants.grantId, grants), now),
    db.delete(oauthRecords).where(isExpired),
    dropFirst(db, personSessions, now, limit),
    dropFirst(db, personVerifications, now, limit),
    dropFirst(db, invitations, now, limit),
  ])
  return results.slice(-4).reduce((sum, result) => sum + (result as { rowCount: number }).rowCount, 0)
}

/** Forgets expired sessions, mailed tokens, invitations, and records of the OAuth server, in batches of each kind; returns how many. */
export const forgetSignIns = ({ db, now }: Pick<Deps, 'db' | 'now'>): Promise<number> =>
  dropInBatches((most) => dropExpired(db, now(), most))
