import { and, eq } from 'drizzle-orm'
import { personCredentials } from '../../../schema/people.ts'
import type { Db } from '../../platform/db/client.ts'
import { base64, fromBase64 } from '../../platform/lib/crypto.ts'

/** Fewest and most characters of a password. */
export const PASSWORD = { least: 10, most: 200 } as const

/** True if a text has an allowed length for a password. */
export const isPassword = (text: string): boolean => text.length >= PASSWORD.least && text.length <= PASSWORD.most

/** Message about a password of another length. */
export const BAD_PASSWORD = `The password must have ${PASSWORD.least} to ${PASSWORD.most} characters.`

/** Costs of scrypt, 16 MiB a hash (OWASP's password storage page). WebCrypto has no scrypt; Node's takes 41 ms in workerd. */
const COST = { N: 16_384, r: 8, p: 1, maxmem: 64 * 1024 * 1024 }
const KEY_BYTES = 64

/** Imported at the first use of a password: it loads thirty modules of Node, which most starts of the Worker do not need. */
const nodeCrypto = () => import('node:crypto')

const derive = async (password: string, salt: string): Promise<Uint8Array> =>
  (await nodeCrypto()).scryptSync(password.normalize('NFKC'), salt, KEY_BYTES, COST)

/** Returns a password's hash: `salt:key`, both base64, scrypt. */
export const hashPassword = async (password: string): Promise<string> => {
  const salt = base64(crypto.getRandomValues(new Uint8Array(16)))
  return `${salt}:${base64(await derive(password, salt))}`
}

/** True if the password matches the hash. The comparison takes constant time. */
export const verifyPassword = async ({ hash, password }: { hash: string; password: string }): Promise<boolean> => {
  const [salt = '', key = ''] = hash.split(':')
  const [expected, derived] = [fromBase64(key), await derive(password, salt)]
  return expected.length === derived.length && (await nodeCrypto()).timingSafeEqual(expected, derived)
}

/** Time for which a mailed link proves the identity of the signed-in person. */
const PROVES_MS = 10 * 60_000

/** True if a mailed link confirmed the session's person in the last ten minutes. */
export const isProvedByMail = (provedAt: number | undefined, now: Date): boolean =>
  provedAt !== undefined && now.getTime() - provedAt < PROVES_MS

/** Returns the stored hash if this is the person's password; undefined if they have another one, or none. */
export const verifiedHash = async (db: Db, personId: string, password: string): Promise<string | undefined> => {
  const { password: hash, userId, providerId } = personCredentials
  const [row] = await db
    .select({ hash })
    .from(personCredentials)
    .where(and(eq(userId, personId), eq(providerId, 'credential')))
  return row?.hash && (await verifyPassword({ hash: row.hash, password })) ? row.hash : undefined
}

/** True if the person has this password. */
export const isPasswordOf = async (db: Db, personId: string, password: string): Promise<boolean> =>
  (await verifiedHash(db, personId, password)) !== undefined
