import { and, eq, ne, type SQL, sql } from 'drizzle-orm'
import { articles } from '../../../schema/articles.ts'
import { sitePages } from '../../../schema/site.ts'
import type { Db } from '../../platform/db/client.ts'
import { insertWhere } from '../../platform/db/writes.ts'
import { pageKey } from '../../platform/lib/urls.ts'
import type { Statement } from '../../platform/runtime/ctx.ts'

/** Longest address that is kept as a page, plain or encoded: an index entry holds 2,704 bytes at most. */
const MAX_URL = 2_000

/** Returns the key of an address that can be kept as a page. */
const keyOf = (url: string | undefined): string | undefined => {
  if (url === undefined || url.length > MAX_URL || !/^https?:/i.test(url) || !URL.canParse(url)) return undefined
  const key = pageKey(new URL(url))
  return key.length > MAX_URL ? undefined : key
}

/** Columns of a page that is there already take the values of the new row. */
const OVERWRITTEN = sql.raw(
  ['url', 'article_id', 'title', 'keyword', 'meta_description', 'read_at', 'updated_at']
    .map((name) => `${name} = excluded.${name}`)
    .join(', '),
)

/** Keeps a live article as a page of its project's site; nothing for an address that cannot be kept. It is after the article's change. */
export const articlePage = (
  db: Db,
  articleId: number,
  url: string | undefined,
  { if: condition, now }: { if: SQL; now: Date },
): Statement[] => {
  const key = keyOf(url)
  if (url === undefined || key === undefined) return []
  return [
    db.delete(sitePages).where(and(eq(sitePages.articleId, articleId), ne(sitePages.urlKey, key), condition)),
    insertWhere(
      sitePages,
      {
        projectId: sql`${articles.projectId}`,
        articleId,
        url,
        urlKey: key,
        title: sql`${articles.title}`,
        keyword: sql`${articles.mainKeyword}`,
        metaDescription: sql`${articles.metaDescription}`,
        readAt: now,
        createdAt: now,
        updatedAt: now,
      },
      {
        if: sql`${eq(articles.id, articleId)} and ${condition}`,
        from: sql`${articles}`,
        onConflict: sql`(project_id, url_key) do update set ${OVERWRITTEN}`,
      },
    ),
  ]
}

/** Forgets the page of an article that readers do not see any more. */
export const noArticlePage = (db: Db, articleId: number, { if: condition }: { if: SQL }) =>
  db.delete(sitePages).where(and(eq(sitePages.articleId, articleId), condition))
