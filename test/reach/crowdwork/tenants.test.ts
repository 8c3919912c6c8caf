import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import type { crowdworkOperations } from '../../../src/reach/crowdwork/operations.ts'
import type { outreachOperations } from '../../../src/reach/outreach/operations.ts'
import { type Answer, type Api, newAccount, rowsIn } from '../../support/client.ts'
import { expectError, stateOf } from '../../support/contract.ts'
import { manyKeys } from '../../support/keys.ts'
import { entitled, person, stored } from '../outreach/rows.ts'
import { held, openScene, order, type Scene, work } from './scene.ts'

const stack = inject('stack')
const SECRET = 'secret-of-the-owner'

let owner: Scene
let campaign: string
let slot: string
let thief: Scene
let empty: Api

beforeAll(async () => {
  // Not in the exchange, where planned articles of other tests would take its credits.
  owner = await openScene(stack, { backlinks_network: false })
  campaign = String((await owner.make({ title: SECRET, description: SECRET })).body.campaign_id)
  slot = (await work(stack, campaign, 2, SECRET))[0] ?? ''
  thief = await openScene(stack)
  empty = manyKeys(stack, await newAccount(stack))
})

type Theft = { call: (api: Api) => Promise<Answer>; code: 'forbidden' | 'not_found' }

/** For every operation: how another account might reach for the owner's things. A new operation without one does not compile. */
const THEFTS: Record<keyof typeof crowdworkOperations, Theft[]> = {
  list: [{ call: (api) => api.get(`/crowdwork/campaigns?project_id=${owner.project}`), code: 'forbidden' }],
  create: [{ call: (api) => api.post('/crowdwork/campaigns', order(owner.project)), code: 'forbidden' }],
  register: [
    { call: (api) => api.post('/crowdwork/campaigns/register', { campaign_id: campaign }), code: 'forbidden' },
    {
      call: (api) => api.post('/crowdwork/campaigns/register', { campaign_id: campaign, project_id: owner.project }),
      code: 'forbidden',
    },
  ],
  get: [{ call: (api) => api.get(`/crowdwork/campaigns/${campaign}`), code: 'forbidden' }],
  slots: [{ call: (api) => api.get(`/crowdwork/campaigns/${campaign}/slots`), code: 'forbidden' }],
  proofs: [{ call: (api) => api.get(`/crowdwork/campaigns/${campaign}/proofs`), code: 'forbidden' }],
  rate: [
    {
      call: (api) => api.post(`/crowdwork/slots/${slot}/rate`, { campaign_id: campaign, rating: 'OK' }),
      code: 'forbidden',
    },
  ],
  spend: [{ call: (api) => api.get(`/crowdwork/spend?project_id=${owner.project}`), code: 'forbidden' }],
}

/** Returns the owner's data, here and at the provider, while other tests' workers change theirs. */
const state = async () => {
  const { campaigns, slots } = await held(stack)
  return {
    here: await stateOf(stack, owner.api.accountId),
    campaign: campaigns.find(({ id }) => id === campaign),
    slots: slots.filter(({ campaignId }) => campaignId === campaign),
  }
}

describe.each(Object.entries(THEFTS))('crowdwork %s of another account', (_, thefts) => {
  it('is refused, reveals nothing and changes nothing', async () => {
    const before = await state()
    for (const { call, code } of thefts)
      for (const api of [thief.api, empty]) {
        const answer = await call(api)
        expectError(answer, code)
        expect(answer.text).not.toContain(SECRET)
      }
    expect(await state()).toEqual(before)
  })
})

it('a slot of another account is not rated through a campaign of one’s own', async () => {
  const own = String((await thief.make()).body.campaign_id)
  const answer = await thief.api.post(`/crowdwork/slots/${slot}/rate`, { campaign_id: own, rating: 'OK' })
  expectError(answer, 'not_found')
  expect(answer.text).not.toContain(SECRET)
  expect((await held(stack)).slots.find(({ id }) => id === slot)?.status).toBe('NOTRATED')
})

it('a list without a project shows nothing of another account', async () => {
  expect((await empty.get('/crowdwork/campaigns')).body.campaigns).toEqual([])
  expect((await thief.api.get('/crowdwork/campaigns')).text).not.toContain(SECRET)
})

it('a campaign that another account’s call is making cannot be registered', async () => {
  const body = order(owner.project)
  await owner.api.post('/crowdwork/campaigns', body)
  const made = (await held(stack)).campaigns.find(({ title }) => title === body.title)
  // As after a crash: the provider has it, the owner's row does not know yet.

  await rowsIn(
    stack,
    sql`update crowdwork_campaigns set campaign_id = null, stage = 'making', sent_at = now() where title = ${body.title} returning id`,
  )
  expectError(await thief.api.post('/crowdwork/campaigns/register', { campaign_id: made?.id }), 'forbidden')
  const mine = await owner.api.post('/crowdwork/campaigns/register', { campaign_id: made?.id })
  expect([mine.status, mine.body.project_id]).toEqual([201, owner.project])
})

describe('outreach', () => {
  const REACHES: Record<keyof typeof outreachOperations, (api: Api) => Promise<Answer>> = {
    entitlement: (api) => api.get('/outreach/entitlement'),
    sync: (api) =>
      api.post('/outreach/sync', { persons: [person('p1', { full_name: 'Mallory', updated_at: '2040-01-01' })] }),
    export: (api) => api.get('/outreach/export'),
    erase: (api) => api.post('/outreach/erase', { id: 'p1', address: 'ann@x.example' }),
  }

  it.each(Object.entries(REACHES))('%s with the ids of another account reaches nothing of it', async (_, call) => {
    const [mine, other] = [await entitled(stack), await entitled(stack)]
    await mine.post('/outreach/sync', {
      since: SECRET,
      persons: [person('p1', { full_name: SECRET, email: 'ann@x.example' })],
    })
    const before = await stored(stack, mine, 'persons')
    const answer = await call(other)
    expect(answer.status).toBe(200)
    expect(answer.text).not.toContain(SECRET)
    expect(await stored(stack, mine, 'persons')).toEqual(before)
  })
})
