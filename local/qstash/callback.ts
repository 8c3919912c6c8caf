import type { DeliveryAnswer } from './delivery.ts'
import { createMessage, type Pace } from './message.ts'
import type { Message } from './store.ts'

const multiValued = (headers: Record<string, string>): Record<string, string[]> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]))

/** The failure callback of a message that was given up: a message like any other, signed and retried. None if none was asked for. */
export const failureCallbackOf = (
  message: Message,
  answer: DeliveryAnswer,
  now: number,
  pace: Pace,
): Message | undefined => {
  if (!message.failureCallback) return undefined
  const said = answer.error === undefined ? answer.body : Buffer.from(answer.error)
  const body = {
    status: answer.status,
    header: answer.headers,
    body: said.toString('base64'),
    retried: message.retried,
    maxRetries: message.maxRetries,
    dlqId: `${now}-0`,
    sourceMessageId: message.messageId,
    url: message.url,
    method: 'POST',
    sourceHeader: multiValued(message.headers),
    sourceBody: message.body,
    notBefore: message.notBefore,
    createdAt: message.createdAt,
    callerIP: message.callerIp,
  }
  const { url, headers } = message.failureCallback
  const publication = { destination: url, headers, body: Buffer.from(JSON.stringify(body)), callerIp: message.callerIp }
  return createMessage(publication, now, pace)
}
