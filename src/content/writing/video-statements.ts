import { type SQL, sql } from 'drizzle-orm'
import { videoQuota, videoSearches } from '../../../schema/media.ts'
import { statement } from '../../platform/db/statement.ts'
import { insert, overwritten } from '../../platform/db/write-parts.ts'

/** Searches a day: what the provider allows, less some for what others count differently. */
const MAX_SEARCHES = 95

/** Counts one search of a day; no row when the day's searches are used up. */
export const takeSearch = (day: string): SQL => {
  const taken = insert(
    'taken',
    videoQuota,
    { day, used: 1 },
    {
      onConflict: {
        columns: [videoQuota.day],
        set: { used: sql`${videoQuota.used} + 1` },
        setWhere: sql`${videoQuota.used} < ${MAX_SEARCHES}::int`,
      },
      returning: { used: videoQuota.used },
    },
  )
  return statement({ parts: [taken], unaudited: 'a count of searches', answer: { used: taken.c.used } })
}

/** Keeps what a search found. */
export const keepSearch = (row: typeof videoSearches.$inferInsert): SQL => {
  const { videoId, title, searchedAt } = videoSearches
  const kept = insert('kept', videoSearches, row, {
    onConflict: { columns: [videoSearches.key], set: overwritten({ videoId, title, searchedAt }) },
  })
  return statement({ parts: [kept], unaudited: 'a kept answer of a search engine', answer: kept.c })
}
