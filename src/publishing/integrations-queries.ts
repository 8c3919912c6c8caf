import { and, desc, eq, getTableColumns, lt, type SQL, sql } from 'drizzle-orm'
import { integrations } from '../../schema/integrations.ts'
import { projects } from '../../schema/projects.ts'
import type { Db } from '../db/client.ts'
import { auditCte } from '../db/effects.ts'
import type { Paging } from '../lib/paging.ts'
import type { Ctx } from '../runtime/ctx.ts'
import type { ListIntegrationsInput } from './schemas.ts'
import type { PublishingPlatform } from './values.ts'

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

/** An integration by id whoever owns it, with its sealed secrets. */
export const integrationById = (db: Db, owner: SQL, id: number) =>
  db
    .select({ ...shown, sealedSecrets, mine: sql<boolean>`coalesce(${integrations.accountId} = ${owner}, false)` })
    .from(integrations)
    .where(eq(integrations.id, id))

export const nextIntegrationId = (db: Db) =>
  db.execute<{ id: string }>(sql`select nextval('integrations_id_seq') as id`)

type NewIntegration = {
  id: number
  accountId: number
  projectId: number
  platform: PublishingPlatform
  name: string
  url: string
  sealedSecrets: string
}

/** Connects a target in place of the one the project had. A second connect at the same moment violates `integrations_active_target_unique`. */
export const connectTarget = (ctx: Ctx, i: NewIntegration, answer: unknown): SQL => {
  const now = sql`${ctx.now().toISOString()}::timestamptz`
  return sql`with replaced as (update integrations set status = 'Disconnected', sealed_secrets = '', updated_at = ${now}
      where project_id = ${i.projectId}::int and status = 'Active' returning id),
    made as (insert into integrations (id, account_id, project_id, platform, name, url, sealed_secrets, created_at, updated_at)
      select ${i.id}::int, ${i.accountId}::int, ${i.projectId}::int, ${i.platform}, ${i.name}, ${i.url}, ${i.sealedSecrets}, ${now}, ${now}
      from (select count(*) from replaced) as once returning id)
    ${auditCte(ctx, sql`made`, sql`${i.accountId}::int`, 'integration.connect', sql`'integration:' || made.id`, { platform: i.platform })}
    ${ctx.record(sql`made`, 201, answer)}
    select id from made`
}

/** Disconnects an integration and forgets its secrets. */
export const disconnect = (ctx: Ctx, accountId: number, id: number): SQL => {
  const now = sql`${ctx.now().toISOString()}::timestamptz`
  return sql`with gone as (update integrations set status = 'Disconnected', sealed_secrets = '', updated_at = ${now}
      where id = ${id}::int and account_id = ${accountId}::int and status = 'Active' returning id)
    ${auditCte(ctx, sql`gone`, sql`${accountId}::int`, 'integration.disconnect', sql`'integration:' || gone.id`)}
    select id from gone`
}
