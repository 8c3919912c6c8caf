import { eq, type SQL, sql } from 'drizzle-orm'
import { projects } from '../../schema/projects.ts'
import type { Db } from '../db/client.ts'

/** Whose project it is, its time zone, and what becomes of its articles on their date, for what belongs to a project. */
export const projectOwner = (db: Db, owner: SQL, id: number) =>
  db
    .select({
      id: projects.id,
      status: projects.status,
      timezone: projects.timezone,
      publishTime: projects.publishTime,
      publishingStatus: projects.publishingStatus,
      mine: sql<boolean>`coalesce(${projects.accountId} = ${owner}, false)`,
    })
    .from(projects)
    .where(eq(projects.id, id))
