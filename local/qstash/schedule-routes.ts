import { presentQueue, presentSchedule } from './present.ts'
import { upsertQueue } from './queues.ts'
import type { ApiRequest, Route } from './route.ts'
import type { Service } from './service.ts'
import type { Queue, Schedule } from './store.ts'
import type { Answer } from './wire.ts'
import { parseObject, RequestError } from './wire.ts'

const onWire = (service: Service, schedule: Schedule): object =>
  presentSchedule(schedule, service.scheduler.nextTime(schedule))

const getSchedule = (service: Service, scheduleId: string): Answer => {
  const schedule = service.store.schedules.get(scheduleId)
  if (!schedule) throw new RequestError(404, `schedule ${scheduleId} not found`)
  return { status: 200, body: onWire(service, schedule) }
}

const createSchedule = (service: Service, { headers, body, callerIp }: ApiRequest, destination: string): Answer => {
  const { scheduleId } = service.scheduler.put({ destination, headers, body, callerIp })
  return { status: 201, body: { scheduleId } }
}

// The SDK sends PATCH, the published API description says POST.
const pauseRoute = (method: 'PATCH' | 'POST', verb: 'pause' | 'resume'): Route => ({
  method,
  pattern: new RegExp(`^/v2/schedules/([^/]+)/${verb}$`),
  handle: (service, _, [id = '']) => {
    service.scheduler.setPaused(decodeURIComponent(id), verb === 'pause')
    return { status: 200 }
  },
})

const requireQueue = (service: Service, name: string): Queue => {
  const queue = service.store.queues.get(name)
  if (!queue) throw new RequestError(404, `queue ${name} not found`)
  return queue
}

const changeQueue = (service: Service, name: string, change: { parallelism?: number; paused?: boolean }): Answer => {
  upsertQueue(service.store.queues, name, change, service.clock())
  service.dispatcher.wake()
  return { status: 200 }
}

const upsertFromBody = (service: Service, { body }: ApiRequest): Answer => {
  const { queueName, parallelism, paused } = parseObject(body)
  if (typeof queueName !== 'string' || queueName === '') throw new RequestError(400, 'queueName is missing')
  return changeQueue(service, queueName, {
    ...(parallelism === undefined ? {} : { parallelism: Number(parallelism) }),
    ...(paused === undefined ? {} : { paused: paused === true }),
  })
}

const deleteQueue = (service: Service, name: string): Answer => {
  requireQueue(service, name)
  const members = service.store.messages.values().filter((message) => message.queueName === name)
  for (const { messageId } of members) service.cancel(messageId)
  service.store.queues.remove(name)
  return { status: 200 }
}

const queueOnWire = (service: Service, queue: Queue): object =>
  presentQueue(queue, service.dispatcher.queueLength(queue.name))

export const scheduleRoutes: Route[] = [
  pauseRoute('PATCH', 'pause'),
  pauseRoute('PATCH', 'resume'),
  pauseRoute('POST', 'pause'),
  pauseRoute('POST', 'resume'),
  {
    method: 'POST',
    pattern: /^\/v2\/schedules\/(.+)$/s,
    raw: true,
    handle: (service, request, [destination = '']) => createSchedule(service, request, destination),
  },
  {
    method: 'GET',
    pattern: /^\/v2\/schedules$/,
    handle: (service) => {
      const schedules = service.store.schedules.values()
      return { status: 200, body: schedules.map((schedule) => onWire(service, schedule)) }
    },
  },
  {
    method: 'GET',
    pattern: /^\/v2\/schedules\/([^/]+)$/,
    handle: (service, _, [id = '']) => getSchedule(service, decodeURIComponent(id)),
  },
  {
    method: 'DELETE',
    pattern: /^\/v2\/schedules\/([^/]+)$/,
    handle: (service, _, [id = '']) => {
      service.scheduler.remove(decodeURIComponent(id))
      return { status: 200 }
    },
  },
]

export const queueRoutes: Route[] = [
  { method: 'POST', pattern: /^\/v2\/queues$/, handle: upsertFromBody },
  {
    method: 'GET',
    pattern: /^\/v2\/queues$/,
    handle: (service) => ({
      status: 200,
      body: service.store.queues.values().map((queue) => queueOnWire(service, queue)),
    }),
  },
  {
    method: 'GET',
    pattern: /^\/v2\/queues\/([^/]+)$/,
    handle: (service, _, [name = '']) => {
      const queue = requireQueue(service, decodeURIComponent(name))
      return { status: 200, body: queueOnWire(service, queue) }
    },
  },
  {
    method: 'DELETE',
    pattern: /^\/v2\/queues\/([^/]+)$/,
    handle: (service, _, [name = '']) => deleteQueue(service, decodeURIComponent(name)),
  },
  {
    method: 'POST',
    pattern: /^\/v2\/queues\/([^/]+)\/(pause|resume)$/,
    handle: (service, _, [name = '', verb]) => {
      const queue = requireQueue(service, decodeURIComponent(name))
      return changeQueue(service, queue.name, { paused: verb === 'pause' })
    },
  },
]
