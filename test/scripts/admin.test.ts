/** @module-tag services */
import { randomBytes } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { afterAll, describe, expect, inject, it, vi } from 'vitest'
import { readRequest } from '../../scripts/admin/request.ts'
import { type Api, clientOf, newAccount, rowsIn } from '../support/client.ts'
import { type Ended, runAdminHere, runScript, serviceFolder } from '../support/command.ts'

// Some commands are processes of their own, which a busy machine is slow to start.
vi.setConfig({ testTimeout: 90_000 })

const stack = inject('stack')
const service = serviceFolder(stack)
afterAll(service.remove)

type Admin = (...args: string[]) => Promise<Ended>
type Issued = { api_key: string; account_id: number; key_id: number; key: Record<string, unknown> }

const newEmail = () => `${randomBytes(8).toString('hex')}@test.example`

const overService: Admin = (...args) => runAdminHere([...args, '--dir', service.dir])

/** Returns the stack's own database, addressed directly. */
const overDatabaseUrl: Admin = async (...args) => {
  const [row] = await rowsIn<{ name: string }>(stack, sql`select current_database() as name`)
  const url = new URL(process.env.DATABASE_URL ?? '')
  url.pathname = `/${row?.name}`
  return runAdminHere(args, { DATABASE_URL: url.href })
}

const ok = async (run: Promise<Ended>): Promise<Record<string, unknown>> => {
  const ended = await run
  expect(ended, ended.err).toMatchObject({ code: 0, err: '' })
  return ended.json
}

const clientFor = (api: Api, { api_key }: Issued): Api => clientOf(stack.url, api_key, api.accountId)

const newSite = () => ({ website_url: `https://${randomBytes(6).toString('hex')}.example` })

const [way, admin]: [string, Admin] = process.env.DATABASE_URL
  ? ['DATABASE_URL', overDatabaseUrl]
  : ['the running service', overService]

const issue = async (api: Api, ...args: string[]): Promise<Issued> =>
  (await ok(admin('key', 'create', '--account', String(api.accountId), '--json', ...args))) as unknown as Issued

describe(`an account over ${way}`, () => {
  it('is created with a first key that works', async () => {
    const email = newEmail()
    const made = (await ok(admin('account', 'create', '--email', email, '--json'))) as unknown as Issued
    expect(made).toEqual({
      account: {
        id: made.account_id,
        email,
        plan: 'pro',
        project_slots: 1,
        active_projects: 0,
        article_credits: 0,
        outreach_pro: false,
        outreach_beta: true,
        suspended: false,
        suspended_at: null,
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      },
      key: {
        id: expect.any(Number),
        key: made.api_key,
        account_id: made.account_id,
        name: 'First key',
        last_four: made.api_key.slice(-4),
        scopes: ['read', 'write'],
        expires_at: null,
        revoked_at: null,
        last_used_at: null,
        created_at: expect.any(String),
      },
      account_id: expect.any(Number),
      api_key: expect.stringMatching(/^gly_live_\w{38}$/),
    })
    const api = clientOf(stack.url, made.api_key, made.account_id)
    expect(await api.get('/projects')).toMatchObject({ status: 200, body: { projects: [] } })
    expect((await api.post('/projects', newSite())).status).toBe(201)
  })

  it('is refused when its email is in use, in any spelling', async () => {
    const email = newEmail()
    await ok(admin('account', 'create', '--email', email, '--json'))
    const again = await admin('account', 'create', '--email', email.toUpperCase(), '--plan', 'agentic', '--json')
    expect(again.code).toBe(1)
    expect(again.json).toEqual({ error: `An account with the email ${email.toUpperCase()} exists already.` })
    expect(await ok(admin('account', 'show', '--email', email, '--json'))).toMatchObject({ account: { plan: 'pro' } })
  })

  it('changes the given settings, and keeps the rest', async () => {
    const email = newEmail()
    const given = ['--plan', 'accelerator', '--projects', '7', '--credits', '90', '--outreach-pro', '--suspended']
    const { account_id: id } = await ok(admin('account', 'create', '--email', email, ...given, '--json'))
    const set = (...args: string[]) => ok(admin('account', 'set', '--account', String(id), '--json', ...args))
    const made = { id, email, plan: 'accelerator', project_slots: 7, article_credits: 90, outreach_pro: true }
    expect(await set('--credits', '0')).toMatchObject({ account: { ...made, article_credits: 0, suspended: true } })
    expect(await set('--suspended=false', '--no-outreach-pro')).toMatchObject({
      account: { ...made, article_credits: 0, outreach_pro: false, suspended: false },
    })
    expect(await ok(admin('account', 'show', '--account', email, '--json'))).toMatchObject({
      account: { plan: 'accelerator', project_slots: 7, suspended: false },
    })
  })

  it('is suspended and restored at once', async () => {
    const api = await newAccount(stack)
    const set = (flag: string) => ok(admin('account', 'set', '--account', String(api.accountId), flag, '--json'))
    await set('--suspended')
    expect(await api.get('/projects')).toMatchObject({ status: 401, body: { error: 'Account is not active.' } })
    await set('--no-suspended')
    expect((await api.get('/projects')).status).toBe(200)
  })
})

describe('settings take effect in the service', () => {
  it('a new number of project slots holds for the next project', async () => {
    const api = await newAccount(stack, { projects: 0 })
    const site = newSite()
    expect(await api.post('/projects', site)).toMatchObject({
      status: 402,
      body: { error: 'project_limit_reached', project_quantity: 0 },
    })
    await ok(overService('account', 'set', '--account', String(api.accountId), '--projects', '1', '--json'))
    expect(await api.post('/projects', site)).toMatchObject({
      status: 201,
      body: { project_slots: { used: 1, total: 1 } },
    })
    expect(await api.post('/projects', newSite())).toMatchObject({
      status: 402,
      body: { active_projects: 1, project_quantity: 1 },
    })
  })

  it('a new plan allows its number of articles a month', async () => {
    const api = await newAccount(stack, { plan: 'pro' })
    const { body } = await api.post('/projects', newSite())
    const choose = () => api.post(`/projects/${String(body.project_id)}/article-plan`, { plan: 60 })
    expect((await choose()).status).toBe(402)
    await ok(overService('account', 'set', '--account', String(api.accountId), '--plan', 'accelerator', '--json'))
    expect((await choose()).status).toBe(200)
  })

  it('the audit log names the operator who changed something', async () => {
    const api = await newAccount(stack)
    const { key_id } = await issue(api)
    await ok(overService('key', 'revoke', '--key', String(key_id), '--json'))
    await ok(overService('account', 'set', '--account', String(api.accountId), '--credits', '5', '--json'))
    const log = await rowsIn<Record<string, unknown>>(
      stack,
      sql`select actor, action, subject, detail from audit_log where account_id = ${api.accountId}::int order by id desc limit 3`,
    )
    const by = { actor: 'operator' }
    expect(log).toEqual([
      { ...by, action: 'account.set', subject: `account:${api.accountId}`, detail: { credits: 5 } },
      { ...by, action: 'key.revoke', subject: `key:${key_id}`, detail: {} },
      { ...by, action: 'key.create', subject: `key:${key_id}`, detail: { scopes: ['read', 'write'] } },
    ])
  })
})

describe(`a key over ${way}`, () => {
  it('is refused at once when revoked, and the others stay', async () => {
    const api = await newAccount(stack)
    const issued = await issue(api, '--name', 'cron')
    const client = clientFor(api, issued)
    expect((await client.get('/projects')).status).toBe(200)
    const revoked = await ok(admin('key', 'revoke', '--key', String(issued.key_id), '--json'))
    expect(revoked).toMatchObject({ key: { id: issued.key_id, name: 'cron', revoked_at: expect.any(String) } })
    expect(await client.get('/projects')).toMatchObject({ status: 401, body: { code: 'unauthorized' } })
    expect((await api.get('/projects')).status).toBe(200)
    // When the key was last used is noted after its call is answered: the first revocation may not know it yet.
    const { last_used_at: _, ...key } = revoked.key as Record<string, unknown>
    expect(await ok(admin('key', 'revoke', '--id', String(issued.key_id), '--json'))).toMatchObject({ key })
  })

  it('is revoked by the name that key list shows, and the others stay', async () => {
    const [api, other] = [await newAccount(stack), await newAccount(stack)]
    const [cron, twin] = [await issue(api, '--name', 'cron job'), await issue(other, '--name', 'cron job')]
    const revoke = (account: Api) =>
      admin('key', 'revoke', '--account', String(account.accountId), '--key', 'cron job', '--json')
    expect(await ok(revoke(api))).toMatchObject({ key: { id: cron.key_id, revoked_at: expect.any(String) } })
    expect((await clientFor(api, cron).get('/projects')).status).toBe(401)
    expect((await clientFor(other, twin).get('/projects')).status).toBe(200)
    expect((await api.get('/projects')).status).toBe(200)
    expect((await revoke(api)).code).toBe(0)

    const [one, two] = [await issue(api, '--name', 'cron job'), await issue(api, '--name', 'cron job')]
    const error = `Account ${api.accountId} has 2 keys named "cron job": name one by its number, ${one.key_id} or ${two.key_id}.`
    expect(await revoke(api)).toMatchObject({ code: 1, json: { error } })
    expect((await clientFor(api, two).get('/projects')).status).toBe(200)
  })

  it('with the scope read only reads', async () => {
    const api = await newAccount(stack)
    const issued = await issue(api, '--scopes', 'read')
    expect(issued.key).toMatchObject({ scopes: ['read'], name: 'API key' })
    const client = clientFor(api, issued)
    expect((await client.get('/projects')).status).toBe(200)
    expect(await client.post('/projects', newSite())).toMatchObject({ status: 403, body: { code: 'key_may_not' } })
  })

  it('is refused after it has expired', async () => {
    const api = await newAccount(stack)
    const [past, future] = [await issue(api, '--expires', '2020-01-01'), await issue(api, '--expires', '30d')]
    expect(past.key.expires_at).toBe('2020-01-01T00:00:00.000Z')
    expect((await clientFor(api, past).get('/projects')).status).toBe(401)
    const days = (Date.parse(String(future.key.expires_at)) - Date.parse(String(future.key.created_at))) / 86_400_000
    expect(days).toBeCloseTo(30, 2)
    expect((await clientFor(api, future).get('/projects')).status).toBe(200)
  })

  it('is listed with its state, without the key itself', async () => {
    const api = await newAccount(stack)
    const issued = await issue(api, '--name', 'old', '--expires', '2030-01-02T03:04:05+02:00')
    await ok(admin('key', 'revoke', '--key', String(issued.key_id), '--json'))
    const listed = await admin('key', 'list', '--account', String(api.accountId), '--json')
    expect(listed.json).toMatchObject({
      keys: [
        { name: 'test', last_four: api.key.slice(-4), revoked_at: null, expires_at: null },
        { id: issued.key_id, name: 'old', expires_at: '2030-01-02T01:04:05.000Z', revoked_at: expect.any(String) },
      ],
    })
    expect(listed.out).not.toMatch(/gly_/)
  })
})

describe('answers for people', () => {
  it('show the first key once, with a note', async () => {
    const email = newEmail()
    const args = ['account', 'create', '--email', email, '--projects', '3', '--dir', service.dir]
    const made = await runScript('scripts/admin.ts', args)
    expect(made).toMatchObject({ code: 0, err: '' })
    expect(made.out).toMatch(/shown this once/)
    expect(made.out).toMatch(/0 of 3 slots in use/)
    const key = /gly_live_\w{38}/.exec(made.out)?.[0] ?? ''
    const listed = await overService('key', 'list', '--account', email)
    expect(listed.out.split('\n').map((line) => line.split(/ {2,}/))).toMatchObject([
      ['ID', 'NAME', 'KEY', 'SCOPES', 'STATE', 'EXPIRES', 'LAST USED', 'CREATED'],
      [expect.stringMatching(/^\d+$/), 'First key', `…${key.slice(-4)}`, 'read,write', 'active', 'never', 'never', {}],
      [''],
    ])
    expect(listed.out).not.toContain(key)
    expect((await clientOf(stack.url, key, 0).get('/projects')).status).toBe(200)
  })

  it('are passed on by the script that npm run uses', async () => {
    const run = await runScript('scripts/run.mjs', ['scripts/admin.ts', 'key'])
    expect(run).toMatchObject({ code: 2, out: '' })
    expect(run.err).toMatch(/^key needs a command\. Allowed: create, list, revoke\./)
    const shown = await runScript('scripts/run.mjs', ['scripts/admin.ts', 'key', 'list', '--help'])
    expect(shown).toMatchObject({ code: 0, err: '' })
    expect(shown.out).toMatch(/^npm run admin -- key list: lists the keys/)
  })

  it.each([
    [['--help'], /account create .*\n.*account show[\s\S]*key revoke/],
    [['account', '--help'], /account set/],
    [['key', '-h'], /key list/],
    [['account', 'create', '--help'], /--plan PLAN .*agentic_free, agentic, pro, accelerator[\s\S]*--no-suspended/],
    [['key', 'create', '--help'], /--expires WHEN .*30d/],
  ])('%j explains itself and does nothing', (args, text) => {
    expect(readRequest(args)).toEqual({ help: expect.stringMatching(text) })
  })
})
