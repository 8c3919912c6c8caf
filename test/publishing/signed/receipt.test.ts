import { createHash } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { afterEach, expect, inject, test, vi } from 'vitest'
// @ts-expect-error: an example in plain JavaScript
import { verified } from '../../../examples/verify-receipt.mjs'
import { checkReceipt } from '../../../src/publishing/live/receipt.ts'
import { receiptSigner } from '../../../src/publishing/signed/keys.ts'
import { signReceipt } from '../../../src/publishing/signed/writes.ts'
import { signInAsOwner } from '../../accounts/people/browser.ts'
import { newAccount } from '../../support/client.ts'
import { PATIENCE_MS } from '../../support/patience.ts'
import { callExecutor, flush, openScene, type Scene, write } from '../scene.ts'
import { systemFor } from '../system.ts'

const stack = inject('stack')
let scene: Scene

afterEach(() => scene.receiver.close())

/** Runs the waiting checks of an article as if their time had come, until it has so many signed receipts. */
const check = (id: number, receipts = 1): Promise<void> =>
  vi.waitFor(
    async () => {
      const [row] = await scene.rows<{ id: number }>(
        sql`update outbox set run_at = now(), payload = jsonb_set(payload, '{not_before}', '1')
          where key = ${`receipt:${id}`} and done_at is null returning id`,
      )
      if (row) await callExecutor(stack, JSON.stringify({ outbox_id: Number(row.id) }))
      expect(await storedOf(id)).toHaveLength(receipts)
    },
    { timeout: PATIENCE_MS, interval: 200 },
  )

const signedOf = async (id: number, query = '') => {
  const { status, body, text } = await scene.api.get(`/articles/${id}/receipt.json${query}`)
  expect(status, text).toBe(200)
  return body as {
    jws: string | null
    revision: number | null
    keys: string
    message: string
    statement: Record<string, unknown> | null
  }
}

const keysAt = async (address: string) => ((await (await fetch(address)).json()) as { keys: object[] }).keys

const storedOf = (id: number) =>
  scene.rows<{ jws: string }>(sql`select jws from signed_receipts where article_id = ${id}::int order by id`)

test('a final receipt says what was approved, sent once and seen, and anybody can check it', async () => {
  scene = await openScene(stack, { publishing_status: 'Publish Immediately' })
  const { person, email } = await signInAsOwner(stack, scene.api)
  await scene.rows(sql`with p as (insert into policies (project_id, account_id, version, needs_approval, changed_by, changed_at)
      values (${scene.projectId}::int, ${scene.api.accountId}::int, 3, 'first', 'test', now() - interval '1 minute') returning *)
    insert into policy_versions (project_id, version, clauses, changed_by, changed_at)
      select project_id, version, '{"needs_approval":"first"}', 'test', changed_at from p`)
  const id = await write(scene, { title: 'Chains wear out' })
  expect(await signedOf(id)).toMatchObject({ jws: null, message: expect.stringContaining('not published') })
  const { body } = await scene.publish(id)
  await person.post(`/p/${scene.projectId}/approvals/${body.approval_id}/decide`, { decision: 'approve' })
  await flush(stack, true)
  await check(id)

  const { jws, keys, revision } = await signedOf(id)
  expect(keys).toBe(`${stack.url}/.well-known/receipt-keys.json`)
  const [delivery] = await scene.deliveries(id)
  const { deliveries } = (await scene.api.get(`/webhook-deliveries?article_id=${id}`)).body as {
    deliveries: { id: number }[]
  }
  const html = (await scene.posts()).find(({ article_id }) => article_id === String(id))?.content_html ?? ''
  const statement = verified(jws, await keysAt(keys))
  expect(statement).toMatchObject({
    v: 1,
    iss: stack.url,
    article_id: id,
    revision,
    title: 'Chains wear out',
    content_sha256: createHash('sha256').update(html).digest('hex'),
    url: (await scene.article(id)).Url,
    delivery: { id: deliveries[0]?.id, event: 'publish_articles', target: 'webhook', attempts: 1, accepted_times: 1 },
    policy: { version: 3, needs_approval: 'first' },
    approval: { id: body.approval_id, decided_by: expect.stringMatching(/^person_[0-9a-f]{24}$/) },
    shown: true,
    seen: { http_status: 200, title_found: true },
  })
  expect(delivery).toBeDefined()
  expect(JSON.stringify(statement)).not.toContain(email.split('@')[0])

  const page = await person.get(`/p/${scene.projectId}/articles/${id}`)
  expect(page.text).toContain(`/p/${scene.projectId}/articles/${id}/receipt.json`)
  expect(JSON.parse((await person.get(`/p/${scene.projectId}/articles/${id}/receipt.json`)).text).jws).toBe(jws)
  const unsigned = `/p/${scene.projectId}/articles/${await write(scene)}`
  expect((await person.get(`${unsigned}/receipt.json`)).text).toContain('no receipt of it was signed')
})

test('each version has its receipt, and nobody else reads it', async () => {
  scene = await openScene(stack)
  const id = await write(scene, { title: 'Chains wear out' })
  await scene.publish(id)
  await check(id)
  const first = await signedOf(id)
  await scene.api.post(`/articles/${id}/sync`, { title: 'Chains wear' })
  expect((await signedOf(id)).jws, 'until the page is checked').toBe(first.jws)
  await check(id, 2)
  const second = await signedOf(id)
  expect(second.statement).toMatchObject({
    title: 'Chains wear',
    delivery: { event: 'update_articles' },
    policy: null,
    approval: null,
  })
  expect((await signedOf(id, `?revision=${first.revision}`)).jws).toBe(first.jws)
  expect((await storedOf(id)).map(({ jws }) => jws)).toEqual([first.jws, second.jws])
  const other = await newAccount(stack)
  expect(await other.get(`/articles/${id}/receipt.json`)).toMatchObject({ status: 403 })
})

test('two runs of one check sign one receipt', async () => {
  scene = await openScene(stack)
  const id = await write(scene, { title: 'Chains wear out' })
  await scene.publish(id)
  const [row] = await scene.rows<{ payload: Record<string, unknown> }>(
    sql`select payload from outbox where key = ${`receipt:${id}`} and done_at is null`,
  )
  const signer = receiptSigner([{ id: 'r', key: new Uint8Array(32).fill(9) }])
  const url = new URL(String((await scene.article(id)).Url))
  const run = () =>
    checkReceipt(
      systemFor(stack, scene.api.accountId, {
        now: () => new Date(Date.now() + 60_000),
        outbound: async () => {
          const response = await fetch(url)
          const body = await response.text()
          return {
            ...{ kind: 'answered', status: response.status, headers: response.headers, body },
            ...{ bytes: new TextEncoder().encode(body), truncated: false, incomplete: false },
          }
        },
      }),
      () => undefined,
      { article_id: id, look: 0, not_before: Number(row?.payload.not_before), is_restored: false, loaded: [] },
      signer,
    )
  await Promise.all([run(), run()])
  await run()
  expect(await storedOf(id)).toHaveLength(1)
})

test('a key that is no longer set stays published, with its end', async () => {
  scene = await openScene(stack)
  const id = await write(scene, { title: 'Chains wear out' })
  const ctx = systemFor(stack, scene.api.accountId)
  const [before, after] = [11, 12].map((byte) => receiptSigner([{ id: 'r', key: new Uint8Array(32).fill(byte) }]))
  const seen = { checked_at: new Date().toISOString() }
  const shown = { articleId: id, revision: 1, title: 'A', content: '', url: 'https://a.example', isShown: true, seen }
  for (const signer of [before, after])
    await ctx.batch({ signed: (await signReceipt(ctx, signer, shown))(sql`true`) }, { unaudited: 'a test' })
  const keys = (await keysAt(`${stack.url}/.well-known/receipt-keys.json`)) as { kid: string; until: string | null }[]
  const kid = (await before?.())?.keys[0]?.id
  expect(keys.find((one) => one.kid === kid)).toMatchObject({ until: expect.any(String) })
  const [first] = await storedOf(id)
  expect(verified(first?.jws, keys)).toMatchObject({ article_id: id })
})
