import { and, eq, gt } from 'drizzle-orm'
import { videoSearches } from '../../../schema/media.ts'
import type { Db } from '../../platform/db/client.ts'

/** Selects the result of a search that was made since an instant. */
export const keptSearch = (db: Db, key: string, since: Date) =>
  db
    .select({ videoId: videoSearches.videoId, title: videoSearches.title })
    .from(videoSearches)
    .where(and(eq(videoSearches.key, key), gt(videoSearches.searchedAt, since)))
