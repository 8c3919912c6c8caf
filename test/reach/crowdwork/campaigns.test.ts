import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { newAccount, newProject, rowsIn } from '../../support/client.ts'
import { ABSENT, expectError } from '../../support/contract.ts'
import { rowsOf, walk } from '../../support/keys.ts'
import { held, madeElsewhere, named, openScene, order, type Scene, work } from './scene.ts'

const stack = inject('stack')

let scene: Scene
beforeAll(async () => {
  scene = await openScene(stack)
})

describe('a new campaign', () => {
  it('is made at the provider from a template of its own, and registered', async () => {
    const body = order(scene.project, {
      available_positions: 40,
      payment_per_task: 0.27,
      allowed_file_types: 'png, jpg',
    })
    const { status, body: answer } = await scene.api.post('/crowdwork/campaigns', body)
    expect(status).toBe(201)
    expect(answer).toMatchObject({ project_id: scene.project, status: 'created' })
    const [made, ...others] = await named(stack, body.title)
    expect(others).toEqual([])
    expect(made).toMatchObject({
      id: answer.campaign_id,
      templateId: answer.template_id,
      paymentPerTask: 0.27,
      availablePositions: 40,
    })
    expect(answer.external_url).toMatch(new RegExp(`/dotask/info/${String(made?.id)}$`))
    expect((await held(stack)).templates.filter(({ id }) => id === answer.template_id)).toMatchObject([
      { title: body.title },
    ])

    const { body: listed } = await scene.api.get(`/microworkers/campaigns?project_id=${scene.project}`)
    expect(rowsOf(listed, 'campaigns')[0]).toMatchObject({
      ProjectID: scene.project,
      CrowdworkCampaignID: made?.id,
      Platform: 'microworkers',
      Title: body.title,
      Status: 'created',
      AvailablePositions: 40,
      PaymentPerTask: 0.27,
    })
  })

  it('has the provider’s usual terms unless others are sent, kept as whole cents', async () => {
    const { body } = await scene.make()
    const [row] = await rowsIn(
      stack,
      sql`select available_positions, payment_cents, cost_cents from crowdwork_campaigns where campaign_id = ${String(body.campaign_id)}`,
    )
    expect(row).toEqual({ available_positions: 50, payment_cents: 15, cost_cents: 750 })
  })

  it('cannot have a form of blanks', async () => {
    const answer = await scene.api.post('/crowdwork/campaigns', order(scene.project, { template_html: ' \n ' }))
    expectError(answer, 'invalid_input')
    expect(answer.body.details).toEqual([{ field: 'template_html', message: 'must not be blank' }])
  })

  it.each([0.14, 0.155, 1_000.01, 0, -1, '0.2'])('cannot pay %s for a task', async (payment_per_task) => {
    const body = order(scene.project, { payment_per_task })
    const answer = await scene.api.post('/crowdwork/campaigns', body)
    expectError(answer, 'invalid_input')
    expect(answer.body.details).toMatchObject([{ field: 'payment_per_task' }])
    expect(await named(stack, body.title)).toEqual([])
  })

  it('needs a project of the account', async () => {
    const other = await openScene(stack)
    expectError(await scene.api.post('/crowdwork/campaigns', order(other.project)), 'forbidden')
    expectError(await scene.api.post('/crowdwork/campaigns', order(2_147_483_647)), 'not_found')
  })

  it('answers the same under the same Idempotency-Key, and is made again without one', async () => {
    const body = order(scene.project)
    const headers = { 'idempotency-key': `k-${body.title}` }
    const [first, second] = [
      await scene.api.post('/crowdwork/campaigns', body, { headers }),
      await scene.api.post('/crowdwork/campaigns', body, { headers }),
    ]
    expect([first.status, second.status]).toEqual([201, 201])
    expect(second.headers.get('idempotency-replayed')).toBe('true')
    expect(second.body).toEqual(first.body)
    expect(await named(stack, body.title)).toHaveLength(1)
    expect((await scene.api.post('/crowdwork/campaigns', body)).status).toBe(201)
    expect(await named(stack, body.title)).toHaveLength(2)
  })
})

describe('the list', () => {
  it('filters by project and status, and continues from page to page', async () => {
    const own = await openScene(stack)
    const second = await newProject(own.api)
    for (let n = 0; n < 3; n += 1) await own.make()
    const { body } = await own.api.post('/crowdwork/campaigns', order(second))
    await work(stack, body.campaign_id)
    await own.api.get(`/crowdwork/campaigns/${String(body.campaign_id)}`)

    const all = await walk(own.api, '/crowdwork/campaigns?limit=3', 'campaigns')
    expect(all).toHaveLength(4)
    const of = async (query: string) => rowsOf((await own.api.get(`/crowdwork/campaigns?${query}`)).body, 'campaigns')
    expect(await of(`project_id=${own.project}`)).toHaveLength(3)
    await expect
      .poll(async () => (await of('status=Running')).map((row) => row.CrowdworkCampaignID))
      .toEqual([body.campaign_id])
    expect(await of('status=created,paused')).toHaveLength(3)
    expect((await own.api.get('/crowdwork/campaigns?limit=1000')).body.limit).toBe(100)
  })
})

describe('registering', () => {
  it('registers a campaign made elsewhere, once', async () => {
    const campaign_id = await madeElsewhere(stack)
    const first = await scene.api.post('/crowdwork/campaigns/register', { campaign_id, project_id: scene.project })
    expect([first.status, first.body.already_registered, first.body.project_id]).toEqual([201, false, scene.project])
    const again = await scene.api.post('/microworkers/campaigns/register', { campaign_id })
    expect([again.status, again.body.already_registered]).toEqual([200, true])
    const other = await newProject(scene.api)
    const elsewhere = await scene.api.post('/crowdwork/campaigns/register', { campaign_id, project_id: other })
    expect([elsewhere.body.project_id, elsewhere.body.message]).toEqual([
      scene.project,
      `The campaign is already registered, with project ${scene.project}. Nothing was changed.`,
    ])
    const { body } = await scene.api.get(`/crowdwork/campaigns/${campaign_id}`)
    expect(body.campaign).toMatchObject({ Title: 'By hand', AvailablePositions: 40, PaymentPerTask: 0.25 })
    expect((await scene.api.get(`/crowdwork/spend?project_id=${scene.project}`)).status).toBe(200)
  })

  it('is 404 for an unknown campaign, and 400 without a project', async () => {
    expectError(await scene.api.post('/crowdwork/campaigns/register', { campaign_id: 'nothing' }), 'not_found')
    const bare = await newAccount(stack)
    const answer = await bare.post('/crowdwork/campaigns/register', { campaign_id: await madeElsewhere(stack) })
    expectError(answer, 'invalid_input')
    expect(answer.body.details).toMatchObject([{ field: 'project_id' }])
  })

  it('again with a project of another account is 403, with an unknown one 404', async () => {
    const campaign_id = await madeElsewhere(stack)
    await scene.api.post('/crowdwork/campaigns/register', { campaign_id, project_id: scene.project })
    const { project: foreign } = await openScene(stack)
    const again = (project_id: number) => scene.api.post('/crowdwork/campaigns/register', { campaign_id, project_id })
    expectError(await again(foreign), 'forbidden')
    expectError(await again(ABSENT), 'not_found')
  })

  it('has one winner if two accounts register one campaign at once', { tags: ['services'] }, async () => {
    const [one, two] = [await openScene(stack), await openScene(stack)]
    const campaign_id = await madeElsewhere(stack)
    const answers = await Promise.all(
      [one, two].map(({ api }) => api.post('/crowdwork/campaigns/register', { campaign_id })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 403])
  })
})

describe('the state of a campaign', () => {
  it('is read from the provider, and stored', async () => {
    const { body } = await scene.make({ available_positions: 30 })
    const id = String(body.campaign_id)
    expect((await scene.api.get(`/crowdwork/campaigns/${id}`)).body).toMatchObject({
      campaign: { CrowdworkCampaignID: id, Status: 'created' },
      live: { status: 'created', provider_status: 'PENDING_REVIEW', slots: { untaken: 30, not_rated: 0 } },
    })
    await work(stack, id, 4)
    expect((await scene.api.get(`/crowdwork/campaigns/${id}`)).body).toMatchObject({
      campaign: { Status: 'running' },
      live: {
        status: 'running',
        available_positions: 30,
        payment_per_task: 0.15,
        slots: { untaken: 26, not_rated: 4 },
      },
    })
  })

  it('is 404 for an unknown id, and 400 for an invalid one', async () => {
    expectError(await scene.api.get('/crowdwork/campaigns/0a1b2c3d4e5f'), 'not_found')
    expectError(await scene.api.get('/crowdwork/campaigns/a%20b'), 'invalid_id')
    expectError(await scene.api.get('/crowdwork/campaigns/..%2Ftemplates'), 'invalid_id')
  })
})
