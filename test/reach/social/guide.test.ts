import { randomBytes } from 'node:crypto'
import { afterEach, beforeAll, expect, inject, it } from 'vitest'
import type { Automation } from '../../../local/social/zernio-data.ts'
import type { Ctx } from '../../../src/platform/runtime/ctx.ts'
import { setGuide } from '../../../src/reach/social/guide.ts'
import type { ChangeGuideInput } from '../../../src/reach/social/operations.ts'
import { systemFor } from '../../publishing/system.ts'
import { expectError } from '../../support/contract.ts'
import { ownFaults } from '../../support/faults.ts'
import { madeBy, openSocial, type SocialScene, until } from './scene.ts'

const stack = inject('stack')
const faults = ownFaults(stack.zernioUrl)
const PICTURE = 'https://images.example/shed.png'
const CONFIG: NonNullable<ChangeGuideInput['comment_for_guide_config']> = {
  match_mode: 'keyword',
  trigger_keyword: 'plan',
  delivery_method: 'dm',
  delivery_url: 'https://sheds.example/plan.pdf',
  custom_message: 'Your plan: {url}',
}

let scene: SocialScene
let instagram: string

beforeAll(async () => {
  scene = await openSocial(stack)
  instagram = await scene.connect('instagram')
})
afterEach(() => faults.clear())

const publish = async (more: Record<string, unknown>, platform = 'instagram') => {
  const { body, text } = await scene.api.post('/social/publish', {
    project_id: scene.projectId,
    content: `A shed ${randomBytes(6).toString('hex')}`,
    platforms: [platform],
    media_files: [PICTURE],
    ...more,
  })
  const [made] = madeBy(body)
  if (!made) throw new Error(text)
  return made.post_id
}

const guided = { is_comment_for_guide: true, comment_for_guide_config: CONFIG }

type Guide = { enabled: boolean; config: unknown; automation: { status: string; error: string | null } | null }
const guideOf = async (id: number) => (await scene.post(id)).comment_for_guide as Guide

const settled = (id: number) =>
  until(async () => {
    const guide = await guideOf(id)
    return guide.automation && !['scheduled', 'pending'].includes(guide.automation.status) ? guide : undefined
  })

const rules = async (): Promise<Automation[]> =>
  ((await (await fetch(`${stack.zernioUrl}/_posts`)).json()) as { automations: Automation[] }).automations.filter(
    (rule) => rule.accountId === instagram,
  )

it('is active once the provider’s rule was read back', async () => {
  const id = await publish({ ...guided, account_id: instagram })
  expect(await settled(id)).toEqual({ enabled: true, config: CONFIG, automation: { status: 'active', error: null } })
  expect(await rules()).toMatchObject([
    {
      dmMessage: 'Your plan: https://sheds.example/plan.pdf',
      keywords: ['plan'],
      isActive: true,
      accountId: instagram,
    },
  ])
})

it('is saved switched off, by the names that clients of the field send, and switched on', async () => {
  const config = { ...CONFIG, is_active: false, delivery_method: 'reply' }
  const id = await publish({ is_comment_for_guide: true, comment_for_guide_config: config })
  await scene.ended(id)
  const off = { enabled: false, config: { ...CONFIG, delivery_method: 'public_reply' } }
  expect(await guideOf(id)).toEqual({ ...off, automation: { status: 'disabled', error: null } })
  const path = `/social/posts/${id}/comment-for-guide`
  await scene.api.put(path, { comment_for_guide_config: { is_active: true } })
  expect(await settled(id)).toEqual({ ...off, enabled: true, automation: { status: 'active', error: null } })
  await scene.api.put(path, { comment_for_guide_config: { is_active: false } })
  expect(await guideOf(id)).toMatchObject({ enabled: false, automation: { status: 'disabled' } })
  const bare = await publish({})
  const refused = await scene.api.put(`/social/posts/${bare}/comment-for-guide`, {
    comment_for_guide_config: { match_mode: 'all' },
  })
  expectError(refused, 'invalid_input')
})

it('waits for the post', async () => {
  const id = await publish({ ...guided, scheduled_for: new Date(Date.now() + 86_400_000).toISOString() })
  expect((await guideOf(id)).automation).toEqual({ status: 'scheduled', error: null })
})

it('is never set up twice, although the answer was lost', async () => {
  const before = (await rules()).length
  await faults.set({ path: 'POST /v1/comment-automations', body: instagram, drop: 'after', times: 1 })
  const id = await publish(guided)
  expect(await settled(id)).toMatchObject({ automation: { status: 'active' } })
  expect((await rules()).length).toBe(before + 1)
})

it('is unverified if it cannot be read back', async () => {
  const id = await publish({})
  await scene.ended(id)
  const path = `GET /v1/comment-automations?profileId=${await scene.profileOf(instagram)}`
  await faults.set({ path, status: 200, answer: { automations: [] } })
  const { status, body } = await scene.api.put(`/social/posts/${id}/comment-for-guide`, guided)
  expect([status, (body.post as { comment_for_guide: Guide }).comment_for_guide.automation]).toEqual([
    200,
    { status: 'pending', error: null },
  ])
  expect(await settled(id)).toMatchObject({ automation: { status: 'unverified', error: expect.stringMatching(/\S/) } })
})

it('is changed in its place, stopped and started again', async () => {
  const id = await publish(guided)
  await settled(id)
  const path = `/social/posts/${id}/comment-for-guide`
  const count = (await rules()).length
  const all = { comment_for_guide_config: { ...CONFIG, match_mode: 'all', trigger_keyword: null } }
  expect((await scene.api.put(path, all)).body.message).toContain(`GET /social/posts/${id} shows`)
  expect(await settled(id)).toMatchObject({ config: { match_mode: 'all' }, automation: { status: 'active' } })
  await scene.api.put(path, { is_comment_for_guide: false })
  await until(async () => ((await rules()).some((rule) => !rule.isActive) ? true : undefined))
  expect(await guideOf(id)).toMatchObject({ enabled: false, automation: { status: 'disabled' } })
  await scene.api.put(path, { is_comment_for_guide: true })
  expect(await settled(id)).toMatchObject({ enabled: true, automation: { status: 'active' } })
  expect((await rules()).length).toBe(count)
})

it('has the state of the last call, even during an earlier one', async () => {
  const id = await publish(guided)
  await settled(id)
  const path = `/social/posts/${id}/comment-for-guide`
  const [rule] = (await rules()).slice(-1)
  for (const [isWanted, last] of [
    [false, true],
    [true, false],
  ]) {
    if (isWanted) {
      await scene.api.put(path, { is_comment_for_guide: false })
      await until(async () => ((await rules()).some((one) => one.id === rule?.id && !one.isActive) ? true : undefined))
    }
    await faults.set({ path: `PATCH /v1/comment-automations/${rule?.id}`, hold: true })
    await scene.api.put(path, { is_comment_for_guide: isWanted })
    await until(async () => ((await faults.used())[0] ? true : undefined))
    await scene.api.put(path, { is_comment_for_guide: last })
    await faults.clear()
    await until(async () => {
      const found = (await rules()).find((one) => one.id === rule?.id)
      const { enabled, automation } = await guideOf(id)
      const isThere = automation?.status === (last ? 'active' : 'disabled')
      return isThere && enabled === last && found?.isActive === last ? true : undefined
    })
  }
})

it('needs no is_comment_for_guide if a call gives its parts', async () => {
  const id = await publish({ comment_for_guide_config: CONFIG, scheduled_for: '2030-06-07' })
  expect(await guideOf(id)).toMatchObject({ enabled: true, automation: { status: 'scheduled' } })
})

it('has failed if the provider has no such rule, and says so', async () => {
  await scene.connect('linkedin')
  const id = await publish(
    { is_comment_for_guide: true, comment_for_guide_config: { ...CONFIG, delivery_method: 'public_reply' } },
    'linkedin',
  )
  expect(await settled(id)).toMatchObject({
    automation: { status: 'failed', error: expect.stringContaining('Instagram and Facebook') },
  })
})

it('is refused if its parts do not fit', async () => {
  const id = await publish({})
  const path = `/social/posts/${id}/comment-for-guide`
  for (const wrong of [
    { comment_for_guide_config: { ...CONFIG, trigger_keyword: '' } },
    { comment_for_guide_config: { ...CONFIG, custom_message: 'no place for it' } },
    { is_comment_for_guide: true },
  ])
    expectError(await scene.api.put(path, wrong), 'invalid_input')
  expect(await guideOf(id)).toEqual({ enabled: false, config: null, automation: null })
})

/** Holds a post that is being sent until something else is done; its id. */
const whileSent = async (
  more: Record<string, unknown>,
  meanwhile: (id: number) => Promise<unknown>,
): Promise<number> => {
  const content = `A shed ${randomBytes(6).toString('hex')}`
  await faults.set({ path: 'POST /v1/posts', body: content, hold: true })
  const id = await publish({ content, account_id: instagram, ...more })
  await until(async () => ((await faults.used())[0] === 1 ? true : undefined))
  await meanwhile(id)
  await faults.clear()
  expect(await scene.ended(id)).toMatchObject({ status: 'published' })
  return id
}

it('is set up even if it is first requested while its post is being sent', async () => {
  const id = await whileSent({}, async (post) => {
    const { body } = await scene.api.put(`/social/posts/${post}/comment-for-guide`, guided)
    expect((body.post as { comment_for_guide: Guide }).comment_for_guide.automation?.status).toBe('scheduled')
  })
  expect((await settled(id)).automation).toEqual({ status: 'active', error: null })
})

it('is not set up if it is stopped while its post is being sent', async () => {
  const before = (await rules()).length
  const id = await whileSent(guided, (post) =>
    scene.api.put(`/social/posts/${post}/comment-for-guide`, { is_comment_for_guide: false }),
  )
  expect((await guideOf(id)).automation).toEqual({ status: 'disabled', error: null })
  expect(await rules()).toHaveLength(before)
})

it('is set up even if its post is published at the same moment', async () => {
  const job = systemFor(stack, scene.api.accountId)
  let answered: Awaited<ReturnType<typeof setGuide>> | undefined
  const id = await whileSent({}, async (post) => {
    const late: Ctx = {
      ...job,
      batch: async (statements, options) => {
        await faults.clear()
        await scene.ended(post)
        return await job.batch(statements, options)
      },
    }
    answered = await setGuide(late, post, { is_comment_for_guide: true, comment_for_guide_config: CONFIG })
  })
  expect(answered?.post.comment_for_guide).toMatchObject({ automation: { status: 'pending' } })
  await fetch(stack.cronUrl)
  expect((await settled(id)).automation).toEqual({ status: 'active', error: null })
})
