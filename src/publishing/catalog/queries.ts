import { and, eq, sql } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/pg-core'
import { oneOf } from '../../../schema/columns.ts'
import { connections } from '../../../schema/connections.ts'
import { integrations } from '../../../schema/integrations.ts'
import type { Db } from '../../platform/db/client.ts'

/** Returns the integrations and connections of a project that are active; social accounts are not among them. */
export const connectedTo = (db: Db, projectId: number) => {
  const shown = <Table extends typeof integrations | typeof connections>(table: Table) =>
    db
      .select({ id: table.id, platform: sql<string>`${table.platform}`.as('platform'), name: table.name })
      .from(table as typeof integrations)
      .where(and(eq(table.projectId, projectId), oneOf(table.status, ['Active'])))
  return unionAll(shown(integrations), shown(connections))
}
