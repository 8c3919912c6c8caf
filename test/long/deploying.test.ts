import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { signDelivery } from '../../local/qstash/signature.ts'
import { type RunningReceiver, startReceiver } from '../../local/receiver/server.ts'
import { ROOT } from '../../local/root.ts'
import { type Accounts, filledIn, openAccounts } from '../deploy/accounts.ts'

vi.setConfig({ testTimeout: 900_000, hookTimeout: 120_000 })

/** Returns the part of a document below a heading of the second level. */
const sectionOf = (document: string, heading: string): string =>
  readFileSync(join(ROOT, document), 'utf8').split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? ''

/** Returns the commands of a section in printed order. */
const commandsIn = (section: string): string[] =>
  [...section.matchAll(/`((?:DATABASE_URL=\S+ )?npm run [^`]+)`/g)].map(([, command = '']) => command)

const COMMANDS = commandsIn(sectionOf('docs/operations/deploy.md', 'A first deployment'))

/** A command, its exit code, its output, and the person's next action. */
type Step = { command: string; code: number; says: RegExp; next?: (out: string) => void }
type Ended = { code: number | null; out: string }

/**
 * Tests the commands of deploy.md for a person with four new accounts: in printed order, on a fresh clone.
 *
 * It runs the real wrangler against stand-ins of the providers.
 */
describe.skipIf(!process.env.DATABASE_URL)('deploying as the documents say', () => {
  const home = mkdtempSync(join(tmpdir(), 'galley-deploying-'))
  const clone = join(home, 'galley')
  let accounts: Accounts
  let receiver: RunningReceiver
  let key = ''

  beforeAll(async () => {
    const { status, stderr } = spawnSync('git', ['clone', '--quiet', ROOT, clone], { encoding: 'utf8' })
    if (status !== 0) throw new Error(stderr)
    // `npm run test:docs` tests the installation.
    symlinkSync(join(ROOT, 'node_modules'), join(clone, 'node_modules'))
    appendFileSync(join(clone, '.git/info/exclude'), 'node_modules\n')
    accounts = await openAccounts()
    receiver = await startReceiver({ port: 0, token: 'my-token' })
  })
  afterAll(async () => {
    await accounts?.close()
    await receiver?.close()
    rmSync(home, { recursive: true, force: true })
  })

  /** A terminal in the clone that knows the providers' addresses and nothing else of these tests. */
  const sh = async (script: string): Promise<Ended> => {
    const own = Object.entries(process.env).filter(
      ([name]) => !/^(npm_|VITEST|DATABASE_URL$|REDIS_URL$|NODE_|CI$)/.test(name),
    )
    const env = { ...Object.fromEntries(own), ...accounts.environment }
    const child = spawn('bash', ['-c', script], { cwd: clone, env })
    let out = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (out += chunk))
    const [code] = (await once(child, 'close')) as [number | null]
    return { code, out }
  }
  const fillIn = (file: string, changes: Record<string, string>): void => {
    const path = join(clone, file)
    const { SECRETS_KEYS: _, ...settings } = accounts.settings
    writeFileSync(path, filledIn(readFileSync(path, 'utf8'), { ...settings, ...changes }))
  }

  const STEPS: readonly Step[] = [
    {
      command: 'npm run deploy -- init',
      code: 0,
      says: /Wrote \.env\.production\. Fill it in/,
      next: () => fillIn('.env.production', {}),
    },
    { command: 'npm run deploy -- --dry-run', code: 0, says: /galley-gateway +new[\s\S]*Nothing was changed/ },
    {
      command: 'npm run deploy',
      code: 0,
      says: /a signed job arrived through QStash and ran[\s\S]*its page was checked[\s\S]*The service runs at http/,
    },
    {
      command: 'DATABASE_URL=postgresql://… npm run admin -- account create --email you@example.com',
      code: 0,
      says: /shown this once/,
      next: (out) => {
        key = /gly_\w+/.exec(out)?.[0] ?? ''
      },
    },
    {
      command: 'npm run deploy -- status',
      code: 0,
      says: /galley-gateway +version 1, release [\s\S]*Ready +200/,
    },
    { command: 'npm run deploy -- rollback', code: 1, says: /is the first, so there is none to return to/ },
  ]

  it('prints the commands that are walked through here', () => {
    expect(COMMANDS).toEqual(STEPS.map(({ command }) => command))
    const short = commandsIn(sectionOf('README.md', 'Deploy'))
    expect(short).toEqual(COMMANDS.filter((command) => command.startsWith('npm run deploy')))
  })

  it.each(STEPS)('$command', async ({ command, code, says, next }) => {
    const ended = await sh(command.replace('postgresql://…', accounts.databaseUrl))
    expect(ended).toEqual({ code, out: expect.stringMatching(says) })
    next?.(ended.out)
  })

  it('and the calls by hand publish a first article', async () => {
    const section = sectionOf('docs/operations/local.md', 'A first article by hand')
    const blocks = [...section.matchAll(/```sh\n(.*?)```/gs)].map(([, text]) => text)
    const calls = blocks.find((block) => block?.includes('call() {'))?.replace(/^[BKWT]=.*\n/gm, '')
    const given = { B: `${accounts.publicUrl}/api/v1`, K: key, W: `${receiver.url}/webhook`, T: 'my-token' }
    const set = Object.entries(given).map(([name, value]) => `${name}='${value}'`)
    const { out } = await sh([...set, calls].join('\n'))
    const url = /\{"status":"published".*?"url":"(http[^"]+)"/.exec(out)?.[1]
    expect(url, out).toBeDefined()
    expect(await (await fetch(String(url))).text()).toContain('Flour and water.')
    expect(out.match(/"status":"published"/g)).toHaveLength(2)
  })

  it.runIf(process.env.DEPLOY_MOVE === '1')(
    'moves to another address as address.md tells (DEPLOY_MOVE=1)',
    async () => {
      // Both addresses lead to the same Worker while callers move.
      const front = createServer((req, res) => {
        const onward = request(
          `${accounts.publicUrl}${req.url}`,
          { method: req.method, headers: req.headers },
          (answer) => answer.pipe(res.writeHead(answer.statusCode ?? 502, answer.headers)),
        )
        onward.on('error', () => res.destroy())
        req.pipe(onward)
      })
      await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve))
      const [before, after] = [accounts.publicUrl, `http://127.0.0.1:${(front.address() as AddressInfo).port}`]
      const call = async (base: string, method: string, path: string, body?: unknown) => {
        const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
        const answer = await fetch(`${base}/api/v1${path}`, {
          ...{ method, headers },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        })
        return { status: answer.status, body: (await answer.json()) as Record<string, never> }
      }
      const { articles } = (await call(before, 'GET', '/articles')).body as unknown as {
        articles: { ID: number; ProjectID: number; Url: string }[]
      }
      const [article] = articles
      fillIn('.env.production', { PUBLIC_URL: after })

      const moved = await sh('npm run deploy')
      expect(moved).toEqual({
        code: 0,
        out: expect.stringMatching(/a signed job arrived through QStash and ran[\s\S]*its page was checked/),
      })
      expect(moved.out).toContain(`The service runs at ${after}`)

      // Clients sign in only at the new address. The old one names the new one.
      const metadata = (base: string) => fetch(`${base}/.well-known/oauth-authorization-server`)
      expect(await (await metadata(after)).json()).toMatchObject({ issuer: after })
      expect((await metadata(before)).status).toBe(404)
      for (const base of [before, after]) {
        const resource = await fetch(`${base}/.well-known/oauth-protected-resource/mcp`)
        expect(await resource.json()).toMatchObject({ resource: `${after}/mcp`, authorization_servers: [after] })
        expect(await call(base, 'GET', `/articles/${article?.ID}`)).toMatchObject({ status: 200 })
      }
      // A message that was under way is refused, one for the new address taken.
      const run = async (url: string): Promise<number> => {
        const body = Buffer.from(JSON.stringify({ outbox_id: 2_147_483_647 }))
        const signature = signDelivery(accounts.signingKey, `${url}/jobs/run`, body, Date.now())
        return (
          await fetch(`${before}/jobs/run`, { method: 'POST', headers: { 'upstash-signature': signature }, body })
        ).status
      }
      expect([await run(before), await run(after)]).toEqual([401, 200])
      // The customer's page is changed at its present address.
      const changed = { content: '<h2>Day one</h2><p>Flour, water and patience.</p>' }
      expect(await call(after, 'POST', `/articles/${article?.ID}/sync`, changed)).toMatchObject({ status: 200 })
      expect(await (await fetch(article?.Url ?? '')).text()).toContain('patience')
      // The receiver accepts later deliveries, with its present token and secret.
      const given = {
        project_id: article?.ProjectID,
        keyword: 'rye starter',
        content: '<h2>Day one</h2><p>Rye and water.</p>',
      }
      const made = await call(after, 'POST', '/articles', given)
      const sent = await call(after, 'POST', `/articles/${String(made.body.article_id)}/publish`)
      expect(sent).toMatchObject({ status: 200, body: { status: 'published' } })
      expect(await (await fetch(String(sent.body.url))).text()).toContain('Rye and water.')
      front.closeAllConnections()
      front.close()
    },
  )

  it('a second set named staging has its own names and settings', async () => {
    expect(await sh('npm run deploy -- init --env staging')).toMatchObject({ code: 0 })
    // The stand-in of Neon leads to one database.
    fillIn('.env.staging', { PUBLIC_URL: accounts.stagingUrl })
    const plan = await sh('npm run deploy -- --dry-run --env staging')
    expect(plan).toEqual({
      code: 0,
      out: expect.stringMatching(/galley-gateway-staging +new[\s\S]*Nothing was changed/),
    })
    expect(plan.out).toContain(accounts.stagingUrl)
  })

  // Deploying everything again takes as long as the first time.
  it.runIf(process.env.DEPLOY_STAGING === '1')('and goes the same way (DEPLOY_STAGING=1)', async () => {
    const ended = await sh('npm run deploy -- --env staging')
    expect(ended).toEqual({
      code: 0,
      out: expect.stringMatching(/its page was checked[\s\S]*The service runs at http/),
    })
    expect(ended.out).toContain(accounts.stagingUrl)
    const bound = accounts
      .script('galley-gateway-staging')
      ?.versions[0]?.bindings.flatMap(({ service }) => service ?? [])
    expect(bound?.length).toBeGreaterThan(5)
    expect(bound?.every((service) => service.endsWith('-staging'))).toBe(true)
    expect(accounts.script('galley-gateway')?.versions).toHaveLength(1)
    expect(await sh('npm run deploy -- status --env staging')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/galley-gateway-staging +version 1/),
    })
  })

  it('edits no tracked file and leaves nothing that git add would take', () => {
    expect(spawnSync('git', ['status', '--porcelain'], { cwd: clone, encoding: 'utf8' }).stdout).toBe('')
  })
})
