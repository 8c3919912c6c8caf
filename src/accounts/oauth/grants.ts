import { and, desc, eq, gt, isNull, or, type SQL, sql } from 'drizzle-orm'
import { apiKeys } from '../../../schema/accounts.ts'
import { oauthGrants } from '../../../schema/people.ts'
import type { GrantScope } from '../../../schema/values/accounts.ts'
import { mintApiKey } from '../../platform/accounts/api-key.ts'
import { holdAccount } from '../../platform/accounts/parts.ts'
import { scopesOf } from '../../platform/accounts/scopes.ts'
import type { Db } from '../../platform/db/client.ts'
import { when } from '../../platform/db/steps.ts'
import { audit, insertWhere } from '../../platform/db/writes.ts'
import { sha256 } from '../../platform/lib/crypto.ts'
import { ApiError } from '../../platform/lib/errors.ts'
import { sendBatch } from '../../platform/runtime/ctx.ts'
import type { Person } from '../people/person.ts'
import { isMemberOf } from '../people/roles.ts'
import type { OAuth } from './server.ts'
import { consumeRecord, putRecord } from './store.ts'

export type AuthRequest = Awaited<ReturnType<OAuth['api']['parseAuthRequest']>>

/** Authorization request of an application, and the account named on the consent page. */
type Asked = { request: AuthRequest; accountId: number }

const ASKED_MS = 10 * 60_000

const recordOf = async (handle: string): Promise<string> => `consent:${await sha256(handle)}`

/** Stores an authorization request until the person decides. Returns a handle for the consent form, which works once. */
export const askConsent = async (db: Db, personId: string, asked: Asked, now: Date): Promise<string> => {
  const handle = crypto.randomUUID() + crypto.randomUUID()
  const value = JSON.stringify({ personId, ...asked })
  await putRecord(db, await recordOf(handle), value, new Date(now.getTime() + ASKED_MS))
  return handle
}

/** Returns and deletes the request under a handle; undefined if it is unknown, used, too old, or another person's. */
export const consumeConsent = async (
  db: Db,
  personId: string,
  handle: string,
  now: Date,
): Promise<Asked | undefined> => {
  const [row] = await consumeRecord(db, await recordOf(handle), now)
  if (!row?.live) return undefined
  const asked = JSON.parse(row.value) as Asked & { personId: string }
  return asked.personId === personId ? asked : undefined
}

/** Application that asks for access, with the names shown on the consent page. */
type Client = { id: string; name: string; redirectHost: string }

/** Returns the id of the grant from the authorization code in a redirect. A code is `person:grant:secret`. */
const grantIn = (redirectTo: string): string => {
  const [, grantId] = (new URL(redirectTo).searchParams.get('code') ?? '').split(':')
  if (grantId === undefined) throw new Error('the authorization answered without a code')
  return grantId
}

/**
 * Authorizes an application: makes a grant and its API key. Returns the address to redirect the browser to. Throws if the person
 * is no longer an owner or member of the account.
 *
 * Only the grant contains the key, sealed. If the second write is lost, the key has no row and gives no access.
 */
export const grantAccess = async (
  { oauth, db, now }: { oauth: OAuth; db: Db; now: () => Date },
  request: AuthRequest,
  { person, client, scope }: { person: Person; client: Client; scope: GrantScope },
): Promise<string> => {
  const apiKey = mintApiKey('live', (bytes) => crypto.getRandomValues(bytes))
  const scopes = scopesOf(scope)
  const { redirectTo } = await oauth.api.completeAuthorization({
    request,
    userId: person.id,
    metadata: { client: client.name },
    scope: [...scopes, ...(request.scope.includes('offline_access') ? ['offline_access'] : [])],
    props: { apiKey },
    // Earlier grants stay: the same application may be connected to another account, or on another machine.
    revokeExistingGrants: false,
  })
  const grantId = grantIn(redirectTo)
  const keyHash = await sha256(apiKey)
  const name = client.name.slice(0, 200)
  const { redirectHost } = client
  // The key is new and random, so a row with its hash was inserted by this call.
  const isMade = eq(apiKeys.keyHash, keyHash)
  const key = { accountId: person.accountId, name, keyHash, lastFour: apiKey.slice(-4), scopes, madeBy: person.id }
  const { made } = await sendBatch(db, {
    account: holdAccount(person.accountId),
    made: insertWhere(apiKeys, key, { if: isMemberOf(person.accountId, person.id, 'member') }),
    ...when(isMade, {
      oauthGrants: (isMet) =>
        insertWhere(
          oauthGrants,
          {
            grantId,
            keyId: sql`${apiKeys.id}`,
            personId: person.id,
            clientId: client.id,
            clientName: name,
            redirectHost,
          },
          { from: sql`${apiKeys}`, if: isMet },
        ),
      audit: audit(
        { actor: () => `person:${person.id}`, now },
        {
          account: person.accountId,
          action: 'application.connect',
          on: ['key', apiKeys.id],
          detail: { client: client.name, host: redirectHost, scopes },
          from: sql`${apiKeys}`,
        },
      ),
    }),
  })
  if (made.length > 0) return redirectTo
  await oauth.api.revokeGrant(grantId, person.id)
  throw new ApiError(
    'forbidden',
    'You no longer work in this account, or not in all its projects. Nothing was connected.',
  )
}

/** Condition: the key belongs to the account, and is neither revoked nor expired. */
const isOpen = (accountId: number, now: Date): SQL | undefined =>
  and(
    eq(apiKeys.accountId, accountId),
    isNull(apiKeys.revokedAt),
    or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, now)),
  )

/** Returns the applications connected to an account, newest first, at most 200. */
export const applicationsOf = (db: Db, accountId: number, now: Date) =>
  db
    .select({
      grantId: oauthGrants.grantId,
      personId: oauthGrants.personId,
      name: oauthGrants.clientName,
      host: oauthGrants.redirectHost,
      scopes: apiKeys.scopes,
      lastUsedAt: apiKeys.lastUsedAt,
      createdAt: oauthGrants.createdAt,
    })
    .from(apiKeys)
    .innerJoin(oauthGrants, eq(oauthGrants.keyId, apiKeys.id))
    .where(isOpen(accountId, now))
    .orderBy(desc(apiKeys.id))
    .limit(200)

/** Disconnects an application from the account: its next call is refused. Returns false if the account has no such application. */
export const endApplication = async (
  { oauth, db, now }: { oauth: OAuth; db: Db; now: () => Date },
  accountId: number,
  grantId: string,
): Promise<boolean> => {
  const [found] = await db
    .select({ grantId: oauthGrants.grantId, personId: oauthGrants.personId })
    .from(oauthGrants)
    .innerJoin(apiKeys, eq(apiKeys.id, oauthGrants.keyId))
    .where(and(eq(oauthGrants.grantId, grantId), isOpen(accountId, now())))
  if (!found) return false
  await oauth.api.revokeGrant(found.grantId, found.personId)
  return true
}
