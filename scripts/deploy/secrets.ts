import type { WorkerConfig } from '../../local/workers.ts'
import { OPTIONAL_SECRETS } from '../../src/platform/runtime/secrets.ts'
import type { SettingName, Settings } from './settings.ts'

/** Settings of a deployment that are not secret. */
const MAIL_VARS = ['MAIL_PROVIDER', 'MAIL_FROM'] as const
const WRITER_VARS = [
  'WRITER_PROVIDER',
  'WRITER_BASE_URL',
  'WRITER_MODEL',
  'IMAGES_PROVIDER',
  'IMAGES_BASE_URL',
  'IMAGES_MODEL',
  'IMAGES_SIZE',
  'IMAGES_QUALITY',
] as const
const MODEL_VARS = ['VISIBILITY_CHATGPT_MODEL', 'VISIBILITY_PERPLEXITY_MODEL', 'VISIBILITY_GEMINI_MODEL'] as const

const PRICES = [
  'STRIPE_PRICE_AGENTIC',
  'STRIPE_PRICE_PRO',
  'STRIPE_PRICE_ACCELERATOR',
  'STRIPE_YEARLY_PRICE_AGENTIC',
  'STRIPE_YEARLY_PRICE_PRO',
  'STRIPE_YEARLY_PRICE_ACCELERATOR',
  'STRIPE_AUTOMATIC_TAX',
] as const

/** Settings that only some Workers read. */
const VARS: Readonly<Record<string, readonly SettingName[]>> = {
  docs: ['CONTACT'],
  writer: WRITER_VARS,
  pages: [...MAIL_VARS, ...PRICES],
  jobs: [...MAIL_VARS, ...PRICES, ...MODEL_VARS],
}

/** Settings of every Worker that uses the database. */
const DATA_VARS = ['LOG_ONE_READ_IN', 'CRON_REST_MINUTES'] as const

const pick = (names: readonly SettingName[], settings: Settings): Record<string, string> =>
  Object.fromEntries(names.flatMap((name) => (settings[name] ? [[name, settings[name]]] : [])))

/** Returns the secrets that a Worker reads, and no others. Throws if a required one is not set. */
export const secretsFor = ({ folder, secrets }: WorkerConfig, settings: Settings): Record<string, string> => {
  const missing = secrets.filter((name) => !settings[name] && !OPTIONAL_SECRETS.includes(name))
  if (missing.length > 0) throw new Error(`${folder} cannot do without ${missing.join(', ')}`)
  return pick(secrets, settings)
}

/** True if a Worker uses the database, and so should run near it. */
export const usesDatabase = ({ secrets }: WorkerConfig): boolean => secrets.includes('DATABASE_URL')

/** Workers without a database that use addresses of the service, in their answers or in requests. */
const NAMES_ADDRESSES = ['browser', 'cms', 'docs', 'gateway', 'mcp', 'writer']

/** Settings of a Worker that are not secret and are in no wrangler.toml. */
export const varsOf = (worker: WorkerConfig, settings: Settings, publicUrl: string): Record<string, string> => ({
  ...(usesDatabase(worker) || NAMES_ADDRESSES.includes(worker.folder) ? { PUBLIC_URL: publicUrl } : {}),
  ...(usesDatabase(worker) ? pick(DATA_VARS, settings) : {}),
  ...pick(VARS[worker.folder] ?? [], settings),
})
