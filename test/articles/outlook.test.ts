import { sql } from 'drizzle-orm'
import { describe, expect, inject, it } from 'vitest'
import { newAccount, newArticle, newProject, rowsIn } from '../support/client.ts'
import { manyKeys } from '../support/keys.ts'
import { setCredits } from '../writing/scene.ts'

const stack = inject('stack')
const LONG = `<p>${'word '.repeat(400)}</p>`
const FAR = '2031-06-10T09:00:00Z'
const CLAIM_BY = '2031-06-07T09:00:00.000Z'

const fresh = async (settings: Record<string, unknown> = {}, plan: 'pro' | 'agentic' = 'pro') => {
  const api = manyKeys(stack, await newAccount(stack, { plan }))
  // Nothing is written while a test looks at what would be.
  await setCredits(stack, api.accountId, 0)
  return { api, project: await newProject(api, settings) }
}

const soon = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()

describe('a save of a planned article', () => {
  it('without content says that the writer takes it, for what, and until when it can be claimed', async () => {
    const { api, project } = await fresh()
    const plan = { project_id: project, keyword: 'sheds', status: 'Planned', scheduled_date: FAR }
    const { body } = await api.post('/articles', plan)
    expect(body.will_be_written).toEqual({
      credits: 1,
      claim_by: CLAIM_BY,
      note: expect.stringContaining('1 article credit'),
    })
    expect(body).not.toHaveProperty('will_be_rewritten')
    const id = Number(body.article_id)
    const put = await api.put(`/articles/${id}`, { instructions: 'Short.' })
    expect(put.body.will_be_written).toMatchObject({ credits: 1, claim_by: CLAIM_BY })
    expect((put.body.will_be_written as { note: string }).note).toContain(`PUT /articles/${id}`)
  })

  it('inside 72 hours says so with the credit it costs, and names no instant that has passed', async () => {
    const { api, project } = await fresh()
    const id = await newArticle(api, project, { status: 'Planned', scheduled_date: soon(24), content: '' })
    const { body } = await api.put(`/articles/${id}`, { instructions: 'Short.' })
    expect(body.will_be_written).toEqual({ credits: 1, claim_by: null, note: expect.stringContaining('at any moment') })
    const brief = await api.get(`/articles/${id}/brief`)
    expect(brief.body.claim).toMatchObject({ claimable: true, claim_by: null })
  })

  it('with a text too short to claim says that it will be rewritten', async () => {
    const { api, project } = await fresh()
    const id = await newArticle(api, project, { status: 'Planned', scheduled_date: FAR, content: '' })
    const { body } = await api.put(`/articles/${id}`, { content: '<p>Short.</p>' })
    expect(body).toMatchObject({ claimed: false, will_be_rewritten: true, will_be_written: { credits: 1 } })
  })

  it.each([
    ['that is claimed', {}, { content: LONG }],
    ['without a date', { scheduled_date: null, status: 'Planned' }, {}],
    ['that falls back to draft', { status: 'Draft' }, {}],
  ])('says nothing of the writer for one %s', async (_, sent, content) => {
    const { api, project } = await fresh()
    const id = await newArticle(api, project, { status: 'Planned', scheduled_date: FAR, content: '' })
    const { body } = await api.put(`/articles/${id}`, { title: 'T', ...sent, ...content })
    expect(body).not.toHaveProperty('will_be_written')
  })

  it('on a plan without the writer promises none, and warns of an empty article', async () => {
    const { api, project } = await fresh({}, 'agentic')
    const { body } = await api.post('/articles', {
      project_id: project,
      keyword: 'sheds',
      status: 'Planned',
      scheduled_date: FAR,
    })
    expect(body).not.toHaveProperty('will_be_written')
    expect(body.warnings).toEqual([expect.stringContaining('no content')])
  })
})

describe('the message', () => {
  it.each([
    ['Publish Immediately', 'it is published', 'is published at once'],
    ['Send as Drafts', 'sent to the CMS as a draft', 'sent to the CMS as a draft at once'],
    ['Save as Drafts', 'becomes a draft here and is not published', 'becomes a draft here at once'],
  ])('is true to publishing_status %s, and a date that has passed is warned of', async (status, later, past) => {
    const { api, project } = await fresh({ publishing_status: status, timezone: 'Europe/Amsterdam' })
    const id = await newArticle(api, project, { content: LONG })
    const planned = await api.put(`/articles/${id}`, { status: 'Planned', scheduled_date: FAR })
    expect(planned.body.message).toContain(later)
    expect(planned.body.message).toContain('2031-06-10 11:00')
    expect(planned.body.message).toContain(`POST /articles/${id}/publish`)
    expect(planned.body).not.toHaveProperty('warnings')
    const late = await api.put(`/articles/${id}`, { scheduled_date: '2020-01-01T00:00:00Z' })
    expect(late.body.warnings).toEqual([expect.stringContaining(past)])
    expect(String(late.body.warnings)).not.toContain('when it has content')
    const empty = await api.put(`/articles/${id}`, { content: '' })
    expect(empty.body.warnings).toEqual([expect.stringContaining('when it has content')])
  })

  it('names the article itself', async () => {
    const { api, project } = await fresh()
    const { body } = await api.post('/articles', { project_id: project, keyword: 'sheds' })
    expect(body.message).toContain(`POST /articles/${String(body.article_id)}/publish`)
    const brief = await api.get(`/articles/${String(body.article_id)}/brief`)
    expect(JSON.stringify([body, brief.body.claim])).not.toContain(':id')
  })
})

describe('the date', () => {
  it('without a time is at the project’s publish_time, and comes back as it was understood', async () => {
    const { api, project } = await fresh({ timezone: 'America/New_York', publish_time: '14:30' })
    const made = await api.post('/articles', {
      project_id: project,
      keyword: 'sheds',
      status: 'Planned',
      scheduled_date: '2031-03-04',
    })
    const understood = { ScheduledDate: '2031-03-04T14:30:00', ScheduledAt: '2031-03-04T19:30:00.000Z' }
    expect(made.body).toMatchObject(understood)
    const path = `/articles/${String(made.body.article_id)}`
    expect((await api.get(path)).body).toMatchObject(understood)
    const moved = await api.put(path, { scheduled_date: '2031-03-05' })
    expect(moved.body).toMatchObject({ ScheduledDate: '2031-03-05T14:30:00' })
    expect((await api.put(path, { title: 'T' })).body).toMatchObject({ ScheduledDate: '2031-03-05T14:30:00' })
    expect((await api.put(path, { scheduled_date: null })).body).toMatchObject({
      ScheduledDate: null,
      ScheduledAt: null,
    })
  })

  it.each([
    ['20270301T090000Z', 'extended format'],
    ['20270301', 'extended format'],
    ['2027-03-01T24:00', 'midnight is 00:00 of the next day'],
    ['9999-01-01', 'year from 1970 to 9998'],
    ['2027-02-30', 'no such day'],
    ['soon', 'ISO 8601'],
  ])('%s is refused with the true reason', async (scheduled_date, reason) => {
    const { api, project } = await fresh()
    const { status, body } = await api.post('/articles', { project_id: project, keyword: 'k', scheduled_date })
    expect([status, body.details]).toEqual([
      400,
      [{ field: 'scheduled_date', message: expect.stringContaining(reason) }],
    ])
  })
})

describe('a claim once made', () => {
  it('stays with a shorter text, until the content is emptied', async () => {
    const { api, project } = await fresh()
    const id = await newArticle(api, project, { status: 'Planned', scheduled_date: FAR, content: '' })
    expect((await api.put(`/articles/${id}`, { content: LONG })).body.claimed).toBe(true)
    const shorter = await api.put(`/articles/${id}`, { content: '<p>Shorter, and still mine.</p>' })
    expect(shorter.body.claimed).toBe(true)
    expect(shorter.body).not.toHaveProperty('will_be_written')
    expect((await api.get(`/articles/${id}`)).body.Claimed).toBe(true)
    const emptied = await api.put(`/articles/${id}`, { content: '<p> </p>' })
    expect(emptied.body).toMatchObject({ claimed: false, will_be_written: { credits: 1 } })
    expect((await api.get(`/articles/${id}`)).body.Claimed).toBe(false)
  })
})

describe('a revision', () => {
  it('is made by a change of what a reader sees, and by no PUT that says the same again', async () => {
    const { api, project } = await fresh()
    const fields = {
      title: 'One',
      meta_description: 'About.',
      content: '<p>one</p>',
      feature_image: 'https://i.example/a.png',
      alt_text: 'A',
      category: 'c',
      tags: ['a', 'b'],
      seo_title: 'S',
      canonical_url: 'https://c.example/one',
      published_at: '2020-01-01T00:00:00Z',
      keyword: 'one shed',
    }
    const id = await newArticle(api, project, fields)
    await api.put(`/articles/${id}`, fields)
    expect((await api.get(`/articles/${id}`)).body).toMatchObject({ Revision: 1 })
    await api.put(`/articles/${id}`, { feature_image: 'https://i.example/b.png' })
    const kept = await api.get(`/articles/${id}/revisions/1`)
    expect(kept.body).toMatchObject({ feature_image: 'https://i.example/a.png', alt_text: 'A', current: false })
    await api.put(`/articles/${id}`, { tags: ['a'] })
    expect((await api.get(`/articles/${id}`)).body).toMatchObject({ Revision: 3 })
  })
})

describe('seo_title and canonical_url', () => {
  it('are kept, shown and cleared', async () => {
    const { api, project } = await fresh()
    const id = await newArticle(api, project, { seo_title: ' For search ', canonical_url: 'https://c.example/a' })
    const read = async () => (await api.get(`/articles/${id}`)).body
    expect(await read()).toMatchObject({ SeoTitle: 'For search', CanonicalUrl: 'https://c.example/a' })
    await api.put(`/articles/${id}`, { seo_title: '', canonical_url: '' })
    expect(await read()).toMatchObject({ SeoTitle: '', CanonicalUrl: '' })
    const wrong = await api.put(`/articles/${id}`, { canonical_url: '/a' })
    expect([wrong.status, wrong.body.details]).toMatchObject([400, [{ field: 'canonical_url' }]])
    const [row] = await rowsIn<{ n: number }>(stack, sql`select count(*)::int as n from articles where id = ${id}::int`)
    expect(row?.n).toBe(1)
  })
})
