import { sql } from 'drizzle-orm'
import { describe, expect, inject, it } from 'vitest'
import { connectReceiver, newAccount, newArticle, newProject, rowsIn } from '../../support/client.ts'
import { manyKeys } from '../../support/keys.ts'
import { setCredits } from '../writing/scene.ts'

const stack = inject('stack')
const LONG = `<p>${'word '.repeat(400)}</p>`
const FAR = '2031-06-10T09:00:00Z'
const CLAIM_BY = '2031-06-07T09:00:00.000Z'

const fresh = async (settings: Record<string, unknown> = {}, plan: 'pro' | 'agentic' = 'pro') => {
  const api = manyKeys(stack, await newAccount(stack, { plan }))
  // A project brings credits.
  const project = await newProject(api, settings)
  // Without credits, the service writes nothing while the test reads the forecast.
  await setCredits(stack, api.accountId, 0)
  return { api, project }
}

const soon = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()

describe('a save of a draft', () => {
  it('with a date says that it does not go out then, and names the call that plans it', async () => {
    const { api, project } = await fresh()
    const post = await api.post('/articles', { project_id: project, keyword: 'sheds', scheduled_date: FAR })
    const id = Number(post.body.article_id)
    const put = await api.put(`/articles/${id}`, { title: 'Sheds' })
    for (const { body } of [post, put])
      expect(body).toMatchObject({
        status: 'Draft',
        sync_required: false,
        warnings: [expect.stringContaining('Planned')],
        next_calls: [{ method: 'PUT', path: `/articles/${id}`, body: { status: 'Planned' }, why: expect.any(String) }],
      })
    const [next] = put.body.next_calls as { path: string; body: Record<string, unknown> }[]
    const planned = await api.put(next?.path ?? '', next?.body ?? {})
    expect(planned.body).toMatchObject({ status: 'Planned', ScheduledAt: '2031-06-10T09:00:00.000Z' })
    expect(planned.body).not.toHaveProperty('next_calls')
  })

  it('without a feature image names the images of its text, and a check says so', async () => {
    const { api, project } = await fresh()
    const content = '<p>Text</p><img src="https://i.example/a.png" alt="A"><img src="/b.png" alt="B">'
    const { body } = await api.post('/articles', { project_id: project, keyword: 'sheds', content })
    const check = (of: Record<string, unknown>) => (of.seo as { failed: { check: string }[] }).failed
    expect(body).toMatchObject({
      image_warning: expect.stringContaining('feature_image'),
      image_candidates: ['https://i.example/a.png'],
    })
    expect(check(body)).toContainEqual(expect.objectContaining({ check: 'feature_image', severity: 'warning' }))
    const put = await api.put(`/articles/${body.article_id}`, { feature_image: 'https://i.example/a.png' })
    expect(put.body).not.toHaveProperty('image_warning')
    expect(put.body).not.toHaveProperty('image_candidates')
    expect(check(put.body).map((one) => one.check)).not.toContain('feature_image')
  })
})

describe('a save of a planned article', () => {
  it('without content has the time for claiming it, and the cost of the writer', async () => {
    const { api, project } = await fresh()
    const plan = { project_id: project, keyword: 'sheds', status: 'Planned', scheduled_date: FAR }
    const { body } = await api.post('/articles', plan)
    expect(body.will_be_written).toEqual({
      credits: 1,
      credit: 'left',
      claim_by: CLAIM_BY,
      note: expect.stringContaining('on, for 1 article credit of the month of its date. To write'),
    })
    expect(body).not.toHaveProperty('will_be_rewritten')
    const id = Number(body.article_id)
    const put = await api.put(`/articles/${id}`, { instructions: 'Short.' })
    expect(put.body.will_be_written).toMatchObject({ credits: 1, claim_by: CLAIM_BY })
    expect((put.body.will_be_written as { note: string }).note).toContain(`PUT /articles/${id}`)
  })

  it('inside 72 hours has the cost, and names no past time', async () => {
    const { api, project } = await fresh()
    const id = await newArticle(api, project, { status: 'Planned', scheduled_date: soon(24), content: '' })
    const { body } = await api.put(`/articles/${id}`, { instructions: 'Short.' })
    expect(body.will_be_written).toMatchObject({ credits: 1, claim_by: null })
    expect((body.will_be_written as { note: string }).note).toContain('at any moment')
    const brief = await api.get(`/articles/${id}/brief`)
    expect(brief.body.claim).toMatchObject({ claimable: true, claim_by: null })
  })

  it('on a plan without a writer can always be claimed', async () => {
    const { api, project } = await fresh({}, 'agentic')
    const id = await newArticle(api, project, { status: 'Planned', scheduled_date: FAR, content: '' })
    const { body } = await api.get(`/articles/${id}/brief`)
    expect(body.claim).toMatchObject({ claimable: true, claim_by: null, claimed: false })
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
  ])('does not mention the writer for one %s', async (_, sent, content) => {
    const { api, project } = await fresh()
    const id = await newArticle(api, project, { status: 'Planned', scheduled_date: FAR, content: '' })
    const { body } = await api.put(`/articles/${id}`, { title: 'T', ...sent, ...content })
    expect(body).not.toHaveProperty('will_be_written')
  })

  it('on a plan without the writer does not promise it, and warns about an empty article', async () => {
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

  it('asks to save content for an empty draft, and says that a draft’s date has no effect', async () => {
    const { api, project } = await fresh()
    const made = await api.post('/articles', { project_id: project, keyword: 'sheds' })
    const path = `/articles/${String(made.body.article_id)}`
    expect(made.body.message).toBe(
      `The article is a draft without content: save it with PUT ${path}, then publish it with POST ${path}/publish.`,
    )
    const blank = await api.put(path, { content: '<p> </p>' })
    expect(blank.body.message).toContain(`is a draft without content: save it with PUT ${path}`)
    const saved = await api.put(path, { content: '<p>one</p>' })
    expect(saved.body.message).toBe(`Updated content. The article is a draft. Publish it with POST ${path}/publish.`)
    const dated = await api.put(path, { scheduled_date: FAR })
    expect(dated.body.message).toContain(`does not go out on its date: for that, send status Planned with PUT ${path}`)
  })

  it('says that a planned article without content cannot be published manually', async () => {
    for (const plan of ['pro', 'agentic'] as const) {
      const { api, project } = await fresh({}, plan)
      const planned = { project_id: project, keyword: 'sheds', status: 'Planned' }
      const { body } = await api.post('/articles', { ...planned, scheduled_date: FAR })
      const path = `/articles/${String(body.article_id)}`
      expect(body.message).toContain(plan === 'pro' ? 'it is published. To' : 'it is published when it has content. To')
      expect(body.message).toContain(
        `To publish it sooner, save its content with PUT ${path} and call POST ${path}/publish`,
      )
      const undated = await api.post('/articles', planned)
      expect(undated.body.message).toContain('without a date or content: set scheduled_date, or save its content')
    }
  })

  it('warns if no CMS or webhook is connected, unless nothing would be sent', async () => {
    const { api, project } = await fresh()
    const missing = `connect one with POST /projects/${project}/integrations`
    const planned = { project_id: project, keyword: 'sheds', status: 'Planned', content: LONG }
    const { body } = await api.post('/articles', { ...planned, scheduled_date: FAR })
    const path = `/articles/${String(body.article_id)}`
    expect(body.message).toContain(missing)
    expect((await api.post('/articles', planned)).body.message).toContain(missing)
    expect((await api.put(path, { status: 'Draft' })).body.message).not.toContain(missing)
    await api.put(`/projects/${project}`, { publishing_status: 'Save as Drafts' })
    expect((await api.put(path, { status: 'Planned' })).body.message).not.toContain(missing)
    await api.put(`/projects/${project}`, { publishing_status: 'Send as Drafts' })
    expect((await api.put(path, { title: 'T' })).body.message).toContain(missing)
    await connectReceiver(api, project, stack.receiverUrl, stack.receiverToken)
    expect((await api.put(path, { title: 'U' })).body.message).not.toContain(missing)
    expect((await api.post('/articles', { ...planned, scheduled_date: FAR })).body.message).not.toContain(missing)
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
  it('is created by a visible change, and not by repeating the same PUT', async () => {
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
