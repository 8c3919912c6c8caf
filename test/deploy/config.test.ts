import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WORKERS } from '../../local/bundle.ts'
import { type Cloudflare, newAccount, startCloudflare } from '../../local/cloudflare/server.ts'
import { ROOT } from '../../local/root.ts'
import type { WorkerConfig } from '../../local/workers.ts'
import { type Account, openAccount } from '../../scripts/deploy/access.ts'
import { publicAddress } from '../../scripts/deploy/address.ts'
import { checkDatabase, databaseRegion, directUrl } from '../../scripts/deploy/checks/database.ts'
import { checkDomain } from '../../scripts/deploy/checks/domain.ts'
import { mailFindings } from '../../scripts/deploy/checks/mail.ts'
import { queueRegion } from '../../scripts/deploy/checks/queue.ts'
import { cloudflareApi } from '../../scripts/deploy/cloudflare.ts'
import { wranglerConfig } from '../../scripts/deploy/config.ts'
import { environmentNamed } from '../../scripts/deploy/environment.ts'
import { writeSettingsFile } from '../../scripts/deploy/init.ts'
import { neonFindings, regionFindings } from '../../scripts/deploy/plan.ts'
import { waitUntilReady } from '../../scripts/deploy/proof/ready.ts'
import { isNearDatabase } from '../../scripts/deploy/secrets.ts'
import { readSettings, type Settings } from '../../scripts/deploy/settings.ts'
import { SECRET_NAMES } from '../../src/platform/runtime/secrets.ts'

const worker = (folder: string): WorkerConfig => WORKERS.find((one) => one.folder === folder) ?? expect.fail(folder)

const configOf = (folder: string, publicUrl: string, environment = 'production', vars: Record<string, string> = {}) =>
  wranglerConfig(
    worker(folder),
    { environment, accountId: 'acc', publicUrl, region: 'aws:eu-central-1' },
    { main: '/built/index.js', vars: { PUBLIC_URL: publicUrl, ...vars }, nearDatabase: isNearDatabase(worker(folder)) },
  )

describe('the configuration for wrangler', () => {
  it('has the Email Service if it sends the mails, and not otherwise', () => {
    const address = 'https://api.example.com'
    const chosen = configOf('jobs', address, 'production', { MAIL_PROVIDER: 'cloudflare' })
    expect(chosen).toMatchObject({ send_email: [{ name: 'EMAIL' }] })
    expect(configOf('jobs', address, 'production', { MAIL_PROVIDER: 'resend' })).not.toHaveProperty('send_email')
  })

  it.each([
    [{}, 'nobody can sign up: set MAIL_FROM and MAIL_API_KEY, or MAIL_PROVIDER=cloudflare'],
    [{ MAIL_FROM: 'a@b.example' }, 'nobody can sign up: MAIL_FROM is set and MAIL_API_KEY is not'],
    [{ MAIL_API_KEY: 'key' }, 'nobody can sign up: MAIL_API_KEY is set and MAIL_FROM is not'],
    [
      { MAIL_PROVIDER: 'cloudflare' },
      'nobody can sign up: set MAIL_FROM to an address of a domain in the Cloudflare account',
    ],
    [{ MAIL_PROVIDER: 'cloudflare', MAIL_FROM: 'a@b.example' }, undefined],
    [{ MAIL_FROM: 'a@b.example', MAIL_API_KEY: 'key', MAIL_WEBHOOK_SECRET: 'whsec_a' }, undefined],
    [
      { MAIL_FROM: 'a@b.example', MAIL_API_KEY: 'key' },
      'nobody learns that mails to a person do not arrive: set MAIL_WEBHOOK_SECRET (deploy.md, "Mails that do not arrive")',
    ],
  ])(
    '%j: the plan says whether people can sign up, and whether it learns of mails that do not arrive',
    (mail, warning) => {
      expect(mailFindings(mail as Settings).warnings).toEqual(warning === undefined ? [] : [warning])
    },
  )

  it('has the address as a custom domain, and no second one on workers.dev', () => {
    const config = configOf('gateway', 'https://api.example.com')
    expect(config).toMatchObject({
      name: 'galley-gateway',
      workers_dev: false,
      routes: [{ pattern: 'api.example.com', custom_domain: true }],
    })
    expect(configOf('jobs', 'https://api.example.com')).toMatchObject({ workers_dev: false })
    expect(configOf('jobs', 'https://api.example.com')).not.toHaveProperty('routes')
  })

  it('is on workers.dev when that is the address', () => {
    const config = configOf('gateway', 'https://galley-gateway.acme.workers.dev')
    expect(config).toMatchObject({ workers_dev: true })
    expect(config).not.toHaveProperty('routes')
  })

  it('places Workers with database queries near the database, and keeps the settings of the file', () => {
    expect(configOf('jobs', 'https://api.example.com')).toMatchObject({
      placement: { region: 'aws:eu-central-1' },
      triggers: { crons: ['* * * * *'] },
      compatibility_flags: ['global_fetch_strictly_public', 'nodejs_als'],
      observability: { logs: { invocation_logs: false } },
      main: '/built/index.js',
      no_bundle: true,
    })
    expect(configOf('mcp', 'https://api.example.com')).toMatchObject({ placement: { region: 'aws:eu-central-1' } })
    for (const folder of ['gateway', 'docs', 'cms', 'texts'])
      expect(configOf(folder, 'https://api.example.com'), folder).not.toHaveProperty('placement')
  })

  it('has a bucket for hosted images per environment', () => {
    const buckets = (environment: string) => configOf('media', 'https://api.example.com', environment).r2_buckets
    expect(buckets('production')).toEqual([{ binding: 'MEDIA_BUCKET', bucket_name: 'galley-media' }])
    expect(buckets('staging')).toEqual([{ binding: 'MEDIA_BUCKET', bucket_name: 'galley-media-staging' }])
  })

  it('binds Workers and counts limits of the same environment', () => {
    const config = configOf('jobs', 'https://api.example.com', 'staging')
    expect(config).toMatchObject({
      name: 'galley-jobs-staging',
      services: [
        { binding: 'WRITER', service: 'galley-writer-staging' },
        { binding: 'CARDS', service: 'galley-cards-staging' },
        { binding: 'CMS', service: 'galley-cms-staging' },
        { binding: 'BROWSER', service: 'galley-browser-staging' },
        { binding: 'TEXTS', service: 'galley-texts-staging' },
        { binding: 'PLACED', service: 'galley-jobs-staging' },
      ],
    })
    expect(configOf('mcp', 'https://api.example.com', 'staging').services).toContainEqual({
      binding: 'OAUTH',
      service: 'galley-oauth-staging',
      entrypoint: 'internal',
    })
    const limits = (environment: string) =>
      JSON.stringify(configOf('gateway', 'https://a.example.com', environment).ratelimits)
    expect(configOf('gateway', 'https://a.example.com').ratelimits).toEqual([
      { name: 'ADDRESS_LIMIT', namespace_id: '1001', simple: { limit: 1_200, period: 60 } },
      { name: 'NETWORK_LIMIT', namespace_id: '1002', simple: { limit: 6_000, period: 60 } },
    ])
    expect(new Set([limits('production'), limits('staging'), limits('test')]).size).toBe(3)
    expect(() => environmentNamed('Staging!')).toThrow('not a valid name')
  })

  it('names no address of its own', () => {
    for (const { vars, config } of WORKERS) expect(Object.keys(vars), config).not.toContain('PUBLIC_URL')
  })
})

describe('the page on rotating secrets', () => {
  const page = readFileSync(join(ROOT, 'docs/operations/secrets.md'), 'utf8')
  // Values that QStash provides are in a row with another name. Addresses and ids are no secrets.
  const others = [/^QSTASH_(CURRENT|NEXT)_SIGNING_KEY$/, /^(QSTASH|UPSTASH_REDIS_REST)_URL$/, /^GOOGLE_CLIENT_ID$/]
  const names = SECRET_NAMES.filter((name) => !others.some((one) => one.test(name)))

  it.each(names)('says how %s is changed', (name) => {
    expect(page).toMatch(new RegExp(`^\\| [^|]*\`${name}\`[^|]* \\| .{20,} \\|$`, 'm'))
  })
})

describe('regions and hosts', () => {
  it('are read from the addresses', () => {
    const pooled = 'postgresql://u:p@ep-cool-rain-1-pooler.eu-central-1.aws.neon.tech/db?sslmode=require'
    expect(databaseRegion(pooled)).toBe('aws:eu-central-1')
    expect(databaseRegion('postgresql://u:p@ep-1.westus3.azure.neon.tech/db')).toBe('azure:westus3')
    expect(databaseRegion('postgresql://u:p@db.example.com/db')).toBeUndefined()
    expect(directUrl({ DATABASE_URL: pooled } as Settings)).toBe(pooled.replace('-pooler', ''))
    expect(queueRegion('https://qstash.upstash.io')).toBe('eu-central-1')
    expect(queueRegion('https://qstash-us-east-1.upstash.io')).toBe('us-east-1')
  })
})

describe('warnings before a deployment about later limits', () => {
  const NEON = 'eu-central-1.aws.neon.tech/db'

  it.each([
    [
      'a string for the Workers that is not pooled',
      `postgresql://u:p@ep-1.${NEON}`,
      undefined,
      'is not the pooled host',
    ],
    [
      'a pooled string for migrations',
      `postgresql://u:p@ep-1-pooler.${NEON}`,
      `postgresql://u:p@ep-1-pooler.${NEON}`,
      'names the pooled host',
    ],
  ])('%s', async (_, url, direct, reason) => {
    const settings = { DATABASE_URL: url, DATABASE_URL_DIRECT: direct } as Settings
    await expect(checkDatabase(settings, {})).rejects.toThrow(reason)
  })

  it("Neon's free plan, which ends before the month", () => {
    const on = (plan: string) => neonFindings({ projectId: 'p', branchId: 'b', plan }).warnings
    expect(on('free_v3').join()).toContain('Take Launch')
    expect(on('launch_v3')).toEqual([])
  })

  it('one names a database and a queue with an ocean between', () => {
    const to = (queue: string) =>
      regionFindings({ DATABASE_URL: `postgresql://u:p@ep-1-pooler.${NEON}`, QSTASH_URL: queue } as Settings).warnings
    expect(to('https://qstash-us-east-1.upstash.io').join()).toContain('cross an ocean')
    expect(to('https://qstash.upstash.io')).toEqual([])
  })

  it('one names a zone with Bot Fight Mode', async () => {
    const zone = createServer((_, res) => res.writeHead(403).end())
    await new Promise<void>((resolve) => zone.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(zone.address() as AddressInfo).port}`
    await expect(waitUntilReady(url, () => {}, 0)).rejects.toMatchObject({
      remedy: expect.stringContaining('Bot Fight Mode'),
    })
    zone.close()
  })

  it('a token of several accounts without CLOUDFLARE_ACCOUNT_ID', async () => {
    const accounts = [newAccount('acc1'), newAccount('acc2')]
    const several = await startCloudflare({ token: 'token', accounts })
    const env = { CLOUDFLARE_API_BASE_URL: several.url }
    await expect(openAccount({ CLOUDFLARE_API_TOKEN: 'token' }, env)).rejects.toMatchObject({
      remedy: expect.stringMatching(/CLOUDFLARE_ACCOUNT_ID to one of:\n {2}acc1 .*\n {2}acc2 /),
    })
    const named = { CLOUDFLARE_API_TOKEN: 'token', CLOUDFLARE_ACCOUNT_ID: 'acc2' }
    expect(await openAccount(named, env)).toMatchObject({ id: 'acc2' })
    await several.close()
  })
})

describe('the file of settings', () => {
  const dir = mkdtempSync(join(tmpdir(), 'galley-init-'))
  afterAll(() => rmSync(dir, { recursive: true, force: true }))

  it('is written once, for this user only, and asks for what is missing', () => {
    const file = join(dir, '.env.production')
    writeSettingsFile(file)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readFileSync(file, 'utf8')).toMatch(/^SECRETS_KEYS=k1:[A-Za-z0-9+/]{43}=$/m)
    expect(() => readSettings(file, true, {})).toThrow(
      'Not set: DATABASE_URL, UPSTASH_REDIS_REST_URL, UPSTASH_REDIS_REST_TOKEN, QSTASH_URL, QSTASH_TOKEN.',
    )
    expect(() => writeSettingsFile(file)).toThrow('exists already')
  })
})

describe('the address', () => {
  const OPEN = { browserCheck: 'off', aiBots: 'disabled', fightMode: false } as const
  let cloudflare: Cloudflare
  let account: Account
  const state = newAccount('acc', {
    subdomain: 'acme',
    zones: [
      { id: 'z1', name: 'example.com', status: 'active', settings: OPEN },
      {
        id: 'z3',
        name: 'shut.example',
        status: 'active',
        settings: { browserCheck: 'on', aiBots: 'block', fightMode: true },
      },
      { id: 'z4', name: 'unseen.example', status: 'active' },
      { id: 'z2', name: 'pending.example', status: 'pending' },
    ],
    domains: [{ id: 'd', hostname: 'taken.example.com', service: 'a-shop', zone_id: 'z1', zone_name: 'example.com' }],
    records: ['www.example.com'],
  })
  beforeAll(async () => {
    cloudflare = await startCloudflare({ token: 'token', accounts: [state] })
    account = { cf: cloudflareApi(cloudflare.url, 'token'), access: { token: 'token' }, id: 'acc' }
  })
  afterAll(() => cloudflare.close())

  it('is the one on workers.dev unless another is given', async () => {
    const own = 'https://galley-gateway.acme.workers.dev'
    expect(await publicAddress(undefined, 'production', account)).toBe(own)
    expect(await publicAddress(undefined, 'staging', account)).toBe('https://galley-gateway-staging.acme.workers.dev')
    expect(await publicAddress('https://api.example.com/', 'production', account)).toBe('https://api.example.com')
    await expect(publicAddress('https://other.acme.workers.dev', 'production', account)).rejects.toThrow(own)
    await expect(publicAddress('http://api.example.com', 'production', account)).rejects.toThrow('not an https address')
    await expect(publicAddress('https://api.example.com/v1', 'production', account)).rejects.toThrow('without a path')
  })

  it.each([
    ['https://taken.example.com', 'the domain of another Worker, a-shop'],
    ['https://www.example.com', 'already has DNS records'],
    ['https://api.elsewhere.example', 'The account has no zone for'],
    ['https://api.pending.example', 'is pending'],
  ])('%s is refused before wrangler would replace it: %s', async (url, reason) => {
    await expect(checkDomain(account, url, 'galley-gateway')).rejects.toThrow(reason)
  })

  it('passes when it is free, or the gateway has it', async () => {
    expect(await checkDomain(account, 'https://api.example.com', 'galley-gateway')).toMatchObject({ warnings: [] })
    expect(await checkDomain(account, 'https://taken.example.com', 'a-shop')).toMatchObject({ warnings: [] })
  })

  it('is warned of settings of its zone that refuse agents, each with what to do', async () => {
    const { warnings } = await checkDomain(account, 'https://api.shut.example', 'galley-gateway')
    expect(warnings).toEqual([
      expect.stringMatching(/Browser Integrity Check is on in shut.example.*Hostname equals api.shut.example/),
      expect.stringMatching(/"Block AI bots" is on in shut.example.*Switch it off/),
      expect.stringMatching(/Bot Fight Mode is on in shut.example.*Switch it off/),
    ])
  })

  it('is said to be unchecked if the token may not read the settings of its zone', async () => {
    const { warnings } = await checkDomain(account, 'https://api.unseen.example', 'galley-gateway')
    expect(warnings).toEqual([expect.stringMatching(/lacks Zone Settings Read and Bot Management Read/)])
  })

  it('requires a workers.dev subdomain', async () => {
    state.subdomain = undefined
    await expect(publicAddress(undefined, 'production', account)).rejects.toThrow('no workers.dev subdomain')
  })
})
