import type { DeliveryAnswer } from './delivery.ts'
import { parseWait } from './duration.ts'
import type { Message } from './store.ts'

export type Verdict = 'delivered' | 'retry' | 'dead'

const dayMs = 86_400_000
const waitHeaders = ['retry-after', 'x-ratelimit-reset', 'x-ratelimit-reset-requests', 'x-ratelimit-reset-tokens']

/** What an attempt means: 2xx is delivered, 489 with `Upstash-NonRetryable-Error: true` ends at once, the rest retries. */
export const judge = (message: Message, answer: DeliveryAnswer): Verdict => {
  if (answer.status >= 200 && answer.status < 300) return 'delivered'
  const refused = answer.headers['upstash-nonretryable-error']?.[0]?.toLowerCase() === 'true'
  if (answer.status === 489 && refused) return 'dead'
  return message.retried >= message.maxRetries ? 'dead' : 'retry'
}

/**
 * The unscaled wait (ms) before the next attempt, at most a day: what the endpoint asked for, else
 * min(86400, e^(2.5 n)) s for the n-th retry.
 */
export const retryWaitMs = (message: Message, answer: DeliveryAnswer, now: number): number => {
  for (const name of waitHeaders) {
    const asked = parseWait(answer.headers[name]?.[0] ?? '', now)
    if (asked !== undefined) return Math.min(dayMs, asked)
  }
  return Math.min(dayMs, Math.exp(2.5 * (message.retried + 1)) * 1_000)
}
