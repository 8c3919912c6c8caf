import * as z from 'zod/mini'
import { SCREENSHOT_REASONS, type ScreenshotReason } from '../../../schema/values/screenshots.ts'

/** Page to capture: its address, and the name that must appear on it. */
export type CaptureInput = { url: string; name: string }

/**
 * Result of a capture. `unclean`: the page cannot be shown, and the caller gets the reason. `away`: no browser was available,
 * so the same capture may succeed later.
 */
export type CaptureResult =
  /** `words`: the text of the page. `placeholder`: this machine has no browser, and the picture says so. */
  | { kind: 'captured'; image: Uint8Array<ArrayBuffer>; words: string; placeholder: boolean }
  | { kind: 'unclean'; reason: ScreenshotReason; detail: string }
  | { kind: 'away'; reason: string }

/**
 * Browser that captures pages as a visitor sees them. It returns faults of pages and browsers as results and never throws them.
 */
export type Browser = { capture: (input: CaptureInput) => Promise<CaptureResult> }

/** Request to the browser Worker. */
export const CaptureRequest = z.object({ url: z.string(), name: z.string() })

/** Answer of the browser Worker for a page that cannot be shown (status 422). */
export const CaptureRefusal = z.object({ reason: z.enum(SCREENSHOT_REASONS), detail: z.string() })

/** Header of a placeholder, the picture that is made if there is no browser. */
export const PLACEHOLDER_HEADER = 'x-placeholder'

/** Header of a page whose main content is wanted: the address that its relative addresses belong to. */
export const BASE_HEADER = 'x-base'
