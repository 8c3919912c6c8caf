import { eq } from 'drizzle-orm'
import { projects } from '../../schema/projects.ts'
import type { Db } from '../db/client.ts'

/** How a project links within its site. */
export const linkingOf = (db: Db, projectId: number) =>
  db
    .select({ websiteUrl: projects.websiteUrl, linksPerArticle: projects.internalLinksPerArticle })
    .from(projects)
    .where(eq(projects.id, projectId))
