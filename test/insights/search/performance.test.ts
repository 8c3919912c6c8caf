import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { siteData } from '../../../local/google/data.ts'
import { searchPerformance } from '../../../src/insights/search/performance.ts'
import type { SearchConsole } from '../../../src/insights/search/port.ts'
import { unavailable } from '../../../src/insights/search/refusals.ts'
import { addDays, lastFinalDay, ZONE } from '../../../src/insights/search/rules.ts'
import { systemFor } from '../../publishing/system.ts'
import { newArticle, rowsIn, tell } from '../../support/client.ts'
import { expectError } from '../../support/contract.ts'
import { onOneDay } from '../../support/day.ts'
import { ownFaults } from '../../support/faults.ts'
import { manyKeys } from '../../support/keys.ts'
import { connectAt, newConnected, type Owner } from './google.ts'

const stack = inject('stack')
const faults = ownFaults(stack.googleUrl)
onOneDay(ZONE)

type Row = {
  query: string
  page: string
  clicks: number
  impressions: number
  ctr: number
  position: number
  delta_clicks: number
  delta_impressions: number
  delta_position: number | null
  is_new: boolean
}

type Told = Record<string, unknown> & {
  totals: { clicks: number; impressions: number; ctr: number }
  coverage: { query_clicks_share: number }
  pagination: { next_start_row: number | null }
}

const rowsOf = <T = Row>(body: Record<string, unknown>, name: string): T[] => body[name] as T[]

const at = ({ project }: Owner, query = '') => `/search-console?project_id=${project}${query}`

const answerFor = async (owner: Owner, query = '') => {
  const { status, body, text } = await owner.api.get(at(owner, query))
  expect(status, text).toBe(200)
  return body as unknown as Told
}

/** Returns the failure of the connection. */
const failureOf = async ({ api, project }: Owner) => (await api.get(`/projects/${project}/search-console`)).body.error

/** Asks in this process, with `answer` in Google's place, until everything is noted that follows. */
const askWith = async (owner: Owner, answer: <T>(ok: T) => Promise<{ ok: T }>) => {
  const google = {
    isSandbox: true,
    refresh: () => answer({ accessToken: 'new', expiresIn: 3_600 }),
    query: () => answer([]),
    days: () => answer({ rows: [], firstOpenDay: undefined }),
  } as unknown as SearchConsole
  const deferred: Promise<unknown>[] = []
  const ctx = { ...systemFor(stack, owner.api.accountId), defer: (work: Promise<unknown>) => void deferred.push(work) }
  expect(await searchPerformance(ctx, google, { project_id: owner.project })).toMatchObject({ connected: true })
  await Promise.all(deferred)
}

/** Returns the rules of one test: they meet only queries of its own domain. */
const failFor = (owner: Owner, rule: Record<string, unknown>) => faults.set({ path: owner.domain, ...rule })

const googleError = (code: number, status: string, reason: string) => ({
  status: code,
  answer: {
    error: { code, message: `It is ${reason}.`, status, errors: [{ message: 'x', domain: 'global', reason }] },
  },
})

/** Counts the totals of days again from the stand-in's data. A query counts once a day for the whole site. */
const countAgain = (domain: string, from: string, to: string) => {
  const data = siteData(`https://www.${domain}`, domain.split('.').at(-2) ?? '', lastFinalDay(new Date()))
  let [clicks, impressions] = [0, 0]
  for (const day of data.days.filter((one) => one >= from && one <= to)) {
    const most = new Map<string, number>()
    for (const fact of data.facts(day)) {
      clicks += fact.clicks
      most.set(fact.query, Math.max(most.get(fact.query) ?? 0, fact.impressions))
    }
    for (const one of most.values()) impressions += one
  }
  return { clicks, impressions }
}

describe('search performance', () => {
  let owner: Owner
  beforeAll(async () => {
    owner = await newConnected(stack)
  })

  // google/site-kit-wp#1917, mozilla/bedrock#16166
  it('counts only the pages of the site if the property is wider, and says so', async () => {
    const blog = await newConnected(stack, {
      sites: (domain) => [{ siteUrl: `sc-domain:${domain}`, permissionLevel: 'siteOwner' }],
      website: (domain) => `https://blog.${domain}`,
    })
    const body = await answerFor(blog)
    const site = `https://blog.${blog.domain}/`
    expect(body).toMatchObject({ property: `sc-domain:${blog.domain}`, coverage: { filtered_to: site } })
    const pages = rowsOf(body, 'top_pages').map(({ page }) => page)
    expect(pages.length).toBeGreaterThan(0)
    for (const page of pages) expect(page.startsWith(site), page).toBe(true)
    const data = siteData(site.slice(0, -1), blog.domain.split('.').at(-2) ?? '', lastFinalDay(new Date()))
    const days = data.days.slice(-28).flatMap((day) => data.facts(day))
    expect(body.totals.clicks).toBe(days.reduce((sum, { clicks }) => sum + clicks, 0))
    expect((await answerFor(owner)).coverage).toMatchObject({ filtered_to: null })
  })

  // Sydoc-Org/nexora#265, mozilla/addons#510
  it('ends at the last day Google has delivered', async () => {
    const late = await newConnected(stack)
    const end = addDays(lastFinalDay(new Date()), -4)
    const rows = [{ keys: [end], clicks: 1, impressions: 9, ctr: 0.1, position: 3 }]
    await failFor(late, { body: '"dataState":"all"', status: 200, answer: { rows } })
    expect(await answerFor(late)).toMatchObject({ date_range: { end_date: end, days: 28 } })
  })

  it('covers the days up to three days ago, Pacific time, with totals that count every query', async () => {
    const body = await answerFor(owner)
    const end = lastFinalDay(new Date())
    expect(body).toMatchObject({
      connected: true,
      project_id: owner.project,
      property: `https://www.${owner.domain}/`,
      date_range: { start_date: addDays(end, -27), end_date: end, days: 28 },
      coverage: { data_state: 'final', timezone: 'America/Los_Angeles' },
      pagination: { limit: 25, start_row: 0, next_start_row: 25 },
      sandbox: true,
    })
    const { clicks, impressions, ctr } = body.totals
    expect({ clicks, impressions }).toEqual(countAgain(owner.domain, addDays(end, -27), end))
    expect(ctr).toBeCloseTo(clicks / impressions, 3)
    const named = rowsOf<Row>(body, 'top_queries').reduce((sum, row) => sum + row.clicks, 0)
    expect(named).toBeLessThan(clicks)
    expect(body.coverage.query_clicks_share).toBeCloseTo(named / clicks, 3)
  })

  it('pages through all rows, each once, most clicks first', async () => {
    const seen: Row[] = []
    let next: number | null = 0
    while (next !== null) {
      const body: Told = await answerFor(owner, `&limit=40&start_row=${next}`)
      seen.push(...rowsOf<Row>(body, 'top_queries'))
      next = body.pagination.next_start_row
    }
    const names = seen.map(({ query }) => query)
    expect(new Set(names).size).toBe(names.length)
    expect(names.length).toBeGreaterThan(50)
    const clicks = seen.map((row) => row.clicks)
    expect(clicks).toEqual([...clicks].sort((a, b) => b - a))
    const all = await answerFor(owner, '&limit=1000')
    expect(rowsOf<Row>(all, 'top_queries').map(({ query }) => query)).toEqual(names)
    expect(all.pagination.next_start_row).toBeNull()
  })

  it('answers the same under the older names', async () => {
    const own = await answerFor(owner)
    for (const alias of ['/rankings', '/analytics'])
      expect((await owner.api.get(`${alias}?project_id=${owner.project}`)).body).toEqual(own)
  })
})

describe('a comparison', () => {
  it('has consistent changes for each row and the totals', async () => {
    const owner = await newConnected(stack)
    const end = lastFinalDay(new Date())
    const body = await answerFor(owner, '&compare=true&limit=1000&days=30')
    const before = await answerFor(owner, '&limit=1000&days=60')
    const { comparison, totals } = body as unknown as {
      totals: Record<string, number>
      comparison: Record<'previous_totals' | 'delta_totals', Record<string, number>> & { previous_date_range: unknown }
    }
    expect(comparison.previous_date_range).toEqual({
      start_date: addDays(end, -59),
      end_date: addDays(end, -30),
      days: 30,
    })
    expect(comparison.previous_totals).toMatchObject(countAgain(owner.domain, addDays(end, -59), addDays(end, -30)))
    expect(Object.keys(comparison.delta_totals).sort()).toEqual(Object.keys(totals).sort())
    for (const name of ['clicks', 'impressions', 'ctr', 'avg_position'])
      expect(comparison.delta_totals[name]).toBeCloseTo(
        (totals[name] ?? 0) - (comparison.previous_totals[name] ?? 0),
        4,
      )
    // Both periods together are the sixty days, so the clicks of a row in both add up to its clicks in sixty days.
    const sixty = new Map(rowsOf<Row>(before, 'top_queries').map((row) => [row.query, row]))
    const rows = rowsOf<Row>(body, 'top_queries')
    for (const row of rows) {
      expect(row.is_new).toBe(false)
      expect(2 * row.clicks - row.delta_clicks, row.query).toBe(sixty.get(row.query)?.clicks)
      expect(2 * row.impressions - row.delta_impressions, row.query).toBe(sixty.get(row.query)?.impressions)
    }
    const gone = rowsOf<Row>(before, 'top_pages').find(({ page }) => page.endsWith('/blog/shed-moving'))
    expect(gone?.clicks).toBeGreaterThan(0)
    expect(rowsOf<Row>(body, 'top_pages').some(({ page }) => page.endsWith('/blog/shed-moving'))).toBe(false)
  })

  it('finds the past of a row however far down it was then', async () => {
    const owner = await newConnected(stack)
    const one = rowsOf(await answerFor(owner, '&compare=true&limit=1&start_row=45'), 'top_queries')
    const all = rowsOf(await answerFor(owner, '&compare=true&limit=1000'), 'top_queries')
    expect(one).toEqual([all[45]])
    expect(one).toMatchObject([{ is_new: false, delta_position: expect.any(Number) }])
  })

  it('calls new what was not there before, without inventing a position', async () => {
    const owner = await newConnected(stack)
    await failFor(owner, { body: `"endDate":"${addDays(lastFinalDay(new Date()), -28)}"`, status: 200, answer: {} })
    const body = await answerFor(owner, '&compare=true')
    await faults.clear()
    const rows = [...rowsOf(body, 'top_queries'), ...rowsOf(body, 'top_pages')]
    expect(rows.length).toBeGreaterThan(20)
    for (const row of rows)
      expect(row).toMatchObject({
        is_new: true,
        delta_clicks: row.clicks,
        delta_impressions: row.impressions,
        delta_position: null,
      })
    expect(body.comparison).toMatchObject({
      previous_totals: { clicks: 0, impressions: 0, ctr: 0, avg_position: null },
      delta_totals: { clicks: body.totals.clicks, avg_position: null },
    })
  })
})

describe('flags', () => {
  it('judge striking distance by the position that is shown', async () => {
    const owner = await newConnected(stack)
    const rows = [20.004, 20.006, 3.996, 3.994].map((position, n) => ({
      keys: [`query ${n}`],
      clicks: 1,
      impressions: 10,
      ctr: 0.1,
      position,
    }))
    await failFor(owner, { body: '"dimensions":["query"]', status: 200, answer: { rows } })
    const { top_queries: shown } = await answerFor(owner)
    await faults.clear()
    expect(shown).toMatchObject([
      { position: 20, striking_distance: true },
      { position: 20.01, striking_distance: false },
      { position: 4, striking_distance: true },
      { position: 3.99, striking_distance: false },
    ])
  })

  it('tell brand queries and those in striking distance by the interface’s rule', async () => {
    const owner = await newConnected(stack, { settings: { business_name: 'Shed Windows!' } })
    const body = await answerFor(owner, '&limit=1000')
    const rows = rowsOf<Row & { is_brand: boolean; striking_distance: boolean }>(body, 'top_queries')
    const site = owner.domain.split('.')[0] ?? ''
    for (const row of rows) {
      const bare = row.query.replaceAll(' ', '')
      expect(row.is_brand, row.query).toBe(bare.includes('shedwindows') || bare.includes(site))
      expect(row.striking_distance, row.query).toBe(row.impressions >= 10 && row.position >= 4 && row.position <= 20)
    }
    expect(rows.filter(({ is_brand: isBrand }) => isBrand).length).toBeGreaterThanOrEqual(3)
    expect(new Set(rows.map((row) => row.striking_distance))).toEqual(new Set([true, false]))
  })

  it('name the article of a page, now and from the stored answer', async () => {
    const owner = await newConnected(stack)
    const article = await newArticle(owner.api, owner.project)
    const page = `${owner.domain}/blog/shed-windows`
    await rowsIn(
      stack,
      sql`insert into site_pages (project_id, article_id, url, url_key)
        values (${owner.project}::int, ${article}::int, ${`https://${page}`}, ${page}) returning id`,
    )
    for (const _ of ['asked', 'kept']) {
      const pages = rowsOf<Row & { article_id?: number }>(await answerFor(owner), 'top_pages')
      expect(pages.filter((row) => row.article_id !== undefined)).toMatchObject([
        { page: `https://www.${owner.domain}/blog/shed-windows`, article_id: article },
      ])
    }
  })
})

describe('a cached answer', () => {
  it('is returned without a call to Google; other parameters are not', async () => {
    const owner = await newConnected(stack)
    const first = await answerFor(owner, '&days=7')
    await expect.poll(async () => (await rowsIn<{ n: number }>(stack, kept(owner)))[0]?.n).toBe(1)
    await failFor(owner, googleError(500, 'INTERNAL', 'backendError'))
    expect(await answerFor(owner, '&days=7')).toEqual(first)
    expectError(await owner.api.get(at(owner, '&days=8')), 'provider_unavailable')
    await rowsIn(
      stack,
      sql`update search_answers set expires_at = now() where source_id in ${sourcesOf(owner)} returning 1`,
    )
    expectError(await owner.api.get(at(owner, '&days=7')), 'provider_unavailable')
    await faults.clear()
  })
})

const sourcesOf = ({ project }: Owner) => sql`(select id from search_sources where project_id = ${project}::int)`
const kept = (owner: Owner) => sql`select count(*)::int as n from search_answers where source_id in ${sourcesOf(owner)}`

describe('when Google says no', () => {
  it.each([
    [429, 'RESOURCE_EXHAUSTED', 'rateLimitExceeded', 60],
    [403, 'PERMISSION_DENIED', 'quotaExceeded', 900],
    [503, 'UNAVAILABLE', 'backendError', 30],
  ])('%i %s %s is an error to repeat after %i s', async (code, status, reason, seconds) => {
    const owner = await newConnected(stack)
    await failFor(owner, googleError(code, status, reason))
    const answer = await owner.api.get(at(owner))
    await faults.clear()
    expectError(answer, 'provider_unavailable')
    expect(answer.body).toMatchObject({
      error: 'provider_unavailable',
      retry_after: seconds,
      upstream: { name: 'Google Search Console', status: code, message: `It is ${reason}.` },
    })
    expect((await answerFor(owner)).connected).toBe(true)
  })

  it.each([
    [403, 'PERMISSION_DENIED', 'forbidden', 'forbidden'],
    [403, 'PERMISSION_DENIED', 'insufficientPermissions', 'scope'],
    [403, 'PERMISSION_DENIED', 'accessNotConfigured', 'disabled'],
    [400, 'INVALID_ARGUMENT', 'badRequest', 'invalid'],
  ])(
    '%i %s %s is reported as an error that a person must fix, never as empty data',
    async (code, status, google, reason) => {
      const owner = await newConnected(stack)
      await failFor(owner, googleError(code, status, google))
      const body = await answerFor(owner)
      await faults.clear()
      expect(body).toMatchObject({
        connected: true,
        error: 'gsc_fetch_failed',
        reason,
        upstream: { status: code },
        connect_url: expect.stringContaining('/connect/search-console?link='),
      })
      expect(body.instructions_for_agent).toMatch(/\S/)
      expect(body).not.toHaveProperty('top_queries')
      expect((await answerFor(owner)).totals).toBeDefined()
    },
  )

  it('a refusal of the service’s own client is not repeated', () => {
    const { message, extras } = unavailable({ kind: 'client', status: 401, message: 'The OAuth client was not found.' })
    expect(message).toContain('operator')
    expect(extras).toEqual({
      retryable: false,
      upstream: { name: 'Google Search Console', status: 401, message: 'The OAuth client was not found.' },
    })
  })

  it('a token that Google refuses once is made again, and the answer is good', async () => {
    const owner = await newConnected(stack)
    await failFor(owner, { ...googleError(401, 'UNAUTHENTICATED', 'authError'), body: '"rowLimit":26', times: 1 })
    expect((await answerFor(owner)).totals).toBeDefined()
  })

  it('a refused new token is a temporary error, and the grant stays', async () => {
    const owner = await newConnected(stack)
    await failFor(owner, { ...googleError(401, 'UNAUTHENTICATED', 'authError') })
    const asked = await owner.api.get(`/search-console?project_id=${owner.project}`)
    expectError(asked, 'provider_unavailable')
    expect(asked.body.upstream).toMatchObject({ status: 401 })
    await faults.clear()
    expect(await failureOf({ ...owner, api: manyKeys(stack, owner.api) })).toBeNull()
    expect((await answerFor(owner)).totals).toBeDefined()
  })

  it('a grant that was withdrawn says so, and connecting again repairs it', async () => {
    const owner = await newConnected(stack)
    await tell(stack.googleUrl, '/_withdraw', { email: owner.email })
    const body = await answerFor(owner)
    expect(body).toMatchObject({ connected: true, error: 'gsc_fetch_failed', reason: 'revoked' })
    expect(body.instructions_for_agent).toContain(body.connect_url as string)
    // Cached from now on: Google is not called again.
    const asking = { ...owner, api: manyKeys(stack, owner.api) }
    await expect.poll(() => failureOf(asking)).toBe('revoked')
    expect(body.message).toContain('it was withdrawn or has expired')
    await rowsIn(
      stack,
      sql`update connections set created_at = now() - interval '7 days 1 hour' where project_id = ${owner.project}::int`,
    )
    const seventh = await answerFor(asking)
    expect(seventh.message).toContain('it ended on its seventh day, as Google ends access for applications in testing')
    const last = await connectAt(body.connect_url as string, owner.email)
    expect(last.status).toBe(200)
    expect((await answerFor(owner)).totals).toBeDefined()
  })

  it.each([
    ['the token it had', sql`now() + interval '1 hour'`],
    ['a new token', sql`now()`],
  ])('one that was withdrawn while Google answered for %s stays known as withdrawn', async (_, ends) => {
    const owner = await newConnected(stack)
    await rowsIn(
      stack,
      sql`update search_connections set access_expires_at = ${ends} where project_id = ${owner.project}`,
    )
    const asking = { ...owner, api: manyKeys(stack, owner.api) }
    const withdraw = async () => {
      await tell(stack.googleUrl, '/_withdraw', { email: owner.email })
      expect((await answerFor(owner)).reason).toBe('revoked')
      await expect.poll(() => failureOf(asking)).toBe('revoked')
    }
    let withdrawn: Promise<void> | undefined
    await askWith(owner, async (ok) => {
      withdrawn ??= withdraw()
      await withdrawn
      return { ok }
    })
    expect(await failureOf(asking)).toBe('revoked')
  })

  it('a failure that was known before is over with the next answer', async () => {
    const owner = await newConnected(stack)
    const failed = sql`failure = 'forbidden', failed_at = now()`
    await rowsIn(stack, sql`update search_connections set ${failed} where project_id = ${owner.project}`)
    await askWith(owner, async (ok) => ({ ok }))
    expect(await failureOf(owner)).toBeNull()
  })

  it('a property taken from the account is forbidden, not empty', async () => {
    const owner = await newConnected(stack)
    await tell(stack.googleUrl, '/_accounts', { email: owner.email, sites: [] })
    expect(await answerFor(owner)).toMatchObject({ connected: true, error: 'gsc_fetch_failed', reason: 'forbidden' })
  })
})

describe('the daily sync', () => {
  it('continues after Google’s quota was used up, and nothing is missing then', { timeout: 120_000 }, async () => {
    const owner = await newConnected(stack)
    // The clock may have queued the sync of the day too.
    const newest = sql`(select max(id) from outbox where key = ${`search_sync:${owner.project}`})`
    const run = sql`update outbox set done_at = null, run_at = now(), offered_at = null where id = ${newest} returning id`
    const isDone = async () =>
      (
        await rowsIn<{ done: boolean }>(stack, sql`select done_at is not null as done from outbox where id = ${newest}`)
      )[0]?.done
    await expect.poll(isDone, { timeout: 60_000, interval: 250 }).toBe(true)
    await rowsIn(stack, sql`update search_days set pages_at = null where source_id in ${sourcesOf(owner)} returning 1`)
    await failFor(owner, { ...googleError(429, 'RESOURCE_EXHAUSTED', 'rateLimitExceeded'), body: '"page"', times: 1 })
    await rowsIn(stack, run)
    await fetch(stack.cronUrl)
    await expect.poll(isDone, { timeout: 60_000, interval: 250 }).toBe(true)
    await faults.clear()
    const { body } = await owner.api.get(`/search-console/history?project_id=${owner.project}`)
    expect(body.history).toMatchObject({ complete: true, days: 486 })
  })
})

describe('input', () => {
  it.each([
    ['&days=0', 'days'],
    ['&days=-1', 'days'],
    ['&limit=0', 'limit'],
    ['&start_row=-1', 'start_row'],
    ['&compare=maybe', 'compare'],
  ])('%s is refused by name', async (query, field) => {
    const owner = await once()
    const answer = await owner.api.get(at(owner, query))
    expectError(answer, 'invalid_input')
    expect(answer.body.details).toMatchObject([{ field, allowed: expect.anything() }])
  })

  it('a limit and days above the maximum are lowered to it', async () => {
    const body = await answerFor(await once(), '&limit=5000&days=200')
    expect(body).toMatchObject({ pagination: { limit: 1_000 }, date_range: { days: 90 } })
    const { api, project } = await once()
    expect((await api.get(`/search-console/history?project_id=${project}&days=9999`)).body.days).toBe(488)
  })
})

let shared: Promise<Owner> | undefined
const once = (): Promise<Owner> => {
  shared ??= newConnected(stack)
  return shared
}
