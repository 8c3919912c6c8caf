import type { Action } from './blog.ts'
import type { SignatureCheck } from './signature.ts'

type DeliveryAnswer = {
  /** `closed`: the connection was destroyed; `held`: never answered; `client_gone`: the sender left before the answer. */
  outcome: 'sent' | 'closed' | 'held' | 'client_gone'
  status: number | null
  /** Answer as text; a long one is cut. */
  body: string
  /** Milliseconds from the arrival of the request to its end; null while it is open. */
  after_ms: number | null
}

export type Delivery = {
  number: number
  received_at: string
  method: string
  path: string
  headers: Record<string, string>
  /** Names of the headers that have the right access token. */
  token_in: string[]
  signature: SignatureCheck
  idempotency_key: string | null
  /** 1 for the first request with this key. */
  attempt: number
  event_type: string | null
  article_ids: string[]
  raw_body: string
  /** The behaviour that was set when the request arrived. */
  mode: string
  action: Action | null
  published_url: string | null
  warnings: string[]
  answer: DeliveryAnswer
}

type Arrival = Omit<Delivery, 'number' | 'attempt'>

export type DeliveryLog = {
  add: (arrival: Arrival) => Delivery
  /** Oldest first. */
  list: () => readonly Delivery[]
  /** Requests received since the last reset, also those no longer kept. */
  received: () => number
  clear: () => void
}

const KEPT = 1000
const KEPT_TEXT = 16 * 1024

/** Returns an answer's text, or only its size if it is long. */
export const excerpt = (body: string | Buffer): string =>
  Buffer.byteLength(body) > KEPT_TEXT ? `[${Buffer.byteLength(body)} bytes]` : body.toString()

/** Returns the log of every request to the webhook, numbered from 1, with the attempt each one is for its key. */
export const createDeliveryLog = (saved: readonly Delivery[]): DeliveryLog => {
  let deliveries: Delivery[] = [...saved]
  let received = saved.at(-1)?.number ?? 0
  const attempts = new Map<string, number>()
  for (const { idempotency_key: key, attempt } of saved) if (key !== null) attempts.set(key, attempt)

  const add = (arrival: Arrival): Delivery => {
    received += 1
    const key = arrival.idempotency_key
    const attempt = (key === null ? 0 : (attempts.get(key) ?? 0)) + 1
    if (key !== null) attempts.set(key, attempt)
    const delivery = { ...arrival, number: received, attempt }
    deliveries.push(delivery)
    // Cut in slabs: shifting a long array on every request would make a load test quadratic.
    if (deliveries.length > KEPT * 2) deliveries = deliveries.slice(-KEPT)
    return delivery
  }

  return {
    add,
    list: () => deliveries,
    received: () => received,
    clear: () => {
      deliveries = []
      received = 0
      attempts.clear()
    },
  }
}
