import { and, desc, eq, gt, isNull, or, type SQL, sql } from 'drizzle-orm'
import { apiKeys } from '../../../schema/accounts.ts'
import { oauthGrants } from '../../../schema/people.ts'
import type { GrantScope } from '../../../schema/values/accounts.ts'
import { mintApiKey } from '../../platform/accounts/api-key.ts'
import { holdAccount } from '../../platform/accounts/parts.ts'
import { scopesOf } from '../../platform/accounts/scopes.ts'
import type { Db } from '../../platform/db/client.ts'
import { audit, insertWhere } from '../../platform/db/writes.ts'
import { sha256 } from '../../platform/lib/crypto.ts'
import { ApiError } from '../../platform/lib/errors.ts'
import { sendBatch } from '../../platform/runtime/ctx.ts'
import { worksIn } from '../people/administrator.ts'
import type { Person } from '../people/person.ts'
import type { OAuth } from './server.ts'
import { consumeRecord, putRecord } from './store.ts'

export type AuthRequest = Awaited<ReturnType<OAuth['api']['parseAuthRequest']>>

/** Request of an application, and the account that was shown with the question. */
type Asked = { request: AuthRequest; accountId: number }

const ASKED_MS = 10 * 60_000

const recordOf = async (handle: string): Promise<string> => `consent:${await sha256(handle)}`

/** Keeps what an application asks for until the person has decided; the handle is in the form and works once. */
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

/** An application that asks to be let in, as the consent page names it. */
type Client = { id: string; name: string; redirectHost: string }

/** Returns the grant an authorization code belongs to: `person:grant:secret`. */
const grantIn = (redirectTo: string): string => {
  const [, grantId] = (new URL(redirectTo).searchParams.get('code') ?? '').split(':')
  if (grantId === undefined) throw new Error('the authorization answered without a code')
  return grantId
}

/**
 * Authorizes an application: makes a grant and the API key behind it. Returns where to send the browser. Throws if the person
 * is no owner or member of the account any more.
 *
 * The key is in the grant alone, sealed; where the second write is lost, the grant holds a key nobody issued and opens nothing.
 */
export const letIn = async (
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
    // Nothing is ended because something is let in: the same application may be in another account, or on another machine.
    revokeExistingGrants: false,
  })
  const grantId = grantIn(redirectTo)
  const keyHash = await sha256(apiKey)
  const name = client.name.slice(0, 200)
  const { redirectHost } = client
  // Nobody else has the key, so its hash tells that it was made here.
  const isMade = eq(apiKeys.keyHash, keyHash)
  const key = { accountId: person.accountId, name, keyHash, lastFour: apiKey.slice(-4), scopes, madeBy: person.id }
  const [, made] = await sendBatch(db, [
    holdAccount(person.accountId),
    insertWhere(apiKeys, key, { if: worksIn(person.accountId, person.id, 'member') }),
    insertWhere(
      oauthGrants,
      { grantId, keyId: sql`${apiKeys.id}`, personId: person.id, clientId: client.id, clientName: name, redirectHost },
      { from: sql`${apiKeys}`, if: isMade },
    ),
    audit(
      { actor: () => `person:${person.id}`, now },
      {
        account: person.accountId,
        action: 'application.connect',
        on: ['key', apiKeys.id],
        detail: { client: client.name, host: redirectHost, scopes },
        from: sql`${apiKeys}`,
        if: isMade,
      },
    ),
  ])
  if (made.length > 0) return redirectTo
  await oauth.api.revokeGrant(grantId, person.id)
  throw new ApiError('forbidden', 'You work in this account no more, or not in all its projects.')
}

/** Condition: the key behind an application of the account opens it still. */
const isOpen = (accountId: number, now: Date): SQL | undefined =>
  and(
    eq(apiKeys.accountId, accountId),
    isNull(apiKeys.revokedAt),
    or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, now)),
  )

/** Returns the applications let into an account, newest first; the newest 200 where there are more. */
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

/** Ends an application of the account: its next call is refused. False if the account has no such one. */
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
