import { sql } from 'drizzle-orm'
import { describe, expect, inject, it } from 'vitest'
import { claimArticlesToWrite } from '../../../src/content/writing/claim.ts'
import { systemDeps } from '../../publishing/system.ts'
import { type Api, anotherKey, newAccount, newArticle, newProject, rowsIn } from '../../support/client.ts'
import { manyKeys } from '../../support/keys.ts'
import { creditsOf, setCredits } from '../writing/scene.ts'

const stack = inject('stack')
const LONG = `<p>${'word '.repeat(400)}</p>`
const FAR = '2031-06-01T09:00:00Z'

const fresh = async () => {
  const api = manyKeys(stack, await newAccount(stack))
  return { api, project: await newProject(api) }
}

/** Number of races: more on a database whose connections really run in parallel. */
const RACES = process.env.DATABASE_URL ? 40 : 24
const AT_ONCE = 8

/** A month ahead of every other clock, so that no cron of another test takes these articles first. */
const writer = systemDeps(stack, { now: () => new Date(Date.now() + 30 * 86_400_000) })

/** A claim against a take-over that sets out `headStart` round trips to the database later. */
const race = async (api: Api, id: number, headStart: number) => {
  const late = async () => {
    for (let n = 0; n < headStart; n += 1) await rowsIn(stack, sql`select 1`)
    return (await claimArticlesToWrite(writer, id)).taken
  }
  const [put, taken] = await Promise.all([api.put(`/articles/${id}`, { content: LONG }), late()])
  const { body } = await api.get(`/articles/${id}`)
  return { status: put.status, claimed: put.body.claimed, taken, body }
}

/** Returns articles of the account, each in a project of its own, because the writer takes few of one project at once. */
const planned = (account: Api, count: number) =>
  rowsIn<{ id: number }>(
    stack,
    sql`with own as (insert into projects (account_id, website_url, website_key)
        select ${account.accountId}::int, 'https://race-' || n || '.example', 'race-' || n || '.example' from generate_series(1, ${count}::int) n
        returning id, account_id),
      purse as (update accounts set article_credits = ${count}::int where id = ${account.accountId}::int)
      insert into articles (account_id, project_id, status, title, main_keyword, slug, scheduled_at)
      select account_id, id, 'Planned', 'T', 'k', 'race', now() + interval '31 days' from own returning id`,
  )

describe('a claim', () => {
  it('is made by 2,000 characters on a planned article, and shown', async () => {
    const { api, project } = await fresh()
    const id = await newArticle(api, project, { status: 'Planned', scheduled_date: FAR, content: '' })
    const exact = `<p>${'x'.repeat(1_993)}</p>`
    expect(exact).toHaveLength(2_000)
    const { status, body } = await api.put(`/articles/${id}`, { content: exact })
    expect(status).toBe(200)
    expect(body.claimed).toBe(true)
    expect(body).not.toHaveProperty('claim_note')
    expect((await api.get(`/articles/${id}`)).body).toMatchObject({ Claimed: true, claimed: true, Status: 'Planned' })
    const listed = (await api.get(`/articles?project_id=${project}`)).body.articles
    expect(listed).toMatchObject([{ ID: id, claimed: true, being_written: false }])
  })

  it('is not made by 1,999 characters: claim_note says why', async () => {
    const { api, project } = await fresh()
    const id = await newArticle(api, project, { status: 'Planned', scheduled_date: FAR, content: '' })
    const { body } = await api.put(`/articles/${id}`, { content: `<p>${'x'.repeat(1_992)}</p>` })
    expect(body).toMatchObject({ claimed: false, claim_note: expect.stringMatching(/1999.*2000/) })
    expect((await api.get(`/articles/${id}`)).body.Claimed).toBe(false)
  })

  it.each([
    ['blanks', ' '.repeat(2_000)],
    ['elements without text', '<p>&nbsp;</p>'.repeat(200)],
    ['what is taken out', `<script>${'x'.repeat(2_000)}</script>`],
  ])('is not made by 2,000 characters of %s: there would be nothing to publish', async (_, content) => {
    const { api, project } = await fresh()
    const planned = { project_id: project, keyword: 'shed', status: 'Planned', scheduled_date: FAR }
    const made = await api.post('/articles', { ...planned, content })
    const none = { claimed: false, claim_note: expect.stringContaining('shows nothing') }
    expect([made.status, made.body]).toMatchObject([201, none])
    const mine = await api.post('/articles', { ...planned, content: LONG })
    expect(mine.body.claimed).toBe(true)
    for (const { body } of [made, mine]) {
      const path = `/articles/${String(body.article_id)}`
      expect((await api.put(path, { content })).body).toMatchObject(none)
      await api.put(path, { status: 'Draft' })
      expect((await api.put(path, { status: 'Planned' })).body).not.toHaveProperty('claimed')
      expect((await api.get(path)).body.Claimed).toBe(false)
    }
  })

  it('is neither made nor spoken of by a PUT without content, or on a draft', async () => {
    const { api, project } = await fresh()
    const planned = await newArticle(api, project, { status: 'Planned', scheduled_date: FAR })
    expect((await api.put(`/articles/${planned}`, { title: LONG.slice(0, 400) })).body).not.toHaveProperty('claimed')
    const draft = await newArticle(api, project)
    expect((await api.put(`/articles/${draft}`, { content: LONG })).body).not.toHaveProperty('claimed')
    expect((await api.get(`/articles/${draft}`)).body.Claimed).toBe(false)
  })

  it('is made inside 72 hours too while the writer has not taken the article', async () => {
    const { api, project } = await fresh()
    await setCredits(stack, api.accountId, 0)
    const soon = new Date(Date.now() + 24 * 3_600_000).toISOString()
    const id = await newArticle(api, project, { status: 'Planned', scheduled_date: soon, content: '' })
    expect((await api.put(`/articles/${id}`, { content: LONG })).body.claimed).toBe(true)
  })

  it.each([
    ['writing_started_at', sql`writing_started_at = now()`],
    ['the status Generating', sql`status = 'Generating'`],
  ])('is too late after the writer has begun (%s): every PUT is 409', async (_, change) => {
    const { api, project } = await fresh()
    const id = await newArticle(api, project, { status: 'Planned', scheduled_date: FAR, content: '<p>a</p>' })
    await rowsIn(stack, sql`update articles set ${change} where id = ${id}`)
    for (const sent of [{ content: LONG }, { title: 'x' }, { status: 'Draft' }, { scheduled_date: null }]) {
      const { status, body } = await api.put(`/articles/${id}`, sent)
      expect(status).toBe(409)
      expect(body).toMatchObject({
        error: 'already_being_written',
        code: 'already_being_written',
        message: expect.any(String),
        retryable: true,
        retry_after: expect.any(Number),
      })
    }
    const { body } = await api.get(`/articles/${id}`)
    expect(body).toMatchObject({ Content: '<p>a</p>', being_written: true, Claimed: false, Revision: 1 })
  })

  it('and the writer racing for one article never both win, and never both lose', { tags: ['services'] }, async () => {
    const account = await newAccount(stack)
    const articles = await planned(account, RACES)
    const outcomes: Awaited<ReturnType<typeof race>>[] = []
    for (let from = 0; from < RACES; from += AT_ONCE) {
      const key = await anotherKey(stack, account)
      const batch = articles.slice(from, from + AT_ONCE)
      outcomes.push(...(await Promise.all(batch.map(({ id }, n) => race(key, Number(id), n)))))
    }
    expect(outcomes).toHaveLength(RACES)
    expect(await creditsOf(stack, account.accountId)).toBe(outcomes.filter(({ taken }) => taken === 0).length)
    for (const { status, claimed, taken, body } of outcomes) {
      if (taken === 1) expect([status, body.Claimed, body.Status, body.Content]).toEqual([409, false, 'Generating', ''])
      else
        expect([status, claimed, body.Claimed, body.Status, body.Content]).toEqual([200, true, true, 'Planned', LONG])
    }
  })
})

describe('content that was saved before', () => {
  it('claims when a draft with it becomes planned, and no longer when it falls back to draft', async () => {
    const api = await newAccount(stack)
    const project = await newProject(api)
    const id = await newArticle(api, project, { content: LONG })
    expect((await api.get(`/articles/${id}`)).body.Claimed).toBe(false)
    const planned = await api.put(`/articles/${id}`, { status: 'Planned', scheduled_date: '2030-01-01T09:00:00Z' })
    expect(planned.body.claimed).toBe(true)
    expect((await api.get(`/articles/${id}`)).body.Claimed).toBe(true)
    await api.put(`/articles/${id}`, { scheduled_date: null })
    expect((await api.get(`/articles/${id}`)).body).toMatchObject({ Status: 'Draft', Claimed: false })
  })

  it('counts only after the caller saved their own text, not the writer’s', async () => {
    const api = await newAccount(stack)
    const project = await newProject(api)
    const id = await newArticle(api, project, { content: LONG })
    await rowsIn(stack, sql`update articles set written_at = now() where id = ${id}::int`)
    const plan = { status: 'Planned', scheduled_date: '2030-01-01T09:00:00Z' }
    expect((await api.put(`/articles/${id}`, plan)).body).not.toHaveProperty('claimed')
    expect((await api.get(`/articles/${id}`)).body).toMatchObject({ Status: 'Planned', Claimed: false })
    await api.put(`/articles/${id}`, { status: 'Draft', content: `${LONG}<p>Mine.</p>` })
    expect((await api.put(`/articles/${id}`, plan)).body.claimed).toBe(true)
  })

  it('is counted as it was sent, not as it was cleaned', async () => {
    const api = await newAccount(stack)
    const project = await newProject(api)
    const id = await newArticle(api, project, { status: 'Planned', scheduled_date: '2030-01-01T09:00:00Z' })
    const { body } = await api.put(`/articles/${id}`, { content: `<p>short</p><script>${'x'.repeat(2_000)}</script>` })
    expect(body.claimed).toBe(true)
  })

  it('claims at creation, and the answer says so', async () => {
    const api = await newAccount(stack)
    const project = await newProject(api)
    const { body } = await api.post('/articles', {
      project_id: project,
      keyword: 'own words',
      content: LONG,
      status: 'Planned',
    })
    expect(body.claimed).toBe(true)
  })
})
