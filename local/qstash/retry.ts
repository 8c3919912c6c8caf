import type { DeliveryAnswer } from './delivery.ts'
import type { Message } from './store.ts'

export type Verdict = 'delivered' | 'retry' | 'dead'

const MAX_WAIT_S = 86_400

/** Returns the verdict on an attempt: 2xx is delivered, 489 with `Upstash-NonRetryable-Error: true` ends at once, the rest retries. */
export const judge = (message: Message, answer: DeliveryAnswer): Verdict => {
  if (answer.status >= 200 && answer.status < 300) return 'delivered'
  const refused = String(answer.headers['upstash-nonretryable-error']).toLowerCase() === 'true'
  if (answer.status === 489 && refused) return 'dead'
  return message.retried >= message.maxRetries ? 'dead' : 'retry'
}

/**
 * Returns the unscaled wait (ms) before the next attempt, at most a day: what the endpoint asked for in seconds (`Retry-After`), else
 * min(86400, e^(2.5 n)) s for the n-th retry.
 */
export const retryWaitMs = (message: Message, answer: DeliveryAnswer): number => {
  const asked = answer.headers['retry-after']
  const waitS = asked !== undefined && /^\d+$/.test(asked) ? Number(asked) : Math.exp(2.5 * (message.retried + 1))
  return Math.min(MAX_WAIT_S, waitS) * 1_000
}
