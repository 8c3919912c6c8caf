import * as z from 'zod/mini'
import { defineJob } from '../../platform/jobs/job.ts'
import { id } from '../../platform/lib/fields.ts'

/** Outcomes of a mail. `unknown`: the provider may have accepted it, and a second attempt could send it twice. */
const MAIL_ENDS = ['taken', 'refused', 'unknown'] as const
export type MailEnd = (typeof MAIL_ENDS)[number]

export const MailPayload = z.object({
  /** Id of the mail, by which a page follows it. */
  mail: z.string(),
  since: z.iso.datetime(),
  /** Expiry of the token in the mail. The mail is of no use after it. */
  until: z.iso.datetime(),
  /** The mail, sealed since it contains a token. Absent once the provider accepted the mail. */
  sealed: z.optional(z.string()),
  /** True if an attempt has begun with a provider that has no idempotency key, and would send the mail twice. */
  isTried: z.optional(z.boolean()),
  end: z.optional(z.enum(MAIL_ENDS)),
})
export type MailPayload = z.infer<typeof MailPayload>

/** Sends a mail. Its row belongs to the account that it is about, or to none: its recipient may have no account yet. */
export const mailJob = defineJob({
  name: 'people.mail',
  whenClosed: 'ends',
  payload: MailPayload,
  key: 'mail',
  id: 'mail',
})

/** Erases an account after the time in which its owners could cancel. */
export const eraseJob = defineJob({
  name: 'people.erase_account',
  whenClosed: { runs: 'it erases the closed account' },
  payload: z.object({ account_id: id() }),
  key: 'erase_account',
  id: 'account_id',
})

/** Makes a copy of everything an account has, and deletes it after some days. */
export const exportJob = defineJob({
  name: 'people.export_account',
  whenClosed: { runs: 'it sends nothing outside: owners may still take a copy' },
  payload: z.object({ export_id: id() }),
  key: 'export_account',
  id: 'export_id',
})

/** Erases again the accounts that a restore of the database brought back, by the tombstones in the bucket. */
export const eraseAgainJob = defineJob({
  name: 'people.erase_again',
  whenClosed: { runs: 'its row belongs to no account; it only schedules erasures' },
  payload: z.object({ run: z.int() }),
  key: 'erase_again',
  id: 'run',
})
