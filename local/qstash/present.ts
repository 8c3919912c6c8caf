import { isUtf8 } from 'node:buffer'
import type { LoggedEvent } from './event-log.ts'
import { readPublishOptions } from './publish-headers.ts'
import type { DeadMessage, Message, Queue, Schedule } from './store.ts'

const multiValued = (headers: Record<string, string>): Record<string, string[]> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]))

const textOrBase64 = (base64: string, text: string, encoded: string): object => {
  const bytes = Buffer.from(base64, 'base64')
  return isUtf8(bytes) ? { [text]: bytes.toString('utf8') } : { [encoded]: base64 }
}

const presentFlowControl = ({ flowControl }: Pick<Message, 'flowControl'>): object =>
  flowControl
    ? {
        flowControlKey: flowControl.key,
        parallelism: flowControl.parallelism,
        rate: flowControl.rate,
        period: flowControl.periodMs / 1_000,
      }
    : {}

/** A message as GET /v2/messages/{id} answers it; times in ms, absent fields left out. */
export const presentMessage = (message: Message): object => ({
  messageId: message.messageId,
  url: message.url,
  method: message.method,
  header: multiValued(message.headers),
  ...textOrBase64(message.body, 'body', 'bodyBase64'),
  maxRetries: message.maxRetries,
  retried: message.retried,
  retryDelayExpression: message.retryDelay,
  notBefore: message.notBefore,
  createdAt: message.createdAt,
  callback: message.callback?.url,
  failureCallback: message.failureCallback?.url,
  queueName: message.queueName,
  scheduleId: message.scheduleId,
  callerIP: message.callerIp,
  label: message.labels[0],
  labels: message.labels.length > 0 ? message.labels : undefined,
  ...presentFlowControl(message),
})

/** A dead letter as GET /v2/dlq answers it. */
export const presentDead = (dead: DeadMessage): object => ({
  ...presentMessage(dead.message),
  dlqId: dead.dlqId,
  responseStatus: dead.responseStatus,
  responseHeader: dead.responseHeader,
  ...textOrBase64(dead.responseBody, 'responseBody', 'responseBodyBase64'),
})

/** A line of GET /v2/events. */
export const presentEvent = ({
  message,
  time,
  state,
  error,
  responseStatus,
  nextDeliveryTime,
}: LoggedEvent): object => ({
  time,
  state,
  messageId: message.messageId,
  url: message.url,
  header: multiValued(message.headers),
  error,
  responseStatus,
  nextDeliveryTime,
  queueName: message.queueName,
  scheduleId: message.scheduleId,
  label: message.labels[0],
  labels: message.labels.length > 0 ? message.labels : undefined,
})

/** A schedule as GET /v2/schedules answers it; `nextScheduleTime` in ms, absent when it never runs again. */
export const presentSchedule = (schedule: Schedule, nextScheduleTime: number | undefined): object => {
  const options = readPublishOptions(schedule.headers)
  return {
    scheduleId: schedule.scheduleId,
    cron: schedule.cron,
    createdAt: schedule.createdAt,
    destination: schedule.destination,
    method: options.method,
    header: multiValued(options.forwarded),
    ...textOrBase64(schedule.body, 'body', 'bodyBase64'),
    retries: options.maxRetries,
    delay: options.delayMs / 1_000,
    retryDelayExpression: options.retryDelay,
    callback: options.callback?.url,
    failureCallback: options.failureCallback?.url,
    callerIP: schedule.callerIp,
    isPaused: schedule.isPaused,
    queueName: schedule.headers['upstash-queue-name'],
    label: options.labels[0],
    labels: options.labels.length > 0 ? options.labels : undefined,
    lastScheduleTime: schedule.lastScheduleTime,
    nextScheduleTime,
    ...presentFlowControl(options),
  }
}

/** A queue as GET /v2/queues answers it; `lag` is the number of messages in it. */
export const presentQueue = (queue: Queue, lag: number): object => ({ ...queue, lag })
