import type { Plan } from '../../../schema/values/accounts.ts'
import { DEFAULT_MODELS } from '../../../schema/values/models.ts'
import { WORKERS_AI_IMAGES } from './image-models.ts'
import { baseUrl, matching, readEnv, text, url, wordOf } from './read-env.ts'

// Settings are functions, so that a Worker builds only those it reads.

const MailEnvironment = () => ({
  MAIL_PROVIDER: wordOf(['resend', 'cloudflare']),
  MAIL_API_URL: baseUrl('https://api.resend.com'),
  MAIL_API_KEY: text(''),
  MAIL_FROM: text(''),
})

/** Reads the mail settings. `isSetUp` is false if too little is set to send mail. */
export const parseMailSettings = (env: unknown) => {
  const m = readEnv(MailEnvironment(), env)
  const [provider, apiKey, from] = [m.MAIL_PROVIDER, m.MAIL_API_KEY, m.MAIL_FROM]
  const isSetUp = from !== '' && (provider === 'cloudflare' || apiKey !== '')
  return { provider, apiUrl: m.MAIL_API_URL, apiKey, from, isSetUp }
}

/** Reads the secret that signs the mail provider's events. Empty: no events are accepted. */
export const parseMailWebhook = (env: unknown): string =>
  readEnv({ MAIL_WEBHOOK_SECRET: text('') }, env).MAIL_WEBHOOK_SECRET

/** Mail provider with its access data and the sender's address. */
export type MailSettings = ReturnType<typeof parseMailSettings>

const WriterSettings = () => ({
  WRITER_PROVIDER: wordOf(['built-in', 'openai-compatible', 'anthropic', 'workers-ai']),
  WRITER_BASE_URL: baseUrl(''),
  WRITER_API_KEY: text(''),
  WRITER_MODEL: text(''),
})

/** The writer: the built-in one, or a language model with its address. */
export type WriterSettings =
  | { provider: 'built-in' }
  | { provider: 'openai-compatible' | 'anthropic' | 'workers-ai'; baseUrl: string; apiKey: string; model: string }

/** Throws naming those of the settings that are empty. */
const requireAll = <Name extends string>(settings: Readonly<Record<Name, string>>, names: readonly Name[]): void => {
  const missing = names.filter((name) => settings[name] === '')
  if (missing.length > 0) throw new Error(`Configuration is missing or malformed: ${missing.join(', ')}`)
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
  requireAll(s, WRITER_NEEDS[provider])
  return { provider, baseUrl: s.WRITER_BASE_URL, apiKey: s.WRITER_API_KEY, model: s.WRITER_MODEL }
}

const ImageSettings = () => ({
  IMAGES_PROVIDER: wordOf(['none', 'openai-compatible', 'workers-ai']),
  IMAGES_BASE_URL: baseUrl(''),
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

const IMAGES_NEED = {
  'openai-compatible': ['IMAGES_BASE_URL', 'IMAGES_MODEL'],
  'workers-ai': ['IMAGES_MODEL'],
} as const

/** Reads the settings for images. Throws naming those that are missing or malformed. */
export const parseImageSettings = (env: unknown): ImageSettings => {
  const s = readEnv(ImageSettings(), env)
  const provider = s.IMAGES_PROVIDER
  if (provider === 'none') return { provider }
  requireAll(s, IMAGES_NEED[provider])
  const { IMAGES_API_KEY: apiKey, IMAGES_MODEL: model } = s
  if (provider === 'workers-ai') {
    if (!(model in WORKERS_AI_IMAGES))
      throw new Error(`IMAGES_MODEL must be one of: ${Object.keys(WORKERS_AI_IMAGES).join(', ')}`)
    return { provider, model }
  }
  return { provider, baseUrl: s.IMAGES_BASE_URL, apiKey, model, size: s.IMAGES_SIZE, quality: s.IMAGES_QUALITY }
}

const VideoSettings = () => ({
  YOUTUBE_API_URL: baseUrl('https://youtube.googleapis.com'),
  YOUTUBE_API_KEY: text(''),
})

/** Reads the address and key of the video search. Without a key no videos are searched for. */
export const parseVideoSettings = (env: unknown) => {
  const s = readEnv(VideoSettings(), env)
  return { baseUrl: s.YOUTUBE_API_URL, key: s.YOUTUBE_API_KEY }
}

/** Reads the address of IndexNow. */
export const parseIndexNow = (env: unknown): string =>
  readEnv({ INDEXNOW_URL: baseUrl('https://api.indexnow.org') }, env).INDEXNOW_URL

const SocialEnvironment = () => ({
  SOCIAL_API_URL: baseUrl('https://zernio.com/api'),
  SOCIAL_API_KEY: text(''),
  TELEGRAM_API_URL: baseUrl('https://api.telegram.org'),
})

/** Reads the address and key of the provider of social networks. Without a key only direct accounts can be connected. */
export const parseSocialSettings = (env: unknown) => {
  const s = readEnv(SocialEnvironment(), env)
  return { baseUrl: s.SOCIAL_API_URL, key: s.SOCIAL_API_KEY, telegramUrl: s.TELEGRAM_API_URL }
}

/** Addresses of the providers of social networks, and the key of the first. */
export type SocialSettings = ReturnType<typeof parseSocialSettings>

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

/** The service's OAuth client at Google, and the addresses of the APIs that are called. */
export type GoogleSettings = ReturnType<typeof parseGoogleSettings>

const KeywordData = () => ({
  DATAFORSEO_URL: baseUrl('https://api.dataforseo.com/v3'),
  DATAFORSEO_LOGIN: text(''),
  DATAFORSEO_PASSWORD: text(''),
  AHREFS_URL: baseUrl('https://api.ahrefs.com/v3'),
  /** Comma-separated providers that are replaced by a stand-in. Their data are made up. */
  SANDBOX_PROVIDERS: text(''),
})

/** Reads the addresses of the keyword services, the service's own account (undefined if none), and which providers are sandboxes. */
export const parseKeywordSettings = (env: unknown) => {
  const s = readEnv(KeywordData(), env)
  const isSet = s.DATAFORSEO_LOGIN !== '' && s.DATAFORSEO_PASSWORD !== ''
  return {
    dataForSeoUrl: s.DATAFORSEO_URL,
    dataForSeo: isSet ? { login: s.DATAFORSEO_LOGIN, password: s.DATAFORSEO_PASSWORD } : undefined,
    ahrefsUrl: s.AHREFS_URL,
    sandboxes: s.SANDBOX_PROVIDERS.split(',').map((name) => name.trim()),
  }
}

/** Addresses and access data of the providers of keyword data. */
export type KeywordSettings = ReturnType<typeof parseKeywordSettings>

const Models = () => ({
  VISIBILITY_CHATGPT_MODEL: text(DEFAULT_MODELS.chatgpt),
  VISIBILITY_PERPLEXITY_MODEL: text(DEFAULT_MODELS.perplexity),
  VISIBILITY_GEMINI_MODEL: text(DEFAULT_MODELS.gemini),
})

/** Models for the AI engines that are queried through their APIs. */
export type EngineModels = { chatgpt: string; perplexity: string; gemini: string }

/** Reads the models for the AI engines. */
export const parseEngineModels = (env: unknown): EngineModels => {
  const m = readEnv(Models(), env)
  return {
    chatgpt: m.VISIBILITY_CHATGPT_MODEL,
    perplexity: m.VISIBILITY_PERPLEXITY_MODEL,
    gemini: m.VISIBILITY_GEMINI_MODEL,
  }
}

const CrowdworkEnvironment = () => ({
  CROWDWORK_API_URL: baseUrl('https://ttv.microworkers.com/api/v2'),
  CROWDWORK_API_KEY: text(''),
  /** `true` if the address above is the local stand-in, which charges nothing. */
  CROWDWORK_SANDBOX: text(''),
})

/** Reads the address and key of the crowdwork provider. Without a key it cannot be used. */
export const parseCrowdworkSettings = (env: unknown) => {
  const s = readEnv(CrowdworkEnvironment(), env)
  return { baseUrl: s.CROWDWORK_API_URL, key: s.CROWDWORK_API_KEY, isSandbox: s.CROWDWORK_SANDBOX === 'true' }
}

const StripeEnvironment = () => ({
  STRIPE_API_URL: baseUrl('https://api.stripe.com'),
  STRIPE_SECRET_KEY: text(''),
  STRIPE_PRICE_AGENTIC: text(''),
  STRIPE_PRICE_PRO: text(''),
  STRIPE_PRICE_ACCELERATOR: text(''),
  STRIPE_YEARLY_PRICE_AGENTIC: text(''),
  STRIPE_YEARLY_PRICE_PRO: text(''),
  STRIPE_YEARLY_PRICE_ACCELERATOR: text(''),
  STRIPE_AUTOMATIC_TAX: wordOf(['false', 'true']),
})

type Prices = Partial<Record<Plan, string>>

/** Returns the prices that are set. */
const pricesOf = (named: Record<string, string>): Prices =>
  Object.fromEntries(Object.entries(named).filter(([, id]) => id !== ''))

/** Reads the settings for payment. Undefined without a key or without any price. */
export const parseStripeSettings = (env: unknown) => {
  const s = readEnv(StripeEnvironment(), env)
  const month = pricesOf({
    agentic: s.STRIPE_PRICE_AGENTIC,
    pro: s.STRIPE_PRICE_PRO,
    accelerator: s.STRIPE_PRICE_ACCELERATOR,
  })
  const year = pricesOf({
    agentic: s.STRIPE_YEARLY_PRICE_AGENTIC,
    pro: s.STRIPE_YEARLY_PRICE_PRO,
    accelerator: s.STRIPE_YEARLY_PRICE_ACCELERATOR,
  })
  if (s.STRIPE_SECRET_KEY === '' || Object.keys({ ...month, ...year }).length === 0) return undefined
  return {
    apiUrl: s.STRIPE_API_URL,
    secretKey: s.STRIPE_SECRET_KEY,
    prices: { month, year },
    addsTax: s.STRIPE_AUTOMATIC_TAX === 'true',
  }
}

/** Stripe's address and secret key, the ids of the prices on sale by interval and plan, and whether Stripe adds taxes. */
export type StripeSettings = NonNullable<ReturnType<typeof parseStripeSettings>>

/** Reads the secret that signs the payment provider's events. Empty: no events are accepted. */
export const parseStripeWebhook = (env: unknown): string =>
  readEnv({ STRIPE_WEBHOOK_SECRET: text('') }, env).STRIPE_WEBHOOK_SECRET
