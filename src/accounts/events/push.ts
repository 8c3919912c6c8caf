import { and, eq, exists, type SQL, sql } from 'drizzle-orm'
import { eventAttempts, eventEndpoints } from '../../../schema/events.ts'
import { EVENT_DAYS } from '../../../schema/values/events.ts'
import { when } from '../../platform/db/steps.ts'
import { audit, insertWhere } from '../../platform/db/writes.ts'
import { ACCOUNT_CLOSED, type JobResult } from '../../platform/jobs/job.ts'
import { DAY_MS } from '../../platform/lib/time.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { entriesBehind, eventOf } from '../audit/log.ts'
import { secretsOf } from './endpoints.ts'
import { type EndpointRow, endpointById } from './queries.ts'
import { isWanted, PAUSE_AFTER_MS, waitAfter } from './rules.ts'
import { type Attempt, sendEvent } from './send.ts'

/** Entries that are read at a time. */
const PORTION = 50
/** A run begins no attempt later than this, so that it ends within its lease. */
const RUN_MS = 30_000

const UNAUDITED = { unaudited: 'it sends what the audit log has' }

type Entry = Awaited<ReturnType<typeof entriesBehind>>[number]

/** Reads an endpoint, and the entries behind its cursor. */
const readNext = async (ctx: Ctx, id: number) => {
  const cursor = sql`(select ${eventEndpoints.cursorId} from ${eventEndpoints} where ${eventEndpoints.id} = ${id}::int)`
  const { found, entries } = await ctx.read((owner) => ({
    found: endpointById(ctx.db, owner, id),
    entries: entriesBehind(ctx.db, owner, cursor, PORTION),
  }))
  const [endpoint] = found
  return endpoint?.mine && endpoint.status === 'active' ? { endpoint, entries } : undefined
}

/** Condition: the endpoint is as the run left it. A replay, a pause or a deletion since then wins. */
const isAsRead = (id: number, cursorId: number): SQL =>
  sql`${and(eq(eventEndpoints.id, id), eq(eventEndpoints.cursorId, cursorId), eq(eventEndpoints.status, 'active'))}`

const attemptOf = (id: number, entry: Entry, at: Date, { httpStatus, error, ms }: Attempt) => ({
  endpointId: id,
  eventId: entry.id,
  type: entry.type,
  at,
  httpStatus,
  error,
  ms,
})

type Place = { id: number; cursorId: number }

/** Moves the cursor past an entry. `sent`: it was an event that the endpoint accepted. Returns false if another call moved it. */
const passEntry = async (ctx: Ctx, { id, cursorId }: Place, entry: Entry, sent?: Attempt): Promise<boolean> => {
  const isIt = isAsRead(id, cursorId)
  const at = ctx.now()
  const there = ctx.db.select({ id: eventEndpoints.id }).from(eventEndpoints).where(isIt)
  const { passed } = await ctx.batch(
    {
      held: there.for('no key update'),
      attempt:
        sent &&
        insertWhere(eventAttempts, attemptOf(id, entry, at, sent), {
          if: exists(ctx.db.select({ id: eventEndpoints.id }).from(eventEndpoints).where(isIt)),
        }),
      passed: ctx.db
        .update(eventEndpoints)
        .set({
          cursorId: entry.id,
          ...(sent ? { failures: 0, failingSince: null, lastError: null, lastSentAt: at } : {}),
        })
        .where(isIt)
        .returning({ id: eventEndpoints.id }),
    },
    UNAUDITED,
  )
  return passed.length > 0
}

/** Stores a failed attempt. Pauses the endpoint if it is gone, or has failed for three days; else it is tried again later. */
const noteFailure = async (
  ctx: Ctx,
  endpoint: EndpointRow,
  place: Place,
  entry: Entry,
  failed: Attempt,
): Promise<JobResult> => {
  const { id, cursorId } = place
  const at = ctx.now()
  const since = endpoint.failingSince ?? at
  const failures = endpoint.failures + 1
  const isOver = failed.isGone || at.getTime() - since.getTime() >= PAUSE_AFTER_MS
  const isIt = isAsRead(id, cursorId)
  const there = () => ctx.db.select({ id: eventEndpoints.id }).from(eventEndpoints).where(isIt)
  const { id: account } = await ctx.account()
  await ctx.batch(
    {
      held: there().for('no key update'),
      ...when(exists(there()), {
        attempt: (isMet) => insertWhere(eventAttempts, attemptOf(id, entry, at, failed), { if: isMet }),
        audit:
          isOver &&
          audit(ctx, {
            account,
            action: 'event_endpoint.pause',
            on: ['event_endpoint', id],
            detail: { reason: failed.error },
          }),
      }),
      changed: ctx.db
        .update(eventEndpoints)
        .set({ failures, failingSince: since, lastError: failed.error, ...(isOver ? { status: 'paused' } : {}) })
        .where(isIt),
    },
    UNAUDITED,
  )
  return isOver
    ? { kind: 'done' }
    : { kind: 'later', at: new Date(at.getTime() + waitAfter(failures, failed.retryAfterS)) }
}

/**
 * Sends the events behind an endpoint's cursor one after the other, until there are none, one fails, or time is over.
 *
 * The cursor passes an event after it was accepted. So each is sent at least once, in order, with the same id each time.
 */
export const pushEvents = async (ctx: Ctx, id: number): Promise<JobResult> => {
  const began = ctx.now().getTime()
  const since = new Date(began - EVENT_DAYS * DAY_MS)
  for (;;) {
    const next = await readNext(ctx, id)
    const last = next?.entries.at(-1)
    if (!next || !last) return { kind: 'done' }
    const { endpoint, entries } = next
    const secrets = await secretsOf(ctx, endpoint)
    const place = { id, cursorId: endpoint.cursorId }
    for (const entry of entries.filter((one) => isWanted(endpoint, one, since))) {
      if (ctx.now().getTime() - began > RUN_MS) return { kind: 'later', at: ctx.now() }
      const sent = await sendEvent(ctx, endpoint.url, secrets, `event_${entry.id}`, eventOf(entry))
      if (sent.error !== null) return await noteFailure(ctx, endpoint, place, entry, sent)
      await ctx.step('event.sent')
      if (!(await passEntry(ctx, place, entry, sent))) return { kind: 'later', at: ctx.now() }
      place.cursorId = entry.id
    }
    if (place.cursorId !== last.id && !(await passEntry(ctx, place, last))) return { kind: 'later', at: ctx.now() }
    if (ctx.now().getTime() - began > RUN_MS) return { kind: 'later', at: ctx.now() }
  }
}

/** Pauses an endpoint whose job was given up. If the account is closed, it stays as it is. */
export const giveUpPush = async (ctx: Ctx, id: number, reason: string): Promise<void> => {
  if (reason === ACCOUNT_CLOSED) return
  const { id: account } = await ctx.account()
  const isActive = sql`${and(eq(eventEndpoints.id, id), eq(eventEndpoints.status, 'active'))}`
  const there = ctx.db.select({ id: eventEndpoints.id }).from(eventEndpoints).where(isActive)
  await ctx.batch({
    audit: audit(ctx, {
      account,
      action: 'event_endpoint.pause',
      on: ['event_endpoint', id],
      detail: { reason: 'The events could not be sent.' },
      if: exists(there),
    }),
    paused: ctx.db
      .update(eventEndpoints)
      .set({ status: 'paused', lastError: 'The events could not be sent.' })
      .where(isActive),
  })
}
