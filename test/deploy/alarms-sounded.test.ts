/** @module-tag services */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { newScript } from '../../local/cloudflare/account.ts'
import { type Accounts, openAccounts } from './accounts.ts'

vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 })

const listen = async (server: Server): Promise<string> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Needs a PostgreSQL of its own, because the alarms read its rows. */
describe.skipIf(!process.env.DATABASE_URL)('npm run deploy -- alarms, against the accounts', () => {
  let accounts: Accounts
  let status = 200
  const told: string[] = []
  const service = createServer((req, res) => res.writeHead(req.url === '/healthz' ? 200 : status).end('{}'))
  const hook = createServer((req, res) => {
    let text = ''
    req
      .on('data', (chunk) => (text += chunk))
      .on('end', () => {
        told.push((JSON.parse(text) as { text: string }).text)
        res.end()
      })
  })
  let settings: Record<string, string>

  const query = async (statement: string): Promise<void> => {
    const client = new pg.Client({ connectionString: accounts.databaseUrl })
    await client.connect()
    await client.query(statement).finally(() => client.end())
  }
  const account = () => accounts.cloudflare.accounts[0] ?? expect.fail('no account')
  const clockRan = (secondsAgo: number): void => {
    const jobs = newScript('galley-jobs')
    jobs.cronRuns.push({ datetime: new Date(Date.now() - secondsAgo * 1000).toISOString(), status: 'success' })
    account().scripts.set('galley-jobs', jobs)
  }

  const requested = (name: string, requests: number): void => {
    account().scripts.set(name, { ...(account().scripts.get(name) ?? newScript(name)), requests })
  }

  beforeAll(async () => {
    accounts = await openAccounts()
    settings = { PUBLIC_URL: await listen(service), ALARM_URL: await listen(hook) }
    // The columns that alarms look at.
    await query(
      'create table outbox (run_at timestamptz, done_at timestamptz, dead_at timestamptz, lease_until timestamptz)',
    )
  })
  afterAll(async () => {
    service.close()
    hook.close()
    await accounts?.close()
  })

  it('reports active alarms with their runbook sections, and posts them to ALARM_URL', async () => {
    await query(`insert into outbox values (now() - interval '1 hour', null, null, null), (now(), null, now(), null)`)
    clockRan(400)
    status = 503
    const line = (service: string, event: string, level = 'error') => ({ service, event, level })
    // 6 of 500 requests are 1.2 percent.
    requested('galley-gateway', 500)
    account().logLines.push(
      line('galley-jobs', 'queue.refused', 'warn'),
      line('galley-jobs', 'job.unknown', 'info'),
      ...Array.from({ length: 3 }, () => line('galley-jobs-staging', 'ratelimit.away', 'warn')),
      ...Array.from({ length: 3 }, () => ({ ...line('galley-jobs', 'cron.step_failed'), step: 'due' })),
      // Too long ago.
      { ...line('galley-articles', 'ratelimit.away', 'warn'), timestamp: Date.now() - 301_000 },
      // More kinds of lines than the log returns without a limit in the query.
      ...Array.from({ length: 24 }, (_, n) => line('galley-articles', `other.event_${n % 12}`)),
      ...Array.from({ length: 6 }, () => line('galley-articles', 'request.failed')),
    )
    const rang = await accounts.deploy(['alarms'], settings)
    expect(rang).toMatchObject({ code: 1, err: '' })
    expect(rang.out.trim().split('\n')).toEqual([
      expect.stringMatching(/^Not ready: \/readyz answers 503 /),
      expect.stringMatching(/^Work is late: the oldest due row waits for 36\d\d s \(.*runbook\.md#work-is-late$/),
      expect.stringMatching(/^The clock has stopped: the clock last ran 4\d\d s ago /),
      expect.stringMatching(/^Dead work: 1 rows died within the last hour /),
      expect.stringMatching(/^Messages do not arrive: 1 lines queue\.refused \(/),
      expect.stringMatching(/^A step of the clock fails: 3 lines cron\.step_failed of due \(/),
      expect.stringMatching(/^Faults: 6 lines request\.failed in 500 requests to galley-gateway \(/),
    ])
    expect(told).toEqual([`production\n${rang.out.trim()}`])
  })

  it('counts the lines of each environment separately', async () => {
    const rang = await accounts.deploy(['alarms', '--env', 'staging'], settings)
    expect(rang.out).toContain('Limits are not enforced: 3 lines ratelimit.away')
    expect(rang.out).not.toContain('Faults')
    told.length = 0
  })

  it('counts uncaught errors, which have no event', async () => {
    account().logLines.length = 0
    account().logLines.push(...Array.from({ length: 6 }, () => ({ service: 'galley-articles', level: 'error' })))
    const rang = await accounts.deploy(['alarms'], settings)
    expect(rang.out).toMatch(/^Faults: 6 lines without an event in 500 requests /m)
    requested('galley-gateway', 600)
    expect((await accounts.deploy(['alarms'], settings)).out).not.toContain('Faults')
    told.length = 0
  })

  it('looks at as many minutes as it is told', async () => {
    account().logLines.length = 0
    account().logLines.push({
      service: 'galley-jobs',
      event: 'models.ends',
      level: 'error',
      timestamp: Date.now() - 14 * 60_000,
    })
    expect((await accounts.deploy(['alarms'], settings)).out).not.toContain('A model ends')
    expect((await accounts.deploy(['alarms', '--minutes', '15'], settings)).out).toContain('A model ends: 1 lines')
    expect(await accounts.deploy(['alarms', '--minutes', '0'], settings)).toMatchObject({ code: 1 })
    told.length = 0
  })

  it('reports no alarm and exits with 0 if all is well, and says what it could not check', async () => {
    await query('delete from outbox')
    account().logLines.length = 0
    clockRan(10)
    status = 200
    expect(await accounts.deploy(['alarms'], settings)).toMatchObject({ code: 0, out: 'No alarm.\n', err: '' })
    accounts.cloudflare.misbehave([
      { path: '/graphql', status: 403 },
      { path: '/telemetry/query', status: 403 },
    ])
    const blind = await accounts.deploy(['alarms'], settings)
    expect(blind.out).toMatch(
      /^The clock was not checked: .*\nThe log was not checked: .*\nShares of requests were not checked: .*\nNo alarm\.\n$/,
    )
    expect(told).toEqual([])
  })
})
