import { type SQL, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { siteData } from '../../../local/google/data.ts'
import {
  hasSearchData,
  type SearchNumbers,
  searchedPages,
  searchedQueries,
  searchPeriods,
} from '../../../src/insights/search/parts.ts'
import { addDays, lastFinalDay, lastWindowEnd, ZONE } from '../../../src/insights/search/rules.ts'
import type { Db } from '../../../src/platform/db/client.ts'
import { newAccount, newArticle, newProject, rowsIn } from '../../support/client.ts'
import { onOneDay } from '../../support/day.ts'
import { PATIENCE_MS } from '../../support/patience.ts'
import { newConnected, type Owner } from './google.ts'

const stack = inject('stack')
onOneDay(ZONE)

/** Hands over the SQL of a query instead of running it. */
const TEXT = { execute: (query: SQL) => query } as unknown as Db

const run = <Row>(query: unknown): Promise<Row[]> => rowsIn<Row>(stack, query as SQL)

describe('search data for suggestions', () => {
  let owner: Owner
  let end: string

  beforeAll(async () => {
    end = lastWindowEnd(lastFinalDay(new Date()))
    owner = await newConnected(stack)
    const windows = sql`select count(*)::int as n from search_windows w join search_sources s on s.id = w.source_id
      where s.project_id = ${owner.project}::int`
    const count = async () => (await rowsIn<{ n: number }>(stack, windows))[0]?.n
    await vi.waitFor(async () => expect(await count()).toBe(2), { timeout: PATIENCE_MS, interval: 250 })
  })

  const factsFor = (page: string, from: string, to: string, query?: string) => {
    const data = siteData(`https://www.${owner.domain}`, owner.domain.split('.').at(-2) ?? '', lastFinalDay(new Date()))
    const facts = data.days
      .filter((day) => day >= from && day <= to)
      .flatMap((day) => data.facts(day))
      .filter((fact) => fact.page === page && (query === undefined || fact.query === query))
    return {
      clicks: facts.reduce((sum, fact) => sum + fact.clicks, 0),
      impressions: facts.reduce((sum, fact) => sum + fact.impressions, 0),
    }
  }

  it('are the two last periods of 28 days', async () => {
    expect(await run(searchPeriods(TEXT, owner.project))).toEqual([
      { ends_on: end, starts_on: addDays(end, -27), has_before: true },
    ])
    const [has] = await run<{ has: boolean }>(sql`select ${hasSearchData(sql`${owner.project}::int`)} as has`)
    expect(has?.has).toBe(true)
  })

  it('each page and query, now and before, with its article', async () => {
    const article = await newArticle(owner.api, owner.project)
    const key = `${owner.domain}/blog/shed-ventilation`
    await rowsIn(
      stack,
      sql`insert into site_pages (project_id, article_id, url, url_key)
        values (${owner.project}::int, ${article}::int, ${`https://${key}`}, ${key}) returning id`,
    )
    const pages = await run<SearchNumbers>(searchedPages(TEXT, owner.project))
    const [page] = pages.filter((row) => row.article_id !== null)
    const now = factsFor(`https://www.${key}`, addDays(end, -27), end)
    const before = factsFor(`https://www.${key}`, addDays(end, -55), addDays(end, -28))
    expect(page).toMatchObject({
      page_key: key,
      article_id: article,
      query: '',
      ...now,
      clicks_before: before.clicks,
      impressions_before: before.impressions,
    })
    // The page loses readers, in spring less than its season brings it.
    expect(now).not.toEqual(before)
    const queries = await run<SearchNumbers>(searchedQueries(TEXT, owner.project))
    const row = queries.find((one) => one.page_key === key && one.query === 'shed condensation')
    expect(row).toMatchObject(factsFor(`https://www.${key}`, addDays(end, -27), end, 'shed condensation'))
    const shared = queries.filter((one) => one.query === 'shed foundations')
    expect(shared.map((one) => one.page_key).sort()).toEqual([
      `${owner.domain}/blog/foundations-for-sheds`,
      `${owner.domain}/blog/shed-foundations`,
    ])
    const order = queries.map((one) => one.impressions + one.impressions_before)
    expect(order).toEqual([...order].sort((a, b) => b - a))
  })

  it('a project without a connection has none', async () => {
    const project = await newProject(await newAccount(stack))
    expect(await run(searchPeriods(TEXT, project))).toMatchObject([{ ends_on: null, has_before: false }])
    expect(await run(searchedPages(TEXT, project))).toEqual([])
  })
})
