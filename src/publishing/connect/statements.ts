import { and, eq, type SQL, sql } from 'drizzle-orm'
import { connections } from '../../../schema/connections.ts'
import { integrations } from '../../../schema/integrations.ts'
import type { PublishingPlatform } from '../../../schema/values/publishing.ts'
import { audit } from '../../platform/db/audit.ts'
import { select } from '../../platform/db/read-parts.ts'
import { statement } from '../../platform/db/statement.ts'
import { insert, update } from '../../platform/db/write-parts.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { putBackOnTheirWay } from './back-parts.ts'

type NewIntegration = {
  id: number
  accountId: number
  projectId: number
  platform: PublishingPlatform
  name: string
  url: string
  sealedSecrets: string
}

/** A part that disconnects the active targets that fit, and forgets their secrets. */
const disconnected = (name: string, where: SQL | undefined, now: Date) =>
  update(
    name,
    integrations,
    { status: 'Disconnected', sealedSecrets: '', updatedAt: now },
    { where: sql`${and(where, eq(integrations.status, 'Active'))}`, returning: { id: integrations.id } },
  )

/**
 * Connects a target in place of the one the project had; what waits for one is put back on its way. A second connect at the same moment violates
 * `integrations_active_target_unique`. `answer` holds a secret: it is sealed text.
 */
export const connectTarget = (ctx: Ctx, integration: NewIntegration, answer: string): SQL => {
  const now = ctx.now()
  const replaced = disconnected('replaced', eq(integrations.projectId, integration.projectId), now)
  // Counted, so that the target before is disconnected before the new one is inserted.
  const ready = select('ready', { replaced: sql`count(*)` }, sql`from ${replaced.rows}`, { materialized: true })
  const row = { ...integration, createdAt: now, updatedAt: now }
  const made = insert('made', integrations, row, { from: [ready], returning: { id: integrations.id } })
  return statement({
    parts: [
      replaced,
      ready,
      made,
      putBackOnTheirWay(integration.projectId, made, now),
      ctx.keep.answer([made], answer),
    ],
    audit: audit(ctx, {
      of: made,
      account: integration.accountId,
      action: 'integration.connect',
      on: ['integration', made.c.id],
      detail: { platform: integration.platform },
    }),
    answer: { id: made.c.id },
  })
}

/** Disconnects an integration and deletes its secrets. */
export const disconnect = (ctx: Ctx, accountId: number, id: number, seen: Date | undefined): SQL => {
  const version = seen && eq(integrations.updatedAt, seen)
  const mine = and(eq(integrations.id, id), eq(integrations.accountId, accountId), version)
  const gone = disconnected('gone', mine, ctx.now())
  return statement({
    parts: [gone],
    audit: audit(ctx, {
      of: gone,
      account: accountId,
      action: 'integration.disconnect',
      on: ['integration', gone.c.id],
    }),
    answer: { id: gone.c.id },
  })
}

type ChangedIntegration = {
  accountId: number
  id: number
  /** The sealed secrets as they were read: the change holds only while they are those. */
  read: string
  name: string
  sealedSecrets: string
  fields: readonly string[]
  savedAt: Date
}

/** Changes the name and the secrets of an active integration. No row when it was changed or disconnected meanwhile. */
export const changeIntegration = (
  ctx: Ctx,
  { accountId, id, read, name, sealedSecrets, fields, savedAt }: ChangedIntegration,
  answer: string,
): SQL => {
  const mine = and(eq(integrations.id, id), eq(integrations.accountId, accountId), eq(integrations.status, 'Active'))
  const changed = update(
    'changed',
    integrations,
    { name, sealedSecrets, updatedAt: savedAt },
    { where: sql`${and(mine, eq(integrations.sealedSecrets, read))}`, returning: { id: integrations.id } },
  )
  return statement({
    parts: [changed, ctx.keep.answer([changed], answer)],
    audit: audit(ctx, {
      of: changed,
      account: accountId,
      action: 'integration.update',
      on: ['integration', changed.c.id],
      detail: { fields },
    }),
    answer: { id: changed.c.id },
  })
}

/** Puts freshly sealed secrets in the place of those that were read. No row: they were changed meanwhile. */
export const reseal = (id: number, read: string, sealed: string): SQL => resealed(integrations, id, read, sealed)

/** The same for a connection that is no publishing target. */
export const resealConnection = (id: number, read: string, sealed: string): SQL =>
  resealed(connections, id, read, sealed)

const resealed = (table: typeof integrations | typeof connections, id: number, read: string, sealed: string): SQL => {
  const changed = update(
    'resealed',
    table as typeof connections,
    { sealedSecrets: sealed },
    { where: sql`${and(eq(table.id, id), eq(table.sealedSecrets, read))}`, returning: { id: table.id } },
  )
  return statement({
    unaudited: 'the operator’s command is logged as a whole; no secret changes',
    parts: [changed],
    answer: { id: changed.c.id },
  })
}
