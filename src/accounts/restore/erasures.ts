import { type SQL, sql } from 'drizzle-orm'
import { accounts } from '../../../schema/accounts.ts'
import { accountDeletions } from '../../../schema/people.ts'
import { projects } from '../../../schema/projects.ts'
import { rowsOf } from '../../platform/db/client.ts'
import { enqueue } from '../../platform/jobs/enqueue.ts'
import type { JobResult } from '../../platform/jobs/job.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { eraseAgainJob, eraseJob } from '../people/jobs.ts'
import { GRACE_DAYS } from '../people/leaving/delete.ts'
import { hasHash, TOMBSTONES } from '../people/leaving/tombstones.ts'

/** Closes the accounts that meet a condition, and queues their erasure now. Returns a row for each. */
export const eraseAgain = (isErased: SQL): SQL<{ one: number }> => {
  const id = sql`closed.id`
  const work = { account: id, runAt: sql`now()`, open: 'move', from: sql`closed`, if: 'always' } as const
  return sql`with closed as (
      update ${accounts} set suspended_at = now(), updated_at = now() where ${isErased} returning id, suspended_at),
    due as (insert into ${accountDeletions} (account_id, requested_by, requested_at, erase_at)
      select id, 'restore', suspended_at, suspended_at from closed
      on conflict (account_id) do update set requested_at = excluded.requested_at, erase_at = excluded.erase_at),
    queued as (${enqueue(eraseJob, { account_id: id }, work)})
    select 1 as one from closed`
}

/**
 * Archives the projects that meet a condition, to be erased after the usual days. Returns a row for each.
 *
 * An owner can keep them, because rows that the damage deleted look like erased ones.
 */
export const eraseProjectsAgain = (isErased: SQL): SQL<{ one: number }> =>
  sql`update ${projects} set status = 'Archived', erase_at = now() + ${`${GRACE_DAYS} days`}::interval where ${isErased} returning 1 as one`

/** Queues the job that reads the tombstones. */
export const queueErasures = (): SQL =>
  enqueue(eraseAgainJob, { run: 1 }, { account: sql`null::int`, runAt: sql`now()`, open: 'keep', if: 'always' })

/** Erases every account again that has a tombstone in the bucket. */
export const eraseByTombstones = async (ctx: Pick<Ctx, 'db' | 'media' | 'log'>): Promise<JobResult> => {
  let again = 0
  for (let cursor: string | undefined; ; ) {
    const page = await ctx.media.list({ prefix: TOMBSTONES, ...(cursor === undefined ? {} : { cursor }) })
    const hashes = page.objects.map(({ key }) => key.slice(TOMBSTONES.length))
    if (hashes.length > 0) again += (await rowsOf(ctx.db, eraseAgain(hasHash(hashes)))).length
    if (!page.truncated) break
    cursor = page.cursor
  }
  ctx.log('info', 'restore.erased_again', { accounts: again })
  return { kind: 'done' }
}
