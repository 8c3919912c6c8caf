import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startBrowser } from '../../local/browser/server.ts'
import type { Script } from '../../local/cloudflare/account.ts'
import { startRuntime } from '../../local/cloudflare/runtime.ts'
import { type Cloudflare, newAccount, startCloudflare } from '../../local/cloudflare/server.ts'
import { LOCAL_MAIL, type MailServer, startMail } from '../../local/mail/server.ts'
import { spawnNeon } from '../../local/neon/spawn.ts'
import { type NeonApi, startNeonApi } from '../../local/neon-api/server.ts'
import { type QStash, startQStash } from '../../local/qstash/server.ts'
import { createMemoryStore } from '../../local/redis/memory.ts'
import { startRedis } from '../../local/redis/server.ts'
import { freePort } from '../../local/start/ports.ts'
import { startUpstashApi, type UpstashApi } from '../../local/upstash-api/server.ts'
import { type Ended, runScript } from '../support/command.ts'
import { ownDatabase } from '../support/databases.ts'

const ACCOUNT = 'acc0123456789'

/** Four fresh accounts: Cloudflare, Neon, Upstash Redis and QStash, and a file of settings for them. */
export type Accounts = {
  cloudflare: Cloudflare
  neonApi: NeonApi
  upstashApi: UpstashApi
  qstash: QStash
  mail: MailServer
  databaseUrl: string
  /** The address the gateway gets. */
  publicUrl: string
  settings: Record<string, string>
  /** Addresses of the stand-ins, for commands that query the providers. */
  environment: Record<string, string>
  /** Key with which QStash signs. */
  signingKey: string
  /** The address of a second set of Workers, named staging. */
  stagingUrl: string
  /** Runs `npm run deploy -- …` with the settings, changed as given; an empty text leaves one out. */
  deploy: (args?: string[], changes?: Record<string, string>) => Promise<Ended>
  script: (name: string) => Script | undefined
  /** Adds a Worker to the account, as an earlier deployment left it. */
  addScript: (script: Script) => void
  close: () => Promise<void>
}

const KEYS = { current: 'sig_current_of_the_account', next: 'sig_next_of_the_account' }

/** Mail of the deployment, at the stand-in of Resend. */
const MAIL = { MAIL_FROM: LOCAL_MAIL.from, MAIL_API_KEY: LOCAL_MAIL.key }

const settingsOf = (database: string, redis: string, qstash: string, publicUrl: string): Record<string, string> => ({
  CLOUDFLARE_API_TOKEN: 'cf-token',
  PUBLIC_URL: publicUrl,
  DATABASE_URL: database,
  DATABASE_URL_DIRECT: database,
  NEON_API_KEY: 'neon-key',
  UPSTASH_REDIS_REST_URL: redis,
  UPSTASH_REDIS_REST_TOKEN: 'redis-token',
  UPSTASH_EMAIL: 'op@example.com',
  UPSTASH_API_KEY: 'upstash-key',
  QSTASH_URL: qstash,
  QSTASH_TOKEN: 'qstash-token',
  ...MAIL,
  SECRETS_KEYS: `k1:${Buffer.alloc(32, 7).toString('base64')}`,
  RECEIPT_KEYS: `r1:${Buffer.alloc(32, 8).toString('base64')}`,
  REQUEST_KEYS: `q1:${Buffer.alloc(32, 9).toString('base64')}`,
})

/** Returns the file that `init` writes with values in it, as a person would fill it in. */
export const filledIn = (template: string, values: Record<string, string>): string =>
  Object.entries(values).reduce(
    (text, [name, value]) => text.replace(new RegExp(`^#?${name}=.*$`, 'm'), `${name}='${value}'`),
    template,
  )

/** Returns the stand-ins for a deployment, on the PostgreSQL in DATABASE_URL. */
export const openAccounts = async (): Promise<Accounts> => {
  const dir = mkdtempSync(join(tmpdir(), 'galley-deploy-test-'))
  const database = await ownDatabase()
  const direct = new URL(database.url ?? '')
  direct.password = 'a-password'
  const [neon, redis, qstash, mail, browser, port, stagingPort] = await Promise.all([
    spawnNeon({ port: 0, databaseUrl: direct.href }),
    startRedis({ port: 0, token: 'redis-token', store: createMemoryStore({}) }),
    startQStash({ port: 0, token: 'qstash-token', signingKeys: KEYS }),
    startMail({ port: 0 }),
    startBrowser({ executable: undefined }),
    freePort(),
    freePort(),
  ])
  const runtime = startRuntime({
    dir: join(dir, 'workers'),
    network: {
      NEON_FETCH_ENDPOINT: `${neon.url}/sql`,
      ALLOW_PRIVATE_HOSTS: 'true',
      DNS_QUERY_URL: '',
      MAIL_API_URL: mail.url,
    },
    browserUrl: browser.url,
    ports: { 'galley-gateway': port, 'galley-gateway-staging': stagingPort },
  })
  const zones = [{ id: 'zone1', name: 'example.com', status: 'active' as const }]
  const account = newAccount(ACCOUNT, { subdomain: 'acme', zones })
  const cloudflare = await startCloudflare({ token: 'cf-token', accounts: [account], runtime })
  const neonApi = await startNeonApi({
    key: 'neon-key',
    projects: [
      {
        id: 'quiet-sea-1',
        name: 'galley',
        region_id: 'aws-eu-central-1',
        subscription_type: 'launch_v3',
        branches: [{ id: 'br-main', name: 'main', created_at: new Date().toISOString() }],
        endpoints: [{ id: 'ep-1', host: '127.0.0.1', branch_id: 'br-main' }],
      },
    ],
  })
  const upstashApi = await startUpstashApi({
    email: 'op@example.com',
    key: 'upstash-key',
    databases: [
      {
        database_id: 'd1',
        database_name: 'galley',
        endpoint: '127.0.0.1',
        region: 'global',
        primary_region: 'eu-central-1',
        database_type: 'Pay as You Go',
        state: 'active',
      },
    ],
  })
  const publicUrl = `http://127.0.0.1:${port}`
  const settings = settingsOf(direct.href, redis.url, qstash.url, publicUrl)
  const environment = {
    CLOUDFLARE_API_BASE_URL: cloudflare.url,
    NEON_API_URL: neonApi.url,
    UPSTASH_API_URL: upstashApi.url,
    NEON_FETCH_ENDPOINT: `${neon.url}/sql`,
  }
  const file = join(dir, '.env.production')
  const written = await runScript('scripts/deploy.ts', ['init', '--secrets', file])
  if (written.code !== 0) throw new Error(written.err)
  const template = readFileSync(file, 'utf8')
  const close = async () => {
    await Promise.all([
      cloudflare.close(),
      neonApi.close(),
      upstashApi.close(),
      qstash.close(),
      mail.close(),
      browser.close(),
      redis.close(),
      runtime.close(),
    ])
    await neon.close()
    await database.drop()
    rmSync(dir, { recursive: true, force: true })
  }
  return {
    ...{
      cloudflare,
      neonApi,
      upstashApi,
      qstash,
      mail,
      databaseUrl: direct.href,
      publicUrl,
      settings,
      environment,
      close,
    },
    signingKey: KEYS.current,
    stagingUrl: `http://127.0.0.1:${stagingPort}`,
    deploy: (args = [], changes = {}) => {
      writeFileSync(file, filledIn(template, { ...settings, ...changes }))
      return runScript('scripts/deploy.ts', [...args, '--secrets', file], environment)
    },
    script: (name) => account.scripts.get(name),
    addScript: (script) => account.scripts.set(script.name, script),
  }
}
