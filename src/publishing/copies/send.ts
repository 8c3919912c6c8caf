import { eq, sql } from 'drizzle-orm'
import { articles } from '../../../schema/articles.ts'
import { projects } from '../../../schema/projects.ts'
import { refuseArchived } from '../../accounts/projects/scope.ts'
import { type CopyRow, copiesOf } from '../../content/articles/copies.ts'
import { statusAllows } from '../../content/articles/parts.ts'
import { owned } from '../../platform/accounts/check-owner.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { awaitHome, repeatCopies, sendCopies } from './writes.ts'

/** Condition: the last look at the home showed the whole article. */
const isSeen = sql`(${articles.receipt} ->> 'http_status' = '200' and ${articles.receipt} ->> 'title_found' = 'true'
  and ${articles.receipt} ->> 'text_found' is distinct from 'false')`

/**
 * Sends the copies that the followers of an article's project lack, and begins the failed ones anew. Returns the copies.
 *
 * Copies of an article that readers were not seen to have at the home wait. Throws 404, 403, and 409 for an archived project.
 */
export const sendMissingCopies = async (ctx: Ctx, id: number) => {
  const { db } = ctx
  const [found] = await ctx.read((owner) =>
    db
      .select({
        mine: sql<boolean>`coalesce(${articles.accountId} = ${owner}, false)`,
        projectId: articles.projectId,
        projectStatus: projects.status,
      })
      .from(articles)
      .innerJoin(projects, eq(projects.id, articles.projectId))
      .where(eq(articles.id, id)),
  )
  const { projectId, projectStatus } = owned(found && { row: found, mine: found.mine }, 'article')
  refuseArchived(projectId, projectStatus)
  const isArticle = sql`select 1 from ${articles} where ${eq(articles.id, id)} and ${statusAllows('sync')}`
  const revision = sql`(select (${articles.receipt} ->> 'revision')::int from ${articles} where ${eq(articles.id, id)})`
  const { shown } = await ctx.batch(
    {
      lock: db.select({ id: articles.id }).from(articles).where(eq(articles.id, id)).for('no key update'),
      missing: awaitHome(id, sql`exists (${isArticle})`),
      repeated: repeatCopies(ctx, id, sql`true`),
      sent: sendCopies(ctx, id, revision, sql`exists (${isArticle} and ${isSeen})`),
      shown: sql<{ copies: CopyRow[] }>`select ${copiesOf(sql`${id}::int`)} as copies`,
    },
    { unaudited: 'what each attempt did is written to the audit log when it ends' },
  )
  ctx.defer(ctx.wakeQueue())
  const copies = shown[0]?.copies ?? []
  const message =
    copies.length === 0
      ? `There is nothing to copy: the article is not published, or the project has no followers. POST /projects/${projectId}/targets adds one.`
      : 'Copies that were missing or had failed are sent, once readers see the article at the home. GET /articles/:id shows how they end.'
  return { article_id: id, message, copies }
}
