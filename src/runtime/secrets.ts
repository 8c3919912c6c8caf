/** Secrets of a Worker that asks the database and the rate limiter. */
const DATA = ['DATABASE_URL', 'UPSTASH_REDIS_REST_URL', 'UPSTASH_REDIS_REST_TOKEN'] as const
const QUEUE = ['QSTASH_URL', 'QSTASH_TOKEN', 'QSTASH_CURRENT_SIGNING_KEY', 'QSTASH_NEXT_SIGNING_KEY'] as const
/** The service's own account with the provider of keyword data. */
const KEYWORDS = ['DATAFORSEO_LOGIN', 'DATAFORSEO_PASSWORD'] as const

/** The key of the provider of all social networks. */
const SOCIAL = ['SOCIAL_API_KEY'] as const
/** The client at Google that people give access to. */
const GOOGLE = ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'] as const

/** The key of the payment provider. */
const STRIPE = ['STRIPE_SECRET_KEY'] as const

/** The key of the provider of crowdwork. */
const CROWDWORK = ['CROWDWORK_API_KEY'] as const

/**
 * For every Worker exactly the secrets it is given; all other settings are plain variables. Workers that handle foreign
 * content (`cms`, `writer`) and the gateway can reach no database. Deployment and the local run read this table.
 */
export const SECRETS = {
  gateway: [],
  projects: DATA,
  articles: DATA,
  editing: [...DATA, 'SECRETS_KEYS'],
  publishing: [...DATA, 'SECRETS_KEYS'],
  integrations: [...DATA, 'SECRETS_KEYS'],
  research: [...DATA, 'SECRETS_KEYS', ...KEYWORDS],
  media: DATA,
  writer: ['WRITER_API_KEY', 'IMAGES_API_KEY'],
  cms: [],
  accounts: [...DATA, 'SECRETS_KEYS', 'MAIL_API_KEY', 'STRIPE_WEBHOOK_SECRET', ...STRIPE, ...SOCIAL, ...GOOGLE],
  mcp: [],
  cards: [],
  browser: [],
  texts: [],
  reach: [...DATA, ...CROWDWORK],
  social: [...DATA, 'SECRETS_KEYS', ...SOCIAL, ...GOOGLE],
  suggestions: [...DATA, 'SECRETS_KEYS'],
  insights: [...DATA, 'SECRETS_KEYS', ...GOOGLE],
  background: [...DATA, 'SECRETS_KEYS', 'MAIL_API_KEY', ...STRIPE, ...SOCIAL, ...CROWDWORK, ...GOOGLE, ...KEYWORDS],
  jobs: [...DATA, 'SECRETS_KEYS', ...QUEUE, 'YOUTUBE_API_KEY', 'HEARTBEAT_URL'],
} as const

export type WorkerName = keyof typeof SECRETS
export type SecretName = (typeof SECRETS)[WorkerName][number]

/**
 * Secrets a Worker may go without: the built-in writer asks nobody, without the social provider accounts are connected directly,
 * and without a client at Google nothing of Google can be connected.
 */
export const OPTIONAL_SECRETS: readonly SecretName[] = [
  'WRITER_API_KEY',
  'IMAGES_API_KEY',
  'YOUTUBE_API_KEY',
  'MAIL_API_KEY',
  'STRIPE_WEBHOOK_SECRET',
  ...STRIPE,
  'HEARTBEAT_URL',
  ...SOCIAL,
  ...CROWDWORK,
  ...KEYWORDS,
  ...GOOGLE,
]

/** The secrets of one Worker. A name that is not in the table gets none. */
export const secretsOf = (worker: string): readonly SecretName[] =>
  Object.hasOwn(SECRETS, worker) ? SECRETS[worker as WorkerName] : []

const ALL: ReadonlySet<string> = new Set(Object.values(SECRETS).flat())

/** What of all settings and secrets one Worker is given: every plain variable, and of the secrets its own. */
export const settingsFor = (worker: string, all: Record<string, string>): Record<string, string> => {
  const own: readonly string[] = secretsOf(worker)
  return Object.fromEntries(Object.entries(all).filter(([name]) => !ALL.has(name) || own.includes(name)))
}
