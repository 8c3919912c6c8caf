import type { Journal, Table } from './journal.ts'
import { openJournal } from './journal.ts'

export type Message = {
  messageId: string
  url: string
  /** What the endpoint gets besides our own headers; lower-case names. */
  headers: Record<string, string>
  /** Base64, so that binary bodies survive the journal. */
  body: string
  /** When the next attempt is due here, scaled (ms). */
  dueAt: number
  retried: number
  maxRetries: number
  callerIp: string
}

type Deduplication = { key: string; messageId: string; expiresAt: number }

export type Store = {
  messages: Table<Message>
  deduplications: Table<Deduplication>
  group: Journal['group']
  close: () => void
}

/** Everything this service must not forget, in memory or, with `dir`, on file (see journal.ts). */
export const openStore = (dir?: string): Store => {
  const journal = openJournal(dir)
  return {
    messages: journal.table<Message>('messages'),
    deduplications: journal.table<Deduplication>('deduplications'),
    group: journal.group,
    close: journal.close,
  }
}
