import type { FaultRule } from '../faults.ts'
import { type DeliveryAnswer, NO_ANSWER, type Sender } from './delivery.ts'
import type { Pace } from './message.ts'
import type { Message, Store } from './store.ts'

/** Result of an attempt. A dead message is not attempted again. */
export type Verdict = 'delivered' | 'retry' | 'dead'

const MAX_WAIT_S = 86_400

/** Returns the verdict on an attempt: 2xx is delivered, 489 with `Upstash-NonRetryable-Error: true` ends at once, the rest retries. */
const judge = (message: Message, answer: DeliveryAnswer): Verdict => {
  if (answer.status >= 200 && answer.status < 300) return 'delivered'
  const refused = String(answer.headers['upstash-nonretryable-error']).toLowerCase() === 'true'
  if (answer.status === 489 && refused) return 'dead'
  return message.retried >= message.maxRetries ? 'dead' : 'retry'
}

/**
 * Returns the unscaled wait (ms) before the next attempt, at most a day: what the endpoint asked for in seconds (`Retry-After`), else
 * min(86400, e^(2.5 n)) s for the n-th retry.
 */
const retryWaitMs = (message: Message, answer: DeliveryAnswer): number => {
  const asked = answer.headers['retry-after']
  const waitS = asked !== undefined && /^\d+$/.test(asked) ? Number(asked) : Math.exp(2.5 * (message.retried + 1))
  return Math.min(MAX_WAIT_S, waitS) * 1_000
}

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
