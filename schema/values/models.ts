/**
 * The last day of models, by their makers' announcements as of 2026-11-25; null: no end is announced. A test fails 30 days before
 * a default ends. https://developers.openai.com/api/docs/deprecations, https://ai.google.dev/gemini-api/docs/deprecations
 */
const LAST_DAYS: Readonly<Record<string, string | null>> = {
  'gpt-6-luna': null,
  'gpt-4.1': '2027-01-14',
  'gpt-4.1-mini': '2027-01-14',
  'gpt-4o': '2027-01-14',
  'gpt-4o-mini': '2027-01-14',
  'gpt-5': '2026-12-11',
  'gpt-5-mini': '2026-12-11',
  'gpt-5-nano': '2026-12-11',
  o3: '2026-12-11',
  'gemini-3.5-flash-lite': null,
  'gemini-2.5-flash': '2026-12-01',
  sonar: null,
  'gpt-image-2.6-flare': null,
  'gpt-image-1.5': '2026-12-01',
  'gpt-image-1-mini': '2026-12-01',
  'chatgpt-image-latest': '2026-12-01',
}

/** Returns the name of a model without the date or number of its version: gpt-4.1 for gpt-4.1-2025-04-14. */
export const baseOf = (model: string): string => model.replace(/-(?:\d{4}-\d{2}-\d{2}|\d{3})$/, '')

/** Returns the day (UTC) on which a model ends; null if none is announced, undefined if nothing is known of it. */
export const lastDayOf = (model: string): string | null | undefined => LAST_DAYS[model] ?? LAST_DAYS[baseOf(model)]

/** Default models, used if the settings name none. */
export const DEFAULT_MODELS = { chatgpt: 'gpt-6-luna', perplexity: 'sonar', gemini: 'gemini-3.5-flash-lite' } as const
