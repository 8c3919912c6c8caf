/**
 * Values in the reference for things that the examples use. The keys are the names in braces in requests.
 *
 * The first word of a name is the kind of thing.
 */
export const SHOWN = {
  service: 'https://api.example.com',
  key: 17,
  key_agent: 18,
  project: 7,
  project_ghost: 8,
  project_wordpress: 9,
  project_onboarding: 10,
  project_archived: 11,
  project_exchange: 12,
  project_search: 13,
  project_suggestions: 14,
  project_visibility: 15,
  article: 41,
  article_planned: 42,
  article_live: 43,
  article_unwanted: 44,
  article_ready: 45,
  article_ghost: 46,
  version: 21,
  approval: 23,
  export: 3,
  import: 4,
  article_lost: 47,
  article_adopted: 48,
  article_searched: 49,
  site_post: '6b0164addbda8401e38ec1f0',
  batch: 12,
  change_set: 27,
  change_set_released: 26,
  statement: 5,
  statement_old: 4,
  integration: 5,
  integration_old: 6,
  integration_headless: 7,
  target: 8,
  endpoint: 27,
  endpoint_old: 28,
  delivery: 91,
  receiver: 'https://blog.example',
  token: 'a-token-of-your-choice',
  ghost: 'https://ghost.example',
  wordpress: 'https://wordpress.example',
  plugin_key: 'wpk_0f4c2a91b7d85e3360af1c9de27b4805d6913fa28d3dc4a9',
  screenshot: '01KAGX5C7QV4RRFFQ69G5FAV3M',
  account_x: '691e2f5a',
  account_direct: 'acc_3',
  post: 31,
  post_draft: 32,
  post_unwanted: 33,
  review: 'review-1',
  campaign: 'c0ffee12',
  campaign_elsewhere: 'decade34',
  slot: 'slot-1',
  suggestion_ready: 61,
  suggestion_again: 62,
  suggestion_pending: 63,
  suggestion_unwanted: 64,
} as const

export type Name = keyof typeof SHOWN
export type Names = Record<Name, string | number>

const filled = (text: string, names: Names): string | number => {
  const whole = /^\{(\w+)\}$/.exec(text)?.[1]
  if (whole !== undefined && whole in names) return names[whole as Name]
  return text.replace(/\{(\w+)\}/g, (all, name: string) => (name in names ? String(names[name as Name]) : all))
}

/** Returns a value of a request with the names in braces replaced, at any depth. */
export const fillIn = (value: unknown, names: Names): unknown => {
  if (typeof value === 'string') return filled(value, names)
  if (Array.isArray(value)) return value.map((one) => fillIn(one, names))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, fillIn(one, names)]))
}
