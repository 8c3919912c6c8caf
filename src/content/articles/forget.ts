import { and, sql } from 'drizzle-orm'
import { articleRevisions } from '../../../schema/articles.ts'
import { LOG_DAYS } from '../../../schema/values/retention.ts'
import { walkOn } from '../../platform/db/walk.ts'
import { DAY_MS } from '../../platform/lib/time.ts'
import type { Deps } from '../../platform/runtime/ctx.ts'

/** Number of newest revisions of an article that stay, however old. */
export const NEWEST_REVISIONS = 20

/**
 * Deletes revisions of 400 days ago, after which nothing can be undone. Returns how many.
 *
 * The newest stay, and the first, which an adopted post had at its site. So do those that a delivery sent, because its text
 * is read from there.
 */
export const forgetRevisions = ({ db, now }: Pick<Deps, 'db' | 'now'>): Promise<number> =>
  walkOn(db, now(), {
    name: 'revisions',
    table: 'article_revisions',
    until: { column: 'created_at', before: new Date(now().getTime() - LOG_DAYS * DAY_MS) },
    handle: (ids) =>
      db.delete(articleRevisions).where(
        and(
          sql`${articleRevisions.id} = any(${ids})`,
          sql`exists (select 1 from article_revisions o
            where o.article_id = ${articleRevisions.articleId} and o.revision < ${articleRevisions.revision})`,
          sql`exists (select 1 from article_revisions n
            where n.article_id = ${articleRevisions.articleId} and n.revision > ${articleRevisions.revision}
            order by n.revision offset ${NEWEST_REVISIONS - 1}::int limit 1)`,
          sql`not exists (select 1 from deliveries d
            where d.article_id = ${articleRevisions.articleId} and d.revision = ${articleRevisions.revision})`,
        ),
      ),
  })
