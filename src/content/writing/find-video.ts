import { and, eq, gt, sql } from 'drizzle-orm'
import { videoQuota, videoSearches } from '../../../schema/media.ts'
import type { Db } from '../../platform/db/client.ts'
import { sha256 } from '../../platform/lib/crypto.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { fittingVideo, quotaDayOf, type Video } from './video-rules.ts'
import type { VideoSearch } from './videos-port.ts'

/** Searches a day: what the provider allows, less some for what others count differently. */
const MAX_SEARCHES = 95

/** Counts one search of a day; no row when the day's searches are used up. */
const countSearch = (db: Db, day: string) =>
  db
    .insert(videoQuota)
    .values({ day, used: 1 })
    .onConflictDoUpdate({
      target: videoQuota.day,
      set: { used: sql`${videoQuota.used} + 1` },
      setWhere: sql`${videoQuota.used} < ${MAX_SEARCHES}::int`,
    })
    .returning({ used: videoQuota.used })

/** Keeps what a search found. */
const keepSearch = (db: Db, { key, ...found }: Required<typeof videoSearches.$inferInsert>) =>
  db
    .insert(videoSearches)
    .values({ key, ...found })
    .onConflictDoUpdate({ target: videoSearches.key, set: found })

/** Selects the result of a search that was made since an instant. */
const keptSearch = (db: Db, key: string, since: Date) =>
  db
    .select({ videoId: videoSearches.videoId, title: videoSearches.title })
    .from(videoSearches)
    .where(and(eq(videoSearches.key, key), gt(videoSearches.searchedAt, since)))

/** Time for which the result of a search is used. */
const KEPT_MS = 28 * 24 * 3_600_000

/**
 * Returns a video that fits a keyword: from a search of the last four weeks, else from a new one while the day's searches last.
 * Undefined where none fits, none can be searched for, or nobody answers.
 */
export const findVideo = async (
  ctx: Ctx,
  { isOpen, search }: VideoSearch,
  keyword: string,
  languageTag: string,
): Promise<Video | undefined> => {
  if (!isOpen) return undefined
  const now = ctx.now()
  const key = await sha256(`${languageTag} ${keyword.trim().toLowerCase()}`)
  const [[kept]] = await ctx.read(() => [keptSearch(ctx.db, key, new Date(now.getTime() - KEPT_MS))])
  if (kept) return kept.videoId === null ? undefined : { id: kept.videoId, title: kept.title }
  const [taken] = await ctx.batch([countSearch(ctx.db, quotaDayOf(now))], { unaudited: 'a count of searches' })
  if (taken.length === 0) return undefined
  const found = await search(keyword, languageTag)
  if (found.kind !== 'offers') {
    if (found.kind === 'failed') ctx.log('warn', 'writing.video_failed', { reason: found.reason.slice(0, 200) })
    return undefined
  }
  const video = fittingVideo(found.offers, keyword, languageTag)
  const row = { key, videoId: video?.id ?? null, title: video?.title ?? '', searchedAt: now }
  await ctx.batch([keepSearch(ctx.db, row)], { unaudited: 'a kept answer of a search engine' })
  return video
}
