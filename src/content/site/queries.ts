import { and, asc, eq, gt, isNull } from 'drizzle-orm'
import { projects } from '../../../schema/projects.ts'
import { sitePages } from '../../../schema/site.ts'
import type { Db } from '../../platform/db/client.ts'

/** Returns pages of a project that were never read, in the order they were found, after a row. */
export const unreadPages = (db: Db, projectId: number, afterId: number, limit: number) =>
  db
    .select({ id: sitePages.id, url: sitePages.url, key: sitePages.urlKey })
    .from(sitePages)
    .where(and(eq(sitePages.projectId, projectId), isNull(sitePages.readAt), gt(sitePages.id, afterId)))
    .orderBy(asc(sitePages.id))
    .limit(limit)

/** Selects the settings of a project for links within its site. */
export const linkingOf = (db: Db, projectId: number) =>
  db
    .select({ websiteUrl: projects.websiteUrl, linksPerArticle: projects.internalLinksPerArticle })
    .from(projects)
    .where(eq(projects.id, projectId))
