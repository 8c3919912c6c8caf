import type { Db } from '../../platform/db/client.ts'
import { sha256 } from '../../platform/lib/crypto.ts'
import type { OAuth } from './server.ts'
import { consumeRecord, putRecord } from './store.ts'

export type AuthRequest = Awaited<ReturnType<OAuth['api']['parseAuthRequest']>>

/** Request of an application, and the account that was shown with the question. */
export type Asked = { request: AuthRequest; accountId: number }

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
