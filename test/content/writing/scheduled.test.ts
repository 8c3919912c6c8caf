import { sql } from 'drizzle-orm'
import { describe, expect, inject, it, vi } from 'vitest'
import { setPolicy } from '../../accounts/policy/set.ts'
import { type Api, connectReceiver, newAccount, newArticle, newProject, rowsIn } from '../../support/client.ts'
import { manyKeys } from '../../support/keys.ts'
import { PATIENCE_MS } from '../../support/patience.ts'
import { creditsOf, FULL, NOTES, setCredits, tick, whenWritten } from './scene.ts'

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
    const id = await planned(api, project, FULL)
    await tick(stack)
    const article = await whenWritten(api, id)
    expect(article).toMatchObject({ Status: 'Planned', Claimed: false, GenerationError: null, PublishState: 'idle' })
    expect(article.Revision).toBe(2)
    expect(article.Content).toContain('Oak is dry at 90 cm')
    expect(article.ScheduledAt).not.toBeNull()
    expect(await creditsOf(stack, account.accountId)).toBe(29)
    await tick(stack)
    expect((await api.get(`/articles/${id}`)).body).toMatchObject({ Status: 'Planned', Revision: article.Revision })
  })

  it('with too short notes says what is missing, costs nothing, and is never published on its date', async () => {
    const { account, api, project } = await fresh()
    await connectReceiver(api, project, stack.receiverUrl, stack.receiverToken)
    const id = await planned(api, project, { keyword: 'garden sheds', content: `<p>${NOTES.split('\n\n')[0]}</p>` })
    await tick(stack)
    const article = await whenWritten(api, id)
    const missing = new RegExp(
      `does not go out on its date: The article has \\d+ words; the brief asks for 1200.*credit was returned.*PUT /articles/${id},`,
    )
    expect(article).toMatchObject({
      Status: 'Planned',
      Claimed: false,
      Revision: 2,
      PublishState: 'failed',
      GenerationError: expect.stringMatching(missing),
      PublishError: expect.stringMatching(missing),
    })
    expect(article.Content).toMatch(/<h2 id="garden-sheds">.*A garden shed needs a level foundation/)
    expect(await creditsOf(stack, account.accountId)).toBe(30)
    // Another date alone does not make it fit.
    const moved = await api.put(`/articles/${id}`, { scheduled_date: inHours(-1) })
    expect(moved.body.message).toContain('does not go out on its date')
    expect(moved.body.warnings).toEqual([expect.stringContaining('does not go out by itself')])
    await change(id, sql`scheduled_at = now() - interval '1 minute'`)
    await tick(stack)
    expect((await api.get(`/articles/${id}`)).body).toMatchObject({ Status: 'Planned', PublishState: 'failed' })
    // The caller's own text is another article. It is published and not overwritten.
    const own = `<p>${'Sheds of oak stand for decades. '.repeat(80)}</p>`
    const replaced = await api.put(`/articles/${id}`, { content: own })
    expect(replaced.body.message).toContain('is published')
    expect((await api.get(`/articles/${id}`)).body).toMatchObject({ PublishState: 'idle', GenerationError: null })
    await tick(stack)
    await vi.waitFor(
      async () => expect((await api.get(`/articles/${id}`)).body).toMatchObject({ Status: 'Published' }),
      { timeout: PATIENCE_MS, interval: 200 },
    )
    expect(await creditsOf(stack, account.accountId)).toBe(30)
  })

  it('with too short notes can be published manually', async () => {
    const { api, project } = await fresh()
    await connectReceiver(api, project, stack.receiverUrl, stack.receiverToken)
    const id = await planned(api, project, { keyword: 'garden sheds', content: '<p>Oak sheds stand for decades.</p>' })
    await tick(stack)
    expect(await whenWritten(api, id)).toMatchObject({ PublishState: 'failed' })
    expect((await api.post(`/articles/${id}/publish`)).body).toMatchObject({ status: 'published' })
    expect((await api.get(`/articles/${id}`)).body).toMatchObject({ Status: 'Published', GenerationError: null })
  })

  it('without notes is made from the business’s own description, and fails if there is none', async () => {
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
    // After it has something to write about, the next minute writes it.
    await silent.api.put(`/articles/${ids[1]}`, { content: '<p>Oak sheds stand for decades.</p>' })
    await tick(stack)
    expect(await whenWritten(silent.api, ids[1])).toMatchObject({
      Content: expect.stringContaining('Oak sheds stand for decades.'),
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
    // Its date changes in the same statement, so that another test's cron never sees a state in between.
    const id = await planned(api, project, { scheduled_date: inHours(100) })
    await change(id, sql`${what}, scheduled_at = now() + interval '48 hours'`)
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
    const { account, api, project } = await fresh()
    await setCredits(stack, account.accountId, 0)
    const id = await planned(api, project, FULL)
    await tick(stack)
    expect((await api.get(`/articles/${id}`)).body).toMatchObject({
      Status: 'Planned',
      GenerationError: expect.stringMatching(new RegExp(`no article credit left.*PUT /articles/${id}\\.$`)),
    })
    await setCredits(stack, account.accountId, 1)
    await change(id, sql`write_after = now()`)
    await tick(stack)
    expect((await whenWritten(api, id)).Content).toContain('Oak is dry at 90 cm')
    expect(await creditsOf(stack, account.accountId)).toBe(0)
  })

  it('over the budget of its project leaves the credit of the account to a later one', async () => {
    const { account, api, project } = await fresh()
    await setCredits(stack, account.accountId, 0)
    const other = await newProject(api)
    await setPolicy(stack, project, { monthly_budget: { article_credits: 0, crowdwork_dollars: null } })
    await planned(api, project, { scheduled_date: inHours(24) })
    const id = await planned(api, other, FULL)
    await setCredits(stack, account.accountId, 1)
    await rowsIn(stack, sql`update articles set write_after = null where account_id = ${account.accountId}::int`)
    await tick(stack)
    expect((await whenWritten(api, id)).Content).toContain('Oak is dry at 90 cm')
    expect(await creditsOf(stack, account.accountId)).toBe(0)
  })

  it('that failed as empty is written after its date, too, and says what is missing', async () => {
    const { account, api, project } = await fresh({ business_description: 'We build garden sheds.' })
    const id = await planned(api, project, { scheduled_date: inHours(100) })
    await change(id, sql`publish_state = 'failed', publish_error = 'empty', due_taken_at = now(), scheduled_at = now()`)
    await tick(stack)
    expect(await whenWritten(api, id)).toMatchObject({
      Status: 'Planned',
      Content: expect.stringContaining('We build garden sheds.'),
      PublishState: 'failed',
      PublishError: expect.stringMatching(/does not go out on its date: The article has/),
    })
    expect(await creditsOf(stack, account.accountId)).toBe(30)
  })
})

it('article credits are filled up once a month and project, and no account loses any', async () => {
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
