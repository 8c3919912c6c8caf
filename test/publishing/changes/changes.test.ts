import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { startWordpress, type WordpressStandIn } from '../../../local/cms/wordpress.ts'
import { signInAsOwner } from '../../accounts/people/browser.ts'
import { setPolicy } from '../../accounts/policy/set.ts'
import { type Api, newAccount, newArticle, newProject, rowsIn, tell } from '../../support/client.ts'
import { fieldsOf, manyKeys, rowsOf } from '../../support/keys.ts'
import { publishedArticle } from '../../support/story.ts'
import { flush } from '../scene.ts'

const stack = inject('stack')
let wordpress: WordpressStandIn

beforeAll(async () => {
  wordpress = await startWordpress()
})
afterAll(() => wordpress.close())

const textOf = (n: number): string =>
  `<!-- wp:paragraph {"align":"wide"} -->\n<p class="wide">Shed ${n} costs 40 euros.</p>\n<!-- /wp:paragraph -->\n\n<!-- wp:acme/map {"zoom":2.0} /-->`

let count = 0
const write = async (n: number): Promise<{ id: number }> => {
  count += 1
  const response = await fetch(`${wordpress.url}/wp-json/wp/v2/posts`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`admin:${wordpress.passwordOf('admin')}`).toString('base64')}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ status: 'publish', title: `Shed ${n}`, content: textOf(n), slug: `shed-${n}-${count}` }),
  })
  return (await response.json()) as never
}

const stored = (id: number) => wordpress.posts().find((post) => post.id === id)

/** Returns a site with adopted posts, and a set that changes the price in each of them. */
const openSet = async (posts = 3, clauses: Parameters<typeof setPolicy>[2] = { approve_adopted: false }) => {
  const account = await newAccount(stack, { plan: 'agentic' })
  const api = manyKeys(stack, account)
  const project = await newProject(api)
  await setPolicy(stack, project, clauses)
  const password = wordpress.passwordOf('admin')
  await api.post(`/projects/${project}/integrations`, {
    platform: 'wordpress',
    cms_url: wordpress.url,
    cms_username: 'admin',
    integration_key: password,
  })
  const rows: { post: number; article: number; content: string }[] = []
  for (let n = 1; n <= posts; n += 1) {
    const { id: post } = await write(n)
    const { body } = await api.post('/articles/adopt', { project_id: project, post_id: String(post) })
    const article = body.article_id as number
    rows.push({ post, article, content: String((await api.get(`/articles/${article}`)).body.Content) })
  }
  const changes = rows.map(({ article, content }) => ({ article_id: article, content: content.replace('40', '45') }))
  const made = await api.post('/changes', { project_id: project, name: 'The new price', changes })
  expect(made.status, made.text).toBe(201)
  return { account, api, project, rows, set: made.body.change_set_id as number, made: made.body }
}

const show = async (api: Api, set: number) =>
  (await api.get(`/changes/${set}`)).body.change_set as {
    status: string
    error: string | null
    approved: boolean
    counts: Record<string, number>
    changes: Record<string, unknown>[]
  }

/** Runs jobs until a set is not being worked on. */
const settle = async (api: Api, set: number): Promise<void> => {
  for (let n = 0; n < 10; n += 1) {
    await flush(stack, true)
    if (!['releasing', 'reverting'].includes((await show(api, set)).status)) return
  }
}

const run = async (api: Api, set: number, what: 'release' | 'revert' = 'release', body: object = {}) => {
  const answer = await api.post(`/changes/${set}/${what}`, what === 'release' ? body : undefined)
  expect(answer.status, answer.text).toBe(202)
  await settle(api, set)
  return answer.body
}

/** Starts to release a set, and waits for the first run of its job. */
const beginRelease = async (api: Api, set: number): Promise<void> => {
  expect((await api.post(`/changes/${set}/release`)).status).toBe(202)
  const waiting = sql`select 1 from outbox where key = ${`changes:${set}`} and done_at is null and attempts = 0`
  await expect.poll(() => rowsIn(stack, waiting)).toEqual([])
  await flush(stack)
}

/** Number of updates that were sent of articles. */
const deliveriesOf = async (articles: readonly number[]): Promise<number> =>
  Number(
    (
      await rowsIn<{ count: string }>(
        stack,
        sql`select count(*) from deliveries where article_id in (select value::int from jsonb_array_elements_text(${JSON.stringify(articles)}::jsonb))`,
      )
    )[0]?.count,
  )

/** Has the site refuse changes of a post. */
const refuse = (post?: number) =>
  tell(wordpress.url, '/_faults', {
    path: `/wp-json/wp/v2/posts/${post}`,
    body: 'euros',
    status: 403,
    answer: { code: 'rest_cannot_edit', message: 'No.', data: { status: 403 } },
  })

const states = ({ changes }: { changes: Record<string, unknown>[] }) => changes.map(({ status }) => status)

describe('POST /changes', () => {
  it('makes a set and changes nothing; GET shows each difference', async () => {
    const { api, rows, set, made, project } = await openSet()
    expect(made).toMatchObject({
      status: 'draft',
      changes: 3,
      unchanged: [],
      page: expect.stringContaining(`/changes/${set}`),
    })
    const shown = await show(api, set)
    expect(shown).toMatchObject({ status: 'draft', approved: false, counts: { waiting: 3, sent: 0 } })
    expect(shown.changes[0]).toMatchObject({
      article_id: rows[0]?.article,
      status: 'waiting',
      base_revision: 1,
      fields: ['content'],
      difference: '<p class="wide">Shed 1 costs <del>40</del><ins>45</ins> euros.</p>',
    })
    expect(rows.map(({ post }) => stored(post)?.content)).toEqual([1, 2, 3].map(textOf))
    const listed = rowsOf((await api.get(`/projects/${project}/changes`)).body, 'change_sets')
    expect(listed).toMatchObject([{ id: set, name: 'The new price', counts: { waiting: 3 } }])
  })

  it('takes other fields, and leaves out articles that stay the same', async () => {
    const { api, project, rows } = await openSet(2)
    const [one, two] = rows
    const { body } = await api.post('/changes', {
      project_id: project,
      name: 'Titles',
      changes: [
        { article_id: one?.article, title: 'A shed' },
        { article_id: two?.article, title: 'Shed 2' },
      ],
    })
    expect(body).toMatchObject({ changes: 1, unchanged: [two?.article] })
    expect((await show(api, body.change_set_id as number)).changes).toMatchObject([
      { fields: ['title'], difference: null, before: { title: 'Shed 1' }, after: { title: 'A shed' } },
    ])
  })

  it.each([
    ['no change', () => [], 'changes'],
    [
      'an article twice',
      (id: number) => [
        { article_id: id, title: 'a' },
        { article_id: id, title: 'b' },
      ],
      'changes[1].article_id',
    ],
    ['values that stay', (id: number) => [{ article_id: id, title: 'Shed 1' }], 'changes'],
    ['an empty text', (id: number) => [{ article_id: id, content: '<p> </p>' }], 'changes[0].content'],
  ])('is 400 for %s', async (_, changesOf, field) => {
    const { api, project, rows } = await openSet(1)
    const changes = changesOf(rows[0]?.article ?? 0)
    const { status, body } = await api.post('/changes', { project_id: project, name: 'x', changes })
    expect([status, fieldsOf(body)]).toEqual([400, [field]])
  })

  it('leaves out changes in the preview of a kept block, and refuses one of nothing else', async () => {
    const { api, project, rows } = await openSet(1)
    const { article = 0, content = '' } = rows[0] ?? {}
    const make = (text: string) =>
      api.post('/changes', { project_id: project, name: 'x', changes: [{ article_id: article, content: text }] })
    const preview = content.replace(/(<figure data-kept[^>]*>).*(?=<\/figure>)/, '$1Another map')
    const alone = await make(preview)
    expect([alone.status, alone.body]).toMatchObject([
      400,
      {
        error: 'unsupported_for_sync',
        message: expect.stringContaining('preview'),
        parts: [{ id: expect.any(String) }],
      },
    ])
    const { status, body } = await make(preview.replace('40', '50'))
    expect([status, body]).toMatchObject([201, { changes: 1, warnings: [expect.stringContaining(`${article}`)] }])
    const difference = (await show(api, body.change_set_id as number)).changes[0]?.difference
    expect(difference).toBe('<p class="wide">Shed 1 costs <del>40</del><ins>50</ins> euros.</p>')
  })

  it('is refused for a draft, for an article of another project, and for those of another account', async () => {
    const { api, project, rows, set } = await openSet(1)
    const other = await newProject(api)
    const draft = await newArticle(api, project)
    const make = (in_project: number, article: unknown, caller: Api = api) =>
      caller.post('/changes', { project_id: in_project, name: 'x', changes: [{ article_id: article, title: 'y' }] })
    expect((await make(project, draft)).body.error).toBe('not_published')
    expect((await make(other, rows[0]?.article)).status).toBe(400)
    const stranger = await newAccount(stack)
    expect((await make(await newProject(stranger), rows[0]?.article, stranger)).status).toBe(403)
    expect((await stranger.get(`/changes/${set}`)).status).toBe(403)
    expect((await stranger.post(`/changes/${set}/release`)).status).toBe(403)
    expect((await stranger.post(`/changes/${set}/revert`)).status).toBe(403)
    expect((await stranger.get(`/projects/${project}/changes`)).status).toBe(403)
  })
})

describe('a change set', () => {
  it('is released in order, and reverted byte for byte', async () => {
    const { api, rows, set } = await openSet()
    expect(await run(api, set)).toMatchObject({ status: 'releasing', change_set_id: set })
    expect(await show(api, set)).toMatchObject({ status: 'released', error: null, counts: { sent: 3, waiting: 0 } })
    expect(rows.map(({ post }) => stored(post)?.content)).toEqual([1, 2, 3].map((n) => textOf(n).replace('40', '45')))
    expect(await run(api, set, 'revert')).toMatchObject({ status: 'reverting' })
    const reverted = await show(api, set)
    expect(reverted).toMatchObject({ status: 'reverted', counts: { reverted: 3 } })
    expect(rows.map(({ post }) => stored(post)?.content)).toEqual([1, 2, 3].map(textOf))
    expect((await api.get(`/articles/${rows[0]?.article}`)).body.Content).toBe(rows[0]?.content)
    expect((await api.post(`/changes/${set}/release`)).body.error).toBe('invalid_transition')
    expect((await api.post(`/changes/${set}/revert`)).body.error).toBe('invalid_transition')
  })

  it('waits for one approval, which covers its revert, too', async () => {
    const { api, account, project, rows, set } = await openSet(2, {})
    const asked = await api.post(`/changes/${set}/release`)
    expect([asked.status, asked.body]).toMatchObject([
      202,
      { status: 'awaiting_approval', approval_id: expect.any(Number) },
    ])
    await flush(stack, true)
    expect(rows.map(({ post }) => stored(post)?.content)).toEqual([1, 2].map(textOf))
    const { approval } = (await api.get(`/approvals/${asked.body.approval_id}`)).body as never
    expect(approval).toMatchObject({
      kind: 'changes',
      proposed: { title: 'The new price', body: expect.stringContaining('<del>40</del><ins>45</ins>') },
    })
    const { person } = await signInAsOwner(stack, account)
    await person.post(`/p/${project}/approvals/${asked.body.approval_id}/decide`, { decision: 'approve' })
    await flush(stack, true)
    await settle(api, set)
    expect(await show(api, set)).toMatchObject({ status: 'released', approved: true, counts: { sent: 2 } })
    expect(rows.map(({ post }) => stored(post)?.content)).toEqual([1, 2].map((n) => textOf(n).replace('40', '45')))
    expect(rowsOf((await api.get(`/approvals?project_id=${project}`)).body, 'approvals')).toHaveLength(1)
    await run(api, set, 'revert')
    expect(await show(api, set)).toMatchObject({ status: 'reverted' })
    expect(rows.map(({ post }) => stored(post)?.content)).toEqual([1, 2].map(textOf))
  })

  it('sends nothing if a person sends it back', async () => {
    const { api, account, project, rows, set } = await openSet(1, {})
    const asked = await api.post(`/changes/${set}/release`)
    const { person } = await signInAsOwner(stack, account)
    const path = `/p/${project}/approvals/${asked.body.approval_id}/decide`
    await person.post(path, { decision: 'return', comment: 'Not this price.' })
    await flush(stack, true)
    expect(await show(api, set)).toMatchObject({ status: 'draft', approved: false })
    expect(stored(rows[0]?.post ?? 0)?.content).toBe(textOf(1))
  })

  it('leaves out an article that somebody changed since, and names it', async () => {
    const { api, rows, set } = await openSet()
    await api.post(`/articles/${rows[1]?.article}/sync`, { title: 'By somebody' })
    await run(api, set)
    const shown = await show(api, set)
    expect([shown.status, states(shown)]).toEqual(['released', ['sent', 'left_out', 'sent']])
    expect(shown.changes[1]?.error).toContain('Somebody changed the article')
    expect(stored(rows[1]?.post ?? 0)?.content).toBe(textOf(2))
    await api.post(`/articles/${rows[2]?.article}/sync`, { title: 'After it was sent' })
    await run(api, set, 'revert')
    const after = await show(api, set)
    expect([after.status, states(after)]).toEqual(['reverted', ['reverted', 'left_out', 'left_out']])
    expect(stored(rows[2]?.post ?? 0)).toMatchObject({
      title: 'After it was sent',
      content: textOf(3).replace('40', '45'),
    })
  })

  it('stops at the first refusal, and goes on with the same call', async () => {
    const { api, rows, set } = await openSet()
    const row = stored(rows[1]?.post ?? 0)
    if (row) row.content = textOf(2).replace('Shed', 'Barn')
    await run(api, set)
    const shown = await show(api, set)
    expect([shown.status, states(shown)]).toEqual(['stopped', ['sent', 'refused', 'waiting']])
    expect(shown.error).toMatch(/^Shed 2: People changed the post/)
    expect(stored(rows[2]?.post ?? 0)?.content).toBe(textOf(3))
    if (row) row.content = textOf(2)
    await run(api, set)
    expect(states(await show(api, set))).toEqual(['sent', 'sent', 'sent'])
    expect(await deliveriesOf(rows.map(({ article }) => article))).toBe(3)
  })

  it('goes on without what was refused', async () => {
    const { api, rows, set } = await openSet()
    const row = stored(rows[0]?.post ?? 0)
    if (row) row.content = textOf(1).replace('Shed', 'Barn')
    await run(api, set)
    await run(api, set, 'release', { skip_refused: true })
    const shown = await show(api, set)
    expect([shown.status, states(shown)]).toEqual(['released', ['left_out', 'sent', 'sent']])
    expect(row?.content).toBe(textOf(1).replace('Shed', 'Barn'))
  })

  it('sends again what the site refused, and reverts what it never got', async () => {
    const { api, rows, set } = await openSet(2)
    await refuse(rows[0]?.post)
    await run(api, set)
    await tell(wordpress.url, '/_faults')
    const shown = await show(api, set)
    expect([shown.status, states(shown)]).toEqual(['stopped', ['refused', 'waiting']])
    expect(stored(rows[0]?.post ?? 0)?.content).toBe(textOf(1))
    await run(api, set, 'revert')
    expect(states(await show(api, set))).toEqual(['reverted', 'waiting'])
    expect((await api.get(`/articles/${rows[0]?.article}`)).body.Content).toBe(rows[0]?.content)
    expect(rows.map(({ post }) => stored(post)?.content)).toEqual([1, 2].map(textOf))
  })

  it('sends a revert again that the site refused', async () => {
    const { api, rows, set } = await openSet(2)
    await run(api, set)
    await refuse(rows[1]?.post)
    await run(api, set, 'revert')
    await tell(wordpress.url, '/_faults')
    expect(await show(api, set)).toMatchObject({ status: 'stopped', counts: { sent: 2 } })
    await run(api, set, 'revert')
    expect(await show(api, set)).toMatchObject({ status: 'reverted', counts: { reverted: 2 } })
    expect(rows.map(({ post }) => stored(post)?.content)).toEqual([1, 2].map(textOf))
  })

  it('waits while the project is frozen', async () => {
    const { api, project, rows, set } = await openSet(1)
    await setPolicy(stack, project, { approve_adopted: false, frozen: true })
    await beginRelease(api, set)
    expect(await show(api, set)).toMatchObject({ status: 'releasing', counts: { waiting: 1 } })
    expect(stored(rows[0]?.post ?? 0)?.content).toBe(textOf(1))
    await setPolicy(stack, project, { approve_adopted: false })
    await settle(api, set)
    expect(await show(api, set)).toMatchObject({ status: 'released' })
  })

  it('waits while the project is frozen with what is sent again, too', async () => {
    const { api, project, rows, set } = await openSet(1)
    await refuse(rows[0]?.post)
    await run(api, set)
    await tell(wordpress.url, '/_faults')
    expect(await show(api, set)).toMatchObject({ status: 'stopped', counts: { refused: 1 } })
    await setPolicy(stack, project, { approve_adopted: false, frozen: true })
    await beginRelease(api, set)
    expect(await show(api, set)).toMatchObject({ status: 'releasing', counts: { waiting: 1 } })
    await setPolicy(stack, project, { approve_adopted: false })
    await settle(api, set)
    expect(await show(api, set)).toMatchObject({ status: 'released', error: null, counts: { sent: 1 } })
    expect(stored(rows[0]?.post ?? 0)?.content).toContain('45')
  })

  it('changes articles that were made here, and reverts them', async () => {
    const { api, project } = await openSet(1)
    const id = await publishedArticle(api, project)
    const before = (await api.get(`/articles/${id}`)).body
    const made = await api.post('/changes', {
      project_id: project,
      name: 'Own',
      changes: [{ article_id: id, title: 'A new title', content: '<p>A new text for the shed.</p>' }],
    })
    const set = made.body.change_set_id as number
    await run(api, set)
    expect((await api.get(`/articles/${id}`)).body).toMatchObject({
      Title: 'A new title',
      Content: '<p>A new text for the shed.</p>',
    })
    await run(api, set, 'revert')
    expect((await api.get(`/articles/${id}`)).body).toMatchObject({ Title: before.Title, Content: before.Content })
  })
})

describe('the page of a set', () => {
  it('shows each difference to a person, who releases it and takes it back', async () => {
    const { api, account, project, rows, set } = await openSet(1, {})
    const { person } = await signInAsOwner(stack, account)
    const page = await person.get(`/p/${project}/changes/${set}`)
    expect(page.text).toContain('Shed 1 costs <del>40</del><ins>45</ins> euros.')
    expect((await person.get(`/p/${project}/changes`)).text).toContain('The new price')
    await person.post(`/p/${project}/changes/${set}/release`, {})
    await settle(api, set)
    expect(stored(rows[0]?.post ?? 0)?.content).toBe(textOf(1).replace('40', '45'))
    await person.post(`/p/${project}/changes/${set}/revert`, {})
    await settle(api, set)
    expect(stored(rows[0]?.post ?? 0)?.content).toBe(textOf(1))
  })
})

describe('a release that crashed', () => {
  /** Puts a set back to a moment of its release, as a crash leaves it, and goes on. */
  const crashedAt = async (api: Api, set: number, position: number, state: string) => {
    await rowsIn(
      stack,
      sql`update changes set state = ${state}, sent_revision = null where set_id = ${set}::int and position = ${position}::int returning 1`,
    )
    await rowsIn(stack, sql`update change_sets set state = 'stopped' where id = ${set}::int returning 1`)
    await run(api, set)
  }

  it('before an article was sent sends it once', async () => {
    const { api, rows, set } = await openSet(2)
    await crashedAt(api, set, 1, 'sending')
    expect(states(await show(api, set))).toEqual(['sent', 'sent'])
    expect(await deliveriesOf(rows.map(({ article }) => article))).toBe(2)
    expect(rows.map(({ post }) => stored(post)?.revisions.length)).toEqual([2, 2])
  })

  it('after an article was sent does not send it again', async () => {
    const { api, rows, set } = await openSet(2)
    await run(api, set)
    await crashedAt(api, set, 2, 'sending')
    expect(await show(api, set)).toMatchObject({ status: 'released', counts: { sent: 2 } })
    expect(await deliveriesOf(rows.map(({ article }) => article))).toBe(2)
    await run(api, set, 'revert')
    expect(rows.map(({ post }) => stored(post)?.content)).toEqual([1, 2].map(textOf))
  })

  it('during a revert does not send the earlier text twice', async () => {
    const { api, rows, set } = await openSet(2)
    await run(api, set)
    await run(api, set, 'revert')
    await rowsIn(
      stack,
      sql`update changes set state = 'reverting' where set_id = ${set}::int and position = 1 returning 1`,
    )
    await rowsIn(stack, sql`update change_sets set state = 'stopped' where id = ${set}::int returning 1`)
    await run(api, set, 'revert')
    expect(await show(api, set)).toMatchObject({ status: 'reverted', counts: { reverted: 2 } })
    expect(await deliveriesOf(rows.map(({ article }) => article))).toBe(4)
  })

  it('or that two calls start at once sends each article once', { tags: ['services'] }, async () => {
    const { api, rows, set } = await openSet(3)
    await Promise.all([api.post(`/changes/${set}/release`), api.post(`/changes/${set}/release`)])
    await Promise.all([flush(stack, true), flush(stack, true)])
    await settle(api, set)
    expect(await show(api, set)).toMatchObject({ status: 'released', counts: { sent: 3 } })
    expect(await deliveriesOf(rows.map(({ article }) => article))).toBe(3)
  })
})
