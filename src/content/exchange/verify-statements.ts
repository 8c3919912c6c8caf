import { and, eq, type SQL, sql } from 'drizzle-orm'
import { exchangeLinks } from '../../../schema/exchange.ts'
import { outbox } from '../../../schema/kernel.ts'
import type { Part } from '../../platform/db/part.ts'
import { statement } from '../../platform/db/statement.ts'
import { update } from '../../platform/db/write-parts.ts'
import { book } from './booking.ts'
import { type LookJob, verifyJob } from './jobs.ts'
import { articleLocks } from './locks.ts'
import { endReservationsOf, loseLinks } from './parts.ts'

/** Result of a check of the live page. `next`: time of the next check for links it did not show; null after the last. */
export type Look = { url: string; found: readonly number[]; missing: readonly number[]; next: Date | null }

/** The job's own row, unless a sync has made it begin again meanwhile. */
const isOwn = (job: LookJob): SQL => sql`(${outbox.payload}->>'not_before')::bigint = ${job.not_before}::bigint`

const endJob = (now: Date, job: LookJob): Part<'id'> => verifyJob.finish(job.article_id, now, { where: isOwn(job) })

const UNAUDITED = 'the service saw it on a live page; the ledger says what it changed'

/** Ends the job's row: there is nothing to look for. What is reserved for links the article does not have is set free. */
export const endLooks = (now: Date, job: LookJob): SQL => {
  const done = endJob(now, job)
  const ended = endReservationsOf(job.article_id)
  return statement({ unaudited: UNAUDITED, parts: [done, ended, book({ ended }, now)], answer: { id: done.c.id } })
}

const nextLook = (job: LookJob, next: Date): Part<'id'> => {
  const payload = { ...job, look: job.look + 1, not_before: next.getTime() }
  return verifyJob.move(job.article_id, next, { payload, where: isOwn(job) })
}

/**
 * Writes the result of a check: links it saw are verified; for the others the job's row gets its next run.
 *
 * After the last check they are missing and their credits are taken back, unless a sync has started the checks again meanwhile.
 * The statement ends the job's row if no check follows, and frees what is reserved for links that the article does not have.
 */
export const storeLook = (now: Date, job: LookJob, { url, found, missing, next }: Look): SQL => {
  const verified = update(
    'verified',
    exchangeLinks,
    { status: 'Verified', sourceUrl: url, verifiedAt: now, updatedAt: now },
    {
      where: sql`${and(
        sql`${exchangeLinks.id} = any(${sql.param([...found])}::int[])`,
        eq(exchangeLinks.status, 'Scheduled'),
      )}`,
      returning: { id: exchangeLinks.id },
    },
  )
  const ended = endReservationsOf(job.article_id)
  const after = next ? nextLook(job, next) : endJob(now, job)
  const lost = next ? undefined : loseLinks(missing, after, now)
  return statement({
    unaudited: UNAUDITED,
    parts: [verified, after, lost?.parts, ended, book({ ended, ...(lost ? { moves: lost.moves } : {}) }, now)],
    answer: { id: verified.c.id },
  })
}

/** Locks for `storeLook` and `endLooks`. */
export const lookLocks = (job: LookJob): SQL[] => articleLocks(job.article_id)
