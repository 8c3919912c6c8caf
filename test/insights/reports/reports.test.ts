import { sql } from 'drizzle-orm'
import { expect, inject, it, vi } from 'vitest'
import { mailsTo, mailTo, newOwner, textOf, visitor } from '../../accounts/people/browser.ts'
import { type Api, newAccount, newArticle, newProject, rowsIn } from '../../support/client.ts'
import { PATIENCE_MS } from '../../support/patience.ts'

const stack = inject('stack')

/** Day of the last month in UTC, which is the time zone of the projects here. */
const dayOf = (day: number, months = -1): string => {
  const now = new Date()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, day)).toISOString().slice(0, 10)
}

/** Keeps search days, a change, looks of Google, a scan and visits of the last month, and some of the month before. */
const measure = async (api: Api, project: number) => {
  const article = await newArticle(api, project)
  const taken = await newArticle(api, project)
  const [id, account, of] = [sql`${project}::int`, sql`${api.accountId}::int`, sql`${article}::int`]
  await rowsIn(
    stack,
    sql`update articles set status = case id when ${of} then 'Published' else 'Draft' end, url = 'https://a.example/a', published_at = now()
      where project_id = ${id} returning id`,
  )
  await rowsIn(
    stack,
    sql`with source as (insert into search_sources (project_id, property) values (${id}, 'sc-domain:x.example') returning id),
      made as (insert into connections (account_id, project_id, platform, name, url, sealed_secrets)
        values (${account}, ${id}, 'Google Search Console', 'x', 'x', 'x') returning id),
      connected as (insert into search_connections (project_id, account_id, connection_id, source_id, google_sub, next_sync_at)
        select ${id}, ${account}, made.id, source.id, '', now() + interval '9 days' from made, source),
      days as (insert into search_days (source_id, day, clicks, impressions, position)
        select source.id, d::date, 600, 7000, 5 from source, unnest(array[${dayOf(0)}, ${dayOf(1)}, ${dayOf(2)}]) d),
      changed as (insert into page_changes (account_id, project_id, article_id, kind, revision, changed_at, measure_at)
        values (${account}, ${id}, ${of}, 'sync', 900, ${dayOf(3)}::timestamp at time zone 'UTC', now() + interval '9 days')),
      looked as (insert into index_states (article_id, project_id, url, state, facts, looked_at)
        select id, ${id}, 'https://a.example/a', 'indexed', '{}', now() from unnest(array[${of}, ${taken}::int]) id),
      scanned as (insert into visibility_scans (account_id, project_id, kind, state, samples, location, language, started_at, finished_at, answers, cited)
        select ${account}, ${id}, 'weekly', 'completed', 1, 'US', 'en', at, at, 8, 3
        from (select d::timestamp at time zone 'UTC' as at from unnest(array[${dayOf(0)}, ${dayOf(9)}]) d) d),
      counted as (insert into traffic_days values (${id}, ${dayOf(5)}::date))
      insert into traffic_counts (article_id, project_id, day, kind, name, count)
        values (${of}, ${id}, ${dayOf(5)}::date, 'visit', 'claude', 11), (${of}, ${id}, ${dayOf(5)}::date, 'crawl', 'GPTBot', 70) returning 1`,
  )
}

it('a report has the figures of its month, which stay, for everybody with its link', async () => {
  const { api, person } = await newOwner(stack)
  const project = await newProject(api, { business_name: 'Sheds of Ann', timezone: 'UTC', backlinks_network: false })
  await measure(api, project)
  const made = await api.post(`/projects/${project}/reports`, { month: dayOf(1).slice(0, 7) })
  expect(made.status, made.text).toBe(201)
  const days = { from: dayOf(1), to: dayOf(0, 0) }
  const all = Number(dayOf(0, 0).slice(8))
  const figures = {
    ...days,
    timezone: 'UTC',
    search: { ...days, days: 2, of: all, clicks: 1200, impressions: 14_000 },
    published: 0,
    changed: 1,
    indexed: { n: 1, indexed: 1 },
    citations: { scans: 1, answers: 8, cited: 3 },
    visits: { ...days, days: 1, of: all, visits: 11 },
    links: null,
    credits: 0,
  }
  expect(made.body).toMatchObject({ month: dayOf(1).slice(0, 7), figures })

  const guest = visitor(stack.url)
  const link = new URL(String(made.body.url)).pathname
  const page = await guest.get(link)
  expect([page.status, page.headers.get('x-robots-tag')]).toEqual([200, 'noindex, nofollow'])
  const words = textOf(page)
  expect(words).toContain('Sheds of Ann')
  expect(words).toContain(`Clicks in Google 1,200 2 of ${all} days from ${days.from} to ${days.to}`)
  expect(words).toContain('Links from partners not measured')

  // Later numbers, and a new link: the figures stay, and the earlier link ends.
  await rowsIn(
    stack,
    sql`update search_days set clicks = 0 where source_id in (select id from search_sources where project_id = ${project}::int)`,
  )
  const again = await api.post(`/projects/${project}/reports`)
  expect(again.body).toMatchObject({ made_at: made.body.made_at, figures })
  expect((await guest.get(link)).status).toBe(404)
  const second = new URL(String(again.body.url)).pathname
  expect(textOf(await guest.get(second))).toContain('Clicks in Google 1,200')
  expect((await api.get(`/projects/${project}/reports`)).body.reports).toMatchObject([{ figures, has_link: true }])

  // A suspended account shows nothing, and a deleted report is gone.
  const suspend = (at: string | null) =>
    rowsIn(stack, sql`update accounts set suspended_at = ${at}::timestamptz where id = ${api.accountId}::int`)
  await suspend(new Date().toISOString())
  expect((await guest.get(second)).status).toBe(404)
  await suspend(null)
  const listed = await person.get(`/p/${project}/reports`)
  expect(textOf(listed)).toContain('Clicks in Google 1,200')
  await person.post(`/p/${project}/reports/${dayOf(1).slice(0, 7)}/delete`, {})
  expect((await guest.get(second)).status).toBe(404)
  const anew = await person.post(`/p/${project}/reports`, { month: '' })
  const [own = ''] = /\/report\/[\w-]+/.exec(anew.text) ?? []
  expect(textOf(await guest.get(own))).toContain('Clicks in Google 0 ')
})

it('a report is only made of a month that is over, by the account of the project', async () => {
  const api = await newAccount(stack)
  const project = await newProject(api)
  for (const month of [dayOf(1, 0).slice(0, 7), '2099-01', '2026-13'])
    expect((await api.post(`/projects/${project}/reports`, { month })).body.details).toMatchObject([{ field: 'month' }])
  const other = await newAccount(stack)
  expect((await other.post(`/projects/${project}/reports`, {})).status).toBe(403)
  expect((await other.get(`/projects/${project}/reports`)).status).toBe(403)
})

it('a report is mailed once in a month, to those who were chosen and may still read the site', async () => {
  const { api, person, email } = await newOwner(stack)
  const project = await newProject(api, { business_name: 'Sheds of Ann', timezone: 'UTC' })
  const [owner] = await rowsIn<{ id: string }>(
    stack,
    sql`select person_id as id from memberships where account_id = ${api.accountId}::int`,
  )
  const choose = (ids: readonly string[]) =>
    person.post(`/p/${project}/reports/mail`, Object.fromEntries(ids.map((id) => [id, 'on'])))
  await choose([String(owner?.id), 'somebody-else'])
  const mailing = () =>
    rowsIn<{ people: string[]; next: string }>(
      stack,
      sql`select person_ids as people, to_char(next_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI') as next
        from report_mailings where project_id = ${project}::int`,
    )
  const next = `${dayOf(1, 1)} 08:00`
  expect(await mailing()).toEqual([{ people: [owner?.id], next }])
  const send = async () => {
    await rowsIn(stack, sql`update report_mailings set next_at = now() where project_id = ${project}::int`)
    await vi.waitFor(
      async () => {
        await fetch(stack.cronUrl)
        expect((await mailing())[0]?.next).toBe(next)
        const [open] = await rowsIn(
          stack,
          sql`select 1 from outbox where account_id = ${api.accountId}::int and job = 'reports.mail' and done_at is null`,
        )
        expect(open).toBeUndefined()
      },
      { timeout: PATIENCE_MS, interval: 200 },
    )
  }
  await send()
  const mail = await mailTo(stack.mailUrl, email, /Sheds of Ann/)
  expect(mail.text).toContain('Clicks in Google: not measured')
  expect(mail.text).toContain(`/p/${project}/reports`)
  await send()
  expect((await mailsTo(stack.mailUrl, email)).filter(({ subject }) => /Sheds of Ann/.test(subject))).toHaveLength(1)
  await choose([])
  expect(await mailing()).toEqual([])
})
