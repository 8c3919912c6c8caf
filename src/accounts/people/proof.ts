import { and, eq } from 'drizzle-orm'
import { personCredentials } from '../../../schema/people.ts'
import type { Db } from '../../platform/db/client.ts'
import { verifyPassword } from './password.ts'

/** Time for which a mailed link proves the identity of the signed-in person. */
const PROVES_MS = 10 * 60_000

/** True if a mailed link started the session a moment ago. */
export const isProvedByMail = (provedAt: number | undefined, now: Date): boolean =>
  provedAt !== undefined && now.getTime() - provedAt < PROVES_MS

/** Returns the hash of a person's password; undefined if they have another one, or none. */
export const provedHash = async (db: Db, personId: string, password: string): Promise<string | undefined> => {
  const { password: hash, userId, providerId } = personCredentials
  const [row] = await db
    .select({ hash })
    .from(personCredentials)
    .where(and(eq(userId, personId), eq(providerId, 'credential')))
  return row?.hash && (await verifyPassword({ hash: row.hash, password })) ? row.hash : undefined
}

/** True if the person has this password. */
export const isPasswordOf = async (db: Db, personId: string, password: string): Promise<boolean> =>
  (await provedHash(db, personId, password)) !== undefined
