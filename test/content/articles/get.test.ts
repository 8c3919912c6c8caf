import { sql } from 'drizzle-orm'
import { describe, expect, inject, it } from 'vitest'
import { newAccount, newArticle, newProject, rowsIn } from '../../support/client.ts'
import { connectedProject } from '../../support/story.ts'

const stack = inject('stack')
const ISO_UTC = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/

describe('GET /articles/:id', () => {
  it('answers every field', async () => {
    const api = await newAccount(stack)
    const project = await newProject(api, { custom_author_name: 'Jo Doe', timezone: 'Asia/Tokyo' })
    const id = await newArticle(api, project, {
      keyword: 'green tea',
      title: 'Green tea',
      status: 'Planned',
      scheduled_date: '2031-01-01T00:00:00Z',
      instructions: 'Short.',
    })
    const { status, body } = await api.get(`/articles/${id}`)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      ID: id,
      Title: 'Green tea',
      MainKeyword: 'green tea',
      Content: '<h2>A heading</h2><p>Some words that are worth reading.</p>',
      MetaDescription: '',
      Status: 'Planned',
      Slug: 'green-tea',
      ScheduledDate: '2031-01-01T09:00:00',
      ScheduledAt: '2031-01-01T00:00:00.000Z',
      ProjectID: project,
      ArticleStyle: 'Informative',
      FeatureImage: '',
      AltText: '',
      Category: '',
      Tags: [],
      Url: null,
      Author: 'Jo Doe',
      CreatedAt: expect.stringMatching(ISO_UTC),
      UpdatedAt: expect.stringMatching(ISO_UTC),
      PublishedAt: null,
      Claimed: false,
      PublishState: 'idle',
      PublishError: null,
      Receipt: null,
      Revision: 1,
      claimed: false,
      being_written: false,
    })
    expect(body).toHaveProperty('Seo')
  })

  it('shows an article being written, and a failed generation', async () => {
    const api = await newAccount(stack)
    const id = await newArticle(api, await newProject(api))
    await rowsIn(stack, sql`update articles set status = 'Generating', generation_error = 'No words.' where id = ${id}`)
    const { body } = await api.get(`/articles/${id}`)
    expect(body).toMatchObject({ Status: 'Generating', being_written: true, GenerationError: 'No words.' })
  })

  it('shows url and date of a published article', async () => {
    const api = await newAccount(stack)
    const project = await connectedProject(api, stack)
    const id = await newArticle(api, project)
    const published = await api.post(`/articles/${id}/publish`)
    expect(published.status).toBe(200)
    const { body } = await api.get(`/articles/${id}`)
    expect(body).toMatchObject({
      Status: 'Published',
      Url: published.body.url,
      PublishedAt: expect.stringMatching(ISO_UTC),
      PublishState: 'idle',
    })
  })

  it('is 403 for another account, 404 if it does not exist, 400 for an invalid id', async () => {
    const [api, other] = await Promise.all([newAccount(stack), newAccount(stack)])
    const id = await newArticle(other, await newProject(other))
    expect(await api.get(`/articles/${id}`)).toMatchObject({ status: 403, body: { code: 'forbidden' } })
    expect(await api.get('/articles/2147483647')).toMatchObject({ status: 404, body: { code: 'not_found' } })
    for (const wrong of ['0', '-1', 'abc', '1.0', '2147483648', '1e3'])
      expect([wrong, await api.get(`/articles/${wrong}`)]).toMatchObject([
        wrong,
        { status: 400, body: { code: 'invalid_id' } },
      ])
  })
})
