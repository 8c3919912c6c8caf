import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { and, asc, eq, exists, type SQL, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { people, personPasskeys, personSessions, personVerifications } from '../../../schema/people.ts'
import { violatedUnique } from '../../platform/db/client.ts'
import { when } from '../../platform/db/steps.ts'
import { decideOnce, insertWhere } from '../../platform/db/writes.ts'
import { base64Url, fromBase64Url, seal, sha256, unseal } from '../../platform/lib/crypto.ts'
import { sendBatch } from '../../platform/runtime/ctx.ts'
import { auditEverywhere, type Me, mailSecurity, type Needed } from './person.ts'
import { SESSION_MS } from './session-cookie.ts'

/** Largest number of passkeys of a person. */
export const MOST_PASSKEYS = 20

const HOLDS_MS = 5 * 60_000

/** Imported at the first use of a passkey, since it is large (87 KiB): it checks the certificates of every kind of device. */
const webauthn = () => import('@simplewebauthn/server')

const Answer = z.object({
  id: z.string().check(z.regex(/^[\w-]{1,1400}$/)),
  response: z.looseObject({ clientDataJSON: z.string(), userHandle: z.optional(z.nullable(z.string())) }),
})

/** Parses a browser's answer for a passkey. Returns undefined if it is not one. */
const answerIn = (text: string): z.infer<typeof Answer> | undefined => {
  try {
    return z.parse(z.catchall(Answer, z.unknown()), JSON.parse(text))
  } catch {
    return undefined
  }
}

/** Returns the context that a challenge is sealed with: adding a passkey to one person, or signing in. */
const contextOf = (me: Pick<Me, 'id'> | undefined): string => `passkey:${me?.id ?? 'sign-in'}`

/** Returns a challenge. It is its own expiry, sealed, so that nothing has to be stored until it is used. */
const newChallenge = async ({ settings, now }: Needed, me?: Pick<Me, 'id'>): Promise<string> =>
  await seal(settings.secretsKeys, String(now().getTime() + HOLDS_MS), contextOf(me))

/** Returns a check of the base64url challenge that a browser returns: it is ours, for this purpose, and not expired. */
const isChallenge =
  ({ settings, now }: Needed, me?: Pick<Me, 'id'>) =>
  async (given: string): Promise<boolean> => {
    const text = new TextDecoder().decode(fromBase64Url(given))
    return Number(await unseal(settings.secretsKeys, text, contextOf(me))) > now().getTime()
  }

/** Returns the host and the origin of the service, for which passkeys are valid. */
const placeOf = ({ settings }: Needed) => {
  const { hostname, origin } = new URL(settings.publicUrl)
  return { expectedRPID: hostname, expectedOrigin: origin }
}

/**
 * Returns the parts of a batch that use up a challenge. `statement` must come after the locks. `holds` is false in a second batch
 * with the same challenge.
 */
const useUp = async ({ now, newId }: Needed, clientData: string): Promise<{ statement: SQL; isMet: SQL }> => {
  const { challenge } = JSON.parse(new TextDecoder().decode(fromBase64Url(clientData))) as { challenge: string }
  const name = `passkey:${await sha256(challenge)}`
  const [mark, at] = [newId(), now()]
  const row = { id: name, identifier: name, value: mark, createdAt: at, updatedAt: at }
  const expiresAt = new Date(at.getTime() + 2 * HOLDS_MS)
  return {
    statement: insertWhere(
      personVerifications,
      { ...row, expiresAt },
      { if: 'always', onConflict: sql`(id) do nothing` },
    ),
    isMet: sql`exists (select 1 from ${personVerifications} where ${and(eq(personVerifications.id, name), eq(personVerifications.value, mark))})`,
  }
}

/** Returns the passkeys of a person, in the order they were added. */
export const listPasskeys = async ({ db }: Pick<Needed, 'db'>, { id: personId }: Pick<Me, 'id'>) => {
  const { id, name, createdAt, lastUsedAt } = personPasskeys
  return await db
    .select({ id, name, createdAt, lastUsedAt })
    .from(personPasskeys)
    .where(eq(personPasskeys.personId, personId))
    .orderBy(asc(createdAt), asc(id))
}

/**
 * Returns the options for a browser to create a passkey. The device stores the person with it, so that nobody types an address to
 * sign in.
 *
 * The device must verify its user, since a passkey replaces both address and password: having the device alone is not enough.
 */
export const passkeyOptions = async (deps: Needed, me: Me & { name: string }) => {
  const { generateRegistrationOptions } = await webauthn()
  const theirs = await listPasskeys(deps, me)
  return await generateRegistrationOptions({
    rpName: deps.settings.serviceName,
    rpID: placeOf(deps).expectedRPID,
    userName: me.email,
    userDisplayName: me.name || me.email,
    userID: Uint8Array.from(new TextEncoder().encode(me.id)),
    challenge: await newChallenge(deps, me),
    timeout: HOLDS_MS,
    attestationType: 'none',
    excludeCredentials: theirs.map(({ id }) => ({ id })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
}

/**
 * Adds the passkey that a browser made with `passkeyOptions`, writes audit entries, and notifies the person by mail.
 *
 * Returns false if the answer is not to one of our challenges, the challenge was used before, or the person has too many passkeys.
 */
export const addPasskey = async (
  deps: Needed,
  me: Me,
  { name, text }: { name: string; text: string },
): Promise<boolean> => {
  const answer = answerIn(text)
  if (!answer) return false
  const { verifyRegistrationResponse } = await webauthn()
  const { registrationInfo: made } = await verifyRegistrationResponse({
    response: answer as unknown as RegistrationResponseJSON,
    expectedChallenge: isChallenge(deps, me),
    ...placeOf(deps),
    requireUserVerification: true,
  }).catch(() => ({ registrationInfo: undefined }))
  if (!made) return false
  const { db, now } = deps
  const { id, publicKey, counter } = made.credential
  const row = { id, personId: me.id, name, publicKey: base64Url(publicKey), counter, createdAt: now() }
  const used = await useUp(deps, answer.response.clientDataJSON)
  const theirs = sql`(select count(*) from ${personPasskeys} where ${eq(personPasskeys.personId, me.id)})`
  const may = decideOnce(sql`${used.isMet} and ${theirs} < ${MOST_PASSKEYS}::int`)
  try {
    const { added } = await sendBatch(db, {
      person: db.select({ id: people.id }).from(people).where(eq(people.id, me.id)).for('no key update'),
      challenge: used.statement,
      decided: may.statement,
      ...when(may.isMet, {
        added: (isMet) => insertWhere(personPasskeys, row, { if: isMet, returning: { id: personPasskeys.id } }),
        audit: (isMet) => auditEverywhere(deps, me, 'person.passkey_add', isMet),
      }),
      mail: await mailSecurity(deps, me, { what: 'A passkey was added to your account', if: may.isMet }),
    })
    return added.length > 0
  } catch (error) {
    if (violatedUnique(error) === undefined) throw error
    return false
  }
}

/** Removes a person's passkey, writes audit entries, and notifies them by mail. Returns false if they have no such passkey. */
export const removePasskey = async (deps: Needed, me: Me, passkey: string): Promise<boolean> => {
  const { db } = deps
  const { id, personId } = personPasskeys
  const isIt = and(eq(id, passkey), eq(personId, me.id))
  const isTheirs = exists(db.select({ id }).from(personPasskeys).where(isIt))
  const { removed } = await sendBatch(db, {
    passkey: db.select({ id }).from(personPasskeys).where(isIt).for('update'),
    audit: auditEverywhere(deps, me, 'person.passkey_remove', isTheirs),
    mail: await mailSecurity(deps, me, { what: 'A passkey was removed from your account', if: isTheirs }),
    removed: db.delete(personPasskeys).where(isIt).returning({ id }),
  })
  return removed.length > 0
}

/** Returns the options for a browser to sign in with any passkey it has for this service. */
export const signInOptions = async (deps: Needed) => {
  const { generateAuthenticationOptions } = await webauthn()
  return await generateAuthenticationOptions({
    rpID: placeOf(deps).expectedRPID,
    challenge: await newChallenge(deps),
    timeout: HOLDS_MS,
    userVerification: 'required',
  })
}

type Browser = { ipAddress: string | null; userAgent: string | null }

/**
 * Starts a session for the person of a passkey, and returns its token. Undefined if the passkey is unknown or another person's, or
 * if the answer is wrong, was used before, or shows that the passkey was copied.
 */
export const signInByPasskey = async (deps: Needed, text: string, browser: Browser): Promise<string | undefined> => {
  const answer = answerIn(text)
  if (!answer) return undefined
  const { db, now, newId } = deps
  const [known] = await db.select().from(personPasskeys).where(eq(personPasskeys.id, answer.id))
  const { userHandle } = answer.response
  if (!known || userHandle !== base64Url(new TextEncoder().encode(known.personId))) return undefined
  const { verifyAuthenticationResponse } = await webauthn()
  const { id, personId, counter } = known
  const { verified, authenticationInfo: info } = await verifyAuthenticationResponse({
    response: answer as unknown as AuthenticationResponseJSON,
    expectedChallenge: isChallenge(deps),
    ...placeOf(deps),
    requireUserVerification: true,
    credential: { id, publicKey: fromBase64Url(known.publicKey), counter },
  }).catch(() => ({ verified: false, authenticationInfo: undefined }))
  if (!verified || !info) return undefined
  const at = now()
  const token = base64Url(crypto.getRandomValues(new Uint8Array(32)))
  const session = {
    id: newId(),
    token,
    userId: personId,
    ...browser,
    expiresAt: new Date(at.getTime() + SESSION_MS),
    createdAt: at,
    updatedAt: at,
  }
  const used = await useUp(deps, answer.response.clientDataJSON)
  const isIt = and(eq(personPasskeys.id, id), eq(personPasskeys.counter, counter))
  const may = sql`${used.isMet} and ${exists(db.select({ id: personPasskeys.id }).from(personPasskeys).where(isIt))}`
  const { counted } = await sendBatch(
    db,
    {
      passkey: db.select({ id: personPasskeys.id }).from(personPasskeys).where(isIt).for('update'),
      challenge: used.statement,
      session: insertWhere(personSessions, session, { if: may }),
      counted: db
        .update(personPasskeys)
        .set({ counter: info.newCounter, lastUsedAt: at })
        .where(and(isIt, used.isMet))
        .returning({ id: personPasskeys.id }),
    },
    { unaudited: 'a sign-in: it is nothing of an account' },
  )
  return counted.length > 0 ? token : undefined
}
