import { type SQL, sql } from 'drizzle-orm'
import { hostedImages } from '../../schema/media.ts'
import type { AnyPart, Part } from '../db/part.ts'
import { given, list } from '../db/read-parts.ts'
import { insert } from '../db/write-parts.ts'
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
  const rows = given(`${name}_given`, {
    hash: list(
      hostedImages.hash,
      unique.map((one) => one.hash),
    ),
    extension: list(
      hostedImages.extension,
      unique.map((one) => one.extension),
    ),
    bytes: list(
      hostedImages.bytes,
      unique.map((one) => one.bytes),
    ),
    width: list(
      hostedImages.width,
      unique.map((one) => one.width),
    ),
    height: list(
      hostedImages.height,
      unique.map((one) => one.height),
    ),
  })
  const { hash, extension, bytes, width, height } = rows.c
  const held = insert(
    name,
    hostedImages,
    { accountId: sql`${accountId}::int`, hash, extension, bytes, width, height, createdAt: now },
    { from: [rows, ...from], onConflict: { columns: [hostedImages.accountId, hostedImages.hash] } },
  )
  return [rows, held]
}
