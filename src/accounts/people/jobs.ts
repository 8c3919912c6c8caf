import * as z from 'zod/mini'
import { defineJob } from '../../platform/jobs/job.ts'
import { id } from '../../platform/lib/fields.ts'

/** Ends of a mail. `unknown`: the provider may have taken the mail, and cannot be asked twice. */
const MAIL_ENDS = ['taken', 'refused', 'unknown'] as const
export type MailEnd = (typeof MAIL_ENDS)[number]

export const MailPayload = z.object({
  /** Names the mail to the page that waits for it. */
  mail: z.string(),
  since: z.iso.datetime(),
  /** End of the token in the mail: nobody needs the mail after that. */
  until: z.iso.datetime(),
  /** The mail, sealed: it holds a token that opens something. Absent once the provider took the mail. */
  sealed: z.optional(z.string()),
  /** True if an attempt has begun with a provider that would take the mail twice. */
  isTried: z.optional(z.boolean()),
  end: z.optional(z.enum(MAIL_ENDS)),
})
export type MailPayload = z.infer<typeof MailPayload>

/** Sends a mail. Its rows belong to no account. */
export const mailJob = defineJob({
  name: 'people.mail',
  worker: 'background',
  payload: MailPayload,
  key: 'mail',
  id: 'mail',
})

/** Erases an account whose time to take it back is over. */
export const eraseJob = defineJob({
  name: 'people.erase_account',
  worker: 'background',
  payload: z.object({ account_id: id() }),
  key: 'erase_account',
  id: 'account_id',
})

/** Makes a copy of everything an account has, and deletes it after some days. */
export const exportJob = defineJob({
  name: 'people.export_account',
  worker: 'background',
  payload: z.object({ export_id: id() }),
  key: 'export_account',
  id: 'export_id',
})
