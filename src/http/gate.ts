import { SQL, sql } from 'drizzle-orm'
import { isKeyLive, type KeyOwner } from '../accounts/account.ts'
import { accountOfKey, keyOwner, touchKey } from '../accounts/queries.ts'
import { type Query, violatedUnique } from '../db/client.ts'
import { ApiError } from '../lib/errors.ts'
import { type Ctx, type Deps, guardDatabase, sendQueries, sendWrite } from '../runtime/ctx.ts'
import { errorFields } from '../runtime/log.ts'
import {
  doneCte,
  dropStale,
  forgetCte,
  type IdempotencyKey,
  judgeRecord,
  recordAnswer,
  recordCte,
  recordOf,
  runningCte,
} from './idempotency.ts'
import type { Operation } from './operation.ts'
import { type Limiter, type Policy, rateHeaders, type Verdict } from './ratelimit.ts'

const UNAUTHORIZED: Policy = { name: 'unauthorized', perMinute: 30 }
const TOUCH_EVERY_MS = 60_000

/** What the gate needs to know of a request. `keyHash` is given when the presented key has the shape and checksum of one. */
export type Entrance = {
  operation: Operation
  keyHash: string | undefined
  /** The caller's network address, for counting refusals. */
  address: string
  /** The Idempotency-Key with the body's fingerprint, once the body is read. */
  idempotency: () => Promise<IdempotencyKey | undefined>
  defer: (work: Promise<unknown>) => void
}

/** One request's way in: admission happens with the first read, or by itself when there is none. */
export type Gate = {
  ctx: Ctx
  /** Admits the caller or throws 401, 429, 403, a replay, or a conflict of idempotency keys. */
  admit: () => Promise<KeyOwner>
  isAdmitted: () => boolean
  /** RateLimit header fields for the answer. */
  headers: () => Record<string, string>
  /** Keeps an answer under the request's Idempotency-Key unless the effect's own statement already did. */
  keep: (status: number, body: () => Promise<string>) => Promise<void>
}

const SIGN_IN = 'Send the header "Authorization: Bearer <API_KEY>" with a key of this service.'

/** Counts a refusal against the caller's address: in this isolate at once, for all isolates after the answer. Throws 401, or 429 past the limit. */
const refuse = (limiter: Limiter, entrance: Entrance, code: 'unauthorized' | 'account_inactive', message: string) => {
  const verdict = limiter.takeLocally(UNAUTHORIZED, entrance.address)
  if (verdict.allowed) entrance.defer(limiter.share(UNAUTHORIZED, entrance.address))
  const headers = rateHeaders(UNAUTHORIZED, verdict)
  const error = verdict.allowed
    ? new ApiError(code, message, { instructions_for_agent: SIGN_IN })
    : tooMany(UNAUTHORIZED, verdict, 'Too many requests with a missing or invalid key from this address.')
  return { headers, error }
}

const tooMany = (policy: Policy, verdict: Verdict, why: string): ApiError =>
  new ApiError(
    'rate_limited',
    `${why} The limit is ${policy.perMinute} a minute; repeat after ${verdict.resetS ?? 1} s.`,
    {
      retry_after: verdict.resetS ?? 1,
      policy: policy.name,
    },
  )

/**
 * Opens the gate for one request. The rate limit is asked at once; the key, the Idempotency-Key and the first read of the
 * handler travel to the database together, so that a read waits for one round trip and a write for two.
 */
export const openGate = (deps: Deps, limiter: Limiter, entrance: Entrance): Gate => {
  const { operation, keyHash } = entrance
  const policy: Policy = { name: operation.id, perMinute: operation.perMinute }
  const limited = keyHash === undefined ? undefined : limiter.take(policy, keyHash.slice(0, 32))
  let owner: KeyOwner | undefined
  let given: IdempotencyKey | undefined
  let headers: Record<string, string> = rateHeaders(policy)
  let kept = false

  const deny = (code: 'unauthorized' | 'account_inactive', message: string): never => {
    const refusal = refuse(limiter, entrance, code, message)
    headers = refusal.headers
    throw refusal.error
  }

  const judgeKey = (row: KeyOwner | undefined): KeyOwner => {
    if (!row || !isKeyLive(row, deps.now())) return deny('unauthorized', 'The API key is missing or not valid.')
    if (row.suspendedAt) return deny('account_inactive', 'Account is not active.')
    return row
  }

  const judge = async (row: KeyOwner | undefined, record: Parameters<typeof judgeRecord>[0], verdict: Verdict) => {
    const caller = judgeKey(row)
    headers = rateHeaders(policy, verdict)
    if (!verdict.allowed) throw tooMany(policy, verdict, `Too many requests to ${operation.method} ${operation.path}.`)
    if (operation.scope === 'write' && !caller.scopes.includes('write'))
      throw new ApiError('read_only_key', 'This API key may only read. Use a key with the scope "write".')
    owner = caller
    if (!caller.lastUsedAt || deps.now().getTime() - caller.lastUsedAt.getTime() > TOUCH_EVERY_MS)
      entrance.defer(Promise.resolve(touchKey(deps.db, caller.keyId, deps.now())))
    if (!given) return
    // What the record itself refuses (still running, another body) is no answer of the call and must not become its record.
    kept = true
    const found = judgeRecord(record, given, deps.now())
    kept = false
    if (found === 'stale') await guardDatabase(Promise.resolve(dropStale(deps.db, caller.id, given, deps.now())))
  }

  /** The first round trip: limiter beside one batch of key look-up, idempotency look-up and the handler's queries. */
  const enter = async <T extends readonly Query[]>(queries: T): Promise<unknown[]> => {
    if (keyHash === undefined || limited === undefined)
      return deny('unauthorized', 'The API key is missing or not valid.')
    let malformed: unknown
    given = await entrance.idempotency().catch((error: unknown) => {
      malformed = error
      return undefined
    })
    const lookups: Query[] = [keyOwner(deps.db, keyHash)]
    if (given) lookups.push(recordOf(deps.db, accountOfKey(keyHash), given.operation, given.key))
    const all = [...lookups, ...queries] as unknown as [Query, ...Query[]]
    const [verdict, outcome] = await Promise.all([
      limited,
      sendQueries(deps.db, all).then(
        (results) => ({ results: results as unknown[] }),
        (error: unknown) => ({ error }),
      ),
    ])
    if ('error' in outcome) {
      headers = rateHeaders(policy, verdict)
      if (!verdict.allowed)
        throw tooMany(policy, verdict, `Too many requests to ${operation.method} ${operation.path}.`)
      throw outcome.error
    }
    const [owners, ...rest] = outcome.results as [KeyOwner[], ...unknown[]]
    const record = given ? (rest.shift() as Awaited<ReturnType<typeof recordOf>>)[0] : undefined
    await judge(owners[0], record, verdict)
    if (malformed) throw malformed
    return rest
  }

  const admit = async (): Promise<KeyOwner> => {
    if (!owner) await enter([])
    if (!owner) throw new Error('admission left no owner')
    return owner
  }

  const insert = (from: SQL) => ({
    accountId: owner?.id ?? 0,
    given: given as IdempotencyKey,
    now: deps.now(),
    from,
  })

  const ctx: Ctx = {
    ...deps,
    actor: () => `key:${owner?.keyId ?? 0}`,
    read: async (build) => {
      if (owner) return await sendQueries(deps.db, build(sql`${owner.id}::int`))
      return (await enter(build(accountOfKey(keyHash ?? '')))) as never
    },
    account: admit,
    check: async (decide) => {
      try {
        return decide()
      } catch (error) {
        await admit()
        throw error
      }
    },
    write: async <Row>(statement: SQL, locks?: readonly SQL[]) => {
      if (!owner) throw new Error('write before admission')
      try {
        return await sendWrite<Row>(deps.db, statement, locks)
      } catch (error) {
        if (given && violatedUnique(error) === 'idempotency_records_pkey') await replayWinner(given, owner.id)
        throw error
      }
    },
    record: (from, status, body) => {
      if (!given) return sql``
      kept = true
      const text = typeof body === 'string' || body instanceof SQL ? body : JSON.stringify(body)
      return recordCte(insert(from), status, text)
    },
    recordRunning: (from, leaseUntil) => (given ? runningCte(insert(from), leaseUntil) : sql``),
    recordDone: (from, status, body) => {
      if (!given) return sql``
      kept = true
      return doneCte(insert(from), status, JSON.stringify(body))
    },
    recordForgotten: (from) => (given ? forgetCte(insert(from)) : sql``),
    defer: (work) =>
      entrance.defer(
        work.catch((error: unknown) =>
          deps.log('error', 'deferred.failed', { operation: operation.id, ...errorFields(error) }),
        ),
      ),
  }

  /** Another request with the same key won the race: end with its answer, or with 409 while it has none. */
  const replayWinner = async (key: IdempotencyKey, accountId: number): Promise<void> => {
    kept = true
    const [record] = await guardDatabase(
      Promise.resolve(recordOf(deps.db, sql`${accountId}::int`, key.operation, key.key)),
    )
    judgeRecord(record, key, deps.now())
  }

  const keep: Gate['keep'] = async (status, body) => {
    // What a purchase or a pause mends is no answer for a day.
    if (!given || !owner || kept || status === 402 || status === 429 || status >= 500) return
    const statement = recordAnswer({ accountId: owner.id, given, now: deps.now() }, status, await body())
    await guardDatabase(deps.db.execute(statement))
  }

  return { ctx, admit, isAdmitted: () => owner !== undefined, headers: () => headers, keep }
}
