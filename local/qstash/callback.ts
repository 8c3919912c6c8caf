import type { DeliveryAnswer } from './delivery.ts'
import { createMessage } from './message.ts'
import type { Callback, Message } from './store.ts'

/** The answer's body in base64; the reason instead, when no answer came. */
export const answerBody = (answer: DeliveryAnswer): string =>
  (answer.error === undefined ? answer.body : Buffer.from(answer.error)).toString('base64')

const callbackBody = (message: Message, answer: DeliveryAnswer, dlqId?: string): object => ({
  status: answer.status,
  header: answer.headers,
  body: answerBody(answer),
  retried: message.retried,
  maxRetries: message.maxRetries,
  sourceMessageId: message.messageId,
  url: message.url,
  method: message.method,
  sourceHeader: Object.fromEntries(Object.entries(message.headers).map(([name, value]) => [name, [value]])),
  sourceBody: message.body,
  notBefore: message.notBefore,
  createdAt: message.createdAt,
  callerIP: message.callerIp,
  ...(message.scheduleId ? { scheduleId: message.scheduleId } : {}),
  ...(message.queueName ? { queueName: message.queueName } : {}),
  ...(dlqId ? { dlqId } : {}),
})

type Outcome = { message: Message; answer: DeliveryAnswer; dlqId?: string }

/**
 * The callback messages one attempt entails: the callback after every attempt, the failure callback when the message
 * has gone to the dead letter queue as `dlqId`. They are messages like any other: signed, retried, never lost.
 */
export const createCallbacks = ({ message, answer, dlqId }: Outcome, now: number, timeScale: number): Message[] => {
  const create = ({ url, headers }: Callback, id?: string): Message => {
    const body = Buffer.from(JSON.stringify(callbackBody(message, answer, id)))
    return createMessage({ destination: url, headers, body, callerIp: message.callerIp }, now, timeScale)
  }
  const messages: Message[] = []
  if (message.callback) messages.push(create(message.callback))
  if (dlqId && message.failureCallback) messages.push(create(message.failureCallback, dlqId))
  return messages
}
