import { sql } from 'drizzle-orm'
import { rowsOf } from '../../platform/db/client.ts'
import { select } from '../../platform/db/read-parts.ts'
import { countOf, ONE_ROW, statement } from '../../platform/db/statement.ts'
import type { JobResult } from '../../platform/jobs/handler.ts'
import type { Ctx, Deps } from '../../platform/runtime/ctx.ts'
import { type SealedMail, sealMail } from '../people/queue-mail.ts'
import { endingKey } from './choices.ts'
import { noticesJob } from './jobs.ts'
import { cursorRow, type Due, dueDigests, dueNotices, type Event, eventsSince, isDue } from './queries.ts'
import { DEFAULTS, digestMail, endingOf, nextMorning, noticeMail, type Told } from './rules.ts'
import { endDigest, endNotices, type NewNotice, saveNotices } from './statements.ts'

type NoticeDeps = Pick<Deps, 'db' | 'now'>

/** A notice is of no use later than this. */
const USEFUL_MS = 3 * 86_400_000

/** Returns when a person is to be told; undefined if they do not want to be. An approval that is wanted at once is mailed by its own job. */
const dueAt = (now: Date, { kind, choice: chosen, timezone }: Event): Date | undefined => {
  const choice = chosen ?? DEFAULTS[kind]
  if (choice === 'never' || (choice === 'at_once' && kind === 'approval_wanted')) return undefined
  return choice === 'daily' ? nextMorning(now, timezone) : now
}

/** Batches of entries that one minute reads. */
const MAX_BATCHES = 10

/** Makes notices of a batch of entries; true if there may be more. */
const gatherBatch = async ({ db, now }: NoticeDeps): Promise<boolean> => {
  const {
    rows: [at],
  } = await cursorRow(db)
  if (!at?.last_id) return false
  const { rows } = await eventsSince(db, at.entry_id, at.last_id)
  const made = rows.flatMap((event): NewNotice[] => {
    const due = dueAt(now(), event)
    return due ? [{ ...event, dueAt: due }] : []
  })
  await rowsOf(db, saveNotices(made, at.entry_id, at.last_id))
  return true
}

/** Creates notices of what happened since the last time, and queues the mails that are due; returns how many rows were queued. */
export const enqueueNotices = async (deps: NoticeDeps): Promise<number> => {
  for (let batch = 0; batch < MAX_BATCHES; batch += 1) if (!(await gatherBatch(deps))) break
  const now = deps.now()
  const due = select('due', { run: sql`1` }, sql`where ${isDue(now)}`)
  const queued = noticesJob.enqueue({
    from: due,
    account: sql`null::int`,
    payload: { run: 1 },
    runAt: now,
    open: 'keep',
  })
  const answer = { queued: countOf(queued) }
  const parts = [due, queued]
  const queueing = statement({ unaudited: 'what people are told of is in the log', parts, answer, answerFrom: ONE_ROW })
  const [row] = await rowsOf<{ queued: number }>(deps.db, queueing)
  return Number(row?.queued ?? 0)
}

const byPerson = <Row extends { person_id: string }>(rows: readonly Row[]): Row[][] => {
  const people = new Map<string, Row[]>()
  for (const row of rows) people.set(row.person_id, [...(people.get(row.person_id) ?? []), row])
  return [...people.values()]
}

const letterTo = async (ctx: Ctx, person: { person_id: string; email: string }, kinds: readonly string[]) => {
  const { serviceName, publicUrl } = ctx.settings
  const ending = endingOf(publicUrl, await endingKey(ctx, person.person_id, kinds))
  return { service: serviceName, to: person.email, publicUrl, ending }
}

/** The mail of those notices of a person that still hold; undefined if none does. */
const mailOf = async (ctx: Ctx, rows: readonly Due[]): Promise<SealedMail | undefined> => {
  const [first] = rows
  const told = rows.flatMap(({ is_open, kind, title, path, is_change: isChange }): Told[] =>
    is_open && title !== null && path !== null ? [{ kind, title, path, isChange }] : [],
  )
  if (!first || told.length === 0) return undefined
  const letter = await letterTo(ctx, first, [...new Set(told.map(({ kind }) => kind))])
  return await sealMail(ctx, noticeMail(letter, told), new Date(ctx.now().getTime() + USEFUL_MS))
}

/** Mails the notices that are due, those of a person in one mail. What resolved itself meanwhile is left out. */
const sendNotices = async (ctx: Ctx): Promise<void> => {
  const { rows } = await dueNotices(ctx.db, ctx.now())
  for (const own of byPerson(rows)) {
    const mail = await mailOf(ctx, own)
    await rowsOf(
      ctx.db,
      endNotices(
        own.map(({ id }) => id),
        mail,
        ctx.now(),
      ),
    )
  }
}

/** Mails the weekly digests that are due. */
const sendDigests = async (ctx: Ctx): Promise<void> => {
  const now = ctx.now()
  const { rows } = await dueDigests(ctx.db, now)
  for (const own of byPerson(rows)) {
    const [first] = own
    if (!first) continue
    const weeks = own.flatMap(({ name, ...week }) => (name === null ? [] : [{ ...week, name }]))
    const letter = await letterTo(ctx, first, ['digest'])
    const mail = await sealMail(ctx, digestMail(letter, weeks), new Date(now.getTime() + USEFUL_MS))
    await rowsOf(ctx.db, endDigest(first.person_id, nextMorning(now, first.timezone, 6), mail, now))
  }
}

/** Mails the notices and digests that are due. */
export const mailNotices = async (ctx: Ctx): Promise<JobResult> => {
  await sendNotices(ctx)
  await sendDigests(ctx)
  ctx.defer(ctx.wakeQueue())
  return { kind: 'done' }
}
