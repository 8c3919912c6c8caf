import { type SQL, sql } from 'drizzle-orm'
import { hostedVideos } from '../../../schema/media.ts'
import { ONE_ROW, statement } from '../../platform/db/statement.ts'
import { insert } from '../../platform/db/write-parts.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { holdImages } from './parts.ts'
import type { HostedVideo } from './received.ts'
import type { HostedImage } from './store.ts'

/** Records that an account has an image, and keeps the answer. */
export const holdImage = (ctx: Ctx, accountId: number, image: HostedImage, answer: object): SQL =>
  statement({
    parts: [...holdImages('held', { accountId, images: [image], now: ctx.now() }), ctx.keep.answer([], answer)],
    unaudited: 'an image is addressed by its bytes: nothing that was there is changed',
    answer: { held: sql`true` },
    answerFrom: ONE_ROW,
  })

/** Records that an account has a video, and keeps the answer. */
export const holdVideo = (ctx: Ctx, accountId: number, video: HostedVideo, answer: object): SQL => {
  const { name, hash, extension, bytes, width, height } = video
  const held = insert('held', hostedVideos, {
    name,
    accountId: sql`${accountId}::int`,
    hash,
    extension,
    bytes,
    width,
    height,
    createdAt: ctx.now(),
  })
  return statement({
    parts: [held, ctx.keep.answer([], answer)],
    unaudited: 'a file that no post has yet: nothing that was there is changed',
    answer: { held: sql`true` },
    answerFrom: ONE_ROW,
  })
}
