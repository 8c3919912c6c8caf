import { sql } from 'drizzle-orm'
import { describe, expect, inject, it } from 'vitest'
import { connectReceiver, newAccount, newArticle, newProject, rowsIn } from '../../support/client.ts'
import { fieldsOf, manyKeys } from '../../support/keys.ts'
import { publishedArticle } from '../../support/story.ts'

const stack = inject('stack')
const LONG = `<p>${'word '.repeat(400)}</p>`
const FAR = '2031-06-01T09:00:00Z'

const fresh = async (settings: Record<string, unknown> = {}) => {
  const api = manyKeys(stack, await newAccount(stack))
  return { api, project: await newProject(api, settings) }
}

const revisionsOf = (id: number) =>
  rowsIn<{ revision: number; title: string; meta_description: string; content: string }>(
    stack,
    sql`select revision, title, meta_description, content from article_revisions where article_id = ${id} order by revision`,
  )

describe('PUT /articles/:id', () => {
  it('changes only the fields that are sent', async () => {
    const { api, project } = await fresh()
    const id = await newArticle(api, project, { keyword: 'old words', title: 'Old', tags: ['a'], category: 'c' })
    const { body: before } = await api.get(`/articles/${id}`)
    const cases: [sent: Record<string, unknown>, read: Record<string, unknown>][] = [
      [{ title: ' New ' }, { Title: 'New' }],
      [{ meta_description: 'About.' }, { MetaDescription: 'About.' }],
      [{ content: '<p>New</p>' }, { Content: '<p>New</p>' }],
      [{ article_style: 'review' }, { ArticleStyle: 'Review' }],
      [{ feature_image: 'https://i.example/a.png' }, { FeatureImage: 'https://i.example/a.png' }],
      [{ feature_image: '' }, { FeatureImage: '' }],
      [{ alt_text: 'Alt' }, { AltText: 'Alt' }],
      [{ category: '' }, { Category: '' }],
      [{ tags: 'x, y,x' }, { Tags: ['x', 'y'] }],
      [{ tags: [] }, { Tags: [] }],
      [
        { seo_title: 'S', canonical_url: 'https://c.example/a', published_at: '2020-01-01T00:00:00Z' },
        { SeoTitle: 'S', CanonicalUrl: 'https://c.example/a' },
      ],
      [
        { seo_title: '', canonical_url: '', published_at: '' },
        { SeoTitle: '', CanonicalUrl: '', PublishedAt: null },
      ],
      [
        { feature_image: 'https://i.example/a.png', category: 'c', tags: ['x'] },
        { FeatureImage: 'https://i.example/a.png', Category: 'c', Tags: ['x'] },
      ],
      [
        { meta_description: null, feature_image: null, alt_text: null, category: null, tags: null, published_at: null },
        { MetaDescription: '', FeatureImage: '', AltText: '', Category: '', Tags: [], PublishedAt: null },
      ],
      [
        { meta_description: 'About.', alt_text: 'Alt' },
        { MetaDescription: 'About.', AltText: 'Alt' },
      ],
      [{ status: 'planned' }, { Status: 'Planned' }],
      [{ scheduled_date: FAR }, { ScheduledAt: '2031-06-01T09:00:00.000Z', ScheduledDate: '2031-06-01T09:00:00' }],
      [{ keyword: 'new words' }, { MainKeyword: 'new words', Slug: 'new-words' }],
      [{ status: 'Draft' }, { Status: 'Draft' }],
    ]
    let expected: Record<string, unknown> = before
    for (const [sent, read] of cases) {
      const { status, body } = await api.put(`/articles/${id}`, { ...sent, unknown_field: 1 })
      expect([sent, status]).toEqual([sent, 200])
      expect(body).toMatchObject({
        article_id: id,
        updated_fields: Object.keys(sent),
        message: expect.any(String),
        backlinks_processed: 0,
      })
      const { body: after } = await api.get(`/articles/${id}`)
      const { UpdatedAt, Revision, Seo, ...same } = { ...expected, ...read }
      expect(after).toMatchObject(same)
      expect(Date.parse(String(after.UpdatedAt))).toBeGreaterThan(Date.parse(String(UpdatedAt)))
      expect(Number(after.Revision)).toBeGreaterThanOrEqual(Number(Revision))
      expect(after.Seo).toMatchObject({ score: expect.any(Number) })
      expect(after.CreatedAt).toBe(before.CreatedAt)
      expected = after
    }
  })

  it('stores the earlier version of every content change, with title and description', async () => {
    const { api, project } = await fresh()
    const id = await newArticle(api, project, { title: 'First', content: '<p>one</p>' })
    expect(await revisionsOf(id)).toEqual([])
    await api.put(`/articles/${id}`, { content: '<p>two</p>', meta_description: 'Two.' })
    await api.put(`/articles/${id}`, { content: '<p>three</p>', title: 'Third' })
    expect((await revisionsOf(id)).map((r) => ({ ...r, revision: Number(r.revision) }))).toEqual([
      { revision: 1, title: 'First', meta_description: '', content: '<p>one</p>' },
      { revision: 2, title: 'First', meta_description: 'Two.', content: '<p>two</p>' },
    ])
    expect((await api.get(`/articles/${id}`)).body).toMatchObject({ Revision: 3, Content: '<p>three</p>' })
  })

  it('makes no revision without a visible change', async () => {
    const { api, project } = await fresh()
    const id = await newArticle(api, project, { content: '<p>one</p>' })
    await api.put(`/articles/${id}`, { content: '<p>one</p>' })
    await api.put(`/articles/${id}`, { status: 'Planned', scheduled_date: FAR, instructions: 'x' })
    expect(await revisionsOf(id)).toEqual([])
    expect((await api.get(`/articles/${id}`)).body.Revision).toBe(1)
  })

  it('stores no version for changes of other fields', async () => {
    const { api, project } = await fresh()
    const id = await newArticle(api, project, { content: '<p>one</p>' })
    await api.put(`/articles/${id}`, { category: 'Sheds', tags: ['oak'] })
    const { body } = await api.get(`/articles/${id}/revisions`)
    expect(body).toMatchObject({ count: 1, revisions: [{ current: true }] })
    await api.put(`/articles/${id}`, { title: 'Second' })
    expect((await api.get(`/articles/${id}/revisions`)).body.count).toBe(2)
  })

  it('keeps every one of many versions saved at the same moment', { tags: ['services'] }, async () => {
    const { api, project } = await fresh()
    const id = await newArticle(api, project, { content: '<p>0</p>' })
    const contents = Array.from({ length: 8 }, (_, n) => `<p>${n + 1}</p>`)
    const answers = await Promise.all(contents.map((content) => api.put(`/articles/${id}`, { content })))
    expect(answers.map(({ status }) => status)).toEqual(contents.map(() => 200))
    const { body } = await api.get(`/articles/${id}`)
    const kept = (await revisionsOf(id)).map(({ content }) => content)
    expect([...kept, body.Content].sort()).toEqual(['<p>0</p>', ...contents].sort())
    expect(body.Revision).toBe(contents.length + 1)
  })
})

describe('the slug', () => {
  it('follows the keyword, stays unique, and comes back in the answer', async () => {
    const { api, project } = await fresh()
    await newArticle(api, project, { keyword: 'taken words' })
    const id = await newArticle(api, project, { keyword: 'first words' })
    const { body } = await api.put(`/articles/${id}`, { keyword: 'Taken Words' })
    expect(body).toMatchObject({ slug: 'taken-words-2', updated_fields: ['keyword'] })
    expect((await api.put(`/articles/${id}`, { keyword: 'taken words' })).body.slug).toBe('taken-words-2')
    expect((await api.put(`/articles/${id}`, { title: 'Another title' })).body).not.toHaveProperty('slug')
    expect((await api.get(`/articles/${id}`)).body.Slug).toBe('taken-words-2')
  })

  it('from the caller overrides the keyword until it is cleared', async () => {
    const { api, project } = await fresh()
    await newArticle(api, project, { keyword: 'taken words' })
    const id = await newArticle(api, project, { keyword: 'first words' })
    const { body } = await api.put(`/articles/${id}`, { keyword: 'second words', slug: 'Taken words' })
    expect(body).toMatchObject({ slug: 'taken-words-2', updated_fields: ['keyword', 'slug'] })
    expect((await api.put(`/articles/${id}`, { keyword: 'third words' })).body).not.toHaveProperty('slug')
    expect((await api.get(`/articles/${id}`)).body).toMatchObject({ Slug: 'taken-words-2', MainKeyword: 'third words' })
    expect((await api.put(`/articles/${id}`, { slug: '🦊' })).body).toMatchObject({ details: [{ field: 'slug' }] })
    const cleared = await api.put(`/articles/${id}`, { keyword: 'fourth words', slug: '' })
    expect(cleared.body.slug).toBe('fourth-words')
  })

  it('is never given twice, however many articles take one keyword at the same moment', {
    tags: ['services'],
  }, async () => {
    const { api, project } = await fresh()
    const ids = await Promise.all([1, 2, 3, 4].map(() => newArticle(api, project)))
    const answers = await Promise.all(ids.map((id) => api.put(`/articles/${id}`, { keyword: 'one keyword' })))
    for (const { status, body } of answers) {
      expect([200, 409]).toContain(status)
      if (status === 409) expect(body).toMatchObject({ code: 'edit_conflict', retryable: true })
    }
    const rows = await rowsIn<{ slug: string }>(stack, sql`select slug from articles where project_id = ${project}`)
    expect(new Set(rows.map(({ slug }) => slug)).size).toBe(4)
    expect(rows.filter(({ slug }) => slug.startsWith('one-keyword'))).toHaveLength(
      answers.filter(({ status }) => status === 200).length,
    )
  })
})

describe('a published article', () => {
  it('is refused with 400 that names sync, whatever is sent', async () => {
    const { api, project } = await fresh()
    await connectReceiver(api, project, stack.receiverUrl, stack.receiverToken)
    const id = await publishedArticle(api, project, { keyword: 'live words' })
    const { body: before } = await api.get(`/articles/${id}`)
    const kept = await revisionsOf(id)
    for (const sent of [
      { content: LONG },
      { title: 'x' },
      { keyword: 'other' },
      { status: 'Draft' },
      { scheduled_date: null },
    ]) {
      const { status, body } = await api.put(`/articles/${id}`, sent)
      expect([sent, status]).toEqual([sent, 400])
      expect(body).toMatchObject({
        error: 'published_article',
        code: 'published_article',
        message: expect.stringContaining('sync'),
        next_calls: [{ method: 'POST', path: `/articles/${id}/sync`, why: expect.any(String) }],
      })
    }
    const { Receipt: _, UpdatedAt: __, ...same } = before
    expect((await api.get(`/articles/${id}`)).body).toMatchObject(same)
    expect(await revisionsOf(id)).toEqual(kept)
  })
})

describe('PUT /articles/:id refuses', () => {
  it.each([
    ['an empty body', {}, 'no_fields', ['body']],
    ['only unknown fields', { colour: 'red' }, 'no_fields', ['body']],
    ['the status Published', { status: 'Published' }, 'invalid_input', ['status']],
    ['the status Generating', { status: 'Generating' }, 'invalid_input', ['status']],
    ['an empty title', { title: '' }, 'invalid_input', ['title']],
    ['an empty keyword', { keyword: ' ' }, 'invalid_input', ['keyword']],
    ['a style of its own', { article_style: 'Poem' }, 'invalid_input', ['article_style']],
    ['a post date to come', { published_at: '2091-01-01' }, 'invalid_input', ['published_at']],
    ['two wrong fields', { title: 7, tags: [7] }, 'invalid_input', ['title', 'tags.0']],
    ['an open comment', { content: '<!-- ' }, 'invalid_input', ['content']],
  ])('%s, changing nothing', async (_, sent, code, fields) => {
    const { api, project } = await fresh()
    const id = await newArticle(api, project)
    const { body: before } = await api.get(`/articles/${id}`)
    const { status, body } = await api.put(`/articles/${id}`, sent)
    expect(status).toBe(400)
    expect(body.code).toBe(code)
    expect(fieldsOf(body).map((field) => String(field).split('.')[0])).toEqual(fields.map((f) => f.split('.')[0]))
    expect((await api.get(`/articles/${id}`)).body).toEqual(before)
  })

  it('a format without content, and proposes what changes something', async () => {
    const { api, project } = await fresh()
    const { body } = await api.put(`/articles/${await newArticle(api, project)}`, { content_format: 'markdown' })
    expect([body.code, body.details]).toEqual([
      'no_fields',
      [{ field: 'body', message: 'has nothing to change', allowed: expect.not.arrayContaining(['content_format']) }],
    ])
  })

  it('an article of another account with 403, none with 404, no id with 400', async () => {
    const [{ api }, other] = await Promise.all([fresh(), fresh()])
    const id = await newArticle(other.api, other.project, { title: 'Theirs' })
    expect((await api.put(`/articles/${id}`, { title: 'Mine' })).status).toBe(403)
    expect((await api.put('/articles/2147483647', { title: 'Mine' })).status).toBe(404)
    expect((await api.put('/articles/1x', { title: 'Mine' })).status).toBe(400)
    expect((await other.api.get(`/articles/${id}`)).body.Title).toBe('Theirs')
  })

  it('an article that is being published at this moment with 409, until the lease has ended', async () => {
    const { api, project } = await fresh()
    const id = await newArticle(api, project)
    const lease = (interval: string) =>
      rowsIn(
        stack,
        sql`update articles set publish_state = 'publishing', publish_lease_until = now() + ${interval}::interval where id = ${id}`,
      )
    await lease('1 minute')
    expect(await api.put(`/articles/${id}`, { title: 'x' })).toMatchObject({
      status: 409,
      body: { error: 'publish_in_progress', retryable: true },
    })
    await lease('-1 second')
    const { status, body } = await api.put(`/articles/${id}`, { title: 'x' })
    expect(status).toBe(200)
    expect(body.message).toMatch(/how it ends is not known yet.* by itself/)
    expect(body.message).not.toContain('is a draft')
    const emptied = await api.put(`/articles/${id}`, { content: '' })
    expect(emptied.body.message).toMatch(
      /how it ends is not known yet\. An article without content is not sent.* save its/,
    )
    expect(emptied.body.message).not.toMatch(/is a draft|by itself/)
  })
})
