import { createHash } from 'node:crypto'
import { LOCAL_GOOGLE } from './google/server.ts'
import { LOCAL_MAIL } from './mail/server.ts'
import type { ProviderAccounts, Providers } from './providers.ts'
import { LOCAL_STRIPE } from './stripe/server.ts'

/** Credentials of the local cloud. They open nothing but services on this machine's loopback. */
export const LOCAL = {
  connectionString: 'postgresql://galley:galley@db.localtest.neon/galley',
  redisToken: 'local-redis-token',
  qstashToken: 'local-qstash-token',
  socialKey: 'local-social-key',
  telegramToken: '100200300:local-telegram-bot-token-abcdef',
  crowdworkKey: 'local-crowdwork-key',
  signingKeys: { current: 'sig_local_current_key', next: 'sig_local_next_key' },
  receiverToken: 'local-receiver-token',
  requestKeys: `local:${createHash('sha256').update('local key of requests').digest('base64')}`,
  receiptKeys: `local:${createHash('sha256').update('local key of receipts').digest('base64')}`,
  secretsKeys: `local:${createHash('sha256').update('local sealing key').digest('base64')}`,
}

/** Returns the settings for crowdwork: the account at the provider if one is set, else the stand-in. */
const crowdworkVars = (standIn: string, { CROWDWORK_API_KEY: key }: ProviderAccounts = {}): Record<string, string> =>
  key
    ? { CROWDWORK_API_KEY: key }
    : { CROWDWORK_API_URL: standIn, CROWDWORK_API_KEY: LOCAL.crowdworkKey, CROWDWORK_SANDBOX: 'true' }

/** Returns the settings for social networks: the account at the provider if one is set, else the stand-in. */
const socialVars = (standIn: string, { SOCIAL_API_KEY: key }: ProviderAccounts = {}): Record<string, string> =>
  key ? { SOCIAL_API_KEY: key } : { SOCIAL_API_URL: standIn, SOCIAL_API_KEY: LOCAL.socialKey }

/** Returns the settings for Google: the client if one is set, else the stand-in. */
const googleVars = (standIn: string, accounts: ProviderAccounts = {}): Record<string, string> => {
  const { GOOGLE_CLIENT_ID: clientId, GOOGLE_CLIENT_SECRET: clientSecret } = accounts
  if (clientId && clientSecret) return { GOOGLE_CLIENT_ID: clientId, GOOGLE_CLIENT_SECRET: clientSecret }
  return {
    GOOGLE_CLIENT_ID: LOCAL_GOOGLE.clientId,
    GOOGLE_CLIENT_SECRET: LOCAL_GOOGLE.clientSecret,
    GOOGLE_CONSENT_URL: `${standIn}/o/oauth2/v2/auth`,
    GOOGLE_TOKEN_URL: standIn,
    SEARCH_CONSOLE_URL: standIn,
    BUSINESS_ACCOUNTS_URL: standIn,
    BUSINESS_LOCATIONS_URL: standIn,
    BUSINESS_REVIEWS_URL: standIn,
    BUSINESS_METRICS_URL: standIn,
    GOOGLE_SANDBOX: 'true',
  }
}

/** Returns the settings for Stripe: always the stand-in, so that no card is charged. */
const stripeVars = (standIn: string): Record<string, string> => ({
  STRIPE_API_URL: standIn,
  STRIPE_SECRET_KEY: LOCAL_STRIPE.secretKey,
  STRIPE_WEBHOOK_SECRET: LOCAL_STRIPE.webhookSecret,
  STRIPE_PRICE_AGENTIC: LOCAL_STRIPE.prices.agentic,
  STRIPE_PRICE_PRO: LOCAL_STRIPE.prices.pro,
  STRIPE_PRICE_ACCELERATOR: LOCAL_STRIPE.prices.accelerator,
  STRIPE_YEARLY_PRICE_PRO: LOCAL_STRIPE.yearly.pro,
  STRIPE_AUTOMATIC_TAX: 'true',
})

type At = { url: string }

/** Started parts of a local cloud that the Workers call. */
type Parts = Record<
  'neon' | 'redis' | 'qstash' | 'mail' | 'zernio' | 'telegram' | 'google' | 'stripe' | 'indexNow',
  At
> & {
  crowdwork: { apiUrl: string }
  providers: Pick<Providers, 'vars'>
}

/** Returns the settings and secrets of all Workers, except `PUBLIC_URL`. They call the stand-ins and the given accounts. */
export const settingsOf = (
  { neon, redis, qstash, mail, zernio, telegram, google, stripe, indexNow, crowdwork, providers }: Parts,
  accounts: ProviderAccounts | undefined,
  timeScale: number,
): Record<string, string> => ({
  DATABASE_URL: LOCAL.connectionString,
  NEON_FETCH_ENDPOINT: `${neon.url}/sql`,
  UPSTASH_REDIS_REST_URL: redis.url,
  UPSTASH_REDIS_REST_TOKEN: LOCAL.redisToken,
  QSTASH_URL: qstash.url,
  QSTASH_TOKEN: LOCAL.qstashToken,
  QSTASH_CURRENT_SIGNING_KEY: LOCAL.signingKeys.current,
  QSTASH_NEXT_SIGNING_KEY: LOCAL.signingKeys.next,
  SERVICE_NAME: 'Galley',
  CONTACT: 'owner@galley.local',
  // No DNS look-ups: loopback is allowed anyway, and the service must run without internet.
  DNS_QUERY_URL: '',
  SECRETS_KEYS: LOCAL.secretsKeys,
  RECEIPT_KEYS: LOCAL.receiptKeys,
  REQUEST_KEYS: LOCAL.requestKeys,
  MAIL_API_URL: mail.url,
  MAIL_API_KEY: LOCAL_MAIL.key,
  MAIL_FROM: LOCAL_MAIL.from,
  PRIVACY_URL: 'https://galley.example/privacy',
  TERMS_URL: 'https://galley.example/terms',
  SUPPORT_EMAIL: 'support@galley.example',
  STATUS_URL: 'https://status.galley.example',
  DATA_PROCESSORS:
    'cloudflare@this machine,neon@this machine,upstash@this machine,resend@this machine,stripe@this machine',
  MAIL_WEBHOOK_SECRET: LOCAL_MAIL.webhookSecret,
  ALLOW_PRIVATE_HOSTS: 'true',
  ALLOW_TEST_KEYS: 'true',
  RETRY_TIME_SCALE: String(timeScale),
  ...crowdworkVars(crowdwork.apiUrl, accounts),
  ...socialVars(zernio.url, accounts),
  // The cron never rests: tests change rows and dates by SQL, which would not wake it.
  CRON_REST_MINUTES: '0',
  // Logs every read.
  LOG_ONE_READ_IN: '1',
  ...providers.vars,
  TELEGRAM_API_URL: telegram.url,
  INDEXNOW_URL: indexNow.url,
  ...googleVars(google.url, accounts),
  ...stripeVars(stripe.url),
})
