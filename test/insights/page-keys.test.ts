import { sql } from 'drizzle-orm'
import { describe, expect, inject, it } from 'vitest'
import type { Api } from '../support/client.ts'
import { rowsIn } from '../support/client.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { openLive, seedSearch } from './suggestions/seed.ts'

const stack = inject('stack')

const run = <Row>(statement: ReturnType<typeof sql>) => rowsIn<Row>(stack, statement)

/** Returns a project with three live articles at `/?p=59`, `/?p=60` and `/?p=61`, of which the second is nearly on the first page. */
const openPlainPermalinks = async () => {
  const { api, project, articles } = await openLive(stack, 3)
  const [row] = await run<{ website_url: string }>(sql`select website_url from projects where id = ${project}::int`)
  const site = new URL(row?.website_url ?? '')
  const urls = articles.map((_, n) => new URL(`/?p=${59 + n}`, site).href)
  // As if the receiver had not told the addresses.
  await run(sql`update articles set url = null where project_id = ${project}::int returning id`)
  for (const [n, article] of articles.entries()) {
    const { status, text } = await api.post(`/articles/${article}/address`, { url: urls[n] })
    expect(status, text).toBe(200)
  }
  const [first, second, third] = articles as unknown as [number, number, number]
  await seedSearch(stack, api, project, [
    { article: first, now: [300, 900, 1.1], before: [300, 900, 1.1], queries: { 'oak shed': [300, 900, 1.1] } },
    { article: second, now: [5, 900, 6.2], before: [5, 900, 6.2], queries: { 'shed floor': [5, 800, 6.1] } },
    { article: third, now: [200, 500, 1], before: [200, 500, 1], queries: { 'shed roof': [200, 500, 1] } },
  ])
  return { api, project, articles, second, urls, host: site.hostname.replace(/^www\./, '') }
}

const pagesOf = (project: number) =>
  run<{ url_key: string; article_id: number; page_key: string }>(sql`
    select s.url_key, s.article_id, p.page_key from site_pages s
      join search_pages p on p.page = s.url and p.source_id = (select id from search_sources where project_id = ${project}::int)
    where s.project_id = ${project}::int and s.article_id is not null order by s.article_id`)

const proposed = async (api: Api, project: number) => {
  const { status, text } = await api.post('/suggestions/run', { project_id: project })
  expect(status, text).toBe(200)
  const { body } = await api.get(`/suggestions?project_id=${project}&type=striking_distance`)
  return (body.suggestions as { article_id: number }[]).map(({ article_id: article }) => article)
}

/** Stores keys as the release before did: without the query, so that the three articles have one page. */
const makeOld = async (project: number, host: string, last: number) => {
  await run(sql`delete from site_pages where project_id = ${project}::int and article_id <> ${last}::int returning id`)
  await run(
    sql`update site_pages set url_key = ${host} where project_id = ${project}::int and article_id = ${last}::int returning id`,
  )
  await run(sql`update search_pages set page_key = ${host}
    where source_id = (select id from search_sources where project_id = ${project}::int) returning id`)
  await run(sql`update projects set pages_rekey_at = now() - interval '1 year' where id = ${project}::int returning id`)
}

describe('articles whose pages differ only in the query', () => {
  it('have search data of their own, and a suggestion is made for the right one', async () => {
    const { api, project, articles, second, host } = await openPlainPermalinks()
    expect(await pagesOf(project)).toEqual(
      articles.map((article, n) => ({
        url_key: `${host}?p=${59 + n}`,
        article_id: article,
        page_key: `${host}?p=${59 + n}`,
      })),
    )
    expect(await proposed(api, project)).toEqual([second])
  })

  it('get keys of their own in a job, if an earlier release stored them under one', async () => {
    const { api, project, articles, second, urls, host } = await openPlainPermalinks()
    await makeOld(project, host, articles.at(-1) ?? 0)
    await fetch(stack.cronUrl)
    const isDone = async () => {
      const [row] = await run<{ done: boolean }>(
        sql`select pages_rekey_at is null as done from projects where id = ${project}::int`,
      )
      return row?.done
    }
    await expect.poll(isDone, { timeout: PATIENCE_MS, interval: 150 }).toBe(true)
    expect((await pagesOf(project)).map((row) => [row.article_id, row.url_key, row.page_key])).toEqual(
      urls.map((url, n) => [articles[n], `${host}${new URL(url).search}`, `${host}${new URL(url).search}`]),
    )
    expect(await proposed(api, project)).toEqual([second])
  })
})
