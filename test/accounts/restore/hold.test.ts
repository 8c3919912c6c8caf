import { sql } from 'drizzle-orm'
import { expect, inject, it } from 'vitest'
import { leaveTombstone } from '../../../src/accounts/people/leaving/tombstones.ts'
import { eraseByTombstones } from '../../../src/accounts/restore/erasures.ts'
import { type Bucket, NO_BUCKET } from '../../../src/platform/runtime/bucket.ts'
import { systemFor } from '../../publishing/system.ts'
import { clientOf, newAccount, rowsIn } from '../../support/client.ts'
import { formOn, newOwner } from '../people/browser.ts'

const stack = inject('stack')

it('a key on hold is refused with the reason, and works again once an owner confirms it', async () => {
  const { api, person } = await newOwner(stack)
  await rowsIn(stack, sql`update api_keys set held_at = now() where account_id = ${api.accountId}::int`)
  const keyed = clientOf(stack.url, api.key, api.accountId)
  const refused = await keyed.get('/projects')
  expect([refused.status, refused.body.code]).toEqual([401, 'unauthorized'])
  expect(refused.text).toContain('waits until an owner of the account confirms it')
  expect(refused.text).toContain('/settings/keys')
  expect((await keyed.post('/projects', { website_url: 'https://held.example' })).status).toBe(401)

  const page = await person.get('/settings/keys')
  expect(page.text).toContain('Keys that wait for you')
  const confirmed = await person.post('/settings/keys/confirm', formOn(page, '/settings/keys/confirm'))
  expect(confirmed.text).toContain('The key is confirmed')
  expect(confirmed.text).not.toContain('Keys that wait for you')
  expect((await keyed.get('/projects')).status).toBe(200)
  expect((await person.get('/settings/audit')).text).toContain('Confirmed an API key')
})

it('an account with a tombstone in the bucket is closed and erased again, and no other', async () => {
  const [erased, other] = [await newAccount(stack), await newAccount(stack)]
  const objects = new Map<string, Uint8Array>()
  const media: Bucket = {
    ...NO_BUCKET,
    put: async (key, value) => void objects.set(key, value),
    list: async ({ prefix, cursor = '' }) => {
      const keys = [...objects.keys()].filter((key) => key.startsWith(prefix) && key > cursor).sort()
      const [key = ''] = keys
      const page = keys.length === 0 ? [] : [{ key, size: 1 }]
      return keys.length > 1 ? { objects: page, truncated: true, cursor: key } : { objects: page, truncated: false }
    },
  }
  const ctx = systemFor(stack, erased.accountId, { media })
  const [row] = await rowsIn<{ created_at: string }>(
    stack,
    sql`select created_at from accounts where id = ${erased.accountId}::int`,
  )
  await leaveTombstone(ctx, { id: erased.accountId, createdAt: new Date(row?.created_at ?? '') })
  await leaveTombstone(ctx, { id: erased.accountId + 1_000_000, createdAt: new Date(0) })
  expect(JSON.stringify([...objects].map(([key, value]) => [key, new TextDecoder().decode(value)]))).not.toMatch(/@/)

  expect(await eraseByTombstones(ctx)).toEqual({ kind: 'done' })
  await fetch(stack.cronUrl)
  const ids = sql`select id from accounts where id in (${erased.accountId}::int, ${other.accountId}::int)`
  await expect.poll(() => rowsIn(stack, ids)).toEqual([{ id: other.accountId }])
  expect((await other.get('/projects')).status).toBe(200)
})
