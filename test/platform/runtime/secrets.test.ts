import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { WORKERS } from '../../../local/bundle.ts'
import { ROOT } from '../../../local/root.ts'
import { varsOf } from '../../../scripts/deploy/secrets.ts'
import { SETTINGS, type Settings } from '../../../scripts/deploy/settings.ts'
import { base64 } from '../../../src/platform/lib/crypto.ts'
import { OPTIONAL_SECRETS, SECRET_NAMES, settingsFor } from '../../../src/platform/runtime/secrets.ts'

type Entry = { default: { fetch: (request: Request, env: unknown, ctx: unknown) => unknown } }

const NAMES: readonly string[] = SECRET_NAMES

const FOLDERS = WORKERS.map(({ folder }) => folder)

const workerIn = (folder: string) => WORKERS.find((one) => one.folder === folder) ?? expect.fail(folder)
const secretsOf = (folder: string) => workerIn(folder).secrets

const VARIABLES: Record<string, string> = {
  PUBLIC_URL: 'https://api.example',
  SERVICE_NAME: 'Galley',
  WRITER_PROVIDER: 'anthropic',
  WRITER_MODEL: 'a-model',
  MAIL_PROVIDER: 'resend',
}

/** Settings of a deployment that are no secrets. */
const PLAIN = Object.keys(SETTINGS).filter((name) => !NAMES.includes(name))

/** A value for each of them. */
const SET: Record<string, string> = {
  ...Object.fromEntries(PLAIN.map((name) => [name, `a-${name}`])),
  ...VARIABLES,
  LOG_ONE_READ_IN: '10',
  CRON_REST_MINUTES: '60',
  WRITER_BASE_URL: 'https://model.example/v1',
  IMAGES_PROVIDER: 'openai-compatible',
  IMAGES_BASE_URL: 'https://model.example/v1',
  IMAGES_SIZE: '1536x1024',
  STRIPE_AUTOMATIC_TAX: 'true',
  PRIVACY_URL: 'https://api.example/privacy',
  TERMS_URL: 'https://api.example/terms',
  STATUS_URL: 'https://status.example',
  SUPPORT_EMAIL: 'support@api.example',
}

const VALUES: Record<string, string> = {
  DATABASE_URL: 'postgresql://user:password@db.example/galley',
  UPSTASH_REDIS_REST_URL: 'https://redis.example',
  UPSTASH_REDIS_REST_TOKEN: 'redis-token',
  SECRETS_KEYS: `k1:${base64(new Uint8Array(32))}`,
  QSTASH_URL: 'https://queue.example',
  QSTASH_TOKEN: 'queue-token',
  QSTASH_CURRENT_SIGNING_KEY: 'current',
  QSTASH_NEXT_SIGNING_KEY: 'next',
  WRITER_API_KEY: 'model-key',
  IMAGES_API_KEY: 'image-key',
  HEARTBEAT_URL: 'https://heartbeat.example/check',
  YOUTUBE_API_KEY: 'video-key',
  RECEIPT_KEYS: `r1:${base64(new Uint8Array(32))}`,
  REQUEST_KEYS: `q1:${base64(new Uint8Array(32))}`,
  SOCIAL_API_KEY: 'social-key',
  CROWDWORK_API_KEY: 'crowdwork-key',
  MAIL_API_KEY: 'mail-key',
  STRIPE_SECRET_KEY: 'sk_key',
  MAIL_WEBHOOK_SECRET: 'whsec_mail',
  STRIPE_WEBHOOK_SECRET: 'whsec_key',
  DATAFORSEO_LOGIN: 'me@shop.example',
  DATAFORSEO_PASSWORD: 'data-password',
  GOOGLE_CLIENT_ID: 'google-client',
  GOOGLE_CLIENT_SECRET: 'google-secret',
}

/** Returns a Worker's entry as it is deployed. */
const entryOf = async (worker: string): Promise<Entry['default']> => {
  const file = pathToFileURL(join(ROOT, 'functions', worker, 'index.ts')).href
  return ((await import(/* @vite-ignore */ file)) as Entry).default
}

/** Sends a request for an unknown path, with an environment that records which settings and secrets are read. */
const readsOf = async (entry: Entry['default'], env: Record<string, string>): Promise<string[]> => {
  const read = new Set<string>()
  const noting = new Proxy(env, {
    get: (target, name) => {
      if (typeof name === 'string' && name in SETTINGS) read.add(name)
      return Reflect.get(target, name)
    },
  })
  const context = { waitUntil: () => {}, passThroughOnException: () => {} }
  await entry.fetch(new Request('https://api.example/nowhere', { method: 'POST', body: '{}' }), noting, context)
  return [...read].sort()
}

// A Worker that another file has called keeps the settings it read then.
beforeAll(() => {
  vi.resetModules()
})

describe('the declared secrets', () => {
  it('has a value here for every secret', () => {
    expect([...NAMES].sort()).toEqual(Object.keys(VALUES).sort())
    expect([...new Set(FOLDERS.flatMap(secretsOf))].sort()).toEqual([...NAMES].sort())
  })

  it.each(FOLDERS)('names exactly what %s reads, and a deployment sets what else it reads', async (worker) => {
    const reads = await readsOf(await entryOf(worker), { ...SET, ...VALUES })
    const isSecret = (name: string): boolean => NAMES.includes(name)
    expect(reads.filter(isSecret)).toEqual([...secretsOf(worker)].sort())
    const vars = varsOf(workerIn(worker), { ...SET, ...VALUES } as Settings, 'https://api.example')
    expect(Object.keys(vars)).toEqual(expect.arrayContaining(reads.filter((name) => !isSecret(name))))
  })

  it.each(['browser', 'cards', 'cms', 'gateway', 'mcp', 'texts'])('gives %s none', (worker) =>
    expect(secretsOf(worker)).toEqual([]),
  )

  it('gives the sealing keys only to Workers that seal or open', () => {
    const holders = FOLDERS.filter((worker) => (secretsOf(worker) as readonly string[]).includes('SECRETS_KEYS'))
    const sealing = ['articles', 'insights', 'jobs', 'oauth', 'pages', 'projects', 'publishing', 'reach', 'research']
    expect(holders.sort()).toEqual([...sealing, 'suggestions'])
  })

  it('keeps the database and the sealing keys from the Workers that handle foreign content', () => {
    expect(Object.keys(settingsFor(secretsOf('writer'), { ...VARIABLES, ...VALUES })).sort()).toEqual(
      [...Object.keys(VARIABLES), 'WRITER_API_KEY', 'IMAGES_API_KEY'].sort(),
    )
    expect(settingsFor(secretsOf('cms'), { ...VARIABLES, ...VALUES })).toEqual(VARIABLES)
  })
})

describe('a Worker without one of its secrets', () => {
  const needed = FOLDERS.flatMap((worker) =>
    secretsOf(worker)
      .filter((name) => !OPTIONAL_SECRETS.includes(name))
      .map((name) => [worker, name] as const),
  )
  it.each(needed)('%s says that %s is missing', async (worker, name) => {
    const { [name]: _, ...others } = VALUES
    const { parseQueueSettings, parseSettings } = await import('../../../src/platform/runtime/env.ts')
    const start = () => {
      const env = { ...VARIABLES, ...settingsFor(secretsOf(worker), others) }
      parseSettings(env, { name: worker, seals: secretsOf(worker).includes('SECRETS_KEYS') })
      if (worker === 'jobs') parseQueueSettings(env)
    }
    expect(start).toThrow(`Configuration is missing or malformed: ${name}`)
  })
})
