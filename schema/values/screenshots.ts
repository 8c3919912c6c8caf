export const SCREENSHOT_STATES = ['processing', 'ready', 'failed'] as const
export type ScreenshotState = (typeof SCREENSHOT_STATES)[number]

/** Reasons for which a page could not be captured cleanly. */
export const SCREENSHOT_REASONS = [
  'unreachable',
  'http_error',
  'timeout',
  'cookie_banner',
  'blank_page',
  'wrong_brand',
  'blocked',
] as const
export type ScreenshotReason = (typeof SCREENSHOT_REASONS)[number]
