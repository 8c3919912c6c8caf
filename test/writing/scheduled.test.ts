import { sql } from 'drizzle-orm'
import { describe, expect, inject, it } from 'vitest'
import { type Api, newAccount, newArticle, newProject, rowsIn } from '../support/client.ts'
import { manyKeys } from '../support/keys.ts'
import { creditsOf, NOTES, setCredits, tick, whenWritten } from './scene.ts'

const stack = inject('stack')
const inHours = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString()

const fresh = async (settings: Record<string, unknown> = {}, plan: 'pro' | 'agentic' = 'pro') => {
  const account = await newAccount(stack, { plan })
  return { account, api: manyKeys(stack, account), project: await newProject(account, settings) }
}

const planned = (api: Api, project: number, fields: Record<string, unknown> = {}): Promise<number> =>
  newArticle(api, project, { status: 'Planned', scheduled_date: inHours(48), content: '', ...fields })

const change = (id: number, what: ReturnType<typeof sql>) =>
  rowsIn(stack, sql`update articles set ${what} where id = ${id}::int`)

describe('a planned article whose date is near', () => {
  it('is written from its notes and planned again; a credit is spent, the notes stay as a revision', async () => {
    const { account, api, project } = await fresh()
    const id = await planned(api, project, { keyword: 'garden sheds', content: `<p>${NOTES.split('\n\n')[0]}</p>` })
    await tick(stack)
    const article = await whenWritten(api, id)
    expect(article).toMatchObject({ Status: 'Planned', Claimed: false, GenerationError: null, Revision: 2 })
    expect(article.Content).toMatch(/<h2 id="garden-sheds">.*A garden shed needs a level foundation/)
    expect(article.ScheduledAt).not.toBeNull()
    expect(await creditsOf(stack, account.accountId)).toBe(29)
    await tick(stack)
    expect((await api.get(`/articles/${id}`)).body).toMatchObject({ Status: 'Planned', Revision: 2 })
  })

  it('without notes is made of what the business says of itself, and fails where it says nothing', async () => {
    const told = await fresh({ business_description: 'We build garden sheds from Dutch oak in Utrecht.' })
    const silent = await fresh()
    const ids = [await planned(told.api, told.project), await planned(silent.api, silent.project)] as const
    await tick(stack)
    expect((await whenWritten(told.api, ids[0])).Content).toContain('garden sheds from Dutch oak')
    const failed = await whenWritten(silent.api, ids[1])
    expect(failed).toMatchObject({
      Status: 'Planned',
      Content: '',
      GenerationError: expect.stringMatching(/Save notes as its content.*tries again later/),
    })
    expect(await creditsOf(stack, silent.account.accountId)).toBe(30)
    await tick(stack)
    expect((await silent.api.get(`/articles/${ids[1]}`)).body.Status).toBe('Planned')
    // Once there is something to write from, the next minute writes it.
    await silent.api.put(`/articles/${ids[1]}`, { content: '<p>Oak sheds stand for decades.</p>' })
    await tick(stack)
    expect(await whenWritten(silent.api, ids[1])).toMatchObject({
      Content: expect.stringContaining('Oak sheds stand for decades.'),
      GenerationError: null,
    })
  })

  it.each([
    ['more than 72 hours away', { scheduled_date: inHours(73) }],
    ['claimed', { content: `<p>${'word '.repeat(400)}</p>` }],
    [
      'claimed by text that was longer before it was cleaned',
      { content: `<p>Oak.</p><script>${'x'.repeat(2_000)}</script>` },
    ],
    ['a draft', { status: 'Draft', scheduled_date: undefined }],
  ])('is left alone when it is %s', async (_, fields) => {
    const { account, api, project } = await fresh({ business_description: 'We build sheds.' })
    const id = await planned(api, project, fields)
    await tick(stack)
    expect((await api.get(`/articles/${id}`)).body).toMatchObject({ being_written: false, Revision: 1 })
    expect(await creditsOf(stack, account.accountId)).toBe(30)
  })

  it.each([
    ['was written before', sql`written_at = now()`],
    ['is to wait after a failure', sql`write_after = now() + interval '1 hour'`],
    ['is being sent', sql`publish_state = 'publishing', publish_lease_until = now() + interval '1 minute'`],
    ['waits for a retry of its delivery', sql`publish_state = 'retrying'`],
  ])('is left alone when it %s', async (_, what) => {
    const { api, project } = await fresh({ business_description: 'We build sheds.' })
    const id = await planned(api, project)
    await change(id, what)
    await tick(stack)
    expect((await api.get(`/articles/${id}`)).body).toMatchObject({ Status: 'Planned', Content: '' })
  })

  it('is left alone on a plan without the writer', async () => {
    const { api, project } = await fresh({ business_description: 'We build sheds.' }, 'agentic')
    const id = await planned(api, project)
    await tick(stack)
    expect((await api.get(`/articles/${id}`)).body).toMatchObject({ Status: 'Planned', Content: '' })
  })

  it('without a credit waits, says so, and is written when there is one', async () => {
    const { account, api, project } = await fresh({ business_description: 'We build garden sheds.' })
    const id = await planned(api, project)
    await setCredits(stack, account.accountId, 0)
    await tick(stack)
    expect((await api.get(`/articles/${id}`)).body).toMatchObject({
      Status: 'Planned',
      GenerationError: expect.stringMatching(/no article credit left/),
    })
    await setCredits(stack, account.accountId, 1)
    await change(id, sql`write_after = now()`)
    await tick(stack)
    expect((await whenWritten(api, id)).Content).toContain('We build garden sheds.')
    expect(await creditsOf(stack, account.accountId)).toBe(0)
  })

  it('given up for being empty goes out once it is written', async () => {
    const { api, project } = await fresh({ business_description: 'We build garden sheds.' })
    const id = await planned(api, project)
    await change(id, sql`publish_state = 'failed', publish_error = 'empty', due_taken_at = now(), scheduled_at = now()`)
    await tick(stack)
    expect(await whenWritten(api, id)).toMatchObject({ PublishError: null, PublishState: 'idle', Status: 'Planned' })
    const [row] = await rowsIn<{ due: unknown }>(
      stack,
      sql`select due_taken_at as due from articles where id = ${id}::int`,
    )
    expect(row?.due).toBeNull()
  })
})

it('not more than three articles of one project are in the writer’s hands at once', async () => {
  const { account, api, project } = await fresh({ business_description: 'We build garden sheds.' })
  for (let n = 0; n < 5; n += 1) await planned(api, project)
  await rowsIn(
    stack,
    sql`insert into articles (account_id, project_id, status, title, main_keyword, slug, writing_started_at)
      values (${account.accountId}::int, ${project}::int, 'Generating', 't', 'k', 'held', now())`,
  )
  await tick(stack)
  expect(await creditsOf(stack, account.accountId)).toBe(28)
})

it('article credits are filled up once a month and project, and nobody loses any', async () => {
  const accounts = [await fresh(), await fresh(), await fresh()] as const
  const [spent, rich, recent] = accounts.map(({ account }) => account.accountId) as [number, number, number]
  await setCredits(stack, spent, 4)
  await setCredits(stack, rich, 500)
  await setCredits(stack, recent, 4)
  await rowsIn(
    stack,
    sql`update accounts set credits_filled_at = now() - interval '32 days' where id in (${spent}, ${rich})`,
  )
  await tick(stack)
  const all = await Promise.all([spent, rich, recent].map((id) => creditsOf(stack, id)))
  expect(all).toEqual([30, 500, 4])
  await setCredits(stack, spent, 1)
  await tick(stack)
  expect(await creditsOf(stack, spent)).toBe(1)
})
