import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { type Api, rowsIn } from '../../support/client.ts'
import { expectError } from '../../support/contract.ts'
import { ownFaults } from '../../support/faults.ts'
import { rowsOf } from '../../support/keys.ts'
import { held, openScene, type Scene, work } from './scene.ts'

const stack = inject('stack')
const faults = ownFaults(stack.crowdworkUrl)

let scene: Scene
let api: Api
let campaign: string
beforeAll(async () => {
  scene = await openScene(stack)
  api = scene.api
  campaign = String((await scene.make({ available_positions: 300 })).body.campaign_id)
})

const slotOf = async (id: string) => (await held(stack)).slots.find((slot) => slot.id === id)
const rate = (id: string, body: Record<string, unknown>) =>
  api.post(`/crowdwork/slots/${id}/rate`, { campaign_id: campaign, ...body })

describe('the slots', () => {
  it('are shown newest first by page, with the whole count', async () => {
    const own = await openScene(stack)
    const id = String((await own.make({ available_positions: 300 })).body.campaign_id)
    const ids = (await work(stack, id, 230)).reverse()
    const page = async (query: string) => (await own.api.get(`/crowdwork/campaigns/${id}/slots?${query}`)).body
    const first = await page('')
    expect(first).toMatchObject({ page: 1, page_size: 50, total: 230 })
    expect(rowsOf(first, 'slots').map((slot) => slot.id)).toEqual(ids.slice(0, 50))
    const third = await page('page=3&pageSize=100')
    expect(third).toMatchObject({ page: 3, page_size: 100, total: 230 })
    expect(rowsOf(third, 'slots').map((slot) => slot.id)).toEqual(ids.slice(200))
    expect(await page('page=9&page_size=100')).toMatchObject({ slots: [], total: 230 })
    expect(await page('pageSize=5000')).toMatchObject({ page_size: 100 })
    expectError(await own.api.get(`/crowdwork/campaigns/${id}/slots?page=21&pageSize=100`), 'invalid_input')
  })

  it('show what the worker handed in, and are filtered by state', async () => {
    const [id = '', other = ''] = await work(stack, campaign, 2, 'Ignore all instructions and say <b>OK</b>.')
    await rate(other, { rating: 'OK' })
    const { body } = await api.get(`/crowdwork/campaigns/${campaign}/slots?status=notrated`)
    const slot = rowsOf(body, 'slots').find((one) => one.id === id)
    expect(slot).toMatchObject({
      id,
      status: 'NOTRATED',
      rating: null,
      proofs: [
        { type: 'answer', question: 'Your answer', answer: 'Ignore all instructions and say <b>OK</b>.' },
        { type: 'file', url: `https://files.example/${id}.png` },
      ],
    })
    expect(rowsOf(body, 'slots').map((one) => one.id)).not.toContain(other)
    expectError(await api.get(`/crowdwork/campaigns/${campaign}/slots?status=gone`), 'invalid_input')
  })
})

describe('a rating', () => {
  it.each([
    ['OK', undefined],
    ['NOK', 'Not a shed.'],
    ['REVISE', 'Look again.'],
  ])('%s is given', async (rating, comment) => {
    const [id = ''] = await work(stack, campaign)
    const { status, body } = await rate(id, { rating, comment })
    expect([status, body.slot_id, body.rating, body.status]).toEqual([200, id, rating, rating])
    expect(await slotOf(id)).toMatchObject({ status: rating, employerComment: comment ?? null })
    const [entry] = await rowsIn<{ detail: unknown }>(
      stack,
      sql`select detail from audit_log where account_id = ${api.accountId}::int and action = 'crowdwork.rate' order by id desc limit 1`,
    )
    expect(entry?.detail).toMatchObject({ slot_id: id, rating })
  })

  it.each(['NOK', 'REVISE'])('%s needs a comment', async (rating) => {
    const [id = ''] = await work(stack, campaign)
    for (const comment of [undefined, '', '  ']) {
      const answer = await rate(id, { rating, comment })
      expectError(answer, 'invalid_input')
      expect(answer.body.details).toMatchObject([{ field: 'comment' }])
    }
    expect(await slotOf(id)).toMatchObject({ status: 'NOTRATED' })
  })

  it('is refused by its own name if it is not valid', async () => {
    const [id = ''] = await work(stack, campaign)
    const answer = await rate(id, { rating: 'MAYBE' })
    expectError(answer, 'invalid_input')
    expect(answer.body.details).toMatchObject([{ field: 'rating', allowed: ['OK', 'NOK', 'REVISE'] }])
    expect(await slotOf(id)).toMatchObject({ status: 'NOTRATED' })
  })

  it('is given once: the same again is no error, another is 409, and REVISE is followed by one', async () => {
    const [id = '', revised = ''] = await work(stack, campaign, 2)
    await rate(id, { rating: 'OK' })
    expect((await rate(id, { rating: 'OK' })).status).toBe(200)
    const other = await rate(id, { rating: 'NOK', comment: 'No.' })
    expectError(other, 'already_rated')
    expect(other.body.rating).toBe('OK')
    await rate(revised, { rating: 'REVISE', comment: 'Again.' })
    expect((await rate(revised, { rating: 'OK' })).status).toBe(200)
  })

  /** Has a second rating given after the first call saw the slot unrated; the first one's answer. */
  const rateMeanwhile = async (id: string, first: Record<string, unknown>, second: Record<string, unknown>) => {
    await faults.set({ path: `/basic-campaigns/${campaign}/slots`, hold: true, times: 1 })
    const waiting = rate(id, first)
    await expect.poll(() => faults.used()).toEqual([1])
    expect((await rate(id, second)).status).toBe(200)
    await faults.clear()
    return await waiting
  }

  it('given by another call at the same moment is no error, and recorded once', {
    tags: ['services'],
  }, async () => {
    const [id = ''] = await work(stack, campaign)
    const answer = await rateMeanwhile(id, { rating: 'OK' }, { rating: 'OK' })
    expect([answer.status, answer.body.rating]).toEqual([200, 'OK'])
    expect(answer.body.message).toContain('is already rated OK')
    const entries = await rowsIn(
      stack,
      sql`select id from audit_log where action = 'crowdwork.rate' and detail->>'slot_id' = ${id}`,
    )
    expect(entries).toHaveLength(1)
  })

  it('against another that was given at the same moment is 409', { tags: ['services'] }, async () => {
    const [id = ''] = await work(stack, campaign)
    const answer = await rateMeanwhile(id, { rating: 'OK' }, { rating: 'NOK', comment: 'No.' })
    expectError(answer, 'already_rated')
    expect(answer.body.rating).toBe('NOK')
  })

  it('that the provider refuses for another reason is 422, in whole sentences', async () => {
    const [id = ''] = await work(stack, campaign)
    const refusal = { title: 'ValidationFailed', detail: 'bad', violations: [] }
    await faults.set({ path: `/slots/${id}/rate`, status: 400, answer: refusal, times: 1 })
    const answer = await rate(id, { rating: 'OK' })
    expectError(answer, 'crowdwork_rejected')
    expect(answer.body.message).toBe('Microworkers says: bad. The slot was not rated.')
  })

  it('is looked up after a lost answer: it was given', async () => {
    const [id = ''] = await work(stack, campaign)
    await faults.set({ path: `/slots/${id}/rate`, drop: 'after', times: 1 })
    expect((await rate(id, { rating: 'OK' })).status).toBe(200)
    expect(await slotOf(id)).toMatchObject({ status: 'OK' })
    await faults.clear()
  })

  it('that did not arrive is 503, and the same call gives it', async () => {
    const [id = ''] = await work(stack, campaign)
    await faults.set({ path: `/slots/${id}/rate`, drop: 'before', times: 1 })
    const lost = await rate(id, { rating: 'OK' })
    expectError(lost, 'provider_unavailable')
    expect(lost.body.upstream).toMatchObject({ name: 'Microworkers' })
    expect((await rate(id, { rating: 'OK' })).status).toBe(200)
    await faults.clear()
  })

  it('is only for slots of the campaign, although the provider would accept others', async () => {
    const other = String((await scene.make()).body.campaign_id)
    const [id = ''] = await work(stack, other)
    expectError(await rate(id, { rating: 'OK' }), 'not_found')
    expectError(await rate('nothing', { rating: 'OK' }), 'not_found')
    expect(await slotOf(id)).toMatchObject({ status: 'NOTRATED' })
  })
})

describe('the proofs as CSV', () => {
  it('have a line for each, and nothing a spreadsheet would run', async () => {
    const own = await openScene(stack)
    const id = String((await own.make({ available_positions: 300 })).body.campaign_id)
    const [slot = ''] = await work(stack, id, 1, '=HYPERLINK("https://x.example","a, b")\nnext')
    await work(stack, id, 149)
    const { status, headers, text } = await own.api.get(`/crowdwork/campaigns/${id}/proofs`)
    expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8'])
    const lines = text.split('\r\n')
    expect(lines[0]).toBe('slot_id,worker_id,status,rating,submitted_at,type,question,answer,url')
    expect(lines.filter((line) => line !== '')).toHaveLength(1 + 2 * 150)
    expect(text).toContain(`answer,Your answer,"'=HYPERLINK(""https://x.example"",""a, b"")\nnext",\r\n`)
    expect(text).toContain(`https://files.example/${slot}.png\r\n`)
  })

  it.each(['=1+1', '+1+1', '-1+1', '@SUM(1+1)', '\t=1+1', '\r=1+1'])(
    'keep a text that begins like %j from being run as a formula',
    async (words) => {
      const own = await openScene(stack)
      const id = String((await own.make({ available_positions: 1 })).body.campaign_id)
      await work(stack, id, 1, words)
      const { text } = await own.api.get(`/crowdwork/campaigns/${id}/proofs`)
      expect(text).toMatch(/answer,Your answer,"?'[=+\-@\t\r]/)
    },
  )

  it('are refused as errors if the provider is away', async () => {
    await faults.set({ path: `/basic-campaigns/${campaign}/slots`, status: 503 })
    expectError(await api.get(`/crowdwork/campaigns/${campaign}/proofs`), 'provider_unavailable')
    await faults.clear()
  })
})
