import { Client, Receiver } from '@upstash/qstash'
import type { QueueSettings } from '../runtime/env.ts'
import { EXECUTOR_PATH } from './paths.ts'

/** A message that wakes one outbox row. */
export type Wake = { id: number; offers: number; notBefore: Date }

export type Queue = {
  /** Hands wakes to QStash. Throws when it does not take them. */
  offer: (wakes: Wake[]) => Promise<void>
  /** Whether a delivery really comes from our QStash: signature over the raw body, for the configured address. */
  isGenuine: (signature: string | undefined, rawBody: string) => Promise<boolean>
}

const RETRIES = 5

/** QStash through its own SDK. Deduplicated per row and offer, so that a repeated sweep does not wake a row twice. */
export const createQueue = (settings: QueueSettings, publicUrl: string): Queue => {
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
    offer: async (wakes) => {
      await client.batchJSON(
        wakes.map((wake) => ({
          url,
          body: { outbox_id: wake.id },
          notBefore: Math.floor(wake.notBefore.getTime() / 1000),
          deduplicationId: `outbox-${wake.id}-${wake.offers}`,
          retries: RETRIES,
        })),
      )
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
