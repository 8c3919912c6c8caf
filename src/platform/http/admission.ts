import type { Scope } from '../../../schema/values/accounts.ts'
import {
  accountOfKey,
  isKeyLive,
  type KeyOwner,
  keyOwner,
  preparedKeyOwner,
  TOUCH_EVERY_MS,
  touchKey,
} from '../accounts/key-owner.ts'
import { includesScope, keyMayNot } from '../accounts/scopes.ts'
import { PreparedQuery, type Query } from '../db/client.ts'
import { ApiError } from '../lib/errors.ts'
import { setCause } from '../lib/request-scope.ts'
import { guardDatabase, sendQueries } from '../runtime/ctx.ts'
import { currentDryRun } from '../runtime/dry-run.ts'
import type { HttpDeps } from './deps.ts'
import { deleteStale, type IdempotencyKey, judgeOrWait, recordOf, type StoredRecord } from './idempotency.ts'
import type { Operation } from './operation.ts'
import { type Policy, rateHeaders, type Verdict } from './ratelimit.ts'

const UNAUTHORIZED: Policy = { name: 'unauthorized', perMinute: 30 }

/** The request's Idempotency-Key. The fingerprint of its body is computed only for admitted callers. */
type PresentedIdempotency = Omit<IdempotencyKey, 'fingerprint'> & { fingerprint: () => Promise<string> }

/** Facts of a request that admission needs. `keyHash` exists only if the key has the form and checksum of an API key. */
export type Entrance = {
  operation: Operation
  keyHash: string | undefined
  /** True if the caller sent a test key and test keys are not accepted. `keyHash` is absent then. */
  isTestKey: boolean
  /** True if the request has no `Authorization` header. Such a refusal is not counted. */
  isAnonymous: boolean
  /** The caller's network address, for counting refusals. */
  address: string
  /** Reads the Idempotency-Key header. Throws 400. */
  idempotency: () => PresentedIdempotency | undefined
  defer: (work: Promise<unknown>) => void
}

/** Decision about one request's caller, made once, with the first round trip. */
export type Admission = {
  /**
   * Makes the first round trip and returns the results of `queries`. Throws what `admit` throws.
   *
   * It asks the rate limiter. At the same time it sends one batch: the look-ups of API key and Idempotency-Key, and `queries`.
   */
  enter: (queries: readonly Query[]) => Promise<unknown[]>
  /** Returns the admitted caller. Throws 401, 429, 403, a replay, or an idempotency conflict, the same each time. */
  admit: () => Promise<KeyOwner>
  /** Requires a wider scope than the operation's. Throws 403 if the caller is already admitted and lacks it. */
  demand: (scope: Scope, what: string) => void
  owner: () => KeyOwner | undefined
  /** The Idempotency-Key of an admitted request. */
  given: () => IdempotencyKey | undefined
  /** RateLimit header fields for the answer. */
  headers: () => Record<string, string>
  /** True if the caller is refused without asking the database or Redis. */
  isTurnedAway: boolean
  /** True if this isolate admitted the key within the last minute. */
  isKnown: boolean
}

const SIGN_IN = 'Send the header "Authorization: Bearer <API_KEY>" with a key of this service.'
const BAD_KEY = 'The API key is missing or not valid.'
const ON_HOLD = 'The database was restored, and the key waits until an owner of the account confirms it.'
const TEST_KEY = 'Test keys are not valid here. Use a key that begins with gly_live_.'

const tooMany = (policy: Policy, verdict: Verdict, why: string): ApiError =>
  new ApiError(
    'rate_limited',
    `${why} The limit is ${policy.perMinute} a minute; repeat after ${verdict.resetS ?? 1} s.`,
    {
      retry_after: verdict.resetS ?? 1,
      policy: policy.name,
    },
  )

/** Returns the rate limit of one key for an operation. */
export const rateOf = ({ id, perMinute }: Pick<Operation, 'id' | 'perMinute'>): Policy => ({ name: id, perMinute })

/** Returns the id under which the calls of a key are counted. */
export const rateIdOf = (keyHash: string): string => keyHash.slice(0, 32)

/** Returns the rate limit of all keys of an account together, for calls that publish or cost money. */
export const accountRateOf = ({ id, perMinute }: Pick<Operation, 'id' | 'perMinute'>, factor: number): Policy => ({
  name: `account.${id}`,
  perMinute: perMinute * factor,
})

/** Header of every 401 that names the way to sign in (RFC 9110, 11.6.1). */
const CHALLENGE = { 'WWW-Authenticate': 'Bearer' }

type Refusal = { headers: Record<string, string>; error: ApiError }

/**
 * Counts a refusal against the caller's address. Returns it, or 429 past the limit. A call without a credential is not counted:
 * many clients begin with one, and one address may be that of many customers.
 *
 * This isolate counts it at once; the count that all isolates share follows after the answer.
 */
const refuseAddress = ({ limiter }: HttpDeps, entrance: Entrance, error: ApiError): Refusal => {
  const { address, defer, isAnonymous } = entrance
  if (isAnonymous) return { headers: { ...rateHeaders(UNAUTHORIZED), ...CHALLENGE }, error }
  const verdict = limiter.countLocally(UNAUTHORIZED, address)
  if (verdict.allowed) defer(limiter.share(UNAUTHORIZED, address))
  if (verdict.remaining === 0) limiter.close(UNAUTHORIZED, address, verdict.resetS)
  const why = 'Too many requests with an invalid key from this address.'
  return {
    headers: { ...rateHeaders(UNAUTHORIZED, verdict), ...(verdict.allowed ? CHALLENGE : {}) },
    error: verdict.allowed ? error : tooMany(UNAUTHORIZED, verdict, why),
  }
}

/** Returns the fault of a key, if it has one. */
const faultOfKey = (row: KeyOwner | undefined, now: Date, publicUrl: string): ApiError | undefined => {
  if (!row || !isKeyLive(row, now)) return new ApiError('unauthorized', BAD_KEY, { instructions_for_agent: SIGN_IN })
  if (row.heldAt)
    return new ApiError('unauthorized', ON_HOLD, {
      instructions_for_agent: `Tell the user. An owner of the account confirms the key at ${publicUrl}/settings/keys; then it works again.`,
    })
  return row.suspendedAt ? new ApiError('account_inactive', 'Account is not active.') : undefined
}

const asked = async (work: Promise<unknown>): Promise<{ results: unknown[] } | { error: unknown }> =>
  await work.then(
    (results) => ({ results: results as unknown[] }),
    (error: unknown) => ({ error }),
  )

/**
 * Opens the admission of one request. It costs one round trip for a read and two for a write.
 *
 * The rate limit is asked at once. The API key, the Idempotency-Key and the handler's first read are queried together. Known
 * refusals need no query.
 */
export const openAdmission = (deps: HttpDeps, entrance: Entrance): Admission => {
  const { limiter, callers } = deps
  const { operation, keyHash } = entrance
  const policy = rateOf(operation)
  const rateId = rateIdOf(keyHash ?? '')
  const isKnown = keyHash !== undefined && callers.has(keyHash)
  const closed = limiter.closed(policy, rateId)
  // A well-formed key is always looked up, whatever others at its address have sent.
  const isTurnedAway = keyHash === undefined || closed !== undefined
  const limited = isTurnedAway ? undefined : limiter.take(policy, rateId, entrance.defer)
  // The account of a known key is counted at once; another account is counted once the database has returned it.
  const knownAccount = isKnown && keyHash !== undefined ? callers.of(keyHash) : undefined
  const ceiling = accountRateOf(operation, deps.settings.accountRateFactor)
  const countAccount = (id: number) => limiter.take(ceiling, String(id), entrance.defer)
  const counting = limited && operation.isShared && knownAccount !== undefined ? countAccount(knownAccount) : undefined
  let headers = rateHeaders(policy)
  let owner: KeyOwner | undefined
  let given: IdempotencyKey | undefined
  let refusal: { error: unknown } | undefined

  const refuseKey = (error: ApiError): never => {
    if (keyHash !== undefined) callers.forget(keyHash)
    const refused = refuseAddress(deps, entrance, error)
    headers = refused.headers
    throw refused.error
  }

  const refuseRate = (verdict: Verdict): never => {
    headers = rateHeaders(policy, verdict)
    throw tooMany(policy, verdict, `Too many requests to ${operation.method} ${operation.path}.`)
  }

  const refuseCeiling = (verdict: Verdict): void => {
    if (verdict.allowed) return
    const why = `Too many requests to ${operation.method} ${operation.path} by all keys of the account together.`
    throw tooMany(ceiling, verdict, why)
  }

  let demanded: { scope: Scope; what?: string } = { scope: operation.scope }
  const judgeScope = ({ key: { scopes } }: KeyOwner): void => {
    const { scope, what } = demanded
    if (!includesScope(scopes, scope)) throw keyMayNot(deps.settings.publicUrl, scopes, scope, what)
  }

  const demand: Admission['demand'] = (scope, what) => {
    demanded = { scope, what }
    if (owner) judgeScope(owner)
  }

  const judge = (row: KeyOwner | undefined, verdict: Verdict): KeyOwner => {
    const fault = faultOfKey(row, deps.now(), deps.settings.publicUrl)
    const noting = fault && row ? deps.refusedSignIns.note(deps.db, row) : undefined
    if (noting) entrance.defer(noting)
    if (fault || !row) return refuseKey(fault as ApiError)
    headers = rateHeaders(policy, verdict)
    // Only a refusal by the shared count is remembered, until the count's window resets.
    if (!verdict.allowed && verdict.remaining !== undefined) limiter.close(policy, rateId, verdict.resetS ?? 1)
    if (!verdict.allowed) refuseRate(verdict)
    judgeScope(row)
    callers.remember(keyHash ?? '', row.id)
    setCause(`key:${row.keyId}`)
    const isTouched = row.lastUsedAt && deps.now().getTime() - row.lastUsedAt.getTime() <= TOUCH_EVERY_MS
    if (!isTouched && !currentDryRun()) entrance.defer(Promise.resolve(touchKey(deps.db, row.keyId, deps.now())))
    return row
  }

  const judgeIdempotency = async (
    accountId: number,
    presented: PresentedIdempotency,
    record: StoredRecord | undefined,
  ): Promise<void> => {
    const key = { ...presented, fingerprint: await presented.fingerprint() }
    const found = await judgeOrWait(deps, accountId, key, { record })
    // A dry run stores no answer, so the stale record need not be deleted.
    if (currentDryRun()) return
    if (found === 'stale') await guardDatabase(Promise.resolve(deleteStale(deps.db, accountId, key, deps.now())))
    given = key
  }

  const ask = async (queries: readonly Query[]): Promise<unknown[]> => {
    if (closed && keyHash !== undefined) return refuseRate(closed)
    if (limited === undefined || keyHash === undefined) {
      const message = entrance.isTestKey ? TEST_KEY : BAD_KEY
      return refuseKey(new ApiError('unauthorized', message, { instructions_for_agent: SIGN_IN }))
    }
    let presented: PresentedIdempotency | undefined
    let malformed: { error: unknown } | undefined
    try {
      presented = entrance.idempotency()
    } catch (error) {
      malformed = { error }
    }
    // The record is read last. If another query sees an effect of the first call, its answer is already stored.
    const record = presented && recordOf(deps.db, accountOfKey(keyHash), presented.operation, presented.key)
    const others: readonly Query[] = [...queries, ...(record ? [record] : [])]
    // A prepared query cannot be part of a batch. If all others are prepared too, this one is cheaper prepared.
    const isPrepared = others.every((query) => query instanceof PreparedQuery)
    const owning = isPrepared ? preparedKeyOwner(deps.db, { keyHash }) : keyOwner(deps.db, keyHash)
    const [verdict, outcome] = await Promise.all([limited, asked(sendQueries(deps.db, [owning, ...others]))])
    if ('error' in outcome) {
      headers = rateHeaders(policy, verdict)
      if (!verdict.allowed) refuseRate(verdict)
      throw outcome.error
    }
    const [owners, ...rest] = outcome.results as [KeyOwner[], ...unknown[]]
    const stored = record ? (rest.pop() as Awaited<typeof record>)[0] : undefined
    const caller = judge(owners[0], verdict)
    if (operation.isShared) refuseCeiling(await (counting ?? countAccount(caller.id)))
    if (malformed) throw malformed.error
    if (presented) await judgeIdempotency(caller.id, presented, stored)
    owner = caller
    return rest
  }

  const enter: Admission['enter'] = async (queries) => {
    if (refusal) throw refusal.error
    try {
      return await ask(queries)
    } catch (error) {
      refusal = { error }
      throw error
    }
  }

  const admit = async (): Promise<KeyOwner> => {
    if (!owner) await enter([])
    if (!owner) throw new Error('admission left no owner')
    return owner
  }

  return { enter, admit, demand, owner: () => owner, given: () => given, headers: () => headers, isTurnedAway, isKnown }
}
