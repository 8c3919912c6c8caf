import { sql } from 'drizzle-orm'
import { describe, expect, inject, it } from 'vitest'
import { siteData } from '../../../local/google/data.ts'
import { addDays, lastFinalDay, lastWindowEnd, ZONE } from '../../../src/insights/search/rules.ts'
import { rowsIn } from '../../support/client.ts'
import { onOneDay } from '../../support/day.ts'
import { ownFaults } from '../../support/faults.ts'
import { connectOwner, newConnected, newOwner, type Owner } from './google.ts'

const stack = inject('stack')
const faults = ownFaults(stack.googleUrl)
onOneDay(ZONE)

type Point = { date: string; clicks: number; impressions: number; ctr: number; position: number | null }
type History = { points: Point[]; history: { from: string; to: string; days: number; complete: boolean } }

const historyOf = async ({ api, project }: Owner, query = '') => {
  const { status, body, text } = await api.get(`/search-console/history?project_id=${project}${query}`)
  expect(status, text).toBe(200)
  return body as unknown as History & Record<string, unknown>
}

/** Waits until all sixteen months are there, day by day and page by page. */
const synced = async (owner: Owner): Promise<void> => {
  const state = async () => {
    const [row] = await rowsIn<{ done: boolean }>(
      stack,
      sql`select coalesce(bool_and(done_at is not null), false) as done from outbox where key = ${`search_sync:${owner.project}`}`,
    )
    return row?.done
  }
  await expect.poll(state, { timeout: 60_000, interval: 250 }).toBe(true)
}

const dataOf = ({ domain }: Owner) =>
  siteData(`https://www.${domain}`, domain.split('.').at(-2) ?? '', lastFinalDay(new Date()))

const sum = (rows: readonly { clicks: number; impressions: number }[]) => ({
  clicks: rows.reduce((total, row) => total + row.clicks, 0),
  impressions: rows.reduce((total, row) => total + row.impressions, 0),
})

describe('search history', () => {
  it('keeps sixteen months of the site and of each page, and draws them', { timeout: 120_000 }, async () => {
    const owner = await newConnected(stack)
    await synced(owner)
    const end = lastFinalDay(new Date())
    const data = dataOf(owner)
    const all = await historyOf(owner, '&days=488')
    expect(all).toMatchObject({
      connected: true,
      property: `https://www.${owner.domain}/`,
      page: null,
      timezone: 'America/Los_Angeles',
      history: { from: data.days[0], to: end, days: data.days.length, complete: true },
      sandbox: true,
    })
    expect(all.points.map(({ date }) => date)).toEqual(data.days)
    const clicks = new Map(data.days.map((day) => [day, sum(data.facts(day)).clicks]))
    for (const point of all.points) expect(point.clicks, point.date).toBe(clicks.get(point.date))

    const address = `https://www.${owner.domain}/blog/shed-moving`
    const page = await historyOf(owner, `&days=60&page=${encodeURIComponent(address)}`)
    expect(page.points).toHaveLength(60)
    const facts = (day: string) => data.facts(day).filter((fact) => fact.page === address)
    for (const point of page.points) expect(point, point.date).toMatchObject(sum(facts(point.date)))
    // It vanished 42 days ago: days without it are zeros, not gaps.
    expect(page.points.at(-1)).toEqual({ date: end, clicks: 0, impressions: 0, ctr: 0, position: null })
    expect(page.points[0]?.impressions).toBeGreaterThan(0)
    // A page is found by its address in any usual spelling.
    const short = await historyOf(owner, `&days=60&page=${owner.domain}/blog/shed-moving/`)
    expect(short.points).toEqual(page.points)
    expect((await historyOf(owner)).points).toHaveLength(90)
  })

  it('counts nothing twice if a sync runs again, and adds only missing days', {
    timeout: 120_000,
  }, async () => {
    const owner = await newConnected(stack)
    await synced(owner)
    const before = await historyOf(owner, '&days=488')
    const rows = () =>
      rowsIn<{ n: number; clicks: number }>(
        stack,
        sql`select count(*)::int as n, sum(d.clicks)::int as clicks from search_page_days d join search_pages p on p.id = d.page_id
          join search_sources s on s.id = p.source_id where s.project_id = ${owner.project}::int`,
      )
    const [counted] = await rows()
    // As if the last three days were not there yet, and a day in the middle had been cut off.
    const source = sql`(select id from search_sources where project_id = ${owner.project}::int)`
    const end = lastFinalDay(new Date())
    await rowsIn(
      stack,
      sql`delete from search_days where source_id = ${source} and day > ${addDays(end, -3)}::date returning 1`,
    )
    await rowsIn(
      stack,
      sql`update search_days set pages_at = null where source_id = ${source} and day = ${addDays(end, -200)}::date returning 1`,
    )
    const gap = await historyOf(owner, '&days=488')
    expect(gap.history).toMatchObject({ to: addDays(end, -3), complete: false })
    expect((await historyOf(owner, `&days=250&page=${owner.domain}/blog/shed-roof`)).points).toHaveLength(246)
    await rowsIn(
      stack,
      sql`update search_connections set next_sync_at = now() where project_id = ${owner.project}::int returning 1`,
    )
    await fetch(stack.cronUrl)
    await synced(owner)
    expect(await historyOf(owner, '&days=488')).toEqual(before)
    expect(await rows()).toEqual([counted])
  })

  it('keeps the two last periods of 28 days by page and query', { timeout: 120_000 }, async () => {
    const owner = await newConnected(stack)
    await synced(owner)
    const end = lastWindowEnd(lastFinalDay(new Date()))
    const windows = await rowsIn<{ ends_on: string }>(
      stack,
      sql`select to_char(ends_on, 'YYYY-MM-DD') as ends_on from search_windows w join search_sources s on s.id = w.source_id
        where s.project_id = ${owner.project}::int order by ends_on desc`,
    )
    expect(windows.map((row) => row.ends_on)).toEqual([end, addDays(end, -28)])
    const data = dataOf(owner)
    const days = Array.from({ length: 28 }, (_, n) => addDays(end, n - 27))
    const page = `https://www.${owner.domain}/blog/shed-foundations`
    const facts = days.flatMap((day) => data.facts(day)).filter((fact) => fact.page === page)
    const kept = await rowsIn<{ query: string; clicks: number; impressions: number }>(
      stack,
      sql`select r.query, r.clicks, r.impressions from search_window_rows r join search_pages p on p.id = r.page_id
        where p.page = ${page} and r.ends_on = ${end}::date order by r.query`,
    )
    const named = (query: string) => facts.filter((fact) => query === '' || fact.query === query)
    expect(kept.map(({ query }) => query)).toEqual(['', 'concrete base for shed', 'shed foundations'])
    for (const row of kept) expect(row).toEqual({ query: row.query, ...sum(named(row.query)) })
  })

  // Sydoc-Org/nexora#265, mozilla/addons#510, PromInc/organic-search-analytics#44
  it('keeps no zeros for days that Google is late with, and asks for them again', { timeout: 120_000 }, async () => {
    const last = lastFinalDay(new Date())
    const late = addDays(last, -4)
    // Of a single property no data is asked before it is connected.
    const sites = (domain: string) => [{ siteUrl: `https://www.${domain}/`, permissionLevel: 'siteOwner' }]
    const owner = await newOwner(stack, { sites })
    const rows = Array.from({ length: 70 }, (_, n) => ({
      keys: [addDays(late, -n)],
      clicks: 1,
      impressions: 9,
      ctr: 0.1,
      position: 3,
    }))
    await faults.set({ path: owner.domain, body: '"dataState":"all"', status: 200, answer: { rows }, times: 1 })
    await connectOwner(owner)
    await synced(owner)
    const first = await historyOf(owner, '&days=30')
    expect(first).toMatchObject({ history: { to: late } })
    const [window] = await rowsIn<{ last: string }>(
      stack,
      sql`select to_char(max(w.ends_on), 'YYYY-MM-DD') as last from search_windows w join search_sources s on s.id = w.source_id where s.project_id = ${owner.project}`,
    )
    expect(window && window.last <= late).toBe(true)
    await owner.api.put(`/projects/${owner.project}/search-console`, { property: `https://www.${owner.domain}/` })
    await synced(owner)
    const second = await historyOf(owner, '&days=30')
    expect(second).toMatchObject({ history: { to: last, complete: true } })
    // The last seven days that were kept have Google's numbers of today.
    const clicks = new Map(second.points.map((point) => [point.date, point.clicks]))
    for (let n = 0; n < 7; n += 1) {
      const day = addDays(late, -n)
      expect(clicks.get(day), day).toBe(sum(dataOf(owner).facts(day)).clicks)
    }
  })

  it('of one property stays apart from that of another', { timeout: 120_000 }, async () => {
    const owner = await newConnected(stack)
    await synced(owner)
    const before = await historyOf(owner, '&days=488')
    await owner.api.put(`/projects/${owner.project}/search-console`, { property: 'https://another.example/' })
    await synced(owner)
    const other = await historyOf(owner, '&days=488')
    expect(other.property).toBe('https://another.example/')
    expect(other.points).not.toEqual(before.points)
    await owner.api.put(`/projects/${owner.project}/search-console`, { property: `https://www.${owner.domain}/` })
    expect(await historyOf(owner, '&days=488')).toEqual(before)
  })
})
