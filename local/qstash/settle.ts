import type { FaultRule } from '../faults.ts'
import { failureCallbackOf } from './callback.ts'
import type { DeliveryAnswer, Sender } from './delivery.ts'
import { noAnswer } from './delivery.ts'
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

/** One attempt at a message; resolves with the messages that are to be scheduled because of it. */
export type Attempt = (message: Message, rule: FaultRule | undefined) => Promise<Message[]>

const pretend = (rule: FaultRule): DeliveryAnswer => {
  const headers = { 'content-type': ['application/json'] }
  return { status: rule.status ?? 0, headers, body: Buffer.from(JSON.stringify(rule.answer ?? {})) }
}

const askEndpoint = async (sender: Sender, message: Message, rule: FaultRule | undefined): Promise<DeliveryAnswer> => {
  if (rule?.status !== undefined) return pretend(rule)
  let answer = await sender.send(message)
  for (let n = 1; n < (rule?.repeat ?? 1); n += 1) answer = await sender.send(message)
  return rule?.drop === 'after' ? noAnswer('the answer was lost') : answer
}

const settle = (options: AttemptOptions, message: Message, answer: DeliveryAnswer): Message[] => {
  const { store, clock, pace, onVerdict } = options
  const verdict = judge(message, answer)
  const now = clock()
  onVerdict(verdict)
  if (verdict === 'retry') {
    const change = { retried: message.retried + 1, dueAt: now + retryWaitMs(message, answer, now) / pace.timeScale }
    store.messages.patch(message.messageId, change)
    return [{ ...message, ...change }]
  }
  const callback = verdict === 'dead' ? failureCallbackOf(message, answer, now, pace) : undefined
  store.group(() => {
    store.messages.remove(message.messageId)
    if (callback) store.messages.put(callback.messageId, callback)
  })
  return callback ? [callback] : []
}

/** Makes attempts and stores what they came to: delivered, retried later, or dead, with its failure callback. */
export const createAttempt =
  (options: AttemptOptions): Attempt =>
  async (message, rule) => {
    const { store, sender, isClosed } = options
    if (isClosed()) return []
    if (rule?.drop === 'before') {
      store.messages.remove(message.messageId)
      return []
    }
    const answer = await askEndpoint(sender, message, rule)
    // Closed: the next start delivers it again.
    return isClosed() ? [] : settle(options, message, answer)
  }
