import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { bundleWorkers, modulesIn, WORKERS } from '../../local/bundle.ts'
import { servingVersion } from '../../local/cloudflare/account.ts'
import { ROOT } from '../../local/root.ts'
import { deployOrder } from '../../local/workers.ts'
import { OPTIONAL_SECRETS } from '../../src/platform/runtime/secrets.ts'
import { type Accounts, openAccounts } from '../deploy/accounts.ts'

// Every upload is a wrangler of its own, which a busy machine is slow to start.
vi.setConfig({ testTimeout: 600_000, hookTimeout: 120_000 })

const ORDER = deployOrder(WORKERS).map(({ script }) => script)
const refusal = { success: false, errors: [{ code: 10021, message: 'no, not now' }], messages: [], result: null }

/** Needs a PostgreSQL of its own: the embedded database serves no migrations over TCP. */
describe.skipIf(!process.env.DATABASE_URL)('npm run deploy, with the real wrangler, against the four accounts', () => {
  let accounts: Accounts
  beforeAll(async () => {
    accounts = await openAccounts()
  })
  afterAll(() => accounts.close())

  const deployed = (): string[] => ORDER.filter((name) => accounts.script(name) !== undefined)
  const uploads = (): string[] =>
    accounts.cloudflare.calls.filter((call) => /^(?:PUT .*\/scripts\/[^/]+|POST .*\/versions)$/.test(call))
  const query = async <Row extends pg.QueryResultRow>(statement: string): Promise<Row[]> => {
    const client = new pg.Client({ connectionString: accounts.databaseUrl })
    await client.connect()
    return (await client.query<Row>(statement).finally(() => client.end())).rows
  }

  it('shows the plan and changes nothing', async () => {
    const ended = await accounts.deploy(['--dry-run'])
    expect(ended).toMatchObject({ code: 0, err: '' })
    expect(ended.out).toContain('Workers Paid')
    expect(ended.out).toContain('plan launch_v3')
    expect(ended.out).toContain('eu-central-1, Pay as You Go')
    expect(ended.out).toMatch(/Migrations {2}0000_init, .*a branch is taken first/)
    expect(ended.out.match(/galley-\w+ +new$/gm)?.map((line) => line.split(' ')[0])).toEqual(ORDER)
    expect(ended.out).not.toMatch(/cf-token|redis-token|qstash-token|a-password|neon-key|upstash-key|k1:/)
    expect(deployed()).toEqual([])
    expect(accounts.neonApi.projects[0]?.branches).toHaveLength(1)
    expect(await query(`select 1 from pg_tables where schemaname = 'public'`)).toEqual([])
  })

  it('says in one line that people cannot sign up, if mail is not set up', async () => {
    const { out } = await accounts.deploy(['--dry-run'], { MAIL_FROM: '', MAIL_API_KEY: '' })
    expect(out).toContain('nobody can sign up: set MAIL_FROM and MAIL_API_KEY, or MAIL_PROVIDER=cloudflare')
  })

  it('stops before any change if an account is wrong, and lists all problems', async () => {
    const ended = await accounts.deploy([], {
      UPSTASH_REDIS_REST_TOKEN: 'another',
      QSTASH_TOKEN: 'another',
      NEON_API_KEY: 'another',
    })
    expect(ended.code).toBe(1)
    expect(ended.err).toContain('3 problems were found. Nothing was changed.')
    expect(ended.err).toContain('Redis refuses UPSTASH_REDIS_REST_TOKEN')
    expect(ended.err).toMatch(/QStash at 127\.0\.0\.1:\d+ answers 401/)
    expect(ended.err).toContain("Neon's API refuses GET")
    const two = new URL(accounts.databaseUrl)
    two.pathname = '/postgres'
    const apart = await accounts.deploy([], { DATABASE_URL_DIRECT: two.href })
    expect(apart.err).toContain('are not the same database')
    expect(deployed()).toEqual([])
  })

  it('stops at a step that fails and continues from there', async () => {
    accounts.neonApi.misbehave([{ path: 'POST', status: 423, answer: { message: 'project is locked' }, times: 1 }])
    const atBranch = await accounts.deploy()
    expect(atBranch).toMatchObject({ code: 1, err: expect.stringContaining('project is locked') })
    expect(await query(`select 1 from pg_tables where schemaname = 'public'`)).toEqual([])

    const middle = ORDER.length >> 1
    for (const at of [0, middle, ORDER.length - 1]) {
      const name = ORDER[at]
      accounts.cloudflare.misbehave([
        { path: `PUT /client/v4/accounts/acc0123456789/workers/scripts/${name}?`, status: 400, answer: refusal },
      ])
      const ended = await accounts.deploy()
      expect(ended.code).toBe(1)
      expect(ended.err).toContain(`Cloudflare did not accept ${name}:`)
      expect(ended.err).toContain('no, not now')
      expect(ended.err).toContain('run the same command again')
      expect(deployed()).toEqual(ORDER.slice(0, at))
    }
    expect(accounts.neonApi.projects[0]?.branches.map(({ name }) => name)).toEqual(['main', 'before-0000_init'])
    accounts.cloudflare.misbehave([])
  })

  it('deploys the rest and proves that an article is published', async () => {
    const before = uploads().length
    const ended = await accounts.deploy()
    expect(ended).toMatchObject({ code: 0, err: '' })
    expect(ended.out).toContain('a signed job arrived through QStash and ran')
    expect(ended.out).toContain('a mail to delivered@resend.dev was accepted')
    expect(accounts.mail.sent('delivered@resend.dev')).toHaveLength(1)
    expect(ended.out).toContain('providers work: browser, redis, qstash, neon, r2')
    expect(ended.out).toMatch(/an article was published, and its page was checked: http/)
    expect(deployed()).toEqual(ORDER)
    // The gateway and the receiver of the test, which is deleted again.
    expect(uploads().length - before).toBe(2)
    expect(accounts.script('galley-receiver')).toBeUndefined()
    const [account] = await query<{ suspended: boolean; keys: string }>(
      `select suspended_at is not null as suspended, (select count(*) from api_keys where revoked_at is null) as keys from accounts`,
    )
    expect(account).toEqual({ suspended: true, keys: '0' })
  })

  it('uploads the files that a Worker imports, byte for byte', async () => {
    const { modules = {} } = servingVersion(accounts.script('galley-cards') ?? expect.fail('no cards')) ?? {}
    const built = join(await bundleWorkers(), 'cards')
    const uploaded = Object.keys(modules).filter((name) => !name.endsWith('.map'))
    expect(uploaded.sort()).toEqual(['index.js', ...modulesIn(built).map(({ name }) => name)].sort())
    for (const { name } of modulesIn(built))
      expect(readFileSync(join(built, name)).equals(modules[name] ?? Buffer.of()), name).toBe(true)
    expect(Object.keys(modules).some((name) => name.endsWith('.wasm'))).toBe(true)
  })

  it('uploads fonts as static assets, byte for byte, and nothing else of their folder', () => {
    const { assets = {}, bindings = [] } =
      servingVersion(accounts.script('galley-cards') ?? expect.fail('no cards')) ?? {}
    expect(bindings).toContainEqual(expect.objectContaining({ type: 'assets', name: 'FONTS' }))
    const folder = join(ROOT, 'functions/cards/fonts')
    const fonts = readdirSync(folder).filter((name) => /\.[ot]tf$/.test(name))
    expect(fonts.length).toBeGreaterThan(20)
    expect(Object.keys(assets).sort()).toEqual([...fonts, 'OFL.txt'].map((name) => `/${name}`).sort())
    for (const name of fonts)
      expect(readFileSync(join(folder, name)).equals(assets[`/${name}`] ?? Buffer.of()), name).toBe(true)
  })

  it('gives each Worker just its secrets, in one version, and its place', () => {
    for (const { folder, script, secrets } of WORKERS) {
      const version = servingVersion(accounts.script(script) ?? expect.fail(script))
      const names = version?.bindings.filter(({ type }) => type === 'secret_text').map(({ name }) => name)
      const wanted = secrets.filter((name) => !OPTIONAL_SECRETS.includes(name) || accounts.settings[name])
      expect(names?.sort(), script).toEqual([...wanted].sort())
      expect(accounts.script(script)?.versions, script).toHaveLength(1)
      expect(accounts.script(script)?.subdomain, script).toEqual({
        enabled: folder === 'gateway',
        previews_enabled: false,
      })
      expect(version?.compatibilityFlags, script).toContain('global_fetch_strictly_public')
    }
    expect(accounts.script('galley-jobs')?.crons).toEqual(['* * * * *'])
  })

  it('limits statements in the database to less than the Workers’ time limit', async () => {
    expect(await query('show statement_timeout')).toEqual([{ statement_timeout: '9s' }])
  })

  it('has nothing to do a second time', async () => {
    const before = uploads().length
    const ended = await accounts.deploy(['--no-proof'])
    expect(ended.code).toBe(0)
    expect(ended.out.match(/in place/g)).toHaveLength(ORDER.length)
    expect(uploads().length).toBe(before)
  })

  it('returns to the previous release, callers first, and forward again', async () => {
    expect((await accounts.deploy(['rollback'])).err).toContain('so there is none to return to')
    const changed = {
      WRITER_API_KEY: 'a-key',
      SECRETS_KEYS: `k2:${Buffer.alloc(32, 9).toString('base64')},${accounts.settings.SECRETS_KEYS}`,
    }
    expect((await accounts.deploy(['--no-proof'], changed)).code).toBe(0)
    const after = accounts.cloudflare.calls.length
    const ended = await accounts.deploy(['rollback'])
    expect(ended).toMatchObject({ code: 0, err: '' })
    const back = accounts.cloudflare.calls
      .slice(after)
      .flatMap((call) => /POST .*scripts\/([^/]+)\/deployments$/.exec(call)?.[1] ?? [])
    expect(back).toEqual([...ORDER].reverse().filter((name) => (accounts.script(name)?.versions.length ?? 0) > 1))
    for (const name of ORDER) expect(servingVersion(accounts.script(name) ?? expect.fail(name))?.number, name).toBe(1)
    expect((await accounts.deploy(['--no-proof'])).out.match(/in place/g)).toHaveLength(ORDER.length)
  })

  it('asks each configured provider from the Workers, and exits with 1 if one fails', async () => {
    const well = await accounts.deploy(['check-providers'])
    expect(well).toMatchObject({ code: 0, err: '' })
    for (const name of ['mail', 'browser', 'redis', 'qstash', 'neon', 'r2'])
      expect(well.out).toMatch(new RegExp(`✓ ${name} +\\d+ ms`))
    accounts.mail.faults.set([{ path: '/emails', status: 403 }])
    const ill = await accounts.deploy(['check-providers', '--only', 'mail'])
    accounts.mail.faults.set([])
    expect(ill.code).toBe(1)
    expect(ill.out).toMatch(/✗ mail +\d+ ms .*refused: invalid_api_key\n +See docs\/operations\/runbook.md/)
    expect((await accounts.deploy(['check-providers', '--only', 'stripe'])).err).toContain('stripe is not configured')
  })

  it('shows versions, migration and work', async () => {
    await query(`insert into outbox (job, key, payload, run_at, dead_at) values ('x', 'late', '{}', now() - interval '1 hour', null),
      ('x', 'dead', '{}', now(), now())`)
    accounts
      .script('galley-jobs')
      ?.cronRuns.unshift({ datetime: new Date(Date.now() - 42_000).toISOString(), status: 'success' })
    const ended = await accounts.deploy(['status'])
    expect(ended).toMatchObject({ code: 0, err: '' })
    expect(ended.out).toMatch(/galley-gateway +version \d+, release \d{8}T\d{6}Z/)
    expect(ended.out).toMatch(/Migration +\d{4}_\w+\n/)
    expect(ended.out).toMatch(/1 rows late by more than 2 minutes; the oldest due row waits for 36\d\d s/)
    expect(ended.out).toContain('1 rows in all, 1 of them in the last day')
    expect(ended.out).toMatch(/Clock +ran (?:4[2-9]|[5-9]\d) s ago, success/)
    expect(ended.out).toContain('people can sign up: yes')
    expect(ended.out).toContain('Ready       200')
    const mute = await accounts.deploy(['status'], { MAIL_FROM: '', MAIL_API_KEY: '' })
    expect(mute.out).toMatch(
      /people can sign up: no, because .*set MAIL_FROM and MAIL_API_KEY, or MAIL_PROVIDER=cloudflare/,
    )
  })
})
