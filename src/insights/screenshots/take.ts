import { answer } from '../../platform/http/route.ts'
import { sha256 } from '../../platform/lib/crypto.ts'
import { ApiError } from '../../platform/lib/errors.ts'
import { ulid } from '../../platform/lib/ulid.ts'
import { checkPublicUrl, WEB_PORTS } from '../../platform/lib/urls.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { answerOf } from './answer.ts'
import { notNamed } from './mentions.ts'
import { failedError, processingBody } from './present.ts'
import { sameShot, shotById, type Wanted } from './queries.ts'
import { DAILY_CAP, dayOf, isOtherBrand, KEPT_MS, pageAddress, secondsToMidnight } from './rules.ts'
import type { TakeScreenshotInput } from './schemas.ts'
import { makeShot, newShotLock } from './statements.ts'

const requirePublic = (ctx: Ctx, url: string): void => {
  const checked = checkPublicUrl(url, ctx.settings.allowPrivateHosts)
  if (!('refusal' in checked)) return
  const message = checked.refusal === 'port' ? WEB_PORTS : 'must be a public address'
  throw new ApiError('forbidden_url', `url ${message}.`, { details: [{ field: 'url', message }] })
}

const capReached = (ctx: Ctx): ApiError => {
  const day = dayOf(ctx.now())
  return new ApiError(
    'rate_limited',
    `The account’s ${DAILY_CAP} new screenshots of ${day} are used up. The next day begins at midnight UTC.`,
    { retry_after: secondsToMidnight(ctx.now()), daily_limit: DAILY_CAP },
  )
}

/**
 * Takes a screenshot of a page, or returns the one of the last 24 hours. Throws 400 for an address that is not public,
 * 422 when the page could not be captured, 429 when the day's screenshots are used up.
 */
export const takeScreenshot = async (ctx: Ctx, input: TakeScreenshotInput) => {
  requirePublic(ctx, input.url)
  const url = pageAddress(input.url)
  const since = new Date(ctx.now().getTime() - KEPT_MS)
  const wanted: Wanted = { urlHash: await sha256(url), name: input.name, since }
  const [[known]] = await ctx.read((owner) => [sameShot(ctx.db, owner, wanted)] as const)
  if (known?.state === 'ready' && isOtherBrand(known.pageWords, input.name))
    throw failedError({ ...known, reason: 'wrong_brand', detail: notNamed(input.name) })
  if (known) return answerOf(ctx, known)
  const { id: accountId } = await ctx.account()
  const shotId = ulid(ctx.now(), crypto.getRandomValues(new Uint8Array(10)))
  const body = processingBody({ shotId, url })
  const made = makeShot(ctx, { shotId, accountId, url, wanted, body })
  const [row] = await ctx.write<{ made: number; same: string | null }>(made, newShotLock(accountId))
  if (row?.made === 1) {
    ctx.defer(ctx.wakeQueue())
    return answer(202, body)
  }
  if (!row?.same) throw capReached(ctx)
  // Somebody made one for the same page at the same moment.
  const { same } = row
  const [[shot]] = await ctx.read((owner) => [shotById(ctx.db, owner, same)] as const)
  return answerOf(ctx, shot ?? { ...EMPTY, shotId: same, url })
}

/** A screenshot that was made this moment. */
const EMPTY = {
  state: 'processing',
  reason: null,
  detail: null,
  imageHash: null,
  imageExtension: null,
  width: null,
  height: null,
  placeholder: false,
} as const
