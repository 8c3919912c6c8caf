import { type SQL, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { rowsOf } from '../../platform/db/client.ts'
import type { AnyPart, Part } from '../../platform/db/part.ts'
import { select } from '../../platform/db/read-parts.ts'
import { statement } from '../../platform/db/statement.ts'
import { declareJob } from '../../platform/jobs/declare.ts'
import { seal } from '../../platform/lib/crypto.ts'
import type { Deps } from '../../platform/runtime/ctx.ts'
import type { Mail } from './mail.ts'

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

/** Hands a mail to the provider. Its rows belong to no account. */
export const mailJob = declareJob({ name: 'people.mail', payload: MailPayload, key: 'mail', id: 'mail' })

/** A mail ready for the outbox. */
export type SealedMail = { id: string; sealed: string; until: Date }

/** Context that a mail is sealed for. */
export const mailContext = (id: string): string => `mail:${id}`

type Sealing = Pick<Deps, 'newId' | 'settings'>

/** Seals a mail for the outbox. Mails of which a statement chooses one get the same id. */
export const sealMail = async (
  { newId, settings }: Sealing,
  mail: Mail,
  until: Date,
  id = newId(),
): Promise<SealedMail> => ({
  id,
  sealed: await seal(settings.secretsKeys, JSON.stringify(mail), mailContext(id)),
  until,
})

type Queued = { from: AnyPart; now: Date; name?: string; sealed?: SQL }

/** Returns a part that queues a mail if `from` has a row. `sealed` chooses between mails with the same id. */
export const queueMail = (mail: SealedMail, { from, now, name, sealed }: Queued): Part =>
  mailJob.enqueue({
    from,
    account: sql`null::int`,
    payload: {
      mail: sql`${mail.id}::text`,
      since: now.toISOString(),
      until: mail.until.toISOString(),
      sealed: sealed ?? mail.sealed,
    },
    runAt: now,
    open: 'keep',
    ...(name === undefined ? {} : { name }),
  })

/** Queues a mail whose token another statement has made. */
export const queueAlone = async (
  deps: Sealing & Pick<Deps, 'db' | 'now'>,
  mail: Mail,
  until: Date,
  id: string,
): Promise<void> => {
  const one = select('one', { one: sql`1` }, sql``)
  const queued = queueMail(await sealMail(deps, mail, until, id), { from: one, now: deps.now() })
  await rowsOf(
    deps.db,
    statement({ unaudited: 'a mail to somebody who signs in', parts: [one, queued], answer: one.c }),
  )
}
