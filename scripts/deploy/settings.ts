import { existsSync, readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { DEFAULT_MODELS } from '../../schema/values/models.ts'
import { DeployFault } from './fault.ts'

type Setting = { about: string; optional?: true }

/** Settings of a deployment, by environment variable or in one file. */
export const SETTINGS = {
  CLOUDFLARE_API_TOKEN: {
    about:
      'Cloudflare: My Profile, API Tokens, template "Edit Cloudflare Workers"; absent: the sign-in of `wrangler login`',
    optional: true,
  },
  CLOUDFLARE_ACCOUNT_ID: { about: 'Cloudflare: needed where the token reaches several accounts', optional: true },
  PUBLIC_URL: {
    about: 'https address of the service; absent: galley-gateway.<your subdomain>.workers.dev',
    optional: true,
  },
  DATABASE_URL: { about: 'Neon: Connect, connection pooling on; the Workers use it' },
  DATABASE_URL_DIRECT: {
    about: 'Neon: Connect, connection pooling off; for migrations. Absent: the host of DATABASE_URL without -pooler',
    optional: true,
  },
  NEON_API_KEY: { about: 'Neon: Account settings, API keys; takes a branch before migrating', optional: true },
  UPSTASH_REDIS_REST_URL: { about: 'Upstash: the Redis database, REST API' },
  UPSTASH_REDIS_REST_TOKEN: { about: 'Upstash: the Redis database, REST API; not the read-only one' },
  UPSTASH_EMAIL: { about: 'Upstash: your email, with UPSTASH_API_KEY; checks region and plan', optional: true },
  UPSTASH_API_KEY: { about: 'Upstash: Account, Management API', optional: true },
  QSTASH_URL: { about: 'Upstash: QStash, Quickstart; it names the region' },
  QSTASH_TOKEN: { about: 'Upstash: QStash, Quickstart' },
  QSTASH_CURRENT_SIGNING_KEY: { about: 'QStash; if absent, read from QStash', optional: true },
  QSTASH_NEXT_SIGNING_KEY: { about: 'QStash; if absent, read from QStash', optional: true },
  SECRETS_KEYS: {
    about: "seals customers' tokens: name:32 random bytes in base64; `npm run deploy -- init` makes one",
  },
  RECEIPT_KEYS: {
    about:
      'signs receipts: name:32 random bytes in base64, several with commas, the first signs; absent: none is signed',
    optional: true,
  },
  REQUEST_KEYS: {
    about: 'signs requests for pages of sites, so that their walls know the service; as RECEIPT_KEYS, another key',
    optional: true,
  },
  HEARTBEAT_URL: {
    about: 'called after each minute of work; a service such as healthchecks.io notifies you if the calls stop',
    optional: true,
  },
  ALARM_URL: {
    about: 'where `npm run deploy -- alarms` posts {"text": …} when one rings, such as a webhook of Slack',
    optional: true,
  },
  LOG_ONE_READ_IN: { about: 'of reads that went well one in so many is logged; 20', optional: true },
  CRON_REST_MINUTES: {
    about: "longest rest of the minute's work while there is nothing to do, in minutes; 60",
    optional: true,
  },
  WRITER_PROVIDER: { about: 'built-in (default), openai-compatible, anthropic or workers-ai', optional: true },
  WRITER_BASE_URL: { about: "the language model's address, for openai-compatible", optional: true },
  IMAGES_PROVIDER: { about: 'none (default), openai-compatible or workers-ai', optional: true },
  IMAGES_BASE_URL: { about: "the image model's address, for openai-compatible", optional: true },
  IMAGES_MODEL: { about: "the image model's name", optional: true },
  IMAGES_SIZE: { about: 'width and height, such as 1536x1024, for openai-compatible', optional: true },
  IMAGES_QUALITY: { about: 'low, medium or high, for openai-compatible; absent: as the model likes', optional: true },
  WRITER_MODEL: { about: "the language model's name", optional: true },
  MAIL_PROVIDER: {
    about: "who sends mails to people: resend (default), or cloudflare, Cloudflare's Email Service (beta)",
    optional: true,
  },
  CONTACT: {
    about: 'mailbox or page for reports of mistakes in the documents; absent: the documents have no link for it',
    optional: true,
  },
  MAIL_FROM: { about: 'who mails come from, for example Galley <mail@example.com>', optional: true },
  MAIL_API_KEY: { about: 'a key of Resend; not needed with MAIL_PROVIDER=cloudflare', optional: true },
  YOUTUBE_API_KEY: { about: 'a key of the YouTube Data API, for videos in articles', optional: true },
  IMAGES_API_KEY: { about: "the image model's key", optional: true },
  WRITER_API_KEY: { about: "the language model's key", optional: true },
  PRIVACY_URL: {
    about: 'address of your privacy policy; Google, Stripe and directories of connectors ask for it',
    optional: true,
  },
  TERMS_URL: { about: 'address of your terms of service', optional: true },
  SUPPORT_EMAIL: { about: 'address for questions and for reports of vulnerabilities (security.txt)', optional: true },
  STATUS_BUCKET_URL: {
    about: 'bucket of another provider, with an S3 interface, into which the alarm command writes a status page',
    optional: true,
  },
  STATUS_BUCKET_REGION: { about: 'region of that bucket (default us-east-1)', optional: true },
  STATUS_BUCKET_KEY_ID: { about: 'id of a key that may write into that bucket', optional: true },
  STATUS_BUCKET_SECRET: { about: 'secret of that key', optional: true },
  STATUS_URL: { about: 'address of your status page', optional: true },
  MAIL_WEBHOOK_SECRET: {
    about: 'Resend: Webhooks, Signing Secret of the endpoint <PUBLIC_URL>/mail/events; shows whose mails do not arrive',
    optional: true,
  },
  STRIPE_SECRET_KEY: { about: 'Stripe: Developers, API keys; accounts pay with it', optional: true },
  STRIPE_WEBHOOK_SECRET: { about: 'Stripe: Developers, Webhooks, of the endpoint /stripe/events', optional: true },
  STRIPE_PRICE_AGENTIC: {
    about: 'Stripe: the id of the price of the plan agentic, per month and slot',
    optional: true,
  },
  STRIPE_PRICE_PRO: { about: 'Stripe: the id of the price of the plan pro, per month and slot', optional: true },
  STRIPE_PRICE_ACCELERATOR: { about: 'Stripe: the price of the plan accelerator, per month and slot', optional: true },
  STRIPE_YEARLY_PRICE_AGENTIC: { about: 'Stripe: the price of the plan agentic, per year and slot', optional: true },
  STRIPE_YEARLY_PRICE_PRO: { about: 'Stripe: the price of the plan pro, per year and slot', optional: true },
  STRIPE_YEARLY_PRICE_ACCELERATOR: {
    about: 'Stripe: the price of the plan accelerator, per year and slot',
    optional: true,
  },
  STRIPE_AUTOMATIC_TAX: {
    about: '`true`: Stripe adds taxes by the address of the customer (Stripe Tax has to be set up)',
    optional: true,
  },
  CROWDWORK_API_KEY: { about: 'key of Microworkers, for crowdwork', optional: true },
  SOCIAL_API_KEY: { about: 'the key of Zernio, which posts to all social networks', optional: true },
  DATAFORSEO_LOGIN: { about: 'DataForSEO: API Access, API login; for keyword data', optional: true },
  DATAFORSEO_PASSWORD: { about: 'DataForSEO: API Access, API password', optional: true },
  GOOGLE_CLIENT_ID: {
    about:
      'Google Cloud: APIs & Services, Credentials, an OAuth client for web applications; for Search Console and business profiles',
    optional: true,
  },
  GOOGLE_CLIENT_SECRET: { about: 'Google Cloud: the secret of that client', optional: true },
  VISIBILITY_CHATGPT_MODEL: {
    about: `which model answers for ChatGPT in AI visibility; ${DEFAULT_MODELS.chatgpt}`,
    optional: true,
  },
  VISIBILITY_PERPLEXITY_MODEL: {
    about: `which model answers for Perplexity; ${DEFAULT_MODELS.perplexity}`,
    optional: true,
  },
  VISIBILITY_GEMINI_MODEL: { about: `which model answers for Gemini; ${DEFAULT_MODELS.gemini}`, optional: true },
} as const satisfies Record<string, Setting>

/** Name of a setting. */
export type SettingName = keyof typeof SETTINGS

/** Settings of keys, each `name:32 random bytes in base64`, several with commas. */
export const KEY_RINGS = ['SECRETS_KEYS', 'RECEIPT_KEYS', 'REQUEST_KEYS'] as const satisfies readonly SettingName[]
type Optional = { [N in SettingName]: (typeof SETTINGS)[N] extends { optional: true } ? N : never }[SettingName]
/** Settings of a deployment, by name. */
export type Settings = Record<Exclude<SettingName, Optional>, string> & { [N in Optional]?: string }

const NAMES = Object.keys(SETTINGS) as SettingName[]

const isOptional = (name: SettingName): boolean => 'optional' in SETTINGS[name]

const parsed = (file: string): Record<string, unknown> => {
  const text = readFileSync(file, 'utf8')
  if (!text.trimStart().startsWith('{')) return parseEnv(text)
  try {
    return JSON.parse(text) as Record<string, unknown>
  } catch (error) {
    throw new DeployFault(
      `${file} is not JSON: ${(error as Error).message.replace(/"[^"]*"/g, '…')}.`,
      'It must contain one JSON object, or lines NAME=value.',
    )
  }
}

const readFile = (file: string): Record<string, string> => {
  const entries = Object.entries(parsed(file))
  const unknown = entries.filter(([name]) => !(name in SETTINGS)).map(([name]) => name)
  if (unknown.length > 0)
    throw new DeployFault(`${file} has unknown settings: ${unknown.join(', ')}.`, `Settings: ${NAMES.join(', ')}.`)
  const notText = entries.filter(([, value]) => typeof value !== 'string').map(([name]) => name)
  if (notText.length > 0) throw new DeployFault(`${file}: ${notText.join(', ')} must be text.`, 'Put it in quotes.')
  return Object.fromEntries(entries.filter(([, value]) => value !== '')) as Record<string, string>
}

/** Returns the settings that are set: in the environment, otherwise in the file. */
export const readGiven = (file: string, named: boolean, env: NodeJS.ProcessEnv): Partial<Settings> => {
  if (named && !existsSync(file)) throw new DeployFault(`${file} does not exist.`, 'Create one: npm run deploy -- init')
  const given: Record<string, string> = existsSync(file) ? readFile(file) : {}
  for (const name of NAMES) if (env[name]) given[name] = env[name]
  return given as Partial<Settings>
}

/** Returns all settings. Throws a DeployFault that names each missing one, and where to find it. */
export const readSettings = (file: string, named: boolean, env: NodeJS.ProcessEnv): Settings => {
  const given = readGiven(file, named, env)
  const missing = NAMES.filter((name) => !isOptional(name) && !given[name])
  if (missing.length > 0)
    throw new DeployFault(
      `Not set: ${missing.join(', ')}.`,
      `Set them in ${file} or in the environment:\n${missing.map((name) => `  ${name}: ${SETTINGS[name].about}`).join('\n')}`,
    )
  return given as Settings
}
