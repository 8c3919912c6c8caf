import { and, desc, eq, isNull, or, type SQL, sql } from 'drizzle-orm'
import { apiKeys } from '../../../schema/accounts.ts'
import { invitations, memberships, oauthGrants, people } from '../../../schema/people.ts'
import { forgetGrants } from '../../platform/accounts/forget-grants.ts'
import { type Acting, audit } from '../../platform/db/audit.ts'
import { type Db, rowsOf } from '../../platform/db/client.ts'
import type { AnyPart } from '../../platform/db/part.ts'
import { countOf, ONE_ROW, statement } from '../../platform/db/statement.ts'
import { remove, update } from '../../platform/db/write-parts.ts'

/** Scope of what the person made: one account, or every account they work in. */
type Made = { personId: string; accountId?: number }

/** The accounts that are meant, for use behind `in`. */
const accountsIn = ({ personId, accountId }: Made): SQL =>
  accountId === undefined
    ? sql`(select ${memberships.accountId} from ${memberships} where ${eq(memberships.personId, personId)})`
    : sql`(${accountId}::int)`

/** Condition: a key that is not revoked, and that the person made or that is behind an application they let in. */
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

/** Parts that withdraw the invitations a person made, if `from` has a row. */
export const withdrawTheirs = (acting: Acting, made: Made, from: readonly AnyPart[]) => {
  const withdrawn = remove('withdrawn', invitations, {
    from,
    where: isTheirInvitation(made),
    returning: { id: invitations.id, account_id: invitations.accountId, email: invitations.email },
  })
  const noted = audit(acting, {
    of: withdrawn,
    account: withdrawn.c.account_id,
    action: 'person.withdraw_invitation',
    on: ['invitation', withdrawn.c.id],
    detail: sql`jsonb_build_object('email', ${withdrawn.c.email})`,
    name: 'noted_withdrawals',
  })
  return { withdrawn, noted }
}

/** Parts that revoke the keys a person made, disconnect their applications, and withdraw their invitations. */
export const endTheirs = (acting: Acting, made: Made, from: readonly AnyPart[] = []) => {
  const revoked = update(
    'revoked',
    apiKeys,
    { revokedAt: acting.now() },
    { from, where: isTheirKey(made), returning: { id: apiKeys.id, account_id: apiKeys.accountId } },
  )
  const { withdrawn, noted } = withdrawTheirs(acting, made, from)
  const notedKeys = audit(acting, {
    of: revoked,
    account: revoked.c.account_id,
    action: 'key.revoke',
    on: ['key', revoked.c.id],
    name: 'noted_keys',
  })
  return { revoked, withdrawn, parts: [revoked, forgetGrants(revoked), withdrawn], audits: [notedKeys, noted] }
}

/** The keys and applications of a person in all their accounts, and the addresses they invited. */
export const listTheirs = async (db: Db, personId: string) => {
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

/** Ends everything a person made in all their accounts, in one statement; how many keys and invitations that were. */
export const endAllTheirs = async (
  { db, now }: { db: Db; now: () => Date },
  personId: string,
): Promise<{ keys: number; invitations: number }> => {
  const { revoked, withdrawn, parts, audits } = endTheirs({ actor: () => `person:${personId}`, now }, { personId })
  const ended = statement({
    parts,
    audit: audits,
    answer: { keys: countOf(revoked), invitations: countOf(withdrawn) },
    answerFrom: ONE_ROW,
  })
  const [row] = await rowsOf<{ keys: number; invitations: number }>(db, ended)
  return { keys: Number(row?.keys ?? 0), invitations: Number(row?.invitations ?? 0) }
}

export type Theirs = Awaited<ReturnType<typeof listTheirs>>

/** True if a person made nothing that still opens something. */
export const isNothing = ({ keys, invited }: Theirs): boolean => keys.length === 0 && invited.length === 0
