import { sql } from 'drizzle-orm'
import { describe, expect, inject, it } from 'vitest'
import { newAccount, newProject, rowsIn } from '../../support/client.ts'
import { expectError } from '../../support/contract.ts'
import { manyKeys } from '../../support/keys.ts'
import { creditsOf, generate, NOTES, setCredits, whenWritten } from './scene.ts'

const stack = inject('stack')

const fresh = async (settings: Record<string, unknown> = {}, plan: 'pro' | 'agentic' | 'accelerator' = 'pro') => {
  const account = await newAccount(stack, { plan })
  return { account, api: manyKeys(stack, account), project: await newProject(account, settings) }
}

describe('POST /articles/generate', () => {
  it('answers 202 at once; a draft that falls short of its checks is failed, and the credit comes back', async () => {
    const { account, api, project } = await fresh({ table_of_contents: true })
    const { status, body } = await generate(api, project)
    expect(status).toBe(202)
    expect(body).toEqual({
      article_id: expect.any(Number),
      status: 'generating',
      keyword: 'garden sheds',
      slug: 'garden-sheds',
      message: expect.stringContaining(`GET /articles/${body.article_id} `),
      article_credits_remaining: 29,
    })
    const article = await whenWritten(api, body.article_id as number)
    expect(article).toMatchObject({
      Status: 'Draft',
      Title: 'garden sheds',
      ArticleStyle: 'Informative',
      PublishState: 'failed',
      GenerationError: expect.stringMatching(/falls short.*has \d+ words.*credit was returned.*PUT \/articles/),
      Progress: null,
      Claimed: false,
      MetaDescription: expect.stringMatching(/^.{70,160}$/),
    })
    const content = article.Content as string
    for (const said of [
      'A garden shed needs a level foundation, such as concrete slabs or a timber frame.',
      'Roof felt lasts about 12 years, shingles 25 years.',
      '"Double doors save your back," says Jan Smit, who has built 40 sheds.',
      '<a href="https://council.example/permits">',
      'How long does it take?</h3><p>Two people build one in a weekend.</p>',
    ])
      expect(content).toContain(said)
    const { passed } = article.Seo as { passed: string[] }
    expect(passed).toEqual(
      expect.arrayContaining([
        'keyword_in_title',
        'keyword_in_introduction',
        'keyword_in_heading',
        'heading_structure',
      ]),
    )
    expect(passed).toEqual(expect.arrayContaining(['heading_ids', 'table_of_contents', 'meta_description_length']))
    expect(await creditsOf(stack, account.accountId)).toBe(30)
  })

  it('shows it as Generating with progress; no call may change, delete or publish it meanwhile', async () => {
    const { account, api, project } = await fresh()
    const [{ id } = { id: 0 }] = await rowsIn<{ id: number }>(
      stack,
      sql`insert into articles (account_id, project_id, status, title, main_keyword, slug, writing_started_at, progress)
        values (${account.accountId}::int, ${project}::int, 'Generating', 't', 'k', 'k', now(), '{"step":2,"of":6,"percent":33,"label":"Writing"}'::jsonb)
        returning id`,
    )
    expect((await api.get(`/articles/${id}`)).body).toMatchObject({
      Status: 'Generating',
      being_written: true,
      Progress: { step: 2, of: 6, percent: 33, label: 'Writing' },
    })
    const listed = (await api.get(`/articles?project_id=${project}&status=Generating`)).body.articles
    expect(listed).toMatchObject([{ ID: id, being_written: true }])
    expectError(await api.put(`/articles/${id}`, { title: 'mine' }), 'already_being_written')
    expectError(await api.del(`/articles/${id}`), 'already_being_written')
    expectError(await api.post(`/articles/${id}/publish`), 'already_being_written')
  })

  it('refuses a plan without the writer with 402 plan_required, after a foreign project', async () => {
    const { api, project } = await fresh({}, 'agentic')
    const answer = await generate(api, project)
    expectError(answer, 'plan_required')
    expect(answer.body).toMatchObject({
      error: 'plan_required',
      upgrade_url: expect.stringMatching(/^http/),
      instructions_for_agent: expect.stringContaining('POST /articles'),
    })
    const other = await fresh()
    expectError(await generate(api, other.project), 'forbidden')
    expectError(await generate(api, 2_147_483_647), 'not_found')
  })

  it('refuses without a credit, and does not keep that 402', async () => {
    const { account, api, project } = await fresh()
    await setCredits(stack, account.accountId, 0)
    const withKey = { headers: { 'idempotency-key': 'one-article' } }
    const body = { project_id: project, keyword: 'garden sheds', source_content: NOTES }
    const refused = await api.post('/articles/generate', body, withKey)
    expectError(refused, 'no_article_credits')
    expect(refused.body).toMatchObject({ error: 'no_article_credits', upgrade_url: expect.stringMatching(/^http/) })
    await setCredits(stack, account.accountId, 2)
    const first = await api.post('/articles/generate', body, withKey)
    expect([first.status, first.body.article_credits_remaining]).toEqual([202, 1])
    const again = await api.post('/articles/generate', body, withKey)
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    expect(again.body).toEqual(first.body)
    expect(await creditsOf(stack, account.accountId)).toBe(1)
    await whenWritten(api, first.body.article_id as number)
  })

  it.each([
    ['no source_content', { source_content: undefined }],
    ['blank source_content', { source_content: ' \n ' }],
    ['source_content that shows nothing', { source_content: '<p>&nbsp;</p><br>' }],
    ['too much of it', { source_content: 'x'.repeat(200_001) }],
  ])('refuses %s, naming the field', async (_, fields) => {
    const { api, project } = await fresh()
    const answer = await generate(api, project, fields)
    expectError(answer, 'invalid_input')
    expect(answer.body.details).toMatchObject([{ field: 'source_content' }])
  })

  it('calls at once for the last credits get 202 with a slug of their own, and then 402', {
    tags: ['services'],
  }, async () => {
    const { account, api, project } = await fresh()
    await setCredits(stack, account.accountId, 3)
    const answers = await Promise.all(Array.from({ length: 4 }, () => generate(api, project)))
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 202, 202, 402])
    const made = answers.filter(({ status }) => status === 202).map(({ body }) => body)
    expect(made.map(({ slug }) => slug).sort()).toEqual(['garden-sheds', 'garden-sheds-2', 'garden-sheds-3'])
    expect(made.map((body) => body.article_credits_remaining).sort()).toEqual([0, 1, 2])
    for (const { article_id: id } of made) expect((await whenWritten(api, id as number)).Status).toBe('Draft')
    // The texts fail their checks: each gives its credit back once.
    expect(await creditsOf(stack, account.accountId)).toBe(3)
  })

  it('returns the credit if nothing can be written, with the notes in the draft', async () => {
    const { account, api, project } = await fresh({ banned_phrases: ['forbidden words'] })
    const { body } = await generate(api, project, { source_content: '<p onclick="x()">Only forbidden words here</p>' })
    const article = await whenWritten(api, body.article_id as number)
    expect(article).toMatchObject({
      Status: 'Draft',
      Content: '<p>Only forbidden words here</p>',
      Progress: null,
      PublishState: 'failed',
      GenerationError: expect.stringMatching(/nothing to write.*credit was returned/),
    })
    expect(await creditsOf(stack, account.accountId)).toBe(30)
  })
})

describe('article credits', () => {
  it.each([
    ['agentic', 0],
    ['pro', 30],
    ['accelerator', 90],
  ] as const)('come with every project: %s has %i', async (plan, credits) => {
    const { account } = await fresh({}, plan)
    await newProject(account)
    expect(await creditsOf(stack, account.accountId)).toBe(credits * 2)
  })
})
