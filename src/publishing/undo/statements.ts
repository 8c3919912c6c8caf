import { and, eq, isNull, lte, or, type SQL, sql } from 'drizzle-orm'
import { accounts } from '../../../schema/accounts.ts'
import { statement } from '../../platform/db/statement.ts'
import { update } from '../../platform/db/write-parts.ts'

const UNAUDITED = 'what is taken back is in the audit log, change by change'

/** Leases an account for one call that undoes changes. Returns no row if another call has it. */
export const leaseAccount = (accountId: number, now: Date, until: Date): SQL => {
  const taken = update(
    'taken',
    accounts,
    { undoUntil: until },
    {
      where: sql`${and(eq(accounts.id, accountId), or(isNull(accounts.undoUntil), lte(accounts.undoUntil, now)))}`,
      returning: { id: accounts.id },
    },
  )
  return statement({ unaudited: UNAUDITED, parts: [taken], answer: taken.c })
}

/** Releases the account's lease of this call. */
export const letAccountGo = (accountId: number, until: Date): SQL => {
  const freed = update(
    'freed',
    accounts,
    { undoUntil: null },
    { where: sql`${and(eq(accounts.id, accountId), eq(accounts.undoUntil, until))}`, returning: { id: accounts.id } },
  )
  return statement({ unaudited: UNAUDITED, parts: [freed], answer: freed.c })
}
