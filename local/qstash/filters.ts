import { queryList } from './listing.ts'
import type { Message } from './store.ts'
import { RequestError } from './wire.ts'

type Facts = { message: Message; time: number; responseStatus?: number; state?: string }

const fields: Record<string, (facts: Facts) => string[]> = {
  messageId: ({ message }) => [message.messageId],
  messageIds: ({ message }) => [message.messageId],
  url: ({ message }) => [message.url],
  host: ({ message }) => [new URL(message.url).host],
  path: ({ message }) => [new URL(message.url).pathname],
  scheduleId: ({ message }) => [message.scheduleId ?? ''],
  queueName: ({ message }) => [message.queueName ?? ''],
  label: ({ message }) => message.labels,
  flowControlKey: ({ message }) => [message.flowControl?.key ?? ''],
  callerIp: ({ message }) => [message.callerIp],
  responseStatus: ({ responseStatus }) => [String(responseStatus ?? '')],
  state: ({ state }) => [state ?? ''],
  topicName: () => [],
}
// URLs and labels may hold commas; only ids and numbers come as lists in one parameter.
const commaSeparated = new Set(['messageIds', 'responseStatus'])

const readTime = (query: URLSearchParams, name: string): number | undefined => {
  const text = query.get(name)
  if (text === null) return undefined
  const time = Number(text)
  if (!Number.isFinite(time)) throw new RequestError(400, `invalid ${name}: "${text}"`)
  return time
}

/**
 * The filter a query asks for: a value of one parameter is enough, all parameters must hold. Parameters that are no
 * filter are passed over. Throws a 400 RequestError.
 */
export const readFilter = (query: URLSearchParams): ((facts: Facts) => boolean) => {
  const from = readTime(query, 'fromDate') ?? Number.NEGATIVE_INFINITY
  const to = readTime(query, 'toDate') ?? Number.POSITIVE_INFINITY
  const wanted = Object.entries(fields)
    .filter(([name]) => query.has(name))
    .map(([name, read]) => ({ read, values: commaSeparated.has(name) ? queryList(query, name) : query.getAll(name) }))
  return (facts) =>
    facts.time >= from &&
    facts.time <= to &&
    wanted.every(({ read, values }) => read(facts).some((value) => values.includes(value)))
}
