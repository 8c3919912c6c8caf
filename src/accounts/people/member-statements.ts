import { and, eq, ne, type SQL, sql } from 'drizzle-orm'
import { accounts } from '../../../schema/accounts.ts'
import { invitations, memberships, people } from '../../../schema/people.ts'
import { projects } from '../../../schema/projects.ts'
import type { Role } from '../../../schema/values/people.ts'
import { audit } from '../../platform/db/audit.ts'
import type { AnyPart } from '../../platform/db/part.ts'
import { read, select } from '../../platform/db/read-parts.ts'
import { statement } from '../../platform/db/statement.ts'
import { insert, overwritten, remove, update } from '../../platform/db/write-parts.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { endTheirs, withdrawTheirs } from './made.ts'
import { isByOwner } from './queries.ts'
import { queueMail, type SealedMail } from './queue-mail.ts'
import { has } from './roles.ts'
import { worksIn } from './works-in.ts'

/** Condition: somebody else owns the account too. */
const hasOtherOwner = (accountId: number, personId: string): SQL =>
  sql`exists (select 1 from ${memberships} where ${and(
    eq(memberships.accountId, accountId),
    eq(memberships.role, 'owner'),
    ne(memberships.personId, personId),
  )})`

/** Role in an account, with the one project it holds for. */
export type RoleIn = { role: Role; projectId: number | null }

const detailOf = ({ role, projectId }: RoleIn) => ({ role, ...(projectId === null ? {} : { project_id: projectId }) })

/** Condition: the project, if there is one, is an active one of the account. */
const isProjectOf = (accountId: number, { projectId }: RoleIn): SQL =>
  projectId === null
    ? sql`true`
    : sql`exists (select 1 from ${projects} where ${and(
        eq(projects.id, projectId),
        eq(projects.accountId, accountId),
        eq(projects.status, 'Active'),
      )})`

type NewInvitation = RoleIn & {
  accountId: number
  email: string
  tokenHash: string
  invitedBy: string
  expiresAt: Date
}

/**
 * An invitation by an owner, instead of the one the address had, and its mail. No row if the person is there already, the account has
 * too many people, the project is not an active one of it, or the owner owns it no more.
 */
export const saveInvitation = (
  ctx: Ctx,
  by: string | null,
  invitation: NewInvitation,
  { mail, most }: { mail: SealedMail; most: number },
): SQL => {
  const { accountId, email } = invitation
  const { role, projectId, tokenHash, invitedBy, expiresAt, createdAt } = invitations
  const isThere = sql`exists (select 1 from ${memberships} join ${people} on ${eq(people.id, memberships.personId)}
    where ${and(eq(memberships.accountId, accountId), eq(people.email, email))})`
  const isFull = sql`(select count(*) from ${memberships} where ${eq(memberships.accountId, accountId)})
    + (select count(*) from ${invitations} where ${and(eq(invitations.accountId, accountId), ne(invitations.email, email))}) >= ${most}::int`
  const made = insert(
    'made',
    invitations,
    { ...invitation, createdAt: ctx.now() },
    {
      where: sql`not ${isThere} and not (${isFull}) and ${isProjectOf(accountId, invitation)}
        and ${worksIn(accountId, by, 'owner')}`,
      onConflict: {
        columns: [invitations.accountId, invitations.email],
        set: overwritten({ role, projectId, tokenHash, invitedBy, expiresAt, createdAt }),
      },
      returning: { id: invitations.id },
    },
  )
  return statement({
    parts: [made, queueMail(mail, { from: made, now: ctx.now() })],
    audit: audit(ctx, {
      of: made,
      account: accountId,
      action: 'person.invite',
      on: ['invitation', made.c.id],
      detail: { email, ...detailOf(invitation) },
    }),
    answer: made.c,
  })
}

/** Withdraws an invitation. No row: there is none, or `by` owns the account no more. */
export const dropInvitation = (ctx: Ctx, accountId: number, by: string, id: number): SQL => {
  const dropped = remove('dropped', invitations, {
    where: sql`${and(eq(invitations.id, id), eq(invitations.accountId, accountId))} and ${worksIn(accountId, by, 'owner')}`,
    returning: { id: invitations.id, email: invitations.email },
  })
  return statement({
    parts: [dropped],
    audit: audit(ctx, {
      of: dropped,
      account: accountId,
      action: 'person.withdraw_invitation',
      on: ['invitation', dropped.c.id],
      detail: sql`jsonb_build_object('email', ${dropped.c.email})`,
    }),
    answer: { id: dropped.c.id },
  })
}

/**
 * The person accepts an invitation to their own proved address, once, and works in that account from now on. No row: it was
 * used, withdrawn, is too old, is for somebody else, or the person who made it owns the account no more.
 */
export const acceptInvitation = (personId: string, tokenHash: string, now: Date): SQL => {
  const taken = remove('taken', invitations, {
    where: sql`${eq(invitations.tokenHash, tokenHash)} and ${invitations.expiresAt} > ${now}
      and ${invitations.email} = (select lower(${people.email}) from ${people} where ${and(eq(people.id, personId), eq(people.emailVerified, true))})
      and ${isByOwner()}
      and exists (select 1 from ${accounts} where ${eq(accounts.id, invitations.accountId)} and ${accounts.suspendedAt} is null)`,
    returning: { account_id: invitations.accountId, role: invitations.role, project_id: invitations.projectId },
  })
  const joined = insert(
    'joined',
    memberships,
    {
      personId,
      accountId: taken.c.account_id,
      role: taken.c.role,
      projectId: taken.c.project_id,
      createdAt: now,
    },
    { from: [taken], onConflict: { columns: [memberships.personId, memberships.accountId] } },
  )
  const working = update(
    'working',
    people,
    { accountId: taken.c.account_id, updatedAt: now },
    { from: [taken], where: eq(people.id, personId) },
  )
  const acting = { actor: () => `person:${personId}`, now: () => now }
  return statement({
    parts: [taken, joined, working],
    audit: audit(acting, {
      of: taken,
      account: taken.c.account_id,
      action: 'person.join',
      on: ['account', taken.c.account_id],
      detail: sql`jsonb_build_object('role', ${taken.c.role})`,
    }),
    answer: { account_id: taken.c.account_id },
  })
}

/** Returns the parts that end what a person made and may not make in their new role. */
const endedBy = (ctx: Ctx, { role }: RoleIn, made: { personId: string; accountId: number }, changed: AnyPart) => {
  if (role === 'owner') return { parts: [], audits: [] }
  if (!has(role, 'manage')) return endTheirs(ctx, made, [changed])
  const { withdrawn, noted } = withdrawTheirs(ctx, made, [changed])
  return { parts: [withdrawn], audits: [noted] }
}

/**
 * Changes what a person may do. What they made and may make no more ends: the invitations of one who is no owner, and the keys and
 * applications of one who works in one project alone.
 *
 * No row: they are not there, nobody else owns the account, the project is not an active one of it, or `by` owns it no more.
 */
export const changeRole = (ctx: Ctx, accountId: number, by: string, personId: string, to: RoleIn): SQL => {
  const { role, projectId } = to
  const changed = update(
    'changed',
    memberships,
    { role, projectId },
    {
      where: sql`${and(eq(memberships.accountId, accountId), eq(memberships.personId, personId))}
        and (${role === 'owner' ? sql`true` : hasOtherOwner(accountId, personId)}) and ${isProjectOf(accountId, to)}
        and ${worksIn(accountId, by, 'owner')}`,
      returning: { person_id: memberships.personId },
    },
  )
  const ended = endedBy(ctx, to, { personId, accountId }, changed)
  return statement({
    parts: [changed, ended.parts],
    audit: [
      audit(ctx, {
        of: changed,
        account: accountId,
        action: 'person.role',
        on: ['person', changed.c.person_id],
        detail: detailOf(to),
      }),
      ...ended.audits,
    ],
    answer: changed.c,
  })
}

/**
 * A person leaves an account, by themselves or sent: the applications, keys and invitations they made end in the same statement. Where the
 * account had their address, it gets that of the owner who was there first and has no account of their address.
 *
 * No row: they are not there, nobody else owns the account, or it would be left without an address.
 */
export const dropMember = (ctx: Ctx, accountId: number, personId: string): SQL => {
  const now = ctx.now()
  const heir = select(
    'heir',
    { email: people.email },
    sql`from ${memberships} join ${people} on ${eq(people.id, memberships.personId)}
      where ${and(eq(memberships.accountId, accountId), eq(memberships.role, 'owner'), ne(memberships.personId, personId))}
        and not exists (select 1 from ${accounts} where lower(${accounts.email}) = lower(${people.email}))
      order by ${memberships.createdAt}, ${people.id} limit 1`,
    { materialized: true },
  )
  const leaving = read(
    'leaving',
    accounts,
    {
      hasTheirAddress: sql`lower(${accounts.email}) = (select lower(${people.email}) from ${people} where ${eq(people.id, personId)})`,
    },
    { where: eq(accounts.id, accountId) },
  )
  const gone = remove('gone', memberships, {
    from: [leaving],
    where: sql`${and(eq(memberships.accountId, accountId), eq(memberships.personId, personId))}
      and ${hasOtherOwner(accountId, personId)} and (not ${leaving.c.hasTheirAddress} or ${heir.hasRows})`,
    returning: { person_id: memberships.personId, hadAddress: leaving.c.hasTheirAddress },
  })
  const renamed = update(
    'renamed',
    accounts,
    { email: heir.c.email, updatedAt: now },
    { from: [gone, heir], where: sql`${eq(accounts.id, accountId)} and ${gone.c.hadAddress}` },
  )
  const ended = endTheirs(ctx, { personId, accountId }, [gone])
  return statement({
    parts: [heir, leaving, gone, renamed, ended.parts],
    audit: [
      audit(ctx, { of: gone, account: accountId, action: 'person.leave', on: ['person', gone.c.person_id] }),
      ...ended.audits,
    ],
    answer: { person_id: gone.c.person_id },
  })
}

/** The account has another name. No row: the person does not own it. */
export const nameAccount = (ctx: Ctx, by: { accountId: number; id: string }, name: string): SQL => {
  const named = update(
    'named',
    accounts,
    { name, updatedAt: ctx.now() },
    {
      where: sql`${eq(accounts.id, by.accountId)} and ${worksIn(by.accountId, by.id, 'owner')}`,
      returning: { id: accounts.id },
    },
  )
  return statement({
    parts: [named],
    audit: audit(ctx, { of: named, account: by.accountId, action: 'account.name', on: ['account', named.c.id] }),
    answer: named.c,
  })
}
