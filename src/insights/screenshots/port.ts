import * as z from 'zod/mini'
import { SCREENSHOT_REASONS, type ScreenshotReason } from '../../../schema/values/screenshots.ts'

/** Page to capture: its address, and the name that must appear on it. */
export type CaptureInput = { url: string; name: string }

/**
 * Result of a capture. `unclean`: the page cannot be shown, for a reason that the caller gets. `away`: there was no browser;
 * the same capture may succeed later.
 */
export type CaptureResult =
  /** `words`: what the page says. `placeholder`: there is no browser on this machine; the picture says so. */
  | { kind: 'captured'; image: Uint8Array<ArrayBuffer>; words: string; placeholder: boolean }
  | { kind: 'unclean'; reason: ScreenshotReason; detail: string }
  | { kind: 'away'; reason: string }

/** Takes pictures of pages as a visitor sees them. Never throws for what a page or a browser does. */
export type Browser = { capture: (input: CaptureInput) => Promise<CaptureResult> }

/** Request to the browser Worker. */
export const CaptureRequest = z.object({ url: z.string(), name: z.string() })

/** Answer of the browser Worker for a page that cannot be shown (status 422). */
export const CaptureRefusal = z.object({ reason: z.enum(SCREENSHOT_REASONS), detail: z.string() })

/** Set on a picture that stands for one if there is no browser. */
export const PLACEHOLDER_HEADER = 'x-placeholder'
