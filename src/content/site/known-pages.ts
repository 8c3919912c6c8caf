import { asc, eq } from 'drizzle-orm'
import { sitePages } from '../../../schema/site.ts'
import type { Db } from '../../platform/db/client.ts'

/** Returns pages of a project in the order they were found. */
export const pagesOf = (db: Db, projectId: number, limit: number) =>
  db
    .select({
      url: sitePages.url,
      key: sitePages.urlKey,
      title: sitePages.title,
      keyword: sitePages.keyword,
      description: sitePages.metaDescription,
      readAt: sitePages.readAt,
    })
    .from(sitePages)
    .where(eq(sitePages.projectId, projectId))
    .orderBy(asc(sitePages.id))
    .limit(limit)
