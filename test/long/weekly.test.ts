import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDays, lastFinalDay, lastWindowEnd } from '../../src/insights/search/rules.ts'
import { accessOf, cron, flush, type StackAccess } from '../publishing/scene.ts'
import { newAccount, rowsIn } from '../support/client.ts'
import { startTestStack, type TestStack } from '../support/stack.ts'

const PROJECTS = Number(process.env.WEEKLY_PROJECTS ?? 5_000)
/** So many of the runs are followed to their end; the others wait for their second within the hour. */
const FOLLOWED = Math.min(PROJECTS, 300)
const BATCH = 500
const LIMIT_MS = 600_000

let stack: TestStack
let access: StackAccess

beforeAll(async () => {
  stack = await startTestStack({ timeScale: 1_000 })
  access = accessOf(stack)
}, 240_000)
afterAll(() => stack.close())

const rows = <Row>(statement: ReturnType<typeof sql>) => rowsIn<Row>(access, statement)

/** Makes projects with a live article each, at position 6.2 for a query. Their week began two hours ago. */
const fill = async (account: number, from: number, to: number): Promise<void> => {
  const end = lastWindowEnd(lastFinalDay(new Date()))
  await rows(sql`
    with made as (insert into projects (account_id, website_url, website_key)
        select ${account}::int, 'https://w' || n || '.example', 'w' || n || '.example' from generate_series(${from}::int, ${to}::int) n
        returning id, account_id, website_key),
      article as (insert into articles (account_id, project_id, status, title, main_keyword, slug, url, published_at)
        select account_id, id, 'Published', 'Sheds', 'sheds', 'sheds', 'https://' || website_key || '/sheds', now() from made returning id, project_id),
      page as (insert into site_pages (project_id, article_id, url, url_key)
        select m.id, a.id, 'https://' || website_key || '/sheds', website_key || '/sheds' from made m join article a on a.project_id = m.id),
      source as (insert into search_sources (project_id, property) select id, 'sc-domain:' || website_key from made returning id, project_id),
      connection as (insert into connections (account_id, project_id, platform, name, url, sealed_secrets)
        select account_id, id, 'Google Search Console', 'x', 'x', '' from made returning id, project_id),
      standing as (insert into search_connections (project_id, account_id, connection_id, source_id, google_sub, next_sync_at, next_suggestions_at)
        select m.id, m.account_id, c.id, s.id, '', now() + interval '1 day', now() - interval '10 minutes'
        from made m join connection c on c.project_id = m.id join source s on s.project_id = m.id),
      periods as (insert into search_windows (source_id, ends_on, completed_at)
        select id, d, now() from source, unnest(array[${end}::date, ${addDays(end, -28)}::date]) d),
      seen as (insert into search_pages (source_id, page, page_key)
        select s.id, 'https://' || website_key || '/sheds', website_key || '/sheds' from source s join made m on m.id = s.project_id
        returning id, source_id)
    insert into search_window_rows (source_id, ends_on, page_id, query, clicks, impressions, position)
      select source_id, ${end}::date, id, q, 5, 900, 6.2 from seen, unnest(array['', 'oak shed']) q`)
}

test(`the weekly runs of ${PROJECTS} projects are queued within ten minutes, once each, spread over the hour`, async () => {
  const account = await newAccount(access)
  for (let from = 1; from <= PROJECTS; from += BATCH)
    await fill(account.accountId, from, Math.min(PROJECTS, from + BATCH - 1))
  const count = async (condition = sql`true`) =>
    Number(
      (
        await rows<{ n: number }>(
          sql`select count(*)::int as n from outbox where job = 'suggestions.weekly' and ${condition}`,
        )
      )[0]?.n,
    )
  const beganAt = Date.now()
  let minutes = 0
  let offered = 0
  let most = 0
  while ((await count()) < PROJECTS) {
    const startedAt = Date.now()
    await cron(access)
    minutes += 1
    const now = await count(sql`offered_at is not null`)
    most = Math.max(most, now - offered)
    offered = now
    process.stdout.write(
      `minute ${minutes}: ${await count()} asked for in ${Date.now() - startedAt} ms, ${now} handed to the queue\n`,
    )
    // A minute's work that takes longer than a minute would fall behind.
    expect(Date.now() - startedAt).toBeLessThan(60_000)
    expect(minutes).toBeLessThanOrEqual(10)
  }
  process.stdout.write(`${PROJECTS} asked for in ${minutes} minutes of the clock, ${Date.now() - beganAt} ms\n`)
  // The number of rows that a minute offers to the queue is limited, whatever waits.
  expect(most).toBeLessThanOrEqual(2_000)
  const spread = await rows<{ at: string; n: number }>(
    sql`select date_trunc('minute', run_at)::text as at, count(*)::int as n from outbox where job = 'suggestions.weekly' group by 1 order by 1`,
  )
  // Rows whose time was already past run at once. The others are spread over the hour.
  expect(spread.length).toBeGreaterThanOrEqual(40)
  expect(Math.max(...spread.slice(2).map(({ n }) => n))).toBeLessThanOrEqual(Math.max(20, PROJECTS / 40))
  await cron(access)
  expect(await count()).toBe(PROJECTS)

  // The runs themselves: some are followed to their end.
  await rows(sql`update outbox set run_at = now() where id in
      (select id from outbox where job = 'suggestions.weekly' and done_at is null order by run_at limit ${FOLLOWED}::int)`)
  const ranAt = Date.now()
  while ((await count(sql`done_at is not null`)) < FOLLOWED) {
    await cron(access)
    await flush(access)
    expect(Date.now() - ranAt).toBeLessThan(LIMIT_MS)
  }
  const done = await count(sql`done_at is not null`)
  process.stdout.write(`${done} runs done, the last ${FOLLOWED} within ${Date.now() - ranAt} ms\n`)
  expect(await count(sql`dead_at is not null`)).toBe(0)
  const [made] = await rows<{ n: number; projects: number }>(
    sql`select count(*)::int as n, count(distinct project_id)::int as projects from suggestions where status = 'pending'
        and opportunity_type = 'striking_distance'`,
  )
  // Each run that is done found the one thing there is to find, once.
  expect(made?.n).toBe(made?.projects)
  expect(made?.projects).toBeGreaterThanOrEqual(done)
}, 1_800_000)
