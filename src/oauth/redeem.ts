import { eq } from 'drizzle-orm'
import { oauthRecords } from '../../schema/people.ts'
import { type Db, rowsOf } from '../db/client.ts'
import { type KeyRing, seal, sha256, unseal } from '../lib/crypto.ts'
import type { OAuth } from './server.ts'
import { claimRecord, putRecord, takeRecord } from './store.ts'

export type RedeemDeps = {
  db: Db
  now: () => Date
  wait: (ms: number) => Promise<void>
  ring: KeyRing
  oauth: OAuth
}

/** How long a refresh token that was used gives the same answer again, for clients that lost it or asked twice at once. */
const GRACE_MS = 60_000
/** As long as a refresh token can hold. */
const KEPT_MS = 90 * 86_400_000
/** A redemption that has not ended by then is taken for lost. */
const LOST_MS = 30_000
const POLL_MS = 50

type Kept = { value: string; createdAt: Date }

const refusal = (): Response =>
  Response.json(
    { error: 'invalid_grant', error_description: 'The refresh token was used before.' },
    { status: 400, headers: { 'Cache-Control': 'no-store' } },
  )

/** The record of a secret's use once its redemption has ended; undefined where that failed. */
const ended = async ({ db, now, wait }: RedeemDeps, key: string): Promise<Kept | undefined> => {
  const { value, createdAt } = oauthRecords
  for (;;) {
    const [row] = await db.select({ value, createdAt }).from(oauthRecords).where(eq(oauthRecords.key, key))
    if (row?.value !== '') return row
    if (now().getTime() - row.createdAt.getTime() > LOST_MS) {
      await rowsOf(db, takeRecord(key, now()))
      return undefined
    }
    await wait(POLL_MS)
  }
}

/** `person:grant:secret` of a token or code. */
const endGrantOf = async ({ oauth }: RedeemDeps, secret: string): Promise<void> => {
  const [personId, grantId] = secret.split(':')
  if (personId && grantId) await oauth.api.revokeGrant(grantId, personId)
}

/**
 * Redeems an authorization code or a refresh token once, however many ask at the same moment.
 *
 * A refresh token that is used again within a minute gets the answer it had, so that two refreshes at once leave both with
 * tokens that work; later it ends the grant (RFC 9700, section 4.14). Anything else at the token endpoint passes.
 */
export const redeem = async (
  deps: RedeemDeps,
  request: { form: URLSearchParams; authorization: string | null },
  pass: () => Promise<Response>,
): Promise<Response> => {
  const { form, authorization } = request
  const kind = form.get('grant_type') ?? ''
  const secret = (kind === 'refresh_token' ? form.get('refresh_token') : form.get('code')) ?? ''
  if ((kind !== 'refresh_token' && kind !== 'authorization_code') || secret === '') return await pass()
  const { db, now, ring } = deps
  // The caller stands in the name, so that nobody gets an answer that was another client's.
  const caller = [form.get('client_id'), form.get('client_secret'), authorization].map((part) => part ?? '').join('\n')
  const key = `used:${await sha256(`${kind}\n${secret}\n${caller}`)}`
  const claimed = await rowsOf(db, claimRecord(key, new Date(now().getTime() + KEPT_MS), now()))
  if (claimed.length > 0) {
    let answer: Response
    try {
      answer = await pass()
    } catch (error) {
      await rowsOf(db, takeRecord(key, now()))
      throw error
    }
    if (answer.status !== 200) {
      await rowsOf(db, takeRecord(key, now()))
      return answer
    }
    const body = await answer.text()
    const value = kind === 'refresh_token' ? await seal(ring, body, key) : 'used'
    await rowsOf(db, putRecord(key, value, new Date(now().getTime() + KEPT_MS)))
    return new Response(body, answer)
  }
  const kept = await ended(deps, key)
  // The library knows a code that was used, and ends its grant.
  if (!kept || kind === 'authorization_code') return await pass()
  if (now().getTime() - kept.createdAt.getTime() <= GRACE_MS)
    return new Response(await unseal(ring, kept.value, key), {
      headers: { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' },
    })
  await endGrantOf(deps, secret)
  return refusal()
}
