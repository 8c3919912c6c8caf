import { type KeyRing, parseKeyRing } from '../lib/crypto.ts'
import { parseLegal } from './legal.ts'
import { baseUrl, matching, number, readEnv, requiredText, text, url } from './read-env.ts'

// Settings are functions, so that a Worker builds only those it reads.

/** Returns the settings of every Worker that uses the database. Names are those of wrangler.toml and of the secrets. */
const Settings = () => ({
  DATABASE_URL: requiredText,
  /** Neon's SQL-over-HTTP address; only set if it is not derived from DATABASE_URL. */
  NEON_FETCH_ENDPOINT: text(''),
  UPSTASH_REDIS_REST_URL: requiredText,
  UPSTASH_REDIS_REST_TOKEN: requiredText,
  /** Address at which people and callers reach the service. */
  PUBLIC_URL: baseUrl(),
  SERVICE_NAME: matching(/^[A-Za-z][A-Za-z0-9-]{0,31}$/, 'Galley'),
  /** `true` allows calls to this machine itself. Only for development. */
  ALLOW_PRIVATE_HOSTS: text(''),
  /** `true` accepts API keys that begin with gly_test_. Never set in production. */
  ALLOW_TEST_KEYS: text(''),
  /** DNS-over-HTTPS resolver that looks up hosts before they are called. Empty: only their names are checked. */
  DNS_QUERY_URL: text(''),
  /** Divisor of the delays between attempts, for development and tests. */
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
  /** Address that is called at named points between two steps, so that a test can end the process there. */
  STEP_HOOK_URL: text(''),
})

/** A Worker: the name of its folder, whether it seals and opens users' secrets, and whether it signs its reads of sites. */
export type WorkerSpec = { name: string; seals?: boolean; signs?: boolean }

/** Returns the sealing keys of a Worker that seals; an empty list for any other. */
const sealingKeys = (env: unknown, { seals }: WorkerSpec): KeyRing =>
  seals ? parseKeyRing(readEnv({ SECRETS_KEYS: requiredText }, env).SECRETS_KEYS) : []

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
    publicUrl: s.PUBLIC_URL,
    serviceName: s.SERVICE_NAME,
    secretsKeys: sealingKeys(env, worker),
    /** Keys that sign requests for pages of sites. */
    requestKeys: worker.signs ? signingKeys(env, 'REQUEST_KEYS') : [],
    allowPrivateHosts: s.ALLOW_PRIVATE_HOSTS === 'true',
    allowTestKeys: s.ALLOW_TEST_KEYS === 'true',
    dnsQueryUrl: s.DNS_QUERY_URL,
    retryTimeScale: s.RETRY_TIME_SCALE,
    cronRestMinutes: s.CRON_REST_MINUTES,
    logOneReadIn: s.LOG_ONE_READ_IN,
    stepHookUrl: s.STEP_HOOK_URL,
    legal: parseLegal(env),
  }
}

/** Parsed settings of a Worker that uses the database. Names end in the unit, if there is one. */
export type Settings = ReturnType<typeof parseSettings>

/** Settings of a Worker that only calls out. */
const OutboundEnv = () => {
  const { SERVICE_NAME, ALLOW_PRIVATE_HOSTS, DNS_QUERY_URL, RETRY_TIME_SCALE } = Settings()
  return { SERVICE_NAME, PUBLIC_URL: baseUrl(''), ALLOW_PRIVATE_HOSTS, DNS_QUERY_URL, RETRY_TIME_SCALE }
}

/** Reads the environment of a Worker that only calls out: no database, no secrets. Throws naming what is malformed. */
export const parseOutboundEnv = (env: unknown) => {
  const m = readEnv(OutboundEnv(), env)
  return {
    serviceName: m.SERVICE_NAME,
    publicUrl: m.PUBLIC_URL,
    allowPrivateHosts: m.ALLOW_PRIVATE_HOSTS === 'true',
    dnsQueryUrl: m.DNS_QUERY_URL,
    retryTimeScale: m.RETRY_TIME_SCALE,
  }
}

/** Settings of a Worker that only passes calls on. */
const Front = () => {
  const { PUBLIC_URL, SERVICE_NAME, ALLOW_TEST_KEYS } = Settings()
  return { PUBLIC_URL, SERVICE_NAME, ALLOW_TEST_KEYS }
}

/** Reads the environment of a Worker that only passes calls on: no database, no secrets. Throws naming what is malformed. */
export const parseFront = (env: unknown) => {
  const f = readEnv(Front(), env)
  return {
    publicUrl: f.PUBLIC_URL,
    serviceName: f.SERVICE_NAME,
    allowTestKeys: f.ALLOW_TEST_KEYS === 'true',
  }
}

const QueueSettings = () => ({
  QSTASH_URL: requiredText,
  QSTASH_TOKEN: requiredText,
  QSTASH_CURRENT_SIGNING_KEY: requiredText,
  QSTASH_NEXT_SIGNING_KEY: requiredText,
})

/** Reads the queue's address, token and signing keys. */
export const parseQueueSettings = (env: unknown) => readEnv(QueueSettings(), env)

/** QStash's address, token and signing keys (https://upstash.com/docs/qstash/howto/signature). */
export type QueueSettings = ReturnType<typeof parseQueueSettings>

/** Reads the address that is called after each minute of work that succeeded. Empty if there is none. */
export const parseHeartbeat = (env: unknown): string => readEnv({ HEARTBEAT_URL: url('') }, env).HEARTBEAT_URL

/** Reads the signing keys of a setting, the first of which signs. Empty if nothing is signed. Throws if one is malformed. */
const signingKeys = (env: unknown, setting: 'RECEIPT_KEYS' | 'REQUEST_KEYS'): KeyRing => {
  const keys = readEnv({ [setting]: text('') }, env)[setting] ?? ''
  return keys === '' ? [] : parseKeyRing(keys, setting)
}

/** Reads the keys that sign receipts. Throws if one is malformed. */
export const parseReceiptKeys = (env: unknown): KeyRing => signingKeys(env, 'RECEIPT_KEYS')
