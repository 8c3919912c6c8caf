import { type SQL, sql } from 'drizzle-orm'
import { accounts } from '../../../../schema/accounts.ts'
import { sha256 } from '../../../platform/lib/crypto.ts'
import type { Ctx } from '../../../platform/runtime/ctx.ts'

/** Folder of the tombstones in the bucket. It is not public. */
export const TOMBSTONES = 'erasures/'

type Erased = { id: number; createdAt: Date }

/** Returns the hash of an account: of its id and its creation, so that the tombstone names nobody. */
const hashOf = ({ id, createdAt }: Erased): Promise<string> => sha256(`account:${id}:${createdAt.getTime()}`)

/** Condition: the hash of the account is one of these. */
export const hasHash = (hashes: readonly string[]): SQL =>
  sql`encode(sha256(convert_to('account:' || ${accounts.id} || ':' || (extract(epoch from ${accounts.createdAt}) * 1000)::bigint, 'UTF8')), 'hex')
    = any(${sql.param([...hashes])}::text[])`

/** Stores the hash of an account and the time of its erasure in the bucket, where a restore of the database finds it. */
export const leaveTombstone = async ({ media, now }: Pick<Ctx, 'media' | 'now'>, account: Erased): Promise<void> => {
  const hash = await hashOf(account)
  const text = JSON.stringify({ hash, erased_at: now().toISOString() })
  await media.put(`${TOMBSTONES}${hash}`, new Uint8Array(new TextEncoder().encode(text)), {
    httpMetadata: { contentType: 'application/json' },
  })
}
