import { and, asc, desc, eq, gt, isNull, or, type SQL, sql } from 'drizzle-orm'
import { accounts } from '../../../schema/accounts.ts'
import { noticeSettings } from '../../../schema/notices.ts'
import { accountDeletions, invitations, memberships, people, personSessions } from '../../../schema/people.ts'
import { projects } from '../../../schema/projects.ts'
import type { MailFault } from '../../../schema/values/people.ts'
import type { Db } from '../../platform/db/client.ts'

/** Condition: the account is open to its people. An account suspended for its deletion is open; one suspended by operators is not. */
const isOpen = (): SQL =>
  sql`(${or(isNull(accounts.suspendedAt), eq(accounts.suspendedAt, accountDeletions.requestedAt))})`

/** Fault of mails to the person's present address; null if none is known. */
const mailFaultNow = () =>
  sql<MailFault | null>`case when ${people.mailFaultOf} = ${people.email} then ${people.mailFault} end`

/** Returns a person with one account and their role in it: an open account if there is one, preferably the one chosen last. */
export const personQuery = (db: Db, personId: string) => personWhere(db, eq(people.id, personId))

/** Returns the same for the person of a session. */
export const sessionPersonQuery = (db: Db, token: string) =>
  personWhere(
    db,
    sql`${people.id} = (select ${personSessions.userId} from ${personSessions} where ${eq(personSessions.token, token)})`,
  )

const personWhere = (db: Db, isMeant: SQL) =>
  db
    .select({
      id: people.id,
      email: people.email,
      name: people.name,
      zone: noticeSettings.timezone,
      emailVerified: people.emailVerified,
      mailFault: mailFaultNow(),
      role: memberships.role,
      projectId: memberships.projectId,
      accountId: accounts.id,
      plan: accounts.plan,
      projectSlots: accounts.projectSlots,
      isOpen: sql<boolean | null>`${isOpen()}`,
      eraseAt: accountDeletions.eraseAt,
    })
    .from(people)
    .leftJoin(memberships, eq(memberships.personId, people.id))
    .leftJoin(accounts, eq(accounts.id, memberships.accountId))
    .leftJoin(accountDeletions, eq(accountDeletions.accountId, accounts.id))
    .leftJoin(noticeSettings, eq(noticeSettings.personId, people.id))
    .where(isMeant)
    .orderBy(
      sql`${isOpen()} desc nulls last`,
      sql`${accounts.id} = ${people.accountId} desc nulls last`,
      asc(memberships.createdAt),
    )
    .limit(1)

/** Name of an account on pages: the one its owners gave it, else its address. */
const calledOf = sql<string>`coalesce(nullif(${accounts.name}, ''), ${accounts.email})`

/** Returns the open accounts a person may work in. */
export const accountsOfPerson = (db: Db, personId: string) =>
  db
    .select({
      id: accounts.id,
      email: accounts.email,
      called: calledOf,
      name: accounts.name,
      role: memberships.role,
      projectId: memberships.projectId,
    })
    .from(memberships)
    .innerJoin(accounts, eq(accounts.id, memberships.accountId))
    .leftJoin(accountDeletions, eq(accountDeletions.accountId, accounts.id))
    .where(and(eq(memberships.personId, personId), isOpen()))
    .orderBy(asc(memberships.createdAt), asc(accounts.id))
    .limit(100)

/** Condition: the row is the person's, and their address is verified. */
export const isVerified = (personId: string): SQL =>
  sql`${and(eq(people.id, personId), eq(people.emailVerified, true))}`

/** Returns a query for a project. `isActive` is true if it is active, `mine` if it is the account's. */
export const projectById = (db: Db, owner: SQL, id: number) =>
  db
    .select({
      isActive: sql<boolean>`${projects.status} = 'Active'`,
      mine: sql<boolean>`coalesce(${projects.accountId} = ${owner}, false)`,
    })
    .from(projects)
    .where(eq(projects.id, id))

/** Returns the people of an account, in the order they joined. */
export const membersQuery = (db: Db, accountId: number) =>
  db
    .select({
      id: people.id,
      email: people.email,
      name: people.name,
      mailFault: mailFaultNow(),
      role: memberships.role,
      projectId: memberships.projectId,
      since: memberships.createdAt,
    })
    .from(memberships)
    .innerJoin(people, eq(people.id, memberships.personId))
    .where(eq(memberships.accountId, accountId))
    .orderBy(asc(memberships.createdAt), asc(people.id))
    .limit(200)

/** Returns the open invitations of an account, newest first. */
export const invitationsQuery = (db: Db, accountId: number, now: Date) =>
  db
    .select({
      id: invitations.id,
      email: invitations.email,
      role: invitations.role,
      projectId: invitations.projectId,
      expiresAt: invitations.expiresAt,
    })
    .from(invitations)
    .where(and(eq(invitations.accountId, accountId), gt(invitations.expiresAt, now), isByOwner()))
    .orderBy(desc(invitations.id))
    .limit(200)

/** Condition: the maker of the invitation still owns its account. If they change their address, the invitation is updated. */
export const isByOwner = (): SQL =>
  sql`exists (select 1 from ${memberships} join ${people} on ${eq(people.id, memberships.personId)}
    where ${and(
      eq(memberships.accountId, invitations.accountId),
      eq(memberships.role, 'owner'),
      eq(people.email, invitations.invitedBy),
    )})`

/** Returns the valid invitation of a mailed token, and the name of its account. */
export const invitationQuery = (db: Db, tokenHash: string, now: Date) =>
  db
    .select({
      email: invitations.email,
      role: invitations.role,
      invitedBy: invitations.invitedBy,
      accountName: accounts.name,
    })
    .from(invitations)
    .innerJoin(accounts, eq(accounts.id, invitations.accountId))
    .where(
      and(
        eq(invitations.tokenHash, tokenHash),
        gt(invitations.expiresAt, now),
        isByOwner(),
        isNull(accounts.suspendedAt),
      ),
    )
