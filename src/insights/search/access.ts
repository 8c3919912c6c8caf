import { and, desc, eq, exists, isNull, ne, type SQL, sql } from 'drizzle-orm'
import { connections } from '../../../schema/connections.ts'
import { searchConnections as connected } from '../../../schema/search.ts'
import type { SearchFailure } from '../../../schema/values/search.ts'
import { audit } from '../../platform/db/writes.ts'
import { seal, unseal } from '../../platform/lib/crypto.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import type { Failure, GivenGrant, Result, SearchConsole } from './port.ts'
import type { Connected } from './queries.ts'
import { lockConnection } from './source.ts'

/** Tokens that expire within this time are not used. */
const MARGIN_MS = 60_000

/** A connection that can be queried: it has a grant and a property. */
export type Open = Connected & {
  connection_id: number
  source_id: number
  property: string
  filtered_to: string
  sealed_secrets: string
}

/** True if the project has a connection, a property and tokens, so that search data can be read. */
export const isOpen = (row: Connected | undefined): row is Open =>
  row !== undefined &&
  row.connection_id !== null &&
  row.source_id !== null &&
  row.property !== null &&
  !!row.sealed_secrets

const secretContext = (connectionId: number): string => `connection:${connectionId}`
const accessContext = (connectionId: number): string => `connection:${connectionId}:access`

/** Returns the refresh token and the access token, sealed for a new connection. */
export const sealTokens = async (
  ctx: Ctx,
  connectionId: number,
  tokens: { refreshToken: string; accessToken: string },
) => ({
  sealedSecrets: await seal(
    ctx.settings.secretsKeys,
    JSON.stringify({ refresh_token: tokens.refreshToken }),
    secretContext(connectionId),
  ),
  sealedAccess: await seal(ctx.settings.secretsKeys, tokens.accessToken, accessContext(connectionId)),
})

/** Returns the expiry of a token that was issued now. */
export const accessEnd = (ctx: Ctx, expiresIn: number): Date => new Date(ctx.now().getTime() + expiresIn * 1_000)

/** Returns the refresh token, which gives access without the person. */
export const refreshTokenOf = async (
  ctx: Pick<Ctx, 'settings'>,
  row: { connection_id: number; sealed_secrets: string },
): Promise<string> => {
  const text = await unseal(ctx.settings.secretsKeys, row.sealed_secrets, secretContext(row.connection_id))
  return (JSON.parse(text) as { refresh_token: string }).refresh_token
}

/** Returns the newest grant of any customer that Google is not known to refuse; undefined if there is none. */
export const newestGrant = async (
  ctx: Pick<Ctx, 'db' | 'settings'>,
  { isSandbox }: Pick<SearchConsole, 'isSandbox'>,
): Promise<GivenGrant | undefined> => {
  const [row] = await ctx.db
    .select({
      connection_id: connections.id,
      sealed_secrets: connections.sealedSecrets,
      grantedAt: connections.createdAt,
    })
    .from(connected)
    .innerJoin(connections, eq(connections.id, connected.connectionId))
    .where(and(isNull(connected.failure), eq(connected.sandbox, isSandbox), ne(connections.sealedSecrets, '')))
    .orderBy(desc(connections.id))
    .limit(1)
  return row && { refreshToken: await refreshTokenOf(ctx, row), grantedAt: row.grantedAt }
}

const keptAccess = async (ctx: Ctx, row: Open): Promise<string | undefined> => {
  const ends = row.access_expires === null ? 0 : Date.parse(row.access_expires)
  if (!row.sealed_access || ends - MARGIN_MS <= ctx.now().getTime()) return undefined
  return await unseal(ctx.settings.secretsKeys, row.sealed_access, accessContext(row.connection_id)).catch(
    () => undefined,
  )
}

/** True if a failure lasts until a person acts. */
export const isLasting = (failure: Failure): failure is Failure & { kind: SearchFailure } =>
  failure.kind !== 'unauthorized' && failure.kind !== 'quota' && failure.kind !== 'away' && failure.kind !== 'client'

/**
 * Returns a condition: no failure was recorded since the connection was read.
 *
 * The success of an earlier request must not clear a later failure.
 */
const isAsSeen = ({ failed_at: failedAt }: Open): SQL =>
  sql`(${connected.failedAt} is null or ${connected.failedAt} = ${failedAt}::timestamptz)`

/**
 * Stores a new access token if the project still has the connection it was made for.
 *
 * Clears the failure, unless another one was recorded since the connection was read.
 */
const keepAccess = (ctx: Ctx, seen: Open, sealedAccess: string, accessExpiresAt: Date) => {
  const left = {
    failure: sql`case when ${isAsSeen(seen)} then null else ${connected.failure} end`,
    failedAt: sql`case when ${isAsSeen(seen)} then null else ${connected.failedAt} end`,
  }
  const kept = ctx.db
    .update(connected)
    .set({ sealedAccess, accessExpiresAt, ...left, updatedAt: ctx.now() })
    .where(eq(connected.connectionId, seen.connection_id))
  return ctx.batch({ kept }, { unaudited: 'a token that lasts an hour' })
}

/**
 * Records how the last query of a connection ended; `failed` is null for a success.
 *
 * A success does not clear a failure that was recorded since the connection was read. A new kind of failure is written to the
 * audit log, from which people are notified.
 */
const noteUse = (ctx: Ctx, seen: Open, failed: { kind: SearchFailure; message: string } | null) => {
  const now = ctx.now()
  const isNoted = and(eq(connected.connectionId, seen.connection_id), failed ? undefined : isAsSeen(seen))
  const noted = ctx.db.select({ id: connected.projectId }).from(connected).where(isNoted)
  return ctx.batch(
    {
      connection: lockConnection(ctx, isNoted),
      changedConnections: ctx.db
        .update(connections)
        .set({ lastUsedAt: now, lastError: failed?.message ?? null })
        .where(and(eq(connections.id, seen.connection_id), exists(noted))),
      audit:
        failed !== null &&
        audit(ctx, {
          account: connected.accountId,
          action: 'integration.lapsed',
          on: ['integration', connected.connectionId],
          detail: { platform: 'Google Search Console', reason: failed.message },
          from: sql`${connected}`,
          if: sql`${isNoted} and ${connected.failure} is distinct from ${failed.kind}`,
        }),
      changedConnected: ctx.db
        .update(connected)
        .set({ failure: failed?.kind ?? null, failedAt: failed ? now : null, updatedAt: now })
        .where(isNoted),
    },
    { unaudited: 'what Google answered; nothing of the caller’s' },
  )
}

/** Function that calls Google with a valid access token of one connection. */
export type Asker = <T>(ask: (accessToken: string) => Promise<Result<T>>) => Promise<Result<T>>

/**
 * Returns a function that calls Google with an access token of one connection.
 *
 * It refreshes a token that has expired, and does so once more if Google refuses the token. Simultaneous calls share one
 * refresh.
 *
 * If Google refuses the new token too, the failure is temporary. Only Google's token endpoint can report that a grant has
 * ended.
 *
 * Records the first success or lasting failure on the connection, after the answer. A failure that another call recorded since
 * then stays.
 */
export const searchApiFor = (ctx: Ctx, google: SearchConsole, row: Open): Asker => {
  let token: Promise<Result<string>> | undefined
  let isNoted = false

  const refresh = async (): Promise<Result<string>> => {
    const fresh = await google.refresh(await refreshTokenOf(ctx, row))
    if ('failure' in fresh) return fresh
    const { accessToken, expiresIn } = fresh.ok
    const sealed = await seal(ctx.settings.secretsKeys, accessToken, accessContext(row.connection_id))
    ctx.defer(keepAccess(ctx, row, sealed, accessEnd(ctx, expiresIn)))
    return { ok: accessToken }
  }

  const first = async (): Promise<Result<string>> => {
    const kept = await keptAccess(ctx, row)
    return kept === undefined ? await refresh() : { ok: kept }
  }

  const note = (failure: Failure | undefined) => {
    const lasting = failure && isLasting(failure) ? { kind: failure.kind, message: failure.message } : null
    if (isNoted || (failure && !lasting)) return
    isNoted = true
    ctx.defer(noteUse(ctx, row, lasting))
  }

  return async (ask) => {
    token ??= first()
    const used = token
    let access = await used
    let answer = 'failure' in access ? access : await ask(access.ok)
    if ('failure' in answer && answer.failure.kind === 'unauthorized') {
      if (token === used) token = refresh()
      access = await token
      answer = 'failure' in access ? access : await ask(access.ok)
    }
    note('failure' in answer ? answer.failure : undefined)
    return answer
  }
}
