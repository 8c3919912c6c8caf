import type { FaultRule } from '../faults.ts'
import { answerBody, createCallbacks } from './callback.ts'
import type { DeliveryAnswer, Sender } from './delivery.ts'
import { noAnswer } from './delivery.ts'
import type { EventLog } from './event-log.ts'
import { judge, retryWaitMs } from './retry.ts'
import type { Message, Store } from './store.ts'

export type AttemptOptions = {
  store: Store
  log: EventLog
  sender: Sender
  clock: () => number
  timeScale: number
  isClosed: () => boolean
  onDelivered: () => void
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

// The number keeps ids apart and in order within one millisecond; real ids are such pairs too.
const nextDlqId = (store: Store, now: number): string => {
  let n = 0
  while (store.dead.get(`${now}-${n}`)) n += 1
  return `${now}-${n}`
}

const bury = ({ store, clock }: AttemptOptions, message: Message, answer: DeliveryAnswer): string => {
  const failedAt = clock()
  const dlqId = nextDlqId(store, failedAt)
  store.dead.put(dlqId, {
    dlqId,
    message,
    failedAt,
    responseStatus: answer.status,
    responseHeader: answer.headers,
    responseBody: answerBody(answer),
  })
  return dlqId
}

const settle = (options: AttemptOptions, message: Message, answer: DeliveryAnswer): Message[] => {
  const { store, log, clock, timeScale } = options
  const verdict = judge(message, answer)
  const now = clock()
  const wait = verdict === 'retry' ? retryWaitMs(message, answer, now) / timeScale : 0
  const change = { retried: message.retried + 1, dueAt: now + wait }
  let callbacks: Message[] = []
  store.group(() => {
    const dlqId = verdict === 'dead' ? bury(options, message, answer) : undefined
    callbacks = createCallbacks({ message, answer, ...(dlqId ? { dlqId } : {}) }, now, timeScale)
    for (const callback of callbacks) store.messages.put(callback.messageId, callback)
    if (verdict === 'retry') store.messages.patch(message.messageId, change)
    else store.messages.remove(message.messageId)
  })
  if (verdict === 'delivered') {
    log.record('DELIVERED', message, { responseStatus: answer.status })
    options.onDelivered()
    return callbacks
  }
  const details = { responseStatus: answer.status, error: answer.error ?? `status ${answer.status}` }
  log.record('ERROR', message, details)
  if (verdict === 'retry') log.record('RETRY', message, { nextDeliveryTime: change.dueAt })
  else log.record('FAILED', message, details)
  return verdict === 'retry' ? [...callbacks, { ...message, ...change }] : callbacks
}

/** Makes attempts and stores what they came to: delivered, retried later, or dead, with the callbacks each entails. */
export const createAttempt =
  (options: AttemptOptions): Attempt =>
  async (message, rule) => {
    const { store, log, sender } = options
    if (options.isClosed()) return []
    if (rule?.drop === 'before') {
      store.messages.remove(message.messageId)
      return []
    }
    log.record('ACTIVE', message)
    const answer = await askEndpoint(sender, message, rule)
    // Cancelled meanwhile: the answer no longer matters. Closed: the next start delivers it again.
    if (options.isClosed() || !store.messages.get(message.messageId)) return []
    return settle(options, message, answer)
  }
