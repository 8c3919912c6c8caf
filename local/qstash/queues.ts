import type { Queue, Store } from './store.ts'
import { RequestError } from './wire.ts'

type QueueChange = { parallelism?: number; paused?: boolean }

/** Creates or changes a queue (parallelism 1, not paused, by default). Throws a 400 RequestError for a bad parallelism. */
export const upsertQueue = (queues: Store['queues'], name: string, change: QueueChange, now: number): Queue => {
  const known = queues.get(name)
  const parallelism = change.parallelism ?? known?.parallelism ?? 1
  if (!Number.isInteger(parallelism) || parallelism < 1) {
    throw new RequestError(400, `invalid parallelism: ${parallelism}`)
  }
  const paused = change.paused ?? known?.paused ?? false
  const queue = { name, parallelism, paused, createdAt: known?.createdAt ?? now, updatedAt: now }
  queues.put(name, queue)
  return queue
}
