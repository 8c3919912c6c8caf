import type { SQL } from 'drizzle-orm'
import { searchConnections } from '../../../schema/search.ts'
import type { Db } from '../../platform/db/client.ts'

/** Sets when connected projects are looked through for suggestions the next time. `where`: a condition on their connections. */
export const suggestNext = (db: Db, nextSuggestionsAt: Date, where: SQL | undefined) =>
  db.update(searchConnections).set({ nextSuggestionsAt }).where(where)
