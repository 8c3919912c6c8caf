/** @module-tag services */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { migrateOverNeon } from '../../local/database.ts'
import { type Stack, startStack } from '../../local/stack.ts'
import { type Api, clientOf, newAccount, newProject } from '../support/client.ts'
import { runScript } from '../support/command.ts'
import { type OwnDatabase, ownDatabase } from '../support/databases.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { targetOf } from '../support/stack.ts'

vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 })

/** Rows of an account before the restored moment. */
const before = (account: number) => `
  insert into people (id, name, email, email_verified, account_id) values
    ('ann', '', 'ann@restore.example', true, ${account}), ('bob', '', 'bob@restore.example', true, ${account});
  insert into memberships (person_id, account_id, role) values ('ann', ${account}, 'owner'), ('bob', ${account}, 'owner');
  insert into person_credentials (id, account_id, provider_id, user_id, password) values ('c1', 'ann', 'credential', 'ann', 'old');
  insert into person_sessions (id, token, user_id, expires_at) values
    ('s1', 't1', 'ann', now() + interval '7 days'), ('s2', 't2', 'ann', now() + interval '7 days');
  insert into person_passkeys (id, person_id, name, public_key, counter) values ('p1', 'ann', 'key', 'x', 1);
  insert into invitations (account_id, email, role, token_hash, invited_by, expires_at)
    values (${account}, 'carl@restore.example', 'owner', 'hash', 'ann@restore.example', now() + interval '7 days');
  insert into api_keys (account_id, name, key_hash, last_four, scopes) values (${account}, 'app', 'app-hash', 'abcd', '{read}');
  insert into oauth_grants (grant_id, key_id, person_id, client_id, client_name, redirect_host)
    select 'g1', id, 'ann', 'client', 'App', 'app.example' from api_keys where name = 'app';
  insert into oauth_records (key, value) values ('grant:ann:g1', '{}'), ('token:ann:g1:x', '{}'), ('client:c', '{}');
  insert into policies (project_id, account_id, version, frozen, changed_by, changed_at)
    select id, account_id, 1, false, 'person:ann', now() from projects where account_id = ${account} order by id limit 1;
  insert into outreach_mirrors (account_id, salt) values (${account}, 'salt');
  insert into outreach_persons (account_id, id, data, domains) values (${account}, 'lead', '{}', '{}')`

/** What people ended afterwards. */
const after = (account: number) => `
  delete from memberships where person_id = 'bob';
  delete from people where id = 'bob';
  delete from person_credentials;
  insert into person_credentials (id, account_id, provider_id, user_id, password) values ('c2', 'ann', 'credential', 'ann', 'new');
  delete from person_sessions where id = 's1';
  delete from person_passkeys;
  delete from invitations;
  delete from oauth_records where key like '%g1%';
  delete from oauth_grants;
  update api_keys set revoked_at = now(), budget_cents = 100 where account_id = ${account};
  update policies set frozen = true, version = 2, monthly_crowdwork_cents = 500;
  insert into policy_versions (project_id, version, clauses, changed_by, changed_at)
    select project_id, 2, '{}', 'person:ann', now() from policies;
  insert into notice_choices (person_id, kind, choice) values ('ann', 'publication_failed', 'never');
  insert into outreach_suppressions (account_id, id, key, data) values (${account}, 's', 'person:lead', '{}');
  insert into outreach_erasures (account_id, hash) values (${account}, 'erased');
  delete from outreach_persons;
  delete from projects where id = (select max(id) from projects where account_id = ${account});
  insert into audit_log (account_id, actor, action, subject, at) values (${account}, 'person:ann', 'key.revoke', 'key:1', now() + interval '1 hour')`

/** Reads what has ended. */
const ended = (account = 0) => `select
  (select array_agg(id order by id) from people) as people,
  (select array_agg(person_id order by person_id) from memberships) as members,
  (select array_agg(password) from person_credentials) as passwords,
  (select array_agg(id order by id) from person_sessions) as sessions,
  (select count(*)::int from person_passkeys) as passkeys,
  (select count(*)::int from invitations) as invitations,
  (select count(*)::int from oauth_records where key like '%g1%') as grants,
  (select count(*)::int from oauth_records where key = 'client:c') as clients,
  (select count(*)::int from api_keys where account_id = ${account} and revoked_at is null) as open_keys,
  (select max(budget_cents) from api_keys) as budget,
  (select frozen from policies) as frozen,
  (select monthly_crowdwork_cents from policies) as ceiling,
  (select count(*)::int from policy_versions) as versions,
  (select max(choice) from notice_choices) as choice,
  (select count(*)::int from outreach_suppressions) as suppressed,
  (select count(*)::int from outreach_erasures) as erased,
  (select count(*)::int from outreach_persons) as leads,
  (select array_agg(status || case when erase_at > now() then ', to be erased' else '' end order by id) from projects where account_id = ${account}) as sites`

const asked = async (url: string, text: string) => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const result = await client.query(text)
    return (Array.isArray(result) ? result.at(-1) : result).rows as Record<string, unknown>[]
  } finally {
    await client.end()
  }
}

/** Tests that what ended stays ended after a restore, by the steps of the page. */
describe.skipIf(!process.env.GALLEY_PG_BIN)('what ended before a restore', () => {
  const dir = mkdtempSync(join(tmpdir(), 'galley-endings-'))
  const bin = process.env.GALLEY_PG_BIN ?? ''
  const dump = join(dir, 'galley.dump')
  const databases: OwnDatabase[] = []
  let stack: Stack | undefined
  let [api, doomed]: (Api | undefined)[] = []
  let later = ''

  const database = async (): Promise<string> => {
    const made = await ownDatabase()
    databases.push(made)
    return made.url ?? ''
  }
  /** Returns the service on a database, with the same bucket as before. */
  const serve = async (url: string): Promise<Stack> => {
    await stack?.close()
    stack = await startStack({ dir, workDir: dir, databaseUrl: url, redisUrl: process.env.REDIS_URL, timeScale: 10 })
    await migrateOverNeon(stack.connectionString, stack.neon.url)
    return stack
  }
  /** Does a minute's work. The clock rests until a call of somebody has changed something. */
  const minute = async (of: Stack): Promise<void> => {
    await newProject(await newAccount(targetOf(of)))
    await of.workers().cron()
  }
  const restore = async (): Promise<string> => {
    const url = await database()
    execFileSync(`${bin}/pg_restore`, ['--no-owner', '--clean', '--if-exists', '--dbname', url, dump])
    return url
  }
  const restored = (url: string, env: Record<string, string> = {}, ...args: string[]) =>
    runScript('scripts/admin.ts', ['database', 'restored', ...args], { DATABASE_URL: url, ...env })
  const accountsIn = (url: string) =>
    asked(url, `select id from accounts where id in (${api?.accountId}, ${doomed?.accountId}) order by id`)

  beforeAll(async () => {
    later = await database()
    const first = await serve(later)
    api = await newAccount(targetOf(first))
    doomed = await newAccount(targetOf(first))
    await newProject(api)
    await newProject(api)
    await asked(later, before(api.accountId))
    execFileSync(`${bin}/pg_dump`, ['--format=custom', '--no-owner', '--file', dump, later])
    await asked(later, after(api.accountId))
    await asked(
      later,
      `update accounts set suspended_at = now() where id = ${doomed.accountId};
       insert into account_deletions (account_id, requested_by, requested_at, erase_at) values (${doomed.accountId}, 'x', now(), now());
       insert into outbox (account_id, job, key, payload, run_at)
         values (${doomed.accountId}, 'people.erase_account', 'erase_account:${doomed.accountId}', '{"account_id": ${doomed.accountId}}', now())`,
    )
    await first.workers().cron()
    await vi.waitFor(async () => expect(await accountsIn(later)).toHaveLength(1), { timeout: PATIENCE_MS })
    await stack?.close()
    stack = undefined
  })
  afterAll(async () => {
    await stack?.close()
    await Promise.all(databases.map((one) => one.drop()))
    rmSync(dir, { recursive: true, force: true })
  })

  it('ends again by the replaced database, and a second run changes nothing', async () => {
    const url = await restore()
    const [was] = await asked(url, ended(api?.accountId))
    expect(was).toMatchObject({ people: ['ann', 'bob'], passwords: ['old'], passkeys: 1, open_keys: 2, frozen: false })

    const run = await restored(url, { DATABASE_URL_REPLACED: later })
    expect(run).toMatchObject({ code: 0, out: expect.stringMatching(/people: 0 changed, 1 ended, 0 added/) })
    const [now] = await asked(url, ended(api?.accountId))
    expect(now).toEqual({
      people: ['ann'],
      members: ['ann'],
      passwords: ['new'],
      sessions: ['s2'],
      passkeys: 0,
      invitations: 0,
      grants: 0,
      clients: 1,
      open_keys: 0,
      budget: 100,
      frozen: true,
      ceiling: 500,
      versions: 1,
      choice: 'never',
      suppressed: 1,
      erased: 1,
      leads: 0,
      sites: ['Active', 'Archived, to be erased'],
    })
    const again = await restored(url, { DATABASE_URL_REPLACED: later })
    expect(again.out).not.toMatch(/people|memberships|person_|policies|api_keys/)
    expect(await asked(url, ended(api?.accountId))).toEqual([now])

    const second = await serve(url)
    expect((await clientOf(second.url, api?.key ?? '', api?.accountId ?? 0).get('/projects')).status).toBe(401)
    await minute(second)
    await expect.poll(() => accountsIn(url), { timeout: PATIENCE_MS }).toEqual([{ id: api?.accountId }])
  })

  it('is refused for exchanged databases and for what looks like the damage, and changes nothing', async () => {
    const url = await restore()
    const exchanged = await restored(later, { DATABASE_URL_REPLACED: url })
    expect([exchanged.code, exchanged.err]).toEqual([1, expect.stringContaining('Are the two exchanged?')])
    expect((await restored(url, { DATABASE_URL_REPLACED: url })).code).toBe(2)
    expect((await restored(url, { DATABASE_URL_REPLACED: later }, '--except', 'articles')).code).toBe(2)

    const damaged = await restore()
    await asked(
      damaged,
      `insert into audit_log (actor, action, subject, at) values ('x', 'x', 'x', now() + interval '1 hour'); delete from memberships`,
    )
    const lost = await restored(url, { DATABASE_URL_REPLACED: damaged })
    expect([lost.code, lost.err]).toEqual([1, expect.stringContaining('--except memberships')])
    expect((await asked(url, 'select count(*)::int as count from memberships'))[0]).toEqual({ count: 2 })
    expect((await restored(url, { DATABASE_URL_REPLACED: damaged }, '--except', 'memberships')).code).toBe(0)
    expect((await asked(url, 'select count(*)::int as count from memberships'))[0]).toEqual({ count: 2 })
  })

  it('without the replaced database: nobody is signed in, keys wait for an owner, and tombstones erase again', async () => {
    const url = await restore()
    // The queue of this test has had the ids after the first restore.
    await asked(url, `select setval('outbox_id_seq', 500000)`)
    const run = await restored(url)
    expect(run).toMatchObject({ code: 0, out: expect.stringContaining('keys wait until an owner confirms them') })
    const [now] = await asked(url, ended(api?.accountId))
    expect(now).toMatchObject({ sessions: null, passwords: null, passkeys: 0, invitations: 0, grants: 0, clients: 1 })
    expect(await accountsIn(url)).toHaveLength(2)

    const third = await serve(url)
    const keyed = clientOf(third.url, api?.key ?? '', api?.accountId ?? 0)
    const refused = await keyed.get('/projects')
    expect([refused.status, refused.text]).toEqual([
      401,
      expect.stringContaining('until an owner of the account confirms it'),
    ])
    await minute(third)
    await expect.poll(() => accountsIn(url), { timeout: PATIENCE_MS }).toEqual([{ id: api?.accountId }])
    await asked(url, `update api_keys set held_at = null where account_id = ${api?.accountId}`)
    expect((await keyed.get('/projects')).status).toBe(200)
  })
})
