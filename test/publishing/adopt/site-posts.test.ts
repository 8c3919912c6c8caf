import { sql } from 'drizzle-orm'
import { afterAll, describe, expect, inject, it } from 'vitest'
import { connectReceiver, newAccount, newProject, rowsIn, tell } from '../../support/client.ts'
import { fieldsOf, manyKeys, rowsOf } from '../../support/keys.ts'
import { publishedArticle } from '../../support/story.ts'
import { adopt, startSites } from './scene.ts'

const stack = inject('stack')
const { close, ghost, openSite, write } = await startSites(stack)
afterAll(close)

describe('GET /projects/:id/site-posts', () => {
  it('lists the posts of the site, and says which of them are articles', async () => {
    const { api, project } = await openSite()
    const [first, second] = [
      await write({ title: 'The first shed' }),
      await write({ title: 'A draft', status: 'draft' }),
    ]
    const { id } = await adopt(api, project, first.id)
    const own = await publishedArticle(api, project)
    const { body } = await api.get(`/projects/${project}/site-posts`)
    const of = (post: unknown) => rowsOf(body, 'posts').find(({ post_id }) => post_id === String(post))
    expect(of(first.id)).toMatchObject({
      title: 'The first shed',
      url: first.link,
      status: 'published',
      site_status: 'publish',
      author: 'admin',
      article_id: id,
      origin: 'adopted',
    })
    expect(of(second.id)).toMatchObject({ status: 'draft', url: null, article_id: null, origin: null })
    expect(rowsOf(body, 'posts').find(({ article_id }) => article_id === own)).toMatchObject({ origin: 'own' })
    expect(body).toMatchObject({ platform: 'wordpress', hidden: 0, next_cursor: null })
  })

  it('counts the posts that the connected user cannot edit', async () => {
    await write({ title: 'Of the administrator' })
    const { api, project } = await openSite('wordpress', 'author')
    const { body } = await api.get(`/projects/${project}/site-posts`)
    expect(body.hidden).toBeGreaterThan(0)
  })

  it.each([
    [503, 503, 'provider_unavailable'],
    [401, 422, 'cms_rejected'],
  ])('is an error with the reason if the site answers %s', async (fault, status, code) => {
    const { api, project } = await openSite('ghost')
    await tell(ghost.url, '/_faults', { path: '/ghost/', status: fault, answer: { errors: [{ message: 'No.' }] } })
    const answer = await api.get(`/projects/${project}/site-posts`)
    await tell(ghost.url, '/_faults')
    expect([answer.status, answer.body.code]).toEqual([status, code])
    expect(answer.body.upstream).toMatchObject({ name: 'ghost', message: expect.stringContaining('No.') })
  })

  it('is 400 without a site, with one that has no list, and with an empty cursor', async () => {
    const account = manyKeys(stack, await newAccount(stack))
    const project = await newProject(account)
    expect((await account.get(`/projects/${project}/site-posts`)).body.code).toBe('no_cms_integration')
    await connectReceiver(account, project, stack.receiverUrl, 'a-token')
    expect((await account.get(`/projects/${project}/site-posts`)).body.code).toBe('unsupported_platform')
    expect(fieldsOf((await account.get(`/projects/${project}/site-posts?cursor=`)).body)).toEqual(['cursor'])
  })
})

describe('GET /projects/:id/site-posts?q=', () => {
  it('searches titles and addresses of the site’s pages without a CMS, and says when they were indexed', async () => {
    const account = await newAccount(stack, { plan: 'agentic' })
    const project = await newProject(account)
    const host = `https://q${project}.example`
    const at = '2026-01-02T03:04:05.000Z'
    await rowsIn(
      stack,
      sql`insert into site_pages (project_id, url, url_key, title, seen_at)
        select ${project}::int, ${host} || '/' || slug, ${host} || '/' || slug, title, ${at}::timestamptz
        from (values ('garden-sheds', 'Sheds'), ('100%_oak', 'Oak'), ('tea', '緑茶の淹れ方')) as page(slug, title)`,
    )
    const search = (q: string) => account.get(`/projects/${project}/site-posts?q=${encodeURIComponent(q)}`)
    const found = async (q: string) => rowsOf((await search(q)).body, 'posts').map(({ url }) => url)
    const { body } = await search('SHEDS garden')
    expect(body).toMatchObject({
      platform: null,
      posts: [{ post_id: null, title: 'Sheds', url: `${host}/garden-sheds`, status: 'published', article_id: null }],
      total: 1,
      indexed_at: at,
      next_cursor: null,
    })
    expect(await found('%_')).toEqual([`${host}/100%_oak`])
    expect(await found('緑茶')).toEqual([`${host}/tea`])
    expect(await found('sheds oak')).toEqual([])
    expect(fieldsOf((await account.get(`/projects/${project}/site-posts?q=x&cursor=x`)).body)).toEqual(['cursor'])
    expect(fieldsOf((await search('a b c d e f g h i j k')).body)).toEqual(['q'])
    const other = await newAccount(stack)
    expect((await other.get(`/projects/${project}/site-posts?q=x`)).status).toBe(403)
  })
})
