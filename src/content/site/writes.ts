import { and, eq, isNull, ne, type SQL, sql } from 'drizzle-orm'
import { articles } from '../../../schema/articles.ts'
import { sitePages } from '../../../schema/site.ts'
import { isPageOfSite } from '../../accounts/projects/parts.ts'
import type { Db } from '../../platform/db/client.ts'
import type { Statement } from '../../platform/db/steps.ts'
import { insertWhere } from '../../platform/db/writes.ts'
import { keyOfRead, pageKey } from '../../platform/lib/urls.ts'

/** Longest address stored as a page, plain or encoded. An index entry holds at most 2,704 bytes. */
const MAX_URL = 2_000

/** Returns the key of an address; undefined if it cannot be stored as a page. */
const keyOf = (url: string | undefined): string | undefined => {
  if (url === undefined || url.length > MAX_URL || !/^https?:/i.test(url) || !URL.canParse(url)) return undefined
  const key = pageKey(new URL(url))
  return key.length > MAX_URL ? undefined : key
}

/** Columns of an existing page that get the values of the new row. */
const OVERWRITTEN = sql.raw(
  ['url', 'article_id', 'title', 'keyword', 'meta_description', 'language', 'alternate_of', 'read_at', 'updated_at']
    .map((name) => `${name} = excluded.${name}`)
    .join(', '),
)

/** Columns of a page that come from its article, of a statement that reads from `articles`. */
const fromArticle = (now: Date) => ({
  title: sql`${articles.title}`,
  keyword: sql`${articles.mainKeyword}`,
  metaDescription: sql`${articles.metaDescription}`,
  readAt: now,
  createdAt: now,
  updatedAt: now,
})

/**
 * Returns the statements that store a live article as a page of its site. Run them after the article's change.
 *
 * Empty if the address cannot be stored.
 */
export const articlePage = (
  db: Db,
  articleId: number,
  url: string | undefined,
  { if: condition, now }: { if: SQL; now: Date },
): Statement[] => {
  const key = keyOf(url)
  if (url === undefined || key === undefined) return []
  return [
    // Earlier addresses of a moved site stay, because search numbers belong to them.
    db
      .delete(sitePages)
      .where(
        and(eq(sitePages.articleId, articleId), ne(sitePages.urlKey, key), isNull(sitePages.alternateOf), condition),
      ),
    insertWhere(
      sitePages,
      {
        projectId: sql`${articles.projectId}`,
        articleId,
        url,
        urlKey: key,
        ...fromArticle(now),
      },
      {
        if: sql`${eq(articles.id, articleId)} and ${condition}`,
        from: sql`${articles}`,
        onConflict: sql`(project_id, url_key) do update set ${OVERWRITTEN}`,
      },
    ),
  ]
}

/**
 * Returns the statements that give an article's page the key of the canonical address that it names.
 *
 * Another article's page keeps its key.
 */
export const readArticlePage = (
  db: Db,
  articleId: number,
  url: string,
  canonical: string | null,
  { if: condition }: { if: SQL },
): Statement[] => {
  const key = keyOf(url) && keyOfRead(new URL(url), canonical)
  if (key === undefined || key.length > MAX_URL) return []
  const project = sql`(select project_id from articles where id = ${articleId}::int)`
  const others = sql`site_pages other where other.url_key = ${key} and other.project_id = ${project}`
  return [
    db
      .delete(sitePages)
      .where(and(eq(sitePages.urlKey, key), eq(sitePages.projectId, project), isNull(sitePages.articleId), condition)),
    db
      .update(sitePages)
      .set({ urlKey: key })
      .where(
        and(
          eq(sitePages.articleId, articleId),
          isNull(sitePages.alternateOf),
          sql`not exists (select 1 from ${others})`,
          condition,
        ),
      ),
  ]
}

/** Returns the statement that deletes the page of an article that readers no longer see. */
export const noArticlePage = (db: Db, articleId: number, { if: condition }: { if: SQL }) =>
  db.delete(sitePages).where(and(eq(sitePages.articleId, articleId), condition))

/**
 * Returns the statements that give articles the pages of a moved site. Run them after the articles' change.
 *
 * `moved` selects `article_id`, `new_url` and `new_key`. The old pages stay as other addresses of the new ones, so that search numbers
 * still find the article; nothing links to them. Pages of the old site that are no article are deleted.
 */
export const movePages = (
  db: Db,
  projectId: number,
  { moved, siteKey }: { moved: SQL; siteKey: string },
  { if: condition, now }: { if: SQL; now: Date },
): Statement[] => [
  db
    .delete(sitePages)
    .where(
      and(
        eq(sitePages.projectId, projectId),
        isNull(sitePages.articleId),
        sql`not ${isPageOfSite(sql`${sitePages.urlKey}`, sql`${siteKey}::text`)}`,
        condition,
      ),
    ),
  db
    .update(sitePages)
    .set({ alternateOf: sql`moved.new_key`, updatedAt: now })
    .from(sql`(${moved}) moved`)
    .where(
      and(
        eq(sitePages.projectId, projectId),
        sql`${sitePages.articleId} = moved.article_id and ${sitePages.urlKey} <> moved.new_key`,
        condition,
      ),
    ),
  insertWhere(
    sitePages,
    {
      projectId,
      articleId: sql`${articles.id}`,
      url: sql`moved.new_url`,
      urlKey: sql`moved.new_key`,
      ...fromArticle(now),
    },
    {
      if: condition,
      from: sql`(${moved}) moved join ${articles} on ${articles.id} = moved.article_id`,
      onConflict: sql`(project_id, url_key) do update set ${OVERWRITTEN}`,
    },
  ),
]
