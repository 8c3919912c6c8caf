import { sql } from 'drizzle-orm'
import { expect, inject, it } from 'vitest'
import { eraseAccount } from '../../../src/accounts/people/leaving/erase.ts'
import { holdImages, imageName, storeImage } from '../../../src/content/media/store.ts'
import type { Bucket } from '../../../src/platform/runtime/bucket.ts'
import { systemFor } from '../../publishing/system.ts'
import { newAccount, rowsIn } from '../../support/client.ts'
import { memoryBucket } from '../../support/memory-bucket.ts'

const stack = inject('stack')

const HOUR_MS = 3_600_000

/** A picture of 1 × 1 pixel, different in each call. */
const picture = (): Uint8Array<ArrayBuffer> => {
  const gif = Uint8Array.from(atob('R0lGODlhAQABAIAAAP///wAAACwAAAAAAQABAAACAkQBADs='), (byte) => byte.charCodeAt(0))
  crypto.getRandomValues(gif.subarray(13, 19))
  return gif
}

const scene = async () => {
  let clock = Date.now()
  const { bucket, objects } = memoryBucket(() => clock)
  const [leaving, staying] = [await newAccount(stack), await newAccount(stack)]
  const bytes = picture()
  const ctxOf = (accountId: number, media: Bucket) => systemFor(stack, accountId, { media, now: () => new Date(clock) })
  const upload = async (accountId: number) => {
    const ctx = ctxOf(accountId, bucket)
    const image = await storeImage(ctx, bytes)
    const record = () =>
      ctx.batch(
        { held: holdImages({ accountId, images: [image], now: ctx.now(), if: 'always' }) },
        { unaudited: 'a picture' },
      )
    return { name: imageName(image.hash, image.extension), record }
  }
  const first = await upload(leaving.accountId)
  await first.record()
  clock += HOUR_MS
  await rowsIn(
    stack,
    sql`insert into account_deletions (account_id, requested_by, requested_at, erase_at)
      values (${leaving.accountId}::int, 'owner', now(), now() - interval '1 day')`,
  )
  const erase = (media: Bucket = bucket) =>
    eraseAccount(ctxOf(leaving.accountId, media), leaving.accountId, async () => {})
  return {
    bucket,
    erase,
    later: (ms: number) => {
      clock += ms
    },
    size: () => objects.get(first.name)?.bytes.length,
    bytes,
    upload: () => upload(staying.accountId),
  }
}

it('a picture that another account uploads while the first is erased stays', async () => {
  const { bucket, erase, upload, size, bytes, later } = await scene()
  let second: Awaited<ReturnType<typeof upload>> | undefined
  // The upload comes after the erasure saw that nobody else has the picture, and has not recorded it yet.
  const between: Bucket = {
    ...bucket,
    put: async (...put) => {
      second ??= await upload()
      return await bucket.put(...put)
    },
    delete: async (keys) => {
      second ??= await upload()
      await bucket.delete(keys)
    },
  }
  expect((await erase(between)).kind).toBe('later')
  await second?.record()
  later(HOUR_MS)
  expect((await erase()).kind).toBe('done')
  expect(size()).toBe(bytes.length)
})

it('a picture that another account uploads right after the erasure is there', async () => {
  const { erase, upload, size, bytes } = await scene()
  expect((await erase()).kind).toBe('done')
  expect(size()).toBe(0)
  await (await upload()).record()
  expect(size()).toBe(bytes.length)
})
