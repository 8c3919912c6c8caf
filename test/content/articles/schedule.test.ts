import { describe, expect, inject, it } from 'vitest'
import { type Api, newAccount, newArticle, newProject } from '../../support/client.ts'
import { fieldsOf, manyKeys } from '../../support/keys.ts'

const stack = inject('stack')

const setUp = async (timezone: string, fields: Record<string, unknown> = {}) => {
  const api = manyKeys(stack, await newAccount(stack))
  const project = await newProject(api, { timezone })
  return { api, project, id: await newArticle(api, project, fields) }
}

const dates = async (api: Api, id: number): Promise<[unknown, unknown]> => {
  const { body } = await api.get(`/articles/${id}`)
  return [body.ScheduledDate, body.ScheduledAt]
}

/** Text that is sent, the wall time read back, the instant. */
type Case = readonly [sent: string, wall: string, instant: string]

const AMSTERDAM: Case[] = [
  ['2031-01-15T09:00:00', '2031-01-15T09:00:00', '2031-01-15T08:00:00.000Z'],
  ['2031-07-15T09:00', '2031-07-15T09:00:00', '2031-07-15T07:00:00.000Z'],
  ['2031-07-15 09:00:00', '2031-07-15T09:00:00', '2031-07-15T07:00:00.000Z'],
  ['2031-07-15T09:00:00Z', '2031-07-15T11:00:00', '2031-07-15T09:00:00.000Z'],
  ['2031-07-15T09:00:00+05:30', '2031-07-15T05:30:00', '2031-07-15T03:30:00.000Z'],
  ['2031-07-15T09:00:00-0400', '2031-07-15T15:00:00', '2031-07-15T13:00:00.000Z'],
  ['2031-07-15T09:00:00+02', '2031-07-15T09:00:00', '2031-07-15T07:00:00.000Z'],
  // A day alone is at the project's publish_time.
  ['2031-07-15', '2031-07-15T09:00:00', '2031-07-15T07:00:00.000Z'],
  ['2031-07-15T09:00:00.250Z', '2031-07-15T11:00:00', '2031-07-15T09:00:00.250Z'],
  // The clock goes from 02:00 to 03:00 on 30 March 2031: a time in the gap moves forward by the hour.
  ['2031-03-30T01:59:59', '2031-03-30T01:59:59', '2031-03-30T00:59:59.000Z'],
  ['2031-03-30T02:30:00', '2031-03-30T03:30:00', '2031-03-30T01:30:00.000Z'],
  ['2031-03-30T03:00:00', '2031-03-30T03:00:00', '2031-03-30T01:00:00.000Z'],
  // It goes from 03:00 back to 02:00 on 26 October 2031: a time shown twice is the first of the two.
  ['2031-10-26T02:30:00', '2031-10-26T02:30:00', '2031-10-26T00:30:00.000Z'],
  ['2031-10-26T01:30:00Z', '2031-10-26T02:30:00', '2031-10-26T01:30:00.000Z'],
  ['2031-10-26T03:00:00', '2031-10-26T03:00:00', '2031-10-26T02:00:00.000Z'],
]

const NEW_YORK: Case[] = [
  ['2031-01-15T09:00:00', '2031-01-15T09:00:00', '2031-01-15T14:00:00.000Z'],
  ['2031-07-15T09:00:00', '2031-07-15T09:00:00', '2031-07-15T13:00:00.000Z'],
  ['2031-07-15T23:30:00-07:00', '2031-07-16T02:30:00', '2031-07-16T06:30:00.000Z'],
  // 9 March 2031, 02:00 to 03:00.
  ['2031-03-09T02:00:00', '2031-03-09T03:00:00', '2031-03-09T07:00:00.000Z'],
  ['2031-03-09T02:30:00', '2031-03-09T03:30:00', '2031-03-09T07:30:00.000Z'],
  // 2 November 2031, 02:00 back to 01:00.
  ['2031-11-02T01:30:00', '2031-11-02T01:30:00', '2031-11-02T05:30:00.000Z'],
  ['2031-11-02T06:30:00Z', '2031-11-02T01:30:00', '2031-11-02T06:30:00.000Z'],
  ['2031-11-02T02:00:00', '2031-11-02T02:00:00', '2031-11-02T07:00:00.000Z'],
]

describe('scheduled_date', () => {
  it.each([
    ['Europe/Amsterdam', AMSTERDAM],
    ['America/New_York', NEW_YORK],
    ['UTC', [['2031-05-05T05:05:05', '2031-05-05T05:05:05', '2031-05-05T05:05:05.000Z']] satisfies Case[]],
    ['Asia/Kathmandu', [['2031-05-05T05:45:00', '2031-05-05T05:45:00', '2031-05-05T00:00:00.000Z']] satisfies Case[]],
  ])('in %s: read back and sent again it moves nothing', async (timezone, cases) => {
    const { api, id } = await setUp(timezone)
    for (const [sent, wall, instant] of cases) {
      const { status } = await api.put(`/articles/${id}`, { scheduled_date: sent })
      expect([sent, status, ...(await dates(api, id))]).toEqual([sent, 200, wall, instant])
      const again = await api.put(`/articles/${id}`, { scheduled_date: wall })
      expect([sent, again.status, ...(await dates(api, id))]).toEqual([sent, 200, wall, instant])
      await api.put(`/articles/${id}`, { scheduled_date: instant })
      expect([sent, ...(await dates(api, id))]).toEqual([sent, wall, instant])
    }
  })

  it('means the same at creation', async () => {
    const { api, project } = await setUp('Europe/Amsterdam')
    for (const [scheduled_date, wall, instant] of AMSTERDAM.slice(0, 8)) {
      const id = await newArticle(api, project, { scheduled_date })
      expect([scheduled_date, ...(await dates(api, id))]).toEqual([scheduled_date, wall, instant])
    }
  })

  it('keeps its instant when the project moves to another time zone', async () => {
    const { api, project, id } = await setUp('Europe/Amsterdam', { scheduled_date: '2031-07-15T09:00:00' })
    await api.put(`/projects/${project}`, { timezone: 'Asia/Tokyo' })
    expect(await dates(api, id)).toEqual(['2031-07-15T16:00:00', '2031-07-15T07:00:00.000Z'])
  })

  it.each([null, ''])('does not change the status, %j turns Planned into Draft', async (nothing) => {
    const { api, id } = await setUp('UTC')
    await api.put(`/articles/${id}`, { scheduled_date: '2031-01-01T00:00:00Z' })
    expect((await api.get(`/articles/${id}`)).body.Status).toBe('Draft')
    await api.put(`/articles/${id}`, { status: 'Planned' })
    expect((await api.get(`/articles/${id}`)).body).toMatchObject({
      Status: 'Planned',
      ScheduledAt: '2031-01-01T00:00:00.000Z',
    })
    const { status, body } = await api.put(`/articles/${id}`, { scheduled_date: nothing })
    expect(status).toBe(200)
    expect(body.updated_fields).toEqual(['scheduled_date'])
    expect((await api.get(`/articles/${id}`)).body).toMatchObject({
      Status: 'Draft',
      ScheduledDate: null,
      ScheduledAt: null,
    })
  })

  it.each([
    'tomorrow',
    ' ',
    '2031',
    '2031-13-01',
    '2031-02-29',
    '2031-01-01T24:00:00',
    '2031-01-01T09:60',
    '2031-01-01T09',
    '2031-01-01T09:00:00+16:00',
    '2031-01-01T09:00:00+05:60',
    '2031-01-01T09:00:00 Europe/Paris',
    '01/02/2031',
    '1893456000',
    1_893_456_000,
    true,
  ])('refuses %j and leaves the date', async (wrong) => {
    const { api, id } = await setUp('UTC', { scheduled_date: '2031-01-01T00:00:00Z' })
    const { status, body } = await api.put(`/articles/${id}`, { scheduled_date: wrong })
    expect(status).toBe(400)
    expect(fieldsOf(body)).toEqual(['scheduled_date'])
    expect(await dates(api, id)).toEqual(['2031-01-01T00:00:00', '2031-01-01T00:00:00.000Z'])
  })
})
