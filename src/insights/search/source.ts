import { and, eq, exists, type SQL, sql } from 'drizzle-orm'
import { connections } from '../../../schema/connections.ts'
import { searchConnections, searchSources } from '../../../schema/search.ts'
import { when } from '../../platform/db/steps.ts'
import { audit, type If, insertWhere } from '../../platform/db/writes.ts'
import { enqueue } from '../../platform/jobs/enqueue.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { syncJob } from './jobs.ts'

/** Part of a property that a project reads. `filteredTo`: the website whose pages are counted; empty for the whole property. */
type Part = { projectId: number; property: string; filteredTo: string }

/** Inserts the source of a part if it is missing. */
export const addSource = ({ projectId, property, filteredTo }: Part, condition: If) =>
  insertWhere(
    searchSources,
    { projectId, property, filteredTo },
    { if: condition, onConflict: sql`(project_id, property, filtered_to) do nothing` },
  )

/** Returns an expression: the id of the source of a part. */
export const sourceOf = ({ db }: Pick<Ctx, 'db'>, { projectId, property, filteredTo }: Part): SQL<number> => {
  const isPart = and(
    eq(searchSources.projectId, projectId),
    eq(searchSources.property, property),
    eq(searchSources.filteredTo, filteredTo),
  )
  return sql`${db.select({ id: searchSources.id }).from(searchSources).where(isPart)}`
}

/** Queues a sync of a project's history. */
export const queueSync = (accountId: number, projectId: number, now: Date, condition: If) =>
  enqueue(
    syncJob,
    { project_id: projectId },
    { if: condition, account: accountId, runAt: now, open: 'move', replacePayload: true },
  )

/** Locks the connection of a project. Every write that changes a connection and its state takes this lock first. */
export const lockConnection = ({ db }: Pick<Ctx, 'db'>, condition: SQL | undefined) =>
  db.select({ id: searchConnections.projectId }).from(searchConnections).where(condition).for('no key update')

type Choice = Part & { connectionId: number }

const isOf = ({ projectId, connectionId }: Choice) =>
  and(eq(searchConnections.projectId, projectId), eq(searchConnections.connectionId, connectionId))

const isConnected = ({ db }: Ctx, choice: Choice): SQL =>
  exists(db.select({ id: searchConnections.projectId }).from(searchConnections).where(isOf(choice)))

/** Switches a project to another property. Returns false if the connection was replaced since it was read. */
export const chooseSource = async (
  ctx: Ctx,
  { accountId, properties, ...choice }: Choice & { accountId: number; properties: string[] },
  answer?: unknown,
): Promise<boolean> => {
  const now = ctx.now()
  const { projectId, connectionId, property } = choice
  const isStill = isConnected(ctx, choice)
  const about = { account: accountId, on: ['project', projectId], detail: { property } } as const
  const { held } = await ctx.batch({
    held: lockConnection(ctx, isOf(choice)),
    addSource: addSource(choice, isStill),
    changedSearchConnections: ctx.db
      .update(searchConnections)
      .set({
        sourceId: sourceOf(ctx, choice),
        properties,
        failure: null,
        failedAt: null,
        nextSyncAt: now,
        updatedAt: now,
      })
      .where(isOf(choice)),
    ...when(isStill, {
      changedConnections: (isMet) =>
        ctx.db
          .update(connections)
          .set({ url: property, updatedAt: now })
          .where(and(eq(connections.id, connectionId), isMet)),
      queueSync: (isMet) => queueSync(accountId, projectId, now, isMet),
      audit: audit(ctx, { action: 'search.choose_property', ...about }),
    }),
    kept: answer === undefined ? undefined : ctx.keepAnswer(answer)(isStill),
  })
  return held.length > 0
}

/**
 * Switches a connection to another part of its property and returns the new source; undefined if the connection was replaced.
 */
export const moveSource = async (ctx: Ctx, choice: Choice): Promise<number | undefined> => {
  const { moved } = await ctx.batch(
    {
      connection: lockConnection(ctx, isOf(choice)),
      addSource: addSource(choice, isConnected(ctx, choice)),
      moved: ctx.db
        .update(searchConnections)
        .set({ sourceId: sourceOf(ctx, choice) })
        .where(isOf(choice))
        .returning({ id: searchConnections.sourceId }),
    },
    { unaudited: 'the same connection; its property is audited' },
  )
  return moved[0]?.id ?? undefined
}
