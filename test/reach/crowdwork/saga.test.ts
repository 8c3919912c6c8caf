import { sql } from 'drizzle-orm'
import { afterEach, describe, expect, inject, it } from 'vitest'
import { createCampaign } from '../../../src/reach/crowdwork/create.ts'
import type { Crowdwork } from '../../../src/reach/crowdwork/port.ts'
import { overtaken, systemFor } from '../../publishing/system.ts'
import { anotherKey, newAccount, newProject, rowsIn } from '../../support/client.ts'
import { expectError } from '../../support/contract.ts'
import { ownFaults } from '../../support/faults.ts'
import { held, madeElsewhere, named, openScene, order, type Scene } from './scene.ts'

const stack = inject('stack')

const faults = ownFaults(stack.crowdworkUrl)
afterEach(() => faults.clear())

const CAMPAIGN = 'POST /api/v2/basic-campaigns'
const TEMPLATE = 'POST /api/v2/templates'

type Row = {
  stage: string
  campaign_id: string | null
  template_id: string | null
  sent: boolean
  cost_cents: number
  last_error: string | null
}
const rowOf = async (title: string): Promise<Row | undefined> => {
  const [row] = await rowsIn<Row>(
    stack,
    sql`select stage, campaign_id, template_id, sent_at is not null as sent, cost_cents, last_error from crowdwork_campaigns where title = ${title}`,
  )
  return row
}

/** Leaves the state of a request that died: its lease has ended, and its request to the provider was long ago. */
const die = (title: string) =>
  rowsIn(
    stack,
    sql`update crowdwork_campaigns set lease_until = null, sent_at = sent_at - interval '1 day' where title = ${title} returning id`,
  )

const templatesNamed = async (title: string) => (await held(stack)).templates.filter((one) => one.title === title)

describe('making a campaign', () => {
  it('keeps the template when the campaign is refused, and the retry uses it', async () => {
    const { api, project } = await openScene(stack)
    const body = order(project)
    await faults.set({
      path: CAMPAIGN,
      body: body.title,
      status: 400,
      answer: { title: 'ValidationFailed', detail: 'The balance does not cover it.', violations: [] },
      times: 1,
    })
    const refused = await api.post('/crowdwork/campaigns', body)
    expectError(refused, 'crowdwork_rejected')
    expect(refused.body.upstream).toEqual({
      name: 'Microworkers',
      status: 400,
      message: 'Microworkers says: The balance does not cover it.',
    })
    expect(await rowOf(body.title)).toMatchObject({
      ...{ stage: 'failed', campaign_id: null, sent: false },
      last_error: expect.stringContaining('Its answer: {"title":"ValidationFailed"'),
    })
    const [template] = await templatesNamed(body.title)
    const made = await api.post('/crowdwork/campaigns', body)
    expect([made.status, made.body.template_id]).toEqual([201, template?.id])
    expect(await templatesNamed(body.title)).toHaveLength(1)
    expect(await named(stack, body.title)).toHaveLength(1)
  })

  it('finds a campaign with a lost answer at once', async () => {
    const { api, project } = await openScene(stack)
    const body = order(project)
    await faults.set({ path: CAMPAIGN, body: body.title, drop: 'after', times: 1 })
    const made = await api.post('/crowdwork/campaigns', body)
    const [campaign, ...others] = await named(stack, body.title)
    expect([made.status, made.body.campaign_id, others]).toEqual([201, campaign?.id, []])
  })

  it.each([
    ['5xx after the work', { drop: undefined, status: 500 }],
    ['a page that is no JSON', { status: 201, answer: 'made' }],
  ])('answered by %s is searched, and not sent again while it may still arrive', async (_, fault) => {
    const { api, project } = await openScene(stack)
    const body = order(project)
    await faults.set({ path: CAMPAIGN, body: body.title, times: 1, ...fault })
    const first = await api.post('/crowdwork/campaigns', body)
    expect([502, 503]).toContain(first.status)
    expect(await rowOf(body.title)).toMatchObject({ stage: 'making', sent: true })
    expectError(await api.post('/crowdwork/campaigns', body), 'provider_unavailable')
    expect(await named(stack, body.title)).toEqual([])
    await die(body.title)
    expect((await api.post('/crowdwork/campaigns', body)).status).toBe(201)
    expect(await named(stack, body.title)).toHaveLength(1)
  })

  it('with a lost answer and a failed look-up is found by the retry', async () => {
    const { api, project } = await openScene(stack)
    const body = order(project)
    await faults.set(
      { path: CAMPAIGN, body: body.title, drop: 'after', times: 1 },
      { path: 'GET /api/v2/basic-campaigns?', status: 503, times: 1 },
    )
    expectError(await api.post('/crowdwork/campaigns', body), 'provider_unavailable')
    const [made] = await named(stack, body.title)
    const again = await api.post('/crowdwork/campaigns', body)
    expect([again.status, again.body.campaign_id]).toEqual([201, made?.id])
    expect(await named(stack, body.title)).toHaveLength(1)
  })

  it('under an Idempotency-Key that failed is judged again under it', async () => {
    const { api, project } = await openScene(stack)
    const body = order(project)
    const headers = { 'idempotency-key': body.title }
    await faults.set({ path: TEMPLATE, body: body.title, status: 503, times: 1 })
    expectError(await api.post('/crowdwork/campaigns', body, { headers }), 'provider_unavailable')
    const made = await api.post('/crowdwork/campaigns', body, { headers })
    expect([made.status, made.headers.get('idempotency-replayed')]).toEqual([201, null])
  })

  it('by eight equal calls at once makes one campaign while they are at it', { tags: ['services'] }, async () => {
    const { api, project } = await openScene(stack)
    const body = order(project)
    await faults.set({ path: CAMPAIGN, body: body.title, hold: true })
    const keys = await Promise.all(Array.from({ length: 8 }, () => anotherKey(stack, api)))
    const statuses: number[] = []
    const calls = keys.map(async (key) => statuses.push((await key.post('/crowdwork/campaigns', body)).status))
    await expect.poll(() => statuses).toEqual(Array(7).fill(409))
    await faults.clear()
    await Promise.all(calls)
    expect(statuses).toEqual([...Array(7).fill(409), 201])
    expect(await named(stack, body.title)).toHaveLength(1)
  })

  it('is returned to equal calls that must repeat, for minutes; a later one makes another', async () => {
    const { api, project } = await openScene(stack)
    const body = order(project)
    const keyed = { headers: { 'idempotency-key': `second-${body.title}` } }
    await faults.set({ path: CAMPAIGN, body: body.title, hold: true })
    const first = api.post('/crowdwork/campaigns', body)
    await expect.poll(() => faults.used()).toEqual([1])
    const told = await api.post('/crowdwork/campaigns', body)
    expectError(told, 'campaign_in_progress')
    expect(told.body.retryable).toBe(true)
    expectError(await api.post('/crowdwork/campaigns', body, keyed), 'campaign_in_progress')
    await faults.clear()
    const made = await first
    expect(made.status).toBe(201)
    const repeats = [
      await api.post('/crowdwork/campaigns', body),
      await api.post('/crowdwork/campaigns', body, keyed),
      await api.post('/crowdwork/campaigns', body, keyed),
      await api.post('/crowdwork/campaigns', body),
    ]
    for (const { status, body: answer } of repeats)
      expect([status, answer.campaign_id, answer.template_id]).toEqual([
        201,
        made.body.campaign_id,
        made.body.template_id,
      ])
    expect(repeats[2]?.headers.get('idempotency-replayed')).toBe('true')
    expect(await named(stack, body.title)).toHaveLength(1)
    expect((await api.get(`/crowdwork/spend?project_id=${project}`)).body).toMatchObject({ campaigns: 1 })
    const { entries } = (await api.get('/audit-log?action=crowdwork.create')).body
    expect(entries).toHaveLength(1)
    expect((await api.post('/crowdwork/campaigns', { ...body, template_title: 'Another' })).status).toBe(201)
    await rowsIn(
      stack,
      sql`update crowdwork_campaigns set owed_until = now() where campaign_id = ${String(made.body.campaign_id)} returning id`,
    )
    const another = await api.post('/crowdwork/campaigns', body)
    expect([another.status, another.body.campaign_id === made.body.campaign_id]).toEqual([201, false])
  })

  it('made by an equal call is returned, too', async () => {
    const { api, project } = await openScene(stack)
    const body = order(project)
    const database = ownFaults(stack.neonUrl)
    await faults.set({ path: CAMPAIGN, body: body.title, hold: true })
    const first = api.post('/crowdwork/campaigns', body)
    await expect.poll(() => faults.used()).toEqual([1])
    await database.set({ body: 'set \\"owed_until\\" = $', hold: true, times: 1 })
    const second = api.post('/crowdwork/campaigns', body)
    await expect.poll(() => database.used()).toEqual([1])
    await faults.clear()
    const made = await first
    await database.clear()
    const { status, body: answer } = await second
    expect([status, answer.campaign_id]).toEqual([201, made.body.campaign_id])
    expect(await named(stack, body.title)).toHaveLength(1)
  })

  it.each([
    ['the key is refused', 401, 'provider_failed', undefined],
    ['there are too many calls', 429, 'provider_unavailable', '17'],
    ['it is down', 503, 'provider_unavailable', undefined],
  ] as const)('reports that %s, with the provider’s status', async (_, status, code, after) => {
    const { api, project } = await openScene(stack)
    const body = order(project)
    await faults.set({ path: TEMPLATE, body: body.title, status, times: 1 })
    const answer = await api.post('/crowdwork/campaigns', body)
    // Only the operator can give the service another key.
    expectError(answer, code, status !== 401)
    expect(String(answer.body.message).includes('operator')).toBe(status === 401)
    expect(answer.body.upstream).toMatchObject({ name: 'Microworkers', status })
    if (after === undefined) expect(await named(stack, body.title)).toEqual([])
    expect(await rowOf(body.title)).toMatchObject({ stage: 'failed' })
  })
})

describe('a campaign with a crashed request', () => {
  /** Has the job that settles it run now. */
  const settle = async (title: string) => {
    await rowsIn(
      stack,
      sql`update outbox set run_at = now(), offered_at = null where job = 'crowdwork.settle' and done_at is null
        and payload->>'row' = (select id::text from crowdwork_campaigns where title = ${title}) returning id`,
    )
    await fetch(stack.cronUrl)
  }

  /** Returns a call whose campaign was made and whose answer was lost: the provider's campaign, and the body. */
  const found = async ({ api, project }: Scene) => {
    const body = order(project)
    await faults.set(
      { path: CAMPAIGN, body: body.title, drop: 'after', times: 1 },
      { path: 'GET /api/v2/basic-campaigns?', status: 503, times: 1 },
    )
    expectError(await api.post('/crowdwork/campaigns', body), 'provider_unavailable')
    await die(body.title)
    await settle(body.title)
    const [made] = await named(stack, body.title)
    await expect.poll(async () => (await rowOf(body.title))?.campaign_id).toBe(made?.id)
    return { body, made }
  }

  it('after it was made is recorded by the job: it is listed, and its cost counts', async () => {
    const scene = await openScene(stack)
    const { made } = await found(scene)
    const { campaigns } = (await scene.api.get(`/crowdwork/campaigns?project_id=${scene.project}`)).body
    expect(campaigns).toMatchObject([{ CrowdworkCampaignID: made?.id }])
    expect((await scene.api.get(`/crowdwork/spend?project_id=${scene.project}`)).body).toMatchObject({
      committed: 7.5,
      campaigns: 1,
    })
  })

  it('after it was made is the answer of the same call, also when the job was first; the one after it makes another', async () => {
    const scene = await openScene(stack)
    const { body, made } = await found(scene)
    const again = await scene.api.post('/crowdwork/campaigns', body)
    expect([again.status, again.body.campaign_id]).toEqual([201, made?.id])
    expect(await named(stack, body.title)).toHaveLength(1)
    const another = await scene.api.post('/crowdwork/campaigns', body)
    expect([another.status, another.body.campaign_id === made?.id]).toEqual([201, false])
    const { entries } = (await scene.api.get('/audit-log?action=crowdwork.create')).body
    expect(entries).toHaveLength(2)
  })

  it('after equal calls had to repeat is ended by the job after some minutes', async () => {
    const { api, project } = await openScene(stack)
    const body = order(project)
    await faults.set({ path: CAMPAIGN, body: body.title, hold: true })
    const first = api.post('/crowdwork/campaigns', body)
    await expect.poll(() => faults.used()).toEqual([1])
    expectError(await api.post('/crowdwork/campaigns', body), 'campaign_in_progress')
    await faults.clear()
    expect((await first).status).toBe(201)
    await settle(body.title)
    expect(await rowOf(body.title)).toMatchObject({ stage: 'making' })
    await rowsIn(stack, sql`update crowdwork_campaigns set owed_until = now() where title = ${body.title} returning id`)
    await settle(body.title)
    await expect.poll(async () => (await rowOf(body.title))?.stage).toBe('made')
  })

  it('and without a repeated call within a day is like every other', async () => {
    const scene = await openScene(stack)
    const { body, made } = await found(scene)
    await rowsIn(
      stack,
      sql`update crowdwork_campaigns set updated_at = updated_at - interval '1 day' where title = ${body.title} returning id`,
    )
    await settle(body.title)
    await expect.poll(async () => (await rowOf(body.title))?.stage).toBe('made')
    const another = await scene.api.post('/crowdwork/campaigns', body)
    expect([another.status, another.body.campaign_id === made?.id]).toEqual([201, false])
  })

  it('before it was made has its money free again', async () => {
    const { api, project } = await openScene(stack, { crowdwork_budget: 8 })
    const body = order(project)
    await faults.set({ path: CAMPAIGN, body: body.title, drop: 'before', times: 1 })
    expectError(await api.post('/crowdwork/campaigns', body), 'provider_unavailable')
    expect((await api.get(`/crowdwork/spend?project_id=${project}`)).body).toMatchObject({
      committed: 7.5,
      remaining: 0.5,
    })
    await die(body.title)
    await settle(body.title)
    await expect.poll(async () => (await rowOf(body.title))?.stage).toBe('failed')
    expect((await api.get(`/crowdwork/spend?project_id=${project}`)).body).toMatchObject({ committed: 0, remaining: 8 })
    expect((await api.post('/crowdwork/campaigns', body)).status).toBe(201)
    expect(await named(stack, body.title)).toHaveLength(1)
  })
})

describe('a campaign that is registered by its id at the provider', () => {
  it('that was wrongly considered not made is used, and its cost counts', async () => {
    const { api, project } = await openScene(stack)
    const body = order(project)
    await faults.set({ path: CAMPAIGN, body: body.title, drop: 'before', times: 1 })
    expectError(await api.post('/crowdwork/campaigns', body), 'provider_unavailable')
    const [{ mark = '' } = {}] = await rowsIn<{ mark: string }>(
      stack,
      sql`update crowdwork_campaigns set stage = 'failed', lease_until = null, sent_at = null where title = ${body.title} returning mark`,
    )
    // The request that was lost arrived after all.
    const campaign_id = await madeElsewhere(stack, `${body.description}\n\nReference: ${mark}`)
    const done = await api.post('/crowdwork/campaigns/register', { campaign_id })
    expect([done.status, done.body.campaign_id]).toEqual([201, campaign_id])
    expect((await api.get(`/crowdwork/spend?project_id=${project}`)).body).toMatchObject({ committed: 7.5 })
    expect((await api.post('/crowdwork/campaigns', body)).body.campaign_id).toBe(campaign_id)
    expect(await named(stack, body.title)).toEqual([])
  })

  it.each([
    ['with', { 'idempotency-key': 'lost-and-registered' }],
    ['without', {}],
  ])(
    'is the answer of the call that lost it, %s Idempotency-Key; the one after it makes another',
    async (_, headers) => {
      const { api, project } = await openScene(stack)
      const body = order(project)
      await faults.set(
        { path: CAMPAIGN, body: body.title, drop: 'after', times: 1 },
        { path: 'GET /api/v2/basic-campaigns?', status: 503, times: 1 },
      )
      expectError(await api.post('/crowdwork/campaigns', body, { headers }), 'provider_unavailable')
      const [made] = await named(stack, body.title)
      expect((await api.post('/crowdwork/campaigns/register', { campaign_id: made?.id })).status).toBe(201)
      const again = await api.post('/crowdwork/campaigns', body, { headers })
      expect([again.status, again.body.campaign_id]).toEqual([201, made?.id])
      expect(await named(stack, body.title)).toHaveLength(1)
      expect(await rowOf(body.title)).toMatchObject({ stage: 'made' })
      const { entries } = (await api.get('/audit-log?action=crowdwork.create')).body
      expect(entries).toHaveLength(1)
      const another = await api.post('/crowdwork/campaigns', body)
      expect([another.status, another.body.campaign_id === made?.id]).toEqual([201, false])
    },
  )

  it('and is a copy of one of one’s own is another campaign', async () => {
    const scene = await openScene(stack)
    const { body } = await scene.make()
    const [first] = (await held(stack)).campaigns.filter(({ id }) => id === body.campaign_id)
    const campaign_id = await madeElsewhere(stack, first?.description)
    const copy = await scene.api.post('/crowdwork/campaigns/register', { campaign_id, project_id: scene.project })
    expect([copy.status, copy.body.campaign_id, copy.body.already_registered]).toEqual([201, campaign_id, false])
    const { campaigns } = (await scene.api.get(`/crowdwork/campaigns?project_id=${scene.project}`)).body
    expect(campaigns).toHaveLength(2)
    const thief = await openScene(stack)
    const other = await madeElsewhere(stack, first?.description)
    expectError(await thief.api.post('/crowdwork/campaigns/register', { campaign_id: other }), 'forbidden')
  })
})

it('a campaign with a crashed request is continued by one of two calls at once', async () => {
  const api = await newAccount(stack)
  const input = order(await newProject(api))
  const ctx = systemFor(stack, api.accountId)
  let made = 0
  let [reach, release] = [() => {}, () => {}]
  const reached = new Promise<void>((resolve) => (reach = resolve))
  const released = new Promise<void>((resolve) => (release = resolve))
  const crowd = {
    name: 'Crowd',
    triesFirst: false,
    pageOf: () => 'https://crowd.example',
    makeTemplate: async () => ({ kind: 'got', value: 'template' }),
    findCampaign: async () => ({ kind: 'got', value: null }),
    makeCampaign: async () => {
      made += 1
      reach()
      await released
      return { kind: 'got', value: `${input.title}-${made}` }
    },
  } as unknown as Crowdwork
  const dies = { ...crowd, makeTemplate: () => Promise.reject(new Error('died')) }
  await expect(createCampaign(ctx, dies, input)).rejects.toThrow('died')
  await die(input.title)
  const running: Promise<unknown>[] = []
  const late = overtaken(ctx, async () => {
    running.push(createCampaign(ctx, crowd, input))
    await reached
  })
  await expect(createCampaign(late, crowd, input)).rejects.toMatchObject({ code: 'campaign_in_progress' })
  release()
  expect(await Promise.all(running)).toMatchObject([{ campaign_id: `${input.title}-1` }])
  expect(made).toBe(1)
})

describe('the budget', () => {
  it('is a setting of the project in dollars, exact to the cent', async () => {
    const { api, project, make } = await openScene(stack)
    expect((await api.get(`/crowdwork/spend?project_id=${project}`)).body).toMatchObject({
      budget: null,
      remaining: null,
    })
    expect((await api.put(`/projects/${project}`, { crowdwork_budget: 10.01 })).body).toMatchObject({
      updated_fields: ['crowdwork_budget'],
      updated_columns: ['CrowdworkBudget'],
    })
    expect((await api.get(`/projects/${project}`)).body.settings).toMatchObject({ crowdwork_budget: 10.01 })
    expect((await make({ available_positions: 10, payment_per_task: 0.5 })).status).toBe(201)
    const body = order(project, { available_positions: 2, payment_per_task: 2.51 })
    const refused = await api.post('/crowdwork/campaigns', body)
    expectError(refused, 'budget_reached')
    expect(refused.status).toBe(402)
    expect(refused.body).toMatchObject({ budget: 10.01, committed: 5, cost: 5.02 })
    expect(await named(stack, body.title)).toEqual([])
    expect(await rowOf(body.title)).toBeUndefined()
    expect((await make({ available_positions: 1, payment_per_task: 5.01 })).status).toBe(201)
    expect((await api.get(`/microworkers/spend?project_id=${project}`)).body).toMatchObject({
      budget: 10.01,
      committed: 10.01,
      remaining: 0,
      campaigns: 2,
    })
    expect((await api.get(`/crowdwork/spend?project_id=${project}&month=2026-01`)).body).toMatchObject({ committed: 0 })
    await api.put(`/projects/${project}`, { crowdwork_budget: null })
    expect((await make()).status).toBe(201)
  })

  it('is never passed by campaigns that race for it', { tags: ['services'] }, async () => {
    const { api, project } = await openScene(stack, { crowdwork_budget: 3 })
    const keys = await Promise.all(Array.from({ length: 8 }, () => anotherKey(stack, api)))
    const bodies = keys.map(() => order(project, { available_positions: 1, payment_per_task: 1 }))
    const answers = await Promise.all(keys.map((key, n) => key.post('/crowdwork/campaigns', bodies[n])))
    const statuses = answers.map(({ status }) => status).sort()
    expect(statuses).toEqual([201, 201, 201, 402, 402, 402, 402, 402])
    expect((await api.get(`/crowdwork/spend?project_id=${project}`)).body).toMatchObject({ committed: 3, remaining: 0 })
  })

  it('of an earlier month does not count for this one', async () => {
    const { api, project, make } = await openScene(stack, { crowdwork_budget: 8 })
    expect((await make()).status).toBe(201)
    expectError(await make(), 'budget_reached')
    await rowsIn(
      stack,
      sql`update crowdwork_campaigns set charged_at = charged_at - interval '40 days' where project_id = ${project}::int returning id`,
    )
    expect((await make()).status).toBe(201)
    expect((await api.get(`/crowdwork/spend?project_id=${project}`)).body).toMatchObject({ committed: 7.5 })
  })
})

it('is refused to a key that may only read', async () => {
  const { project } = await openScene(stack)
  const reader = await newAccount(stack, {}, ['read'])
  expectError(await reader.post('/crowdwork/campaigns', order(project)), 'key_may_not')
})
