import type { ScreenshotReason } from '../../schema/values/screenshots.ts'

/** What a page is taken for: its address, and the name that is to appear on it. */
export type CaptureInput = { url: string; name: string }

/**
 * How a capture ended. `unclean`: the page cannot be shown, for a reason the caller is told. `away`: no browser could be had;
 * the same capture may succeed later.
 */
export type CaptureResult =
  /** `placeholder`: there is no browser on this machine; the picture says so. */
  | { kind: 'captured'; image: Uint8Array<ArrayBuffer>; placeholder: boolean }
  | { kind: 'unclean'; reason: ScreenshotReason; detail: string }
  | { kind: 'away'; reason: string }

/** Takes pictures of pages as a visitor sees them. Never throws for what a page or a browser does. */
export type Browser = { capture: (input: CaptureInput) => Promise<CaptureResult> }
