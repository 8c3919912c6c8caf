import { MEDIA_PATH } from '../../content/media/rules.ts'
import { imageName } from '../../content/media/store.ts'
import { owned } from '../../platform/accounts/check-owner.ts'
import { type Answer, answer } from '../../platform/http/route.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { failedError, processingBody, readyBody, type Shot } from './present.ts'
import { shotById } from './queries.ts'

/** Returns the state of a screenshot as an answer. Throws `screenshot_failed` (422) for one that failed. */
export const answerOf = (ctx: Ctx, shot: Shot): Answer<200 | 202> => {
  if (shot.state === 'processing') return answer(202, processingBody(shot))
  if (shot.state === 'failed' || !shot.imageHash || !shot.imageExtension) throw failedError(shot)
  const name = imageName(shot.imageHash, shot.imageExtension)
  return answer(200, readyBody(shot, `${ctx.settings.publicUrl}${MEDIA_PATH}/${name}`))
}

/** Returns the state of a screenshot. Throws 404, 403, and 422 for one that failed. */
export const readScreenshot = async (ctx: Ctx, shotId: string) => {
  const [[row]] = await ctx.read((owner) => [shotById(ctx.db, owner, shotId)] as const)
  return answerOf(ctx, owned(row && { row, mine: row.mine }, 'screenshot'))
}
