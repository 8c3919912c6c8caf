import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import { openScene, type Scene, write } from '../../publishing/scene.ts'
import { formOn, signInAsOwner, type Visitor } from '../people/browser.ts'
import { setPolicy } from './set.ts'

const access = inject('stack')
let scene: Scene
beforeEach(async () => {
  scene = await openScene(access)
})
afterEach(() => scene.receiver.close())

/** Publishes an article, detaches it from its post, and changes its text, as one agent may do with write access. */
const publishedAndDetached = async (): Promise<number> => {
  const id = await write(scene, { title: 'First' })
  expect((await scene.publish(id)).body).toMatchObject({ status: 'published' })
  expect((await scene.api.post(`/articles/${id}/detach`)).body).toMatchObject({ status: 'detached' })
  expect((await scene.api.put(`/articles/${id}`, { title: 'Other words' })).status).toBe(200)
  return id
}

describe('a policy counts posts, not articles', () => {
  test('a publication after a detach is a first one, which a person approves', async () => {
    const id = await publishedAndDetached()
    await setPolicy(access, scene.projectId, { needs_approval: 'first' })
    expect((await scene.publish(id)).body).toMatchObject({ status: 'awaiting_approval' })
    expect(await scene.deliveries(id)).toHaveLength(1)
    const calls = [{ method: 'POST', path: `/articles/${id}/publish` }]
    expect((await scene.api.post('/plan', { calls })).body.calls).toMatchObject([{ rule: 'needs_approval' }])
  })

  test('the same post may go out again without an approval', async () => {
    const id = await write(scene)
    await scene.publish(id)
    await setPolicy(access, scene.projectId, { needs_approval: 'first' })
    expect((await scene.api.post(`/articles/${id}/sync`, { title: 'Other words' })).status).toBe(200)
  })

  test('a publication after a detach takes a place of the day, and the same post takes one', async () => {
    const id = await publishedAndDetached()
    await setPolicy(access, scene.projectId, { max_publications_per_day: 1 })
    expect((await scene.publish(id)).body).toMatchObject({ code: 'policy', rule: 'max_publications_per_day' })
    await setPolicy(access, scene.projectId, { max_publications_per_day: 2 })
    expect((await scene.publish(id)).body).toMatchObject({ status: 'published' })
    expect((await scene.api.get(`/projects/${scene.projectId}/policy`)).body.used).toMatchObject({
      publications_today: 2,
    })
  })
})

describe('a policy has a time zone of its own', () => {
  let person: Visitor
  const at = () => `/p/${scene.projectId}/policy`
  const save = async (fields: Record<string, string>) => {
    const page = await person.post(at(), { needs_approval: 'off', ...formOn(await person.get(at()), at()), ...fields })
    expect(page.text).toContain('The policy is saved')
  }
  const policy = async () => (await scene.api.get(`/projects/${scene.projectId}/policy`)).body
  /** Quiet hours around now, by the clock of UTC. */
  const now = () => {
    const time = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString().slice(11, 16)
    return { quiet_from: time(-1), quiet_to: time(1) }
  }

  beforeEach(async () => {
    ;({ person } = await signInAsOwner(access, scene.api))
  })

  test('a key that changes the zone of the project does not change the quiet hours that a person set', async () => {
    await save(now())
    const id = await write(scene)
    expect((await scene.publish(id)).body).toMatchObject({ rule: 'quiet_hours' })
    const zone = { timezone: 'Asia/Tokyo' }
    expect((await scene.api.put(`/projects/${scene.projectId}`, zone)).status).toBe(200)
    expect((await scene.publish(id)).body).toMatchObject({ rule: 'quiet_hours' })
    expect(await policy()).toMatchObject({ timezone: 'UTC', says: { timezone: expect.stringContaining('UTC') } })
  })

  test('a policy from before it had a zone keeps the one that the project had', async () => {
    await setPolicy(access, scene.projectId, { quiet_hours: { from: now().quiet_from, to: now().quiet_to } })
    const zone = { timezone: 'Asia/Tokyo' }
    expect((await scene.api.put(`/projects/${scene.projectId}`, zone)).status).toBe(200)
    expect((await scene.publish(await write(scene))).body).toMatchObject({ rule: 'quiet_hours' })
  })

  test('a person sets it, and the history shows it', async () => {
    await save({ ...now(), timezone: 'asia/tokyo' })
    expect(await policy()).toMatchObject({ timezone: 'Asia/Tokyo' })
    const id = await write(scene)
    expect((await scene.publish(id)).body).toMatchObject({ status: 'published' })
    const wrong = await person.post(at(), { ...formOn(await person.get(at()), at()), timezone: 'Mars/Olympus' })
    expect([wrong.status, wrong.text]).toEqual([
      400,
      expect.stringContaining('Time zone is not the name of a time zone'),
    ])
    expect((await person.get(at())).text).toContain('by the clock of Asia/Tokyo')
  })
})
