import { type SQL, sql } from 'drizzle-orm'
import { hostedImages } from '../../../schema/media.ts'
import { type If, insertWhere, listed } from '../../platform/db/writes.ts'
import type { HostedImage } from './store.ts'

type Held = {
  /** The account's id: a number, or an expression. */
  accountId: number | SQL
  images: readonly HostedImage[]
  now: Date
  if: If
}

/** Writes down that an account holds these images; undefined if there are none. */
export const holdImages = ({ accountId, images, now, if: condition }: Held) => {
  if (images.length === 0) return undefined
  const { hash, extension, bytes, width, height } = hostedImages
  return insertWhere(
    hostedImages,
    {
      accountId: sql`${accountId}::int`,
      hash: sql`listed.hash`,
      extension: sql`listed.extension`,
      bytes: sql`listed.bytes`,
      width: sql`listed.width`,
      height: sql`listed.height`,
      createdAt: now,
    },
    {
      if: condition,
      from: listed({ hash, extension, bytes, width, height }, images),
      onConflict: sql`(account_id, hash) do nothing`,
    },
  )
}
