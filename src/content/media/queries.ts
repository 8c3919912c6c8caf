import { and, eq, type SQL } from 'drizzle-orm'
import { hostedVideos } from '../../../schema/media.ts'
import type { Db } from '../../platform/db/client.ts'

/** The video with this hash that the account holds, the oldest of several. */
export const videoOfHash = (db: Db, owner: SQL, hash: string) =>
  db
    .select({
      name: hostedVideos.name,
      extension: hostedVideos.extension,
      bytes: hostedVideos.bytes,
      width: hostedVideos.width,
      height: hostedVideos.height,
    })
    .from(hostedVideos)
    .where(and(eq(hostedVideos.accountId, owner), eq(hostedVideos.hash, hash)))
    .orderBy(hostedVideos.createdAt)
    .limit(1)
