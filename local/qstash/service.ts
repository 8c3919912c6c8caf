import { createFaults, type Faults } from '../faults.ts'
import { createSender } from './delivery.ts'
import { createDispatcher, type Dispatcher } from './dispatcher.ts'
import { createMessage, type Pace, type Publication } from './message.ts'
import { createAttempt, type Verdict } from './settle.ts'
import { type SigningKeys, signDelivery } from './signature.ts'
import { openStore, type Store } from './store.ts'

export type ServiceOptions = {
  token: string
  signingKeys: SigningKeys
  /** Folder that keeps accepted messages through a restart; in memory only if absent. */
  dir?: string
  /** Called with a sentence if the file of messages is not as the last run left it. */
  say?: ((notice: string) => void) | undefined
  /** Waits and back-off are divided by this. Time-outs and the deduplication window are not. */
  timeScale?: number
  /** Delivers at the time that a message names, whatever the time scale. */
  punctual?: boolean
}

type Accepted = { messageId: string; deduplicated?: boolean }

export type Service = {
  token: string
  pace: Pace
  store: Store
  /** Of the API's requests, of single messages in a batch, of deliveries. */
  faults: Faults
  messageFaults: Faults
  deliveryFaults: Faults
  dispatcher: Dispatcher
  signingKeys: SigningKeys
  signWith: { key: keyof SigningKeys }
  counts: Record<Verdict, number>
  /** Accepts one publication; it is on file when this returns. Throws a RequestError. */
  accept: (publication: Publication) => Accepted
  close: () => void
}

type Parts = Pick<Service, 'store' | 'dispatcher' | 'pace'>

const DEDUPLICATION_MS = 10 * 60_000
const MAX_PARALLEL = 20

const forgetExpired = ({ deduplications }: Store, now: number): void => {
  // Insertion order is expiry order, so the first one that is still alive ends the search.
  for (let first = deduplications.oldest(); first && first.expiresAt <= now; first = deduplications.oldest()) {
    deduplications.remove(first.key)
  }
}

const accept = ({ store, dispatcher, pace }: Parts, publication: Publication): Accepted => {
  const now = Date.now()
  const message = createMessage(publication, now, pace)
  const key = publication.headers['upstash-deduplication-id']
  forgetExpired(store, now)
  const known = key === undefined ? undefined : store.deduplications.get(key)
  if (known) return { messageId: known.messageId, deduplicated: true }
  const { messageId } = message
  store.group(() => {
    store.messages.put(messageId, message)
    if (key) store.deduplications.put(key, { key, messageId, expiresAt: now + DEDUPLICATION_MS })
  })
  dispatcher.add(message)
  return { messageId }
}

/** Creates the service with the messages that `dir` has. Throws a RangeError if the time scale is not positive. */
export const createService = (options: ServiceOptions): Service => {
  const { token, signingKeys, dir, say, timeScale = 1, punctual = false } = options
  if (!(timeScale > 0)) throw new RangeError(`timeScale must be positive, got ${timeScale}`)
  const clock = Date.now
  const pace: Pace = { timeScale, punctual }
  const store = openStore({ dir, say })
  const deliveryFaults = createFaults('/_delivery_faults')
  const signWith: Service['signWith'] = { key: 'current' }
  const counts = { delivered: 0, retry: 0, dead: 0 }
  const life = { closed: false }
  const sender = createSender((url, body) => signDelivery(signingKeys[signWith.key], url, body, clock()))
  const attempt = createAttempt({
    ...{ store, sender, clock, pace },
    isClosed: () => life.closed,
    onVerdict: (verdict) => {
      counts[verdict] += 1
    },
  })
  const dispatcher = createDispatcher({
    ...{ store, attempt, clock },
    faults: deliveryFaults,
    maxParallel: MAX_PARALLEL,
  })
  const parts: Parts = { store, dispatcher, pace }
  for (const message of store.messages.values()) dispatcher.add(message)
  return {
    ...{ token, signingKeys, signWith, counts, deliveryFaults, ...parts },
    faults: createFaults(),
    messageFaults: createFaults('/_message_faults'),
    accept: (publication) => accept(parts, publication),
    close: () => {
      life.closed = true
      dispatcher.close()
      sender.close()
      store.close()
    },
  }
}
