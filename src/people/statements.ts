import { type SQL, sql } from 'drizzle-orm'
import { accounts } from '../../schema/accounts.ts'
import { people } from '../../schema/people.ts'
import { audit } from '../db/audit.ts'
import { statement } from '../db/statement.ts'
import { insert, update } from '../db/write-parts.ts'
import { hasNoAccount } from './queries.ts'

/** A new account for an address that has none: the Agentic plan, and no project slot until one is bought. */
export const openAccount = (personId: string, email: string, now: Date): SQL => {
  const made = insert(
    'made',
    accounts,
    { email, plan: 'agentic', projectSlots: 0 },
    {
      where: sql`exists (select 1 from ${people} where ${hasNoAccount(personId)})`,
      onConflict: { expression: sql`lower(${sql.identifier(accounts.email.name)})` },
      returning: { id: accounts.id },
    },
  )
  const acting = { actor: () => `person:${personId}`, now: () => now }
  return statement({
    parts: [made],
    audit: audit(acting, { of: made, account: made.c.id, action: 'account.create', on: ['account', made.c.id] }),
    answer: made.c,
  })
}

/** The person joins the account of their verified address. */
export const joinAccount = (personId: string, email: string, now: Date): SQL => {
  const joined = update(
    'joined',
    people,
    { accountId: sql`(select id from ${accounts} where lower(${accounts.email}) = lower(${email}))`, updatedAt: now },
    { where: hasNoAccount(personId), returning: { account_id: people.accountId } },
  )
  const acting = { actor: () => `person:${personId}`, now: () => now }
  return statement({
    parts: [joined],
    audit: audit(acting, {
      of: joined,
      account: joined.c.account_id,
      action: 'person.join',
      on: ['account', joined.c.account_id],
      where: sql`${joined.c.account_id} is not null`,
    }),
    answer: joined.c,
  })
}
