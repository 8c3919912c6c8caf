import { sql } from 'drizzle-orm'
import { beforeAll, expect, inject, it } from 'vitest'
import { type Api, newAccount, newProject, rowsIn } from '../../support/client.ts'
import { manyKeys, rowsOf } from '../../support/keys.ts'

const stack = inject('stack')
let api: Api

beforeAll(async () => {
  api = manyKeys(stack, await newAccount(stack))
})

type Page = { title: string; keyword?: string; description?: string }

/** Puts pages on a project's site, the first the oldest. */
const addPages = (project: number, pages: readonly Page[]) =>
  rowsIn(
    stack,
    sql`insert into site_pages (project_id, url, url_key, title, keyword, meta_description)
      select ${project}::int, 'https://own.example/' || n, 'own.example/' || n, p->>'title', coalesce(p->>'keyword', ''), coalesce(p->>'description', '')
      from jsonb_array_elements(${JSON.stringify(pages)}::jsonb) with ordinality as given(p, n) order by n`,
  )

const linksFor = async (project: number, keyword?: string) => {
  const query = keyword === undefined ? '' : `&keyword=${encodeURIComponent(keyword)}`
  const { status, body, text } = await api.get(`/internal-links?project_id=${project}${query}`)
  expect(status, text).toBe(200)
  return { body, titles: rowsOf(body, 'links').map((link) => link.title) }
}

it('answers pages with the keyword’s words, the one with most and rarest of them first', async () => {
  const project = await newProject(api, { internal_links_per_article: 4, website_url: 'https://own.example' })
  await addPages(project, [
    { title: 'Bread for everybody' },
    { title: 'Sourdough starters', keyword: 'bread', description: 'How a starter is fed.' },
    { title: 'Bread ovens' },
    { title: 'Rye', description: 'Sourdough or not' },
    { title: 'About us' },
  ])
  const { body, titles } = await linksFor(project, 'Sourdough bread!')
  expect(titles).toEqual(['Sourdough starters', 'Rye', 'Bread ovens', 'Bread for everybody'])
  expect(body).toMatchObject({ num_links_recommended: 4, website_url: 'https://own.example' })
  expect(rowsOf(body, 'links')[0]).toEqual({
    url: 'https://own.example/2',
    title: 'Sourdough starters',
    keyword: 'bread',
    meta_description: 'How a starter is fed.',
  })
})

it('takes singular and plural for one', async () => {
  const project = await newProject(api)
  await addPages(project, [{ title: 'A bike' }, { title: 'Many bikes' }, { title: 'A car' }])
  expect((await linksFor(project, 'bike')).titles.sort()).toEqual(['A bike', 'Many bikes'])
  expect((await linksFor(project, 'bikes')).titles.sort()).toEqual(['A bike', 'Many bikes'])
})

it.each([undefined, '', '!!!'])('answers the newest pages for %j, which has no words, at most 20', async (keyword) => {
  const project = await newProject(api)
  await addPages(
    project,
    Array.from({ length: 25 }, (_, n) => ({ title: `Page ${n}` })),
  )
  const { titles } = await linksFor(project, keyword)
  expect(titles).toEqual(Array.from({ length: 20 }, (_, n) => `Page ${24 - n}`))
})

it.each(['zymurgy', "it's \\ a 'quoted' & | ! <-> :* word", 'the best of the pages for you and me'])(
  'offers no page for %j, of which no page has a word, and says so',
  async (keyword) => {
    const project = await newProject(api)
    await addPages(project, [
      { title: 'The chair and the table' },
      { title: 'A lamp for the night' },
      { title: 'Of mice' },
    ])
    const { body, titles } = await linksFor(project, keyword)
    expect(titles).toEqual([])
    expect(body.note).toBe('No known page of the site has a word in common with the keyword.')
    expect((await linksFor(project, 'the lamp')).titles).toEqual(['A lamp for the night'])
    expect((await linksFor(project, 'the lamp')).body).not.toHaveProperty('note')
  },
)

it('says that only the content pillars are offered, if no page has a word of the keyword', async () => {
  const project = await newProject(api, {
    website_url: 'https://pillars.example',
    content_pillars: ['https://pillars.example/guide', 'https://pillars.example/?p=7'],
  })
  await addPages(project, [{ title: 'Lamps' }])
  const { body } = await linksFor(project, 'zymurgy')
  expect(rowsOf(body, 'links').map((link) => link.url)).toEqual([
    'https://pillars.example/guide',
    'https://pillars.example/?p=7',
  ])
  expect(body.note).toMatch(/^No known page .* The links are the project’s content pillars\.$/)
})

it('offers pages in the project’s language first, and one of those with the same content', async () => {
  const project = await newProject(api, { language: 'German' })
  await rowsIn(
    stack,
    sql`insert into site_pages (project_id, url, url_key, title, language, alternate_of) values
      (${project}::int, 'https://x.example/a', 'x.example/a', 'Fahrrad', '', null),
      (${project}::int, 'https://x.example/de/rad', 'x.example/de/rad', 'Fahrrad putzen', 'German', null),
      (${project}::int, 'https://x.example/en/rad', 'x.example/en/rad', 'Fahrrad cleaning', 'English', 'x.example/de/rad'),
      (${project}::int, 'https://x.example/fr/velo', 'x.example/fr/velo', 'Fahrrad Fahrrad vélo', 'French', null) returning id`,
  )
  const offered = ['Fahrrad putzen', 'Fahrrad', 'Fahrrad Fahrrad vélo']
  expect((await linksFor(project, 'Fahrrad')).titles).toEqual(offered)
  expect((await linksFor(project)).titles).toEqual(offered)
})

it('finds the rare page of a large site at any position, and only of this project', async () => {
  const [project, other] = [await newProject(api), await newProject(api)]
  await rowsIn(
    stack,
    sql`insert into site_pages (project_id, url, url_key, title)
      select p, 'https://own.example/' || n, p || '.own.example/' || n, case when n = 700 then 'Notes on zymurgy' else 'A guide to bikes ' || n end
      from unnest(array[${project}::int, ${other}::int]) p, generate_series(1, 4000) n order by n`,
  )
  const { titles } = await linksFor(project, 'a guide to zymurgy')
  expect(titles[0]).toBe('Notes on zymurgy')
  expect(titles.filter((title) => title === 'Notes on zymurgy')).toHaveLength(1)
  expect(titles).toHaveLength(20)
})

it('has nothing to offer for a site without known pages', async () => {
  const { body } = await linksFor(await newProject(api), 'bikes')
  expect(body).toMatchObject({ links: [], num_links_recommended: 3 })
})

it('asks for a project of the account', async () => {
  expect((await api.get('/internal-links')).status).toBe(400)
  expect((await api.get('/internal-links?project_id=2147483647')).status).toBe(404)
  const foreign = await newProject(await newAccount(stack))
  expect((await api.get(`/internal-links?project_id=${foreign}`)).status).toBe(403)
})
