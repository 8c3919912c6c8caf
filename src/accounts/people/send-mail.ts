import type { JobResult } from '../../platform/jobs/handler.ts'
import { endWithPayload, notePayload } from '../../platform/jobs/outbox.ts'
import { unseal } from '../../platform/lib/crypto.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import type { MailEnd, MailPayload } from './jobs.ts'
import type { Mail, MailAnswer, Mailer } from './mail.ts'
import { mailContext } from './queue-mail.ts'

/** Limits of the wait between attempts. In between, the wait is as long as the mail is old, so that it doubles. */
const [SHORTEST_WAIT_MS, LONGEST_WAIT_MS] = [2_000, 3_600_000]
/** A mail not accepted after this time is logged as late. Attempts continue. */
const LATE_AFTER_MS = 60_000

type Reason = { status?: number; code: string }

/** Logs a mail that failed or is late. */
export const noteFailure = (
  ctx: Ctx,
  { status, code }: Reason,
  event: 'mail.failed' | 'mail.late' = 'mail.failed',
): void => ctx.log('error', event, { status, code, outbox_id: ctx.run?.id })

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
