import { type SQL, sql } from 'drizzle-orm'
import { hostedImages } from '../../../schema/media.ts'
import type { AnyPart, Part } from '../../platform/db/part.ts'
import { givenRows } from '../../platform/db/read-parts.ts'
import { insert } from '../../platform/db/write-parts.ts'
import type { HostedImage } from './store.ts'

type Held = {
  /** The account's id: a number, or an expression over the part in `from`. */
  accountId: number | SQL
  images: readonly HostedImage[]
  now: Date
  /** Nothing is written unless these parts have rows. */
  from?: readonly AnyPart[]
}

/** Parts that write down that an account holds these images; none where there are no images. */
export const holdImages = (name: string, { accountId, images, now, from = [] }: Held): Part[] => {
  const unique = [...new Map(images.map((image) => [image.hash, image])).values()]
  if (unique.length === 0) return []
  const rows = givenRows(
    `${name}_given`,
    {
      hash: hostedImages.hash,
      extension: hostedImages.extension,
      bytes: hostedImages.bytes,
      width: hostedImages.width,
      height: hostedImages.height,
    },
    unique,
  )
  const { hash, extension, bytes, width, height } = rows.c
  const held = insert(
    name,
    hostedImages,
    { accountId: sql`${accountId}::int`, hash, extension, bytes, width, height, createdAt: now },
    { from: [rows, ...from], onConflict: { columns: [hostedImages.accountId, hostedImages.hash] } },
  )
  return [rows, held]
}
