import { sql } from 'drizzle-orm'
import { describe, expect, inject, it } from 'vitest'
import { type Api, newAccount, newArticle, newProject, rowsIn } from '../../support/client.ts'
import { manyKeys } from '../../support/keys.ts'

const stack = inject('stack')
const LONG = `<p>${'word '.repeat(400)}</p>`

type Row = { revision: number; title: string; content_length: number; saved_at: string; current: boolean }

const fresh = async () => {
  const api = manyKeys(stack, await newAccount(stack))
  return { api, project: await newProject(api) }
}

const revisionsOf = async (api: Api, id: number, query = '') => {
  const { body } = await api.get(`/articles/${id}/revisions${query}`)
  return { body, rows: body.revisions as Row[] }
}

/** Returns an article of three versions: `One`, `Two`, `Three`. */
const threeVersions = async (fields: Record<string, unknown> = {}) => {
  const { api, project } = await fresh()
  const id = await newArticle(api, project, {
    title: 'One',
    meta_description: 'First words.',
    content: '<p>One</p>',
    ...fields,
  })
  await api.put(`/articles/${id}`, { title: 'Two', content: '<p>Two, é</p>' })
  await api.put(`/articles/${id}`, { title: 'Three', meta_description: 'Third words.', content: '<p>Three</p>' })
  return { api, id }
}

describe('GET /articles/:id/revisions', () => {
  it('lists every version, newest first, the current one included', async () => {
    const { api, id } = await threeVersions()
    const { body, rows } = await revisionsOf(api, id)
    expect(body).toMatchObject({ article_id: id, count: 3, limit: 50, offset: 0, next_offset: null, before_id: null })
    expect(
      rows.map(({ revision, title, content_length, current }) => [revision, title, content_length, current]),
    ).toEqual([
      [3, 'Three', 12, true],
      [2, 'Two', 13, false],
      [1, 'One', 10, false],
    ])
    const times = rows.map(({ saved_at }) => Date.parse(saved_at))
    expect(times).toEqual([...times].sort((a, b) => b - a))
    expect(new Date(times[2] ?? 0).toISOString()).toBe((await api.get(`/articles/${id}`)).body.CreatedAt)
    for (const row of rows) expect(row).not.toHaveProperty('content')
  })

  it('pages through all versions', async () => {
    const { api, id } = await threeVersions()
    const first = await revisionsOf(api, id, '?limit=2')
    expect(first.body).toMatchObject({ count: 2, limit: 2, next_offset: 2, before_id: 2 })
    const second = await revisionsOf(api, id, '?limit=2&before_id=2')
    expect(second.body).toMatchObject({ count: 1, next_offset: null })
    expect([...first.rows, ...second.rows].map(({ revision }) => revision)).toEqual([3, 2, 1])
    expect((await revisionsOf(api, id, '?limit=2&offset=2')).rows).toMatchObject([{ revision: 1 }])
  })

  it('shows one with its content; 404 for one that never was', async () => {
    const { api, id } = await threeVersions()
    expect((await api.get(`/articles/${id}/revisions/1`)).body).toMatchObject({
      article_id: id,
      revision: 1,
      title: 'One',
      meta_description: 'First words.',
      content: '<p>One</p>',
      content_length: 10,
      current: false,
    })
    expect((await api.get(`/articles/${id}/revisions/3`)).body).toMatchObject({
      content: '<p>Three</p>',
      current: true,
    })
    const { status, body } = await api.get(`/articles/${id}/revisions/4`)
    expect([status, body.code]).toEqual([404, 'not_found'])
  })

  it.each(['0', '-1', '1.5', 'x', '2147483648'])('refuses the number %s as an id', async (revision) => {
    const { api, id } = await threeVersions()
    const { status, body } = await api.get(`/articles/${id}/revisions/${revision}`)
    expect([status, body.code]).toEqual([400, 'invalid_id'])
    expect(body.details).toMatchObject([{ field: 'revision' }])
  })

  it('belongs to the article’s account: 403 in every form', async () => {
    const { id } = await threeVersions()
    const other = await newAccount(stack)
    const calls = [
      other.get(`/articles/${id}/revisions`),
      other.get(`/articles/${id}/revisions/1`),
      other.post(`/articles/${id}/revisions/1/restore`),
    ]
    for (const { status } of await Promise.all(calls)) expect(status).toBe(403)
  })
})

describe('POST /articles/:id/revisions/:revision/restore', () => {
  it('makes the old title, description and content a new version; nothing is lost', async () => {
    const { api, id } = await threeVersions()
    const { status, body } = await api.post(`/articles/${id}/revisions/1/restore`)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      article_id: id,
      revision: 4,
      restored_from: 1,
      status: 'Draft',
      message: expect.stringContaining('restored'),
      seo: { score: expect.any(Number) },
      backlinks_processed: 0,
    })
    expect((await api.get(`/articles/${id}`)).body).toMatchObject({
      Title: 'One',
      MetaDescription: 'First words.',
      Content: '<p>One</p>',
      Revision: 4,
    })
    expect((await revisionsOf(api, id)).rows.map(({ title }) => title)).toEqual(['One', 'Three', 'Two', 'One'])
  })

  it('of the current version says that nothing was changed', async () => {
    const { api, id } = await threeVersions()
    const { status, body } = await api.post(`/articles/${id}/revisions/3/restore`)
    expect([status, body.revision, body.restored_from]).toEqual([200, 3, 3])
    expect(body.message).toBe('Revision 3 is the current one already, so nothing was changed.')
  })

  it('claims a planned article, or ends the claim with empty content, as a PUT would', async () => {
    const { api, project } = await fresh()
    const id = await newArticle(api, project, {
      status: 'Planned',
      scheduled_date: '2031-06-01T09:00:00Z',
      content: LONG,
    })
    await api.put(`/articles/${id}`, { content: '' })
    expect((await api.get(`/articles/${id}`)).body.Claimed).toBe(false)
    expect((await api.post(`/articles/${id}/revisions/1/restore`)).body).toMatchObject({
      status: 'Planned',
      claimed: true,
    })
    expect((await api.post(`/articles/${id}/revisions/2/restore`)).body).toMatchObject({ claimed: false })
    expect((await api.get(`/articles/${id}`)).body).toMatchObject({ Status: 'Planned', Claimed: false })
  })

  it.each([
    ['published', sql`status = 'Published', published_at = now()`, 400, 'published_article'],
    ['with the writer', sql`status = 'Generating'`, 409, 'already_being_written'],
    [
      'on its way',
      sql`publish_state = 'publishing', publish_lease_until = now() + interval '1 minute'`,
      409,
      'publish_in_progress',
    ],
  ])('is refused while the article is %s', async (_, change, status, code) => {
    const { api, id } = await threeVersions()
    await rowsIn(stack, sql`update articles set ${change} where id = ${id}::int`)
    const answer = await api.post(`/articles/${id}/revisions/1/restore`)
    expect([answer.status, answer.body.code]).toEqual([status, code])
    if (status === 400) expect(answer.body.next_calls).toMatchObject([{ path: `/articles/${id}/revisions/1/restore` }])
    expect((await api.get(`/articles/${id}`)).body).toMatchObject({ Title: 'Three', Revision: 3 })
    expect((await api.post(`/articles/${id}/revisions/9/restore`)).status).toBe(404)
  })

  it('happens once under an Idempotency-Key', async () => {
    const { api, id } = await threeVersions()
    const headers = { 'idempotency-key': `restore-${id}` }
    const first = await api.post(`/articles/${id}/revisions/1/restore`, undefined, { headers })
    const second = await api.post(`/articles/${id}/revisions/1/restore`, undefined, { headers })
    expect(second.body).toEqual(first.body)
    expect(second.headers.get('idempotency-replayed')).toBe('true')
    expect((await api.get(`/articles/${id}`)).body.Revision).toBe(4)
  })
})
