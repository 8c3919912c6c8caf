import { and, eq, sql } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/pg-core'
import { oneOf } from '../../schema/columns.ts'
import { connections } from '../../schema/connections.ts'
import { integrations } from '../../schema/integrations.ts'
import type { Db } from '../db/client.ts'

/** What is connected to a project besides social accounts, by its platform. */
export const connectedTo = (db: Db, projectId: number) => {
  const shown = <Table extends typeof integrations | typeof connections>(table: Table) =>
    db
      .select({ id: table.id, platform: sql<string>`${table.platform}`.as('platform'), name: table.name })
      .from(table as typeof integrations)
      .where(and(eq(table.projectId, projectId), oneOf(table.status, ['Active'])))
  return unionAll(shown(integrations), shown(connections))
}
