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

it.each([undefined, 'zymurgy', '!!!', "it's \\ a 'quoted' & | ! <-> :* word"])(
  'answers the newest pages for %j, at most 20',
  async (keyword) => {
    const project = await newProject(api)
    await addPages(
      project,
      Array.from({ length: 25 }, (_, n) => ({ title: `Page ${n}` })),
    )
    const { titles } = await linksFor(project, keyword)
    expect(titles).toEqual(Array.from({ length: 20 }, (_, n) => `Page ${24 - n}`))
  },
)

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
