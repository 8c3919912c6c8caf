import { and, eq, exists, gt, type SQL, sql } from 'drizzle-orm'
import {
  mailedTo,
  people,
  personCredentials,
  personPasskeys,
  personSessions,
  personVerifications,
} from '../../../schema/people.ts'
import type { Db, SqlRunner } from '../../platform/db/client.ts'
import { insertWhere } from '../../platform/db/writes.ts'
import { base64, base64Url, fromBase64, sha256 } from '../../platform/lib/crypto.ts'
import { type Deps, sendBatch } from '../../platform/runtime/ctx.ts'
import { MAILS, type Mail, mailedLink } from './mail.ts'
import { PATHS } from './paths.ts'
import { queueMail, sealMail } from './send-mail.ts'

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

const HOLDS_MS = 3_600_000
const UNAUDITED = { unaudited: 'who may sign in: it is nothing of an account' }

type Needed = Pick<Deps, 'db' | 'now' | 'newId' | 'settings'>
type Asked = { email: string; next?: string | undefined }

const newToken = (): string => base64Url(crypto.getRandomValues(new Uint8Array(32)))
const identifierOf = async (token: string): Promise<string> => `password:${await sha256(token)}`

/**
 * Stores a new token for an address, and returns the link to choose a password with it. It works once, within an hour.
 *
 * For the operator of a service, who may not have set up mail yet.
 */
export const linkFor = async (run: SqlRunner, publicUrl: string, email: string): Promise<string> => {
  const token = newToken()
  const value = JSON.stringify({ type: 'password', email: email.toLowerCase() })
  const row = {
    id: crypto.randomUUID(),
    identifier: await identifierOf(token),
    value,
    expiresAt: sql`now() + interval '1 hour'`,
  }
  await run(insertWhere(personVerifications, row, { if: 'always' }))
  return mailedLink(publicUrl, PATHS.verify, { token })
}

/** Condition: a person has verified the address. */
const isProved = (email: string): SQL =>
  sql`exists (select 1 from ${people} where ${and(eq(people.email, email), eq(people.emailVerified, true))})`

/** Condition: a token that has not expired was mailed to the address. */
const isAwaited = (email: string, now: Date): SQL =>
  sql`exists (select 1 from ${personVerifications} where ${mailedTo(personVerifications.value)} = ${email}
    and ${gt(personVerifications.expiresAt, now)})`

type NewMail = {
  to: string
  /** Condition for a token. */
  where: SQL
  /** The mail with the token. */
  withToken: (token: string) => Mail
  /** The mail if the condition does not hold; absent: none. */
  otherwise?: Mail
}

/**
 * Stores the hash of a new token and queues the mail with the token, in one batch. Returns an id, even if no mail is queued.
 *
 * The batch does the same work in each case, so that neither its time nor the answer reveals if an address is known.
 */
const mailToken = async (deps: Needed, { to, where, withToken, otherwise }: NewMail): Promise<string> => {
  const { db, now, newId } = deps
  const token = newToken()
  const at = now()
  const expiresAt = new Date(at.getTime() + HOLDS_MS)
  const row = {
    id: newId(),
    identifier: await identifierOf(token),
    value: JSON.stringify({ type: 'password', email: to }),
    expiresAt,
    createdAt: at,
    updatedAt: at,
  }
  const mail = await sealMail(deps, withToken(token), expiresAt)
  const other = otherwise && (await sealMail(deps, otherwise, expiresAt, mail.id))
  const isMade = exists(
    db.select({ id: personVerifications.id }).from(personVerifications).where(eq(personVerifications.id, row.id)),
  )
  const queued = other
    ? queueMail(mail, {
        now: at,
        if: 'always',
        sealed: sql`case when ${isMade} then ${mail.sealed}::text else ${other.sealed}::text end`,
      })
    : queueMail(mail, { now: at, if: isMade })
  await sendBatch(db, { personVerifications: insertWhere(personVerifications, row, { if: where }), queued }, UNAUDITED)
  return mail.id
}

const confirmMail = ({ settings }: Needed, { email, next }: Asked, token: string): Mail =>
  MAILS.verify(settings.serviceName, email, mailedLink(settings.publicUrl, PATHS.verify, { token, next }))

/** Mails a confirmation link to an address that signs up, or a notice if it has an account. Returns the mail's id. */
export const mailSignUp = async (deps: Needed, asked: Asked): Promise<string> => {
  const { publicUrl, serviceName } = deps.settings
  return await mailToken(deps, {
    to: asked.email,
    where: sql`not ${isProved(asked.email)}`,
    withToken: (token) => confirmMail(deps, asked, token),
    otherwise: MAILS.known(serviceName, asked.email, `${publicUrl}${PATHS.signIn}`),
  })
}

/** Mails the confirmation link again, if the address has an open sign-up and is not verified. */
export const mailSignUpAgain = async (deps: Needed, asked: Asked): Promise<void> => {
  const { email } = asked
  const where = sql`not ${isProved(email)} and ${isAwaited(email, deps.now())}`
  await mailToken(deps, { to: email, where, withToken: (token) => confirmMail(deps, asked, token) })
}

/** Mails a link to choose a new password, if a person has the address or an open sign-up with it. */
export const mailReset = async (deps: Needed, email: string): Promise<void> => {
  const isKnown = sql`exists (select 1 from ${people} where ${eq(people.email, email)})`
  const { publicUrl, serviceName } = deps.settings
  await mailToken(deps, {
    to: email,
    where: sql`(${isKnown} or ${isAwaited(email, deps.now())})`,
    withToken: (token) => MAILS.reset(serviceName, email, mailedLink(publicUrl, PATHS.newPassword, { token })),
  })
}

/** Returns a statement that locks all tokens of an address. If two are used at once, the second then no longer exists. */
const holdTokens = (identifier: string): SQL => {
  const { id, value } = personVerifications
  return sql`select 1 from ${personVerifications} where ${mailedTo(value)} = (select ${mailedTo(value)}
    from ${personVerifications} where ${eq(personVerifications.identifier, identifier)}) order by ${id} for update`
}

/** Returns the address that a token was mailed to; undefined if the token was used, has ended or has expired. */
export const addressBehind = async (
  { db, now }: Pick<Deps, 'db' | 'now'>,
  token: string,
): Promise<string | undefined> => {
  const { identifier, value, expiresAt } = personVerifications
  const [row] = await db
    .select({ email: sql<string>`${mailedTo(value)}` })
    .from(personVerifications)
    .where(and(eq(identifier, await identifierOf(token)), gt(expiresAt, now())))
  return row?.email
}

/**
 * Verifies the address that a token was mailed to, and sets the person's password. Returns the person; undefined if the token was
 * used, has ended or has expired.
 *
 * The same batch deletes every earlier password, passkey, session and token of the address.
 */
export const choosePassword = async (
  deps: Needed,
  token: string,
  password: string,
): Promise<{ id: string; email: string } | undefined> => {
  const { db, newId } = deps
  const identifier = await identifierOf(token)
  const at = deps.now()
  const { value, expiresAt } = personVerifications
  const isToken = sql`${and(eq(personVerifications.identifier, identifier), gt(expiresAt, at))}`
  const address = sql`(select ${mailedTo(value)} from ${personVerifications} where ${isToken})`
  const isProved = sql`${people.email} = ${address}`
  const personId = sql`(select ${people.id} from ${people} where ${isProved})`
  const proved = { id: newId(), name: '', email: mailedTo(value), emailVerified: true, createdAt: at, updatedAt: at }
  const credential = {
    id: newId(),
    accountId: sql`${people.id}`,
    providerId: 'credential',
    userId: sql`${people.id}`,
    password: await hashPassword(password),
    createdAt: at,
    updatedAt: at,
  }
  const {
    people: [person],
  } = await sendBatch(
    db,
    {
      tokens: holdTokens(identifier),
      people: insertWhere(people, proved, {
        from: sql`${personVerifications}`,
        if: isToken,
        onConflict: sql`(email) do update set email_verified = true, updated_at = excluded.updated_at`,
        returning: { id: people.id, email: people.email },
      }),
      deletedPersonSessions: db.delete(personSessions).where(sql`${personSessions.userId} = ${personId}`),
      deletedPersonPasskeys: db.delete(personPasskeys).where(sql`${personPasskeys.personId} = ${personId}`),
      deletedPersonCredentials: db.delete(personCredentials).where(sql`${personCredentials.userId} = ${personId}`),
      personCredentials: insertWhere(personCredentials, credential, { from: sql`${people}`, if: isProved }),
      // Deletes all tokens of the address: the one that was used, and all others.
      deletedPersonVerifications: db.delete(personVerifications).where(sql`${mailedTo(value)} = ${address}`),
    },
    UNAUDITED,
  )
  return person
}

/** Records in a person's sessions that a mailed link has just confirmed their identity. */
export const markVerified = async ({ db, now }: Pick<Deps, 'db' | 'now'>, personId: string): Promise<void> => {
  await db.update(personSessions).set({ provedAt: now() }).where(eq(personSessions.userId, personId))
}
