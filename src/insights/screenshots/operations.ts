import * as z from 'zod/mini'
import type { Operations } from '../../platform/http/operation.ts'
import { isUlid } from '../../platform/lib/bytes.ts'
import { fetchableUrl, means, text } from '../../platform/lib/fields.ts'
import { shotsOn } from './queries.ts'
import { DAILY_CAP, pageAddress } from './rules.ts'

/** Body of `POST /screenshots`. Unknown fields are ignored. */
const TakeScreenshot = z.object({
  url: means('URL of the public page.', fetchableUrl()),
  name: means('Name of the business or product. The page must contain it.', text(200, 1)),
})

/** Id of a screenshot: a ULID, in any case. */
const ScreenshotId = z.pipe(
  z.string().check(
    z.refine((given) => isUlid(given.toUpperCase()), {
      error: 'must be the id of a screenshot, such as 01ARZ3NDEKTSV4RRFFQ69G5FAV',
    }),
  ),
  z.transform((given) => given.toUpperCase()),
)

export type TakeScreenshotInput = z.infer<typeof TakeScreenshot>

/** Endpoints of page screenshots. */
export const screenshotOperations = {
  take: {
    id: 'screenshots.take',
    method: 'POST',
    path: '/screenshots',
    perMinute: 30,
    daily: {
      per: 'account',
      most: () => DAILY_CAP,
      used: shotsOn,
      what: 'new screenshots',
      thing: ({ url }) => pageAddress(String(url)),
    },
    costs: [
      { unit: 'screenshots', amount: 1, note: 'no credit; each new screenshot counts toward the account’s 120 a day' },
    ],
    typicalSeconds: 15,
    isShared: true,
    scope: 'draft',
    scopeReason: 'it only reads a public page',
    summary:
      'Takes a screenshot of a public page, 1280 × 800. It is ready after about 20 seconds: repeat the call, or poll. The same URL returns the same screenshot for 24 hours. The limit is 120 new screenshots a day.',
    success: [202, 200],
    json: TakeScreenshot,
    errors: ['forbidden_url', 'screenshot_failed'],
  },
  get: {
    id: 'screenshots.get',
    method: 'GET',
    path: '/screenshots/:screenshot_id',
    perMinute: 30,
    scope: 'read',
    summary:
      'Returns the state of a screenshot: in progress (202), ready (200), or the reason for a failed capture (422).',
    success: [200, 202],
    params: { screenshot_id: ScreenshotId },
    errors: ['not_found', 'forbidden', 'screenshot_failed'],
  },
} as const satisfies Operations
