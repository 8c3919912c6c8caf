import { and, asc, eq, exists, inArray, isNull, lte, type SQL, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { noticeCursor, noticeSettings, notices } from '../../../schema/notices.ts'
import { when } from '../../platform/db/steps.ts'
import { insertWhere, listed } from '../../platform/db/writes.ts'
import { enqueue } from '../../platform/jobs/enqueue.ts'
import { defineJob, type JobResult } from '../../platform/jobs/job.ts'
import { type Ctx, type Deps, sendBatch } from '../../platform/runtime/ctx.ts'
import { queueMail, type SealedMail, sealMail } from '../people/send-mail.ts'
import { endingKey } from './choices.ts'
import { cursorRow, type Due, dueDigests, dueNotices, type Event, eventsOf, isDue } from './queries.ts'
import { DEFAULTS, digestMail, endingOf, nextMorning, noticeMail, type Told } from './rules.ts'

/** Mails the notices that are due. The job belongs to no account, and has one outbox row at a time. */
export const noticesJob = defineJob({
  name: 'people.notices',
  whenClosed: { runs: 'its row belongs to no account; notices of closed accounts are left out' },
  payload: z.object({ run: z.int() }),
  key: 'notices',
  id: 'run',
})

const TOLD = { unaudited: 'people are told of what the audit log has' }

type NoticeDeps = Pick<Deps, 'db' | 'now'>

/** A mail with notices is not sent later than this. */
const USEFUL_MS = 3 * 86_400_000

/** Returns when to mail a notice. It has ended already if the person wants no mail, or another job sends it, as for approvals at once. */
const mailing = (now: Date, { kind, choice: chosen, timezone }: Event): { due_at: Date; ended_at: Date | null } => {
  const choice = chosen ?? DEFAULTS[kind]
  if (choice === 'never' || (choice === 'at_once' && kind === 'approval_wanted')) return { due_at: now, ended_at: now }
  return { due_at: choice === 'daily' ? nextMorning(now, timezone) : now, ended_at: null }
}

/** Largest number of batches of entries that one minute reads. */
const MAX_BATCHES = 10

/** Makes the notices for a batch of entries, each event once per person, and moves the cursor. Returns true if there may be more. */
const gatherBatch = async ({ db, now }: NoticeDeps): Promise<boolean> => {
  const {
    rows: [at],
  } = await cursorRow(db)
  const last = at?.next_ids.at(-1)
  if (at === undefined || last === undefined) return false
  const { rows } = await eventsOf(db, at.next_ids)
  const made = rows.map((event) => ({ ...event, ...mailing(now(), event) }))
  // If another run has moved the cursor, this one makes no notices.
  const isHere = and(eq(noticeCursor.id, 1), eq(noticeCursor.entryId, at.entry_id))
  const cursor = () => db.select({ id: noticeCursor.id }).from(noticeCursor).where(isHere)
  const { personId, accountId, kind, key, subject, action, dueAt: due_at, endedAt: ended_at } = notices
  await sendBatch(
    db,
    {
      cursor: cursor().for('no key update'),
      notices: insertWhere(
        notices,
        {
          personId: sql`listed.person_id`,
          accountId: sql`listed.account_id`,
          kind: sql`listed.kind`,
          key: sql`listed.key`,
          subject: sql`listed.subject`,
          action: sql`listed.action`,
          dueAt: sql`listed.due_at`,
          endedAt: sql`listed.ended_at`,
        },
        {
          from: listed(
            { person_id: personId, account_id: accountId, kind, key, subject, action, due_at, ended_at },
            made,
          ),
          if: exists(cursor()),
          onConflict: sql`(person_id, key) do nothing`,
        },
      ),
      changedNoticeCursor: db.update(noticeCursor).set({ entryId: last }).where(isHere),
    },
    TOLD,
  )
  return true
}

/** Creates notices for new audit entries, and queues the job if any are due. Returns the number of queued rows. */
export const enqueueNotices = async (deps: NoticeDeps): Promise<number> => {
  for (let batch = 0; batch < MAX_BATCHES; batch += 1) if (!(await gatherBatch(deps))) break
  const now = deps.now()
  const work = { if: isDue(now), account: sql`null::int`, runAt: now, open: 'keep' } as const
  const { queued } = await sendBatch(deps.db, { queued: enqueue(noticesJob, { run: 1 }, work) }, TOLD)
  return queued.length
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

/** Returns the account of notices; undefined if they are of several. */
const accountOf = (rows: readonly Due[]): number | undefined => {
  const [first, ...others] = new Set(rows.map(({ account_id }) => account_id))
  return others.length === 0 ? first : undefined
}

/** Returns the mail with a person's notices that are still valid; undefined if none is. */
const mailOf = async (ctx: Ctx, rows: readonly Due[]): Promise<SealedMail | undefined> => {
  const [first] = rows
  const told = rows.flatMap(({ is_open, kind, action, title, path, is_change: isChange }): Told[] =>
    is_open && title !== null && path !== null ? [{ kind, action, title, path, isChange }] : [],
  )
  if (!first || told.length === 0) return undefined
  const letter = await letterTo(ctx, first, [...new Set(told.map(({ kind }) => kind))])
  return await sealMail(ctx, noticeMail(letter, told), new Date(ctx.now().getTime() + USEFUL_MS))
}

/** Mails the notices that are due, all of a person in one mail. Leaves out those that are no longer valid. */
const sendNotices = async (ctx: Ctx): Promise<void> => {
  const { rows } = await dueNotices(ctx.db, ctx.now())
  for (const own of byPerson(rows)) {
    const mail = await mailOf(ctx, own)
    const now = ctx.now()
    const ids = own.map(({ id }) => id)
    const isOpen = and(inArray(notices.id, ids), isNull(notices.endedAt))
    // If one has ended already, another run has mailed it together with the others.
    const areOpen = sql`(select count(*) from ${notices} where ${isOpen}) = ${ids.length}::int`
    await ctx.batch(
      {
        notices: ctx.db.select({ id: notices.id }).from(notices).where(isOpen).orderBy(asc(notices.id)).for('update'),
        ...when(areOpen, {
          queueMail: mail && ((isMet) => queueMail(mail, { if: isMet, now, account: accountOf(own) })),
          changedNotices: (isMet) => ctx.db.update(notices).set({ endedAt: now }).where(and(isOpen, isMet)),
        }),
      },
      TOLD,
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
    const isOpen = and(eq(noticeSettings.personId, first.person_id), lte(noticeSettings.digestAt, now))
    const open = () => ctx.db.select({ id: noticeSettings.personId }).from(noticeSettings).where(isOpen)
    await ctx.batch(
      {
        open: open().for('update'),
        queueMail: queueMail(mail, { if: exists(open()), now }),
        changedNoticeSettings: ctx.db
          .update(noticeSettings)
          .set({ digestAt: nextMorning(now, first.timezone, 7) })
          .where(isOpen),
      },
      TOLD,
    )
  }
}

/** Mails the notices and digests that are due. */
export const mailNotices = async (ctx: Ctx): Promise<JobResult> => {
  await sendNotices(ctx)
  await sendDigests(ctx)
  ctx.defer(ctx.wakeQueue())
  return { kind: 'done' }
}

/** Returns subqueries for the times of the next notice and of the next digest. */
export const nextNotice = (): SQL[] => [
  sql`(select min(due_at) from notices where ended_at is null)`,
  sql`(select min(digest_at) from notice_settings)`,
]
