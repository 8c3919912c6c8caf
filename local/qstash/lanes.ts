import type { Message, Store } from './store.ts'

export type Lanes = {
  join: (message: Message) => void
  leave: (message: Message) => void
  /** True when the message is in no queue, or is among the first `parallelism` of one that is not paused. */
  mayStart: (message: Message) => boolean
  length: (queueName: string) => number
}

/**
 * The order inside queues. A message keeps its place through its retries, so those behind it wait: that is what makes
 * a queue FIFO.
 */
export const createLanes = (queues: Store['queues']): Lanes => {
  const lanes = new Map<string, string[]>()

  const join = ({ queueName, messageId }: Message): void => {
    if (queueName === undefined) return
    const lane = lanes.get(queueName) ?? []
    lanes.set(queueName, lane)
    if (!lane.includes(messageId)) lane.push(messageId)
  }
  const leave = ({ queueName, messageId }: Message): void => {
    const lane = lanes.get(queueName ?? '') ?? []
    const at = lane.indexOf(messageId)
    if (at !== -1) lane.splice(at, 1)
  }
  const mayStart = ({ queueName, messageId }: Message): boolean => {
    if (queueName === undefined) return true
    const queue = queues.get(queueName)
    if (queue?.paused) return false
    return (lanes.get(queueName) ?? []).slice(0, queue?.parallelism ?? 1).includes(messageId)
  }
  return { join, leave, mayStart, length: (queueName) => lanes.get(queueName)?.length ?? 0 }
}
