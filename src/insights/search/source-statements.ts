import { and, eq, type SQL, sql } from 'drizzle-orm'
import { connections } from '../../../schema/connections.ts'
import { searchConnections, searchSources } from '../../../schema/search.ts'
import { audit } from '../../platform/db/audit.ts'
import type { AnyPart } from '../../platform/db/part.ts'
import { query, read } from '../../platform/db/read-parts.ts'
import { statement } from '../../platform/db/statement.ts'
import { excluded, insert, update } from '../../platform/db/write-parts.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { syncJob } from './jobs.ts'

/** A part with the source of a project, made where it is missing. */
export const sourceFor = (projectId: number, property: string, filteredTo: string, when: AnyPart) =>
  insert(
    'source',
    searchSources,
    { projectId, property, filteredTo },
    {
      from: [when],
      onConflict: {
        columns: [searchSources.projectId, searchSources.property, searchSources.filteredTo],
        set: { property: excluded(searchSources.property) },
      },
      returning: { id: searchSources.id },
    },
  )

/** Returns a part that has the history of a project copied from now on. */
export const queueSync = (from: AnyPart, accountId: number, projectId: number, now: Date) =>
  syncJob.enqueue({
    from,
    account: accountId,
    payload: { project_id: projectId },
    runAt: now,
    open: 'move',
    replacePayload: true,
  })

type Choice = {
  projectId: number
  accountId: number
  connectionId: number
  property: string
  /** The website whose pages alone count; empty: all of the property. */
  filteredTo: string
  properties: string[]
}

/** Reads another property from now on. No row when the connection was replaced meanwhile. */
export const chooseSource = (
  ctx: Ctx,
  { projectId, accountId, connectionId, property, filteredTo, properties }: Choice,
  answer?: unknown,
): SQL => {
  const now = ctx.now()
  const live = query(
    'live',
    ['id'],
    sql`select id from connections where id = ${connectionId}::int and status = 'Active'`,
    { materialized: true },
  )
  const source = sourceFor(projectId, property, filteredTo, live)
  const chosen = update(
    'chosen',
    searchConnections,
    { sourceId: source.c.id, properties, failure: null, failedAt: null, nextSyncAt: now, updatedAt: now },
    {
      from: [source],
      where: sql`${and(eq(searchConnections.projectId, projectId), eq(searchConnections.connectionId, connectionId))}`,
      returning: { id: searchConnections.projectId },
    },
  )
  const shown = update(
    'shown',
    connections,
    { url: property, updatedAt: now },
    { from: [live], where: eq(connections.id, live.c.id) },
  )
  return statement({
    parts: [
      live,
      source,
      chosen,
      shown,
      queueSync(chosen, accountId, projectId, now),
      answer === undefined ? undefined : ctx.keep.answer([chosen], answer),
    ],
    audit: audit(ctx, {
      of: chosen,
      account: accountId,
      action: 'search.choose_property',
      on: ['project', projectId],
      detail: { property },
    }),
    answer: { id: chosen.c.id },
  })
}

/** Switches a connection to another part of its property, if it still is the one that was read. */
export const moveSource = ({
  projectId,
  connectionId,
  property,
  filteredTo,
}: Pick<Choice, 'projectId' | 'connectionId' | 'property' | 'filteredTo'>): SQL => {
  const live = read(
    'live',
    searchConnections,
    { id: searchConnections.projectId },
    {
      where: sql`${and(eq(searchConnections.projectId, projectId), eq(searchConnections.connectionId, connectionId))}`,
    },
  )
  const source = sourceFor(projectId, property, filteredTo, live)
  const moved = update(
    'moved',
    searchConnections,
    { sourceId: source.c.id },
    {
      from: [source],
      where: sql`${and(eq(searchConnections.projectId, projectId), eq(searchConnections.connectionId, connectionId))}`,
      returning: { id: searchConnections.sourceId },
    },
  )
  return statement({
    unaudited: 'the same connection; its property is audited',
    parts: [live, source, moved],
    answer: { id: moved.c.id },
  })
}
