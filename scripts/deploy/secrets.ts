import type { WorkerConfig } from '../../local/workers.ts'
import { LEGAL_SETTINGS } from '../../src/platform/runtime/legal.ts'
import type { Processor } from '../../src/platform/runtime/processors.ts'
import { OPTIONAL_SECRETS } from '../../src/platform/runtime/secrets.ts'
import { databaseRegion } from './checks/database.ts'
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

/** Workers without a database that call those with one several times for a request, so that they are better beside it too. */
const CALLS_OFTEN = ['mcp']

/** True if the Worker is placed next to the database. */
export const isNearDatabase = (worker: WorkerConfig): boolean =>
  usesDatabase(worker) || CALLS_OFTEN.includes(worker.folder)

/** Workers without a database that use addresses of the service, in their answers or in requests. */
const NAMES_ADDRESSES = ['browser', 'cms', 'docs', 'gateway', 'mcp', 'writer']

/** Workers without a database that name the operator: in the documents, and in security.txt. */
const NAMES_OPERATOR = ['docs', 'gateway']

/** Returns the host of an address; empty if it is none. */
const hostOf = (address = ''): string => (URL.canParse(address) ? new URL(address).hostname : '')

/** Returns who processes data for a service with these settings, and where, as the page about stored data reads it. */
export const processorsOf = (settings: Settings): string => {
  const model = (provider: string | undefined, baseUrl: string | undefined): string =>
    provider === 'workers-ai' ? 'Cloudflare' : hostOf(baseUrl) || (provider ?? '')
  const used: readonly (readonly [Processor, string, boolean])[] = [
    ['cloudflare', 'worldwide, near the caller', true],
    ['neon', databaseRegion(settings.DATABASE_URL) ?? '', true],
    ['upstash', hostOf(settings.UPSTASH_REDIS_REST_URL), true],
    ['resend', 'United States', settings.MAIL_PROVIDER !== 'cloudflare' && Boolean(settings.MAIL_API_KEY)],
    [
      'writer',
      model(settings.WRITER_PROVIDER, settings.WRITER_BASE_URL),
      !['', 'built-in'].includes(settings.WRITER_PROVIDER ?? ''),
    ],
    [
      'images',
      model(settings.IMAGES_PROVIDER, settings.IMAGES_BASE_URL),
      !['', 'none'].includes(settings.IMAGES_PROVIDER ?? ''),
    ],
    ['dataforseo', '', Boolean(settings.DATAFORSEO_LOGIN)],
    ['google', '', Boolean(settings.GOOGLE_CLIENT_ID)],
    ['stripe', '', Boolean(settings.STRIPE_SECRET_KEY)],
    ['zernio', '', Boolean(settings.SOCIAL_API_KEY)],
    ['microworkers', '', Boolean(settings.CROWDWORK_API_KEY)],
    ['youtube', '', Boolean(settings.YOUTUBE_API_KEY)],
  ]
  return used
    .flatMap(([name, place, isUsed]) => (isUsed ? [place === '' ? name : `${name}@${place.replaceAll(',', ' ')}`] : []))
    .join(',')
}

/** Settings of a Worker that are not secret and are in no wrangler.toml. */
export const varsOf = (worker: WorkerConfig, settings: Settings, publicUrl: string): Record<string, string> => ({
  ...(usesDatabase(worker) || NAMES_ADDRESSES.includes(worker.folder) ? { PUBLIC_URL: publicUrl } : {}),
  ...(usesDatabase(worker) ? pick(DATA_VARS, settings) : {}),
  ...(usesDatabase(worker) || NAMES_OPERATOR.includes(worker.folder) ? pick(LEGAL_SETTINGS, settings) : {}),
  ...(worker.folder === 'docs' ? { DATA_PROCESSORS: processorsOf(settings) } : {}),
  ...pick(VARS[worker.folder] ?? [], settings),
})
