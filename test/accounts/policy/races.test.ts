/** @module-tag services */
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { openScene, type Scene, write } from '../../publishing/scene.ts'
import { anotherKey } from '../../support/client.ts'
import { setPolicy } from './set.ts'

const stack = inject('stack')
let scene: Scene

beforeEach(async () => {
  scene = await openScene(stack)
})
afterEach(() => scene.receiver.close())

test('calls at once never publish more articles than a day may have', async () => {
  await setPolicy(stack, scene.projectId, { max_publications_per_day: 3 })
  const ids = await Promise.all(Array.from({ length: 8 }, () => write(scene)))
  const answers = await Promise.all(
    ids.map(async (id) => (await anotherKey(stack, scene.api)).post(`/articles/${id}/publish`)),
  )
  const statuses = answers.map(({ status }) => status)
  expect(statuses.filter((status) => status === 200)).toHaveLength(3)
  for (const { status, body } of answers)
    if (status !== 200) expect(body).toMatchObject({ code: 'policy', rule: 'max_publications_per_day' })
  expect(await scene.posts()).toHaveLength(3)
})
