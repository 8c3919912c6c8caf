import { eq, type SQL, sql } from 'drizzle-orm'
import { projects } from '../../../schema/projects.ts'
import type { Db } from '../../platform/db/client.ts'

/** Returns the project with its time zone and what happens to its articles on their date; `mine` is true if the account owns it. */
export const projectOwner = (db: Db, owner: SQL, id: number) =>
  db
    .select({
      id: projects.id,
      status: projects.status,
      timezone: projects.timezone,
      publishTime: projects.publishTime,
      publishingStatus: projects.publishingStatus,
      videosEnabled: projects.videosEnabled,
      mine: sql<boolean>`coalesce(${projects.accountId} = ${owner}, false)`,
    })
    .from(projects)
    .where(eq(projects.id, id))
