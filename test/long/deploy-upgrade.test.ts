import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { WORKERS } from '../../local/bundle.ts'
import { addDeployment, newScript, type Script, servingVersion } from '../../local/cloudflare/account.ts'
import { readMigrations } from '../../local/migrations.ts'
import { ROOT } from '../../local/root.ts'
import { deployOrder } from '../../local/workers.ts'
import { messageOf } from '../../scripts/deploy/release.ts'
import { type Accounts, openAccounts } from '../deploy/accounts.ts'

// Every upload is a wrangler of its own, which a busy machine is slow to start.
vi.setConfig({ testTimeout: 600_000, hookTimeout: 120_000 })

const RELEASE = join(ROOT, 'test/releases/0.3.0')

/** Worker of the earlier release: the Workers that it calls, with `#` before an entrypoint, and its secrets. */
type Earlier = { calls: string[]; secrets: string[] }

const EARLIER = JSON.parse(readFileSync(join(RELEASE, 'workers.json'), 'utf8')) as Record<string, Earlier>
const ORDER = deployOrder(WORKERS).map(({ script }) => script)
const RETIRED = Object.keys(EARLIER).filter((name) => !ORDER.includes(name))

const CODE =
  "const answer = () => new Response('0.3.0')\nexport default { fetch: answer }\nexport const internal = { fetch: answer }\n"

/** Returns a Worker as the earlier release deployed it. Its code only answers with the number of the release. */
const earlierScript = (name: string, { calls, secrets }: Earlier): Script => {
  const script = newScript(name)
  const annotations = {
    'workers/message': messageOf({ at: '20261101T000000Z', hash: '0'.repeat(16) }, '0.3.0'),
    'workers/tag': 'g-0000000000000000',
  }
  const version = {
    id: randomUUID(),
    number: 1,
    createdAt: '2026-11-01T00:00:00.000Z',
    annotations,
    bindings: [
      ...calls.map((call, n) => {
        const [service = '', entrypoint] = call.split('#')
        return { type: 'service', name: `CALL_${n}`, service, ...(entrypoint === undefined ? {} : { entrypoint }) }
      }),
      ...secrets.map((secret) => ({ type: 'secret_text', name: secret, text: 'a secret' })),
    ],
    modules: { 'index.js': Buffer.from(CODE) },
    mainModule: 'index.js',
    compatibilityDate: '2026-11-01',
    compatibilityFlags: [],
    placement: undefined,
    assets: {},
  }
  script.versions.push(version)
  addDeployment(script, [{ version_id: version.id, percentage: 100 }], annotations)
  script.subdomain = { enabled: name === 'galley-gateway', previews_enabled: false }
  script.crons = name === 'galley-jobs' ? ['* * * * *'] : []
  return script
}

/** Needs a PostgreSQL of its own: the embedded database serves no migrations over TCP. */
describe.skipIf(!process.env.DATABASE_URL)('npm run deploy, in an account that has release 0.3.0', () => {
  let accounts: Accounts
  beforeAll(async () => {
    accounts = await openAccounts()
    const client = new pg.Client({ connectionString: accounts.databaseUrl })
    await client.connect()
    await client.query(readFileSync(join(RELEASE, 'schema.sql'), 'utf8')).finally(() => client.end())
    for (const [name, earlier] of Object.entries(EARLIER)) accounts.addScript(earlierScript(name, earlier))
  })
  afterAll(() => accounts?.close())

  const serving = (name: string): number | undefined =>
    servingVersion(accounts.script(name) ?? expect.fail(`${name} is gone`))?.number
  /** Returns the names of retired Workers in the order in which the plan deletes them. */
  const toDelete = (plan: string): string[] =>
    /^Unused +([^:]+): .*npx wrangler delete --name NAME$/m.exec(plan)?.[1]?.split(', ') ?? []

  it('plans the migrations since, new versions of its Workers, and names those that nothing calls any more', async () => {
    expect(Object.keys(EARLIER)).toHaveLength(28)
    const ended = await accounts.deploy(['--dry-run'])
    expect(ended).toMatchObject({ code: 0, err: '' })
    const [, ...since] = readMigrations().map(({ tag }) => tag)
    expect(ended.out).toContain(`Migrations  ${since.join(', ')}; a branch is taken first`)
    expect(ended.out.match(/galley-\w+ +new version(?:; loses .*)?$/gm)?.map((line) => line.split(' ')[0])).toEqual(
      ORDER,
    )
    expect(toDelete(ended.out).sort()).toEqual([...RETIRED].sort())
    expect(ORDER.map(serving)).toEqual(ORDER.map(() => 1))
  })

  it('applies them, serves every Worker’s new version, and proves that an article is published', async () => {
    const ended = await accounts.deploy()
    expect(ended).toMatchObject({ code: 0, err: '' })
    expect(ended.out).toMatch(/an article was published, and its page was checked: http/)
    for (const name of ORDER) expect(serving(name), name).toBeGreaterThan(1)
    for (const name of RETIRED) expect(serving(name), name).toBe(1)
  })

  it('has nothing to do afterwards, and still names the Workers to delete', async () => {
    const ended = await accounts.deploy(['--dry-run'])
    expect(ended.out).toContain('Migrations  none')
    expect(ended.out.match(/in place$/gm)).toHaveLength(ORDER.length)
    expect(toDelete(ended.out)).toHaveLength(RETIRED.length)
  })

  it('returns to the earlier release, as long as its Workers are kept, and forward again', async () => {
    expect(await accounts.deploy(['rollback'])).toMatchObject({ code: 0, err: '' })
    expect(await (await fetch(`${accounts.publicUrl}/`)).text()).toBe('0.3.0')
    expect(await accounts.deploy(['--no-proof'])).toMatchObject({ code: 0, err: '' })
  })

  it('lets the Workers be deleted in the named order, none while another is bound to it', async () => {
    for (const name of toDelete((await accounts.deploy(['--dry-run'])).out)) {
      const path = `/accounts/acc0123456789/workers/scripts/${name}`
      const answer = await fetch(`${accounts.environment.CLOUDFLARE_API_BASE_URL}${path}`, {
        method: 'DELETE',
        headers: { authorization: 'Bearer cf-token' },
      })
      expect(await answer.json(), name).toMatchObject({ success: true })
    }
    expect((await accounts.deploy(['--dry-run'])).out).not.toContain('Unused')
  })
})
