import type { Db } from '../../platform/db/client.ts'
import { type KeyRing, seal, sha256, unseal } from '../../platform/lib/crypto.ts'
import type { OAuth } from './server.ts'
import { claimRecord, consumeRecord, putRecord, readRecord } from './store.ts'

export type RedeemDeps = {
  db: Db
  now: () => Date
  wait: (ms: number) => Promise<void>
  ring: KeyRing
  oauth: OAuth
}

/** Request to the token endpoint. */
export type TokenRequest = { form: URLSearchParams; authorization: string | null }

/** Function that sends a form to the OAuth library with the request's headers, and returns its answer. */
type Ask = (form: URLSearchParams) => Promise<Response>

/** Time for which a used refresh token returns the same answer again, for clients that lost it or sent it twice at once. */
const GRACE_MS = 60_000
/** Longest lifetime of a refresh token. */
const KEPT_MS = 90 * 86_400_000
/** A redemption that has not finished after this time counts as lost. */
const LOST_MS = 30_000
const POLL_MS = 50

/** Person and grant at the start of a code or a refresh token, as the library makes them: `person:grant:secret`. */
const GRANT = /^([\w-]+:[\w-]+):[\w-]+$/

/** Stored answer to the first use of a refresh token, with the hash of its request. */
type Kept = { asked: string; body: string }

const refusal = (why: string): Response =>
  Response.json(
    { error: 'invalid_grant', error_description: why },
    { status: 400, headers: { 'Cache-Control': 'no-store' } },
  )

const USED = 'The refresh token was used before, or with another client, scope or resource.'

const CALLER = ['client_id', 'client_secret', 'client_assertion_type']

/**
 * Returns a hash of the client, its credentials, and the requested scopes and resources in any order.
 *
 * A client assertion is new in each request, so only its type is hashed.
 */
const askedBy = ({ form, authorization }: TokenRequest): Promise<string> => {
  const scopes = new Set(form.get('scope')?.split(' ').filter(Boolean))
  const caller = [...CALLER.map((name) => form.get(name)), authorization]
  return sha256(JSON.stringify([caller, [...scopes].sort(), form.getAll('resource').sort()]))
}

/** Claims the use of a secret. Returns the record of an earlier use, if there was one. Waits while an earlier use is under way. */
const usedBefore = async ({ db, now, wait }: RedeemDeps, key: string) => {
  for (;;) {
    const at = now().getTime()
    const claimed = await claimRecord(db, key, new Date(at + KEPT_MS), new Date(at), new Date(at - LOST_MS))
    if (claimed.length > 0) return undefined
    const found = await readRecord(db, key, now())
    if (found && found.value !== '') return found
    if (found) await wait(POLL_MS)
  }
}

/** Redeems a secret for the first time and records the use. If the redemption fails, the secret stays unused. */
const useFirst = async (
  { db, now, ring }: RedeemDeps,
  key: string,
  request: TokenRequest,
  ask: Ask,
): Promise<Response> => {
  let answer: Response
  try {
    answer = await ask(request.form)
  } catch (error) {
    await consumeRecord(db, key, now())
    throw error
  }
  if (answer.status !== 200) {
    await consumeRecord(db, key, now())
    return answer
  }
  const body = await answer.text()
  const kept: Kept = { asked: await askedBy(request), body }
  const isRefresh = request.form.get('grant_type') === 'refresh_token'
  const value = isRefresh ? await seal(ring, JSON.stringify(kept), key) : 'used'
  await putRecord(db, key, value, new Date(now().getTime() + KEPT_MS))
  return new Response(body, answer)
}

/** True if the client's assertion is valid. To check it, this revokes a token that does not exist, which has no other effect. */
const isProved = async (form: URLSearchParams, clientId: string, ask: Ask): Promise<boolean> => {
  const proof = new URLSearchParams({ client_id: clientId, token: 'none' })
  for (const name of ['client_assertion', 'client_assertion_type']) proof.set(name, form.get(name) ?? '')
  return (await ask(proof)).status === 200
}

/**
 * Handles a refresh token that was used before. Within a minute, the same request by the same client gets the same answer. Later
 * the grant is revoked.
 */
const useAgain = async (
  { db, now, ring, oauth }: RedeemDeps,
  key: string,
  { request, ask, used }: { request: TokenRequest; ask: Ask; used: { value: string; createdAt: Date } },
): Promise<Response> => {
  const { form } = request
  const [personId = '', grantId = ''] = (form.get('refresh_token') ?? '').split(':')
  const grant = await readRecord(db, `grant:${personId}:${grantId}`, now())
  if (!grant) return refusal('The grant was ended.')
  if (now().getTime() - used.createdAt.getTime() > GRACE_MS) {
    await oauth.api.revokeGrant(grantId, personId)
    return refusal(USED)
  }
  const { asked, body } = JSON.parse(await unseal(ring, used.value, key)) as Kept
  if (asked !== (await askedBy(request))) return refusal(USED)
  const { clientId } = JSON.parse(grant.value) as { clientId: string }
  if (form.has('client_assertion_type') && !(await isProved(form, clientId, ask))) return refusal(USED)
  return new Response(body, { headers: { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' } })
}

/**
 * Redeems an authorization code or a refresh token once, even if several requests send it at the same time. Other requests to
 * the token endpoint go to the library unchanged.
 *
 * A refresh token that is used again within a minute returns the same answer, if the client and its request are the same. So
 * two refreshes at once both get tokens that work. A later use revokes the grant (RFC 9700, section 4.14). The library itself
 * would accept the previous refresh token again, so it never sees a used one.
 */
export const redeem = async (deps: RedeemDeps, request: TokenRequest, ask: Ask): Promise<Response> => {
  const { form } = request
  const kind = form.get('grant_type') ?? ''
  const isRefresh = kind === 'refresh_token'
  const secret = form.get(isRefresh ? 'refresh_token' : 'code') ?? ''
  const grant = GRANT.exec(secret)?.[1]
  if ((!isRefresh && kind !== 'authorization_code') || grant === undefined) return await ask(form)
  // Only the secret is hashed, so changing another parameter does not make it a new one.
  const key = `used:${grant}:${await sha256(`${kind}\n${secret}`)}`
  const used = await usedBefore(deps, key)
  if (!used) return await useFirst(deps, key, request, ask)
  // The library recognizes a used code and revokes its grant.
  return isRefresh ? await useAgain(deps, key, { request, ask, used }) : await ask(form)
}
