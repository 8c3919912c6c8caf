import { and, eq, exists, gt, inArray, ne, type SQL, sql } from 'drizzle-orm'
import { accounts } from '../../../schema/accounts.ts'
import { articleDrafts, articles } from '../../../schema/articles.ts'
import { invitations, memberships, people } from '../../../schema/people.ts'
import { projects } from '../../../schema/projects.ts'
import type { Role } from '../../../schema/values/people.ts'
import { holdAccount, isServed } from '../../platform/accounts/parts.ts'
import type { Db } from '../../platform/db/client.ts'
import { when } from '../../platform/db/steps.ts'
import { audit, decideOnce, insertWhere } from '../../platform/db/writes.ts'
import { type Ctx, sendBatch } from '../../platform/runtime/ctx.ts'
import { revokeMadeBy, withdrawInvitationsBy } from './made.ts'
import { isByOwner } from './queries.ts'
import { has, isMemberOf } from './roles.ts'
import { queueMail, type SealedMail } from './send-mail.ts'

/** Condition: the account has another owner. */
const hasOtherOwner = (accountId: number, personId: string): SQL =>
  sql`exists (select 1 from ${memberships} where ${and(
    eq(memberships.accountId, accountId),
    eq(memberships.role, 'owner'),
    ne(memberships.personId, personId),
  )})`

/** Role in an account, with the one project it is limited to; null for all projects. */
export type RoleIn = { role: Role; projectId: number | null }

const detailOf = ({ role, projectId }: RoleIn) => ({ role, ...(projectId === null ? {} : { project_id: projectId }) })

/** Condition: the role names no project, or an active project of the account. */
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
 * Saves an owner's invitation, replaces an earlier one to the same address, and queues the mail. Returns its id.
 *
 * Undefined if the person is already in the account, the account is full, the project is not an active one of it, or `by` is no
 * longer an owner.
 */
export const saveInvitation = async (
  ctx: Ctx,
  by: string | null,
  invitation: NewInvitation,
  { mail, most }: { mail: SealedMail; most: number },
): Promise<number | undefined> => {
  const { accountId, email } = invitation
  const isThere = sql`exists (select 1 from ${memberships} join ${people} on ${eq(people.id, memberships.personId)}
    where ${and(eq(memberships.accountId, accountId), eq(people.email, email))})`
  const isFull = sql`(select count(*) from ${memberships} where ${eq(memberships.accountId, accountId)})
    + (select count(*) from ${invitations} where ${and(eq(invitations.accountId, accountId), ne(invitations.email, email))}) >= ${most}::int`
  const isNew = eq(invitations.tokenHash, invitation.tokenHash)
  const now = ctx.now()
  const {
    invitations: [made],
  } = await ctx.batch({
    account: holdAccount(accountId),
    invitations: insertWhere(
      invitations,
      { ...invitation, createdAt: now },
      {
        if: sql`not ${isThere} and not (${isFull}) and ${isProjectOf(accountId, invitation)} and ${isMemberOf(accountId, by, 'owner')}`,
        onConflict: sql`(account_id, email) do update set role = excluded.role, project_id = excluded.project_id,
          token_hash = excluded.token_hash, invited_by = excluded.invited_by, expires_at = excluded.expires_at, created_at = excluded.created_at`,
        returning: { id: invitations.id },
      },
    ),
    ...when(isNew, {
      queueMail: (isMet) =>
        queueMail(mail, {
          now,
          account: accountId,
          if: exists(ctx.db.select({ id: invitations.id }).from(invitations).where(isMet)),
        }),
      audit: audit(ctx, {
        account: accountId,
        action: 'person.invite',
        on: ['invitation', invitations.id],
        detail: { email, ...detailOf(invitation) },
        from: sql`${invitations}`,
      }),
    }),
  })
  return made && Number(made.id)
}

/** Withdraws an invitation. Returns false if it does not exist, or `by` is no longer an owner of the account. */
export const dropInvitation = async (ctx: Ctx, accountId: number, by: string, id: number): Promise<boolean> => {
  const isOne = sql`${and(eq(invitations.id, id), eq(invitations.accountId, accountId))} and ${isMemberOf(accountId, by, 'owner')}`
  const { dropped } = await ctx.batch({
    account: holdAccount(accountId),
    invitation: ctx.db.select({ id: invitations.id }).from(invitations).where(eq(invitations.id, id)).for('update'),
    ...when(isOne, {
      audit: audit(ctx, {
        account: accountId,
        action: 'person.withdraw_invitation',
        on: ['invitation', id],
        detail: sql`jsonb_build_object('email', ${invitations.email})`,
        from: sql`${invitations}`,
      }),
      dropped: (isMet) => ctx.db.delete(invitations).where(isMet).returning({ id: invitations.id }),
    }),
  })
  return dropped.length > 0
}

/**
 * Accepts an invitation to a person's own verified address, once, and switches the person to that account.
 *
 * Returns false if it was used, withdrawn, has expired or is for somebody else, if its maker is no longer an owner, or if the
 * account is suspended.
 */
export const acceptInvitation = async (db: Db, personId: string, tokenHash: string, now: Date): Promise<boolean> => {
  const isOne = eq(invitations.tokenHash, tokenHash)
  const address = sql`(select lower(${people.email}) from ${people} where ${and(eq(people.id, personId), eq(people.emailVerified, true))})`
  const may = decideOnce(sql`exists (select 1 from ${invitations} where ${isOne} and ${gt(invitations.expiresAt, now)}
    and ${invitations.email} = ${address} and ${isByOwner()}
    and ${isServed(invitations.accountId)})`)
  const found = { from: sql`${invitations}`, if: sql`${isOne} and ${may.isMet}` }
  const [accountId, role] = [sql`${invitations.accountId}`, sql`${invitations.role}`]
  const acting = { actor: () => `person:${personId}`, now: () => now }
  const { accepted } = await sendBatch(db, {
    invitation: db.select({ id: invitations.id }).from(invitations).where(isOne).for('update'),
    decided: may.statement,
    memberships: insertWhere(
      memberships,
      { personId, accountId, role, projectId: sql`${invitations.projectId}`, createdAt: now },
      { ...found, onConflict: sql`do nothing` },
    ),
    changedPeople: db
      .update(people)
      .set({ accountId, updatedAt: now })
      .from(invitations)
      .where(and(eq(people.id, personId), isOne, may.isMet)),
    audit: audit(acting, {
      account: accountId,
      action: 'person.join',
      on: ['account', accountId],
      detail: sql`jsonb_build_object('role', ${role})`,
      ...found,
    }),
    accepted: db.delete(invitations).where(and(isOne, may.isMet)).returning({ id: invitations.id }),
  })
  return accepted.length > 0
}

/** Returns the statements that end invitations, keys and applications that a person may not have in their new role. */
const endedBy = (ctx: Ctx, { role }: RoleIn, made: { personId: string; accountId: number }, isMet: SQL) => {
  if (role === 'owner') return undefined
  return has(role, 'manage') ? withdrawInvitationsBy(ctx, made, { if: isMet }) : revokeMadeBy(ctx, made, { if: isMet })
}

/**
 * Changes a person's role. A person who is no owner then loses their invitations. An editor or a client also loses their keys and
 * applications.
 *
 * Returns false if the person is not in the account or is its last owner. Also false if the project is not an active one of the
 * account, or `by` is no longer an owner.
 */
export const changeRole = async (
  ctx: Ctx,
  accountId: number,
  by: string,
  personId: string,
  to: RoleIn,
): Promise<boolean> => {
  const { role, projectId } = to
  const isTheirs = and(eq(memberships.accountId, accountId), eq(memberships.personId, personId))
  const may = decideOnce(sql`exists (select 1 from ${memberships} where ${isTheirs})
    and (${role === 'owner' ? sql`true` : hasOtherOwner(accountId, personId)}) and ${isProjectOf(accountId, to)}
    and ${isMemberOf(accountId, by, 'owner')}`)
  const { changed } = await ctx.batch({
    account: holdAccount(accountId),
    decided: may.statement,
    ...when(may.isMet, {
      changed: (isMet) =>
        ctx.db
          .update(memberships)
          .set({ role, projectId })
          .where(and(isTheirs, isMet))
          .returning({ id: memberships.personId }),
      audit: audit(ctx, {
        account: accountId,
        action: 'person.role',
        on: ['person', sql`${personId}::text`],
        detail: detailOf(to),
      }),
      ended: (isMet) => endedBy(ctx, to, { personId, accountId }, isMet),
    }),
  })
  return changed.length > 0
}

/**
 * Removes a person from an account, and ends their applications, keys and invitations in the same batch, and deletes their texts
 * that were not saved. If the account has their address, it gets the address of its longest-standing owner whose address no other account has.
 *
 * Returns false if the person is not in the account, is its last owner, or it would be left without an address.
 */
export const dropMember = async (ctx: Ctx, accountId: number, personId: string): Promise<boolean> => {
  const heir = sql`(select ${people.email} from ${memberships} join ${people} on ${eq(people.id, memberships.personId)}
    where ${and(eq(memberships.accountId, accountId), eq(memberships.role, 'owner'), ne(memberships.personId, personId))}
      and not exists (select 1 from ${accounts} other where lower(other.email) = lower(${people.email}))
    order by ${memberships.createdAt}, ${people.id} limit 1)`
  const hasTheirAddress = sql`lower(${accounts.email}) = (select lower(${people.email}) from ${people} where ${eq(people.id, personId)})`
  const isTheirs = and(eq(memberships.accountId, accountId), eq(memberships.personId, personId))
  const may =
    decideOnce(sql`exists (select 1 from ${memberships} where ${isTheirs}) and ${hasOtherOwner(accountId, personId)}
    and exists (select 1 from ${accounts} where ${eq(accounts.id, accountId)} and (not (${hasTheirAddress}) or ${heir} is not null))`)
  const { left } = await ctx.batch({
    account: holdAccount(accountId),
    decided: may.statement,
    ...when(may.isMet, {
      left: (isMet) => ctx.db.delete(memberships).where(and(isTheirs, isMet)).returning({ id: memberships.personId }),
      audit: audit(ctx, {
        account: accountId,
        action: 'person.leave',
        on: ['person', sql`${personId}::text`],
      }),
      changedAccounts: (isMet) =>
        ctx.db
          .update(accounts)
          .set({ email: heir, updatedAt: ctx.now() })
          .where(and(eq(accounts.id, accountId), hasTheirAddress, isMet)),
      drafts: (isMet) =>
        ctx.db
          .delete(articleDrafts)
          .where(
            and(
              eq(articleDrafts.personId, personId),
              inArray(
                articleDrafts.articleId,
                ctx.db.select({ id: articles.id }).from(articles).where(eq(articles.accountId, accountId)),
              ),
              isMet,
            ),
          ),
      revoked: (isMet) => revokeMadeBy(ctx, { personId, accountId }, { if: isMet }),
    }),
  })
  return left.length > 0
}

/** Renames the account. Returns false if the person does not own it. */
export const nameAccount = async (ctx: Ctx, by: { accountId: number; id: string }, name: string): Promise<boolean> => {
  const isOwner = isMemberOf(by.accountId, by.id, 'owner')
  const { named } = await ctx.batch({
    account: holdAccount(by.accountId),
    ...when(isOwner, {
      audit: audit(ctx, { account: by.accountId, action: 'account.name', on: ['account', by.accountId] }),
      named: (isMet) =>
        ctx.db
          .update(accounts)
          .set({ name, updatedAt: ctx.now() })
          .where(and(eq(accounts.id, by.accountId), isMet))
          .returning({ id: accounts.id }),
    }),
  })
  return named.length > 0
}
