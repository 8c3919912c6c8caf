import type { FaultRule } from '../faults.ts'
import { type DeliveryAnswer, NO_ANSWER, type Sender } from './delivery.ts'
import type { Pace } from './message.ts'
import { judge, retryWaitMs, type Verdict } from './retry.ts'
import type { Message, Store } from './store.ts'

type AttemptOptions = {
  store: Store
  sender: Sender
  clock: () => number
  pace: Pace
  isClosed: () => boolean
  onVerdict: (verdict: Verdict) => void
}

/** One attempt at a message. Resolves with the message to attempt later, if there is one. */
export type Attempt = (message: Message, rule: FaultRule | undefined) => Promise<Message | undefined>

const askEndpoint = async (sender: Sender, message: Message, rule: FaultRule | undefined): Promise<DeliveryAnswer> => {
  if (rule?.status !== undefined) return { status: rule.status, headers: {} }
  let answer = await sender.send(message)
  for (let n = 1; n < (rule?.repeat ?? 1); n += 1) answer = await sender.send(message)
  return rule?.drop === 'after' ? NO_ANSWER : answer
}

/** Creates the function that makes attempts and stores their results: delivered, retried later, or dead. */
export const createAttempt =
  ({ store, sender, clock, pace, isClosed, onVerdict }: AttemptOptions): Attempt =>
  async (message, rule) => {
    if (isClosed()) return undefined
    if (rule?.drop === 'before') {
      store.messages.remove(message.messageId)
      return undefined
    }
    const answer = await askEndpoint(sender, message, rule)
    // Closed: the next start delivers it again.
    if (isClosed()) return undefined
    const verdict = judge(message, answer)
    onVerdict(verdict)
    if (verdict !== 'retry') {
      store.messages.remove(message.messageId)
      return undefined
    }
    const dueAt = clock() + retryWaitMs(message, answer) / pace.timeScale
    const later = { ...message, retried: message.retried + 1, dueAt }
    store.messages.put(message.messageId, later)
    return later
  }
