import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { type GhostStandIn, startGhost } from '../../../local/cms/ghost.ts'
import {
  type Api,
  anotherKey,
  connectReceiver,
  newAccount,
  newArticle,
  newProject,
  rowsIn,
} from '../../support/client.ts'
import { expectError } from '../../support/contract.ts'
import { manyKeys, rowsOf } from '../../support/keys.ts'
import { publishedArticle } from '../../support/story.ts'
import { cron, flush, heal, openScene } from '../scene.ts'

const stack = inject('stack')
let ghost: GhostStandIn

beforeAll(async () => {
  ghost = await startGhost()
})
afterAll(() => ghost.close())

type Undone = { dry_run?: boolean; action: string; result: string; message: string; article_id: number | null }
const told = (body: Record<string, unknown>) =>
  (body.entries as Undone[]).map(({ action, result }) => `${action} ${result}`)

/**
 * Returns an account with a project. `agent` is the key whose changes are undone; `owner` has enough keys for
 * everything else.
 */
const open = async () => {
  const first = await newAccount(stack)
  const owner = manyKeys(stack, first)
  const project = await newProject(owner)
  const agent = await anotherKey(stack, first)
  const since = '2020-01-01'
  const [row] = await rowsIn<{ id: number }>(
    stack,
    sql`select max(id) as id from api_keys where account_id = ${first.accountId}::int and name = 'another'`,
  )
  const keyId = Number(row?.id)
  const undo = (by: Api, more: Record<string, unknown> = {}) => by.post('/undo', { key_id: keyId, since, ...more })
  return { first, owner, project, agent, keyId, undo }
}

const onGhost = async (owner: Api, project: number) => {
  const { status, text } = await owner.post(`/projects/${project}/integrations`, {
    platform: 'ghost',
    api_url: ghost.url,
    admin_api_key: ghost.key,
  })
  expect(status, text).toBe(201)
}

const postOf = (slug: unknown) => ghost.posts().find((post) => post.slug === slug)

describe('POST /undo', () => {
  it('puts drafts back, deletes those the key made, and lists the same with dry_run first', async () => {
    const { owner, project, agent, undo } = await open()
    const kept = await newArticle(owner, project, { title: 'As it was', tags: ['one'], category: 'Sheds' })
    const planned = await newArticle(owner, project, { title: 'Not planned' })
    const made = await newArticle(agent, project)
    const first = await agent.put(`/articles/${kept}`, { title: 'First change', tags: ['two'] })
    expect(first.status, first.text).toBe(200)
    await agent.put(`/articles/${kept}`, { title: 'Second change', content: '<p>Other words.</p>', category: '' })
    await agent.put(`/articles/${planned}`, { status: 'Planned', scheduled_date: '2031-05-06T10:00' })
    const before = (await owner.get(`/articles/${kept}`)).body
    const dry = await undo(agent, { dry_run: true })
    const entries = ['article.update undone', 'article.update undone', 'article.update undone', 'article.create undone']
    expect([dry.status, told(dry.body)]).toEqual([200, entries])
    expect(dry.body).toMatchObject({ dry_run: true, count: 4, undone: 4, not_undone: 0, before_id: null })
    expect((await owner.get(`/articles/${kept}`)).body).toEqual(before)
    const done = await undo(agent)
    expect([done.status, told(done.body)]).toEqual([200, entries])
    expect(done.body.dry_run).toBe(false)
    expect((await owner.get(`/articles/${kept}`)).body).toMatchObject({
      Title: 'As it was',
      Tags: ['one'],
      Category: 'Sheds',
      Content: expect.stringContaining('worth reading'),
    })
    expect((await owner.get(`/articles/${planned}`)).body).toMatchObject({ Status: 'Draft', ScheduledAt: null })
    expect((await owner.get(`/articles/${made}`)).status).toBe(404)
    // Repeated, it finds everything done and changes nothing.
    const after = (await owner.get(`/articles/${kept}`)).body
    const again = await undo(agent)
    expect([told(again.body), again.body.undone]).toEqual([entries, 4])
    expect((await owner.get(`/articles/${kept}`)).body).toEqual(after)
  })

  it('names the fields that each change has back, with their values, and those whose earlier value is not stored', async () => {
    const { owner, project, agent, undo } = await open()
    const dated = await newArticle(owner, project, { title: 'Dated' })
    const worded = await newArticle(owner, project, { title: 'As it was', tags: ['one', 'two'], category: '' })
    const told = await newArticle(owner, project, { title: 'Told' })
    await agent.put(`/articles/${dated}`, { status: 'Planned', scheduled_date: '2031-05-06T10:00' })
    await agent.put(`/articles/${worded}`, { title: 'Changed', tags: [], category: 'Sheds', instructions: 'Be brief.' })
    await agent.put(`/articles/${worded}`, { tags: ['three'] })
    await agent.put(`/articles/${told}`, { instructions: 'Be brief.' })
    const expected = [
      {
        result: 'not_undone',
        message: 'Earlier values of instructions are not stored, so the present ones stay.',
      },
      { result: 'undone', message: 'Restored: tags (one, two).', restored: ['tags'] },
      {
        result: 'undone',
        message:
          'Restored: title, category (none), tags (one, two). Earlier values of instructions are not stored, so the present ones stay.',
        restored: ['title', 'category', 'tags'],
      },
      {
        result: 'undone',
        message: 'Restored: status (Draft), scheduled_date (none).',
        restored: ['status', 'scheduled_date'],
      },
    ]
    expect((await undo(agent, { dry_run: true })).body.entries).toMatchObject(expected)
    const done = (await undo(agent)).body
    expect(done).toMatchObject({ entries: expected, undone: 3, not_undone: 1 })
    expect((await owner.get(`/articles/${worded}`)).body).toMatchObject({ Title: 'As it was', Tags: ['one', 'two'] })
    expect((await owner.get(`/articles/${told}`)).body).toMatchObject({ Instructions: 'Be brief.' })
  })

  it('unpublishes posts and sends earlier versions of synced articles, if the site supports it', async () => {
    const { owner, project, agent, undo } = await open()
    await onGhost(owner, project)
    const synced = await publishedArticle(owner, project, { title: 'Live as it was', tags: ['one'] })
    const published = await newArticle(owner, project, { title: 'A draft of the owner' })
    expect((await agent.post(`/articles/${synced}/sync`, { title: 'Synced once', tags: ['two'] })).status).toBe(200)
    expect((await agent.post(`/articles/${synced}/sync`, { content: '<p>Synced twice.</p>' })).status).toBe(200)
    expect((await agent.post(`/articles/${published}/publish`)).status).toBe(200)
    const slugs = await Promise.all(
      [synced, published].map(async (id) => (await owner.get(`/articles/${id}`)).body.Slug),
    )
    expect(postOf(slugs[0])).toMatchObject({ title: 'Synced once' })
    const done = await undo(agent)
    expect([done.status, told(done.body)]).toEqual([
      200,
      ['article.publish undone', 'article.sync undone', 'article.sync undone'],
    ])
    expect(done.body.entries).toMatchObject([
      {},
      ...Array(2).fill({ restored: expect.arrayContaining(['title', 'tags']) }),
    ])
    expect(postOf(slugs[1])).toMatchObject({ status: 'draft' })
    expect(postOf(slugs[0])).toMatchObject({ status: 'published', title: 'Live as it was' })
    expect(postOf(slugs[0])?.html).toContain('worth reading')
    expect((await owner.get(`/articles/${synced}`)).body).toMatchObject({
      Status: 'Published',
      PublishState: 'idle',
      Title: 'Live as it was',
      Tags: ['one'],
    })
    expect((await owner.get(`/articles/${published}`)).body).toMatchObject({ Status: 'Draft' })
  })

  it('says why a publication at a webhook stays, and what to do instead; a sync there is sent back', async () => {
    const { owner, project, agent, undo } = await open()
    await connectReceiver(owner, project, stack.receiverUrl, stack.receiverToken)
    const id = await publishedArticle(agent, project, { title: 'To the webhook' })
    expect((await agent.post(`/articles/${id}/sync`, { title: 'Changed at the webhook' })).status).toBe(200)
    const done = await undo(agent)
    expect(told(done.body)).toEqual(['article.sync undone', 'article.publish not_undone', 'article.create not_undone'])
    expect(rowsOf(done.body, 'entries')[1]).toMatchObject({
      article_id: id,
      message: expect.stringContaining('webhook'),
      next_calls: [{ method: 'POST', path: `/articles/${id}/detach` }],
    })
    expect((await owner.get(`/articles/${id}`)).body).toMatchObject({ Status: 'Published', Title: 'To the webhook' })
  })

  it('restores what was synced after a publication that it unpublishes', async () => {
    const { owner, project, agent, undo } = await open()
    await onGhost(owner, project)
    const id = await newArticle(owner, project, { title: 'As it was', tags: ['one'], category: 'Sheds' })
    expect((await agent.post(`/articles/${id}/publish`)).status).toBe(200)
    expect((await agent.post(`/articles/${id}/sync`, { title: 'Synced', tags: ['two'] })).status).toBe(200)
    const done = await undo(agent)
    expect(told(done.body)).toEqual(['article.sync undone', 'article.publish undone'])
    expect((await owner.get(`/articles/${id}`)).body).toMatchObject({
      Status: 'Draft',
      Title: 'As it was',
      Tags: ['one'],
      Category: 'Sheds',
    })
    expect(told((await undo(agent)).body)).toEqual(['article.sync undone', 'article.publish undone'])
  })

  it('says before and after that a repeated text at a webhook has no earlier version', async () => {
    const { owner, project, agent, undo } = await open()
    await connectReceiver(owner, project, stack.receiverUrl, stack.receiverToken)
    const id = await publishedArticle(owner, project)
    expect((await agent.post(`/articles/${id}/sync`)).status).toBe(200)
    const answers = [await undo(agent, { dry_run: true }), await undo(agent)]
    for (const { body } of answers)
      expect(body.entries).toMatchObject([
        { action: 'article.sync', result: 'not_undone', message: expect.stringContaining('no longer stored') },
      ])
  })

  it('stops at a later change by another person', async () => {
    const { owner, project, agent, undo } = await open()
    const id = await newArticle(agent, project, { title: 'Made by the key' })
    await agent.put(`/articles/${id}`, { title: 'Changed by the key' })
    await owner.put(`/articles/${id}`, { title: 'Changed by the owner' })
    await agent.put(`/articles/${id}`, { title: 'Changed by the key again' })
    const done = await undo(agent)
    expect(told(done.body)).toEqual(['article.update undone', 'article.update not_undone', 'article.create not_undone'])
    expect(rowsOf(done.body, 'entries')[1]?.message).toContain('changed since by the key')
    expect((await owner.get(`/articles/${id}`)).body.Title).toBe('Changed by the owner')
  })

  it('undoes one request, by the id of its answer', async () => {
    const { owner, project, agent } = await open()
    const id = await newArticle(owner, project, { title: 'As it was' })
    await agent.put(`/articles/${id}`, { title: 'One' })
    const request = (await agent.put(`/articles/${id}`, { title: 'Two' })).headers.get('x-request-id')
    const done = await agent.post('/undo', { request_id: request })
    expect([done.status, told(done.body)]).toEqual([200, ['article.update undone']])
    expect((await owner.get(`/articles/${id}`)).body.Title).toBe('One')
    const log = rowsOf((await owner.get('/audit-log?limit=2')).body, 'entries')
    expect(log[1]).toMatchObject({ action: 'article.update', request_id: request })
  })

  it('lists what the asking key caused, also if others chose the same id of a request', async () => {
    const scene = await openScene(stack, { publishing_status: 'Publish Immediately' })
    const [agent, idle] = [await anotherKey(stack, scene.api), await anotherKey(stack, scene.api)]
    const request = `chosen-${Date.now()}`
    const headers = { 'X-Request-Id': request }
    const article = (title: string) =>
      newArticle(scene.api, scene.projectId, { title, status: 'Planned', scheduled_date: '2026-01-05T09:00:00Z' })
    const due = await article('By the clock')
    // The clock's work and its publication have the id that the keys choose below.
    await rowsIn(stack, sql`update articles set due_taken_at = now() where id = ${due}::int`)
    await rowsIn(
      stack,
      sql`insert into outbox (account_id, job, key, payload, run_at, request_id)
      values (${scene.api.accountId}::int, 'publishing.publish_due', ${`publish_due:${due}`},
        ${JSON.stringify({ article_id: due, live: true })}::jsonb, now(), ${request})`,
    )
    await flush(stack, true)
    await cron(stack)
    await flush(stack, true)
    expect(await scene.article(due)).toMatchObject({ Status: 'Published' })
    const log = rowsOf((await scene.api.get('/audit-log?action=article.publish')).body, 'entries')
    expect(log).toMatchObject([{ actor: 'job:publishing.publish_due', request_id: request }])
    const made = await agent.post('/articles', { project_id: scene.projectId, keyword: 'sheds' }, { headers })
    const id = Number(made.body.article_id)
    const listed = async (by: Api, body: object) => {
      const { entries } = (await by.post('/undo', { ...body, dry_run: true })).body
      return (entries as { article_id: number }[] | undefined)?.map(({ article_id }) => article_id)
    }
    expect(await listed(agent, { request_id: request })).toEqual([id])
    expect(await listed(agent, { since: '2020-01-01' })).toEqual([id])
    expectError(await idle.post('/undo', { request_id: request }), 'key_may_not')
    await idle.get('/projects', { headers })
    expect(await listed(idle, { since: '2020-01-01' })).toEqual([])
    const admin = await anotherKey(stack, scene.api, ['read', 'write', 'admin'])
    expect(await listed(admin, { request_id: request })).toEqual([id])
    await idle.post('/articles', { project_id: scene.projectId, keyword: 'roofs' }, { headers })
    const unclear = await admin.post('/undo', { request_id: request })
    expectError(unclear, 'invalid_input')
    const [{ allowed }] = unclear.body.details as [{ allowed: string[] }]
    expect(await listed(admin, { request_id: request, key_id: Number(allowed[0]) })).toHaveLength(1)
    await scene.receiver.close()
  })

  it('counts a retry as caused by the key that published, and the article that the clock sends after it as caused by nobody', async () => {
    const scene = await openScene(stack, { publishing_status: 'Publish Immediately' })
    const agent = await anotherKey(stack, scene.api)
    const id = await newArticle(scene.api, scene.projectId)
    await scene.mood({ mode: 'down', times: 1 })
    await agent.post(`/articles/${id}/publish`)
    const planned = await newArticle(scene.api, scene.projectId, {
      status: 'Planned',
      scheduled_date: '2026-01-05T09:00:00Z',
    })
    await heal(scene)
    expect(await scene.article(planned)).toMatchObject({ Status: 'Published' })
    const { body } = await agent.post('/undo', { since: '2020-01-01', dry_run: true })
    expect(body.entries).toMatchObject([{ action: 'article.publish', article_id: id }])
    await scene.receiver.close()
  })

  it('removes unpublished posts, and pages through older changes', async () => {
    const { owner, project, agent, undo } = await open()
    await owner.post('/social/accounts', { project_id: project, platform: 'x' })
    await rowsIn(
      stack,
      sql`insert into social_posts (account_id, project_id, platform, route, social_account_id, content, status, send_key)
        select account_id, id, 'x', 'provider', 'acc', 'A post', s, 'undo-' || id || s from projects, unnest(array['draft', 'published']) s where id = ${project}::int`,
    )
    const posts = await rowsIn<{ id: number }>(
      stack,
      sql`select id from social_posts where project_id = ${project}::int order by status`,
    )
    for (const { id } of posts)
      await rowsIn(
        stack,
        sql`insert into audit_log (account_id, actor, action, subject, detail) select account_id, 'key:' || max(id), 'social.draft', ${`social_post:${id}`}, '{"platform": "x"}'::jsonb
          from api_keys where name = 'another' and account_id = ${agent.accountId}::int group by account_id`,
      )
    const first = await undo(agent, { limit: 1 })
    expect([told(first.body), first.body.limit]).toEqual([['social.draft not_undone'], 1])
    const second = await undo(agent, { limit: 1, before_id: first.body.before_id })
    expect([told(second.body), second.body.before_id]).toEqual([['social.draft undone'], null])
    const left = await rowsIn(stack, sql`select status from social_posts where project_id = ${project}::int`)
    expect(left).toEqual([{ status: 'published' }])
  })

  it('is for the key itself, or for a key with admin; never for another account', async () => {
    const { first, owner, project, agent, keyId, undo } = await open()
    await newArticle(agent, project)
    expectError(await undo(owner), 'key_may_not')
    const admin = await anotherKey(stack, first, ['read', 'write', 'admin'])
    expect((await undo(admin, { dry_run: true })).body).toMatchObject({ undone: 1 })
    const other = await newAccount(stack, {}, ['read', 'write'])
    expectError(await undo(other), 'forbidden')
    expect((await agent.post('/undo', { since: '2020-01-01', dry_run: true })).body).toMatchObject({ undone: 1 })
    expectError(await owner.post('/undo', { key_id: 2_147_483_647, since: '2020-01-01' }), 'not_found')
    expectError(await owner.post('/undo', { request_id: 'no-such-request' }), 'not_found')
    for (const body of [{ dry_run: true }, { key_id: keyId }])
      expectError(await owner.post('/undo', body), 'invalid_input')
    const drafts = await anotherKey(stack, first, ['read', 'draft'])
    expectError(await undo(drafts), 'key_may_not')
  })

  it('two simultaneous calls undo nothing twice', { tags: ['services'] }, async () => {
    const { owner, project, agent, undo, first } = await open()
    const admin = await anotherKey(stack, first, ['read', 'write', 'admin'])
    await connectReceiver(owner, project, stack.receiverUrl, stack.receiverToken)
    const id = await newArticle(owner, project, { title: 'As it was' })
    await owner.post(`/articles/${id}/publish`)
    await agent.post(`/articles/${id}/sync`, { title: 'Changed' })
    const sent = async () => (await rowsIn(stack, sql`select id from deliveries where article_id = ${id}::int`)).length
    const before = await sent()
    const answers = await Promise.all([undo(agent), undo(admin), undo(agent), undo(admin)])
    expect(await sent()).toBe(before + 1)
    for (const { status, body } of answers)
      expect(status === 409 ? body.code : told(body)).toEqual(
        status === 409 ? 'edit_conflict' : ['article.sync undone'],
      )
    expect((await owner.get(`/articles/${id}`)).body.Title).toBe('As it was')
  })
})
