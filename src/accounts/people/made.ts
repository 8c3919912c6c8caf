import { and, desc, eq, isNull, or, type SQL, sql } from 'drizzle-orm'
import { accounts, apiKeys } from '../../../schema/accounts.ts'
import { invitations, memberships, oauthGrants, people } from '../../../schema/people.ts'
import { forgetGrants } from '../../platform/accounts/parts.ts'
import type { Db } from '../../platform/db/client.ts'
import { type Acting, audit, type If } from '../../platform/db/writes.ts'
import { sendBatch } from '../../platform/runtime/ctx.ts'

/** Scope for the keys, applications and invitations of a person: one account, or every account they work in. */
type Made = { personId: string; accountId?: number }

/** Returns the accounts in scope, for use after `in`. */
const accountsIn = ({ personId, accountId }: Made): SQL =>
  accountId === undefined
    ? sql`(select ${memberships.accountId} from ${memberships} where ${eq(memberships.personId, personId)})`
    : sql`(${accountId}::int)`

/** Condition: the key is not revoked, and the person made it, or it is behind an application they connected. */
const isTheirKey = (made: Made): SQL => {
  const isTheirs = or(
    eq(apiKeys.madeBy, made.personId),
    sql`${apiKeys.id} in (select ${oauthGrants.keyId} from ${oauthGrants} where ${eq(oauthGrants.personId, made.personId)})`,
  )
  return sql`${and(isNull(apiKeys.revokedAt), sql`${apiKeys.accountId} in ${accountsIn(made)}`, isTheirs)}`
}

const isTheirInvitation = (made: Made): SQL =>
  sql`${invitations.accountId} in ${accountsIn(made)} and ${invitations.invitedBy} =
    (select ${people.email} from ${people} where ${eq(people.id, made.personId)})`

type Ending = Omit<Acting, 'now'> & { now: () => Date; db: Db }

/** Returns the statements that withdraw the invitations a person made, with audit entries. */
export const withdrawInvitationsBy = (acting: Ending, made: Made, options: { if: If }) => {
  const theirs = options.if === 'always' ? isTheirInvitation(made) : sql`${isTheirInvitation(made)} and ${options.if}`
  return {
    audit: audit(acting, {
      account: invitations.accountId,
      action: 'person.withdraw_invitation',
      on: ['invitation', invitations.id],
      detail: sql`jsonb_build_object('email', ${invitations.email})`,
      from: sql`${invitations}`,
      if: theirs,
    }),
    invitations: acting.db.delete(invitations).where(theirs).returning({ id: invitations.id }),
  }
}

/** Returns the statements that revoke a person's keys, disconnect their applications, and withdraw their invitations. */
export const revokeMadeBy = (acting: Ending, made: Made, options: { if: If }) => {
  const theirs = options.if === 'always' ? isTheirKey(made) : sql`${isTheirKey(made)} and ${options.if}`
  return {
    keyAudit: audit(acting, {
      account: apiKeys.accountId,
      action: 'key.revoke',
      on: ['key', apiKeys.id],
      from: sql`${apiKeys}`,
      if: theirs,
    }),
    grants: forgetGrants(acting.db, sql`select ${apiKeys.id} from ${apiKeys} where ${theirs}`),
    keys: acting.db.update(apiKeys).set({ revokedAt: acting.now() }).where(theirs).returning({ id: apiKeys.id }),
    ...withdrawInvitationsBy(acting, made, options),
  }
}

/** Returns the keys and applications of a person in all their accounts, and the addresses they invited. */
export const listMadeBy = async (db: Db, personId: string) => {
  const [keys, invited] = await Promise.all([
    db
      .select({
        name: apiKeys.name,
        lastFour: apiKeys.lastFour,
        accountId: apiKeys.accountId,
        application: oauthGrants.clientName,
        lastUsedAt: apiKeys.lastUsedAt,
      })
      .from(apiKeys)
      .leftJoin(oauthGrants, eq(oauthGrants.keyId, apiKeys.id))
      .where(isTheirKey({ personId }))
      .orderBy(desc(apiKeys.id))
      .limit(200),
    db
      .select({ email: invitations.email, role: invitations.role, accountId: invitations.accountId })
      .from(invitations)
      .where(isTheirInvitation({ personId }))
      .orderBy(desc(invitations.id))
      .limit(200),
  ])
  return { keys, invited }
}

/** Ends the keys, applications and invitations of a person in all their accounts. Returns the number of keys and invitations. */
export const revokeAllMadeBy = async (
  { db, now }: { db: Db; now: () => Date },
  personId: string,
): Promise<{ keys: number; invitations: number }> => {
  const acting = { actor: () => `person:${personId}`, now, db }
  const made = { personId }
  const held = sql`${accounts.id} in ${accountsIn(made)}`
  const { revoked } = await sendBatch(db, {
    // Locks the accounts, so that no key is made in them at the same time.
    account: db.select({ id: accounts.id }).from(accounts).where(held).orderBy(accounts.id).for('no key update'),
    revoked: revokeMadeBy(acting, made, { if: 'always' }),
  })
  return { keys: revoked.keys.length, invitations: revoked.invitations.length }
}

export type MadeByPerson = Awaited<ReturnType<typeof listMadeBy>>

/** True if a person has no keys, applications and invitations that still work. */
export const hasMadeNothing = ({ keys, invited }: MadeByPerson): boolean => keys.length === 0 && invited.length === 0
