import { eq, type SQL, sql } from 'drizzle-orm'
import { projects } from '../../schema/projects.ts'
import type { Db } from '../db/client.ts'

/** Whose project it is, and its time zone, for what belongs to a project. */
export const projectOwner = (db: Db, owner: SQL, id: number) =>
  db
    .select({
      id: projects.id,
      status: projects.status,
      timezone: projects.timezone,
      mine: sql<boolean>`coalesce(${projects.accountId} = ${owner}, false)`,
    })
    .from(projects)
    .where(eq(projects.id, id))
