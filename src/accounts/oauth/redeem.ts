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

/** The library's answer to a form, with the headers that came. */
type Ask = (form: URLSearchParams) => Promise<Response>

/** Time for which a used refresh token gives the same answer again, for clients that lost it or asked twice at once. */
const GRACE_MS = 60_000
/** As long as a refresh token can hold. */
const KEPT_MS = 90 * 86_400_000
/** A redemption that has not ended by then is taken for lost. */
const LOST_MS = 30_000
const POLL_MS = 50

/** The answer to a refresh token's first use, and who asked for what. */
type Kept = { asked: string; body: string }

const refusal = (why: string): Response =>
  Response.json(
    { error: 'invalid_grant', error_description: why },
    { status: 400, headers: { 'Cache-Control': 'no-store' } },
  )

const USED = 'The refresh token was used before, or with another client, scope or resource.'

const CALLER = ['client_id', 'client_secret', 'client_assertion_type']

/**
 * Returns a hash of the client, its proof, and the scope and resources it asks for, in any order.
 *
 * An assertion is made for each request, so only its kind counts here.
 */
const askedBy = ({ form, authorization }: TokenRequest): Promise<string> => {
  const scopes = new Set(form.get('scope')?.split(' ').filter(Boolean))
  const caller = [...CALLER.map((name) => form.get(name)), authorization]
  return sha256(JSON.stringify([caller, [...scopes].sort(), form.getAll('resource').sort()]))
}

/** Claims a secret's use; the record of the earlier one where it has been used. Waits while that is under way. */
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

/** Notes the first use of a secret. One that fails leaves the secret as it was. */
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

/** True if an assertion that came proves the client. Asked by revoking what is no token, which does nothing else. */
const isProved = async (form: URLSearchParams, clientId: string, ask: Ask): Promise<boolean> => {
  const proof = new URLSearchParams({ client_id: clientId, token: 'none' })
  for (const name of ['client_assertion', 'client_assertion_type']) proof.set(name, form.get(name) ?? '')
  return (await ask(proof)).status === 200
}

/** A refresh token that comes again: the same answer to the same client that asks for the same within a minute; later it ends the grant. */
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
 * Redeems an authorization code or a refresh token once, however many requests come at the same moment.
 *
 * A refresh token that is used again within a minute gives the same client the answer it had, if it asks for the same. So two
 * refreshes at once leave both with tokens that work. Later it ends the grant (RFC 9700, section 4.14). The library would
 * accept the token before the newest again, so it never sees one that was used. Anything else at the token endpoint passes.
 */
export const redeem = async (deps: RedeemDeps, request: TokenRequest, ask: Ask): Promise<Response> => {
  const { form } = request
  const kind = form.get('grant_type') ?? ''
  const isRefresh = kind === 'refresh_token'
  const secret = form.get(isRefresh ? 'refresh_token' : 'code') ?? ''
  if ((!isRefresh && kind !== 'authorization_code') || secret === '') return await ask(form)
  // Of the secret alone: whatever else a caller sends, it is the same one.
  const key = `used:${await sha256(`${kind}\n${secret}`)}`
  const used = await usedBefore(deps, key)
  if (!used) return await useFirst(deps, key, request, ask)
  // The library knows a code that was used, and ends its grant.
  return isRefresh ? await useAgain(deps, key, { request, ask, used }) : await ask(form)
}
