import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { saveFields } from '../../src/content/articles/update.ts'
import { setPolicy } from '../accounts/policy/set.ts'
import { callTool, connect } from '../mcp/client.ts'
import { type Api, anotherKey } from '../support/client.ts'
import { expectError } from '../support/contract.ts'
import { eachInItsScene } from './each-scene.ts'
import { deliveriesOf, heal, write } from './scene.ts'
import { overtaken, systemFor } from './system.ts'

const { access, scene } = eachInItsScene({ publishing_status: 'Publish Immediately' })
let drafter: Api
beforeEach(async () => {
  drafter = await anotherKey(access, scene.api, ['read', 'draft'])
})

/** Each state in which an article goes out without another decision about its text. */
const WAYS_OUT: Record<string, (title: string) => Promise<number>> = {
  'is planned': (title) => write(scene, { title, status: 'Planned', scheduled_date: '2099-01-05T09:00:00Z' }),
  'is being sent again after a refusal': async (title) => {
    const id = await write(scene, { title })
    await scene.mood({ mode: 'down' })
    expect((await scene.publish(id)).body).toMatchObject({ status: 'retrying' })
    return id
  },
  'waits for the answer of a person': async (title) => {
    await setPolicy(access, scene.projectId, { needs_approval: 'every' })
    const id = await write(scene, { title })
    expect((await scene.publish(id)).body).toMatchObject({ status: 'awaiting_approval' })
    return id
  },
}

describe.each(Object.entries(WAYS_OUT))('an article that %s', (_, begin) => {
  test('is not changed by a key that only drafts, in any way, and every forecast says so', async () => {
    const id = await begin('As decided')
    await scene.api.put(`/articles/${id}`, { instructions: 'Notes.' })
    const before = await scene.article(id)
    const [path, revision] = [`/articles/${id}`, `/articles/${id}/revisions/1/restore`]
    const edits = [
      { title: 'By the drafter' },
      { content: '<p>By the drafter.</p>' },
      { tags: ['drafter'] },
      { meta_description: 'By the drafter.' },
      { instructions: 'Other notes.' },
    ]
    for (const edit of edits) {
      expectError(await drafter.put(path, edit), 'key_may_not')
      expectError(await drafter.put(`${path}?dry_run=true`, edit), 'key_may_not')
    }
    expectError(await drafter.post(revision), 'key_may_not')
    expectError(await drafter.post(`${revision}?dry_run=true`), 'key_may_not')
    const calls = [
      { method: 'PUT', path, body: { title: 'By the drafter' } },
      { method: 'POST', path: revision },
    ]
    const another = await anotherKey(access, scene.api, ['read', 'draft'])
    expect((await another.post('/plan', { calls })).body.calls).toMatchObject([
      { allowed: false, refused_by: 'scope' },
      { allowed: false, refused_by: 'scope' },
    ])
    expect((await scene.api.post('/plan', { calls })).body.calls).toMatchObject([{ allowed: true }, { allowed: true }])
    const client = await connect(access.url, another.key)
    const told = await callTool(client, 'update_article', { article_id: id, title: 'By the drafter' })
    expect([told.isError, told.text]).toEqual([true, expect.stringContaining('key_may_not')])
    await client.close()
    expect(await scene.article(id)).toEqual(before)
  })
})

test('an article that nothing sends is changed by a key that only drafts, also after a publication failed', async () => {
  const id = await write(scene)
  await scene.mood({ mode: 'reject', times: 1 })
  expect((await scene.publish(id)).body).toMatchObject({ status: 'failed' })
  expect((await drafter.put(`/articles/${id}`, { title: 'Another' })).status).toBe(200)
})

/** Returns a context of a key that only drafts. Other work is done between its first read and its save. */
const overtakenDrafter = async (work: () => Promise<unknown>) => {
  const ctx = systemFor(access, scene.api.accountId)
  const account = {
    ...(await ctx.account()),
    key: { name: 'drafter', scopes: ['read', 'draft'], expiresAt: null },
  } as const
  return overtaken({ ...ctx, account: async () => account }, work)
}

test('a publication that begins while a draft is saved goes out as it was decided', async () => {
  const id = await write(scene, { title: 'As decided' })
  await scene.mood({ mode: 'down' })
  const late = await overtakenDrafter(() => scene.publish(id))
  await expect(saveFields(late, id, { title: 'By the drafter' }, 'edit')).rejects.toMatchObject({ code: 'key_may_not' })
  expect(await deliveriesOf(scene, id)).toMatchObject([{ status: 'retrying' }])
  await scene.mood({ mode: 'ok' })
  await heal(scene)
  expect((await scene.posts()).map(({ title }) => title)).toEqual(['As decided'])
})

test('the save asks again by itself, also if nothing of the article’s own row has changed', async () => {
  const id = await write(scene, { title: 'As decided' })
  await scene.mood({ mode: 'reject', times: 1 })
  await scene.publish(id)
  const late = await overtakenDrafter(() =>
    scene.rows(sql`update deliveries set status = 'unknown' where article_id = ${id}::int`),
  )
  await expect(saveFields(late, id, { title: 'By the drafter' }, 'edit')).rejects.toMatchObject({ code: 'key_may_not' })
  expect(await scene.article(id)).toMatchObject({ Title: 'As decided' })
})
