import { sql } from 'drizzle-orm'
import { type Db, rowsOf } from '../../platform/db/client.ts'
import { lastFinalDay, WINDOW_DAYS } from './rules.ts'

/** Clicks of a site in its last 28 final days, and their change against the 28 before; null if too few days have both. */
export type SiteClicks = { clicks: number; change: number | null; isBeyondNoise: boolean }

/** Difference of a site's days from those 28 days earlier, which have the same weekdays: its sum, its spread, and how many days have both. */
type Difference = { change: number | null; spread: number | null; pairs: number }

/** Fewest days with both numbers. */
const FEWEST_PAIRS = 21
/** The t value beyond which one comparison in a hundred comes by chance, for as many days as are compared. */
const LIMIT = 2.77

/** Returns the change, and true if it is more than the days differ among themselves. */
const changeIn = ({ change, spread, pairs }: Difference): Pick<SiteClicks, 'change' | 'isBeyondNoise'> =>
  change === null || spread === null || pairs < FEWEST_PAIRS
    ? { change: null, isBeyondNoise: false }
    : { change, isBeyondNoise: Math.abs(change) > LIMIT * spread * Math.sqrt(pairs) }

/** Returns the clicks of an account's sites by project, or those of the `only` one, from the days that are kept here. */
export const clicksOfSites = async (
  db: Db,
  accountId: number,
  only: number | null,
  now: Date,
): Promise<Map<number, SiteClicks>> => {
  const rows = await rowsOf<Difference & { id: number; clicks: number }>(
    db,
    sql`select s.project_id as id, sum(d.clicks)::int as clicks, sum(d.clicks - b.clicks)::int as change,
        stddev_samp(d.clicks - b.clicks)::float8 as spread, count(b.day)::int as pairs
      from search_connections s
      join search_days d on d.source_id = s.source_id and d.day > ${lastFinalDay(now)}::date - ${WINDOW_DAYS}::int
        and d.day <= ${lastFinalDay(now)}::date
      left join search_days b on b.source_id = d.source_id and b.day = d.day - ${WINDOW_DAYS}::int
      where s.account_id = ${accountId}::int ${only === null ? sql`` : sql`and s.project_id = ${only}::int`}
      group by s.project_id`,
  )
  return new Map(rows.map(({ id, clicks, ...difference }) => [id, { clicks, ...changeIn(difference) }]))
}
