import { createHmac } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { type GithubStandIn, startGithub } from '../../local/cms/github.ts'
import { formOn, newOwner } from '../accounts/people/browser.ts'
import { seedSearch, TEXT } from '../insights/suggestions/seed.ts'
import { ASTRO } from '../providers/cms/git/sites.ts'
import { type Api, newAccount, newArticle, newProject, rowsIn } from '../support/client.ts'
import { manyKeys } from '../support/keys.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { flush } from './scene.ts'

const stack = inject('stack')
let github: GithubStandIn

beforeAll(async () => {
  github = await startGithub({ files: ASTRO })
})
afterAll(() => github.close())

const HTML = '<h2>Why</h2><p>A shed keeps tools dry.</p><h2>How</h2><p>Build it with planks.</p>'

const connect = (api: Api, project: number) =>
  api.post(`/projects/${project}/integrations`, {
    platform: 'git',
    repository: github.name,
    token: github.token,
    api_url: github.url,
    mode: 'pull_request',
  })

const opened = async (api: Api, project: number, content = HTML) => {
  const { signing_secret: secret, events_url: events } = (await connect(api, project)).body
  const id = await newArticle(api, project, { title: `Sheds ${project}`, content })
  const answer = await api.post(`/articles/${id}/publish`)
  const article = async (): Promise<Record<string, unknown>> => (await api.get(`/articles/${id}`)).body
  const { Slug } = await article()
  const number = Number(/\d+$/.exec(String(answer.body.pull_request))?.[0])
  return {
    api,
    project,
    secret: String(secret),
    events: String(events),
    id,
    answer,
    article,
    number,
    path: `src/content/blog/${Slug}.md`,
  }
}

/** Returns an article of a new account whose pull request is open. */
const proposed = async (content = HTML) => {
  const api = manyKeys(stack, await newAccount(stack))
  return await opened(api, await newProject(api), content)
}

type Proposed = Awaited<ReturnType<typeof proposed>>

const urlOf = (number: number) => `https://github.com/jane/blog/pull/${number}`
const pullsOf = (branch: string) => github.pulls.all.filter((pull) => pull.branch === branch)
const branchOf = ({ number }: Proposed) => github.pulls.find(number).branch

const send = async (to: string, headers: Record<string, string>, body: string) => {
  const response = await fetch(`${stack.url}${new URL(to).pathname}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  })
  await response.text()
  return response.status
}

/** Sends an event as GitHub does, or as Gitea does after the branch was deleted. */
const hook = async (one: Proposed, branch: string, { secret = one.secret, to = one.events, isGitea = false } = {}) => {
  const head = isGitea ? { ref: 'refs/pull/1/head', label: branch } : { ref: branch }
  const body = JSON.stringify({ action: 'closed', pull_request: { head } })
  const signature = createHmac('sha256', secret).update(body).digest('hex')
  return await send(
    to,
    isGitea ? { 'x-gitea-signature': signature } : { 'x-hub-signature-256': `sha256=${signature}` },
    body,
  )
}

/** Sends an event as GitLab does, which sends the secret itself. */
const gitlabHook = async (one: Proposed, branch: string, secret = one.secret) =>
  await send(
    one.events,
    { 'x-gitlab-token': secret },
    JSON.stringify({ object_kind: 'merge_request', object_attributes: { source_branch: branch, action: 'merge' } }),
  )

const settled = async ({ article }: Proposed, state: string) =>
  await expect.poll(async () => (await article()).PublishState, { timeout: 20_000 }).toBe(state)

it('answers 202 and publishes the article once its pull request is merged', async () => {
  const one = await proposed()
  const { api, id, answer, article, number, path } = one
  expect(answer).toMatchObject({
    status: 202,
    body: { status: 'awaiting_merge', article_id: id, pull_request: urlOf(number), message: expect.any(String) },
  })
  expect(await article()).toMatchObject({ Status: 'Draft', PublishState: 'awaiting_merge', Url: null })
  expect((await api.get(`/webhook-deliveries?article_id=${id}`)).body.deliveries).toMatchObject([
    { status: 'awaiting_merge', error: `The pull request ${urlOf(number)} waits to be merged.` },
  ])
  expect(await api.post(`/articles/${id}/publish`)).toMatchObject({ status: 202, body: { status: 'awaiting_merge' } })
  expect(github.pulls.find(number).body).toContain(`/p/${one.project}/articles/${id}`)
  expect(await api.del(`/articles/${id}`)).toMatchObject({ status: 409 })
  github.pulls.merge(number, 'squash')
  // An event and a caller find the merge at the same moment. It is recorded once.
  await Promise.all([hook(one, branchOf(one)), api.post(`/articles/${id}/publish`), hook(one, branchOf(one))])
  await settled(one, 'idle')
  expect(await article()).toMatchObject({
    Status: 'Published',
    PublishError: null,
    Url: expect.stringMatching(/^https:/),
  })
  expect(github.repository.read(path)).toContain('A shed keeps tools dry.')
  expect(pullsOf(branchOf(one))).toHaveLength(1)
  const { deliveries } = (await api.get(`/webhook-deliveries?article_id=${id}`)).body
  expect(deliveries).toMatchObject([{ status: 'delivered', error: null }])
  const { entries } = (await api.get('/audit-log?action=article.publish')).body
  expect(entries).toHaveLength(1)
})

it('looks at the pull request by itself', async () => {
  const one = await proposed()
  github.pulls.merge(one.number)
  await flush(stack, true)
  await settled(one, 'idle')
  expect(await one.article()).toMatchObject({ Status: 'Published' })
})

it('sends the article back with the comments if its pull request is closed', async () => {
  const one = await proposed()
  const { api, id, article, number } = one
  github.pulls.close(number, { author: 'jane', body: 'Too long.' })
  expect(await hook(one, branchOf(one))).toBe(200)
  await settled(one, 'failed')
  expect(await article()).toMatchObject({
    Status: 'Draft',
    Url: null,
    PublishError: `Returned by the people of ${urlOf(number)}: jane: Too long.`,
  })
  expect((await api.get(`/webhook-deliveries?article_id=${id}`)).body.deliveries).toMatchObject([{ status: 'failed' }])
  const again = await api.post(`/articles/${id}/publish`)
  expect([again.status, again.body.pull_request]).toEqual([202, urlOf(github.pulls.all.length)])
})

it('takes no event without the signature of its own repository', async () => {
  const [one, other] = [await proposed(), await proposed()]
  const nextLook = async () => {
    const account = sql`account_id = ${one.api.accountId}::int and done_at is null`
    const planned = await rowsIn<{ at: string }>(stack, sql`select run_at::text as at from outbox where ${account}`)
    expect(planned).toHaveLength(1)
    return new Date(planned[0]?.at ?? '').getTime()
  }
  expect(await hook(one, branchOf(one), { secret: other.secret })).toBe(401)
  expect(await hook(one, branchOf(one), { secret: '' })).toBe(401)
  expect(await hook(one, branchOf(one), { to: `${stack.url}/github/events/999999999` })).toBe(401)
  expect(await gitlabHook(one, branchOf(one), other.secret)).toBe(401)
  // A signed event of another repository brings no look at this article forward. One that came by itself plans a later one.
  const planned = await nextLook()
  expect(await hook(other, branchOf(one))).toBe(200)
  expect(await nextLook()).toBeGreaterThanOrEqual(planned)
  github.pulls.merge(one.number)
  expect(await gitlabHook(one, branchOf(one))).toBe(200)
  await settled(one, 'idle')
  github.pulls.merge(other.number)
  expect(await hook(other, branchOf(other), { isGitea: true, secret: one.secret })).toBe(401)
  expect(await hook(other, branchOf(other), { isGitea: true })).toBe(200)
  await settled(other, 'idle')
})

it('adds a sync to the open pull request, and is not published before it is merged', async () => {
  const one = await proposed()
  const { api, id, article, number, path } = one
  github.pulls.merge(number, 'squash')
  expect((await api.post(`/articles/${id}/publish`)).body.status).toBe('published')
  const first = await api.post(`/articles/${id}/sync`, { content: HTML.replace('planks', 'nails') })
  expect(first).toMatchObject({
    status: 202,
    body: { status: 'awaiting_merge', article_id: id, revision: expect.any(Number) },
  })
  const second = await api.post(`/articles/${id}/sync`, { title: 'Huts' })
  expect([second.status, second.body.pull_request]).toEqual([202, first.body.pull_request])
  const own = pullsOf(branchOf(one))
  expect(own.map(({ state }) => state)).toEqual(['MERGED', 'OPEN'])
  expect(await article()).toMatchObject({ Status: 'Published', PublishState: 'awaiting_merge', Title: 'Huts' })
  expect(github.repository.read(path)).not.toContain('nails')
  github.pulls.merge(own[1]?.number ?? 0, 'squash')
  expect(await hook(one, branchOf(one))).toBe(200)
  await settled(one, 'idle')
  expect(github.repository.read(path)).toMatch(/title: 'Huts'[\s\S]*nails/)
  // What was sent counts as arrived, so the next change of the same words is no conflict.
  const third = await api.post(`/articles/${id}/sync`, { content: HTML.replace('planks', 'bricks') })
  expect(third).toMatchObject({ status: 202, body: { status: 'awaiting_merge' } })
})

it('closes the pull request of an article that is taken back', async () => {
  const one = await proposed()
  const { api, id, article, number } = one
  expect(await api.post(`/articles/${id}/unpublish`)).toMatchObject({ status: 200, body: { status: 'withdrawn' } })
  expect(github.pulls.find(number)).toMatchObject({ state: 'CLOSED', comments: [{ author: 'galley[bot]' }] })
  expect(github.repository.head(branchOf(one))).toBeUndefined()
  expect(await article()).toMatchObject({ Status: 'Draft', PublishState: 'idle', PublishError: null })
  expect((await api.post(`/articles/${id}/unpublish`)).status).toBe(400)
  expect((await api.del(`/articles/${id}`)).status).toBe(200)
})

it('takes a published article down by a pull request', async () => {
  const one = await proposed()
  const { api, id, article, number, path } = one
  github.pulls.merge(number, 'squash')
  expect((await api.post(`/articles/${id}/publish`)).body.status).toBe('published')
  const down = await api.post(`/articles/${id}/unpublish`)
  expect(down).toMatchObject({ status: 202, body: { status: 'awaiting_merge', pull_request: expect.any(String) } })
  expect(await article()).toMatchObject({ Status: 'Published', PublishState: 'awaiting_merge' })
  expect(github.repository.read(path)).toContain('draft: false')
  const last = github.pulls.all.length
  github.pulls.merge(last, 'squash')
  expect(await hook(one, branchOf(one))).toBe(200)
  await settled(one, 'idle')
  expect(await article()).toMatchObject({ Status: 'Draft' })
  expect(github.repository.read(path)).toContain('draft: true')
})

it('shows the pull request on the page of the article, and closes it there', async () => {
  const { api, person } = await newOwner(stack)
  const one = await opened(api, await newProject(api))
  const here = `/p/${one.project}/articles/${one.id}`
  const page = await person.get(here)
  expect(page.text).toContain(`href="${urlOf(one.number)}"`)
  expect(page.text).toContain('Waits to be merged')
  const closed = await person.post(`${here}/unpublish`, formOn(page, `${here}/unpublish`))
  expect(closed.text).toContain('The pull request is closed.')
  expect(github.pulls.find(one.number).state).toBe('CLOSED')
})

const merge = async (one: Proposed, number: number) => {
  github.pulls.merge(number, 'squash')
  expect(await hook(one, branchOf(one))).toBe(200)
  await settled(one, 'idle')
}
const newest = () => github.pulls.all.length

/** Returns an article whose publication and one change were merged. */
const changed = async () => {
  const one = await proposed()
  await merge(one, one.number)
  const nails = HTML.replace('planks', 'nails')
  expect(await one.api.post(`/articles/${one.id}/sync`, { content: nails })).toMatchObject({ status: 202 })
  await merge(one, newest())
  return one
}

/** Leaves an article as a call does that crashed after it had opened its pull request. */
const crash = async ({ id }: Proposed) => {
  await rowsIn(
    stack,
    sql`update articles set publish_state = 'publishing', publish_error = null, publish_lease_until = now() - interval '1 second' where id = ${id}::int`,
  )
  await rowsIn(
    stack,
    sql`update deliveries set status = 'sending', error = null, lease_until = now() - interval '1 second'
      where article_id = ${id}::int and status = 'awaiting_merge'`,
  )
}

it('puts an earlier version back by a pull request', async () => {
  const one = await changed()
  const { api, id, article, path } = one
  const back = await api.post(`/articles/${id}/rollback`)
  expect(back).toMatchObject({
    status: 202,
    body: { status: 'awaiting_merge', article_id: id, version_id: expect.any(Number), pull_request: urlOf(newest()) },
  })
  expect(await article()).toMatchObject({ Status: 'Published', PublishState: 'awaiting_merge' })
  expect(github.repository.read(path)).toContain('nails')
  // The same call finds the same pull request.
  expect((await api.post(`/articles/${id}/rollback`)).body).toMatchObject({
    status: 'awaiting_merge',
    version_id: back.body.version_id,
    pull_request: back.body.pull_request,
  })
  await merge(one, newest())
  expect(github.repository.read(path)).toContain('planks')
  expect(await article()).toMatchObject({ Status: 'Published', PublishError: null })
  expect((await api.get('/audit-log?action=article.rollback')).body.entries).toHaveLength(1)
  // The version that it replaced is kept, so that going back once more brings that one.
  expect(await api.post(`/articles/${id}/rollback`)).toMatchObject({ status: 202 })
  await merge(one, newest())
  expect(github.repository.read(path)).toContain('nails')
})

it('ends a rollback whose pull request is closed, and goes to the same version when it is repeated', async () => {
  const one = await changed()
  const { api, id, article, path } = one
  const back = await api.post(`/articles/${id}/rollback`)
  github.pulls.close(newest(), { author: 'jane', body: 'Nails are better.' })
  expect(await hook(one, branchOf(one))).toBe(200)
  await settled(one, 'failed')
  expect(await article()).toMatchObject({
    Status: 'Published',
    PublishError: expect.stringContaining('jane: Nails are better.'),
  })
  expect(github.repository.read(path)).toContain('nails')
  const again = await api.post(`/articles/${id}/rollback`)
  expect(again).toMatchObject({ status: 202, body: { version_id: back.body.version_id } })
  expect(again.body.pull_request).not.toBe(back.body.pull_request)
})

it.each([
  ['rollback', (one: Proposed) => one.api.post(`/articles/${one.id}/rollback`)],
  ['unpublish', (one: Proposed) => one.api.post(`/articles/${one.id}/unpublish`)],
  ['sync', (one: Proposed) => one.api.post(`/articles/${one.id}/sync`, { title: 'Huts' })],
])('finds the pull request of a %s that crashed after it was opened', async (_, call) => {
  const one = await changed()
  expect(await call(one)).toMatchObject({ status: 202 })
  await crash(one)
  await flush(stack, true)
  await settled(one, 'awaiting_merge')
  expect(await one.article()).toMatchObject({ PublishError: `The pull request ${urlOf(newest())} waits to be merged.` })
  await merge(one, newest())
})

/** Returns a published article whose suggested rewrite is in a pull request. */
const rewritten = async () => {
  const one = await proposed(TEXT)
  const { api, project, id } = one
  await merge(one, one.number)
  const before = await one.article()
  await seedSearch(stack, api, project, [
    { article: id, now: [5, 900, 6.2], before: [30, 1000, 4], queries: { 'oak garden shed': [2, 800, 6.1] } },
  ])
  expect(await api.post('/suggestions/run', { project_id: project })).toMatchObject({ status: 200 })
  const { body } = await api.get(`/suggestions?project_id=${project}&status=pending&type=striking_distance`)
  const [{ id: suggestion }] = body.suggestions as [{ id: number }]
  expect(await api.post(`/suggestions/${suggestion}/approve`)).toMatchObject({ status: 200 })
  const read = async () => (await api.get(`/suggestions/${suggestion}`)).body.suggestion as Record<string, unknown>
  await expect.poll(async () => (await read()).status, { timeout: PATIENCE_MS }).toBe('ready')
  expect(await api.post(`/suggestions/${suggestion}/publish`)).toMatchObject({
    status: 202,
    body: { status: 'awaiting_merge', article_id: id, pull_request: urlOf(newest()) },
  })
  expect(await read()).toMatchObject({ status: 'ready', awaiting_merge: true, published_at: null })
  return { ...one, before, suggestion, read }
}

const effectsOf = async ({ api, project }: Proposed) =>
  (await api.get(`/suggestions/effects?project_id=${project}`)).body.effects

it('publishes a suggestion once the pull request with its rewrite is merged', async () => {
  const one = await rewritten()
  expect(await effectsOf(one)).toEqual([])
  // Another change in the same pull request does not hide the rewrite.
  expect(await one.api.post(`/articles/${one.id}/sync`, { title: 'Huts' })).toMatchObject({ status: 202 })
  await merge(one, newest())
  expect(await one.read()).toMatchObject({
    status: 'published',
    awaiting_merge: false,
    published_at: expect.any(String),
  })
  expect(await effectsOf(one)).toMatchObject([{ kind: 'rewrite' }])
  expect((await one.api.get('/audit-log?action=suggestion.publish')).body.entries).toHaveLength(1)
})

it('publishes a suggestion whose call crashed after it had opened the pull request', async () => {
  const one = await rewritten()
  await rowsIn(stack, sql`update suggestions set proposed_revision = null where id = ${one.suggestion}::int`)
  await merge(one, newest())
  expect(await one.read()).toMatchObject({ status: 'published' })
})

it('rejects a suggestion whose pull request is closed, with the comments, and the article has its text again', async () => {
  const one = await rewritten()
  const { before, article } = one
  expect((await article()).Title).not.toBe(before.Title)
  github.pulls.close(newest(), { author: 'jane', body: 'Not our voice.' })
  expect(await hook(one, branchOf(one))).toBe(200)
  await expect.poll(async () => (await one.read()).status, { timeout: 20_000 }).toBe('rejected')
  await settled(one, 'idle')
  expect(await one.read()).toMatchObject({
    feedback: expect.stringContaining('jane: Not our voice.'),
    awaiting_merge: false,
  })
  const now = await article()
  expect([now.Title, now.Content, now.PublishError]).toEqual([before.Title, before.Content, null])
  const { deliveries } = (await one.api.get(`/webhook-deliveries?article_id=${one.id}`)).body
  await expect
    .poll(async () => (await one.api.get(`/webhook-deliveries?article_id=${one.id}`)).body.deliveries, {
      timeout: 20_000,
    })
    .toMatchObject([{ status: 'failed' }, { status: 'delivered' }])
  expect(deliveries).toHaveLength(2)
})
