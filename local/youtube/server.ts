import type { FaultRule } from '../faults.ts'
import { type Answer, json } from '../receiver/answers.ts'
import { startStandIn } from '../stand-in.ts'
import type { StandInRequest } from '../stand-in-request.ts'

/** Video that the stand-in knows. `title` is sent with character references, as YouTube does. */
type Video = { id: string; title: string; live?: boolean }

export type RunningYouTube = {
  /** Value of YOUTUBE_API_URL. */
  url: string
  /** The searches so far. */
  searches: () => readonly URLSearchParams[]
  videos: (videos: readonly Video[]) => void
  faults: (rules: readonly FaultRule[]) => void
  close: () => Promise<void>
}

const refusal = (code: number, reason: string, message: string): Answer =>
  json(code, { error: { code, message, errors: [{ reason, domain: 'youtube.quota', message }] } })

const escaped = (title: string): string =>
  title.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll("'", '&#39;')

/** Searches a day. Failed ones count too. */
const QUOTA = 100

/**
 * Starts `search.list` of the YouTube Data API with the videos it was given, in order.
 *
 * https://developers.google.com/youtube/v3/docs/search/list
 */
export const startYouTube = async (key: string): Promise<RunningYouTube> => {
  const searches: URLSearchParams[] = []
  let videos: readonly Video[] = []
  const answer = ({ path, query }: StandInRequest): Answer => {
    if (path !== '/youtube/v3/search') return refusal(404, 'notFound', 'Not found')
    if (query.get('key') !== key) return refusal(400, 'keyInvalid', 'API key not valid.')
    if (searches.length > QUOTA) return refusal(403, 'quotaExceeded', 'The request cannot be completed: quota.')
    const items = videos.map(({ id, title, live = false }) => ({
      kind: 'youtube#searchResult',
      id: { kind: 'youtube#video', videoId: id },
      snippet: { title: escaped(title), channelTitle: 'A channel', liveBroadcastContent: live ? 'live' : 'none' },
    }))
    return json(200, { kind: 'youtube#searchListResponse', pageInfo: { totalResults: items.length }, items })
  }
  const standIn = await startStandIn({
    answer,
    heard: ({ query }) => searches.push(query),
    refusal: (status) => refusal(status, 'backendError', 'fault'),
  })
  return {
    url: standIn.url,
    searches: () => searches,
    videos: (given) => {
      videos = given
    },
    faults: standIn.faults.set,
    close: standIn.close,
  }
}
