import { createFaults, type FaultRule } from '../faults.ts'
import { serveLoopback } from '../loopback.ts'
import { type Answer, json, readBody, send } from '../receiver/answers.ts'

/** A video there is. `title` is sent with character references, as YouTube does. */
type Video = { id: string; title: string; live?: boolean }

export type RunningYouTube = {
  /** What YOUTUBE_API_URL is set to. */
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

/** Searches a day; failed ones count too. */
const QUOTA = 100
const MAX_BODY_BYTES = 1_024

/** `search.list` of the YouTube Data API (https://developers.google.com/youtube/v3/docs/search/list): every video it was given, in order. */
export const startYouTube = async (key: string): Promise<RunningYouTube> => {
  const faults = createFaults()
  const searches: URLSearchParams[] = []
  let videos: readonly Video[] = []
  const answer = (target: string): Answer => {
    const url = new URL(target, 'http://youtube')
    if (url.pathname !== '/youtube/v3/search') return refusal(404, 'notFound', 'Not found')
    if (url.searchParams.get('key') !== key) return refusal(400, 'keyInvalid', 'API key not valid.')
    searches.push(url.searchParams)
    if (searches.length > QUOTA) return refusal(403, 'quotaExceeded', 'The request cannot be completed: quota.')
    const fault = faults.take(target, '')
    if (fault?.status !== undefined) return refusal(fault.status, 'backendError', 'fault')
    const items = videos.map(({ id, title, live = false }) => ({
      kind: 'youtube#searchResult',
      id: { kind: 'youtube#video', videoId: id },
      snippet: { title: escaped(title), channelTitle: 'A channel', liveBroadcastContent: live ? 'live' : 'none' },
    }))
    return json(200, { kind: 'youtube#searchListResponse', pageInfo: { totalResults: items.length }, items })
  }
  const server = await serveLoopback(
    async (req, res) => {
      await readBody(req, MAX_BODY_BYTES)
      send(res, answer(req.url ?? '/'))
    },
    (error) => refusal(500, 'internalError', String(error)),
  )
  return {
    url: server.url,
    searches: () => searches,
    videos: (given) => {
      videos = given
    },
    faults: (rules) => faults.set(rules),
    close: server.close,
  }
}
