import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { BatchResponse } from 'drizzle-orm/batch'
import { accounts, apiKeys } from '../../../schema/accounts.ts'
import { oneOf } from '../../../schema/columns.ts'
import { memberships, people } from '../../../schema/people.ts'
import type { Role } from '../../../schema/values/people.ts'
import type { Query } from '../../platform/db/client.ts'
import { ApiError } from '../../platform/lib/errors.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'

/**
 * Person responsible for an administrative change: the one who makes it, or the maker of the calling key. `id` is null for a key
 * made by an operator, who is not a person of the account.
 */
export type Administrator = { id: string | null; email: string; role: Role; accountId: number }

const makerOf = (ctx: Ctx, owner: SQL, keyHash: string) => {
  const firstOwner = sql<string | null>`(select p.email from ${memberships} m join ${people} p on p.id = m.person_id
    where m.account_id = ${accounts.id} and m.role = 'owner' order by m.created_at, p.id limit 1)`
  return ctx.db
    .select({
      id: apiKeys.madeBy,
      email: sql<string>`coalesce(${people.email}, ${firstOwner}, ${accounts.email})`,
      role: memberships.role,
    })
    .from(apiKeys)
    .innerJoin(accounts, eq(accounts.id, apiKeys.accountId))
    .leftJoin(people, eq(people.id, apiKeys.madeBy))
    .leftJoin(memberships, and(eq(memberships.personId, apiKeys.madeBy), eq(memberships.accountId, accounts.id)))
    .where(and(eq(apiKeys.keyHash, keyHash), eq(apiKeys.accountId, owner)))
}

const administratorBy = async (
  ctx: Ctx,
  maker: Awaited<ReturnType<typeof makerOf>>[number] | undefined,
): Promise<Administrator> => {
  const { id } = await ctx.account()
  if (maker?.id === null) return { id: null, email: maker.email, role: 'owner', accountId: id }
  if (maker?.role === 'owner') return { id: maker.id, email: maker.email, role: 'owner', accountId: id }
  throw new ApiError('forbidden', 'The person who made this key does not own the account any more.', {
    instructions_for_agent: `Tell the user. An owner makes a new key at ${ctx.settings.publicUrl}/settings/keys.`,
  })
}

/**
 * Returns the person responsible for the calling key, and the results of queries from the same round trip. Throws 403 if the maker
 * of the key no longer owns the account.
 */
export const administratorOf = async <T extends readonly Query[] = []>(
  ctx: Ctx,
  also: (owner: SQL) => T | [] = () => [],
): Promise<{ by: Administrator; results: BatchResponse<T> }> => {
  const [found, ...rest] = await ctx.read((owner, keyHash = '') => [makerOf(ctx, owner, keyHash), ...also(owner)])
  return { by: await administratorBy(ctx, found[0]), results: rest as unknown as BatchResponse<T> }
}

/**
 * Condition: the person is now an owner of the account, or with `member` an owner or a member. Always true for an operator (null).
 *
 * A person who was removed after their page was read may no longer hand anything out. The batch must lock the account first, as all
 * changes of its people do.
 */
export const isMemberOf = (accountId: number, personId: string | null, as: 'owner' | 'member'): SQL =>
  personId === null
    ? sql`true`
    : sql`exists (select 1 from ${memberships} where ${and(
        eq(memberships.accountId, accountId),
        eq(memberships.personId, personId),
        as === 'owner' ? eq(memberships.role, as) : oneOf(memberships.role, ['owner', 'member']),
      )})`
