/** Secrets of a Worker that uses the database and the rate limiter. */
const DATA = ['DATABASE_URL', 'UPSTASH_REDIS_REST_URL', 'UPSTASH_REDIS_REST_TOKEN'] as const
/** Secrets of such a Worker if it also seals or opens users' secrets. It is built with `seals: true`. */
const SEALED_DATA = [...DATA, 'SECRETS_KEYS'] as const
const QUEUE = ['QSTASH_URL', 'QSTASH_TOKEN', 'QSTASH_CURRENT_SIGNING_KEY', 'QSTASH_NEXT_SIGNING_KEY'] as const
/** The service's own account with the provider of keyword data. */
const KEYWORDS = ['DATAFORSEO_LOGIN', 'DATAFORSEO_PASSWORD'] as const
/** The key of the provider of all social networks. */
const SOCIAL = ['SOCIAL_API_KEY'] as const
/** The OAuth client at Google that people give access to. */
const GOOGLE = ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'] as const
/** The keys that sign requests for pages of sites. A Worker that has them is built with `signs: true`. */
const REQUESTS = ['REQUEST_KEYS'] as const
/** The key of the payment provider. */
const STRIPE = ['STRIPE_SECRET_KEY'] as const
/** The key of the provider of crowdwork. */
const CROWDWORK = ['CROWDWORK_API_KEY'] as const

/**
 * Secrets of each Worker.
 *
 * All other settings are plain variables. Workers that handle foreign content (`cms`, `writer`) and the gateway cannot reach a
 * database.
 */
export const SECRETS = {
  gateway: [],
  docs: [],
  writer: ['WRITER_API_KEY', 'IMAGES_API_KEY'],
  cms: [],
  projects: SEALED_DATA,
  articles: SEALED_DATA,
  publishing: [...SEALED_DATA, ...SOCIAL, ...REQUESTS],
  research: [...SEALED_DATA, ...KEYWORDS],
  media: DATA,
  insights: [...SEALED_DATA, ...GOOGLE, ...REQUESTS],
  suggestions: SEALED_DATA,
  reach: [...SEALED_DATA, ...CROWDWORK, ...SOCIAL, ...GOOGLE],
  oauth: SEALED_DATA,
  pages: [
    ...SEALED_DATA,
    'MAIL_API_KEY',
    'MAIL_WEBHOOK_SECRET',
    'STRIPE_WEBHOOK_SECRET',
    ...STRIPE,
    ...SOCIAL,
    ...CROWDWORK,
    ...GOOGLE,
  ],
  mcp: [],
  cards: [],
  browser: [],
  texts: [],
  jobs: [
    ...SEALED_DATA,
    ...QUEUE,
    'HEARTBEAT_URL',
    'RECEIPT_KEYS',
    ...REQUESTS,
    'MAIL_API_KEY',
    'YOUTUBE_API_KEY',
    ...STRIPE,
    ...SOCIAL,
    ...CROWDWORK,
    ...GOOGLE,
    ...KEYWORDS,
  ],
} as const

/** Name of a secret of any Worker. */
export type SecretName = (typeof SECRETS)[keyof typeof SECRETS][number]

/**
 * Secrets that a Worker may lack.
 *
 * The built-in writer needs no key. Without keys of receipts or requests, they are not signed. Without the social provider only
 * direct accounts can be connected. Without a client at Google nothing of Google can be connected.
 */
export const OPTIONAL_SECRETS: readonly SecretName[] = [
  'WRITER_API_KEY',
  'IMAGES_API_KEY',
  'YOUTUBE_API_KEY',
  'MAIL_API_KEY',
  'MAIL_WEBHOOK_SECRET',
  'STRIPE_WEBHOOK_SECRET',
  ...STRIPE,
  'HEARTBEAT_URL',
  'RECEIPT_KEYS',
  ...REQUESTS,
  ...SOCIAL,
  ...CROWDWORK,
  ...KEYWORDS,
  ...GOOGLE,
]

/** Names of all secrets. */
export const SECRET_NAMES: readonly SecretName[] = [...new Set(Object.values(SECRETS).flat())]

const ALL: ReadonlySet<string> = new Set(SECRET_NAMES)

/** Returns the settings and secrets of one Worker: every plain variable, and its own secrets. */
export const settingsFor = (own: readonly string[], all: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(all).filter(([name]) => !ALL.has(name) || own.includes(name)))
