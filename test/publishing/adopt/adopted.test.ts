import { sql } from 'drizzle-orm'
import { afterAll, describe, expect, inject, it } from 'vitest'
import { signInAsOwner } from '../../accounts/people/browser.ts'
import { setPolicy } from '../../accounts/policy/set.ts'
import { type Api, rowsIn, tell } from '../../support/client.ts'
import { rowsOf } from '../../support/keys.ts'
import { publishedArticle } from '../../support/story.ts'
import { flush } from '../scene.ts'
import { adopt, BLOCKS, startSites } from './scene.ts'

const stack = inject('stack')
const { close, openSite, stored, wordpress, write } = await startSites(stack)
afterAll(close)

/** Approves a request as the owner of the account, and runs what follows. */
const approve = async (account: Api, project: number, approval: unknown) => {
  const { person } = await signInAsOwner(stack, account)
  await person.post(`/p/${project}/approvals/${approval}/decide`, { decision: 'approve' })
  await flush(stack, true)
}

describe('an adopted article', () => {
  const adopted = async (title: string, clauses: Parameters<typeof setPolicy>[2] = { approve_adopted: false }) => {
    const { api, project, account } = await openSite()
    await setPolicy(stack, project, clauses)
    const post = await write({ title })
    const { id } = await adopt(api, project, post.id)
    return { api, project, account, post, id }
  }

  it('is listed by its origin, and does not count for onboarding', async () => {
    const { api, project, id } = await adopted('Listed by origin')
    const ids = async (origin: string) =>
      rowsOf((await api.get(`/articles?project_id=${project}&origin=${origin}`)).body, 'articles').map(({ ID }) => ID)
    expect([await ids('adopted'), await ids('own')]).toEqual([[id], []])
    expect((await api.get(`/articles?project_id=${project}&origin=own`)).body).toHaveProperty('setup')
  })

  it('sends a new title alone, and a rollback puts the old one back', async () => {
    const { api, post, id } = await adopted('The old title')
    const { status, body } = await api.post(`/articles/${id}/sync`, { title: 'The new title' })
    expect([status, body]).toMatchObject([200, { status: 'synced', revision: 2 }])
    expect(body).not.toHaveProperty('warnings')
    expect(stored(post.id)).toMatchObject({
      title: 'The new title',
      content: BLOCKS,
      slug: post.slug,
      status: 'publish',
    })
    expect((await api.post(`/articles/${id}/rollback`)).status).toBe(200)
    expect(stored(post.id)).toMatchObject({ title: 'The old title', content: BLOCKS })
  })

  it.each([
    ['a text without a block of the site', { content: '<p>All new.</p>' }],
    ['a category', { category: 'Sheds' }],
    ['nothing', {}],
  ])('refuses to send %s, and changes nothing', async (_, edits) => {
    const { api, post, id } = await adopted('Kept as it is')
    const before = JSON.stringify(stored(post.id))
    const { status, body } = await api.post(`/articles/${id}/sync`, edits)
    expect([status, body.code]).toEqual([400, 'unsupported_for_sync'])
    expect(JSON.stringify(stored(post.id))).toBe(before)
    expect((await api.get(`/articles/${id}`)).body.Revision).toBe(1)
  })

  it('sends one changed sentence, and nothing else of the stored text changes', async () => {
    const { api, post, id } = await adopted('One sentence')
    const { body: article } = await api.get(`/articles/${id}`)
    const content = String(article.Content)
    expect(content).not.toContain('wp:')
    const { status, body, text } = await api.post(`/articles/${id}/sync`, {
      content: content.replace('thirty years', 'forty years'),
    })
    expect([status, body], text).toMatchObject([200, { status: 'synced', revision: 2 }])
    expect(body).not.toHaveProperty('warnings')
    expect(stored(post.id)).toMatchObject({
      title: 'One sentence',
      content: BLOCKS.replace('thirty years', 'forty years'),
    })
    // WordPress keeps the text as it was found.
    expect(stored(post.id)?.revisions.map((revision) => revision.content)).toEqual([
      BLOCKS,
      BLOCKS.replace('thirty years', 'forty years'),
    ])
    expect((await api.post(`/articles/${id}/rollback`)).status).toBe(200)
    expect(stored(post.id)?.content).toBe(BLOCKS)
    // What was rolled back is a text that the service knows, so it is no change of somebody else.
    const again = await api.post(`/articles/${id}/sync`, { content: content.replace('thirty years', 'fifty years') })
    expect([again.status, stored(post.id)?.content], again.text).toEqual([
      200,
      BLOCKS.replace('thirty years', 'fifty years'),
    ])
  })

  const BOX = '<!-- wp:acme/box -->\n<div>Open from 9 to 5.</div>\n<!-- /wp:acme/box -->'
  const withBox = async (title: string) => {
    const { api, project } = await openSite()
    await setPolicy(stack, project, { approve_adopted: false })
    const post = await write({ title, content: `${BLOCKS}\n\n${BOX}` })
    const { id } = await adopt(api, project, post.id)
    return { api, project, post, id, content: String((await api.get(`/articles/${id}`)).body.Content) }
  }

  it('is not sent for a change in the preview of a kept block alone, and the answer names the block', async () => {
    const { api, post, id, content } = await withBox('Only the preview')
    const before = JSON.stringify(stored(post.id))
    const { status, body } = await api.post(`/articles/${id}/sync`, { content: content.replace('9 to 5', '9 to 6') })
    expect([status, body]).toMatchObject([
      400,
      {
        error: 'unsupported_for_sync',
        message: expect.stringMatching(/preview of blocks .*Nothing was saved or sent/),
        parts: [{ id: /data-kept="([^"]+)" data-label="[^"]*"><div>Open/.exec(content)?.[1] }],
      },
    ])
    expect(JSON.stringify(stored(post.id))).toBe(before)
    expect((await api.get(`/articles/${id}`)).body).toMatchObject({ Revision: 1, Content: content })
    const sent = await rowsIn(stack, sql`select id from deliveries where article_id = ${id}::int`)
    expect(sent).toEqual([])
    const looks = await api.post(`/articles/${id}/sync`, { content: content.replace('<p>', '<p class="wide">') })
    expect([looks.status, looks.body.message]).toEqual([400, expect.stringContaining('show the same text')])
  })

  it('keeps the preview of a kept block beside another change, and says so', async () => {
    const { api, post, id, content } = await withBox('A preview and a sentence')
    const wanted = content.replace('thirty', 'forty')
    const { status, body } = await api.post(`/articles/${id}/sync`, { content: wanted.replace('9 to 5', '9 to 6') })
    expect([status, body]).toMatchObject([200, { status: 'synced', warnings: [expect.stringContaining('preview')] }])
    expect(stored(post.id)?.content).toBe(`${BLOCKS.replace('thirty', 'forty')}\n\n${BOX}`)
    expect((await api.get(`/articles/${id}`)).body.Content).toBe(wanted)
    const title = await api.post(`/articles/${id}/sync`, { title: 'New', content: wanted.replace('9 to 5', '9 to 6') })
    expect([title.status, title.body]).toMatchObject([200, { revision: 3, warnings: [expect.any(String)] }])
    expect(stored(post.id)?.title).toBe('New')
    // An element without its preview stands for the block.
    const bare = wanted.replace('forty', 'fifty').replace('<div>Open from 9 to 5.</div>', '')
    const short = await api.post(`/articles/${id}/sync`, { content: bare })
    expect([short.status, short.body.warnings], short.text).toEqual([200, undefined])
    expect((await api.get(`/articles/${id}`)).body.Content).toBe(wanted.replace('forty', 'fifty'))
  })

  it('loses a kept block that the caller removes', async () => {
    const { api, post, id, content } = await withBox('Without the box')
    const removed = content.replace(/(data-kept="[^"]+") data-label="[^"]*"><div>Open/, '$1 data-remove><div>Open')
    const { status, text } = await api.post(`/articles/${id}/sync`, { content: removed })
    expect([status, stored(post.id)?.content.includes('acme/box')], text).toEqual([200, false])
  })

  it('is not changed while its public page cannot be read, or once a page builder draws it', async () => {
    const { api, post, id, content } = await withBox('Taken over')
    const before = JSON.stringify(stored(post.id))
    const path = new URL(post.link).pathname
    const send = () => api.post(`/articles/${id}/sync`, { content: content.replace('thirty', 'forty') })
    await tell(wordpress.url, '/_faults', { path, status: 503 })
    const unread = await send()
    await tell(wordpress.url, '/_faults', { path, status: 200, answer: '<i data-elementor-type="wp-post"></i>' })
    const drawn = await send()
    await tell(wordpress.url, '/_faults')
    expect([unread.status, unread.body.retryable]).toEqual([503, true])
    expect([drawn.status, drawn.body.message]).toEqual([400, expect.stringContaining('Elementor')])
    expect(JSON.stringify(stored(post.id))).toBe(before)
    expect((await send()).status).toBe(200)
  })

  it('is not changed over a change of somebody at the site, which the refusal has', async () => {
    const { api, post, id } = await adopted('Changed by somebody')
    const content = String((await api.get(`/articles/${id}`)).body.Content)
    const row = stored(post.id)
    if (row) row.content = BLOCKS.replace('thirty years', 'thirty-one years')
    const { status, body } = await api.post(`/articles/${id}/sync`, {
      content: content.replace('old shed', 'new shed'),
    })
    expect([status, body]).toMatchObject([
      409,
      { error: 'changed_at_site', parts: [{ text: 'The old shed stood for thirty-one years.' }] },
    ])
    expect(stored(post.id)?.content).toBe(BLOCKS.replace('thirty years', 'thirty-one years'))
    expect((await api.get(`/articles/${id}`)).body.Revision).toBe(1)
    const merged = content.replace('old shed', 'new shed').replace('thirty years', 'thirty-one years')
    expect((await api.post(`/articles/${id}/sync`, { content: merged })).status).toBe(200)
    expect(stored(post.id)?.content).toBe(
      BLOCKS.replace('thirty years', 'thirty-one years').replace('old shed', 'new shed'),
    )
  })

  it('is not changed if somebody changed the post between the read and the write', async () => {
    const { api, account, project, post, id } = await adopted('In between', {})
    const content = String((await api.get(`/articles/${id}`)).body.Content)
    const asked = await api.post(`/articles/${id}/sync`, { content: content.replace('old shed', 'new shed') })
    expect(asked.status).toBe(202)
    const theirs = BLOCKS.replace('thirty years', 'thirty-one years')
    const row = stored(post.id)
    if (row) row.content = theirs
    await approve(account, project, asked.body.approval_id)
    expect(stored(post.id)?.content).toBe(theirs)
    expect((await api.get(`/articles/${id}`)).body).toMatchObject({
      PublishState: 'failed',
      PublishError: expect.stringContaining('thirty-one years'),
    })
  })

  it('is not changed if WordPress would filter the text of this user', async () => {
    const { api, project } = await openSite('wordpress', 'author')
    await setPolicy(stack, project, { approve_adopted: false })
    const frame = '<!-- wp:html -->\n<iframe src="https://shed.example/plan"></iframe>\n<!-- /wp:html -->'
    const post = await write({ title: 'With a frame', content: `${BLOCKS}\n\n${frame}`, author: 2 })
    const { id } = await adopt(api, project, post.id)
    const content = String((await api.get(`/articles/${id}`)).body.Content)
    const { status, text } = await api.post(`/articles/${id}/sync`, { content: content.replace('thirty', 'forty') })
    expect([status, text]).toEqual([502, expect.stringContaining('may not post unfiltered HTML')])
    expect(stored(post.id)?.content).toBe(`${BLOCKS}\n\n${frame}`)
  })

  it('of a page builder keeps its text', async () => {
    const { api, project } = await openSite()
    const post = await write({ title: 'Built again', test_meta: { _elementor_edit_mode: 'builder' } })
    const { id } = await adopt(api, project, post.id)
    const { status, body } = await api.post(`/articles/${id}/sync`, { content: '<p>Mine.</p>' })
    expect([status, body]).toMatchObject([
      400,
      { error: 'unsupported_for_sync', message: expect.stringContaining('Elementor') },
    ])
  })

  it('asks for an approval of each change unless the policy turns that off, and sends it then', async () => {
    const { api, account, project, post, id } = await adopted('Before the approval', {})
    const asked = await api.post(`/articles/${id}/sync`, { title: 'After the approval' })
    expect([asked.status, asked.body]).toMatchObject([202, { status: 'awaiting_approval' }])
    expect(stored(post.id)?.title).toBe('Before the approval')
    expect((await api.get(`/articles/${id}`)).body.PublishState).toBe('awaiting_approval')
    await approve(account, project, asked.body.approval_id)
    expect(stored(post.id)).toMatchObject({ title: 'After the approval', content: BLOCKS, excerpt: 'How it began.' })
    expect((await api.get(`/articles/${id}`)).body).toMatchObject({ PublishState: 'idle', Title: 'After the approval' })
  })

  it('needs an approval to be taken down, and goes up again with its text untouched', async () => {
    const { api, account, project, post, id } = await adopted('Stays up')
    const asked = await api.post(`/articles/${id}/unpublish`)
    expect([asked.status, asked.body]).toMatchObject([
      202,
      { status: 'awaiting_approval', approval_id: expect.any(Number) },
    ])
    expect(stored(post.id)?.status).toBe('publish')
    expect((await api.get(`/approvals/${String(asked.body.approval_id)}`)).body).toMatchObject({
      approval: { kind: 'unpublish', article_id: id, proposed: { title: 'Stays up' } },
    })
    await approve(account, project, asked.body.approval_id)
    expect(stored(post.id)).toMatchObject({ status: 'draft', content: BLOCKS })
    expect((await api.get(`/articles/${id}`)).body).toMatchObject({ Status: 'Draft', origin: 'adopted' })
    await setPolicy(stack, project, { approve_adopted: false })
    const again = await api.post(`/articles/${id}/publish`)
    expect([again.status, again.body]).toMatchObject([200, { status: 'published', url: post.link }])
    expect(stored(post.id)).toMatchObject({ status: 'publish', content: BLOCKS, title: 'Stays up', slug: post.slug })
  })

  it('is forgotten by a release, which leaves the site untouched and lets the post be adopted again', async () => {
    const { api, project, post, id } = await adopted('Released')
    const before = JSON.stringify(stored(post.id))
    const { status, body } = await api.post(`/articles/${id}/release`)
    expect([status, body]).toMatchObject([200, { status: 'released', article_id: id, url: post.link }])
    expect((await api.get(`/articles/${id}`)).status).toBe(404)
    expect(JSON.stringify(stored(post.id))).toBe(before)
    expect((await adopt(api, project, post.id)).status).toBe(201)
  })

  it('is forgotten by an undo of its adoption', async () => {
    const { api, project, account } = await openSite()
    const post = await write({ title: 'Adopted by mistake' })
    const adoption = await account.post('/articles/adopt', { project_id: project, post_id: String(post.id) })
    const { body } = await account.post('/undo', { request_id: adoption.headers.get('x-request-id') })
    expect(rowsOf(body, 'entries')).toMatchObject([
      { result: 'undone', message: expect.stringContaining('stays at the site') },
    ])
    expect((await api.get(`/articles/${String(adoption.body.article_id)}`)).status).toBe(404)
    expect(stored(post.id)?.status).toBe('publish')
  })

  it('of the service’s own making is not released', async () => {
    const { api, project } = await openSite()
    const id = await publishedArticle(api, project)
    expect((await api.post(`/articles/${id}/release`)).body.code).toBe('not_adopted')
  })
})
