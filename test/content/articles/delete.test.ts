import { sql } from 'drizzle-orm'
import { describe, expect, inject, it } from 'vitest'
import { connectReceiver, newAccount, newArticle, newProject, rowsIn } from '../../support/client.ts'
import { publishedArticle } from '../../support/story.ts'

const stack = inject('stack')

const fresh = async () => {
  const api = await newAccount(stack)
  return { api, project: await newProject(api) }
}

describe('DELETE /articles/:id', () => {
  it.each(['Draft', 'Planned'])('removes a %s article and its revisions', async (status) => {
    const { api, project } = await fresh()
    const id = await newArticle(api, project, { status })
    await api.put(`/articles/${id}`, { content: '<p>Second</p>' })
    const { status: code, body } = await api.del(`/articles/${id}`)
    expect(code).toBe(200)
    expect(body).toEqual({ article_id: id, deleted: true, message: expect.any(String) })
    expect((await api.get(`/articles/${id}`)).status).toBe(404)
    expect((await api.get('/articles')).body.count).toBe(0)
    expect(await rowsIn(stack, sql`select id from article_revisions where article_id = ${id}`)).toEqual([])
    expect((await api.del(`/articles/${id}`)).status).toBe(404)
  })

  it('frees the slug', async () => {
    const { api, project } = await fresh()
    const id = await newArticle(api, project, { keyword: 'one of a kind' })
    await api.del(`/articles/${id}`)
    const { body } = await api.post('/articles', { project_id: project, keyword: 'one of a kind' })
    expect(body.slug).toBe('one-of-a-kind')
  })

  it('refuses a published article with 400 and leaves it', async () => {
    const { api, project } = await fresh()
    await connectReceiver(api, project, stack.receiverUrl, stack.receiverToken)
    const id = await publishedArticle(api, project)
    const { status, body } = await api.del(`/articles/${id}`)
    expect(status).toBe(400)
    expect(body).toMatchObject({ error: 'published_article', code: 'published_article', retryable: false })
    expect((await api.get(`/articles/${id}`)).body.Status).toBe('Published')
  })

  it('refuses an article the writer has, and one being published', async () => {
    const { api, project } = await fresh()
    const written = await newArticle(api, project, { status: 'Planned' })
    await rowsIn(stack, sql`update articles set writing_started_at = now() where id = ${written}`)
    expect(await api.del(`/articles/${written}`)).toMatchObject({
      status: 409,
      body: { error: 'already_being_written', message: expect.stringContaining('finished, then delete it') },
    })
    const leaving = await newArticle(api, project)
    await rowsIn(
      stack,
      sql`update articles set publish_state = 'publishing', publish_lease_until = now() + interval '1 minute' where id = ${leaving}`,
    )
    expect(await api.del(`/articles/${leaving}`)).toMatchObject({ status: 409, body: { error: 'publish_in_progress' } })
    expect((await api.get('/articles')).body.count).toBe(2)
  })

  it('is 403 for another account, 404 if it does not exist, 400 for an invalid id', async () => {
    const [{ api }, other] = await Promise.all([fresh(), fresh()])
    const id = await newArticle(other.api, other.project)
    expect((await api.del(`/articles/${id}`)).status).toBe(403)
    expect((await other.api.get(`/articles/${id}`)).status).toBe(200)
    expect((await api.del('/articles/2147483647')).status).toBe(404)
    expect((await api.del('/articles/0')).status).toBe(400)
  })
})
