import type { SearchFailure } from '../../../schema/values/search.ts'
import { seal, unseal } from '../../platform/lib/crypto.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import type { Failure, Result, SearchConsole } from './port.ts'
import type { Connected } from './queries.ts'
import { keepAccess, noteUse } from './statements.ts'

/** A token that ends sooner is not used any more. */
const MARGIN_MS = 60_000

/** A connection that can be asked: it has a grant and a property. */
export type Open = Connected & {
  connection_id: number
  source_id: number
  property: string
  filtered_to: string
  sealed_secrets: string
}

export const isOpen = (row: Connected | undefined): row is Open =>
  row !== undefined &&
  row.connection_id !== null &&
  row.source_id !== null &&
  row.property !== null &&
  !!row.sealed_secrets

const secretContext = (connectionId: number): string => `connection:${connectionId}`
const accessContext = (connectionId: number): string => `connection:${connectionId}:access`

/** The lasting token and the short one, sealed for a new connection. */
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

/** Returns the end of a token that was given now. */
export const accessEnd = (ctx: Ctx, expiresIn: number): Date => new Date(ctx.now().getTime() + expiresIn * 1_000)

/** The token that gives access without the person. */
export const refreshTokenOf = async (
  ctx: Ctx,
  row: { connection_id: number; sealed_secrets: string },
): Promise<string> => {
  const text = await unseal(ctx.settings.secretsKeys, row.sealed_secrets, secretContext(row.connection_id))
  return (JSON.parse(text) as { refresh_token: string }).refresh_token
}

const keptAccess = async (ctx: Ctx, row: Open): Promise<string | undefined> => {
  const ends = row.access_expires === null ? 0 : Date.parse(row.access_expires)
  if (!row.sealed_access || ends - MARGIN_MS <= ctx.now().getTime()) return undefined
  return await unseal(ctx.settings.secretsKeys, row.sealed_access, accessContext(row.connection_id)).catch(
    () => undefined,
  )
}

/** Failures that stay until a person acts. */
export const isLasting = (failure: Failure): failure is Failure & { kind: SearchFailure } =>
  failure.kind !== 'unauthorized' && failure.kind !== 'quota' && failure.kind !== 'away' && failure.kind !== 'client'

/** Asks Google on behalf of one connection, within one piece of work. */
export type Asker = <T>(ask: (accessToken: string) => Promise<Result<T>>) => Promise<Result<T>>

/**
 * Makes an asker. It refreshes the token when it is out, and once more when Google refuses it all the same; calls at the same
 * time share one refresh.
 *
 * That a grant is no good any more is for Google's token endpoint to say: a new token that is refused, too, is a fault that passes.
 * What lasts is noted on the connection after the answer, and so is the first success after it. A failure that another call noted
 * meanwhile stays.
 */
export const askerFor = (ctx: Ctx, google: SearchConsole, row: Open): Asker => {
  let token: Promise<Result<string>> | undefined
  let isNoted = false

  const refresh = async (): Promise<Result<string>> => {
    const fresh = await google.refresh(await refreshTokenOf(ctx, row))
    if ('failure' in fresh) return fresh
    const { accessToken, expiresIn } = fresh.ok
    const sealed = await seal(ctx.settings.secretsKeys, accessToken, accessContext(row.connection_id))
    ctx.defer(ctx.write(keepAccess(ctx, row, sealed, accessEnd(ctx, expiresIn))))
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
    ctx.defer(ctx.write(noteUse(ctx, row, lasting)))
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
