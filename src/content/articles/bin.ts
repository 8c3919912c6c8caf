import { and, desc, eq, gt, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { articleRevisions, articles, deletedArticles } from '../../../schema/articles.ts'
import { BIN_DAYS } from '../../../schema/values/retention.ts'
import { when } from '../../platform/db/steps.ts'
import { audit, type If, insertWhere } from '../../platform/db/writes.ts'
import { ApiError } from '../../platform/lib/errors.ts'
import { DAY_MS } from '../../platform/lib/time.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { BIN_COLUMNS, REVISION_COLUMNS } from './fields.ts'
import { freeSlug, slugFor } from './parts.ts'
import { FIRST_STATUS } from './transitions.ts'

/** Number of newest revisions that the bin keeps of an article. */
const REVISIONS = 20

/** Number of newest articles of the bin that its page shows. */
export const BIN_SHOWN = 200

const oldest = ({ now }: Pick<Ctx, 'now'>): Date => new Date(now().getTime() - BIN_DAYS * DAY_MS)

/** Returns the step that puts an article, which the batch has locked, with its revisions into the bin. */
export const keepInBin = (ctx: Pick<Ctx, 'db' | 'actor' | 'now'>, id: number) => (isMet: If) => {
  const newest = ctx.db
    .select()
    .from(articleRevisions)
    .where(eq(articleRevisions.articleId, id))
    .orderBy(desc(articleRevisions.revision))
    .limit(REVISIONS)
  return insertWhere(
    deletedArticles,
    {
      articleId: sql`${articles.id}`,
      accountId: sql`${articles.accountId}`,
      projectId: sql`${articles.projectId}`,
      title: sql`${articles.title}`,
      article: sql`to_jsonb(${articles})`,
      revisions: sql`(select coalesce(jsonb_agg(to_jsonb(kept) order by kept.revision), '[]') from ${newest.as('kept')})`,
      deletedBy: ctx.actor(),
      deletedAt: ctx.now(),
    },
    { from: sql`${articles}`, if: sql`${eq(articles.id, id)} and ${isMet}` },
  )
}

/** Returns the condition that an article is in the bin of the account's project. */
const isInBin = (ctx: Pick<Ctx, 'now'>, owner: SQL | number, projectId: number) =>
  and(
    eq(deletedArticles.accountId, sql`${owner}`),
    eq(deletedArticles.projectId, projectId),
    gt(deletedArticles.deletedAt, oldest(ctx)),
  )

/** Returns the newest articles in a project's bin, the last deleted first. */
export const listBin = async (ctx: Ctx, projectId: number) => {
  const { articleId, title, deletedBy, deletedAt } = deletedArticles
  const rows = await ctx.read((owner) =>
    ctx.db
      .select({ id: articleId, title, deletedBy, deletedAt })
      .from(deletedArticles)
      .where(isInBin(ctx, owner, projectId))
      .orderBy(desc(deletedAt))
      .limit(BIN_SHOWN),
  )
  return rows
}

const notInBin = () => new ApiError('not_found', 'The article is not in the bin.')

const field = (name: string): SQL => sql`${deletedArticles.article} ->> ${name}::text`

const kept = (column: keyof typeof articles.$inferSelect): SQL => sql`kept.${sql.identifier(articles[column].name)}`

/** Returns the article's own id of the caller, unless another article has it by now. */
const freeRef = (): SQL => {
  const other = alias(articles, 'other')
  return sql`case when not exists (select 1 from ${articles} as "other" where ${eq(other.accountId, sql`kept.account_id`)}
    and ${eq(other.externalRef, sql`kept.external_ref`)} and ${eq(other.projectId, sql`kept.project_id`)}) then kept.external_ref end`
}

/**
 * Restores an article from the bin as a draft without a date, under its id and with its revisions.
 *
 * A slug or `external_ref` that another article has by now is not taken away from it. Links to partners count from the
 * next save on. Returns false if somebody else restored it meanwhile, or took its slug. Throws 404 if it is not in the bin
 * of the project.
 */
export const restoreFromBin = async (ctx: Ctx, id: number, projectId: number): Promise<boolean> => {
  const isIt = eq(deletedArticles.articleId, id)
  const slug = sql`(select ${field('slug')} from ${deletedArticles} where ${isIt})`
  const {
    found: [found],
    slugs,
  } = await ctx.read((owner) => ({
    found: ctx.db
      .select({ names: sql<string[]>`array(select jsonb_object_keys(${deletedArticles.article}))` })
      .from(deletedArticles)
      .where(and(isIt, isInBin(ctx, owner, projectId))),
    slugs: freeSlug(ctx.db, sql`${projectId}::int`, { usual: slug, byLanguage: {} }),
  }))
  if (!found) throw notInBin()
  const account = await ctx.account()
  const binned = and(isIt, isInBin(ctx, account.id, projectId))
  // A column that is newer than the deletion gets its default.
  const columns = BIN_COLUMNS.filter((column) => found.names.includes(articles[column].name))
  const { id: _id, articleId: _article, ...version } = articleRevisions
  const isRestored = sql`exists (select 1 from ${deletedArticles} where ${binned}) and exists (select 1 from ${articles} where ${eq(articles.id, id)})`
  const { restored } = await ctx.batch({
    bin: ctx.db.select({ id: deletedArticles.articleId }).from(deletedArticles).where(binned).for('update'),
    restored: insertWhere(
      articles,
      {
        ...(Object.fromEntries(columns.map((column) => [column, kept(column)])) as Record<
          (typeof BIN_COLUMNS)[number],
          SQL
        >),
        status: FIRST_STATUS.bin,
        slug: slugFor(slugs, id),
        externalRef: freeRef(),
        updatedAt: ctx.now(),
      },
      {
        from: sql`${deletedArticles}, jsonb_populate_record(null::articles, ${deletedArticles.article}) as kept`,
        if: sql`${binned}`,
        onConflict: sql`do nothing`,
      },
    ),
    ...when(isRestored, {
      revisions: (isMet) =>
        insertWhere(
          articleRevisions,
          {
            articleId: id,
            revision: sql`kept.revision`,
            createdAt: sql`kept.created_at`,
            ...(Object.fromEntries(
              REVISION_COLUMNS.map((column) => [column, sql`kept.${sql.identifier(version[column].name)}`]),
            ) as Record<(typeof REVISION_COLUMNS)[number], SQL>),
          },
          {
            from: sql`${deletedArticles}, jsonb_populate_recordset(null::article_revisions, ${deletedArticles.revisions}) as kept`,
            if: sql`${isIt} and ${isMet}`,
          },
        ),
      audit: audit(ctx, { account: account.id, action: 'article.take_from_bin', on: ['article', id] }),
      emptied: (isMet) => ctx.db.delete(deletedArticles).where(and(binned, isMet)),
    }),
  })
  return restored.length > 0
}
