import type { ServerResponse } from 'node:http'
import { z } from 'zod'
import { type Answer, json } from './answers.ts'

export type Counts = { deliveries: number; posts: number }

export type Waiting = {
  /** Answers `GET /_wait` after the requested counts are reached, or 408 after the time is over. */
  wait: (query: URLSearchParams, res: ServerResponse) => Promise<Answer>
  /** Call this whenever a count may have grown. */
  changed: () => void
}

const count = z.coerce.number().int().positive().optional()

const WaitQuery = z
  .strictObject({
    deliveries: count,
    posts: count,
    /** Counts only what belongs to this article. */
    article_id: z.string().min(1).optional(),
    timeout_ms: z.coerce.number().int().positive().max(600_000).default(10_000),
  })
  .refine((query) => query.deliveries !== undefined || query.posts !== undefined, 'deliveries or posts is needed')

/** Lets a test await deliveries and posts without polling. */
export const createWaiting = (countsOf: (articleId: string | undefined) => Counts): Waiting => {
  const checks = new Set<() => void>()

  const wait: Waiting['wait'] = (query, res) => {
    const parsed = WaitQuery.safeParse(Object.fromEntries(query))
    if (!parsed.success) return Promise.resolve(json(400, { error: z.prettifyError(parsed.error) }))
    const { deliveries = 0, posts = 0, article_id: articleId, timeout_ms: timeoutMs } = parsed.data
    return new Promise((resolve) => {
      const finish = (answer: Answer) => {
        clearTimeout(timer)
        checks.delete(check)
        res.off('close', gone)
        resolve(answer)
      }
      const check = () => {
        const counts = countsOf(articleId)
        if (counts.deliveries >= deliveries && counts.posts >= posts) finish(json(200, counts))
      }
      const late = (): Answer => json(408, { error: `Not reached within ${timeoutMs} ms.`, ...countsOf(articleId) })
      const gone = () => finish(late())
      const timer = setTimeout(gone, timeoutMs)
      res.once('close', gone)
      checks.add(check)
      check()
    })
  }

  return {
    wait,
    changed: () => {
      for (const check of [...checks]) check()
    },
  }
}
