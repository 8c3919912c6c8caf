import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { type Api, newAccount, newProject, rowsIn } from '../../support/client.ts'
import { manyKeys, rowsOf } from '../../support/keys.ts'
import { connectedProject } from '../../support/story.ts'

const stack = inject('stack')
let api: Api
let project: number

beforeAll(async () => {
  api = manyKeys(stack, await newAccount(stack))
  project = await newProject(api)
})

const FIRST = {
  keyword: 'garden sheds',
  title: 'Garden sheds',
  content: '# Oak\n\nA shed of *oak*.',
  content_format: 'markdown',
  tags: ['wood', 'garden'],
  slug: 'garden-sheds',
  scheduled_date: '2031-05-04T10:00:00Z',
  canonical_url: 'https://own.example/sheds',
}

let last = 0
const newRef = () => {
  last += 1
  return `posts/shed-${last}.md`
}

const create = async (external_ref: string, more: object = {}, of = project) =>
  await api.post('/articles', { project_id: of, ...FIRST, external_ref, ...more })

describe('external_ref of POST /articles', () => {
  it('returns the article of a known one, names nothing that is equal, and creates nothing', async () => {
    const ref = newRef()
    const first = await create(ref)
    expect(first.status, first.text).toBe(201)
    const again = await create(ref)
    expect(again.status, again.text).toBe(200)
    expect(again.body).toMatchObject({
      article_id: first.body.article_id,
      already_existed: true,
      differs: [],
      article: { ID: first.body.article_id, external_ref: ref, Title: 'Garden sheds', Revision: 1 },
    })
    const { body } = await api.get(`/articles?project_id=${project}&external_ref=${encodeURIComponent(ref)}`)
    expect(rowsOf(body, 'articles').map((row) => [row.ID, row.external_ref])).toEqual([[first.body.article_id, ref]])
  })

  it.each([
    ['title', { title: 'Sheds' }],
    ['content', { content: '# Oak\n\nA shed of *pine*.' }],
    ['content', { content: '', content_format: undefined }],
    ['tags', { tags: 'wood' }],
    ['keyword', { keyword: 'oak sheds' }],
    ['slug', { slug: 'sheds' }],
    ['status', { status: 'Planned' }],
    ['scheduled_date', { scheduled_date: '2031-05-04T10:00:01Z' }],
    ['scheduled_date', { scheduled_date: null }],
    ['canonical_url', { canonical_url: '' }],
    ['seo_title', { seo_title: 'Oak' }],
    ['meta_description', { meta_description: 'All about sheds.' }],
    ['feature_image', { feature_image: 'https://img.example/a.jpg' }],
    ['alt_text', { alt_text: 'A shed' }],
    ['category', { category: 'Sheds' }],
    ['article_style', { article_style: 'How-to' }],
    ['published_at', { published_at: '2020-01-01' }],
    ['instructions', { instructions: 'Short.' }],
  ])('names %s in differs for %j, and changes nothing', async (name, change) => {
    const ref = newRef()
    const { body: made } = await create(ref)
    const before = (await api.get(`/articles/${String(made.article_id)}`)).body
    const { status, body, text } = await create(ref, change)
    expect(status, text).toBe(200)
    expect(body.differs).toEqual([name])
    expect((await api.get(`/articles/${String(made.article_id)}`)).body).toEqual({ ...before, request_id: undefined })
  })

  it('names no field with the same value in another spelling, or null', async () => {
    const ref = newRef()
    await create(ref)
    const { body } = await create(ref, {
      scheduled_date: '2031-05-04T12:00:00+02:00[Europe/Berlin]',
      content: '<h1>Oak</h1>\n<p>A shed of <em>oak</em>.</p>',
      content_format: 'html',
      tags: 'wood, garden',
      slug: 'Garden Sheds!',
      title: null,
      status: null,
      article_style: null,
    })
    expect(body.differs).toEqual([])
  })

  it('names no content if only publishing changed it', async () => {
    const own = await connectedProject(api, stack)
    const ref = newRef()
    const content = '<p>One.</p><p><img src="https://img.example/a.jpg"></p>'
    const more = { content, content_format: 'html', scheduled_date: undefined }
    const { body: made } = await create(ref, more, own)
    const id = Number(made.article_id)
    await rowsIn(stack, sql`update articles set content = content || '<p>Added.</p>' where id = ${id}::int`)
    expect((await create(ref, more, own)).body.differs).toEqual([])
    expect((await create(ref, { ...more, content: '<p>Two.</p>' }, own)).body.differs).toEqual(['content'])
    await api.put(`/articles/${id}`, { content: '<p>Two.</p>' })
    expect((await create(ref, more, own)).body.differs).toEqual(['content'])
    expect((await create(ref, { ...more, content: '<p>Two.</p>' }, own)).body.differs).toEqual([])
    expect((await api.post(`/articles/${id}/publish`)).status).toBe(200)
    await api.post(`/articles/${id}/sync`, { content: '<p>Three.</p>' })
    await rowsIn(stack, sql`update articles set content = content || '<p>Added.</p>' where id = ${id}::int`)
    expect((await create(ref, { ...more, content: '<p>Three.</p>' }, own)).body.differs).toEqual([])
  })

  it('is unique in a project only, and is free after a deletion', async () => {
    const ref = newRef()
    const other = await newProject(api)
    const first = await create(ref)
    expect((await create(ref, {}, other)).status).toBe(201)
    const { body } = await api.get(`/articles?external_ref=${encodeURIComponent(ref)}`)
    expect(rowsOf(body, 'articles')).toHaveLength(2)
    await api.del(`/articles/${String(first.body.article_id)}`)
    const again = await create(ref)
    expect(again.status, again.text).toBe(201)
    expect(again.body.article_id).not.toBe(first.body.article_id)
  })

  it('is no word of another account', async () => {
    const ref = newRef()
    await create(ref)
    const stranger = await newAccount(stack)
    const theirs = await newProject(stranger)
    expect((await stranger.post('/articles', { project_id: theirs, keyword: 'sheds', external_ref: ref })).status).toBe(
      201,
    )
    const { body } = await stranger.get(`/articles?external_ref=${encodeURIComponent(ref)}&q=sheds`)
    expect(rowsOf(body, 'articles')).toHaveLength(1)
  })

  it('returns the same in a dry run', async () => {
    const ref = newRef()
    const made = await create(ref)
    const { body } = await api.post('/articles?dry_run=true', {
      project_id: project,
      keyword: 'x',
      external_ref: ref,
    })
    expect(body.would).toMatchObject({
      status: 200,
      body: { article_id: made.body.article_id, differs: ['keyword'] },
    })
  })

  it('leaves articles without one alone', async () => {
    const two = await Promise.all([1, 2].map(() => api.post('/articles', { project_id: project, keyword: 'no ref' })))
    expect(two.map(({ status }) => status)).toEqual([201, 201])
    expect((await api.get(`/articles/${String(two[0]?.body.article_id)}`)).body.external_ref).toBeNull()
  })
})
