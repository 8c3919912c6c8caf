import { z } from 'zod'
import type { Journal, JournalOptions, Table } from './journal.ts'
import { openJournal } from './journal.ts'

const MessageShape = z.object({
  messageId: z.string(),
  url: z.string().refine((url) => URL.canParse(url)),
  /** Headers for the endpoint besides our own; lower-case names. */
  headers: z.record(z.string(), z.string()),
  /** Base64, so that binary bodies survive the journal. */
  body: z.base64(),
  /** Time of the next attempt here, scaled (ms). */
  dueAt: z.number(),
  retried: z.number(),
  maxRetries: z.number(),
  callerIp: z.string(),
})

export type Message = z.infer<typeof MessageShape>

const DeduplicationShape = z.object({ key: z.string(), messageId: z.string(), expiresAt: z.number() })

type Deduplication = z.infer<typeof DeduplicationShape>

export type Store = {
  messages: Table<Message>
  deduplications: Table<Deduplication>
  group: Journal['group']
  close: () => void
}

/** Opens the tables of the service, in memory or, with `dir`, on file (see journal.ts). */
export const openStore = (place: Pick<JournalOptions, 'dir' | 'say'>): Store => {
  const journal = openJournal({ ...place, tables: { messages: MessageShape, deduplications: DeduplicationShape } })
  return {
    messages: journal.table<Message>('messages'),
    deduplications: journal.table<Deduplication>('deduplications'),
    group: journal.group,
    close: journal.close,
  }
}
