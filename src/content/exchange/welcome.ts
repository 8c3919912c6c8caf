import { eq, type SQL, sql } from 'drizzle-orm'
import { accounts } from '../../../schema/accounts.ts'
import { exchangeLedger } from '../../../schema/exchange.ts'
import { projects } from '../../../schema/projects.ts'
import type { Welcome } from '../../accounts/projects/create.ts'
import { insertWhere } from '../../platform/db/writes.ts'

/** Credits that a project starts with, since nobody could pay for the first link otherwise. */
const WELCOME_CREDITS = 3

const keyOf = (accountId: number, websiteKey: string): SQL =>
  sql`'welcome:' || ${accountId}::int || ':' || ${websiteKey}::text`

/** The credits of the exchange that a new project starts with: each site of an account once, and no more projects than it has slots. */
export const welcome: Welcome = {
  credits: ({ accountId, websiteKey }) =>
    sql`case when exists (select 1 from ${exchangeLedger} where ${exchangeLedger.key} = ${keyOf(accountId, websiteKey)})
        or (select count(*) from ${exchangeLedger} where ${eq(exchangeLedger.accountId, accountId)} and ${exchangeLedger.reason} = 'welcome')
          >= (select ${accounts.projectSlots} from ${accounts} where ${eq(accounts.id, accountId)})
      then 0 else ${WELCOME_CREDITS}::int end`,
  book: ({ accountId, websiteKey }, projectId, now) =>
    insertWhere(
      exchangeLedger,
      {
        accountId,
        projectId,
        delta: sql`${projects.backlinkCredits}`,
        reason: 'welcome',
        key: keyOf(accountId, websiteKey),
        at: now,
      },
      { from: sql`${projects}`, if: sql`${eq(projects.id, projectId)} and ${projects.backlinkCredits} > 0` },
    ),
}
