import { and, eq, sql } from 'drizzle-orm'
import { accounts, apiKeys } from '../../schema/accounts.ts'
import { memberships, people } from '../../schema/people.ts'
import type { Role } from '../../schema/values/people.ts'
import { ApiError } from '../lib/errors.ts'
import type { Ctx } from '../runtime/ctx.ts'

/**
 * The person who answers for an administrative change: the one who makes it, or the one who made the key that makes it. `id` is
 * null for a key that an operator made: nobody can take its maker out of the account.
 */
export type Administrator = { id: string | null; email: string; role: Role; accountId: number }

/** Returns the person who answers for the calling key. Throws 403 if the person who made it does not own the account any more. */
export const administratorOf = async (ctx: Ctx): Promise<Administrator> => {
  const firstOwner = sql<string | null>`(select p.email from ${memberships} m join ${people} p on p.id = m.person_id
    where m.account_id = ${accounts.id} and m.role = 'owner' order by m.created_at, p.id limit 1)`
  const [[maker]] = await ctx.read((owner, keyHash = '') => [
    ctx.db
      .select({
        id: apiKeys.madeBy,
        email: sql<string>`coalesce(${people.email}, ${firstOwner}, ${accounts.email})`,
        role: memberships.role,
      })
      .from(apiKeys)
      .innerJoin(accounts, eq(accounts.id, apiKeys.accountId))
      .leftJoin(people, eq(people.id, apiKeys.madeBy))
      .leftJoin(memberships, and(eq(memberships.personId, apiKeys.madeBy), eq(memberships.accountId, accounts.id)))
      .where(and(eq(apiKeys.keyHash, keyHash), eq(apiKeys.accountId, owner))),
  ])
  const { id } = await ctx.account()
  if (maker?.id === null) return { id: null, email: maker.email, role: 'owner', accountId: id }
  if (maker?.role === 'owner') return { id: maker.id, email: maker.email, role: 'owner', accountId: id }
  throw new ApiError('forbidden', 'The person who made this key does not own the account any more.', {
    instructions_for_agent: `Tell the user. An owner makes a new key at ${ctx.settings.publicUrl}/settings/keys.`,
  })
}
