import { and, desc, eq, getTableColumns, lt, type SQL, sql } from 'drizzle-orm'
import { integrations } from '../../../schema/integrations.ts'
import { projects } from '../../../schema/projects.ts'
import type { Db } from '../../db/client.ts'
import type { Paging } from '../../lib/paging.ts'
import type { ListIntegrationsInput } from './schemas.ts'

const { sealedSecrets, ...shown } = getTableColumns(integrations)

/** The caller's active integrations, newest first, one more than the page shows. */
export const listIntegrationRows = (db: Db, owner: SQL, input: ListIntegrationsInput, paging: Paging) =>
  db
    .select({ ...shown, businessName: projects.businessName })
    .from(integrations)
    .innerJoin(projects, eq(projects.id, integrations.projectId))
    .where(
      and(
        eq(integrations.accountId, owner),
        eq(integrations.status, 'Active'),
        input.project_id === undefined ? undefined : eq(integrations.projectId, input.project_id),
        paging.beforeId === undefined ? undefined : lt(integrations.id, paging.beforeId),
      ),
    )
    .orderBy(desc(integrations.id))
    .limit(paging.limit + 1)
    .offset(paging.offset)

/** An integration by id, of any account, with its sealed secrets. */
export const integrationById = (db: Db, owner: SQL, id: number) =>
  db
    .select({
      ...shown,
      sealedSecrets,
      businessName: projects.businessName,
      mine: sql<boolean>`coalesce(${integrations.accountId} = ${owner}, false)`,
    })
    .from(integrations)
    .innerJoin(projects, eq(projects.id, integrations.projectId))
    .where(eq(integrations.id, id))

export const nextIntegrationId = (db: Db) =>
  db.execute<{ id: string }>(sql`select nextval('integrations_id_seq') as id`)

/** The target a project has, as answers name it. */
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
