import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'
import { type Caller, createCaller } from './http.ts'
import type { Options } from './service.ts'
import { Article, ReceiverDeliveries, ReceiverPosts } from './shapes.ts'
import { Mismatch, type Tour } from './tour.ts'

/** State that every step uses. */
export type Stage = Options & {
  tour: Tour
  api: Caller
  receiver: Caller
  /** Different in every run, so that runs do not find each other's articles. */
  run: string
}

export const createStage = (options: Options, tour: Tour, run: string): Stage => {
  const { base_url, api_key, receiver_url } = options.service
  const api = createCaller(base_url, { authorization: `Bearer ${api_key}` }, tour)
  const receiver = createCaller(new URL(receiver_url).origin, {}, tour, 'receiver ')
  return { ...options, tour, api, receiver, run }
}

/** Throws Mismatch unless the two are deeply equal. Reports equality in the tour. */
export const same = (tour: Tour, what: string, came: unknown, expected: unknown): void => {
  if (!isDeepStrictEqual(came, expected)) throw new Mismatch(what, JSON.stringify(expected), JSON.stringify(came))
  tour.ok(what)
}

type ReceiverPost = z.infer<typeof ReceiverPosts>['posts'][number]
type ReceiverDelivery = z.infer<typeof ReceiverDeliveries>['deliveries'][number]

export const postsOf = async (stage: Stage, articleId: number, quiet = false): Promise<ReceiverPost[]> => {
  const { body } = await stage.receiver('GET', '/api/posts', { 200: ReceiverPosts }, { quiet })
  return body.posts.filter((post) => post.article_id === String(articleId))
}

export const deliveriesOf = async (stage: Stage, articleId: number): Promise<ReceiverDelivery[]> => {
  const path = `/api/deliveries?article_id=${articleId}`
  return (await stage.receiver('GET', path, { 200: ReceiverDeliveries }, { quiet: true })).body.deliveries
}

const POLL_MS = 3000

/** Reads the article every three seconds (its rate is 30 a minute) until it is Published; Mismatch after `limitS`. */
export const untilPublished = async (stage: Stage, articleId: number, limitS: number): Promise<Article> => {
  const began = performance.now()
  for (;;) {
    const { body } = await stage.api('GET', `/articles/${articleId}`, { 200: Article }, { quiet: true })
    const waitedS = Math.round((performance.now() - began) / 1000)
    if (body.Status === 'Published') {
      stage.tour.endProgress()
      stage.tour.ok(`Published after ${waitedS} s of waiting`)
      return body
    }
    if (waitedS > limitS) {
      stage.tour.endProgress()
      const came = `Status ${body.Status}, PublishState ${body.PublishState ?? '–'}`
      throw new Mismatch(`Article ${articleId} within ${limitS} s`, 'Status Published', came)
    }
    stage.tour.progress(`waiting ${waitedS} s · Status ${body.Status} · PublishState ${body.PublishState ?? '–'}`)
    await sleep(POLL_MS)
  }
}
