import { and, asc, desc, eq, getTableColumns, lt, type SQL, sql } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/pg-core'
import { literals, oneOf } from '../../../schema/columns.ts'
import { connections } from '../../../schema/connections.ts'
import { integrations } from '../../../schema/integrations.ts'
import { projects } from '../../../schema/projects.ts'
import { CONNECTED_STATUSES } from '../../../schema/values/publishing.ts'
import type { Db } from '../../platform/db/client.ts'
import type { Paging } from '../../platform/db/paging.ts'
import type { ListIntegrationsInput } from './operations.ts'

const { sealedSecrets, nextTrafficAt, trafficError, unknownAskedAt, unknownStatus, ...shown } =
  getTableColumns(integrations)

const { sealedSecrets: _, ...shownOfConnections } = getTableColumns(connections)

type Listed = typeof integrations | typeof connections

const isListed = (
  table: Listed,
  owner: SQL,
  input: ListIntegrationsInput,
  paging: Paging,
  statuses: readonly string[] = ['Active'],
) =>
  and(
    eq(table.accountId, owner),
    sql`${table.status} in ${literals(statuses)}`,
    input.project_id === undefined ? undefined : eq(table.projectId, input.project_id),
    paging.beforeId === undefined ? undefined : lt(table.id, paging.beforeId),
  )

/**
 * Selects the caller's active integrations, newest first: publishing targets and other connections. `statuses`: those of targets.
 *
 * It selects one more than the page shows.
 */
export const listIntegrationRows = (
  db: Db,
  owner: SQL,
  input: ListIntegrationsInput,
  paging: Paging,
  statuses?: readonly string[],
) => {
  const length = paging.offset + paging.limit + 1
  const targets = db
    .select({
      ...shown,
      platform: sql<string>`${integrations.platform}`.as('platform'),
      businessName: projects.businessName,
    })
    .from(integrations)
    .innerJoin(projects, eq(projects.id, integrations.projectId))
    .where(isListed(integrations, owner, input, paging, statuses))
    .orderBy(desc(integrations.id))
    .limit(length)
  const others = db
    .select({
      ...shownOfConnections,
      platform: sql<string>`${connections.platform}`.as('platform'),
      businessName: projects.businessName,
    })
    .from(connections)
    .innerJoin(projects, eq(projects.id, connections.projectId))
    .where(isListed(connections, owner, input, paging))
    .orderBy(desc(connections.id))
    .limit(length)
  return unionAll(targets, others)
    .orderBy(sql`id desc`)
    .limit(paging.limit + 1)
    .offset(paging.offset)
}

/** Selects a connection that is not a publishing target by id, of any account. */
export const connectionById = (db: Db, owner: SQL, id: number) =>
  db
    .select({
      ...shownOfConnections,
      businessName: projects.businessName,
      mine: sql<boolean>`coalesce(${connections.accountId} = ${owner}, false)`,
    })
    .from(connections)
    .innerJoin(projects, eq(projects.id, connections.projectId))
    .where(eq(connections.id, id))

/** Selects an integration by id, of any account, with its sealed secrets. */
export const integrationById = (db: Db, owner: SQL, id: number) =>
  db
    .select({
      ...shown,
      sealedSecrets,
      businessName: projects.businessName,
      projectStatus: projects.status,
      mine: sql<boolean>`coalesce(${integrations.accountId} = ${owner}, false)`,
    })
    .from(integrations)
    .innerJoin(projects, eq(projects.id, integrations.projectId))
    .where(eq(integrations.id, id))

/** Draws the id for a new integration. */
export const nextIntegrationId = (db: Db) =>
  db.execute<{ id: string }>(sql`select nextval('integrations_id_seq') as id`)

/** Selects the home and the followers of a project, oldest first. */
export const targetsOf = (db: Db, projectId: number) =>
  db
    .select({
      ...shown,
      platform: sql<string>`${integrations.platform}`,
      businessName: projects.businessName,
    })
    .from(integrations)
    .innerJoin(projects, eq(projects.id, integrations.projectId))
    .where(and(eq(integrations.projectId, projectId), oneOf(integrations.status, CONNECTED_STATUSES)))
    .orderBy(asc(integrations.id))

/** Selects a project's active target, with the fields that answers show. */
export const activeTargetOf = (db: Db, projectId: number) =>
  db
    .select({
      integration_id: integrations.id,
      platform: integrations.platform,
      name: integrations.name,
      url: integrations.url,
    })
    .from(integrations)
    .where(and(eq(integrations.projectId, projectId), eq(integrations.status, 'Active')))
