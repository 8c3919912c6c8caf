import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { type Api, newAccount, newArticle, newProject, rowsIn } from '../../support/client.ts'
import { manyKeys, rowsOf, walk } from '../../support/keys.ts'

const stack = inject('stack')

const idsOf = async (api: Api, query: string): Promise<unknown[]> => {
  const { status, body, text } = await api.get(`/articles?${query}`)
  if (status !== 200) throw new Error(text)
  return rowsOf(body, 'articles').map((row) => row.ID)
}

/** Many articles by one statement; newest id last. */
const seed = (api: Api, project: number, count: number, status = 'Draft') =>
  rowsIn<{ id: number }>(
    stack,
    sql`insert into articles (account_id, project_id, status, title, main_keyword, slug)
      select ${api.accountId}::int, ${project}::int, ${status}, 'Title ' || n, 'keyword ' || n, ${status.toLowerCase()} || '-' || n
      from generate_series(1, ${count}::int) n returning id`,
  )

describe('GET /articles', () => {
  it('shows every field of a row', async () => {
    const api = await newAccount(stack)
    const project = await newProject(api, { timezone: 'Europe/Amsterdam' })
    const id = await newArticle(api, project, {
      keyword: 'oat milk',
      title: 'Oat milk',
      status: 'Planned',
      scheduled_date: '2031-07-01T10:00:00',
      article_style: 'Listicle',
    })
    const { status, body } = await api.get('/articles')
    expect(status).toBe(200)
    expect(body).toEqual({
      articles: [
        {
          ID: id,
          Title: 'Oat milk',
          MainKeyword: 'oat milk',
          Status: 'Planned',
          ScheduledDate: '2031-07-01T10:00:00',
          ScheduledAt: '2031-07-01T08:00:00.000Z',
          ProjectID: project,
          Slug: 'oat-milk',
          ArticleStyle: 'Listicle',
          Url: null,
          PublishState: 'idle',
          origin: 'own',
          PublishedAt: null,
          UpdatedAt: expect.stringMatching(/Z$/),
          claimed: false,
          being_written: false,
          external_ref: null,
        },
      ],
      count: 1,
      limit: 50,
      offset: 0,
      next_offset: null,
      before_id: null,
    })
  })

  it('pages have 50 rows or up to 200, and every row comes once by cursor and by offset', async () => {
    const api = await newAccount(stack)
    const rows = await seed(api, await newProject(api), 230)
    const newest = rows.map(({ id }) => Number(id)).sort((a, b) => b - a)
    const first = await api.get('/articles')
    expect(first.body).toMatchObject({ count: 50, limit: 50, offset: 0, next_offset: 50, before_id: newest[49] })
    const most = await api.get('/articles?limit=5000')
    expect(most.body).toMatchObject({ count: 200, limit: 200, next_offset: 200, before_id: newest[199] })
    expect(rowsOf(most.body, 'articles').map((row) => row.ID)).toEqual(newest.slice(0, 200))
    const last = await api.get('/articles?limit=200&offset=200')
    expect(last.body).toMatchObject({ count: 30, limit: 200, offset: 200, next_offset: null, before_id: null })
    expect((await walk(api, '/articles?limit=37', 'articles')).map((row) => row.ID)).toEqual(newest)
    expect(await idsOf(api, 'offset=230')).toEqual([])
    expect((await api.get('/articles?limit=230')).body.limit).toBe(200)
  })

  it('continues correctly while new articles are created', async () => {
    const api = await newAccount(stack)
    const project = await newProject(api)
    await seed(api, project, 6)
    const first = await api.get('/articles?limit=3')
    const shown = rowsOf(first.body, 'articles').map((row) => row.ID)
    await seed(api, project, 4, 'Planned')
    const rest = await walk(api, `/articles?limit=3`, 'articles')
    const below = await idsOf(api, `limit=3&before_id=${String(first.body.before_id)}`)
    expect(below.some((id) => shown.includes(id))).toBe(false)
    expect(below).toHaveLength(3)
    // A page below a row has more pages below it, and no offset to go on from.
    const next = (await api.get(`/articles?limit=2&before_id=${String(first.body.before_id)}`)).body
    expect(next).toMatchObject({ count: 2, next_offset: null, before_id: below[1] })
    expect(rest).toHaveLength(10)
  })

  it('filters by project and by status in any case', async () => {
    const api = await newAccount(stack)
    const [a, b] = [await newProject(api), await newProject(api)]
    const drafts = await seed(api, a, 2)
    const planned = await seed(api, a, 3, 'Planned')
    await seed(api, b, 1, 'Generating')
    const count = async (query: string) => (await idsOf(api, query)).length
    expect(await count(`project_id=${a}`)).toBe(5)
    expect(await count('status=Generating')).toBe(1)
    expect(await count('status=Published')).toBe(0)
    expect((await idsOf(api, 'status=draft')).sort()).toEqual(drafts.map(({ id }) => Number(id)).sort())
    expect(await count(`project_id=${a}&status=PLANNED`)).toBe(planned.length)
    expect(await count(`project_id=${b}&status=Planned`)).toBe(0)
  })

  it('never shows articles of another account', async () => {
    const [api, other] = await Promise.all([newAccount(stack), newAccount(stack)])
    const theirs = await newProject(other)
    await newArticle(other, theirs)
    expect(await idsOf(api, '')).toEqual([])
    expect((await api.get(`/articles?project_id=${theirs}`)).status).toBe(403)
    expect((await api.get('/articles?project_id=2147483647')).status).toBe(404)
  })

  it.each([
    'limit=0',
    'limit=-5',
    'limit=ten',
    'offset=-1',
    'before_id=0',
    'project_id=0',
    'project_id=x',
    'status=Gone',
    'scheduled_after=soon',
    'scheduled_before=2027-02-30',
    'scheduled_before=2027-02-03T09:00:00%2B99:99',
  ])('refuses %s', async (query) => {
    const api = await newAccount(stack)
    const { status, body } = await api.get(`/articles?${query}`)
    expect(status).toBe(400)
    expect(body).toMatchObject({ code: 'invalid_input', details: [{ field: query.split('=')[0] }] })
  })

  it('explains that a + in an offset must be %2B, which works', async () => {
    const api = await newAccount(stack)
    for (const time of ['2031-03-01T09:00:00+01:00', '2031-03-01T09:00+0100', '2031-03-01 09:00:00.5+01:00']) {
      const { status, body } = await api.get(`/articles?updated_after=${time.replace(' ', 'T')}`)
      expect([status, body.error]).toEqual([400, expect.stringMatching(/^updated_after: .*in a query write \+ as %2B/)])
      expect((await api.get(`/articles?updated_after=${encodeURIComponent(time)}`)).status).toBe(200)
    }
  })
})

describe('GET /articles?q=', () => {
  const titles: Record<string, [title: string, keyword: string]> = {
    percent: ['Save 50% today', 'discount'],
    fifty: ['Save 500 today', 'rebate'],
    underscore: ['The snake_case guide', 'naming'],
    snake: ['The snakeXcase guide', 'naming two'],
    backslash: ['Paths like C:\\temp', 'windows'],
    quote: ["It's a 'quoted' word", 'quotes'],
    upper: ['ALL CAPITALS', 'Shouting'],
    accent: ['Crème brûlée', 'dessert'],
  }
  const ids: Record<string, number> = {}
  let api: Api

  beforeAll(async () => {
    api = manyKeys(stack, await newAccount(stack))
    const project = await newProject(api)
    for (const [name, [title, keyword]] of Object.entries(titles))
      ids[name] = await newArticle(api, project, { title, keyword })
  })

  it.each([
    ['50%', ['percent']],
    ['%', ['percent']],
    ['snake_case', ['underscore']],
    ['_', ['underscore']],
    ['\\', ['backslash']],
    ['C:\\t', ['backslash']],
    ["'quoted'", ['quote']],
    ['capitals', ['upper']],
    ['SHOUT', ['upper']],
    ['naming', ['underscore', 'snake']],
    ['Crème', ['accent']],
    ['brûl', ['accent']],
    ['today discount', []],
    ['nothing of the kind', []],
    ['  dessert  ', ['accent']],
  ])('%s', async (q, names) => {
    const found = await idsOf(api, `q=${encodeURIComponent(q)}`)
    expect([...found].sort()).toEqual(names.map((name) => ids[name]).sort())
  })

  it('empty finds everything, and it works together with other filters', async () => {
    expect(await idsOf(api, 'q=')).toHaveLength(Object.keys(titles).length)
    expect(await idsOf(api, 'q=naming&limit=1')).toEqual([ids.snake])
    expect(await idsOf(api, 'q=naming&status=Planned')).toEqual([])
  })
})

describe('GET /articles?q= of an account with thousands of articles', () => {
  const COUNT = 3_400
  let api: Api
  let outsider: Api
  let project: number

  /**
   * Makes articles with telling keywords: `plank 1` is the oldest, every hundredth is about elm, the first ten about
   * ash.
   */
  const fill = async (to: Api, into: number) =>
    await rowsIn(
      stack,
      sql`insert into articles (account_id, project_id, status, title, main_keyword, slug)
        select ${to.accountId}::int, ${into}::int, case when n % 2 = 0 then 'Draft' else 'Planned' end,
          'Plank ' || n || case when n % 100 = 0 then ' of elm' else '' end || case when n <= 10 then ' of ash' else '' end,
          'plank ' || n, 'plank-' || n from generate_series(1, ${COUNT}::int) n order by n`,
    )
  const titles = async (query: string) => {
    const { body } = await api.get(`/articles?${query}`)
    return { ...body, titles: (body.articles as { Title: string }[]).map(({ Title }) => Title) }
  }

  beforeAll(async () => {
    api = manyKeys(stack, await newAccount(stack))
    outsider = manyKeys(stack, await newAccount(stack))
    project = await newProject(api)
    await fill(api, project)
    await fill(outsider, await newProject(outsider))
  })

  it('finds words of the oldest articles only, and none of other accounts', async () => {
    const expected = Array.from({ length: 10 }, (_, n) => `Plank ${10 - n} of ash`)
    expect(await titles('q=of+ash')).toMatchObject({ titles: expected, count: 10, next_offset: null })
    expect((await titles('q=of+ash&status=Draft')).titles).toEqual(expected.filter((_, n) => n % 2 === 0))
    expect((await titles(`q=of+ash&project_id=${project}`)).titles).toEqual(expected)
    expect(await titles('q=of+ash')).not.toHaveProperty('search_limited')
  })

  it('continues from the newest to the oldest page by page, each once', async () => {
    const expected = Array.from({ length: 34 }, (_, n) => `Plank ${COUNT - n * 100} of elm`)
    const seen: string[] = []
    for (let offset: unknown = 0; offset !== null; ) {
      const answer = await titles(`q=elm&limit=9&offset=${offset}`)
      seen.push(...answer.titles)
      offset = (answer as unknown as { next_offset: unknown }).next_offset
    }
    expect(seen).toEqual(expected)
    expect((await titles('q=elm&status=Draft,Planned&limit=200')).titles).toEqual(expected)
    // So many hits are among the newest that a page is likely to be full without the index; it is not.
    expect((await titles('q=elm')).titles).toEqual(expected)
    expect((await titles('q=elm&updated_after=2000-01-01')).titles).toEqual(expected)
  })

  it('searches only the newest for a word that is too short for the index, and says so', async () => {
    expect(await titles('q=of&limit=2')).toMatchObject({
      titles: [`Plank ${COUNT} of elm`, `Plank ${COUNT - 100} of elm`],
      search_limited: true,
    })
  })
})

describe('GET /articles by date', () => {
  const dates = ['2031-03-01T00:00:00', '2031-03-01T23:59:59', '2031-03-02T00:00:00', '2031-03-02T12:30:00']
  let api: Api
  const ids: number[] = []
  let tokyo = 0

  beforeAll(async () => {
    api = manyKeys(stack, await newAccount(stack))
    const project = await newProject(api, { timezone: 'America/New_York' })
    for (const scheduled_date of dates) ids.push(await newArticle(api, project, { scheduled_date }))
    await newArticle(api, project)
    const east = await newProject(api, { timezone: 'Asia/Tokyo' })
    tokyo = await newArticle(api, east, { scheduled_date: '2031-03-02T00:00:00' })
  })

  const expectFound = async (query: string, wanted: unknown[]) =>
    expect([...(await idsOf(api, query))].sort()).toEqual([...wanted].sort())

  it('includes both dates, in the time zone of each project', async () => {
    await expectFound('scheduled_after=2031-03-02', [ids[2], ids[3], tokyo])
    await expectFound('scheduled_before=2031-03-01', [ids[0], ids[1]])
    await expectFound('scheduled_after=2031-03-01&scheduled_before=2031-03-01', [ids[0], ids[1]])
    await expectFound('scheduled_after=2031-03-02&scheduled_before=2031-03-02', [ids[2], ids[3], tokyo])
    await expectFound('scheduled_after=2031-03-03', [])
    // A range that is wider than the zones are apart, and one that ends when one zone is past the day and the other is
    // not.
    await expectFound('scheduled_after=2031-02-01&scheduled_before=2031-04-01', [...ids, tokyo])
    await expectFound('scheduled_after=2031-02-01&scheduled_before=2031-03-01', [ids[0], ids[1]])
    await expectFound('scheduled_after=2031-03-02&scheduled_before=2031-04-01', [ids[2], ids[3], tokyo])
    await expectFound('scheduled_after=2031-02-01&scheduled_before=2031-03-02T00:00:00&status=Draft,Planned', [
      ids[0],
      ids[1],
      ids[2],
      tokyo,
    ])
  })

  it('takes times inclusively', async () => {
    await expectFound('scheduled_after=2031-03-02T12:30:00', [ids[3]])
    await expectFound('scheduled_after=2031-03-02T12:30:01', [])
    await expectFound('scheduled_before=2031-03-01T00:00:00', [ids[0]])
    await expectFound('scheduled_before=2031-03-01T00:00', [ids[0]])
  })

  it('takes an offset as an instant', async () => {
    await expectFound('scheduled_after=2031-03-02T17:30:00Z', [ids[3]])
    await expectFound('scheduled_before=2031-03-01T15:00:00Z', [ids[0], tokyo])
    await expectFound('scheduled_before=2031-03-02T00:00:00%2B09:00', [ids[0], tokyo])
    await expectFound('scheduled_before=2031-03-02T00:00:00,5%2B0900', [ids[0], tokyo])
    await expectFound('scheduled_after=2031-03-02T17:30Z&scheduled_before=2031-03-02T12:30:00-05', [ids[3]])
  })
})

describe('GET /articles by several statuses, by state and by change', () => {
  let api: Api
  const ids: Record<string, number> = {}
  let project = 0

  beforeAll(async () => {
    api = manyKeys(stack, await newAccount(stack))
    project = await newProject(api)
    const other = await newProject(api)
    const states = [
      ['draft', 'Draft', 'idle'],
      ['failedDraft', 'Draft', 'failed'],
      ['planned', 'Planned', 'idle'],
      ['retrying', 'Planned', 'retrying'],
      ['live', 'Published', 'idle'],
      ['failedSync', 'Published', 'failed'],
    ] as const
    for (const [name, status, state] of states) {
      ids[name] = await newArticle(api, name === 'draft' ? other : project)
      await rowsIn(
        stack,
        sql`update articles set status = ${status}, publish_state = ${state}, published_at = now(),
          updated_at = ${name === 'live' ? '2040-05-05T10:00:00Z' : '2040-05-04T10:00:00Z'}::timestamptz where id = ${ids[name]}::int`,
      )
    }
  })

  it.each([
    ['status=Draft,Planned', ['retrying', 'planned', 'failedDraft', 'draft']],
    ['status=published,Draft', ['failedSync', 'live', 'failedDraft', 'draft']],
    ['publish_state=failed', ['failedSync', 'failedDraft']],
    ['publish_state=Failed,retrying', ['failedSync', 'retrying', 'failedDraft']],
    ['publish_state=idle', ['live', 'planned', 'draft']],
    ['publish_state=failed,idle&status=Draft,Published', ['failedSync', 'live', 'failedDraft', 'draft']],
    ['publish_state=failed&status=Planned', []],
    ['publish_state=unknown', []],
    ['updated_after=2040-05-05', ['live']],
    ['updated_after=2040-05-05T10:00:00Z', ['live']],
    ['updated_after=2040-05-04T10:00:00.001Z&status=Draft,Published', ['live']],
    ['updated_after=2040-05-06', []],
  ])('%s', async (query, names) => {
    expect(await idsOf(api, query)).toEqual(names.map((name) => ids[name]))
  })

  it('is narrowed to a project, and paged by offset and by row like any list', async () => {
    expect(await idsOf(api, `project_id=${project}&status=Draft,Planned`)).toEqual([
      ids.retrying,
      ids.planned,
      ids.failedDraft,
    ])
    const query = 'status=Draft,Planned,Published&limit=2'
    expect((await walk(api, `/articles?${query}`, 'articles')).map((row) => row.ID)).toEqual(
      ['failedSync', 'live', 'retrying', 'planned', 'failedDraft', 'draft'].map((name) => ids[name]),
    )
    const second = await api.get(`/articles?${query}&offset=2`)
    expect(second.body).toMatchObject({ count: 2, limit: 2, offset: 2, next_offset: 4, before_id: ids.planned })
    const below = await api.get(`/articles?${query}&before_id=${ids.live}`)
    expect(below.body).toMatchObject({ count: 2, next_offset: null, before_id: ids.planned })
  })

  it('has the state of publishing in every row', async () => {
    const [row] = rowsOf((await api.get('/articles?publish_state=failed&status=Published')).body, 'articles')
    expect(row).toMatchObject({
      ID: ids.failedSync,
      PublishState: 'failed',
      PublishedAt: expect.stringMatching(/Z$/),
      UpdatedAt: '2040-05-04T10:00:00.000Z',
    })
    const [draft] = rowsOf((await api.get('/articles?publish_state=failed&status=Draft')).body, 'articles')
    expect(draft).toMatchObject({ PublishedAt: null })
  })
})
