import { type SQL, sql } from 'drizzle-orm'
import type { If } from '../../platform/db/writes.ts'
import { enqueue } from '../../platform/jobs/enqueue.ts'
import { seal } from '../../platform/lib/crypto.ts'
import { type Deps, sendBatch } from '../../platform/runtime/ctx.ts'
import { mailJob } from './jobs.ts'
import type { Mail } from './mail.ts'

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

/** Queues a mail, in the batch that it belongs to. `sealed` chooses between mails with the same id. */
export const queueMail = (mail: SealedMail, options: { now: Date; if: If; sealed?: SQL }): SQL =>
  enqueue(
    mailJob,
    {
      mail: sql`${mail.id}::text`,
      since: options.now.toISOString(),
      until: mail.until.toISOString(),
      sealed: options.sealed ?? mail.sealed,
    },
    { account: sql`null::int`, runAt: options.now, open: 'keep', if: options.if },
  )

/** Queues a mail whose token another statement has made. */
export const queueAlone = async (
  deps: Sealing & Pick<Deps, 'db' | 'now'>,
  mail: Mail,
  until: Date,
  id: string,
): Promise<void> => {
  const queued = queueMail(await sealMail(deps, mail, until, id), { now: deps.now(), if: 'always' })
  await sendBatch(deps.db, [queued], { unaudited: 'a mail to somebody who signs in' })
}
