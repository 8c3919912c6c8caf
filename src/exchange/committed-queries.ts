import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import type { Ctx } from '../runtime/ctx.ts'
import { partnersNear } from './candidates.ts'
import { PARTNERS_PER_ARTICLE } from './rules.ts'

/** A link the article has to carry, and the words that carry it. */
export type CommittedPartner = { url: string; anchor: string }

/** The partners an article is committed to, in the order of choice. One query for a batch of reads. */
export const committedPartners = (db: Db, articleId: number) =>
  db.execute<CommittedPartner>(
    sql`select url, anchor from exchange_commitments where article_id = ${articleId}::int order by id`,
  )

/** What committing locks: the project, so that two articles at once are not given the same partner. */
export const commitLocks = (articleId: number): SQL[] => [
  sql`select id from projects where id = (select project_id from articles where id = ${articleId}::int) for no key update`,
]

/** Chooses the partners of an article that has none chosen yet and keeps them; one row each. After `commitLocks`. */
export const insertCommitments = (
  ctx: Pick<Ctx, 'now'>,
  accountId: number,
  articleId: number,
  keyword: string,
): SQL => {
  const now = sql`${ctx.now().toISOString()}::timestamptz`
  const asked = {
    projectId: sql`(select project_id from art)`,
    keyword,
    limit: PARTNERS_PER_ARTICLE,
    now: ctx.now(),
    uncommitted: true,
  }
  return sql`with art as materialized (update articles set partners_committed_at = ${now}
      where id = ${articleId}::int and account_id = ${accountId}::int and status in ('Planned', 'Generating') and partners_committed_at is null
      returning id, project_id),
    chosen as materialized (${partnersNear(asked)}),
    made as (insert into exchange_commitments (article_id, to_project_id, url, anchor, created_at)
      select art.id, c.to_project_id, c.url, c.project_name, ${now}
      from art, chosen c returning id, url, anchor)
    select url, anchor from made order by id`
}
