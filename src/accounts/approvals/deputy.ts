import { and, eq, gt, type SQL, sql } from 'drizzle-orm'
import { memberships, people } from '../../../schema/people.ts'
import { deputies } from '../../../schema/policies.ts'
import { projects } from '../../../schema/projects.ts'
import { when } from '../../platform/db/steps.ts'
import { audit, insertWhere } from '../../platform/db/writes.ts'
import { ApiError } from '../../platform/lib/errors.ts'
import { dayIn, lastInstantOf } from '../../platform/lib/time.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { checkOwner } from '../people/members.ts'
import type { Person } from '../people/person.ts'
import { isMemberOf } from '../people/roles.ts'

/** Longest time for which an owner may be away, days. */
const MOST_DAYS = 90
const DAY_MS = 86_400_000

/** Returns a query for the deputy of a project of the account; no row if the owner is not away. */
export const deputyOf = (ctx: Pick<Ctx, 'db' | 'now'>, accountId: SQL | number, projectId: number) =>
  ctx.db
    .select({
      personId: deputies.personId,
      email: people.email,
      of: deputies.namedBy,
      until: deputies.awayUntil,
    })
    .from(deputies)
    .innerJoin(people, eq(people.id, deputies.personId))
    .where(
      and(
        eq(deputies.projectId, projectId),
        eq(deputies.accountId, sql`${accountId}`),
        gt(deputies.awayUntil, ctx.now()),
      ),
    )

/** Returns the end of the owner's last day away. Throws 400 for a day that is over, or more than 90 days ahead. */
const awayUntil = (day: string, zone: string, now: Date): Date => {
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(day) && dayIn(day) !== null
  const until = isDay ? lastInstantOf(day, zone) : undefined
  const left = (until?.getTime() ?? 0) - now.getTime()
  if (until && left > 0 && left <= MOST_DAYS * DAY_MS) return until
  const message = `must be a day such as 2026-12-24, not over and at most ${MOST_DAYS} days ahead`
  throw new ApiError('invalid_input', `The last day away ${message}. Nothing was changed.`, {
    details: [{ field: 'away_until', message }],
  })
}

/** Condition: the project is the account's, and the caller still owns the account. */
const mayName = ({ id, accountId }: Person, projectId: number): SQL =>
  sql`${isMemberOf(accountId, id, 'owner')} and exists (select 1 from ${projects} where ${and(eq(projects.id, projectId), eq(projects.accountId, accountId))})`

const notNamed = (): ApiError =>
  new ApiError('invalid_input', 'This person does not work on the site any more. Nothing was changed.', {
    details: [{ field: 'deputy', message: 'is a person who works on the site' }],
  })

/**
 * Names the person who decides the approvals of a project until the end of a day, in place of an owner who is away. A project has
 * one deputy; another one replaces them.
 *
 * Only an owner can. Throws 403, and 400 for the day or the person.
 */
export const nameDeputy = async (
  ctx: Ctx,
  by: Person,
  projectId: number,
  { personId, day, zone }: { personId: string; day: string; zone: string },
): Promise<void> => {
  checkOwner(by)
  const until = awayUntil(day, zone, ctx.now())
  const { accountId, email } = by
  const worksHere = sql`${personId} <> ${by.id} and exists (select 1 from ${memberships} where ${and(
    eq(memberships.personId, personId),
    eq(memberships.accountId, accountId),
    sql`(${memberships.projectId} = ${projectId}::int or ${memberships.role} in ('owner', 'member'))`,
  )})`
  const row = { projectId, accountId, personId, namedBy: email, awayUntil: until, namedAt: ctx.now() }
  const { named } = await ctx.batch({
    named: insertWhere(deputies, row, {
      if: sql`${mayName(by, projectId)} and ${worksHere}`,
      onConflict: sql`(project_id) do update set person_id = excluded.person_id, named_by = excluded.named_by,
        away_until = excluded.away_until, named_at = excluded.named_at`,
      returning: { id: deputies.projectId },
    }),
    ...when(
      sql`exists (select 1 from ${deputies} where ${and(eq(deputies.projectId, projectId), eq(deputies.personId, personId), eq(deputies.namedAt, row.namedAt))})`,
      {
        audit: audit(ctx, {
          account: accountId,
          action: 'project.deputy',
          on: ['project', projectId],
          detail: { deputy: `person:${personId}`, away_until: until.toISOString() },
        }),
      },
    ),
  })
  if (named.length === 0) throw notNamed()
}

/** Ends the deputy of a project at once. Only an owner can. Throws 403. */
export const endDeputy = async (ctx: Ctx, by: Person, projectId: number): Promise<void> => {
  checkOwner(by)
  const isIt = and(eq(deputies.projectId, projectId), eq(deputies.accountId, by.accountId))
  await ctx.batch({
    ...when(sql`${mayName(by, projectId)} and exists (select 1 from ${deputies} where ${isIt})`, {
      audit: audit(ctx, {
        account: by.accountId,
        action: 'project.deputy',
        on: ['project', projectId],
        detail: { deputy: null },
      }),
      ended: (isMet) => ctx.db.delete(deputies).where(and(isIt, isMet)),
    }),
  })
}
