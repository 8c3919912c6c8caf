import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import type { Ctx } from '../runtime/ctx.ts'
import { firstLookAt } from './rules.ts'
import { articleLocks, missingCtes } from './save-statements.ts'

const at = (instant: Date) => sql`${instant.toISOString()}::timestamptz`

/**
 * A CTE that has the live page looked at for the links it has to show; nothing for an article without any. `from` is the CTE
 * that published or synced it (`id`, `url`).
 */
export const verifyCte = (ctx: Pick<Ctx, 'now'>, from: SQL, accountId: number): SQL => {
  const runAt = firstLookAt(ctx.now())
  return sql`, links_to_verify as (insert into outbox (account_id, job, key, payload, run_at)
      select ${accountId}::int, 'exchange.verify', 'verify:' || f.id, jsonb_build_object('article_id', f.id, 'look', 0, 'not_before', ${runAt.getTime()}::bigint), ${at(runAt)}
      from ${from} as f
      where f.url is not null and exists (select 1 from exchange_links l where l.article_id = f.id and l.status = 'Scheduled')
      on conflict (key) where done_at is null and dead_at is null
        do update set payload = excluded.payload, run_at = excluded.run_at, offered_at = null
      returning id)`
}

/** A link the live page has to show. */
export type AwaitedLink = { id: number; url: string; site_key: string }

/** The links of a published article that nobody has seen on its live page yet. */
export const awaitedLinks = (db: Db, owner: SQL, articleId: number) =>
  db.execute<AwaitedLink>(sql`
    select l.id, a.url, p.website_key as site_key from exchange_links l
    join articles a on a.id = l.article_id join projects p on p.id = l.to_project_id
    where a.id = ${articleId}::int and a.account_id = ${owner} and a.status = 'Published' and a.url is not null and l.status = 'Scheduled'
    order by l.id`)

/** One look: at which article, the how manieth (from 0), and when at the earliest (ms), since the queue may wake too soon. */
export type LookJob = { article_id: number; look: number; not_before: number }

/** What a look at the live page found. `next`: when to look again for what it did not show; null after the last look. */
export type Look = { url: string; found: readonly number[]; missing: readonly number[]; next: Date | null }

/** The job's own row, unless a sync has set it to begin anew meanwhile. */
const ownRow = (job: LookJob): SQL =>
  sql`key = ${`verify:${job.article_id}`} and done_at is null and dead_at is null and (payload->>'not_before')::bigint = ${job.not_before}::bigint`

/** Ends the job's row: there is nothing to look for. */
export const endLooks = (now: Date, job: LookJob): SQL =>
  sql`update outbox set done_at = ${at(now)} where ${ownRow(job)} returning id`

/**
 * Writes what a look found: links seen are verified; for the others the job's row gets its next run, or after the last look
 * they are missing and their credits taken back. Ends the job's row where no look follows.
 */
export const storeLook = (now: Date, job: LookJob, { url, found, missing, next }: Look): SQL => {
  const verified = sql`verified as (update exchange_links set status = 'Verified', source_url = ${url}, verified_at = ${at(now)}, updated_at = ${at(now)}
      where id = any(${sql.param([...found])}::int[]) and status = 'Scheduled' returning id)`
  if (!next)
    return sql`with ${verified} ${missingCtes(missing, now)}, ended as (${endLooks(now, job)}) select id from verified`
  const payload = { ...job, look: job.look + 1, not_before: next.getTime() }
  return sql`with ${verified},
    again as (update outbox set payload = ${JSON.stringify(payload)}::jsonb, run_at = ${at(next)}, offered_at = null
      where ${ownRow(job)} returning id)
    select id from verified`
}

/** What `storeLook` locks before it. */
export const lookLocks = (job: LookJob, { next }: Look): SQL[] => (next ? [] : articleLocks(job.article_id))
