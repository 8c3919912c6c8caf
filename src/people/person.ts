import type { Plan } from '../../schema/values/accounts.ts'
import { type Db, rowsOf } from '../db/client.ts'
import { personQuery } from './queries.ts'
import { joinAccount, openAccount } from './statements.ts'

/** Somebody who is signed in, in the account they work in. */
export type Person = {
  id: string
  email: string
  role: 'owner' | 'member'
  accountId: number
  plan: Plan
  projectSlots: number
}

/**
 * The person in their account. A person who first signs in with a verified address joins the account of that address, or gets a
 * new one. Undefined while the address is not verified, and where the account is suspended.
 */
export const personOf = async (db: Db, personId: string, now: Date): Promise<Person | undefined> => {
  const read = async () => (await personQuery(db, personId))[0]
  let row = await read()
  if (row?.emailVerified && row.accountId === null) {
    await rowsOf(db, openAccount(personId, row.email, now))
    await rowsOf(db, joinAccount(personId, row.email, now))
    row = await read()
  }
  if (!row?.accountId || !row.plan || row.projectSlots === null || row.suspendedAt) return undefined
  return {
    id: row.id,
    email: row.email,
    role: row.role,
    accountId: row.accountId,
    plan: row.plan,
    projectSlots: row.projectSlots,
  }
}
