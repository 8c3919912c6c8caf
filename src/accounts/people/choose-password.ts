import { and, eq, gt, ne, type SQL, sql } from 'drizzle-orm'
import { mailedTo, people, personCredentials, personSessions, personVerifications } from '../../../schema/people.ts'
import { rowsOf } from '../../platform/db/client.ts'
import { select } from '../../platform/db/read-parts.ts'
import { statement } from '../../platform/db/statement.ts'
import { insert, remove, update } from '../../platform/db/write-parts.ts'
import { base64Url, sha256 } from '../../platform/lib/crypto.ts'
import { type Deps, sendWrite } from '../../platform/runtime/ctx.ts'
import { MAILS, type Mail } from './mail.ts'
import { mailedLink } from './mailed-link.ts'
import { hashPassword } from './password.ts'
import { PATHS } from './paths.ts'
import { queueMail, sealMail } from './queue-mail.ts'

const HOLDS_MS = 3_600_000
const UNAUDITED = 'who may sign in: it is nothing of an account'

type Needed = Pick<Deps, 'db' | 'now' | 'newId' | 'settings'>
type Asked = { email: string; next?: string | undefined }

const newToken = (): string => base64Url(crypto.getRandomValues(new Uint8Array(32)))
const identifierOf = async (token: string): Promise<string> => `password:${await sha256(token)}`

/** Condition: somebody has proved the address. */
const isProved = (email: string): SQL =>
  sql`exists (select 1 from ${people} where ${and(eq(people.email, email), eq(people.emailVerified, true))})`

/** Condition: a mail with a token that still works was sent to the address. */
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
 * Keeps the hash of a new token, and queues the mail with it, in one statement. The statement does the same work whichever mail it
 * queues, so that its time reveals nothing. Returns the mail's id, which the same answer names whether there is a mail or not.
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
  const one = select('one', { one: sql`1` }, sql``)
  const made = insert('made', personVerifications, row, { where })
  const queued = other
    ? queueMail(mail, {
        from: one,
        now: at,
        sealed: sql`case when ${made.hasRows} then ${mail.sealed}::text else ${other.sealed}::text end`,
      })
    : queueMail(mail, { from: made, now: at })
  const parts = [one, made, queued]
  await sendWrite(db, statement({ unaudited: UNAUDITED, parts, answer: one.c }))
  return mail.id
}

const confirmMail = ({ settings }: Needed, { email, next }: Asked, token: string): Mail =>
  MAILS.verify(settings.serviceName, email, mailedLink(settings.publicUrl, PATHS.verify, { token, next }))

/** Signs an address up: mails what proves it, or that it is known. Returns the mail's id. */
export const mailSignUp = async (deps: Needed, asked: Asked): Promise<string> => {
  const { publicUrl, serviceName } = deps.settings
  return await mailToken(deps, {
    to: asked.email,
    where: sql`not ${isProved(asked.email)}`,
    withToken: (token) => confirmMail(deps, asked, token),
    otherwise: MAILS.known(serviceName, asked.email, `${publicUrl}${PATHS.signIn}`),
  })
}

/** Mails a sign-up again if the address was signed up and is not proved. */
export const mailSignUpAgain = async (deps: Needed, asked: Asked): Promise<void> => {
  const { email } = asked
  const where = sql`not ${isProved(email)} and ${isAwaited(email, deps.now())}`
  await mailToken(deps, { to: email, where, withToken: (token) => confirmMail(deps, asked, token) })
}

/** Mails somebody who forgot their password, if somebody has the address or is about to. */
export const mailReset = async (deps: Needed, email: string): Promise<void> => {
  const isKnown = sql`exists (select 1 from ${people} where ${eq(people.email, email)})`
  const { publicUrl, serviceName } = deps.settings
  await mailToken(deps, {
    to: email,
    where: sql`(${isKnown} or ${isAwaited(email, deps.now())})`,
    withToken: (token) => MAILS.reset(serviceName, email, mailedLink(publicUrl, PATHS.newPassword, { token })),
  })
}

/** Holds all tokens of an address, so that of two that are used at once the second finds itself ended. */
const holdTokens = (identifier: string): SQL => {
  const { id, value } = personVerifications
  return sql`select 1 from ${personVerifications} where ${mailedTo(value)} = (select ${mailedTo(value)}
    from ${personVerifications} where ${eq(personVerifications.identifier, identifier)}) order by ${id} for update`
}

const chosen = (identifier: string, hash: string, { now, newId }: Needed): SQL => {
  const { id, value, expiresAt, userId } = { ...personVerifications, userId: personSessions.userId }
  const at = now()
  const used = remove('used', personVerifications, {
    where: sql`${eq(personVerifications.identifier, identifier)} and ${gt(expiresAt, at)}`,
    returning: { id, email: mailedTo(value) },
  })
  const proved = insert(
    'proved',
    people,
    { id: newId(), name: '', email: used.c.email, emailVerified: true, createdAt: at, updatedAt: at },
    {
      from: [used],
      onConflict: { columns: [people.email], set: { emailVerified: true, updatedAt: at } },
      returning: { id: people.id, email: people.email },
    },
  )
  const tokens = remove('tokens', personVerifications, {
    from: [used],
    where: sql`${mailedTo(value)} = ${used.c.email} and ${ne(id, used.c.id)}`,
  })
  const sessions = remove('sessions', personSessions, { from: [proved], where: eq(userId, proved.c.id) })
  const passwords = remove('passwords', personCredentials, {
    from: [proved],
    where: eq(personCredentials.userId, proved.c.id),
  })
  const credential = {
    id: newId(),
    accountId: proved.c.id,
    providerId: 'credential',
    userId: proved.c.id,
    password: hash,
    createdAt: at,
    updatedAt: at,
  }
  return statement({
    unaudited: UNAUDITED,
    parts: [
      used,
      proved,
      tokens,
      sessions,
      passwords,
      insert('password', personCredentials, credential, { from: [proved] }),
    ],
    answer: { id: proved.c.id, email: proved.c.email },
  })
}

/** Returns the address that a token was mailed to; undefined if the token was used, ended, or is too old. */
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
 * Proves the address that a token was mailed to, and stores the password that was chosen behind the mail. The same statement ends
 * every earlier password, session and token of the address. Undefined if the token was used, ended, or is too old.
 */
export const choosePassword = async (
  deps: Needed,
  token: string,
  password: string,
): Promise<{ id: string; email: string } | undefined> => {
  const identifier = await identifierOf(token)
  const statement = chosen(identifier, await hashPassword(password), deps)
  const [person] = await sendWrite<{ id: string; email: string }>(deps.db, statement, [holdTokens(identifier)])
  return person
}

/** Notes in a person's sessions that a mailed link proved them a moment ago. */
export const markProved = async ({ db, now }: Pick<Deps, 'db' | 'now'>, personId: string): Promise<void> => {
  const marked = update('marked', personSessions, { provedAt: now() }, { where: eq(personSessions.userId, personId) })
  await rowsOf(db, statement({ unaudited: UNAUDITED, parts: [marked], answer: marked.c }))
}
