import { eq, type SQL } from 'drizzle-orm'
import { accounts } from '../../schema/accounts.ts'
import type { Db } from '../db/client.ts'

/** What an operator has set of outreach for the account: the entitlement, and whether the beta is open. One row. */
export const outreachAccess = (db: Db, owner: SQL) =>
  db
    .select({ entitled: accounts.outreachPro, isOpen: accounts.outreachBeta })
    .from(accounts)
    .where(eq(accounts.id, owner))
