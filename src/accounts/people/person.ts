import { and, eq, exists, type SQL, sql } from 'drizzle-orm'
import { accounts } from '../../../schema/accounts.ts'
import { memberships, people } from '../../../schema/people.ts'
import type { Plan } from '../../../schema/values/accounts.ts'
import type { AuditAction } from '../../../schema/values/audit.ts'
import type { MailFault, Role } from '../../../schema/values/people.ts'
import { type Db, rowsOf } from '../../platform/db/client.ts'
import { type AuditStatement, audit, decideOnce, insertWhere, withAudit } from '../../platform/db/writes.ts'
import { type Deps, sendBatch } from '../../platform/runtime/ctx.ts'
import { MAILS } from './mail.ts'
import { PATHS } from './paths.ts'
import { accountsOfPerson, isVerified, personQuery, sessionPersonQuery } from './queries.ts'
import { onlyProject } from './roles.ts'
import { queueMail, sealMail } from './send-mail.ts'

/** Signed-in person, with the account they work in. */
export type Person = {
  id: string
  email: string
  /** Empty if the person has given none. */
  name: string
  /** IANA name of the time zone they chose; null if none. */
  zone: string | null
  /** Fault of mails to their address; null if none is known. */
  mailFault: MailFault | null
  role: Role
  /** The one project of an editor or a client, 0 if it was deleted; null if they work in all projects. */
  projectId: number | null
  accountId: number
  plan: Plan
  projectSlots: number
  /** Time at which the account is erased, if an owner asked for that. */
  eraseAt: Date | null
}

type Row = Awaited<ReturnType<typeof personQuery>>[number]

/** Returns the person of a row, with their account; undefined if none of their accounts is open. */
const inAccount = (row: Row): Person | undefined => {
  if (!row.accountId || !row.plan || !row.role || row.projectSlots === null || !row.isOpen) return undefined
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    zone: row.zone,
    mailFault: row.mailFault,
    role: row.role,
    projectId: onlyProject(row.role, row.projectId),
    accountId: row.accountId,
    plan: row.plan,
    projectSlots: row.projectSlots,
    eraseAt: row.eraseAt,
  }
}

/** Returns the person of a session; undefined if none of their accounts is open. Does not check if the session is still valid. */
export const personOfSession = async (db: Db, token: string): Promise<Person | undefined> => {
  const [row] = await sessionPersonQuery(db, token)
  return row && inAccount(row)
}

/** Opens an account for an address that has none: the Agentic plan, and no project slot until one is bought. */
const openAccount = (personId: string, email: string, now: Date) => {
  const made = insertWhere(
    accounts,
    { email, plan: 'agentic', projectSlots: 0 },
    {
      if: sql`exists (select 1 from ${people} where ${isVerified(personId)})`,
      onConflict: sql`(lower(${sql.identifier(accounts.email.name)})) do nothing`,
      returning: { id: accounts.id },
    },
  )
  const id = sql`made.id`
  const acting = { actor: () => `person:${personId}`, now: () => now }
  return withAudit(acting, made, { account: id, action: 'account.create', on: ['account', id] })
}

/** Makes a person the owner of the account with their verified address, if it has no people yet, and switches them to it. */
const joinAccount = async (db: Db, personId: string, email: string, now: Date): Promise<void> => {
  const isTheirs = sql`lower(${accounts.email}) = lower(${email})`
  const isEmpty = sql`not exists (select 1 from ${memberships} where ${eq(memberships.accountId, accounts.id)})`
  const may = decideOnce(
    sql`exists (select 1 from ${accounts} where ${isTheirs} and ${isEmpty})
      and exists (select 1 from ${people} where ${isVerified(personId)})`,
  )
  const found = { from: sql`${accounts}`, if: sql`${isTheirs} and ${may.isMet}` }
  const accountId = sql`${accounts.id}`
  const acting = { actor: () => `person:${personId}`, now: () => now }
  await sendBatch(db, {
    account: db.select({ id: accounts.id }).from(accounts).where(isTheirs).for('no key update'),
    decided: may.statement,
    memberships: insertWhere(memberships, { personId, accountId, role: 'owner', createdAt: now }, found),
    changedPeople: db
      .update(people)
      .set({ accountId, updatedAt: now })
      .from(accounts)
      .where(and(eq(people.id, personId), isTheirs, may.isMet)),
    audit: audit(acting, { account: accountId, action: 'person.join', on: ['account', accountId], ...found }),
  })
}

/** Opens an account for a person's address, or joins the one that operators made for it, and switches the person to it. */
export const openOwnAccount = async (db: Db, personId: string, email: string, now: Date): Promise<void> => {
  await rowsOf(db, openAccount(personId, email, now))
  await joinAccount(db, personId, email, now)
}

/**
 * Returns the person with their account. Undefined if their address is not verified, or all their accounts are suspended.
 *
 * A person with a verified address and no account joins the account of that address, or gets a new one.
 */
export const personOf = async (db: Db, personId: string, now: Date): Promise<Person | undefined> => {
  const read = async () => (await personQuery(db, personId))[0]
  let row = await read()
  if (row?.emailVerified && row.accountId === null) {
    await openOwnAccount(db, personId, row.email, now)
    row = await read()
  }
  return row && inAccount(row)
}

/** Returns the accounts a person may work in. */
export const accountsFor = (db: Db, personId: string) => accountsOfPerson(db, personId)

/** Returns the display name of the account that a person works in: the name its owners gave it, else its address. */
export const accountNameOf = async (db: Db, { id, accountId, email }: Person): Promise<string> =>
  (await accountsFor(db, id)).find((one) => one.id === accountId)?.called ?? email

/** Switches the person to another of their accounts. Returns false if it is not one of theirs. */
export const switchAccount = async (db: Db, personId: string, accountId: number, now: Date): Promise<boolean> => {
  const mine = and(eq(memberships.personId, personId), eq(memberships.accountId, accountId))
  const isMine = exists(db.select({ id: memberships.personId }).from(memberships).where(mine))
  const chosen = await db
    .update(people)
    .set({ accountId, updatedAt: now })
    .where(and(eq(people.id, personId), isMine))
  return chosen.rowCount > 0
}

/** Returns the display name of a person: the name they gave, else their address. */
export const calledPerson = ({ name, email }: { name: string; email: string }): string => name || email

const DAY_MS = 86_400_000

export type Needed = Pick<Deps, 'db' | 'now' | 'newId' | 'settings'>

/** Person who changes their own profile or sign-in. */
export type Me = Pick<Person, 'id' | 'email'>

/** Writes an audit entry about a person's change to themselves into the log of each of their accounts. */
export const auditEverywhere = (
  { now }: Pick<Needed, 'now'>,
  { id }: Me,
  action: AuditAction,
  condition: SQL,
): AuditStatement =>
  audit(
    { actor: () => `person:${id}`, now },
    {
      account: memberships.accountId,
      action,
      on: ['person', memberships.personId],
      from: sql`${memberships}`,
      if: sql`${eq(memberships.personId, id)} and ${condition}`,
    },
  )

/** Returns the statement that queues a mail about a change by which somebody else could get access. */
export const mailSecurity = async (
  deps: Needed,
  { email }: Me,
  { what, if: condition }: { what: string; if: SQL },
): Promise<SQL> => {
  const { serviceName, publicUrl } = deps.settings
  const now = deps.now()
  const mail = MAILS.security(serviceName, email, { what, link: `${publicUrl}${PATHS.reset}` })
  return queueMail(await sealMail(deps, mail, new Date(now.getTime() + DAY_MS)), { now, if: condition })
}
