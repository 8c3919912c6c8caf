import { Client, QstashError, Receiver } from '@upstash/qstash'
import { rowsOf } from '../db/client.ts'
import { waitingFor, within } from '../lib/request-scope.ts'
import type { Deps } from '../runtime/ctx.ts'
import type { QueueSettings } from '../runtime/env.ts'
import { errorFields } from '../runtime/log.ts'
import { EXECUTOR_PATH } from './job.ts'
import { claimOffers, type OfferedRow, returnOffers } from './outbox.ts'

/** A message that wakes one outbox row, then those in `also`. Without `notBefore` it is sent at once. */
export type Wake = { id: number; offers: number; notBefore: Date | undefined; also?: readonly number[] }

/** QStash, as the jobs Worker uses it. */
export type Queue = {
  /** Jobs that take only a moment: several rows of one account share a message. */
  together?: ReadonlySet<string>
  /** Sends wakes to QStash. Returns the ids that it refused, with its reasons. Throws if it accepts none. */
  offer: (wakes: Wake[]) => Promise<{ id: number; reason: string }[]>
  /** True if a delivery comes from our QStash: checks the signature over the raw body and the configured address. */
  isGenuine: (signature: string | undefined, rawBody: string) => Promise<boolean>
}

const RETRIES = 5
/** Longest wait for QStash, ms. The SDK has no limit of its own. */
const WAIT_MS = 10_000

/** Returns QStash's refusal of one message of a batch; undefined if it was accepted. Single messages of a batch can fail. */
const refusalOf = (answer: unknown): string | undefined => {
  const { messageId, error } = (answer ?? {}) as { messageId?: unknown; error?: unknown }
  if (typeof messageId === 'string') return undefined
  return typeof error === 'string' ? error.slice(0, 200) : 'no message id in the answer'
}

/** Returns why QStash accepted no message: its status and its own words, which contain nothing of a message. */
export const queueFault = (error: unknown): { status?: number; reason?: string } =>
  error instanceof QstashError ? { status: error.status, reason: error.message.slice(0, 200) } : {}

/**
 * Returns a queue that uses QStash's SDK. Messages are deduplicated by row and offer, so that a repeated sweep does not wake a
 * row twice. An offer without an answer fails after `waitMs`; QStash may have accepted it.
 */
export const createQueue = (
  settings: QueueSettings,
  publicUrl: string,
  together: ReadonlySet<string> = new Set(),
  waitMs = WAIT_MS,
): Queue => {
  const url = `${publicUrl}${EXECUTOR_PATH}`
  const client = new Client({
    baseUrl: settings.QSTASH_URL,
    token: settings.QSTASH_TOKEN,
    retry: { retries: 1 },
    enableTelemetry: false,
  })
  const receiver = new Receiver({
    currentSigningKey: settings.QSTASH_CURRENT_SIGNING_KEY,
    nextSigningKey: settings.QSTASH_NEXT_SIGNING_KEY,
  })
  return {
    together,
    offer: async (wakes) => {
      const messages = wakes.map((wake) => ({
        url,
        body: { outbox_id: wake.id, ...(wake.also ? { also: wake.also } : {}) },
        ...(wake.notBefore ? { notBefore: Math.ceil(wake.notBefore.getTime() / 1000) } : {}),
        deduplicationId: `outbox-${wake.id}-${wake.offers}`,
        retries: RETRIES,
      }))
      const answers = await waitingFor('queue', () => within(client.batchJSON(messages), waitMs))
      return wakes.flatMap(({ id }, n) => {
        const reason = refusalOf((answers as unknown[])[n])
        return reason === undefined ? [] : [{ id, reason }]
      })
    },
    isGenuine: async (signature, rawBody) => {
      if (!signature) return false
      try {
        return await receiver.verify({ signature, body: rawBody, url, clockTolerance: 5 })
      } catch {
        return false
      }
    },
  }
}

const BATCH = 100
/** More offers than this without a run mean that the queue's calls do not arrive, which is logged as an error. */
const ALARM_OFFERS = 5

/** Maximum number of rows in one message, and the largest distance between their times, s. */
const TOGETHER = 20
const TOGETHER_WITHIN_S = 10

/**
 * Groups rows into messages. Fresh rows of a job in `together` share a message with others of their account.
 *
 * A row that has run before is alone, because it may crash the run.
 */
const groupsOf = (rows: readonly OfferedRow[], together: ReadonlySet<string> | undefined): OfferedRow[][] => {
  const groups: OfferedRow[][] = []
  const open = new Map<string, OfferedRow[]>()
  for (const row of rows) {
    const key = `${row.job} ${row.account_id}`
    const group = open.get(key)
    const isFit = row.fresh && together?.has(row.job)
    const isNear = (first: OfferedRow) => Math.abs(Number(row.run_at) - Number(first.run_at)) <= TOGETHER_WITHIN_S
    if (isFit && group?.[0] && group.length < TOGETHER && isNear(group[0])) group.push(row)
    else {
      const alone = [row]
      groups.push(alone)
      if (isFit) open.set(key, alone)
    }
  }
  return groups
}

/**
 * Returns the message for a group of rows, timed for the latest. A time within the next second means at once: the queue counts in
 * seconds.
 */
const wakeOf = (group: readonly OfferedRow[], now: Date): Wake => {
  const runAt = new Date(Math.max(...group.map((row) => Number(row.run_at))) * 1000)
  const isNear = runAt.getTime() - now.getTime() < 1_000
  const [id = 0, ...also] = group.map((row) => Number(row.id))
  const notBefore = isNear ? undefined : runAt
  return { id, offers: Number(group[0]?.offers), notBefore, ...(also.length > 0 ? { also } : {}) }
}

const idsOf = (wakes: readonly Wake[]): number[] => wakes.flatMap(({ id, also = [] }) => [id, ...also])

const refuse = async (deps: Deps, refused: readonly { id: number; reason: string }[], rows: number): Promise<void> => {
  if (refused.length === 0) return
  deps.log('error', 'queue.refused', { rows, refused: refused.length, reason: refused[0]?.reason })
  await deps.db.execute(returnOffers(refused.map(({ id }) => id)))
}

/**
 * Sends outbox rows that no run has leased to the queue. Returns how many were offered.
 *
 * Runs after every commit, and once a minute for lost rows. Rows that the queue refuses stay for the next sweep.
 */
export const offerRows = async (deps: Deps, queue: Queue): Promise<number> => {
  const now = deps.now()
  const rows = await rowsOf<OfferedRow>(deps.db, claimOffers(now, BATCH))
  if (rows.length === 0) return 0
  const unheard = rows.filter((row) => Number(row.unanswered) > ALARM_OFFERS)
  if (unheard.length > 0) deps.log('error', 'queue.not_arriving', { rows: unheard.length, outbox_id: unheard[0]?.id })
  const wakes = groupsOf(rows, queue.together).map((group) => wakeOf(group, now))
  try {
    const refused = (await queue.offer(wakes)).flatMap(({ id, reason }) =>
      idsOf(wakes.filter((wake) => wake.id === id)).map((each) => ({ id: each, reason })),
    )
    await refuse(deps, refused, rows.length)
    return rows.length - refused.length
  } catch (error) {
    deps.log('error', 'queue.offer_failed', { rows: rows.length, ...errorFields(error), ...queueFault(error) })
    await deps.db.execute(returnOffers(idsOf(wakes)))
    return 0
  }
}
