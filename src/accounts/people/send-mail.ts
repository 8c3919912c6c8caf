import { and, desc, eq, exists, type SQL, sql } from 'drizzle-orm'
import { isMail, outbox } from '../../../schema/kernel.ts'
import type { If } from '../../platform/db/writes.ts'
import { enqueue } from '../../platform/jobs/enqueue.ts'
import { ACCOUNT_CLOSED, type JobResult } from '../../platform/jobs/job.ts'
import { endWithPayload, hasPayloadField, notePayload, removePayloadField } from '../../platform/jobs/outbox.ts'
import { seal, unseal } from '../../platform/lib/crypto.ts'
import { type Ctx, type Deps, sendBatch } from '../../platform/runtime/ctx.ts'
import { type MailEnd, MailPayload, mailJob } from './jobs.ts'
import { subjectOf } from './letter.ts'
import type { Mail, MailAnswer, Mailer } from './mail.ts'

/** A mail ready for the outbox. */
export type SealedMail = { id: string; sealed: string; until: Date }

/** Returns the context that a mail is sealed with. */
export const mailContext = (id: string): string => `mail:${id}`

type Sealing = Pick<Deps, 'newId' | 'settings'>

/** Seals a mail for the outbox, the only way there. Its subject is one line. If a statement chooses between mails, they need the same id. */
export const sealMail = async (
  { newId, settings }: Sealing,
  mail: Mail,
  until: Date,
  id = newId(),
): Promise<SealedMail> => ({
  id,
  sealed: await seal(
    settings.secretsKeys,
    JSON.stringify({ ...mail, subject: subjectOf(mail.subject) }),
    mailContext(id),
  ),
  until,
})

/**
 * Returns the statement that queues a mail, for a batch. `sealed` chooses between mails with the same id.
 *
 * `account`: the account that the mail is about. It is not sent once that account is closed.
 */
export const queueMail = (
  mail: SealedMail,
  options: { now: Date; if: If; sealed?: SQL; account?: number | undefined },
): SQL =>
  enqueue(
    mailJob,
    {
      mail: sql`${mail.id}::text`,
      since: options.now.toISOString(),
      until: mail.until.toISOString(),
      sealed: options.sealed ?? mail.sealed,
    },
    { account: sql`${options.account ?? null}::int`, runAt: options.now, open: 'keep', if: options.if },
  )

/** Queues a mail in a batch of its own, if its token was stored before. */
export const queueAlone = async (
  deps: Sealing & Pick<Deps, 'db' | 'now'>,
  mail: Mail,
  until: Date,
  id: string,
): Promise<void> => {
  const queued = queueMail(await sealMail(deps, mail, until, id), { now: deps.now(), if: 'always' })
  await sendBatch(deps.db, { queued }, { unaudited: 'a mail to somebody who signs in' })
}

type Needed = Pick<Deps, 'db' | 'now' | 'newId' | 'settings'>

/** State of a mail for the person who waits for it. `canRepeat` is true if it was not accepted and its token is still valid. */
export type MailState = {
  state: 'waiting' | 'taken' | 'refused' | 'unknown'
  until: Date
  canRepeat: boolean
}

const isOf = (id: string) => and(isMail(outbox.job), eq(outbox.key, mailJob.keyOf(sql`${id}::text`)))

type Row = { payload: MailPayload; isDead: boolean }

const readRow = async ({ db }: Pick<Deps, 'db'>, id: string): Promise<Row | undefined> => {
  const [row] = await db
    .select({ payload: outbox.payload, deadAt: outbox.deadAt })
    .from(outbox)
    .where(isOf(id))
    .orderBy(desc(outbox.id))
    .limit(1)
  const payload = row && MailPayload.safeParse(row.payload).data
  return payload && { payload, isDead: row.deadAt !== null }
}

const stateOf = ({ payload, isDead }: Row, now: Date): MailState => {
  const state = payload.end ?? (isDead ? 'refused' : 'waiting')
  const until = new Date(payload.until)
  const canRepeat = state !== 'waiting' && state !== 'taken' && payload.sealed !== undefined && until > now
  return { state, until, canRepeat }
}

/** Returns the state of a mail; undefined if the id is unknown. */
export const readMail = async (deps: Needed, id: string): Promise<MailState | undefined> => {
  const row = await readRow(deps, id)
  return row && stateOf(row, deps.now())
}

/** Returns a mail that was not accepted and may be sent again; undefined if it may not. */
export const mailToRepeat = async (deps: Needed, id: string): Promise<{ mail: Mail; until: Date } | undefined> => {
  const row = await readRow(deps, id)
  if (!row?.payload.sealed || !stateOf(row, deps.now()).canRepeat) return undefined
  const text = await unseal(deps.settings.secretsKeys, row.payload.sealed, mailContext(id)).catch(() => undefined)
  return text === undefined ? undefined : { mail: JSON.parse(text) as Mail, until: new Date(row.payload.until) }
}

/** Queues a mail that was not accepted again, under a new id. Undefined if another request has already done so. */
export const repeatMail = async (
  deps: Needed,
  id: string,
  { mail, until }: { mail: Mail; until: Date },
): Promise<SealedMail | undefined> => {
  const next = await sealMail(deps, mail, until)
  const mayRepeat = hasPayloadField(sql`${isOf(id)}`, 'sealed')
  const isUnspent = exists(deps.db.select({ id: outbox.id }).from(outbox).where(mayRepeat))
  const { spent } = await sendBatch(
    deps.db,
    {
      outbox: deps.db.select({ id: outbox.id }).from(outbox).where(isOf(id)).for('update'),
      queueMail: queueMail(next, { now: deps.now(), if: isUnspent }),
      spent: removePayloadField(deps.db, mayRepeat, 'sealed'),
    },
    { unaudited: 'the same mail' },
  )
  return spent.length > 0 ? next : undefined
}

/** Limits of the wait between attempts. In between, the wait is as long as the mail is old, so that it doubles. */
const [SHORTEST_WAIT_MS, LONGEST_WAIT_MS] = [2_000, 3_600_000]
/** A mail not accepted after this time is logged as late. Attempts continue. */
const LATE_AFTER_MS = 60_000

type Reason = { status?: number; code: string }

/** Logs a mail that failed or is late. */
const noteFailure = (ctx: Ctx, { status, code }: Reason, event: 'mail.failed' | 'mail.late' = 'mail.failed'): void =>
  ctx.log('error', event, { status, code, outbox_id: ctx.run?.id })

/** Logs a mail that was given up, unless its account is closed. */
export const giveUpMail = (ctx: Ctx, reason: string): void => {
  if (reason !== ACCOUNT_CLOSED) noteFailure(ctx, { code: reason })
}

/** Ends the outbox row. Removes the mail if it was accepted; otherwise it stays, so that it can be sent again from its page. */
const end = async (ctx: Ctx, payload: MailPayload, how: MailEnd, reason?: string): Promise<JobResult> => {
  const { sealed, isTried: _, ...rest } = payload
  const left = { ...rest, end: how, ...(how === 'taken' || sealed === undefined ? {} : { sealed }) }
  if (ctx.run) await endWithPayload(ctx.db, ctx.run, ctx.now(), left, reason)
  return { kind: 'settled' }
}

const open = async (ctx: Ctx, { mail, sealed = '' }: MailPayload): Promise<Mail | undefined> => {
  try {
    return JSON.parse(await unseal(ctx.settings.secretsKeys, sealed, mailContext(mail))) as Mail
  } catch {
    return undefined
  }
}

/** Returns the time of the next attempt; undefined if the token in the mail has expired by then. */
const nextTry = (ctx: Ctx, { since, until }: MailPayload, afterMs: number): Date | undefined => {
  const now = ctx.now().getTime()
  const age = Math.min(Math.max(now - Date.parse(since), SHORTEST_WAIT_MS), LONGEST_WAIT_MS)
  const at = new Date(now + Math.max(age, afterMs) / ctx.settings.retryTimeScale)
  return at < new Date(until) ? at : undefined
}

/**
 * Sends a mail to the provider. The mail's id is the idempotency key, so that a repeated attempt delivers one mail. If the provider
 * has no such key, an attempt that may have arrived is not repeated.
 *
 * The id of the outbox row is no such key: another deployment with the same account at the provider also counts its rows from 1.
 */
export const sendMail = async (ctx: Ctx, payload: MailPayload, mailer: Mailer | undefined): Promise<JobResult> => {
  const { run } = ctx
  if (!run) return { kind: 'again', reason: 'no run' }
  const refuse = async (reason: Reason, how: MailEnd = 'refused'): Promise<JobResult> => {
    noteFailure(ctx, reason)
    return await end(ctx, payload, how, reason.code)
  }
  if (!mailer) {
    ctx.log('info', 'mail.not_set_up')
    return await end(ctx, payload, 'refused', 'not_set_up')
  }
  if (payload.isTried) return await refuse({ code: 'not_known_whether_taken' }, 'unknown')
  if (ctx.now() >= new Date(payload.until)) return await refuse({ code: 'too_late' })
  const mail = await open(ctx, payload)
  if (!mail) return await refuse({ code: 'sealing_key_gone' })
  if (!mailer.isIdempotent) await notePayload(ctx.db, run, { ...payload, isTried: true })
  const answer: MailAnswer = await mailer.send(mail, payload.mail)
  if (answer.kind === 'taken') return await end(ctx, payload, 'taken')
  if (answer.kind === 'unknown') return await refuse(answer, 'unknown')
  const at = answer.kind === 'later' ? nextTry(ctx, payload, answer.afterMs) : undefined
  if (!at) return await refuse(answer)
  if (!mailer.isIdempotent) await notePayload(ctx.db, run, payload)
  if (ctx.now().getTime() - Date.parse(payload.since) > LATE_AFTER_MS) noteFailure(ctx, answer, 'mail.late')
  return { kind: 'later', at }
}
