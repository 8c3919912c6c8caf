/** One run of an outbox row: its number and its lease say whether the row is still in its hands. */
export type Run = { id: number; attempts: number; leaseUntil: Date }
