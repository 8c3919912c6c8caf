import { Client, QstashError, Receiver } from '@upstash/qstash'
import { waitingFor } from '../lib/request-scope.ts'
import type { QueueSettings } from '../runtime/env.ts'
import { EXECUTOR_PATH } from './paths.ts'

/** A message that wakes one outbox row, then those in `also`. Without `notBefore` it is sent at once. */
export type Wake = { id: number; offers: number; notBefore: Date | undefined; also?: readonly number[] }

export type Queue = {
  /** Jobs that take only a moment: several rows of one account share a message. */
  together?: ReadonlySet<string>
  /** Sends wakes to QStash. Returns the ids that it refused, with its reasons. Throws if it accepts none. */
  offer: (wakes: Wake[]) => Promise<{ id: number; reason: string }[]>
  /** True if a delivery comes from our QStash: checks the signature over the raw body and the configured address. */
  isGenuine: (signature: string | undefined, rawBody: string) => Promise<boolean>
}

const RETRIES = 5
/** Longest wait for QStash, ms. The SDK has no limit of its own. */
const WAIT_MS = 10_000

/** Returns QStash's refusal of one message of a batch; undefined if it was accepted. Single messages of a batch can fail. */
const refusalOf = (answer: unknown): string | undefined => {
  const { messageId, error } = (answer ?? {}) as { messageId?: unknown; error?: unknown }
  if (typeof messageId === 'string') return undefined
  return typeof error === 'string' ? error.slice(0, 200) : 'no message id in the answer'
}

/** Returns the result of `work`. Throws after `ms`. */
const within = async <T>(work: Promise<T>, ms: number): Promise<T> =>
  await Promise.race([
    work,
    new Promise<never>((_, reject) => {
      const signal = AbortSignal.timeout(ms)
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    }),
  ])

/** Returns why QStash accepted no message: its status and its own words, which contain nothing of a message. */
export const queueFault = (error: unknown): { status?: number; reason?: string } =>
  error instanceof QstashError ? { status: error.status, reason: error.message.slice(0, 200) } : {}

/**
 * Returns a queue that uses QStash's SDK. Messages are deduplicated by row and offer, so that a repeated sweep does not wake a
 * row twice. An offer without an answer fails after `waitMs`; QStash may have accepted it.
 */
export const createQueue = (
  settings: QueueSettings,
  publicUrl: string,
  together: ReadonlySet<string> = new Set(),
  waitMs = WAIT_MS,
): Queue => {
  const url = `${publicUrl}${EXECUTOR_PATH}`
  const client = new Client({
    baseUrl: settings.QSTASH_URL,
    token: settings.QSTASH_TOKEN,
    retry: { retries: 1 },
    enableTelemetry: false,
  })
  const receiver = new Receiver({
    currentSigningKey: settings.QSTASH_CURRENT_SIGNING_KEY,
    nextSigningKey: settings.QSTASH_NEXT_SIGNING_KEY,
  })
  return {
    together,
    offer: async (wakes) => {
      const messages = wakes.map((wake) => ({
        url,
        body: { outbox_id: wake.id, ...(wake.also ? { also: wake.also } : {}) },
        ...(wake.notBefore ? { notBefore: Math.ceil(wake.notBefore.getTime() / 1000) } : {}),
        deduplicationId: `outbox-${wake.id}-${wake.offers}`,
        retries: RETRIES,
      }))
      const answers = await waitingFor('queue', () => within(client.batchJSON(messages), waitMs))
      return wakes.flatMap(({ id }, n) => {
        const reason = refusalOf((answers as unknown[])[n])
        return reason === undefined ? [] : [{ id, reason }]
      })
    },
    isGenuine: async (signature, rawBody) => {
      if (!signature) return false
      try {
        return await receiver.verify({ signature, body: rawBody, url, clockTolerance: 5 })
      } catch {
        return false
      }
    },
  }
}
