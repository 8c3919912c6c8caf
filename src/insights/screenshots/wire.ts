import * as z from 'zod/mini'
import { SCREENSHOT_REASONS } from '../../../schema/values/screenshots.ts'

/** Request to the browser Worker. */
export const CaptureRequest = z.object({ url: z.string(), name: z.string() })

/** Answer of the browser Worker for a page that cannot be shown (status 422). */
export const CaptureRefusal = z.object({ reason: z.enum(SCREENSHOT_REASONS), detail: z.string() })

/** Set on a picture that stands for one if there is no browser. */
export const PLACEHOLDER_HEADER = 'x-placeholder'
