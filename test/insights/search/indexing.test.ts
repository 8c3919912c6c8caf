import { sql } from 'drizzle-orm'
import { afterEach, describe, expect, inject, it } from 'vitest'
import { pageKey } from '../../../src/platform/lib/urls.ts'
import { signInAsOwner } from '../../accounts/people/browser.ts'
import { newArticle, newProject, rowsIn, tell } from '../../support/client.ts'
import { ownFaults } from '../../support/faults.ts'
import { newConnected, newOwner, type Owner } from './google.ts'

const stack = inject('stack')
const faults = ownFaults(stack.googleUrl)
afterEach(() => faults.clear())

/** Returns a live article of a project, published some days ago at an address of its site. */
const liveArticle = async (
  { api, project, domain }: Owner,
  days: number,
  fields: Record<string, unknown> = {},
): Promise<{ id: number; url: string }> => {
  const id = await newArticle(api, project, fields)
  const url = `https://www.${domain}/blog/post-${id}`
  await rowsIn(
    stack,
    sql`update articles set status = 'Published', url = ${url}, published_at = now() - make_interval(hours => ${days * 24 + 1}::int),
      created_at = now() - make_interval(hours => ${days * 24 + 1}::int),
      receipt = jsonb_build_object('checked_at', '2026-01-01T00:00:00.000Z', 'http_status', 200, 'title_found', true, 'canonical', null,
        'indexable', true, 'images_ok', true, 'links_ok', true) where id = ${id}::int returning 1`,
  )
  await rowsIn(
    stack,
    sql`insert into site_pages (project_id, article_id, url, url_key)
      values (${project}::int, ${id}::int, ${url}, ${pageKey(new URL(url))}) returning id`,
  )
  return { id, url }
}

/** Tells the stand-in what Google's index has of an address. */
const told = (url: string, result: Record<string, unknown>) => tell(stack.googleUrl, '/_index', { url, result })

const OK = { robotsTxtState: 'ALLOWED', indexingState: 'INDEXING_ALLOWED', pageFetchState: 'SUCCESSFUL' }
const READ_AT = '2026-03-02T10:00:00Z'
const LISTED = { ...OK, verdict: 'PASS', coverageState: 'Submitted and indexed', lastCrawlTime: READ_AT }
const CRAWLED = { ...OK, verdict: 'NEUTRAL', coverageState: 'Crawled – currently not indexed', lastCrawlTime: READ_AT }

/** Makes a project's questions to Google due, and waits until they were asked. */
const lookedThrough = async ({ project }: Pick<Owner, 'project'>): Promise<void> => {
  await rowsIn(
    stack,
    sql`update search_connections set next_inspections_at = now() - interval '1 minute' where project_id = ${project}::int returning 1`,
  )
  await fetch(stack.cronUrl)
  const isDone = async () => {
    const [row] = await rowsIn<{ done: boolean }>(
      stack,
      sql`select count(*) > 0 and bool_and(done_at is not null) as done from outbox where key = ${`search_inspect:${project}`}`,
    )
    return row?.done
  }
  await expect.poll(isDone, { timeout: 60_000, interval: 200 }).toBe(true)
}

const indexOf = async ({ api }: Owner, id: number) => {
  const { body } = await api.get(`/articles/${id}`)
  return (body.Receipt as { index: Record<string, unknown> }).index
}

const changesOf = (id: number) =>
  rowsIn<{ state: string; before: string | null }>(
    stack,
    sql`select detail ->> 'state' as state, detail ->> 'before' as before from audit_log
      where action = 'article.index_changed' and subject = ${`article:${id}`} order by id`,
  )

describe('the clock', () => {
  it('asks Google about articles on their days, and the receipt has the state in Google’s words', {
    timeout: 120_000,
  }, async () => {
    const owner = await newConnected(stack)
    const [today, listed, crawled, old] = [
      await liveArticle(owner, 0),
      await liveArticle(owner, 8),
      await liveArticle(owner, 29),
      await liveArticle(owner, 400),
    ]
    await told(listed.url, LISTED)
    await told(crawled.url, CRAWLED)
    await told(old.url, LISTED)
    await lookedThrough(owner)
    expect(await indexOf(owner, listed.id)).toMatchObject({
      state: 'indexed',
      google_says: 'Submitted and indexed',
      last_crawl_at: '2026-03-02T10:00:00.000Z',
      page_fetch: 'SUCCESSFUL',
      why_not_measured: null,
      sandbox: true,
    })
    expect(await indexOf(owner, crawled.id)).toMatchObject({ state: 'crawled' })
    expect(await indexOf(owner, today.id)).toMatchObject({
      state: 'not_measured',
      looked_at: null,
      why_not_measured: expect.stringContaining('1, 3, 7, 14 and 28 days'),
    })
    // A changed state is an event; the first look at an old article is none.
    expect(await changesOf(listed.id)).toEqual([{ state: 'indexed', before: null }])
    expect(await changesOf(old.id)).toEqual([])
    const { body } = await owner.api.get(`/projects/${owner.project}/indexing`)
    expect(body).toMatchObject({
      connected: true,
      published: 4,
      after_7_days: { n: 1, indexed: 1, share: 1 },
      after_28_days: { n: 1, indexed: 0, share: 0 },
      inspections_today: 3,
      not_indexed: [{ article_id: crawled.id, state: 'crawled', google_says: CRAWLED.coverageState }],
    })

    // Nothing is due before the next of its days, whatever Google says by now.
    await told(listed.url, CRAWLED)
    await told(old.url, CRAWLED)
    await lookedThrough(owner)
    expect(await indexOf(owner, listed.id)).toMatchObject({ state: 'indexed' })
    const [next] = await rowsIn<{ soon: boolean }>(
      stack,
      sql`select next_inspections_at between now() and now() + interval '6 hours' as soon from search_connections where project_id = ${owner.project}::int`,
    )
    expect(next?.soon).toBe(true)
    // On the fourteenth day it is asked again, and the change is an event.
    await rowsIn(
      stack,
      sql`update articles set published_at = now() - interval '15 days', created_at = now() - interval '15 days' where id = ${listed.id}::int returning 1`,
    )
    await rowsIn(
      stack,
      sql`update index_states set looked_at = now() - interval '7 days' where article_id = ${listed.id}::int returning 1`,
    )
    await lookedThrough(owner)
    expect(await changesOf(listed.id)).toEqual([
      { state: 'indexed', before: null },
      { state: 'crawled', before: 'indexed' },
    ])
    // The state after seven days stays what it was then.
    const again = await owner.api.get(`/projects/${owner.project}/indexing`)
    expect(again.body.after_7_days).toEqual({ n: 1, indexed: 1, share: 1 })
  })

  it('loses no answer if Google refuses one address or does not answer for it', { timeout: 120_000 }, async () => {
    const owner = await newConnected(stack)
    const [listed, outside] = [await liveArticle(owner, 2), await liveArticle(owner, 2)]
    await told(listed.url, LISTED)
    await rowsIn(
      stack,
      sql`update articles set url = 'https://elsewhere.example/post' where id = ${outside.id}::int returning 1`,
    )
    await lookedThrough(owner)
    expect(await indexOf(owner, listed.id)).toMatchObject({ state: 'indexed' })
    expect(await indexOf(owner, outside.id)).toMatchObject({
      state: 'not_measured',
      why_not_measured: 'No property of the connected Google account covers this URL.',
    })
    expect(await changesOf(outside.id)).toEqual([])
    const status = await owner.api.get(`/projects/${owner.project}/search-console`)
    expect(status.body.error).toBeNull()
  })

  it('shares the quota of a property equally among its projects', { timeout: 120_000 }, async () => {
    const owner = await newConnected(stack)
    const article = await liveArticle(owner, 2)
    await told(article.url, LISTED)
    const property = `https://www.${owner.domain}/`
    // Another project reads the same property, so that half of 1,800 is left to each.
    const other = await newProject(owner.api)
    await rowsIn(
      stack,
      sql`with s as (insert into search_sources (project_id, property) values (${other}::int, ${property}) returning id),
        c as (insert into connections (account_id, project_id, platform, name, status, url, sealed_secrets) select account_id, ${other}::int, platform, name, status, url, sealed_secrets
          from connections where id = (select connection_id from search_connections where project_id = ${owner.project}::int) returning id)
        insert into search_connections (project_id, account_id, connection_id, source_id, google_sub, next_sync_at, next_inspections_at)
        select ${other}::int, account_id, c.id, s.id, 'none', now() + interval '1 day', now() + interval '1 day'
        from search_connections, s, c where project_id = ${owner.project}::int returning 1`,
    )
    const use = (used: number) =>
      rowsIn(
        stack,
        sql`insert into inspection_days (property, day, project_id, used)
          values (${property}, (now() at time zone 'America/Los_Angeles')::date, ${owner.project}::int, ${used}::int)
          on conflict (property, day, project_id) do update set used = excluded.used returning 1`,
      )
    await use(900)
    await lookedThrough(owner)
    expect(await indexOf(owner, article.id)).toMatchObject({ state: 'not_measured' })
    // A call by hand has a reserve of its own: half of 1,950.
    await use(974)
    const { status, body } = await owner.api.post(`/articles/${article.id}/inspect`)
    expect([status, body.index]).toEqual([200, expect.objectContaining({ state: 'indexed' })])
    const second = await liveArticle(owner, 2)
    const refused = await owner.api.post(`/articles/${second.id}/inspect`)
    expect([refused.status, refused.body.code, refused.body.message]).toEqual([
      503,
      'provider_unavailable',
      expect.stringContaining('quota'),
    ])
  })
})

describe('a question by hand', () => {
  it('asks at once, and within ten minutes returns the stored answer', { timeout: 60_000 }, async () => {
    const owner = await newConnected(stack)
    const { id, url } = await liveArticle(owner, 0)
    await told(url, { ...OK, verdict: 'NEUTRAL', coverageState: 'URL is unknown to Google' })
    const first = await owner.api.post(`/articles/${id}/inspect`)
    expect(first.body).toMatchObject({
      connected: true,
      article_id: id,
      url,
      index: { state: 'unknown', last_crawl_at: null },
    })
    await told(url, LISTED)
    const second = await owner.api.post(`/articles/${id}/inspect`)
    expect(second.body.index).toEqual(first.body.index)
    expect(await indexOf(owner, id)).toEqual(first.body.index)
    await rowsIn(
      stack,
      sql`update index_states set looked_at = looked_at - interval '11 minutes' where article_id = ${id}::int returning 1`,
    )
    const third = await owner.api.post(`/articles/${id}/inspect`)
    expect(third.body.index).toMatchObject({ state: 'indexed' })
  })

  it('names the cause that our own checks find', { timeout: 60_000 }, async () => {
    const owner = await newConnected(stack)
    const { id, url } = await liveArticle(owner, 20)
    const causes: [Record<string, unknown>, string, string][] = [
      [
        { ...OK, verdict: 'FAIL', robotsTxtState: 'DISALLOWED', pageFetchState: 'BLOCKED_ROBOTS_TXT' },
        'blocked',
        'robots',
      ],
      [{ ...OK, verdict: 'FAIL', indexingState: 'BLOCKED_BY_META_TAG' }, 'blocked', 'noindex'],
      [{ ...OK, verdict: 'FAIL', pageFetchState: 'ACCESS_FORBIDDEN' }, 'unreachable', 'unreachable'],
      [{ ...CRAWLED, googleCanonical: `https://www.${owner.domain}/other` }, 'canonical_elsewhere', 'duplicate'],
      [CRAWLED, 'crawled', 'thin'],
    ]
    for (const [result, state, cause] of causes) {
      await told(url, result)
      await rowsIn(
        stack,
        sql`update index_states set looked_at = looked_at - interval '11 minutes' where article_id = ${id}::int returning 1`,
      )
      await owner.api.post(`/articles/${id}/inspect`)
      const { body } = await owner.api.get(`/projects/${owner.project}/indexing`)
      expect(body.not_indexed, cause).toMatchObject([{ article_id: id, state, cause }])
    }
    const cause = async () => {
      const { body } = await owner.api.get(`/projects/${owner.project}/indexing`)
      return (body.not_indexed as { cause: string | null }[]).map((one) => one.cause)
    }
    const cared = async () => (await owner.api.get(`/projects/${owner.project}/care?rule=not_indexed`)).body.rules
    await rowsIn(stack, sql`update articles set seo = null where id = ${id}::int returning 1`)
    expect(await cause()).toEqual(['orphan'])
    expect(JSON.stringify(await cared())).toContain('No other article or page of the site that we know links to it.')
    // Another article links to it: no cause is left.
    await liveArticle(owner, 1, { content: `<p>Read <a href="${url}">the other post</a> too.</p>` })
    expect(await cause()).toEqual([null])
    expect(JSON.stringify(await cared())).not.toContain('links to it')
  })

  it('without a connection says how to connect, and for a draft that there is no page', async () => {
    const owner = await newOwner(stack)
    const { id } = await liveArticle(owner, 1)
    expect(await indexOf(owner, id)).toMatchObject({
      state: 'not_measured',
      why_not_measured: expect.stringContaining(`POST /projects/${owner.project}/search-console/connect`),
    })
    const { status, body } = await owner.api.post(`/articles/${id}/inspect`)
    expect([status, body.connected, body.connect_url]).toEqual([200, false, expect.stringContaining('/connect/')])
    const report = await owner.api.get(`/projects/${owner.project}/indexing`)
    expect(report.body.connected).toBe(false)
    const draft = await newArticle(owner.api, owner.project)
    expect((await owner.api.post(`/articles/${draft}/inspect`)).body.code).toBe('not_published')
  })

  it('fails with what Google says, and stores nothing', { timeout: 60_000 }, async () => {
    const owner = await newConnected(stack)
    const { id } = await liveArticle(owner, 1)
    await faults.set({ path: '/v1/urlInspection', status: 429, body: owner.domain })
    const { status, body } = await owner.api.post(`/articles/${id}/inspect`)
    expect([status, body.code]).toEqual([503, 'provider_unavailable'])
    expect(await indexOf(owner, id)).toMatchObject({ state: 'not_measured', looked_at: null })
  })
})

it('lists the sitemaps that Google knows, with their errors, and submits none', { timeout: 60_000 }, async () => {
  const owner = await newConnected(stack)
  const path = `https://www.${owner.domain}/sitemap.xml`
  await tell(stack.googleUrl, '/_sitemaps', {
    property: `https://www.${owner.domain}/`,
    sitemaps: [
      {
        path,
        lastSubmitted: '2026-01-02T03:04:05.678Z',
        lastDownloaded: '2026-01-03T03:04:05.678Z',
        isPending: false,
        isSitemapsIndex: false,
        type: 'sitemap',
        warnings: '1',
        errors: '2',
        contents: [{ type: 'web', submitted: '41', indexed: '0' }],
      },
    ],
  })
  await rowsIn(
    stack,
    sql`update search_connections set sitemaps_at = null where project_id = ${owner.project}::int returning 1`,
  )
  await lookedThrough(owner)
  const { body } = await owner.api.get(`/projects/${owner.project}/indexing`)
  expect(body.sitemaps).toEqual([
    {
      path,
      type: 'sitemap',
      submitted_at: '2026-01-02T03:04:05.678Z',
      read_at: '2026-01-03T03:04:05.678Z',
      is_pending: false,
      errors: 2,
      warnings: 1,
      addresses: 41,
    },
  ])
  const { person } = await signInAsOwner(stack, owner.api)
  const { text } = await person.get(`/p/${owner.project}/search`)
  expect(text).toMatch(/2 errors.*sitemap\.xml/s)
})

it('the page of an article shows the state, and asks Google by a button', { timeout: 60_000 }, async () => {
  const owner = await newConnected(stack)
  const { id, url } = await liveArticle(owner, 1)
  await told(url, LISTED)
  const { person } = await signInAsOwner(stack, owner.api)
  const at = `/p/${owner.project}/articles/${id}`
  expect((await person.get(at)).text).toContain('Ask Google now')
  await person.post(`${at}/inspect`, {})
  expect((await person.get(at)).text).toMatch(/In Google’s index.*Listed.*Submitted and indexed/s)
})

it('suggests an article that Google does not list, and a rewrite only where its text is the cause', {
  timeout: 90_000,
}, async () => {
  const owner = await newConnected(stack)
  const { api, project } = owner
  const [kept, thin] = [await liveArticle(owner, 3), await liveArticle(owner, 20)]
  const early = await liveArticle(owner, 3)
  await told(kept.url, { ...OK, verdict: 'FAIL', robotsTxtState: 'DISALLOWED', pageFetchState: 'BLOCKED_ROBOTS_TXT' })
  for (const { url } of [thin, early]) await told(url, CRAWLED)
  await lookedThrough(owner)
  await api.post(`/suggestions/run?project_id=${project}`)
  type Row = { id: number; article_id: number; status: string; reason: string; error: string | null }
  const rows = async () =>
    (await api.get(`/suggestions?project_id=${project}&type=not_indexed`)).body.suggestions as Row[]
  const found = await rows()
  const of = (id: number) => found.find((row) => row.article_id === id)
  // An article of three days that Google has only read is not a finding yet.
  expect(found.map((row) => row.article_id).sort()).toEqual([kept.id, thin.id].sort())
  expect(of(kept.id)?.reason).toContain('robots.txt of the site forbids Google')
  expect(of(thin.id)?.reason).toContain('less than half of the usual words')
  const care = await api.get(`/projects/${project}/care?rule=not_indexed`)
  expect(care.body.rules).toMatchObject([{ rule: 'not_indexed', count: 2 }])

  const refused = await api.post(`/suggestions/${of(kept.id)?.id}/approve`)
  expect([refused.status, refused.body.code, refused.body.message]).toEqual([
    409,
    'invalid_transition',
    expect.stringContaining('robots.txt'),
  ])
  expect((await rows()).map((row) => row.status)).toEqual(['pending', 'pending'])
  expect((await api.post(`/suggestions/${of(thin.id)?.id}/approve`)).status).toBe(200)

  // It was mended: the suggestion ends at the next run.
  await told(kept.url, LISTED)
  await rowsIn(
    stack,
    sql`update index_states set looked_at = looked_at - interval '11 minutes' where article_id = ${kept.id}::int returning 1`,
  )
  await api.post(`/articles/${kept.id}/inspect`)
  await api.post(`/suggestions/run?project_id=${project}`)
  expect((await rows()).find((row) => row.article_id === kept.id)).toMatchObject({
    status: 'superseded',
    error: 'Google lists the page now.',
  })
})
