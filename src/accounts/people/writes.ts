import { type SQL, sql } from 'drizzle-orm'
import type { If } from '../../platform/db/writes.ts'
import { enqueue } from '../../platform/jobs/enqueue.ts'
import { mailJob } from './jobs.ts'
import type { SealedMail } from './queue-mail.ts'

/** Queues a mail. `sealed` chooses between mails with the same id. */
export const queueMail = (mail: SealedMail, { if: condition, now, sealed }: { if: If; now: Date; sealed?: SQL }): SQL =>
  enqueue(
    mailJob,
    {
      mail: sql`${mail.id}::text`,
      since: now.toISOString(),
      until: mail.until.toISOString(),
      sealed: sealed ?? mail.sealed,
    },
    { if: condition, account: sql`null::int`, runAt: now, open: 'keep' },
  )
