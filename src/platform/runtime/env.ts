import type { Plan } from '../../../schema/values/accounts.ts'
import { DEFAULT_MODELS } from '../../../schema/values/models.ts'
import { type KeyRing, parseKeyRing } from '../lib/crypto.ts'
import { WORKERS_AI_IMAGES } from './image-models.ts'
import { matching, number, readEnv, requiredText, text, url, wordOf } from './read-env.ts'

// Settings are functions, so that a Worker builds only those it reads.

/** Returns the settings that every Worker has. Names are those of wrangler.toml and of the secrets. */
const Settings = () => ({
  DATABASE_URL: requiredText,
  /** Neon's SQL-over-HTTP address; only set if it is not derived from DATABASE_URL. */
  NEON_FETCH_ENDPOINT: text(''),
  UPSTASH_REDIS_REST_URL: requiredText,
  UPSTASH_REDIS_REST_TOKEN: requiredText,
  PUBLIC_URL: url(),
  SERVICE_NAME: matching(/^[A-Za-z][A-Za-z0-9-]{0,31}$/, 'Galley'),
  ALLOW_PRIVATE_HOSTS: text(''),
  /** `true` accepts API keys that begin with gly_test_. Never set in production. */
  ALLOW_TEST_KEYS: text(''),
  DNS_QUERY_URL: text(''),
  RETRY_TIME_SCALE: number([1, 10_000], 1),
  /** Longest time for which the minute's work is skipped while nothing changes and nothing is due, in minutes. 0: never skipped. */
  CRON_REST_MINUTES: number([0, 60], 60),
  /** Time limit of a statement, ms. */
  DATABASE_WAIT_MS: number([1, 60_000], 10_000),
  /** Time that a request waits for the shared rate count, ms. After that, the count of its isolate is used. */
  LIMITER_WAIT_MS: number([1, 60_000], 300),
  /** Rate of all keys of an account together, as a multiple of one key's rate, for calls that publish or cost money. */
  ACCOUNT_RATE_FACTOR: number([1, 10_000], 3),
  /** One of this many successful reads is logged. */
  LOG_ONE_READ_IN: number([1, 1_000], 20),
  STEP_HOOK_URL: text(''),
})

const Sealing = () => ({ SECRETS_KEYS: requiredText })

const QueueSettings = () => ({
  QSTASH_URL: requiredText,
  QSTASH_TOKEN: requiredText,
  QSTASH_CURRENT_SIGNING_KEY: requiredText,
  QSTASH_NEXT_SIGNING_KEY: requiredText,
})

/** Settings of a Worker that only calls out. */
const OutboundEnv = () => {
  const { SERVICE_NAME, ALLOW_PRIVATE_HOSTS, DNS_QUERY_URL, RETRY_TIME_SCALE } = Settings()
  return { SERVICE_NAME, PUBLIC_URL: url(''), ALLOW_PRIVATE_HOSTS, DNS_QUERY_URL, RETRY_TIME_SCALE }
}

/** Settings of a Worker that only passes calls on. */
const Front = () => {
  const { PUBLIC_URL, SERVICE_NAME, ALLOW_TEST_KEYS } = Settings()
  return { PUBLIC_URL, SERVICE_NAME, ALLOW_TEST_KEYS }
}

const MailEnvironment = () => ({
  MAIL_PROVIDER: wordOf(['resend', 'cloudflare']),
  MAIL_API_URL: url('https://api.resend.com'),
  MAIL_API_KEY: text(''),
  MAIL_FROM: text(''),
})

const WriterSettings = () => ({
  WRITER_PROVIDER: wordOf(['built-in', 'openai-compatible', 'anthropic', 'workers-ai']),
  WRITER_BASE_URL: url(''),
  WRITER_API_KEY: text(''),
  WRITER_MODEL: text(''),
})

const ImageSettings = () => ({
  IMAGES_PROVIDER: wordOf(['none', 'openai-compatible', 'workers-ai']),
  IMAGES_BASE_URL: url(''),
  IMAGES_API_KEY: text(''),
  IMAGES_MODEL: text(''),
  IMAGES_SIZE: matching(/^\d{2,4}x\d{2,4}$/, '1536x1024'),
  /** Image quality in the model's own words (low, medium, high). Empty: the model decides. */
  IMAGES_QUALITY: matching(/^[a-z]{0,16}$/, ''),
})

/** Image model for the pictures in articles, with its address; or none. */
export type ImageSettings =
  | { provider: 'none' }
  | { provider: 'openai-compatible'; baseUrl: string; apiKey: string; model: string; size: string; quality: string }
  | { provider: 'workers-ai'; model: string }

const VideoSettings = () => ({
  YOUTUBE_API_URL: url('https://youtube.googleapis.com'),
  YOUTUBE_API_KEY: text(''),
})

/** The writer: the built-in one, or a language model with its address. */
export type WriterSettings =
  | { provider: 'built-in' }
  | { provider: 'openai-compatible' | 'anthropic' | 'workers-ai'; baseUrl: string; apiKey: string; model: string }

const SocialEnvironment = () => ({
  SOCIAL_API_URL: url('https://zernio.com/api'),
  SOCIAL_API_KEY: text(''),
  TELEGRAM_API_URL: url('https://api.telegram.org'),
})

const CrowdworkEnvironment = () => ({
  CROWDWORK_API_URL: url('https://ttv.microworkers.com/api/v2'),
  CROWDWORK_API_KEY: text(''),
  /** `true` if the address above is the local stand-in, which charges nothing. */
  CROWDWORK_SANDBOX: text(''),
})

export type SocialSettings = ReturnType<typeof parseSocialSettings>

const KeywordData = () => ({
  DATAFORSEO_URL: url('https://api.dataforseo.com/v3'),
  DATAFORSEO_LOGIN: text(''),
  DATAFORSEO_PASSWORD: text(''),
  AHREFS_URL: url('https://api.ahrefs.com/v3'),
  /** Comma-separated providers that are replaced by a stand-in. Their data are made up. */
  SANDBOX_PROVIDERS: text(''),
})

const StripeEnvironment = () => ({
  STRIPE_API_URL: url('https://api.stripe.com'),
  STRIPE_SECRET_KEY: text(''),
  STRIPE_PRICE_AGENTIC: text(''),
  STRIPE_PRICE_PRO: text(''),
  STRIPE_PRICE_ACCELERATOR: text(''),
})

const StripeEvents = () => ({ STRIPE_WEBHOOK_SECRET: text('') })

export type StripeSettings = NonNullable<ReturnType<typeof parseStripeSettings>>

const GoogleEnvironment = () => ({
  GOOGLE_CLIENT_ID: text(''),
  GOOGLE_CLIENT_SECRET: text(''),
  GOOGLE_CONSENT_URL: url('https://accounts.google.com/o/oauth2/v2/auth'),
  GOOGLE_TOKEN_URL: url('https://oauth2.googleapis.com'),
  SEARCH_CONSOLE_URL: url('https://searchconsole.googleapis.com'),
  BUSINESS_ACCOUNTS_URL: url('https://mybusinessaccountmanagement.googleapis.com'),
  BUSINESS_LOCATIONS_URL: url('https://mybusinessbusinessinformation.googleapis.com'),
  BUSINESS_REVIEWS_URL: url('https://mybusiness.googleapis.com'),
  BUSINESS_METRICS_URL: url('https://businessprofileperformance.googleapis.com'),
  /** `true` if the addresses above are those of the local stand-in. Answers then say that their data are made up. */
  GOOGLE_SANDBOX: text(''),
})

export type GoogleSettings = ReturnType<typeof parseGoogleSettings>
const Models = () => ({
  VISIBILITY_CHATGPT_MODEL: text(DEFAULT_MODELS.chatgpt),
  VISIBILITY_PERPLEXITY_MODEL: text(DEFAULT_MODELS.perplexity),
  VISIBILITY_GEMINI_MODEL: text(DEFAULT_MODELS.gemini),
})

/** Models for the AI engines that are queried through their APIs. */
export type EngineModels = { chatgpt: string; perplexity: string; gemini: string }

export type Settings = ReturnType<typeof parseSettings>
export type QueueSettings = ReturnType<typeof parseQueueSettings>

/** A Worker: the name of its folder, and whether it seals and opens users' secrets. */
export type WorkerSpec = { name: string; seals?: boolean }

/** Returns the sealing keys of a Worker that seals; an empty list for any other. */
const sealingKeys = (env: unknown, { seals }: WorkerSpec): KeyRing =>
  seals ? parseKeyRing(readEnv(Sealing(), env).SECRETS_KEYS) : []

/** Reads a Worker's environment. Throws naming the settings that are missing or malformed, never their values. */
export const parseSettings = (env: unknown, worker: WorkerSpec) => {
  const s = readEnv(Settings(), env)
  return {
    databaseUrl: s.DATABASE_URL,
    neonFetchEndpoint: s.NEON_FETCH_ENDPOINT || undefined,
    databaseWaitMs: s.DATABASE_WAIT_MS,
    redisUrl: s.UPSTASH_REDIS_REST_URL,
    redisToken: s.UPSTASH_REDIS_REST_TOKEN,
    limiterWaitMs: s.LIMITER_WAIT_MS,
    accountRateFactor: s.ACCOUNT_RATE_FACTOR,
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
export const parseOutboundEnv = (env: unknown) => {
  const m = readEnv(OutboundEnv(), env)
  return {
    serviceName: m.SERVICE_NAME,
    publicUrl: m.PUBLIC_URL.replace(/\/+$/, ''),
    allowPrivateHosts: m.ALLOW_PRIVATE_HOSTS === 'true',
    dnsQueryUrl: m.DNS_QUERY_URL,
    retryTimeScale: m.RETRY_TIME_SCALE,
  }
}

/** Reads the environment of a Worker that only passes calls on: no database, no secrets. Throws naming what is malformed. */
export const parseFront = (env: unknown) => {
  const f = readEnv(Front(), env)
  return {
    publicUrl: f.PUBLIC_URL.replace(/\/+$/, ''),
    serviceName: f.SERVICE_NAME,
    allowTestKeys: f.ALLOW_TEST_KEYS === 'true',
  }
}

/** Reads the mail settings. `isSetUp` is false if too little is set to send mail. */
export const parseMailSettings = (env: unknown) => {
  const m = readEnv(MailEnvironment(), env)
  const [provider, apiKey, from] = [m.MAIL_PROVIDER, m.MAIL_API_KEY, m.MAIL_FROM]
  const isSetUp = from !== '' && (provider === 'cloudflare' || apiKey !== '')
  return { provider, apiUrl: m.MAIL_API_URL.replace(/\/+$/, ''), apiKey, from, isSetUp }
}

export type MailSettings = ReturnType<typeof parseMailSettings>

const Heartbeat = () => ({ HEARTBEAT_URL: url('') })

/** Reads the address that is called after each minute of work that succeeded. Empty if there is none. */
export const parseHeartbeat = (env: unknown): string => readEnv(Heartbeat(), env).HEARTBEAT_URL

/** Reads the queue's address, token and signing keys. */
export const parseQueueSettings = (env: unknown) => readEnv(QueueSettings(), env)

/** Reads the address and key of the provider of social networks. Without a key only direct accounts can be connected. */
export const parseSocialSettings = (env: unknown) => {
  const s = readEnv(SocialEnvironment(), env)
  return { baseUrl: s.SOCIAL_API_URL, key: s.SOCIAL_API_KEY, telegramUrl: s.TELEGRAM_API_URL }
}

/** Reads the OAuth client and the addresses of Google. Without a client nothing of Google can be connected. */
export const parseGoogleSettings = (env: unknown) => {
  const s = readEnv(GoogleEnvironment(), env)
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

/** Reads the settings for payment. Undefined without a key or without any price. */
export const parseStripeSettings = (env: unknown) => {
  const s = readEnv(StripeEnvironment(), env)
  const named = { agentic: s.STRIPE_PRICE_AGENTIC, pro: s.STRIPE_PRICE_PRO, accelerator: s.STRIPE_PRICE_ACCELERATOR }
  const prices: Partial<Record<Plan, string>> = Object.fromEntries(Object.entries(named).filter(([, id]) => id !== ''))
  if (s.STRIPE_SECRET_KEY === '' || Object.keys(prices).length === 0) return undefined
  return { apiUrl: s.STRIPE_API_URL.replace(/\/+$/, ''), secretKey: s.STRIPE_SECRET_KEY, prices }
}

/** Reads the secret that signs the payment provider's events. Empty: no events are accepted. */
export const parseStripeWebhook = (env: unknown): string => readEnv(StripeEvents(), env).STRIPE_WEBHOOK_SECRET

/** Reads the address and key of the crowdwork provider. Without a key it cannot be used. */
export const parseCrowdworkSettings = (env: unknown) => {
  const s = readEnv(CrowdworkEnvironment(), env)
  const baseUrl = s.CROWDWORK_API_URL.replace(/\/+$/, '')
  return { baseUrl, key: s.CROWDWORK_API_KEY, isSandbox: s.CROWDWORK_SANDBOX === 'true' }
}

/** Settings that each provider of a writer requires. */
const WRITER_NEEDS = {
  'openai-compatible': ['WRITER_BASE_URL', 'WRITER_MODEL'],
  anthropic: ['WRITER_API_KEY', 'WRITER_MODEL'],
  'workers-ai': ['WRITER_MODEL'],
} as const

/** Reads the settings of the writer. Throws naming those that are missing or malformed. */
export const parseWriterSettings = (env: unknown): WriterSettings => {
  const s = readEnv(WriterSettings(), env)
  const provider = s.WRITER_PROVIDER
  if (provider === 'built-in') return { provider }
  const missing = WRITER_NEEDS[provider].filter((name) => s[name] === '')
  if (missing.length > 0) throw new Error(`Configuration is missing or malformed: ${missing.join(', ')}`)
  return { provider, baseUrl: s.WRITER_BASE_URL, apiKey: s.WRITER_API_KEY, model: s.WRITER_MODEL }
}

/** Reads the addresses of the keyword services, the service's own account (undefined if none), and which providers are sandboxes. */
export const parseKeywordSettings = (env: unknown) => {
  const s = readEnv(KeywordData(), env)
  const isSet = s.DATAFORSEO_LOGIN !== '' && s.DATAFORSEO_PASSWORD !== ''
  return {
    dataForSeoUrl: s.DATAFORSEO_URL.replace(/\/+$/, ''),
    dataForSeo: isSet ? { login: s.DATAFORSEO_LOGIN, password: s.DATAFORSEO_PASSWORD } : undefined,
    ahrefsUrl: s.AHREFS_URL.replace(/\/+$/, ''),
    sandboxes: s.SANDBOX_PROVIDERS.split(',').map((name) => name.trim()),
  }
}

export type KeywordSettings = ReturnType<typeof parseKeywordSettings>

/** Reads the models for the AI engines. */
export const parseEngineModels = (env: unknown): EngineModels => {
  const m = readEnv(Models(), env)
  return {
    chatgpt: m.VISIBILITY_CHATGPT_MODEL,
    perplexity: m.VISIBILITY_PERPLEXITY_MODEL,
    gemini: m.VISIBILITY_GEMINI_MODEL,
  }
}

/** Reads the address and key of the video search. Without a key no videos are searched for. */
export const parseVideoSettings = (env: unknown) => {
  const s = readEnv(VideoSettings(), env)
  return { baseUrl: s.YOUTUBE_API_URL, key: s.YOUTUBE_API_KEY }
}

const IMAGES_NEED = {
  'openai-compatible': ['IMAGES_BASE_URL', 'IMAGES_MODEL'],
  'workers-ai': ['IMAGES_MODEL'],
} as const

/** Reads the settings for images. Throws naming those that are missing or malformed. */
export const parseImageSettings = (env: unknown): ImageSettings => {
  const s = readEnv(ImageSettings(), env)
  const provider = s.IMAGES_PROVIDER
  if (provider === 'none') return { provider }
  const missing = IMAGES_NEED[provider].filter((name) => s[name] === '')
  if (missing.length > 0) throw new Error(`Configuration is missing or malformed: ${missing.join(', ')}`)
  const { IMAGES_BASE_URL: baseUrl, IMAGES_API_KEY: apiKey, IMAGES_MODEL: model } = s
  if (provider === 'workers-ai') {
    if (!(model in WORKERS_AI_IMAGES))
      throw new Error(
        `IMAGES_MODEL is none of Workers AI that can be asked: ${Object.keys(WORKERS_AI_IMAGES).join(', ')}`,
      )
    return { provider, model }
  }
  return { provider, baseUrl, apiKey, model, size: s.IMAGES_SIZE, quality: s.IMAGES_QUALITY }
}
