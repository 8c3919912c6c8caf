import { sql } from 'drizzle-orm'
import { describe, expect, inject, it } from 'vitest'
import { lastFinalDay } from '../../../src/insights/search/rules.ts'
import { type Api, newArticle, newProject, rowsIn } from '../../support/client.ts'
import { formOn, inviteTo, newOwner, type Shown, textOf, visitor } from './browser.ts'

const stack = inject('stack')

/** Returns the rows of the list in their order, as text. */
const rowsOn = ({ text }: Shown): string[] =>
  (/<tbody>(.*)<\/tbody>/s.exec(text)?.[1] ?? '')
    .split('</tr>')
    .slice(0, -1)
    .map((text) => textOf({ text }))

/** Keeps 56 days of search data for a site: each has so many clicks, and `swing` more or fewer in turns. */
const keepDays = async (api: Api, project: number, days: { before: number; now: number; swing: number }) => {
  const [source] = await rowsIn<{ id: number }>(
    stack,
    sql`insert into search_sources (project_id, property) values (${project}::int, 'sc-domain:x.example') returning id`,
  )
  await rowsIn(
    stack,
    sql`with made as (insert into connections (account_id, project_id, platform, name, url, sealed_secrets)
        values (${api.accountId}::int, ${project}::int, 'Google Search Console', 'x', 'x', 'x') returning id)
      insert into search_connections (project_id, account_id, connection_id, source_id, google_sub, next_sync_at)
        select ${project}::int, ${api.accountId}::int, id, ${source?.id}::int, '', now() + interval '1 day' from made`,
  )
  await rowsIn(
    stack,
    sql`insert into search_days (source_id, day, clicks, impressions, position)
      select ${source?.id}::int, ${lastFinalDay(new Date())}::date - n,
        case when n < 28 then ${days.now}::int + ${days.swing}::int * (n % 3 - 1) else ${days.before}::int end, 1000, 5
      from generate_series(0, 55) n`,
  )
}

/**
 * Returns an account with three sites: one with more clicks, one with clicks within the noise, one without search data.
 */
const agency = async () => {
  const { api, person } = await newOwner(stack)
  const [grows, swings, plain] = [
    await newProject(api, { business_name: 'Grows' }),
    await newProject(api, { business_name: 'Alike' }),
    await newProject(api, { business_name: 'Plain' }),
  ]
  await keepDays(api, grows, { before: 10, now: 14, swing: 1 })
  await keepDays(api, swings, { before: 20, now: 21, swing: 9 })
  return { api, person, grows, swings, plain }
}

describe('the list of sites', () => {
  it('shows and sums clicks, and marks only significant changes', async () => {
    const { api, person, grows, plain } = await agency()
    const failed = await newArticle(api, plain)
    const unknown = await newArticle(api, plain)
    await rowsIn(stack, sql`update articles set publish_state = 'failed' where id = ${failed}::int`)
    await rowsIn(stack, sql`update articles set publish_state = 'unknown' where id = ${unknown}::int`)
    await rowsIn(stack, sql`update accounts set article_credits = 7 where id = ${api.accountId}::int`)
    const page = await person.get('/sites')
    const [first, second, third] = rowsOn(page)
    expect(first).toMatch(/Plain.*▲ 1 failed.*\? 1 not known.*no data/)
    expect(second).toMatch(/Alike.* 579 \+19, no clear change/)
    expect(third).toMatch(/Grows.* 391 ↑ \+111/)
    expect(textOf(page)).toContain(
      '3 sites: 1 failed, 1 not known, 0 rewrites ready, 0 published in 30 days, 970 clicks in 28 days. The account has 7 article credits.',
    )
    const { person: editor } = await inviteTo(stack, person, 'editor', grows)
    const own = await editor.get('/sites')
    expect([rowsOn(own).length, textOf(own).includes('391 clicks in 28 days')]).toEqual([1, true])
    const other = await newOwner(stack)
    await newProject(other.api)
    expect(textOf(await other.person.get('/sites'))).not.toContain('clicks in 28 days')
  })

  it('is sorted by address, with pinned sites first', async () => {
    const { api, person, grows, plain } = await agency()
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
    await newArticle(api, grows, { status: 'Planned', scheduled_date: inDays(9) })
    await newArticle(api, plain, { status: 'Planned', scheduled_date: inDays(2) })
    const order = async (query: string) =>
      rowsOn(await person.get(`/sites${query}`)).map((row) => /Grows|Alike|Plain/.exec(row)?.[0])
    expect(await order('?sort=clicks')).toEqual(['Alike', 'Grows', 'Plain'])
    expect(await order('?sort=next')).toEqual(['Plain', 'Grows', 'Alike'])
    expect(await order('?sort=name')).toEqual(['Alike', 'Grows', 'Plain'])
    expect(await order('?sort=nonsense')).toEqual(['Alike', 'Grows', 'Plain'])
    const pinned = await person.post('/sites/pin', { site: String(plain), sort: 'name' }, { follow: false })
    expect([pinned.status, pinned.headers.get('location')]).toEqual([303, '/sites?sort=name'])
    expect(await order('?sort=name')).toEqual(['Plain', 'Alike', 'Grows'])
    for (const site of ['', '0', 'x'.repeat(5_000)]) await person.post('/sites/pin', { site })
    expect(await order('?sort=clicks')).toEqual(['Plain', 'Alike', 'Grows'])
    await person.post('/sites/pin', { site: String(plain) })
    expect(await order('?sort=name')).toEqual(['Alike', 'Grows', 'Plain'])
    expect(
      (await visitor(stack.url).post('/sites/pin', { site: '1' }, { follow: false })).headers.get('location'),
    ).toMatch(/^\/sign-in/)
  })
})

describe('the calendar of all sites', () => {
  it('has the dates and posts of each site in its time zone; moving one returns to the page', async () => {
    const { api, person } = await newOwner(stack)
    const paris = await newProject(api, { business_name: 'Left Bank', timezone: 'Europe/Paris' })
    const tokyo = await newProject(api, { business_name: 'Shibuya', timezone: 'Asia/Tokyo' })
    const late = '2031-05-08T22:30:00Z'
    const moved = await newArticle(api, paris, { title: 'Bread', status: 'Planned', scheduled_date: late })
    await newArticle(api, tokyo, { title: 'Rice', status: 'Planned', scheduled_date: late })
    await rowsIn(
      stack,
      sql`insert into social_posts (account_id, project_id, platform, route, social_account_id, content, status, scheduled_for, send_key)
        values (${api.accountId}::int, ${tokyo}::int, 'linkedin', 'provider', 'acc', 'Open house', 'scheduled', ${late}, 'one')`,
    )
    const other = await newOwner(stack)
    await newArticle(other.api, await newProject(other.api), {
      title: 'Theirs',
      status: 'Planned',
      scheduled_date: late,
    })
    const page = await person.get('/sites/calendar?month=2031-05')
    const grid = textOf({ text: /<ol class="month".*?<\/ol>/s.exec(page.text)?.[0] ?? '' })
    expect(grid).toMatch(
      /Fri 9 May 2031 9 ▢ 00:30 \S+ \S+ Bread Left Bank ▢ 07:30 \S+ \S+ Rice Shibuya ○ 07:30 LinkedIn Open house Shibuya/,
    )
    expect(page.text).not.toContain('Theirs')
    expect(textOf(await person.get('/sites/calendar?month=2031-05&posts=no'))).not.toContain('Open house')
    const form = formOn(page, `/p/${paris}/articles/${moved}/date`)
    const done = await person.post(`/p/${paris}/articles/${moved}/date`, { ...form, at: '2031-06-01T09:00' })
    expect([new URL(done.url).pathname, textOf(done).includes('Moved to Sun 1 Jun 2031, 09:00 (Paris).')]).toEqual([
      '/sites/calendar',
      true,
    ])
    const { person: editor } = await inviteTo(stack, person, 'editor', paris)
    const own = await editor.get('/sites/calendar?month=2031-06')
    expect([own.text.includes('Bread'), own.text.includes('Rice')]).toEqual([true, false])
    expect((await editor.get('/sites/calendar?month=2031-05')).text).not.toContain('Rice')
  })
})
