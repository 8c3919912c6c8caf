import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { startWordpress, type WordpressStandIn } from '../../local/cms/wordpress.ts'
import { signInAsOwner } from '../accounts/people/browser.ts'
import { type Api, connectReceiver, newAccount, newArticle, newProject, rowsIn } from '../support/client.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { publishedArticle } from '../support/story.ts'

const stack = inject('stack')
const DAY_MS = 86_400_000

/** Returns the day (UTC) that is a number of days ago. */
const ago = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10)

let site: WordpressStandIn
let old: WordpressStandIn
let closed: WordpressStandIn
beforeAll(async () => {
  ;[site, old, closed] = await Promise.all([
    startWordpress(),
    startWordpress({ countsNothing: true }),
    startWordpress(),
  ])
  site.stored().countsSince = ago(3)
})
afterAll(() => Promise.all([site.close(), old.close(), closed.close()]))

/** Returns a new project whose articles are posts of a WordPress with the plugin. */
const connected = async (wordpress: WordpressStandIn, fields: Record<string, unknown> = {}) => {
  const api = await newAccount(stack)
  const project = await newProject(api)
  const answer = await api.post(`/projects/${project}/integrations`, {
    platform: 'wordpress',
    cms_url: wordpress.url,
    integration_key: wordpress.pluginKey,
    ...fields,
  })
  expect(answer.status, answer.text).toBe(201)
  return { api, project }
}

/** Publishes an article, and returns it with the id of its post. Its date is earlier, so that all days count. */
const published = async (api: Api, project: number) => {
  const id = await publishedArticle(api, project)
  const [row] = await rowsIn<{ remote_id: string }>(
    stack,
    sql`update articles set published_at = now() - interval '30 days' where id = ${id}::int returning remote_id`,
  )
  return { id, post: Number(row?.remote_id) }
}

const workOn = (project: number) =>
  rowsIn<{ done: boolean }>(
    stack,
    sql`select done_at is not null as done from outbox where key = (select 'traffic:' || id from integrations
      where project_id = ${project}::int and status = 'Active') order by id`,
  )

/** Reads a project's visits once: makes them due, and waits for the end of the work. */
const readVisits = async (project: number): Promise<void> => {
  const isIdle = async () => expect((await workOn(project)).every(({ done }) => done)).toBe(true)
  await vi.waitFor(isIdle, { timeout: PATIENCE_MS, interval: 100 })
  const { length } = await workOn(project)
  // Another test's clock may have had the days read before the site counted anything.
  await rowsIn(stack, sql`delete from traffic_days where project_id = ${project}::int returning 1`)
  await rowsIn(
    stack,
    sql`update integrations set next_traffic_at = now() where project_id = ${project}::int returning 1`,
  )
  // A tick that meets another test's tick can pass over this site, so the clock ticks until the site is taken.
  const isTaken = async () => {
    await fetch(stack.cronUrl)
    expect((await workOn(project)).length).toBeGreaterThan(length)
  }
  await vi.waitFor(isTaken, { timeout: PATIENCE_MS, interval: 500 })
  await vi.waitFor(isIdle, { timeout: PATIENCE_MS, interval: 100 })
}

describe('visits that a site counted', () => {
  it('are shown by day, assistant, agent and article; days that it did not count are missing', async () => {
    const { api, project } = await connected(site)
    const [one, two] = [await published(api, project), await published(api, project)]
    site.stored().counts.push(
      { day: ago(2), post: one.post, kind: 'visit', name: 'chatgpt', count: 3 },
      { day: ago(2), post: one.post, kind: 'crawl', name: 'GPTBot', count: 7 },
      { day: ago(1), post: one.post, kind: 'visit', name: 'perplexity', count: 4 },
      { day: ago(1), post: two.post, kind: 'crawl', name: 'ClaudeBot', count: 2 },
      // Not shown: a name of a newer plugin, a post of somebody else, a day that is not over, one before the counting.
      { day: ago(1), post: one.post, kind: 'visit', name: 'somebody new', count: 50 },
      { day: ago(1), post: 999_999, kind: 'visit', name: 'chatgpt', count: 50 },
      { day: ago(0), post: one.post, kind: 'visit', name: 'chatgpt', count: 50 },
      { day: ago(5), post: one.post, kind: 'visit', name: 'chatgpt', count: 50 },
    )
    await readVisits(project)
    expect((await api.get(`/traffic?project_id=${project}&days=90`)).body).toMatchObject({
      project_id: project,
      state: 'measured',
      reason: null,
      from: ago(90),
      to: ago(1),
      days_measured: 3,
      visits: 7,
      crawls: 9,
      assistants: [
        { assistant: 'perplexity', visits: 4 },
        { assistant: 'chatgpt', visits: 3 },
      ],
      agents: [
        { agent: 'GPTBot', of: 'OpenAI', use: 'training', crawls: 7 },
        { agent: 'ClaudeBot', of: 'Anthropic', use: 'training', crawls: 2 },
      ],
      points: [
        { date: ago(3), visits: 0, crawls: 0 },
        { date: ago(2), visits: 3, crawls: 7 },
        { date: ago(1), visits: 4, crawls: 2 },
      ],
      articles: [
        { article_id: one.id, visits: 7, crawls: 7 },
        { article_id: two.id, visits: 0, crawls: 2 },
      ],
    })
    const { body } = await api.get(`/articles/${two.id}/traffic?days=2`)
    expect(body).toMatchObject({
      article_id: two.id,
      state: 'measured',
      days_measured: 2,
      visits: 0,
      crawls: 2,
      points: [
        { date: ago(2), visits: 0, crawls: 0 },
        { date: ago(1), visits: 0, crawls: 2 },
      ],
    })

    // The pages show the same, and that of the article how often the scans of AI answers cited it.
    await rowsIn(
      stack,
      sql`insert into visibility_scans (account_id, project_id, kind, state, location, language, samples, answers, views, started_at, finished_at)
        select p.account_id, p.id, 'weekly', 'completed', 'Germany', 'en', 1, 40, jsonb_build_object('pages', jsonb_build_array(
          jsonb_build_object('url', a.url || '?utm_source=chatgpt.com', 'citations', 3),
          jsonb_build_object('url', a.url || 'another/', 'citations', 9))), now(), now()
        from articles a join projects p on p.id = a.project_id where a.id = ${one.id}::int returning 1`,
    )
    const { person } = await signInAsOwner(stack, api)
    expect((await person.get(`/p/${project}/articles/${one.id}`)).text).toMatch(
      /AI answers that the service asked for cited this page 3 times in 40 on .*<b>7<\/b>.*3 days counted.*Perplexity.*GPTBot/s,
    )
    expect((await person.get(`/p/${project}/search`)).text).toMatch(
      /Visits from AI assistants.*<b>7<\/b>.*ChatGPT.*Articles with the most visits/s,
    )

    // A day that is read again replaces what was stored of it.
    const counts = site.stored().counts
    for (const count of counts) if (count.post === one.post && count.day === ago(2)) count.count += 1
    await readVisits(project)
    expect((await api.get(`/articles/${one.id}/traffic`)).body).toMatchObject({
      points: [
        { date: ago(3), visits: 0, crawls: 0 },
        { date: ago(2), visits: 4, crawls: 8 },
        { date: ago(1), visits: 4, crawls: 0 },
      ],
    })

    // The report of effects has the visits around a change, if all of the days were counted.
    await rowsIn(
      stack,
      sql`with days as (insert into traffic_days select ${project}::int, now()::date - n from generate_series(5, 61) n),
        counts as (insert into traffic_counts (article_id, project_id, day, kind, name, count)
          select ${two.id}::int, ${project}::int, now()::date - n, 'visit', 'claude', case when n > 33 then 1 else 2 end from generate_series(5, 61) n)
        insert into page_changes (account_id, project_id, article_id, kind, revision, changed_at, measure_at)
        select account_id, id, article, 'sync', revision, now() - make_interval(days => ago), now() + interval '9 days' from projects,
          (values (${two.id}::int, 900, 33), (${two.id}::int, 901, 20)) as c (article, revision, ago) where id = ${project}::int returning 1`,
    )
    expect((await api.get(`/suggestions/effects?project_id=${project}`)).body.effects).toMatchObject([
      { visits: null },
      { visits: { before: 28, after: 56 } },
    ])
  })

  it('have no numbers where nothing counts them, but the reason', async () => {
    const nothing = { state: 'not_measured', visits: null, crawls: null, points: [], days_measured: 0 }
    const api = await newAccount(stack)
    const project = await newProject(api)
    const path = `/traffic?project_id=${project}`
    const because = (words: string) => ({ ...nothing, reason: expect.stringContaining(words) })
    expect((await api.get(path)).body).toMatchObject({ ...because('No site is connected'), articles: [] })
    const draft = await newArticle(api, project)
    const { person } = await signInAsOwner(stack, api)
    expect((await person.get(`/p/${project}/search`)).text).toContain('Visits are counted by the WordPress plugin')
    expect((await api.get(`/articles/${draft}/traffic`)).body).toMatchObject(because('not published'))
    await connectReceiver(api, project, stack.receiverUrl, stack.receiverToken)
    expect((await api.get(path)).body).toMatchObject(because('by the WordPress plugin'))

    const reasonAt = async (wordpress: WordpressStandIn, fields: object, prepare = async () => {}) => {
      const other = await connected(wordpress, { ...fields })
      await prepare()
      await readVisits(other.project)
      return (await other.api.get(`/traffic?project_id=${other.project}`)).body
    }
    const byName = { cms_username: 'admin', integration_key: site.passwordOf('admin') }
    expect(
      await Promise.all([reasonAt(old, {}), reasonAt(site, byName), reasonAt(closed, {}, () => closed.close())]),
    ).toMatchObject([because('older than 1.4.0'), because('with a user name'), because('')])
  })
})
