import { and, desc, eq, getTableColumns, lt, type SQL, sql } from 'drizzle-orm'
import { accounts } from '../../../schema/accounts.ts'
import { oneOf } from '../../../schema/columns.ts'
import { integrations } from '../../../schema/integrations.ts'
import { projects } from '../../../schema/projects.ts'
import type { Db } from '../../platform/db/client.ts'
import type { Paging } from '../../platform/db/paging.ts'

// `topicVector` is used only inside queries, so its value is never read.
const { topicVector: _, ...columns } = getTableColumns(projects)

/** Returns the caller's active projects, newest first, one more than the page shows. */
export const listActive = (db: Db, owner: SQL, paging: Paging) =>
  db
    .select(columns)
    .from(projects)
    .where(
      and(
        eq(projects.accountId, owner),
        eq(projects.status, 'Active'),
        paging.beforeId === undefined ? undefined : lt(projects.id, paging.beforeId),
      ),
    )
    .orderBy(desc(projects.id))
    .limit(paging.limit + 1)
    .offset(paging.offset)

/** Returns the account's archived projects, newest first, at most 200. */
export const listArchivedRows = (db: Db, owner: SQL) =>
  db
    .select({
      id: projects.id,
      websiteUrl: projects.websiteUrl,
      businessName: projects.businessName,
      eraseAt: projects.eraseAt,
    })
    .from(projects)
    .where(and(eq(projects.accountId, owner), eq(projects.status, 'Archived')))
    .orderBy(desc(projects.id))
    .limit(200)

/** Returns a project by id, even one of another account, so that errors can distinguish 404 and 403. `mine`: the caller owns it. */
export const projectById = (db: Db, owner: SQL, id: number) =>
  db
    .select({ project: columns, mine: sql<boolean>`coalesce(${projects.accountId} = ${owner}, false)` })
    .from(projects)
    .where(eq(projects.id, id))

/** Returns the import that is still writing a project; no row if none is. */
export const importing = (db: Db, id: number) =>
  db.execute<{ id: number }>(sql`select id from project_imports where project_id = ${id}::int and state = 'importing'`)

/** Selects the status of a project of any account. */
export const statusOf = (db: Db, id: number) =>
  db.select({ status: projects.status }).from(projects).where(eq(projects.id, id))

/** Selects the account’s active project of a website. */
export const activeByWebsite = (db: Db, owner: SQL, websiteKey: string) =>
  db
    .select({
      id: projects.id,
      websiteUrl: projects.websiteUrl,
      siteScanState: projects.siteScanState,
      siteScannedAt: projects.siteScannedAt,
    })
    .from(projects)
    .where(and(eq(projects.accountId, owner), eq(projects.websiteKey, websiteKey), eq(projects.status, 'Active')))

/** Draws the next id of a project. */
export const nextProjectId = (db: Db) => db.execute<{ id: string }>(sql`select nextval('projects_id_seq') as id`)

/** Selects the used and total project slots of an account. */
export const slotUse = (db: Db, owner: SQL) =>
  db.execute<{ used: number; total: number }>(
    sql`select active_projects as used, project_slots as total from accounts where id = ${owner}`,
  )

/** Slots and credits of an account. */
export const accountState = (db: Db, owner: SQL) =>
  db
    .select({ used: accounts.activeProjects, total: accounts.projectSlots, articleCredits: accounts.articleCredits })
    .from(accounts)
    .where(eq(accounts.id, owner))

/** Returns the platform of a project's connected CMS or webhook; no row without one. */
export const targetOf = (db: Db, projectId: number) =>
  db
    .select({ platform: integrations.platform })
    .from(integrations)
    .where(and(eq(integrations.projectId, projectId), oneOf(integrations.status, ['Active'])))
