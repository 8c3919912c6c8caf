import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import type { Ctx } from '../runtime/ctx.ts'
import { lookAt } from './rules.ts'
import { articleLocks, missingCtes } from './save-statements.ts'

const at = (instant: Date) => sql`${instant.toISOString()}::timestamptz`

/**
 * A CTE that has the live page looked at for the links it has to show; nothing for an article without any. `from` is the CTE
 * that published or synced it (`id`, `url`).
 */
export const verifyCte = (ctx: Pick<Ctx, 'now' | 'settings'>, from: SQL, accountId: number): SQL => {
  const runAt = lookAt(0, ctx.now(), ctx.settings.retryTimeScale) ?? ctx.now()
  return sql`, links_to_verify as (insert into outbox (account_id, job, key, payload, run_at)
      select ${accountId}::int, 'exchange.verify', 'verify:' || f.id, jsonb_build_object('article_id', f.id, 'look', 0), ${at(runAt)}
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

/** What a look at the live page found. `next`: when to look again for what it did not show; null after the last look. */
export type Look = {
  articleId: number
  url: string
  found: readonly number[]
  missing: readonly number[]
  look: number
  next: Date | null
}

/**
 * Writes what a look found: links seen are verified; for the others the job's row gets its next run, or after the last look
 * they are missing and their credits taken back. A row that a sync has set to begin anew is left as it is.
 */
export const storeLook = (ctx: Pick<Ctx, 'now'>, seen: Look): SQL => {
  const now = ctx.now()
  const verified = sql`verified as (update exchange_links set status = 'Verified', source_url = ${seen.url}, verified_at = ${at(now)}, updated_at = ${at(now)}
      where id = any(${sql.param([...seen.found])}::int[]) and status = 'Scheduled' returning id)`
  if (!seen.next) return sql`with ${verified} ${missingCtes(seen.missing, now)} select id from verified`
  return sql`with ${verified},
    again as (update outbox set payload = jsonb_build_object('article_id', ${seen.articleId}::int, 'look', ${seen.look + 1}::int), run_at = ${at(seen.next)},
        offered_at = null
      where key = ${`verify:${seen.articleId}`} and done_at is null and dead_at is null and (payload->>'look')::int = ${seen.look}::int returning id)
    select id from verified`
}

/** What `storeLook` locks before it. */
export const lookLocks = ({ articleId, next }: Look): SQL[] => (next ? [] : articleLocks(articleId))
