import { randomBytes } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { describe, expect, inject, it } from 'vitest'
import { type Api, newAccount, newProject, rowsIn } from '../../support/client.ts'
import { fieldsOf, manyKeys } from '../../support/keys.ts'

const stack = inject('stack')
const host = (): string => `${randomBytes(6).toString('hex')}.example`

const activeCount = async (api: Api): Promise<[counted: number, rows: number]> => {
  const [row] = await rowsIn<{ counted: number; rows: string }>(
    stack,
    sql`select active_projects as counted, (select count(*) from projects where account_id = a.id and status = 'Active') as rows
      from accounts a where id = ${api.accountId}`,
  )
  return [Number(row?.counted), Number(row?.rows)]
}

describe('POST /projects', () => {
  it('answers 201 with every field', async () => {
    const api = await newAccount(stack, { projects: 3 })
    const { status, body } = await api.post('/projects', {
      website_url: 'https://tea.example',
      business_name: 'Tea House',
      tone: 'persuasive',
      internal_links: 4,
      articles_per_day: 3,
      nonsense: true,
    })
    expect(status).toBe(201)
    expect(body).toEqual({
      project_id: expect.any(Number),
      website_url: 'https://tea.example',
      backlink_credits: 3,
      project_slots: { used: 1, total: 3 },
      message: expect.any(String),
      next_step: expect.any(String),
      settings_applied: expect.any(Array),
      ignored: ['articles_per_day', 'nonsense'],
      notes: {
        articles_per_day: expect.stringContaining(`POST /projects/${body.project_id}/article-plan`),
        nonsense: expect.stringMatching(/\w+ .*\./),
      },
    })
    expect([...(body.settings_applied as string[])].sort()).toEqual([
      'business_name',
      'internal_links_per_article',
      'tone',
    ])
    const { body: read } = await api.get(`/projects/${String(body.project_id)}`)
    expect(read.settings).toMatchObject({
      business_name: 'Tea House',
      tone: 'Persuasive',
      internal_links_per_article: 4,
    })
  })

  it.each([
    ['pro', '/onboarding'],
    ['agentic', '/keywords/search'],
  ] as const)('says what to do next on plan %s', async (plan, next) => {
    const api = await newAccount(stack, { plan })
    const { body } = await api.post('/projects', { website_url: 'https://next.example' })
    expect(body.next_step).toContain(next)
    expect(String(body.next_step).includes('/onboarding')).toBe(plan === 'pro')
  })

  it('stores every kind of setting on the way in, nulls included', async () => {
    const api = await newAccount(stack)
    const settings = {
      ai_instructions: null,
      image_style: null,
      target_audience: ['cooks'],
      videos_enabled: true,
      weekly_suggestions: false,
      brand_color: '#aabbcc',
      table_of_contents: true,
      image_hosting: 'cms',
    }
    const { body, status } = await api.post('/projects', { website_url: host(), ...settings })
    expect(status).toBe(201)
    const { body: read } = await api.get(`/projects/${String(body.project_id)}`)
    expect(read.settings).toMatchObject({ ...settings, image_hosting: 'CMS' })
  })

  it.each([
    ['example.com/', 'https://example.com'],
    ['HTTP://WWW.Example.COM/Blog/', 'http://www.example.com/Blog'],
    ['https://example.com/blog?utm=1#top', 'https://example.com/blog'],
    ['https://example.com:8443', 'https://example.com:8443'],
    ['https://example.com:443/', 'https://example.com'],
    ['  bücher.example  ', 'https://xn--bcher-kva.example'],
  ])('takes %s as %s', async (given, stored) => {
    const api = await newAccount(stack)
    const { status, body } = await api.post('/projects', { website_url: given })
    expect(status).toBe(201)
    expect(body.website_url).toBe(stored)
  })

  it('answers 200 for the same site in any spelling, creating nothing', async () => {
    const api = manyKeys(stack, await newAccount(stack, { projects: 1 }))
    const name = host()
    const made = await api.post('/projects', { website_url: `https://www.${name}/blog` })
    const variants = [
      `https://${name}/blog`,
      `http://${name}/blog/`,
      `${name}/blog`,
      `WWW.${name.toUpperCase()}/blog`,
      `https://${name}/blog?a=1`,
      `https://${name}/blog#x`,
      `https://${name}./blog`,
      `https://${name}:443/blog///`,
    ]
    for (const website_url of variants) {
      const { status, body } = await api.post('/projects', { website_url, business_name: 'Changed' })
      expect([website_url, status]).toEqual([website_url, 200])
      expect(body).toEqual({
        project_id: made.body.project_id,
        website_url: `https://www.${name}/blog`,
        already_existed: true,
        message: expect.any(String),
      })
    }
    const { body } = await api.get(`/projects/${String(made.body.project_id)}`)
    expect(body.settings).toMatchObject({ business_name: '' })
    expect(await activeCount(api)).toEqual([1, 1])
  })

  it('treats another path or port of a host as another site, and allows the same site in another account', async () => {
    const [api, other] = await Promise.all([newAccount(stack), newAccount(stack)])
    const name = host()
    const answers = [
      await api.post('/projects', { website_url: `https://${name}` }),
      await api.post('/projects', { website_url: `https://${name}/de` }),
      await api.post('/projects', { website_url: `https://${name}:8443` }),
      await other.post('/projects', { website_url: `https://${name}` }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201])
    expect(new Set(answers.map(({ body }) => body.project_id)).size).toBe(4)
  })

  it('creates another when the earlier project of the site is archived', async () => {
    const api = await newAccount(stack)
    const website_url = `https://${host()}`
    const first = await newProject(api, { website_url })
    await rowsIn(stack, sql`update projects set status = 'Archived' where id = ${first}`)
    const { status, body } = await api.post('/projects', { website_url })
    expect(status).toBe(201)
    expect(body.project_id).not.toBe(first)
  })
})

describe('POST /projects refuses', () => {
  it.each([
    ['nothing', {}, 'invalid_input', 'website_url'],
    ['an empty address', { website_url: ' ' }, 'invalid_input', 'website_url'],
    ['a number', { website_url: 7 }, 'invalid_input', 'website_url'],
    ['no host', { website_url: 'https://' }, 'invalid_input', 'website_url'],
    ['ftp', { website_url: 'ftp://site.example' }, 'forbidden_url', 'website_url'],
    ['credentials', { website_url: 'https://me:secret@site.example' }, 'forbidden_url', 'website_url'],
    ['a private network', { website_url: 'http://192.168.1.10' }, 'forbidden_url', 'website_url'],
    ['metadata', { website_url: 'http://169.254.169.254/latest' }, 'forbidden_url', 'website_url'],
    ['a bare name', { website_url: 'intranet' }, 'forbidden_url', 'website_url'],
    [
      'a host of 300 characters',
      { website_url: `https://${'long.'.repeat(58)}example.nl` },
      'forbidden_url',
      'website_url',
    ],
    ['a bad setting', { website_url: 'fine.example', tone: 'Angry' }, 'invalid_input', 'tone'],
    [
      'a private sitemap',
      { website_url: 'fine.example', sitemap_url: 'http://10.0.0.1/s.xml' },
      'forbidden_url',
      'sitemap_url',
    ],
  ])('%s with 400', async (_, body, code, field) => {
    const api = await newAccount(stack, { projects: 1 })
    const answer = await api.post('/projects', body)
    expect(answer.status).toBe(400)
    expect(answer.body).toMatchObject({ code, retryable: false, request_id: expect.any(String) })
    expect(fieldsOf(answer.body)).toEqual([field])
    expect(await activeCount(api)).toEqual([0, 0])
  })

  it('a project beyond the paid slots with 402 and what to do', async () => {
    const api = await newAccount(stack, { projects: 1 })
    await newProject(api)
    const wanted = { website_url: `https://${host()}` }
    const { status, body } = await api.post('/projects', wanted)
    expect(status).toBe(402)
    expect(body).toEqual({
      error: 'project_limit_reached',
      message: expect.any(String),
      code: 'project_limit_reached',
      retryable: true,
      active_projects: 1,
      project_quantity: 1,
      purchase_url: expect.stringMatching(`^${stack.url}/`),
      instructions_for_agent: expect.stringContaining(body.purchase_url as string),
      docs_url: `${stack.url}/docs/errors/project_limit_reached`,
      request_id: expect.any(String),
    })
    await rowsIn(stack, sql`update accounts set project_slots = 2 where id = ${api.accountId}`)
    expect((await api.post('/projects', wanted)).status).toBe(201)
  })

  it('and has the true number of projects after slots were removed', async () => {
    const api = await newAccount(stack, { projects: 2 })
    await newProject(api)
    await newProject(api)
    await rowsIn(stack, sql`update accounts set project_slots = 1 where id = ${api.accountId}`)
    const { status, body } = await api.post('/projects', { website_url: host() })
    expect(status).toBe(402)
    expect(body).toMatchObject({ active_projects: 2, project_quantity: 1 })
  })
})

describe('POST /projects at the same moment', () => {
  it('gives the last slot to one of two: one 201, one 402', { tags: ['services'] }, async () => {
    for (let round = 0; round < 8; round += 1) {
      const api = await newAccount(stack, { projects: 1 })
      const answers = await Promise.all([
        api.post('/projects', { website_url: host() }),
        api.post('/projects', { website_url: host() }),
      ])
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 402])
      const refused = answers.find(({ status }) => status === 402)
      expect(refused?.body).toMatchObject({
        error: 'project_limit_reached',
        active_projects: 1,
        project_quantity: 1,
        purchase_url: expect.any(String),
        instructions_for_agent: expect.any(String),
      })
      expect(await activeCount(api)).toEqual([1, 1])
    }
  })

  it('makes one project of five calls for one site', { tags: ['services'] }, async () => {
    const api = await newAccount(stack, { projects: 5 })
    const website_url = `https://${host()}`
    const answers = await Promise.all(Array.from({ length: 5 }, () => api.post('/projects', { website_url })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 201])
    expect(new Set(answers.map(({ body }) => body.project_id)).size).toBe(1)
    expect(await activeCount(api)).toEqual([1, 1])
  })
})
