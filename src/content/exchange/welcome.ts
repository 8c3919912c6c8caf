import { type SQL, sql } from 'drizzle-orm'
import { exchangeLedger } from '../../../schema/exchange.ts'
import type { AnyPart, Part } from '../../platform/db/part.ts'
import { select } from '../../platform/db/read-parts.ts'
import { insert } from '../../platform/db/write-parts.ts'

/** Credits that a project starts with, since nobody could pay for the first link otherwise. */
const WELCOME_CREDITS = 3

/** Owner of welcome credits: each site of an account once, and no more projects than it has slots. */
type Welcomed = { accountId: number; websiteKey: string }

const keyOf = (accountId: SQL | number, websiteKey: string): SQL =>
  sql`'welcome:' || ${accountId}::int || ':' || ${websiteKey}::text`

const credits = (accountId: SQL | number, websiteKey: string, slots: SQL): SQL =>
  sql`case when exists (select 1 from exchange_ledger where key = ${keyOf(accountId, websiteKey)})
      or (select count(*) from exchange_ledger where account_id = ${accountId}::int and reason = 'welcome') >= ${slots}
    then 0 else ${WELCOME_CREDITS}::int end`

/** A part with the credits a new project starts with. `slot` is the slot it takes. */
const welcomeCredits = ({ accountId, websiteKey }: Welcomed, slot: Part<'total'>): Part<'credits'> =>
  select('welcome', { credits: credits(accountId, websiteKey, slot.c.total) }, sql`from ${slot.rows}`, {
    materialized: true,
  })

/** A part that books them. `made` is the project. */
const bookWelcome = (
  { accountId, websiteKey }: Welcomed,
  made: Part<'id'>,
  welcome: Part<'credits'>,
  now: Date,
): AnyPart =>
  insert(
    'booked_welcome',
    exchangeLedger,
    {
      accountId,
      projectId: made.c.id,
      delta: welcome.c.credits,
      reason: 'welcome',
      key: keyOf(accountId, websiteKey),
      at: now,
    },
    { from: [made, welcome], where: sql`${welcome.c.credits} > 0` },
  )

/** The credits of the exchange that a new project starts with: counted in its statement, and booked. */
export const welcome = { credits: welcomeCredits, book: bookWelcome }
