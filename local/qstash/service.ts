import type { Faults } from '../faults.ts'
import { createFaults } from '../faults.ts'
import { createSender } from './delivery.ts'
import type { Dispatcher } from './dispatcher.ts'
import { createDispatcher } from './dispatcher.ts'
import type { EventLog } from './event-log.ts'
import { createEventLog } from './event-log.ts'
import type { Publication } from './message.ts'
import { createMessage, deduplicationKey } from './message.ts'
import { upsertQueue } from './queues.ts'
import type { Scheduler } from './schedules.ts'
import { createScheduler } from './schedules.ts'
import { createAttempt } from './settle.ts'
import type { SigningKeys } from './signature.ts'
import { signDelivery } from './signature.ts'
import type { Message, Schedule, Store } from './store.ts'
import { openStore } from './store.ts'

export type ServiceOptions = {
  token: string
  signingKeys: SigningKeys
  /** Where accepted messages are kept through a restart; in memory only when absent. */
  dir?: string
  /** Delays, back-off and flow-control periods are divided by this. Crons, time-outs and the dedup window are not. */
  timeScale?: number
  /** Public URL prefix -> where this machine reaches it. The signature names the public URL. */
  publicUrlAliases?: Record<string, string>
}

type Accepted = { messageId: string; deduplicated?: boolean }

export type Service = {
  token: string
  signingKeys: SigningKeys
  timeScale: number
  store: Store
  log: EventLog
  faults: Faults
  deliveryFaults: Faults
  dispatcher: Dispatcher
  scheduler: Scheduler
  clock: () => number
  signWith: { key: keyof SigningKeys }
  delivered: { count: number }
  /** Takes one publication; it is on file when this returns. Throws a RequestError. */
  accept: (publication: Publication) => Accepted
  /** Takes back a message that waits or is in flight; false when there is none. */
  cancel: (messageId: string) => boolean
  close: () => void
}

type Parts = Pick<Service, 'store' | 'log' | 'dispatcher' | 'clock' | 'timeScale'>

const deduplicationMs = 10 * 60_000
const maxParallelDeliveries = 20

const forgetExpired = ({ deduplications }: Store, now: number): void => {
  // Insertion order is expiry order, so the first one that is still alive ends the search.
  for (let first = deduplications.oldest(); first && first.expiresAt <= now; first = deduplications.oldest()) {
    deduplications.remove(first.key)
  }
}

const accept = (parts: Parts, publication: Publication): Accepted => {
  const { store, log, dispatcher } = parts
  const now = parts.clock()
  const message = createMessage(publication, now, parts.timeScale)
  const key = deduplicationKey(publication.headers, message)
  forgetExpired(store, now)
  const known = key === undefined ? undefined : store.deduplications.get(key)
  if (known) return { messageId: known.messageId, deduplicated: true }
  const { messageId, queueName } = message
  store.group(() => {
    store.messages.put(messageId, message)
    if (key) store.deduplications.put(key, { key, messageId, expiresAt: now + deduplicationMs })
    if (queueName && !store.queues.get(queueName)) upsertQueue(store.queues, queueName, {}, now)
  })
  log.record('CREATED', message)
  dispatcher.add(message)
  return { messageId }
}

const cancel = ({ store, log, dispatcher }: Parts, messageId: string): boolean => {
  const message = store.messages.get(messageId)
  if (!message) return false
  store.messages.remove(messageId)
  log.record('CANCELED', message)
  dispatcher.forget(message)
  return true
}

const publishSchedule = (parts: Parts, schedule: Schedule): Accepted => {
  const { destination, headers, callerIp, scheduleId } = schedule
  return accept(parts, { destination, headers, callerIp, scheduleId, body: Buffer.from(schedule.body, 'base64') })
}

const resume = ({ store, dispatcher }: Parts): void => {
  const waiting: Message[] = store.messages.values()
  for (const message of waiting) dispatcher.add(message)
}

/** Puts the parts together and takes up what `dir` still holds. Throws a RangeError for a time scale that is not positive. */
export const createService = (options: ServiceOptions): Service => {
  const { token, signingKeys, timeScale = 1, publicUrlAliases = {} } = options
  if (!(timeScale > 0)) throw new RangeError(`timeScale must be positive, got ${timeScale}`)
  const clock = Date.now
  const store = openStore(options.dir)
  const log = createEventLog(clock)
  const deliveryFaults = createFaults('/_delivery_faults')
  const signWith: Service['signWith'] = { key: 'current' }
  const delivered = { count: 0 }
  const life = { closed: false }
  const sender = createSender({
    sign: (url, body) => signDelivery(signingKeys[signWith.key], url, body, clock()),
    aliases: publicUrlAliases,
  })
  const onDelivered = (): void => {
    delivered.count += 1
  }
  const attempt = createAttempt({ store, log, sender, clock, timeScale, isClosed: () => life.closed, onDelivered })
  const shared = { store, clock, timeScale }
  const dispatcher = createDispatcher({
    ...shared,
    attempt,
    faults: deliveryFaults,
    maxParallel: maxParallelDeliveries,
  })
  const parts: Parts = { ...shared, log, dispatcher }
  const scheduler = createScheduler({
    schedules: store.schedules,
    publish: (schedule) => publishSchedule(parts, schedule),
    clock,
  })
  resume(parts)
  const close = (): void => {
    life.closed = true
    scheduler.close()
    dispatcher.close()
    sender.close()
    store.close()
  }
  return {
    ...{ token, signingKeys, signWith, delivered, faults: createFaults(), deliveryFaults, scheduler },
    ...parts,
    accept: (publication) => accept(parts, publication),
    cancel: (messageId) => cancel(parts, messageId),
    close,
  }
}
