import * as z from 'zod/mini'
import { plainText } from '../../../content/html/references.ts'
import type { VideoOffers, VideoSearch } from '../../../content/writing/port.ts'
import { foreignJson } from '../../../platform/lib/foreign-answers.ts'
import type { Deps } from '../../../platform/runtime/ctx.ts'

const TIMEOUT_MS = 10_000
const MAX_ANSWER_BYTES = 1_000_000
const MAX_RESULTS = 10

const Answer = z.object({
  items: z.array(
    z.object({
      id: z.object({ videoId: z.optional(z.string()) }),
      snippet: z.object({ title: z.string(), liveBroadcastContent: z.optional(z.string()) }),
    }),
  ),
})
const Refusal = z.object({ error: z.object({ errors: z.optional(z.array(z.object({ reason: z.string() }))) }) })

const failed = (reason: string): VideoOffers => ({ kind: 'failed', reason })

/** Returns the videos in an answer of `search.list`. Titles contain character references, which are decoded. */
const readAnswer = (status: number, body: unknown): VideoOffers => {
  if (status !== 200) {
    const refusal = Refusal.safeParse(body)
    return failed(`status ${status} ${refusal.success ? (refusal.data.error.errors?.[0]?.reason ?? '') : ''}`.trim())
  }
  const answer = Answer.safeParse(body)
  if (!answer.success) return failed('The answer is not a list of videos.')
  const offers = answer.data.items.flatMap(({ id, snippet }) => {
    const isLive = (snippet.liveBroadcastContent ?? 'none') !== 'none'
    return id.videoId === undefined ? [] : [{ id: id.videoId, title: plainText(snippet.title), isLive }]
  })
  return { kind: 'offers', offers }
}

/** Returns the video search of the YouTube Data API (https://developers.google.com/youtube/v3/docs/search/list). Without a key it is closed. */
export const youtubeSearch = (
  { baseUrl, key }: { baseUrl: string; key: string },
  { outbound }: Pick<Deps, 'outbound'>,
): VideoSearch => ({
  isOpen: key !== '',
  search: async (words, languageTag) => {
    if (key === '') return { kind: 'closed' }
    const url = new URL(`${baseUrl}/youtube/v3/search`)
    url.search = new URLSearchParams({
      part: 'snippet',
      type: 'video',
      q: words,
      maxResults: String(MAX_RESULTS),
      videoEmbeddable: 'true',
      safeSearch: 'strict',
      ...(languageTag === '' ? {} : { relevanceLanguage: languageTag }),
      key,
    }).toString()
    const answer = await outbound({
      url: url.href,
      method: 'GET',
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_ANSWER_BYTES,
    })
    return answer.kind === 'answered'
      ? readAnswer(answer.status, foreignJson(answer.body))
      : failed('YouTube did not answer.')
  },
})
