import type { ServerResponse } from 'node:http'
import { z } from 'zod'
import { type Answer, json } from './answers.ts'
import { type BehaviourSwitch, createBehaviourSwitch } from './behaviour.ts'
import { type Blog, createBlog } from './blog.ts'
import { createDeliveryLog, type DeliveryLog } from './deliveries.ts'
import { openStateFile, type SavedState, type Webhook } from './webhook.ts'

type Counts = { deliveries: number; posts: number }

type Waiting = {
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
const createWaiting = (countsOf: (articleId: string | undefined) => Counts): Waiting => {
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

export type ReceiverOptions = {
  /** 0 takes a free port. */
  port: number
  /** The access token a sender must carry. */
  token: string
  /** Folder that keeps posts and deliveries through a restart; in memory only if absent. */
  dir?: string
  clock?: () => Date
}

export type ReceiverState = {
  webhook: Webhook
  blog: Blog
  log: DeliveryLog
  /** Connection tests without an article. They are no deliveries. */
  tests: DeliveryLog
  behaviour: BehaviourSwitch
  waiting: Waiting
  /** Text files that the site serves, by path. */
  textFiles: Map<string, string>
  clock: () => Date
  /** Changes whenever a page would change. */
  version: () => string
  /** Call this after every change: it wakes waiting requests, and saves. */
  changed: () => void
  setSigningSecret: (path: string, secret: string | undefined) => void
  setOrigin: (origin: string) => void
  reset: () => void
  flush: () => Promise<void>
}

/** Path of an integration without a path of its own. */
export const DEFAULT_WEBHOOK = '/webhook'

/** Deliveries written to disk; all of those in memory would make every save slow. */
const SAVED_DELIVERIES = 200

const countsFor =
  (blog: Blog, log: DeliveryLog) =>
  (articleId: string | undefined): Counts => {
    if (articleId === undefined) return { deliveries: log.received(), posts: blog.posts().length }
    const deliveries = log.list().filter((delivery) => delivery.article_ids.includes(articleId)).length
    return { deliveries, posts: blog.byArticle(articleId) ? 1 : 0 }
  }

const createWebhook = (options: ReceiverOptions, blog: Blog, processed: Webhook['processed'], clock: () => Date) => {
  const secrets = new Map<string, string>()
  let origin = ''
  return {
    webhook: {
      ...{ token: options.token, blog, processed, clock },
      signingSecret: (path: string) => secrets.get(path),
      origin: () => origin,
    },
    setSigningSecret: (path: string, secret: string | undefined) => {
      if (secret === undefined) secrets.delete(path)
      else secrets.set(path, secret)
    },
    setOrigin: (value: string) => {
      origin = value
    },
  }
}

/** Returns the state of a running receiver, restored from `dir` if there is one. */
export const createState = (options: ReceiverOptions): ReceiverState => {
  const clock = options.clock ?? (() => new Date())
  const file = openStateFile(options.dir)
  const blog = createBlog(file.saved.posts, clock)
  const log = createDeliveryLog(file.saved.deliveries)
  const tests = createDeliveryLog([])
  const processed: Webhook['processed'] = new Map(file.saved.processed)
  const waiting = createWaiting(countsFor(blog, log))
  const started = clock().getTime()
  let changes = 0

  const current = (): SavedState => ({
    posts: blog.posts(),
    deliveries: log.list().slice(-SAVED_DELIVERIES),
    processed: [...processed],
  })

  return {
    ...createWebhook(options, blog, processed, clock),
    blog,
    log,
    tests,
    behaviour: createBehaviourSwitch(),
    waiting,
    textFiles: new Map(),
    clock,
    version: () => `${started}-${changes}`,
    changed: () => {
      changes += 1
      waiting.changed()
      file.save(current)
    },
    reset: () => {
      blog.clear()
      log.clear()
      tests.clear()
      processed.clear()
    },
    flush: file.flush,
  }
}
