import { sql } from 'drizzle-orm'
import { describe, expect, inject, it } from 'vitest'
import { createKey, revokeKey, setAccount } from '../../../src/platform/accounts/admin.ts'
import { createRefusedSignIns } from '../../../src/platform/accounts/refused-sign-ins.ts'
import { systemDeps } from '../../publishing/system.ts'
import {
  type Api,
  anotherKey,
  clientOf,
  newAccount,
  newArticle,
  newProject,
  rowsIn,
  runnerOf,
} from '../../support/client.ts'
import { unknownKey } from '../../support/contract.ts'
import { manyKeys } from '../../support/keys.ts'
import { sweepTable } from '../../support/sweep.ts'

const stack = inject('stack')

type Entry = { id: number; at: string; actor: string; action: string; subject: string; detail: Record<string, unknown> }

const entriesOf = async (api: Api, query = ''): Promise<Entry[]> => {
  const { status, body, text } = await api.get(`/audit-log${query}`)
  expect(status, text).toBe(200)
  return body.entries as Entry[]
}

const actions = (entries: Entry[]): string[] => entries.map(({ action }) => action)

describe('GET /audit-log', () => {
  it('shows what was done in the account, newest first, by whom and on what', async () => {
    const api = await newAccount(stack)
    const project = await newProject(api)
    const article = await newArticle(api, project)
    const entries = await entriesOf(api)
    expect(actions(entries)).toEqual(['article.create', 'project.create', 'key.create', 'account.create'])
    expect(entries[0]).toMatchObject({ actor: expect.stringMatching(/^key:\d+$/), subject: `article:${article}` })
    expect(entries[1]?.subject).toBe(`project:${project}`)
    expect(entries.map(({ at }) => at)).toEqual(entries.map(({ at }) => new Date(at).toISOString()))
    const other = await newAccount(stack)
    expect(actions(await entriesOf(other))).toEqual(['key.create', 'account.create'])
  })

  it('filters by action, actor and start time, alone and together', async () => {
    const api = await newAccount(stack)
    const project = await newProject(api)
    await newArticle(api, project)
    const second = await anotherKey(stack, api)
    await newArticle(second, project)
    const all = await entriesOf(api)
    const mine = all.find(({ action }) => action === 'project.create')?.actor ?? ''
    expect(actions(await entriesOf(api, '?action=article.create'))).toEqual(['article.create', 'article.create'])
    expect(actions(await entriesOf(api, `?actor=${mine}`))).toEqual(['article.create', 'project.create'])
    expect(actions(await entriesOf(api, `?actor=${mine}&action=article.create`))).toEqual(['article.create'])
    expect(await entriesOf(api, '?action=article.delete')).toEqual([])
    await rowsIn(
      stack,
      sql`update audit_log set at = '2020-05-01T12:00:00Z' where id <= ${all[2]?.id ?? 0}::int and account_id = ${api.accountId}::int`,
    )
    expect(await entriesOf(api, '?since=2020-05-01T12:00:00.001Z')).toEqual(all.slice(0, 2))
    expect(await entriesOf(api, '?since=2020-05-01T12:00:00')).toHaveLength(all.length)
    expect(await entriesOf(api, '?since=2020-05-01T14:00:00.001%2B02:00&action=article.create')).toEqual([all[0]])
    expect(await entriesOf(api, '?since=2999-01-01')).toEqual([])
    expect((await api.get('/audit-log?since=yesterday')).status).toBe(400)
    expect((await api.get('/audit-log?action=')).status).toBe(400)
  })

  it('is paged like every list', async () => {
    const api = await newAccount(stack)
    const project = await newProject(api)
    for (let n = 0; n < 3; n += 1) await newArticle(api, project)
    const all = await entriesOf(api)
    const first = (await api.get('/audit-log?limit=2')).body
    expect(first).toMatchObject({ count: 2, limit: 2, offset: 0, next_offset: 2, before_id: all[1]?.id })
    expect(await entriesOf(api, `?limit=2&before_id=${first.before_id}`)).toEqual(all.slice(2, 4))
    expect(await entriesOf(api, '?limit=2&offset=4')).toEqual(all.slice(4, 6))
    const last = (await api.get('/audit-log?limit=1000')).body
    expect(last).toMatchObject({ count: all.length, limit: 200, next_offset: null, before_id: null })
  })
})

describe('a refused sign-in', () => {
  const refusedOf = async (api: Api): Promise<Entry[]> => await entriesOf(api, '?action=sign_in.refused')

  /** The log is written after the answer. */
  const refusedSoon = async (one: Api): Promise<Entry[]> => {
    const api = manyKeys(stack, one)
    return await expect
      .poll(() => refusedOf(api))
      .not.toEqual([])
      .then(() => refusedOf(api))
  }

  it('with a revoked key is one entry, however many calls it makes', async () => {
    const api = await newAccount(stack)
    const run = runnerOf(stack)
    const { key, row } = await createKey(run, String(api.accountId), { name: 'old', scopes: ['read'], kind: 'test' })
    await revokeKey(run, Number(row.id))
    const old = clientOf(stack.url, key, api.accountId)
    for (let n = 0; n < 5; n += 1) expect((await old.get('/projects')).status).toBe(401)
    const entries = await refusedSoon(api)
    expect(entries).toHaveLength(1)
    expect(entries[0]).toMatchObject({ actor: 'caller', subject: `key:${row.id}`, detail: { why: 'revoked' } })
  })

  it('with an expired key, or for a suspended account, has the reason; an unknown key has no entry', async () => {
    const api = await newAccount(stack)
    const run = runnerOf(stack)
    const given = {
      name: 'past',
      scopes: ['read'] as const,
      kind: 'test' as const,
      expiresAt: new Date(Date.now() - 1_000),
    }
    const { key } = await createKey(run, String(api.accountId), given)
    expect((await clientOf(stack.url, key, api.accountId).get('/projects')).status).toBe(401)
    expect((await refusedSoon(api))[0]?.detail).toEqual({ why: 'expired' })
    const before = await rowsIn<{ n: string }>(stack, sql`select count(*) as n from audit_log where account_id is null`)
    expect((await clientOf(stack.url, unknownKey(), 0).get('/projects')).status).toBe(401)
    await setAccount(run, String(api.accountId), { suspended: true })
    expect((await api.get('/projects')).status).toBe(401)
    await setAccount(run, String(api.accountId), { suspended: false })
    const asking = manyKeys(stack, api)
    await expect
      .poll(async () => (await refusedOf(asking)).map(({ detail }) => detail.why))
      .toEqual(['suspended', 'expired'])
    expect(await rowsIn(stack, sql`select count(*) as n from audit_log where account_id is null`)).toEqual(before)
  })

  it('is written again after an hour, and by no second isolate before', async () => {
    const api = await newAccount(stack)
    const { db } = systemDeps(stack)
    let now = Date.now()
    const owner = {
      id: api.accountId,
      keyId: 2_000_000_000 + api.accountId,
      revokedAt: new Date(0),
      heldAt: null,
      suspendedAt: null,
    }
    const [one, two] = [createRefusedSignIns(() => new Date(now)), createRefusedSignIns(() => new Date(now))]
    await one.note(db, owner)
    expect(one.note(db, owner)).toBeUndefined()
    await two.note(db, owner)
    expect(await refusedOf(api)).toHaveLength(1)
    now += 3_599_999
    expect(one.note(db, owner)).toBeUndefined()
    now += 1
    await one.note(db, owner)
    expect(await refusedOf(api)).toHaveLength(2)
  })
})

describe('after 400 days', () => {
  it('entries are deleted, in batches; newer ones stay', async () => {
    const api = await newAccount(stack)
    const count = async (): Promise<number> => {
      const where = sql`account_id = ${api.accountId}::int and actor = 'test'`
      const [row] = await rowsIn<{ n: string }>(stack, sql`select count(*) as n from audit_log where ${where}`)
      return Number(row?.n)
    }
    const now = new Date('2027-01-01T00:00:00Z')
    const cutoff = new Date(now.getTime() - 400 * 86_400_000)
    // Ids below all others, as old rows have them.
    await rowsIn(
      stack,
      sql`insert into audit_log (id, account_id, actor, action, subject, at)
        select -n, ${api.accountId}::int, 'test', 'test.old', 'test:1',
          ${cutoff.toISOString()}::timestamptz - case when n <= 2 then interval '0' else interval '1 millisecond' end
        from generate_series(1, 2502) n`,
    )
    expect(await count()).toBe(2_502)
    const deps = systemDeps(stack, { now: () => now })
    expect(await sweepTable(stack, 'audit_log', deps)).toBeGreaterThanOrEqual(2_500)
    expect(await count()).toBe(2)
    await sweepTable(stack, 'audit_log', deps)
    expect(await count()).toBe(2)
  })
})
