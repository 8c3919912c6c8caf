import * as z from 'zod/mini'
import type { Plan } from '../../schema/values/accounts.ts'
import { type KeyRing, parseKeyRing } from '../lib/crypto.ts'

// Each of these is made when it is first read: a Worker reads few of them, and none while it starts.

const text = () => z.string().check(z.minLength(1))

/** The settings every Worker shares; names as in wrangler.toml and the secrets. */
const Settings = () =>
  z.object({
    DATABASE_URL: text(),
    /** Neon's SQL-over-HTTP address; only set where it is not derived from DATABASE_URL. */
    NEON_FETCH_ENDPOINT: z.optional(z.string()),
    UPSTASH_REDIS_REST_URL: text(),
    UPSTASH_REDIS_REST_TOKEN: text(),
    PUBLIC_URL: z.url(),
    SERVICE_NAME: z._default(z.string().check(z.regex(/^[A-Za-z][A-Za-z0-9-]{0,31}$/)), 'Galley'),
    ALLOW_PRIVATE_HOSTS: z._default(z.string(), ''),
    /** `true` lets keys that begin with gly_test_ in; never set in production. */
    ALLOW_TEST_KEYS: z._default(z.string(), ''),
    DNS_QUERY_URL: z._default(z.string(), ''),
    RETRY_TIME_SCALE: z._default(z.coerce.number().check(z.gte(1), z.lte(10_000)), 1),
    /** How long the minute's work rests at most while nothing changes and nothing is due, minutes; 0: never. */
    CRON_REST_MINUTES: z._default(z.coerce.number().check(z.gte(0), z.lte(60)), 60),
    /** How long a statement waits for the database's answer, in ms. */
    DATABASE_WAIT_MS: z._default(z.coerce.number().check(z.gte(1), z.lte(60_000)), 10_000),
    /** How long a request waits for the shared count of its rate, in ms, before the count of its isolate stands in. */
    LIMITER_WAIT_MS: z._default(z.coerce.number().check(z.gte(1), z.lte(60_000)), 300),
    /** Of reads that went well, one in so many leaves a line in the log. */
    LOG_ONE_READ_IN: z._default(z.coerce.number().check(z.gte(1), z.lte(1_000)), 20),
    STEP_HOOK_URL: z._default(z.string(), ''),
  })

const Sealing = () => z.object({ SECRETS_KEYS: text() })

const QueueSettings = () =>
  z.object({
    QSTASH_URL: text(),
    QSTASH_TOKEN: text(),
    QSTASH_CURRENT_SIGNING_KEY: text(),
    QSTASH_NEXT_SIGNING_KEY: text(),
  })

/** What a Worker that only calls out needs. */
const Means = () =>
  z.pick(Settings(), {
    SERVICE_NAME: true,
    ALLOW_PRIVATE_HOSTS: true,
    DNS_QUERY_URL: true,
    RETRY_TIME_SCALE: true,
  })

/** What a Worker needs that only hands calls on. */
const Front = () => z.pick(Settings(), { PUBLIC_URL: true, SERVICE_NAME: true, ALLOW_TEST_KEYS: true })

const MailSettings = () =>
  z.object({
    MAIL_API_URL: z._default(z.url(), 'https://api.resend.com'),
    MAIL_API_KEY: z._default(z.string(), ''),
    MAIL_FROM: z._default(z.string(), ''),
  })

const WriterSettings = () =>
  z.object({
    WRITER_PROVIDER: z._default(z.enum(['built-in', 'openai-compatible', 'anthropic', 'workers-ai']), 'built-in'),
    WRITER_BASE_URL: z._default(z.union([z.literal(''), z.url()]), ''),
    WRITER_API_KEY: z._default(z.string(), ''),
    WRITER_MODEL: z._default(z.string(), ''),
  })

const ImageSettings = () =>
  z.object({
    IMAGES_PROVIDER: z._default(z.enum(['none', 'openai-compatible', 'workers-ai']), 'none'),
    IMAGES_BASE_URL: z._default(z.union([z.literal(''), z.url()]), ''),
    IMAGES_API_KEY: z._default(z.string(), ''),
    IMAGES_MODEL: z._default(z.string(), ''),
    IMAGES_SIZE: z._default(z.string().check(z.regex(/^\d{2,4}x\d{2,4}$/)), '1536x1024'),
  })

/** Who makes the pictures of articles the service writes: a model and where it is asked, or none. */
export type ImageSettings =
  | { provider: 'none' }
  | { provider: 'openai-compatible'; baseUrl: string; apiKey: string; model: string; size: string }
  | { provider: 'workers-ai'; model: string }

const VideoSettings = () =>
  z.object({
    YOUTUBE_API_URL: z._default(z.url(), 'https://youtube.googleapis.com'),
    YOUTUBE_API_KEY: z._default(z.string(), ''),
  })

/** Who writes: the built-in writer, or a language model and where it is asked. */
export type WriterSettings =
  | { provider: 'built-in' }
  | { provider: 'openai-compatible' | 'anthropic' | 'workers-ai'; baseUrl: string; apiKey: string; model: string }

const SocialEnvironment = () =>
  z.object({
    SOCIAL_API_URL: z._default(z.url(), 'https://zernio.com/api'),
    SOCIAL_API_KEY: z._default(z.string(), ''),
    TELEGRAM_API_URL: z._default(z.url(), 'https://api.telegram.org'),
  })

const CrowdworkEnvironment = () =>
  z.object({
    CROWDWORK_API_URL: z._default(z.url(), 'https://ttv.microworkers.com/api/v2'),
    CROWDWORK_API_KEY: z._default(z.string(), ''),
  })

export type SocialSettings = ReturnType<typeof parseSocialSettings>

const KeywordData = () =>
  z.object({
    DATAFORSEO_URL: z._default(z.url(), 'https://api.dataforseo.com/v3'),
    DATAFORSEO_LOGIN: z._default(z.string(), ''),
    DATAFORSEO_PASSWORD: z._default(z.string(), ''),
    AHREFS_URL: z._default(z.url(), 'https://api.ahrefs.com/v3'),
    /** Providers, as a comma list, in whose place a stand-in answers: what they say is made up. */
    SANDBOX_PROVIDERS: z._default(z.string(), ''),
  })

const StripeEnvironment = () =>
  z.object({
    STRIPE_API_URL: z._default(z.url(), 'https://api.stripe.com'),
    STRIPE_SECRET_KEY: z._default(z.string(), ''),
    STRIPE_PRICE_AGENTIC: z._default(z.string(), ''),
    STRIPE_PRICE_PRO: z._default(z.string(), ''),
    STRIPE_PRICE_ACCELERATOR: z._default(z.string(), ''),
  })

const StripeEvents = () => z.object({ STRIPE_WEBHOOK_SECRET: z._default(z.string(), '') })

export type StripeSettings = NonNullable<ReturnType<typeof parseStripeSettings>>

const GoogleEnvironment = () =>
  z.object({
    GOOGLE_CLIENT_ID: z._default(z.string(), ''),
    GOOGLE_CLIENT_SECRET: z._default(z.string(), ''),
    GOOGLE_CONSENT_URL: z._default(z.url(), 'https://accounts.google.com/o/oauth2/v2/auth'),
    GOOGLE_TOKEN_URL: z._default(z.url(), 'https://oauth2.googleapis.com'),
    SEARCH_CONSOLE_URL: z._default(z.url(), 'https://searchconsole.googleapis.com'),
    BUSINESS_ACCOUNTS_URL: z._default(z.url(), 'https://mybusinessaccountmanagement.googleapis.com'),
    BUSINESS_LOCATIONS_URL: z._default(z.url(), 'https://mybusinessbusinessinformation.googleapis.com'),
    BUSINESS_REVIEWS_URL: z._default(z.url(), 'https://mybusiness.googleapis.com'),
    BUSINESS_METRICS_URL: z._default(z.url(), 'https://businessprofileperformance.googleapis.com'),
    /** `true` where the addresses above are the local stand-in's, so that answers say that their data are made up. */
    GOOGLE_SANDBOX: z._default(z.string(), ''),
  })

export type GoogleSettings = ReturnType<typeof parseGoogleSettings>
const Models = () =>
  z.object({
    VISIBILITY_CHATGPT_MODEL: z._default(z.string(), 'gpt-4.1'),
    VISIBILITY_PERPLEXITY_MODEL: z._default(z.string(), 'sonar'),
    VISIBILITY_GEMINI_MODEL: z._default(z.string(), 'gemini-2.5-flash'),
  })

/** Which model answers for an AI engine that is asked over its interface for programs. */
export type EngineModels = { chatgpt: string; perplexity: string; gemini: string }

export type Settings = ReturnType<typeof parseSettings>
export type QueueSettings = z.infer<ReturnType<typeof QueueSettings>>

const parse = <T extends z.ZodMiniType>(schema: T, env: unknown): z.infer<T> => {
  const result = z.safeParse(schema, env)
  if (result.success) return result.data
  const names = result.error.issues.map((issue) => issue.path.join('.')).join(', ')
  throw new Error(`Configuration is missing or malformed: ${names}`)
}

/** A Worker: its folder's name, and whether it seals and opens secrets of users. */
export type WorkerSpec = { name: string; seals?: boolean }

/** The sealing keys of a Worker that seals; no keys for any other. */
const sealingKeys = (env: unknown, { seals }: WorkerSpec): KeyRing =>
  seals ? parseKeyRing(parse(Sealing(), env).SECRETS_KEYS) : []

/** Reads a Worker's environment. Throws naming the settings that are missing or malformed, never their values. */
export const parseSettings = (env: unknown, worker: WorkerSpec) => {
  const s = parse(Settings(), env)
  return {
    databaseUrl: s.DATABASE_URL,
    neonFetchEndpoint: s.NEON_FETCH_ENDPOINT,
    databaseWaitMs: s.DATABASE_WAIT_MS,
    redisUrl: s.UPSTASH_REDIS_REST_URL,
    redisToken: s.UPSTASH_REDIS_REST_TOKEN,
    limiterWaitMs: s.LIMITER_WAIT_MS,
    publicUrl: s.PUBLIC_URL.replace(/\/+$/, ''),
    serviceName: s.SERVICE_NAME,
    secretsKeys: sealingKeys(env, worker),
    allowPrivateHosts: s.ALLOW_PRIVATE_HOSTS === 'true',
    allowTestKeys: s.ALLOW_TEST_KEYS === 'true',
    dnsQueryUrl: s.DNS_QUERY_URL,
    retryTimeScale: s.RETRY_TIME_SCALE,
    cronRestMinutes: s.CRON_REST_MINUTES,
    logOneReadIn: s.LOG_ONE_READ_IN,
    stepHookUrl: s.STEP_HOOK_URL,
  }
}

/** Reads the environment of a Worker that only calls out: no database, no secrets. Throws naming what is malformed. */
export const parseMeans = (env: unknown) => {
  const m = parse(Means(), env)
  return {
    serviceName: m.SERVICE_NAME,
    allowPrivateHosts: m.ALLOW_PRIVATE_HOSTS === 'true',
    dnsQueryUrl: m.DNS_QUERY_URL,
    retryTimeScale: m.RETRY_TIME_SCALE,
  }
}

/** Reads the environment of a Worker that only hands calls on: no database, no secrets. Throws naming what is malformed. */
export const parseFront = (env: unknown) => {
  const f = parse(Front(), env)
  return {
    publicUrl: f.PUBLIC_URL.replace(/\/+$/, ''),
    serviceName: f.SERVICE_NAME,
    allowTestKeys: f.ALLOW_TEST_KEYS === 'true',
  }
}

/** Reads how mails are sent. */
export const parseMailSettings = (env: unknown) => {
  const m = parse(MailSettings(), env)
  return { apiUrl: m.MAIL_API_URL.replace(/\/+$/, ''), apiKey: m.MAIL_API_KEY, from: m.MAIL_FROM }
}

const Heartbeat = () => z.object({ HEARTBEAT_URL: z._default(z.union([z.literal(''), z.url()]), '') })

/** Reads the address that hears of each minute of work; empty for none. */
export const parseHeartbeat = (env: unknown): string => parse(Heartbeat(), env).HEARTBEAT_URL

export const parseQueueSettings = (env: unknown): QueueSettings => parse(QueueSettings(), env)

/** Reads where the provider of all social networks is asked. Without a key only direct accounts can be connected. */
export const parseSocialSettings = (env: unknown) => {
  const s = parse(SocialEnvironment(), env)
  return { baseUrl: s.SOCIAL_API_URL, key: s.SOCIAL_API_KEY, telegramUrl: s.TELEGRAM_API_URL }
}

/** Reads the client at Google and where Google is asked. Without a client nothing can be connected. */
export const parseGoogleSettings = (env: unknown) => {
  const s = parse(GoogleEnvironment(), env)
  return {
    clientId: s.GOOGLE_CLIENT_ID,
    clientSecret: s.GOOGLE_CLIENT_SECRET,
    consentUrl: s.GOOGLE_CONSENT_URL,
    tokenUrl: s.GOOGLE_TOKEN_URL,
    searchConsoleUrl: s.SEARCH_CONSOLE_URL,
    business: {
      accountsUrl: s.BUSINESS_ACCOUNTS_URL,
      locationsUrl: s.BUSINESS_LOCATIONS_URL,
      reviewsUrl: s.BUSINESS_REVIEWS_URL,
      metricsUrl: s.BUSINESS_METRICS_URL,
    },
    isSandbox: s.GOOGLE_SANDBOX === 'true',
  }
}

/** Reads where accounts pay; undefined where payment is not set up: without a key or without a price. */
export const parseStripeSettings = (env: unknown) => {
  const s = parse(StripeEnvironment(), env)
  const named = { agentic: s.STRIPE_PRICE_AGENTIC, pro: s.STRIPE_PRICE_PRO, accelerator: s.STRIPE_PRICE_ACCELERATOR }
  const prices: Partial<Record<Plan, string>> = Object.fromEntries(Object.entries(named).filter(([, id]) => id !== ''))
  if (s.STRIPE_SECRET_KEY === '' || Object.keys(prices).length === 0) return undefined
  return { apiUrl: s.STRIPE_API_URL.replace(/\/+$/, ''), secretKey: s.STRIPE_SECRET_KEY, prices }
}

/** Reads what events of the payment provider are signed with; empty: none are taken. */
export const parseStripeWebhook = (env: unknown): string => parse(StripeEvents(), env).STRIPE_WEBHOOK_SECRET

/** Reads where the provider of crowdwork is asked. Without a key it cannot be. */
export const parseCrowdworkSettings = (env: unknown) => {
  const s = parse(CrowdworkEnvironment(), env)
  return { baseUrl: s.CROWDWORK_API_URL.replace(/\/+$/, ''), key: s.CROWDWORK_API_KEY }
}

/** Settings a writer's provider cannot do without. */
const WRITER_NEEDS = {
  'openai-compatible': ['WRITER_BASE_URL', 'WRITER_MODEL'],
  anthropic: ['WRITER_API_KEY', 'WRITER_MODEL'],
  'workers-ai': ['WRITER_MODEL'],
} as const

/** Reads who writes. Throws naming what is missing or malformed. */
export const parseWriterSettings = (env: unknown): WriterSettings => {
  const s = parse(WriterSettings(), env)
  const provider = s.WRITER_PROVIDER
  if (provider === 'built-in') return { provider }
  const missing = WRITER_NEEDS[provider].filter((name) => s[name] === '')
  if (missing.length > 0) throw new Error(`Configuration is missing or malformed: ${missing.join(', ')}`)
  return { provider, baseUrl: s.WRITER_BASE_URL, apiKey: s.WRITER_API_KEY, model: s.WRITER_MODEL }
}

/** Reads where keyword services are asked, the service's own account (undefined without one), and which are sandboxes. */
export const parseKeywordSettings = (env: unknown) => {
  const s = parse(KeywordData(), env)
  const isSet = s.DATAFORSEO_LOGIN !== '' && s.DATAFORSEO_PASSWORD !== ''
  return {
    dataForSeoUrl: s.DATAFORSEO_URL.replace(/\/+$/, ''),
    dataForSeo: isSet ? { login: s.DATAFORSEO_LOGIN, password: s.DATAFORSEO_PASSWORD } : undefined,
    ahrefsUrl: s.AHREFS_URL.replace(/\/+$/, ''),
    sandboxes: s.SANDBOX_PROVIDERS.split(',').map((name) => name.trim()),
  }
}

export type KeywordSettings = ReturnType<typeof parseKeywordSettings>

/** Reads which models answer for the AI engines. */
export const parseEngineModels = (env: unknown): EngineModels => {
  const m = parse(Models(), env)
  return {
    chatgpt: m.VISIBILITY_CHATGPT_MODEL,
    perplexity: m.VISIBILITY_PERPLEXITY_MODEL,
    gemini: m.VISIBILITY_GEMINI_MODEL,
  }
}

/** Reads where videos are searched for; without a key nowhere. */
export const parseVideoSettings = (env: unknown) => {
  const s = parse(VideoSettings(), env)
  return { baseUrl: s.YOUTUBE_API_URL, key: s.YOUTUBE_API_KEY }
}

const IMAGES_NEED = {
  'openai-compatible': ['IMAGES_BASE_URL', 'IMAGES_MODEL'],
  'workers-ai': ['IMAGES_MODEL'],
} as const

/** Reads who makes pictures. Throws naming what is missing or malformed. */
export const parseImageSettings = (env: unknown): ImageSettings => {
  const s = parse(ImageSettings(), env)
  const provider = s.IMAGES_PROVIDER
  if (provider === 'none') return { provider }
  const missing = IMAGES_NEED[provider].filter((name) => s[name] === '')
  if (missing.length > 0) throw new Error(`Configuration is missing or malformed: ${missing.join(', ')}`)
  const { IMAGES_BASE_URL: baseUrl, IMAGES_API_KEY: apiKey, IMAGES_MODEL: model, IMAGES_SIZE: size } = s
  return provider === 'workers-ai' ? { provider, model } : { provider, baseUrl, apiKey, model, size }
}
