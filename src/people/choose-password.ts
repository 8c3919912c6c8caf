import { and, eq, gt, ne, type SQL, sql } from 'drizzle-orm'
import { mailedTo, people, personCredentials, personSessions, personVerifications } from '../../schema/people.ts'
import { rowsOf } from '../db/client.ts'
import { statement } from '../db/statement.ts'
import { insert, remove, update } from '../db/write-parts.ts'
import { base64Url, sha256 } from '../lib/crypto.ts'
import { type Deps, sendWrite } from '../runtime/ctx.ts'
import { MAILS, type Mail } from './mail.ts'
import { mailedLink } from './mailed-link.ts'
import { hashPassword } from './password.ts'
import { PATHS } from './paths.ts'

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

/** Keeps the hash of a new token for an address, if the condition holds; undefined if it does not. */
const openToken = async ({ db, now, newId }: Needed, email: string, where: SQL): Promise<string | undefined> => {
  const token = newToken()
  const row = {
    id: newId(),
    identifier: await identifierOf(token),
    value: JSON.stringify({ type: 'password', email }),
    expiresAt: new Date(now().getTime() + HOLDS_MS),
    createdAt: now(),
    updatedAt: now(),
  }
  const made = insert('made', personVerifications, row, { where })
  const rows = await rowsOf(db, statement({ unaudited: UNAUDITED, parts: [made], answer: made.c }))
  return rows.length > 0 ? token : undefined
}

const confirmMail = ({ settings }: Needed, { email, next }: Asked, token: string): Mail =>
  MAILS.verify(settings.serviceName, email, mailedLink(settings.publicUrl, PATHS.verify, { token, next }))

/** Signs an address up: the mail by which it is proved, or one that says that it is known. */
export const signUpMail = async (deps: Needed, asked: Asked): Promise<Mail> => {
  const { publicUrl, serviceName } = deps.settings
  const token = await openToken(deps, asked.email, sql`not ${isProved(asked.email)}`)
  return token === undefined
    ? MAILS.known(serviceName, asked.email, `${publicUrl}${PATHS.signIn}`)
    : confirmMail(deps, asked, token)
}

/** The mail of a sign-up again, for an address that was signed up and is not proved; undefined for any other. */
export const signUpMailAgain = async (deps: Needed, asked: Asked): Promise<Mail | undefined> => {
  const { email } = asked
  const token = await openToken(deps, email, sql`not ${isProved(email)} and ${isAwaited(email, deps.now())}`)
  return token === undefined ? undefined : confirmMail(deps, asked, token)
}

/** The mail for somebody who forgot their password; undefined if nobody has the address or is about to. */
export const resetMail = async (deps: Needed, email: string): Promise<Mail | undefined> => {
  const isKnown = sql`exists (select 1 from ${people} where ${eq(people.email, email)})`
  const token = await openToken(deps, email, sql`(${isKnown} or ${isAwaited(email, deps.now())})`)
  const { publicUrl, serviceName } = deps.settings
  return token === undefined
    ? undefined
    : MAILS.reset(serviceName, email, mailedLink(publicUrl, PATHS.newPassword, { token }))
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
