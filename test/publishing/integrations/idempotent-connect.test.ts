import { sql } from 'drizzle-orm'
import { expect, inject, it } from 'vitest'
import { newAccount, newProject, rowsIn } from '../../support/client.ts'

const stack = inject('stack')

it('a repeated connect returns the signing secret again, although it is stored only sealed', async () => {
  const api = await newAccount(stack)
  const project = await newProject(api)
  const body = { platform: 'webhook', url: `${stack.receiverUrl}/webhook`, access_token: 'a-token' }
  const options = { headers: { 'idempotency-key': 'connect-once' } }
  const first = await api.post(`/projects/${project}/integrations`, body, options)
  const again = await api.post(`/projects/${project}/integrations`, body, options)
  expect(first.status).toBe(201)
  expect(again.status).toBe(201)
  expect(again.headers.get('idempotency-replayed')).toBe('true')
  expect(again.body).toEqual(first.body)
  const secret = String(first.body.signing_secret)
  expect(secret).toMatch(/^whsec_/)
  const kept = await rowsIn<{ body: string }>(
    stack,
    sql`select body from idempotency_records where account_id = ${api.accountId}`,
  )
  expect(kept.length).toBe(1)
  expect(kept[0]?.body).not.toContain(secret)
})
