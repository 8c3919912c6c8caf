import { sql } from 'drizzle-orm'
import { expect, inject, it } from 'vitest'
import { type Api, anotherKey, newAccount, rowsIn } from '../../support/client.ts'
import { expectError } from '../../support/contract.ts'
import { action, entitled, identity, lead, person, stored } from './rows.ts'

const stack = inject('stack')

const mirror = {
  persons: [
    person('ann', { email: 'Ann@Private.example', full_name: 'Ann Secret' }),
    person('bob', { email: 'bob@x.example' }),
    person('carol', { email: 'desk@x.example' }),
    person('dora', { email: 'desk@x.example' }),
  ],
  identities: [identity('i-ann', 'ann', 'ann.second@private.example'), identity('i-bob', 'bob', 'bob@home.example')],
  leads: [lead('l-ann', 'ann'), lead('l-bob', 'bob')],
  actions: [action('a-ann', 'ann'), action('a-bob', 'bob')],
  suppressions: [
    { id: 's-ann', kind: 'email', value: 'ann@private.example' },
    { id: 's-ann2', kind: 'person', value: 'ann' },
    { id: 's-x', kind: 'domain', value: 'x.example' },
  ],
}

const fresh = async (): Promise<Api> => {
  const api = await entitled(stack)
  await api.post('/outreach/sync', mirror)
  return api
}

const KINDS = ['persons', 'identities', 'leads', 'actions', 'suppressions']
const ids = async (api: Api) =>
  (await Promise.all(KINDS.map((kind) => stored(stack, api, kind)))).flat().map(({ id }) => id)

const WITHOUT_ANN = ['bob', 'carol', 'dora', 'i-bob', 'l-bob', 'a-bob', 's-x']

/** Returns everything the database holds of the account, as text. */
const everything = async (api: Api): Promise<string> => {
  const tables = ['outreach_mirrors', 'outreach_erasures', 'audit_log', ...KINDS.map((kind) => `outreach_${kind}`)]
  const rows = await Promise.all(
    tables.map((table) =>
      rowsIn(stack, sql`select to_jsonb(t) as t from ${sql.raw(table)} t where account_id = ${api.accountId}::int`),
    ),
  )
  return JSON.stringify(rows)
}

it.each([
  ['id', { id: 'ann' }],
  ['address', { address: ' ANN@private.example' }],
  ['another address of theirs', { address: 'ann.second@private.example' }],
])('a person is erased by %s with everything of theirs, and stays erased', async (_, who) => {
  const api = await fresh()
  const { status, body } = await api.post('/outreach/erase', who)
  expect([status, body.erased]).toEqual([200, { persons: 1, identities: 1, leads: 1, actions: 1, suppressions: 2 }])
  expect(body.message).toMatch(/^Erased\. /)
  expect((await api.post('/outreach/erase', who)).body.message).toMatch(/^Nothing of this person was stored/)
  expect(await ids(api)).toEqual(WITHOUT_ANN)
  expect(await everything(api)).not.toMatch(/ann/i)

  const again = await api.post('/outreach/sync', mirror)
  expect(again.body).toMatchObject({ synced: { persons: 4, suppressions: 3 } })
  expect(await ids(api)).toEqual(WITHOUT_ANN)
  const newer = mirror.persons.map((row) => ({ ...row, updated_at: '2031-01-01T00:00:00Z' }))
  await api.post('/outreach/sync', { persons: newer })
  expect(await ids(api)).toEqual(WITHOUT_ANN)
})

it('a person does not come back under another id or as an identity of someone', async () => {
  const api = await fresh()
  await api.post('/outreach/erase', { id: 'ann' })
  await api.post('/outreach/sync', {
    persons: [person('ann-again', { email: 'ann@PRIVATE.example' })],
    identities: [identity('i-new', 'ann-again', 'Ann.Second@private.example')],
    suppressions: [{ id: 's-new', kind: 'email', value: 'ann@private.example' }],
  })
  expect(await ids(api)).toEqual(WITHOUT_ANN)
})

it('those who share an address with the erased person stay', async () => {
  const api = await fresh()
  expect((await api.post('/outreach/erase', { id: 'carol' })).body.erased).toMatchObject({ persons: 1 })
  await api.post('/outreach/sync', mirror)
  expect(await ids(api)).toContain('dora')
  expect(await ids(api)).not.toContain('carol')
})

it('everyone with an address is erased by it', async () => {
  const api = await fresh()
  expect((await api.post('/outreach/erase', { address: 'desk@x.example' })).body.erased).toMatchObject({ persons: 2 })
  await api.post('/outreach/sync', mirror)
  expect(await ids(api)).not.toContain('dora')
})

it('someone who is not in the mirror yet is never added', async () => {
  const api = await entitled(stack)
  const answer = await api.post('/outreach/erase', { id: 'ann', address: 'bob@x.example' })
  expect(answer.body).toEqual({
    erased: { persons: 0, identities: 0, leads: 0, actions: 0, suppressions: 0 },
    message: expect.stringMatching(/^Nothing of this person was stored, so nothing was erased\..* every later sync\.$/),
  })
  await api.post('/outreach/sync', mirror)
  expect((await stored(stack, api, 'persons')).map(({ id }) => id)).toEqual(['carol', 'dora'])
})

it('changes no other account’s mirror, and needs no entitlement', async () => {
  const [one, two] = [await fresh(), await fresh()]
  await one.post('/outreach/erase', { id: 'ann' })
  expect(await ids(two)).toContain('ann')
  await two.post('/outreach/sync', mirror)
  expect(await ids(two)).toContain('ann')
  const plain = await newAccount(stack)
  expect((await plain.post('/outreach/erase', { id: 'ann' })).status).toBe(200)
  expect(await ids(two)).toContain('ann')
})

it('needs an id or an address', async () => {
  const api = await entitled(stack)
  expectError(await api.post('/outreach/erase', {}), 'invalid_input')
})

it('an erasure during simultaneous syncs is effective', { tags: ['services'] }, async () => {
  const api = await fresh()
  const keys = await Promise.all(Array.from({ length: 6 }, () => anotherKey(stack, api)))
  const calls = keys.map((key, n) =>
    n === 3
      ? key.post('/outreach/erase', { id: 'ann' })
      : key.post('/outreach/sync', {
          ...mirror,
          persons: mirror.persons.map((row) => ({ ...row, updated_at: `2026-06-0${n + 1}T00:00:00Z` })),
        }),
  )
  expect((await Promise.all(calls)).map(({ status }) => status)).toEqual(keys.map(() => 200))
  expect(await ids(api)).toEqual(WITHOUT_ANN)
})
