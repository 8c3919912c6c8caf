import { sha256 } from '../../platform/lib/crypto.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { keptSearch } from './video-queries.ts'
import { fittingVideo, quotaDayOf, type Video } from './video-rules.ts'
import { keepSearch, takeSearch } from './video-statements.ts'
import type { VideoSearch } from './videos-port.ts'

/** Time for which the result of a search is used. */
const KEPT_MS = 28 * 24 * 3_600_000

/**
 * A video that fits a keyword: from a search of the last four weeks, else from a new one while the day's searches last.
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
  const [taken] = await ctx.write(takeSearch(quotaDayOf(now)))
  if (!taken) return undefined
  const found = await search(keyword, languageTag)
  if (found.kind !== 'offers') {
    if (found.kind === 'failed') ctx.log('warn', 'writing.video_failed', { reason: found.reason.slice(0, 200) })
    return undefined
  }
  const video = fittingVideo(found.offers, keyword, languageTag)
  await ctx.write(keepSearch({ key, videoId: video?.id ?? null, title: video?.title ?? '', searchedAt: now }))
  return video
}
