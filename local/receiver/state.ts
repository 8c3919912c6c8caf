import { type BehaviourSwitch, createBehaviourSwitch } from './behaviour.ts'
import { type Blog, createBlog } from './blog.ts'
import { createDeliveryLog, type DeliveryLog } from './deliveries.ts'
import { openStateFile, type SavedState } from './state-file.ts'
import { type Counts, createWaiting, type Waiting } from './waiting.ts'
import type { Webhook } from './webhook.ts'

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
  behaviour: BehaviourSwitch
  waiting: Waiting
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
    behaviour: createBehaviourSwitch(),
    waiting,
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
      processed.clear()
    },
    flush: file.flush,
  }
}
