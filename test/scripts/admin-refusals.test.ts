import { afterAll, describe, expect, inject, it, vi } from 'vitest'
import { freePort } from '../../local/start/ports.ts'
import { UsageError } from '../../scripts/admin/options.ts'
import { readRequest } from '../../scripts/admin/request.ts'
import { newAccount } from '../support/client.ts'
import { runAdminHere, runScript, serviceFolder } from '../support/command.ts'

// Some commands are processes of their own, which a busy machine is slow to start.
vi.setConfig({ testTimeout: 90_000 })

const stack = inject('stack')
const service = serviceFolder(stack)
afterAll(service.remove)

const admin = (...args: string[]) => runAdminHere([...args, '--dir', service.dir])

describe('wrong usage exits with 2 and names the allowed values', () => {
  const account = ['account', 'create', '--email', 'jo@test.example']
  const key = ['key', 'create', '--account', '1']
  it.each([
    [[], /command is missing.*account, key, jobs, database, secrets/],
    [['accounts'], /"accounts".*account, key/],
    [['toString'], /"toString".*account, key/],
    [['account'], /account needs a command.*create, show, set/],
    [['account', 'delete'], /"account delete".*create, show, set/],
    [['account', 'create'], /--email is required/],
    [['account', 'create', '--email'], /--email needs a value/],
    [['account', 'create', '--email', '--plan', 'pro'], /--email needs a value/],
    [['account', 'create', '--email', 'a@b@c'], /--email cannot be "a@b@c".*email address/],
    [['account', 'create', '--email', 'a b@c.example'], /--email cannot be/],
    [['account', 'create', '--email', `${'a'.repeat(250)}@b.example`], /--email cannot be.*254/],
    [[...account, '--plan', 'gold'], /--plan cannot be "gold".*agentic_free, agentic, pro, accelerator/],
    [[...account, '--projects', '100001'], /--projects cannot be "100001".*0 to 100000/],
    [[...account, '--projects=-1'], /--projects cannot be "-1"/],
    [[...account, '--credits', '1.5'], /--credits cannot be "1.5".*0 to 1000000/],
    [[...account, '--suspended=maybe'], /--suspended cannot be "maybe".*true or false/],
    [[...account, '--suspended', 'false'], /Unexpected argument "false"/],
    [[...account, '--no-plan'], /no option --no-plan/],
    [[...account, '--scopes', 'read'], /no option --scopes.*--email, --plan/],
    [[...account, '--email', 'other@test.example'], /--email is given twice/],
    [['account', 'show'], /--email or --account is required/],
    [['account', 'show', '--email', 'a@b.example', '--account', '1'], /--email or --account, not both/],
    [['account', 'show', '--account', '2147483648'], /--account cannot be/],
    [
      ['account', 'set', '--account', '1'],
      /Nothing to set.*--plan, --projects, --credits, --suspended, --outreach-pro, --outreach-beta/,
    ],
    [[...key, '--scopes', 'write'], /--scopes cannot be "write".*read or read,draft or read,write/],
    [[...key, '--scopes', 'read,admin'], /--scopes cannot be/],
    [[...key, '--expires', '0d'], /--expires cannot be "0d".*3650d/],
    [[...key, '--expires', '2027-02-30'], /--expires cannot be "2027-02-30".*ISO 8601/],
    [[...key, '--name', '  '], /--name cannot be.*1 to 100/],
    [['key', 'revoke'], /--key or --id is required/],
    [['key', 'revoke', '--key', 'gly_live_secret'], /--key cannot be "gly_…"/],
    [['key', 'revoke', '--key', 'cron'], /--account is required with the name of a key/],
    [['key', 'revoke', '--id', 'cron'], /--id cannot be "cron".*number of a key/],
  ])('%j', (args, message) => {
    expect(() => readRequest(args)).toThrow(UsageError)
    expect(() => readRequest(args)).toThrow(message)
  })

  it.each([
    [
      ['account', 'remove'],
      /^There is no command "account remove"\. .*create, show, set\. See: npm run admin -- --help\n$/,
    ],
    [[...account, '--plan', 'gold'], /^--plan cannot be "gold"\. .*accelerator\. See: .*\n$/],
  ])('on standard error: %j', async (args, message) => {
    const ended = await runScript('scripts/admin.ts', [...args, '--dir', service.dir])
    expect(ended).toMatchObject({ code: 2, out: '' })
    expect(ended.err).toMatch(message)
  })

  it('with --json as one JSON object on standard output', async () => {
    const ended = await admin('account', 'create', '--json')
    expect(ended).toMatchObject({ code: 2, err: '', json: { error: '--email is required.' } })
  })
})

describe('an unknown object exits with 1', () => {
  it.each([
    [['account', 'show', '--email', 'nobody@test.example'], 'There is no account nobody@test.example.'],
    [['account', 'set', '--account', '2147483647', '--credits', '1'], 'There is no account 2147483647.'],
    [['key', 'create', '--account', 'nobody@test.example'], 'There is no account nobody@test.example.'],
    [['key', 'list', '--account', '2147483647'], 'There is no account 2147483647.'],
    [['key', 'revoke', '--key', '2147483647'], 'There is no key 2147483647.'],
  ])('%j', async (args, error) => {
    expect(await admin(...args, '--json')).toMatchObject({ code: 1, err: '', json: { error } })
  })

  it('and is printed to standard error', async () => {
    const ended = await admin('key', 'revoke', '--key', '2147483647')
    expect(ended).toMatchObject({ code: 1, out: '', err: 'There is no key 2147483647.\n' })
  })

  it('a key is not revoked in the name of another account', async () => {
    const [api, other] = [await newAccount(stack), await newAccount(stack)]
    const made = await admin('key', 'create', '--account', String(api.accountId), '--json')
    const keyId = String(made.json.key_id)
    const revoke = (account: number) => admin('key', 'revoke', '--key', keyId, '--account', String(account), '--json')
    const error = `There is no key ${keyId} of account ${other.accountId}.`
    expect(await revoke(other.accountId)).toMatchObject({ code: 1, json: { error } })
    expect((await api.get('/projects', { key: String(made.json.api_key) })).status).toBe(200)
    expect((await revoke(api.accountId)).code).toBe(0)
    expect((await api.get('/projects', { key: String(made.json.api_key) })).status).toBe(401)
  })
})

describe('without a reachable database, it says what to do', () => {
  const show = ['account', 'show', '--account', '1', '--json']

  it.each([
    ['no service.json', undefined, /service\.json of a running service is not there\. Start .*npm start.*DATABASE_URL/],
    ['a damaged service.json', '{"neon_url": ', /does not name a database\. Start .*npm start/],
    ['a service.json of another kind', '{}', /does not name a database\. Start .*npm start/],
  ])('%s', async (_, text, message) => {
    const folder = serviceFolder(text ?? '')
    if (text === undefined) folder.remove()
    const ended = await runAdminHere([...show, '--dir', folder.dir])
    folder.remove()
    expect(ended.code).toBe(1)
    expect(ended.json.error).toMatch(message)
  })

  it('a service that has ended', async () => {
    const neonUrl = `http://127.0.0.1:${await freePort()}`
    const folder = serviceFolder({ neonUrl, connectionString: stack.connectionString })
    const ended = await runAdminHere([...show, '--dir', folder.dir])
    folder.remove()
    expect(ended.code).toBe(1)
    expect(ended.json.error).toContain(`does not answer at ${neonUrl}. Start the service with npm start`)
  })

  it('a DATABASE_URL without a server, without showing the password', async () => {
    const DATABASE_URL = `postgresql://galley:s3cret@127.0.0.1:${await freePort()}/galley`
    for (const script of ['scripts/admin.ts', 'scripts/migrate.ts']) {
      const ended = await runScript(script, script.includes('admin') ? show : [], { DATABASE_URL })
      expect(ended.code).toBe(1)
      expect(ended.out + ended.err).toMatch(/127\.0\.0\.1:\d+\/galley \(DATABASE_URL\) does not answer: .*ECONNREFUSED/)
      expect(ended.out + ended.err).not.toContain('s3cret')
    }
  })

  it('a DATABASE_URL that is no address', async () => {
    const ended = await runAdminHere(show, { DATABASE_URL: 'galley:s3cret' })
    expect(ended).toMatchObject({ code: 1, json: { error: expect.stringMatching(/^DATABASE_URL is not an address/) } })
    expect(ended.out).not.toContain('s3cret')
  })
})
