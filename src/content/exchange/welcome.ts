import { eq, type SQL, sql } from 'drizzle-orm'
import { accounts } from '../../../schema/accounts.ts'
import { exchangeLedger } from '../../../schema/exchange.ts'
import { projects } from '../../../schema/projects.ts'
import type { Welcome } from '../../accounts/projects/create.ts'
import { insertWhere } from '../../platform/db/writes.ts'

/** Credits of a new project. Without them no project could pay for the first link. */
const WELCOME_CREDITS = 3

const keyOf = (accountId: number, websiteKey: string): SQL =>
  sql`'welcome:' || ${accountId}::int || ':' || ${websiteKey}::text`

/** Credits of a new project. Each site of an account gets them once, and an account at most once per project slot. */
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
