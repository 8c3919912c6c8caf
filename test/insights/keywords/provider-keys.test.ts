import { sql } from 'drizzle-orm'
import { expect, inject, it } from 'vitest'
import { type Api, anotherKey, newAccount, rowsIn } from '../../support/client.ts'
import { expectError } from '../../support/contract.ts'

const stack = inject('stack')

const DATAFORSEO = { login: 'me@shop.example', password: 'sandbox-password-wxyz' }
const keysOf = async (api: Api) => (await api.get('/provider-keys')).body.provider_keys as Record<string, unknown>[]
const auditOf = (api: Api) =>
  rowsIn<{ action: string; detail: unknown }>(
    stack,
    sql`select action, detail from audit_log where account_id = ${api.accountId} and action like 'provider_key.%' order by id`,
  )

it('are saved sealed, shown masked, replaced and forgotten, each written down', async () => {
  const api = await newAccount(stack)
  expect(await keysOf(api)).toEqual([])
  const saved = await api.put('/provider-keys/dataforseo', DATAFORSEO)
  expect([saved.status, saved.body]).toEqual([
    200,
    {
      provider: 'dataforseo',
      status: 'saved',
      masked: '****wxyz',
      replaced: false,
      message: expect.any(String),
      sandbox: true,
    },
  ])
  await api.put('/provider-keys/Ahrefs', { api_key: 'sandbox-key-abcd' })
  expect(await keysOf(api)).toMatchObject([
    { provider: 'ahrefs', login: null, masked: '****abcd', status: 'accepted', last_error: null },
    { provider: 'dataforseo', login: 'me@shop.example', masked: '****wxyz' },
  ])
  const stored = await rowsIn(stack, sql`select * from provider_keys where account_id = ${api.accountId}`)
  expect(JSON.stringify(stored)).not.toContain('sandbox-')
  const again = await api.put('/provider-keys/dataforseo', { ...DATAFORSEO, password: 'sandbox-password-2345' })
  expect(again.body).toMatchObject({ replaced: true, masked: '****2345' })
  expect((await api.del('/provider-keys/dataforseo')).body).toMatchObject({ provider: 'dataforseo', deleted: true })
  expectError(await api.del('/provider-keys/dataforseo'), 'not_found')
  expect((await keysOf(api)).map(({ provider }) => provider)).toEqual(['ahrefs'])
  expect((await auditOf(api)).map(({ action }) => action)).toEqual([
    'provider_key.save',
    'provider_key.save',
    'provider_key.save',
    'provider_key.delete',
  ])
  expect(JSON.stringify(await auditOf(api))).not.toContain('sandbox-')
})

it('that the provider rejects are not saved, and the earlier one stays', async () => {
  const api = await newAccount(stack)
  await api.put('/provider-keys/ahrefs', { api_key: 'sandbox-key-abcd' })
  const rejected = await api.put('/provider-keys/ahrefs', { api_key: 'another-key' })
  expectError(rejected, 'byo_keys_invalid')
  expect(rejected.body).toMatchObject({ reason: 'rejected', upstream: { name: 'ahrefs', status: 401 } })
  expectError(await api.put('/provider-keys/dataforseo', { ...DATAFORSEO, password: 'wrong' }), 'byo_keys_invalid')
  expect(await keysOf(api)).toMatchObject([{ provider: 'ahrefs', masked: '****abcd' }])
})

it('are not saved while the provider does not answer', async () => {
  const api = await newAccount(stack)
  const answer = await api.put('/provider-keys/dataforseo', { ...DATAFORSEO, password: 'sandbox-away' })
  expectError(answer, 'provider_unavailable')
  expect(await keysOf(api)).toEqual([])
})

it('whose account has nothing left are saved with a warning', async () => {
  const api = await newAccount(stack)
  const { status, body } = await api.put('/provider-keys/ahrefs', { api_key: 'sandbox-used-up' })
  expect([status, body.warning]).toEqual([200, expect.stringContaining('used up')])
})

it('are checked: the provider’s own fields, and no other’s', async () => {
  const api = await newAccount(stack)
  const missing = await api.put('/provider-keys/dataforseo', { api_key: 'x' })
  expectError(missing, 'invalid_input')
  expect(missing.body.details).toEqual([
    { field: 'login', message: 'is required' },
    { field: 'password', message: 'is required' },
    { field: 'api_key', message: 'is not a field of dataforseo, which needs login and password' },
  ])
  const unknown = await api.put('/provider-keys/semrush', { api_key: 'x' })
  expect([unknown.status, unknown.body.details]).toMatchObject([400, [{ field: 'provider' }]])
})

it('are the account’s alone, and not for a reading key to change', async () => {
  const [api, other] = [await newAccount(stack), await newAccount(stack)]
  await api.put('/provider-keys/dataforseo', DATAFORSEO)
  expect(await keysOf(other)).toEqual([])
  expectError(await other.del('/provider-keys/dataforseo'), 'not_found')
  const reading = await anotherKey(stack, api, ['read'])
  expectError(await reading.del('/provider-keys/dataforseo'), 'key_may_not')
  expect(await keysOf(reading)).toHaveLength(1)
})
