import { eq, type SQL } from 'drizzle-orm'
import { accounts } from '../../../schema/accounts.ts'
import type { Db } from '../db/client.ts'

/** Selects an operator's settings of outreach for the account: the entitlement, and if the beta is open. One row. */
export const outreachAccess = (db: Db, owner: SQL) =>
  db
    .select({ entitled: accounts.outreachPro, isOpen: accounts.outreachBeta })
    .from(accounts)
    .where(eq(accounts.id, owner))
