import type { Message } from './store.ts'

type EventState = 'CREATED' | 'ACTIVE' | 'DELIVERED' | 'ERROR' | 'RETRY' | 'FAILED' | 'CANCELED'

export type LoggedEvent = {
  seq: number
  time: number
  state: EventState
  message: Message
  error?: string
  responseStatus?: number
  nextDeliveryTime?: number
}

type Details = Pick<LoggedEvent, 'error' | 'responseStatus' | 'nextDeliveryTime'>

export type EventLog = {
  record: (state: EventState, message: Message, details?: Details) => void
  /** Newest first. */
  events: () => LoggedEvent[]
}

const capacity = 2_000

/** The last 2,000 things that happened to messages, in memory only. */
export const createEventLog = (clock: () => number): EventLog => {
  const ring: LoggedEvent[] = []
  let seq = 0
  const record: EventLog['record'] = (state, message, details = {}) => {
    seq += 1
    // Bodies are left out: the ring would otherwise keep up to 2 GB alive.
    ring.push({ seq, time: clock(), state, message: { ...message, body: '' }, ...details })
    if (ring.length > capacity) ring.shift()
  }
  return { record, events: () => ring.toReversed() }
}
