import { isStopWord } from '../../platform/lib/stop-words.ts'
import { applyEdits } from '../html/edits.ts'
import { isVideoId, playerOf } from '../html/players.ts'
import { fold, tokensOf } from '../seo/words.ts'
import { sectionsIn } from './illustration-rules.ts'
import type { VideoOffer } from './videos-port.ts'

export type Video = { id: string; title: string }

/**
 * Returns the first offered video whose title has every word of the keyword that means something. Rather none than a wrong one: a
 * keyword of nothing but small words finds none.
 */
export const fittingVideo = (
  offers: readonly VideoOffer[],
  keyword: string,
  languageTag: string,
): Video | undefined => {
  const wanted = tokensOf(fold(keyword)).filter((word) => !isStopWord(word, languageTag))
  if (wanted.length === 0) return undefined
  return offers.find(({ id, title, isLive }) => {
    const titleWords = new Set(tokensOf(fold(title)))
    return !isLive && isVideoId(id) && wanted.every((word) => titleWords.has(word))
  })
}

/** Returns the article with the video at the end of its first section; at its end if it has no second one. */
export const withVideo = (html: string, video: Video): string => {
  const second = sectionsIn(html)[1]
  const at = second ? second.start : html.length
  return applyEdits(html, [{ start: at, end: at, text: playerOf(video) }])
}

/** Returns the day the provider counts searches by (https://developers.google.com/youtube/v3/determine_quota_cost): California's. */
export const quotaDayOf = (now: Date): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Los_Angeles', dateStyle: 'short' }).format(now)
