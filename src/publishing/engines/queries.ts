import { and, asc, desc, eq, isNotNull, sql } from 'drizzle-orm'
import { engineHosts, engineReports } from '../../../schema/engines.ts'
import { integrations } from '../../../schema/integrations.ts'
import { projects } from '../../../schema/projects.ts'
import { statusAllows } from '../../content/articles/parts.ts'
import type { Db } from '../../platform/db/client.ts'
import { MOST_URLS } from './rules.ts'

/** Selects what telling the engines needs of a project: whether it is wanted, the key, and the connected target. */
export const engineProject = (db: Db, projectId: number) =>
  db
    .select({
      id: projects.id,
      accountId: projects.accountId,
      status: projects.status,
      tells: projects.tellsEngines,
      // A default of its own for each row would rewrite the whole table. Everybody may know the key: it is at the site.
      key: sql<string>`coalesce(${projects.engineKey}, md5('IndexNow ' || ${projects.id} || extract(epoch from ${projects.createdAt})))`,
      websiteUrl: projects.websiteUrl,
      blogRootUrl: projects.blogRootUrl,
      target: {
        id: integrations.id,
        platform: integrations.platform,
        url: integrations.url,
        sealedSecrets: integrations.sealedSecrets,
      },
    })
    .from(projects)
    .leftJoin(integrations, and(eq(integrations.projectId, projects.id), eq(integrations.status, 'Active')))
    .where(eq(projects.id, projectId))

export type EngineProject = Awaited<ReturnType<typeof engineProject>>[number]

/** Selects the hosts of a project whose key file was looked for. */
export const engineHostsOf = (db: Db, projectId: number) =>
  db.select().from(engineHosts).where(eq(engineHosts.projectId, projectId)).orderBy(asc(engineHosts.origin))

export type EngineHost = Awaited<ReturnType<typeof engineHostsOf>>[number]

const wanted = (projectId: number) => and(eq(engineReports.projectId, projectId), isNotNull(engineReports.wantedAt))

/** Selects the addresses of a project that are to be reported, those that wait longest first. */
export const wantedReports = (db: Db, projectId: number) =>
  db
    .select({
      url: engineReports.url,
      isGone: engineReports.isGone,
      wantedAt: sql<Date>`${engineReports.wantedAt}`.mapWith(engineReports.wantedAt),
      toldAt: engineReports.toldAt,
    })
    .from(engineReports)
    .where(wanted(projectId))
    .orderBy(asc(engineReports.wantedAt))
    .limit(MOST_URLS)

export type WantedReport = Awaited<ReturnType<typeof wantedReports>>[number]

/** Counts the addresses of a project that are to be reported. */
export const waitingReports = (db: Db, projectId: number) =>
  db.select({ count: sql<number>`count(*)::int` }).from(engineReports).where(wanted(projectId))

/** Selects the last reports of a project. */
export const lastReports = (db: Db, projectId: number, limit: number) =>
  db
    .select()
    .from(engineReports)
    .where(and(eq(engineReports.projectId, projectId), isNotNull(engineReports.toldAt)))
    .orderBy(desc(engineReports.toldAt))
    .limit(limit)

/** Number of newest live articles whose hosts are looked at. */
const NEWEST = 100

/** Selects the origins of a project's newest live articles. */
export const articleOrigins = (db: Db, projectId: number) =>
  db.execute<{ origin: string }>(sql`
    select distinct substring(a.url from '^https?://[^/?#]+') as origin from (
      select url from articles a where a.project_id = ${projectId}::int and ${statusAllows('sync', 'a')} and a.url is not null
      order by a.id desc limit ${NEWEST}::int) a`)
