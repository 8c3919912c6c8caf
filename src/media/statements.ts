import { type SQL, sql } from 'drizzle-orm'
import { ONE_ROW, statement } from '../db/statement.ts'
import type { Ctx } from '../runtime/ctx.ts'
import { holdImages } from './parts.ts'
import type { HostedImage } from './store.ts'

/** Writes down that an account holds an image, and keeps the answer. */
export const holdImage = (ctx: Ctx, accountId: number, image: HostedImage, answer: object): SQL =>
  statement({
    parts: [...holdImages('held', { accountId, images: [image], now: ctx.now() }), ctx.keep.answer([], answer)],
    unaudited: 'an image is addressed by its bytes: nothing that was there is changed',
    answer: { held: sql`true` },
    answerFrom: ONE_ROW,
  })
