import { afterAll, expect, inject, it, vi } from 'vitest'
import { openScene, type Scene, write } from '../../publishing/scene.ts'
import { ownFaults } from '../../support/faults.ts'
import { PATIENCE_MS } from '../../support/patience.ts'
import { seedSearch, TEXT } from './seed.ts'

const stack = inject('stack')

const open: Scene[] = []
afterAll(async () => {
  await Promise.all(open.map(({ receiver }) => receiver.close()))
})

/** Returns an article whose rewrite was saved and refused by the site, and its suggestion. */
const failedPublish = async (mode: string) => {
  const scene = await openScene(stack)
  open.push(scene)
  const { api, projectId: project } = scene
  const fields = { keyword: 'shed', title: 'All of sheds', content: TEXT, meta_description: 'Sheds.' }
  const article = await write(scene, fields)
  expect(await scene.publish(article)).toMatchObject({ body: { status: 'published' } })
  const before = await scene.article(article)
  await seedSearch(stack, api, project, [
    { article, now: [5, 900, 6.2], before: [30, 1000, 4], queries: { 'oak garden shed': [2, 800, 6.1] } },
  ])
  expect(await api.post('/suggestions/run', { project_id: project })).toMatchObject({ status: 200 })
  const { body } = await api.get(`/suggestions?project_id=${project}&status=pending&type=striking_distance`)
  const [{ id }] = body.suggestions as [{ id: number }]
  expect(await api.post(`/suggestions/${id}/approve`)).toMatchObject({ status: 200 })
  const status = async () => ((await api.get(`/suggestions/${id}`)).body.suggestion as { status: string }).status
  await vi.waitFor(async () => expect(await status()).toBe('ready'), { timeout: PATIENCE_MS, interval: 150 })
  await scene.mood({ mode })
  expect(await api.post(`/suggestions/${id}/publish`)).toMatchObject({ status: 502, body: { saved: true } })
  await scene.mood({ mode: 'ok' })
  const saved = await scene.article(article)
  expect(saved.Title).not.toBe(before.Title)
  return { scene, api, article, id, before, saved }
}

const WORDS = ['Title', 'MetaDescription', 'Content'] as const
const wordsOf = (article: Record<string, unknown>) => WORDS.map((name) => article[name])

it('a rewrite that was saved and refused by the site is taken back when it is rejected', async () => {
  const { scene, api, article, id, before, saved } = await failedPublish('unavailable')
  const revision = Number(saved.Revision) + 1
  expect(await api.post(`/suggestions/${id}/reject`, { reason: 'No.' })).toMatchObject({
    status: 200,
    body: {
      suggestion: { id, status: 'rejected' },
      message: expect.stringContaining(`again, as revision ${revision}`),
    },
  })
  const now = await scene.article(article)
  expect(now).toMatchObject({ Revision: revision, PublishState: 'idle', PublishError: null, Seo: before.Seo })
  expect(wordsOf(now)).toEqual(wordsOf(before))
  // The rewrite stays among the versions, and the next sync sends the words from before.
  const { body: kept } = await api.get(`/articles/${article}/revisions/${saved.Revision}`)
  expect(kept.title).toBe(saved.Title)
  expect(await api.post(`/articles/${article}/sync`)).toMatchObject({ status: 200 })
  expect((await scene.posts()).at(-1)).toMatchObject({ title: before.Title })
})

it('if the site may have it, the article says that this is unknown', async () => {
  const { scene, api, article, id, before } = await failedPublish('close_after_read')
  expect(await api.post(`/suggestions/${id}/reject`)).toMatchObject({
    status: 200,
    body: {
      message: expect.stringContaining('not known what the site shows'),
      next_calls: [{ method: 'POST', path: `/articles/${article}/sync` }],
    },
  })
  const now = await scene.article(article)
  expect(now).toMatchObject({ PublishState: 'failed', PublishError: expect.any(String) })
  expect(wordsOf(now)).toEqual(wordsOf(before))
})

it('a later save by another person stays, and the answer names the parts of the rewrite that are left', async () => {
  const { scene, api, article, id, before, saved } = await failedPublish('reject')
  await scene.mood({ mode: 'reject' })
  expect(await api.post(`/articles/${article}/sync`, { title: 'Mine' })).toMatchObject({ status: 502 })
  await scene.mood({ mode: 'ok' })
  expect(await api.post(`/suggestions/${id}/reject`)).toMatchObject({
    status: 200,
    body: {
      message: expect.stringMatching(/^The suggestion is rejected\. A part of its rewrite is saved .*next sync/),
      next_calls: [{ method: 'POST', path: `/articles/${article}/revisions/${before.Revision}/restore` }],
    },
  })
  expect(await scene.article(article)).toMatchObject({ Title: 'Mine', Content: saved.Content })
})

it('a rewrite that was published during its rejection stays, and the answer says so', async () => {
  const { scene, api, article, id, before, saved } = await failedPublish('reject')
  // The rejection has found the rewrite unsent; its write is held until a sync has sent it.
  const faults = ownFaults(stack.neonUrl)
  await faults.set({ body: 'suggestion.reject', hold: true, times: 1 })
  try {
    const rejecting = api.post(`/suggestions/${id}/reject`)
    await expect.poll(faults.used).toEqual([1])
    expect(await api.post(`/articles/${article}/sync`)).toMatchObject({ status: 200 })
    await faults.clear()
    expect(await rejecting).toMatchObject({
      status: 200,
      body: {
        message: expect.stringContaining('Its rewrite is live'),
        next_calls: [{ path: `/articles/${article}/revisions/${before.Revision}/restore` }],
      },
    })
  } finally {
    await faults.clear()
  }
  expect(wordsOf(await scene.article(article))).toEqual(wordsOf(saved))
})
