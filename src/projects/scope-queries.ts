import { eq, type SQL, sql } from 'drizzle-orm'
import { projects } from '../../schema/projects.ts'
import type { Db } from '../db/client.ts'
import { keptQuery, type Place } from '../db/kept-query.ts'

/** Whose project it is, its time zone, and what becomes of its articles on their date, for what belongs to a project. */
export const projectOwner = (db: Db, owner: SQL, id: number) => projectById(db, { id }, owner)

const projectById = keptQuery((db, { id }: { id: Place }, owner) =>
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
    .where(eq(projects.id, id)),
)
