import { and, count, desc, eq, inArray, isNotNull, isNull, max, or, type SQL, sql } from 'drizzle-orm'
import { adoptedPosts, adoptions } from '../../../schema/adopted.ts'
import { articleRevisions, articles } from '../../../schema/articles.ts'
import { integrations } from '../../../schema/integrations.ts'
import { projects } from '../../../schema/projects.ts'
import { sitePages } from '../../../schema/site.ts'
import type { Db } from '../../platform/db/client.ts'

const targetColumns = {
  id: integrations.id,
  platform: integrations.platform,
  url: integrations.url,
  sealedSecrets: integrations.sealedSecrets,
}

/** Columns of a project that say which addresses belong to its site. */
const siteColumns = { websiteKey: projects.websiteKey, blogRootUrl: projects.blogRootUrl }

/** Selects the project's target, with its sealed secrets, and the addresses of its site. */
export const targetOfProject = (db: Db, projectId: number) =>
  db
    .select({ ...targetColumns, site: siteColumns })
    .from(integrations)
    .innerJoin(projects, eq(projects.id, integrations.projectId))
    .where(and(eq(integrations.projectId, projectId), eq(integrations.status, 'Active')))

/** Selects the articles that have the pages with some keys. */
const articlesOfPages = (projectId: number, keys: readonly string[]): SQL =>
  sql`select ${sitePages.articleId} from ${sitePages} where ${and(
    eq(sitePages.projectId, projectId),
    inArray(sitePages.urlKey, [...keys]),
    isNotNull(sitePages.articleId),
  )}`

/** Returns the condition that no article of a project has the pages with some keys. */
export const isFreePage = (projectId: number, keys: readonly string[]): SQL =>
  keys.length > 0 ? sql`not exists (${articlesOfPages(projectId, keys)})` : sql`true`

/** Selects the articles of posts at a site, in the form of `articles.remote_site`, and those of pages with some keys. */
export const articlesOfPosts = (
  db: Db,
  projectId: number,
  site: string,
  postIds: readonly string[],
  pageKeys: readonly string[] = [],
) =>
  db
    .select({
      id: articles.id,
      postId: sql<string>`${articles.remoteId}`,
      origin: articles.origin,
      title: articles.title,
      url: articles.url,
    })
    .from(articles)
    .where(
      and(
        eq(articles.projectId, projectId),
        or(
          and(inArray(articles.remoteId, [...postIds]), eq(articles.remoteSite, site)),
          pageKeys.length > 0 ? sql`${articles.id} in (${articlesOfPages(projectId, pageKeys)})` : undefined,
        ),
      ),
    )

/** Most pages of a site that a search looks at. */
const SEARCHED = 50_000

/** Returns a pattern for `ilike` that finds a word as it is written. */
const patternOf = (word: string): string => `%${word.replace(/[\\%_]/g, '\\$&')}%`

/** Selects known pages of a project's site whose titles and addresses have all words, newest first, with their articles. */
export const pagesWith = (
  db: Db,
  projectId: number,
  words: readonly string[],
  { limit, offset }: { limit: number; offset: number },
) => {
  const pages = db
    .select()
    .from(sitePages)
    // Not the addresses that an article had before its site moved.
    .where(and(eq(sitePages.projectId, projectId), or(isNull(sitePages.articleId), isNull(sitePages.alternateOf))))
    .orderBy(desc(sitePages.id))
    .limit(SEARCHED)
    .as('pages')
  return db
    .select({
      url: pages.url,
      title: pages.title,
      articleId: articles.id,
      origin: articles.origin,
      total: sql<number>`count(*) over ()`.mapWith(Number),
    })
    .from(pages)
    .leftJoin(articles, and(eq(articles.id, pages.articleId), eq(articles.projectId, projectId)))
    .where(and(...words.map((word) => sql`${pages.title} || ' ' || ${pages.url} ilike ${patternOf(word)}`)))
    .orderBy(desc(pages.id))
    .limit(limit)
    .offset(offset)
}

/** Selects when a project's site was last indexed. */
export const indexedAt = (db: Db, projectId: number) =>
  db
    .select({ at: max(sitePages.seenAt) })
    .from(sitePages)
    .where(eq(sitePages.projectId, projectId))

/** Selects the newest adoption of many posts of a project. */
export const newestAdoption = (db: Db, projectId: number) =>
  db.select().from(adoptions).where(eq(adoptions.projectId, projectId)).orderBy(desc(adoptions.id)).limit(1)

/** Selects an adoption that runs, if its project is active. `row` is the project's target; null without one. */
export const runningAdoption = (db: Db, owner: SQL, id: number) =>
  db
    .select({ adoption: adoptions, row: targetColumns, site: siteColumns })
    .from(adoptions)
    .innerJoin(projects, and(eq(projects.id, adoptions.projectId), eq(projects.status, 'Active')))
    .leftJoin(integrations, and(eq(integrations.projectId, adoptions.projectId), eq(integrations.status, 'Active')))
    .where(and(eq(adoptions.id, id), eq(adoptions.accountId, owner), eq(adoptions.state, 'running')))

/** Draws the id for a new adoption. */
export const nextAdoptionId = (db: Db) => db.execute<{ id: string }>(sql`select nextval('adoptions_id_seq') as id`)

/** Selects the number of a project's adopted articles. */
export const adoptedCount = (db: Db, projectId: number) =>
  db.select({ used: count() }).from(adoptedPosts).where(eq(adoptedPosts.projectId, projectId))

/** Expression: the text of an adopted article as it was found. A restore of the database moves the numbers of revisions. */
const firstText = sql<string>`coalesce(
  (select r.content from ${articleRevisions} r where r.article_id = adopted_posts.article_id order by r.revision limit 1),
  (select a.content from ${articles} a where a.id = adopted_posts.article_id))`

/**
 * Selects the form of an adopted article's text. If the project's target is a receiver, `asRead` is the text as it was found, and
 * `unknownStatus` the HTTP status that it answered to an update of a post that it does not have.
 */
export const adoptedForm = (db: Db, articleId: number) =>
  db
    .select({
      format: adoptedPosts.format,
      owner: adoptedPosts.owner,
      site: adoptedPosts.site,
      asRead: sql<string | null>`case when ${integrations.platform} = 'webhook' then ${firstText} end`,
      unknownStatus: integrations.unknownStatus,
    })
    .from(adoptedPosts)
    .leftJoin(integrations, and(eq(integrations.projectId, adoptedPosts.projectId), eq(integrations.status, 'Active')))
    .where(eq(adoptedPosts.articleId, articleId))

/** Selects an adopted article's post as it was found: its fields, and its text. */
export const foundPost = (db: Db, articleId: number) =>
  db
    .select({ fields: adoptedPosts.fields, content: firstText })
    .from(adoptedPosts)
    .where(eq(adoptedPosts.articleId, articleId))
