import { and, eq, type SQL, sql } from 'drizzle-orm'
import { connections } from '../../../schema/connections.ts'
import { searchAnswers, searchConnections } from '../../../schema/search.ts'
import type { SearchFailure } from '../../../schema/values/search.ts'
import { audit } from '../../platform/db/audit.ts'
import { read, select } from '../../platform/db/read-parts.ts'
import { statement } from '../../platform/db/statement.ts'
import { insert, overwritten, remove, update } from '../../platform/db/write-parts.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { syncJob } from './jobs.ts'
import { queueSync, sourceFor } from './source-statements.ts'

const KEPT_MS = 3_600_000
const PLATFORM = 'Google Search Console'

/** Keeps an answer of Search Console for an hour. */
export const keepAnswer = (
  ctx: Ctx,
  sourceId: number,
  { key, body, pageKeys }: { key: string; body: Record<string, unknown>; pageKeys: string[] },
): SQL => {
  const row = { sourceId, key, body, pageKeys, expiresAt: new Date(ctx.now().getTime() + KEPT_MS) }
  const { body: bodyColumn, pageKeys: keysColumn, expiresAt } = searchAnswers
  const kept = insert('kept', searchAnswers, row, {
    onConflict: {
      columns: [searchAnswers.sourceId, searchAnswers.key],
      set: overwritten({ body: bodyColumn, pageKeys: keysColumn, expiresAt }),
    },
    returning: { key: searchAnswers.key },
  })
  return statement({ unaudited: 'a copy of what Google said, for an hour', parts: [kept], answer: { key: kept.c.key } })
}

/** A connection as a call to Google read it. */
type Seen = { connection_id: number; failed_at: string | null }

/** No failure was noted since the connection was read: an answer that began before says nothing of a later one. */
const isAsSeen = ({ failed_at: failedAt }: Seen): SQL =>
  sql`(${searchConnections.failedAt} is null or ${searchConnections.failedAt} = ${failedAt}::timestamptz)`

/** Keeps a new access token while the connection is still the one it was made for. */
export const keepAccess = (ctx: Ctx, seen: Seen, sealed: string, expiresAt: Date): SQL => {
  const { failure, failedAt } = searchConnections
  const left = {
    failure: sql`case when ${isAsSeen(seen)} then null else ${failure} end`,
    failedAt: sql`case when ${isAsSeen(seen)} then null else ${failedAt} end`,
  }
  const changed = update(
    'changed',
    searchConnections,
    { sealedAccess: sealed, accessExpiresAt: expiresAt, ...left, updatedAt: ctx.now() },
    { where: eq(searchConnections.connectionId, seen.connection_id), returning: { id: searchConnections.projectId } },
  )
  return statement({ unaudited: 'a token that lasts an hour', parts: [changed], answer: { id: changed.c.id } })
}

/**
 * Notes how the last query of a connection ended: null for well, which leaves what was noted since it was read. A failure that it did
 * not have before is in the audit log, and so people are told of it.
 */
export const noteUse = (ctx: Ctx, seen: Seen, failed: { kind: SearchFailure; message: string } | null): SQL => {
  const now = ctx.now()
  const noted = update(
    'noted',
    searchConnections,
    { failure: failed?.kind ?? null, failedAt: failed ? now : null, updatedAt: now },
    {
      where: sql`${and(eq(searchConnections.connectionId, seen.connection_id), failed ? undefined : isAsSeen(seen))}`,
      returning: { id: searchConnections.projectId },
    },
  )
  const used = update(
    'used',
    connections,
    { lastUsedAt: now, lastError: failed?.message ?? null },
    { from: [noted], where: eq(connections.id, seen.connection_id) },
  )
  const written = { parts: [noted, used], answer: { id: noted.c.id } }
  if (!failed) return statement({ ...written, unaudited: 'what Google answered; nothing of the caller’s' })
  const { accountId, connectionId, failure } = searchConnections
  const lapsed = read(
    'lapsed',
    searchConnections,
    { accountId, connectionId },
    {
      from: [noted],
      where: sql`${eq(searchConnections.projectId, noted.c.id)} and ${failure} is distinct from ${failed.kind}`,
    },
  )
  return statement({
    ...written,
    parts: [noted, used, lapsed],
    audit: audit(ctx, {
      of: lapsed,
      account: lapsed.c.accountId,
      action: 'integration.lapsed',
      on: ['integration', lapsed.c.connectionId],
      detail: { platform: PLATFORM, reason: failed.message },
    }),
  })
}

export type NewConnection = {
  id: number
  projectId: number
  accountId: number
  name: string
  sealedSecrets: string
  googleSub: string
  properties: string[]
  property: string | undefined
  /** The website whose pages alone count; empty: all of the property. */
  filteredTo: string
  sealedAccess: string
  accessExpiresAt: Date
  sandbox: boolean
}

/** Connects a project in place of the connection it had, and asks for its history. */
export const connectSearch = (ctx: Ctx, made: NewConnection): SQL => {
  const now = ctx.now()
  const { id, projectId, accountId, name, property } = made
  const replaced = update(
    'replaced',
    connections,
    { status: 'Disconnected', sealedSecrets: '', updatedAt: now },
    {
      where: sql`${and(eq(connections.projectId, projectId), eq(connections.platform, PLATFORM), eq(connections.status, 'Active'))}`,
      returning: { id: connections.id },
    },
  )
  // Counted, so that the one before is disconnected before the new one is inserted.
  const ready = select('ready', { replaced: sql`count(*)` }, sql`from ${replaced.rows}`, { materialized: true })
  const row = insert(
    'made',
    connections,
    {
      id,
      accountId,
      projectId,
      platform: PLATFORM,
      name,
      url: property ?? '',
      sealedSecrets: made.sealedSecrets,
      createdAt: now,
      updatedAt: now,
    },
    { from: [ready], returning: { id: connections.id } },
  )
  const source = property === undefined ? undefined : sourceFor(projectId, property, made.filteredTo, row)
  const state = {
    accountId,
    connectionId: row.c.id,
    googleSub: made.googleSub,
    properties: made.properties,
    sealedAccess: made.sealedAccess,
    accessExpiresAt: made.accessExpiresAt,
    nextSyncAt: now,
    sandbox: made.sandbox,
    updatedAt: now,
  }
  const { projectId: key, ...columns } = {
    projectId: searchConnections.projectId,
    accountId: searchConnections.accountId,
    connectionId: searchConnections.connectionId,
    sourceId: searchConnections.sourceId,
    googleSub: searchConnections.googleSub,
    properties: searchConnections.properties,
    sealedAccess: searchConnections.sealedAccess,
    accessExpiresAt: searchConnections.accessExpiresAt,
    nextSyncAt: searchConnections.nextSyncAt,
    sandbox: searchConnections.sandbox,
    updatedAt: searchConnections.updatedAt,
  }
  const standing = insert(
    'standing',
    searchConnections,
    { ...state, projectId, sourceId: source ? source.c.id : null },
    {
      from: source ? [row, source] : [row],
      onConflict: { columns: [key], set: { ...overwritten(columns), failure: null, failedAt: null } },
      returning: { id: searchConnections.projectId },
    },
  )
  return statement({
    parts: [replaced, ready, row, source, standing, source && queueSync(standing, accountId, projectId, now)],
    audit: audit(ctx, {
      of: row,
      account: accountId,
      action: 'search.connect',
      on: ['project', projectId],
      detail: { property: property ?? null },
    }),
    answer: { id: row.c.id },
  })
}

/** Ends a project's connection and deletes its secrets. The history stays. */
export const disconnectSearch = (ctx: Ctx, projectId: number, accountId: number): SQL => {
  const now = ctx.now()
  const gone = remove('gone', searchConnections, {
    where: eq(searchConnections.projectId, projectId),
    returning: { id: searchConnections.projectId, connectionId: searchConnections.connectionId },
  })
  const ended = update(
    'ended',
    connections,
    { status: 'Disconnected', sealedSecrets: '', updatedAt: now },
    { from: [gone], where: sql`${connections.id} = ${gone.c.connectionId}` },
  )
  return statement({
    parts: [gone, ended, syncJob.finish(projectId, now)],
    audit: audit(ctx, { of: gone, account: accountId, action: 'search.disconnect', on: ['project', projectId] }),
    answer: { id: gone.c.id },
  })
}
