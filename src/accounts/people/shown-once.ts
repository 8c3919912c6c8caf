import { and, eq, gt } from 'drizzle-orm'
import { personVerifications } from '../../../schema/people.ts'
import { seal, sha256, unseal } from '../../platform/lib/crypto.ts'
import type { Deps } from '../../platform/runtime/ctx.ts'

type SecretDeps = Pick<Deps, 'db' | 'now' | 'newId' | 'settings'>

const KEPT_MS = 60_000

/** Stores a secret, sealed for its owner, until it is read once or a minute has passed. Returns the name to read it by. */
export const keepOnce = async (
  { db, now, newId, settings }: SecretDeps,
  owner: string,
  secret: string,
): Promise<string> => {
  const name = newId()
  const sealed = await seal(settings.secretsKeys, secret, `once:${owner}`)
  const [identifier, at] = [await sha256(`once:${name}`), now()]
  await db.insert(personVerifications).values({
    id: newId(),
    identifier,
    value: JSON.stringify({ once: sealed }),
    expiresAt: new Date(at.getTime() + KEPT_MS),
    createdAt: at,
    updatedAt: at,
  })
  return name
}

/** Returns a stored secret and deletes it; undefined if it was read before or is too old. */
export const consumeOnce = async (
  { db, now, settings }: Pick<SecretDeps, 'db' | 'now' | 'settings'>,
  owner: string,
  name: string,
): Promise<string | undefined> => {
  const { identifier, expiresAt, value } = personVerifications
  const [row] = await db
    .delete(personVerifications)
    .where(and(eq(identifier, await sha256(`once:${name}`)), gt(expiresAt, now())))
    .returning({ value })
  if (!row) return undefined
  const { once } = JSON.parse(row.value) as { once: string }
  return await unseal(settings.secretsKeys, once, `once:${owner}`)
}
