import { request } from 'node:http'
import { signDelivery } from '../local/qstash/signature.ts'
import { json, readBody, send } from '../local/receiver/answers.ts'
import { EXECUTOR_PATH } from '../src/platform/jobs/job.ts'
import { type Serving, serveAt } from './socket.ts'

const MAX_BATCH_BYTES = 4 * 1024 * 1024
/** Calls of the Workers at once. Each is a run of a job. */
const MAX_RUNNING = 20
/** Longest time of one run, as QStash has it. */
const RUN_MS = 15 * 60_000
const MAX_RETRIES = 5
const MAX_TIMER_MS = 2 ** 31 - 1

/** One wake of an outbox row. The row itself is in PostgreSQL, so that a lost wake loses no work. */
type Wake = { key: string; body: string; at: number; retried: number }

type QueueOptions = {
  token: string
  signingKey: string
  publicUrl: string
  /** Socket of the Workers; undefined while they start. */
  workers: () => string | undefined
}

/** Returns a batch item as a wake; undefined if it does not call the Workers' own path. */
const wakeOf = (item: unknown, url: string, now: number): Wake | undefined => {
  const { destination, body, headers = {} } = (item ?? {}) as Record<string, unknown>
  if (destination !== url || typeof body !== 'string') return undefined
  const given = new Map(Object.entries(headers as Record<string, unknown>).map(([name, v]) => [name.toLowerCase(), v]))
  const notBefore = Number(given.get('upstash-not-before') ?? 0) * 1_000
  const key = String(given.get('upstash-deduplication-id') ?? crypto.randomUUID())
  return { key, body, at: Math.max(now, notBefore), retried: 0 }
}

/** Calls the Workers with a wake. Returns the status and the seconds to wait; 0 without an answer. Never throws. */
const deliver = (socketPath: string, body: string, signature: string, host: string) =>
  new Promise<{ status: number; afterS: number | undefined }>((resolve) => {
    const headers = {
      host,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'upstash-signature': signature,
    }
    const call = request({ socketPath, path: EXECUTOR_PATH, method: 'POST', headers, agent: false, timeout: RUN_MS })
    call.on('response', (res) => {
      const afterS = res.headers['retry-after'] === undefined ? undefined : Number(res.headers['retry-after'])
      res.on('end', () => resolve({ status: res.statusCode ?? 0, afterS }))
      res.on('error', () => resolve({ status: 0, afterS: undefined }))
      res.resume()
    })
    call.on('timeout', () => call.destroy())
    call.on('error', () => resolve({ status: 0, afterS: undefined }))
    call.on('close', () => resolve({ status: 0, afterS: undefined }))
    call.end(body)
  })

/** Returns the wait before the next try, as QStash has it: what the Workers asked for, else a growing time. */
const retryMs = (retried: number, afterS: number | undefined): number =>
  1_000 * Math.min(86_400, afterS !== undefined && afterS >= 0 ? afterS : Math.exp(2.5 * (retried + 1)))

/**
 * Runs the wakes of outbox rows in memory: each at its time, and again if the Workers fail.
 *
 * The outbox is the truth. The minute's sweep and the next start offer every row again whose wake was lost.
 */
const createRunner = ({ signingKey, publicUrl, workers }: QueueOptions) => {
  const url = `${publicUrl}${EXECUTOR_PATH}`
  const { host } = new URL(publicUrl)
  const waiting = new Map<string, NodeJS.Timeout>()
  const due: Wake[] = []
  let running = 0
  let isClosed = false
  let whenIdle: (() => void) | undefined

  const run = async (wake: Wake): Promise<void> => {
    const socket = workers()
    const signature = signDelivery(signingKey, url, Buffer.from(wake.body), Date.now())
    const { status, afterS } = socket
      ? await deliver(socket, wake.body, signature, host)
      : { status: 0, afterS: undefined }
    const isEnded = (status >= 200 && status < 300) || status === 489 || wake.retried >= MAX_RETRIES
    if (!isEnded) add({ ...wake, at: Date.now() + retryMs(wake.retried, afterS), retried: wake.retried + 1 })
  }
  const pump = (): void => {
    while (!isClosed && running < MAX_RUNNING) {
      const wake = due.shift()
      if (!wake) break
      running += 1
      void run(wake).finally(() => {
        running -= 1
        pump()
      })
    }
    if (running === 0) whenIdle?.()
  }
  const add = (wake: Wake): void => {
    if (isClosed) return
    clearTimeout(waiting.get(wake.key))
    const fire = () => {
      waiting.delete(wake.key)
      if (wake.at > Date.now()) return add(wake)
      due.push(wake)
      pump()
    }
    waiting.set(wake.key, setTimeout(fire, Math.min(MAX_TIMER_MS, Math.max(0, wake.at - Date.now()))))
  }
  return {
    add,
    state: () => ({ waiting: waiting.size, due: due.length, running }),
    /** Starts nothing more, and waits for the running calls. */
    close: async (graceMs: number): Promise<void> => {
      isClosed = true
      for (const timer of waiting.values()) clearTimeout(timer)
      if (running > 0)
        await new Promise<void>((resolve) => {
          whenIdle = resolve
          setTimeout(resolve, graceMs).unref()
        })
    },
  }
}

/** Running queue: its state counts the wakes that wait, are due and run. */
export type RunningQueue = Serving & { state: () => { waiting: number; due: number; running: number } }

/** Serves the part of QStash's API that the Workers use, and calls them with QStash's signatures. */
export const serveQueue = async (path: string, options: QueueOptions): Promise<RunningQueue> => {
  const runner = createRunner(options)
  const url = `${options.publicUrl}${EXECUTOR_PATH}`
  const accept = (item: unknown) => {
    const wake = wakeOf(item, url, Date.now())
    if (!wake) return { error: `only ${url} is called` }
    runner.add(wake)
    return { messageId: `msg_${wake.key}` }
  }
  const server = await serveAt(
    path,
    async (req, res) => {
      const body = (await readBody(req, MAX_BATCH_BYTES)).toString('utf8')
      if (req.headers.authorization !== `Bearer ${options.token}`)
        return send(res, json(401, { error: 'unauthorized' }))
      if (req.method !== 'POST' || req.url !== '/v2/batch') return send(res, json(404, { error: 'not found' }))
      const items: unknown = JSON.parse(body)
      send(res, Array.isArray(items) ? json(200, items.map(accept)) : json(400, { error: 'expected an array' }))
    },
    () => json(400, { error: 'the request could not be read' }),
  )
  return {
    state: runner.state,
    close: async (graceMs = 0) => {
      await runner.close(graceMs)
      await server.close(0)
    },
  }
}
