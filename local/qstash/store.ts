import type { Journal, Table } from './journal.ts'
import { openJournal } from './journal.ts'
import type { FlowControl } from './publish-headers.ts'

/** Where a callback goes, with the publish headers (`upstash-retries`, `upstash-forward-…`) it is to be sent under. */
export type Callback = { url: string; headers: Record<string, string> }

export type Message = {
  messageId: string
  url: string
  method: string
  /** What the endpoint gets besides our own headers; lower-case names. */
  headers: Record<string, string>
  /** Base64, so that binary bodies survive the journal. */
  body: string
  createdAt: number
  /** When the publisher asked for it, unscaled (ms). */
  notBefore: number
  /** When the next attempt is due here, scaled (ms). */
  dueAt: number
  retried: number
  maxRetries: number
  retryDelay?: string
  timeoutMs: number
  callback?: Callback
  failureCallback?: Callback
  queueName?: string
  scheduleId?: string
  labels: string[]
  flowControl?: FlowControl
  callerIp: string
}

export type DeadMessage = {
  dlqId: string
  message: Message
  failedAt: number
  responseStatus: number
  responseHeader: Record<string, string[]>
  /** Base64. */
  responseBody: string
}

export type Schedule = {
  scheduleId: string
  cron: string
  destination: string
  /** The publish headers given at creation, applied again for every message. */
  headers: Record<string, string>
  body: string
  callerIp: string
  createdAt: number
  isPaused: boolean
  lastScheduleTime?: number
}

export type Queue = { name: string; parallelism: number; paused: boolean; createdAt: number; updatedAt: number }

type Deduplication = { key: string; messageId: string; expiresAt: number }

export type Store = {
  messages: Table<Message>
  dead: Table<DeadMessage>
  schedules: Table<Schedule>
  queues: Table<Queue>
  deduplications: Table<Deduplication>
  group: Journal['group']
  close: () => void
}

/** Everything this service must not forget, in memory or, with `dir`, on file (see journal.ts). */
export const openStore = (dir?: string): Store => {
  const journal = openJournal(dir)
  return {
    messages: journal.table<Message>('messages'),
    dead: journal.table<DeadMessage>('dead'),
    schedules: journal.table<Schedule>('schedules'),
    queues: journal.table<Queue>('queues'),
    deduplications: journal.table<Deduplication>('deduplications'),
    group: journal.group,
    close: journal.close,
  }
}
