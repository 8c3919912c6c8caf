import { readFilter } from './filters.ts'
import { pageOf, queryList } from './listing.ts'
import { newId } from './message.ts'
import { presentDead, presentEvent, presentMessage } from './present.ts'
import type { ApiRequest, Route } from './route.ts'
import type { Service } from './service.ts'
import type { DeadMessage } from './store.ts'
import type { Answer } from './wire.ts'
import { RequestError } from './wire.ts'

const getMessage = (service: Service, messageId: string): Answer => {
  const message = service.store.messages.get(messageId)
  if (!message) throw new RequestError(404, `message ${messageId} not found`)
  return { status: 200, body: presentMessage(message) }
}

const cancelOne = (service: Service, messageId: string): Answer => {
  if (!service.cancel(messageId)) throw new RequestError(404, `message ${messageId} not found`)
  return { status: 200, body: { cancelled: 1 } }
}

const cancelMany = (service: Service, { query }: ApiRequest): Answer => {
  const matches = readFilter(query)
  const found = service.store.messages.values().filter((message) => matches({ message, time: message.createdAt }))
  for (const { messageId } of found) service.cancel(messageId)
  return { status: 200, body: { cancelled: found.length } }
}

const isLaterDlqId = (id: string, cursor: string): boolean => {
  const [ms = 0, n = 0] = id.split('-').map(Number)
  const [cursorMs = 0, cursorN = 0] = cursor.split('-').map(Number)
  return ms > cursorMs || (ms === cursorMs && n > cursorN)
}

const pageOfDead = (service: Service, query: URLSearchParams): { rows: DeadMessage[]; cursor?: string } => {
  const matches = readFilter(query)
  const ids = queryList(query, 'dlqIds')
  const found = service.store.dead
    .values()
    .filter(({ message, failedAt, responseStatus }) => matches({ message, time: failedAt, responseStatus }))
    .filter(({ dlqId }) => ids.length === 0 || ids.includes(dlqId))
  return pageOf(found, query, ({ dlqId }) => dlqId, isLaterDlqId)
}

const requireDead = (service: Service, dlqId: string): DeadMessage => {
  const dead = service.store.dead.get(dlqId)
  if (!dead) throw new RequestError(404, `dead letter ${dlqId} not found`)
  return dead
}

const listDead = (service: Service, { query }: ApiRequest): Answer => {
  const { rows, cursor } = pageOfDead(service, query)
  return { status: 200, body: { messages: rows.map(presentDead), cursor } }
}

const deleteDead = (service: Service, { query }: ApiRequest): Answer => {
  const { rows, cursor } = pageOfDead(service, query)
  for (const { dlqId } of rows) service.store.dead.remove(dlqId)
  return { status: 200, body: { deleted: rows.length, cursor } }
}

const republish = ({ store, dispatcher, log, clock }: Service, dead: DeadMessage): { messageId: string } => {
  const now = clock()
  const times = { createdAt: now, notBefore: now, dueAt: now }
  const message = { ...dead.message, ...times, messageId: newId('msg'), retried: 0 }
  store.group(() => {
    store.messages.put(message.messageId, message)
    store.dead.remove(dead.dlqId)
  })
  log.record('CREATED', message)
  dispatcher.add(message)
  return { messageId: message.messageId }
}

const retryDead = (service: Service, { query }: ApiRequest): Answer => {
  const { rows, cursor } = pageOfDead(service, query)
  return { status: 201, body: { responses: rows.map((dead) => republish(service, dead)), cursor } }
}

const listEvents = (service: Service, { query }: ApiRequest): Answer => {
  const matches = readFilter(query)
  const older = (seq: string, cursor: string): boolean => Number(seq) < Number(cursor)
  const { rows, cursor } = pageOf(service.log.events().filter(matches), query, ({ seq }) => String(seq), older)
  return { status: 200, body: { events: rows.map(presentEvent), cursor } }
}

export const messageRoutes: Route[] = [
  { method: 'GET', pattern: /^\/v2\/messages\/([^/]+)$/, handle: (service, _, [id = '']) => getMessage(service, id) },
  { method: 'DELETE', pattern: /^\/v2\/messages\/([^/]+)$/, handle: (service, _, [id = '']) => cancelOne(service, id) },
  { method: 'DELETE', pattern: /^\/v2\/messages$/, handle: cancelMany },
  { method: 'GET', pattern: /^\/v2\/dlq$/, handle: listDead },
  { method: 'DELETE', pattern: /^\/v2\/dlq$/, handle: deleteDead },
  { method: 'POST', pattern: /^\/v2\/dlq\/retry$/, handle: retryDead },
  {
    method: 'POST',
    pattern: /^\/v2\/dlq\/retry\/([^/]+)$/,
    handle: (service, _, [id = '']) => ({
      status: 201,
      body: { responses: [republish(service, requireDead(service, id))] },
    }),
  },
  {
    method: 'GET',
    pattern: /^\/v2\/dlq\/([^/]+)$/,
    handle: (service, _, [id = '']) => ({ status: 200, body: presentDead(requireDead(service, id)) }),
  },
  {
    method: 'DELETE',
    pattern: /^\/v2\/dlq\/([^/]+)$/,
    handle: (service, _, [id = '']) => {
      service.store.dead.remove(requireDead(service, id).dlqId)
      return { status: 200 }
    },
  },
  { method: 'GET', pattern: /^\/v2\/(?:events|logs)$/, handle: listEvents },
]
