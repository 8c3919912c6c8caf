import { and, eq, type SQL, sql } from 'drizzle-orm'
import { accounts } from '../../../schema/accounts.ts'
import { memberships, people } from '../../../schema/people.ts'
import { audit } from '../../platform/db/audit.ts'
import { read } from '../../platform/db/read-parts.ts'
import { statement } from '../../platform/db/statement.ts'
import { insert, update } from '../../platform/db/write-parts.ts'
import { isVerified } from './queries.ts'

/** A new account for an address that has none: the Agentic plan, and no project slot until one is bought. */
export const openAccount = (personId: string, email: string, now: Date): SQL => {
  const made = insert(
    'made',
    accounts,
    { email, plan: 'agentic', projectSlots: 0 },
    {
      where: sql`exists (select 1 from ${people} where ${isVerified(personId)})`,
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

/** The person owns the account of their verified address, where nobody works in it yet, and works there from now on. */
export const joinAccount = (personId: string, email: string, now: Date): SQL => {
  const found = read(
    'found',
    accounts,
    { id: accounts.id },
    {
      where: sql`lower(${accounts.email}) = lower(${email})
        and not exists (select 1 from ${memberships} where ${eq(memberships.accountId, accounts.id)})
        and exists (select 1 from ${people} where ${isVerified(personId)})`,
    },
  )
  const joined = insert(
    'joined',
    memberships,
    { personId, accountId: found.c.id, role: 'owner', createdAt: now },
    {
      from: [found],
      onConflict: { columns: [memberships.personId, memberships.accountId] },
      returning: { account_id: memberships.accountId },
    },
  )
  const working = update(
    'working',
    people,
    { accountId: joined.c.account_id, updatedAt: now },
    { from: [joined], where: eq(people.id, personId) },
  )
  const acting = { actor: () => `person:${personId}`, now: () => now }
  return statement({
    parts: [found, joined, working],
    audit: audit(acting, {
      of: joined,
      account: joined.c.account_id,
      action: 'person.join',
      on: ['account', joined.c.account_id],
    }),
    answer: joined.c,
  })
}

/** The person works in another account of theirs. No row: it is none of theirs. */
export const chooseAccount = (personId: string, accountId: number, now: Date): SQL => {
  const mine = and(eq(memberships.personId, personId), eq(memberships.accountId, accountId))
  const chosen = update(
    'chosen',
    people,
    { accountId, updatedAt: now },
    {
      where: sql`${eq(people.id, personId)} and exists (select 1 from ${memberships} where ${mine})`,
      returning: { id: people.id },
    },
  )
  return statement({ unaudited: 'which page a person looks at', parts: [chosen], answer: chosen.c })
}
