import { sql } from 'drizzle-orm'
import { createKey, revokeKey } from '../../src/platform/accounts/admin.ts'
import type { SqlRunner } from '../../src/platform/db/client.ts'
import { SAMPLE_ACCOUNT } from '../google/server.ts'
import type { ProviderAccounts } from '../providers.ts'
import type { Stack } from '../stack.ts'
import { OWNER, SAMPLE_NAME } from './database.ts'
import { keepEarlierScans, QUESTIONS } from './sample-answers.ts'
import { contentOf, PLANNED, PUBLISHED } from './sample-articles.ts'
import { makeOldBlog } from './sample-blog.ts'
import { connectAccounts, makeCampaign, makePosts } from './sample-reach.ts'
import { keepReadyRewrite, makeTrouble } from './sample-states.ts'

/**
 * People of the sample with their roles and the days since they came. A person who signs up as the owner becomes that
 * owner.
 */
const TEAM = JSON.stringify([
  { email: OWNER, name: '', role: 'owner', days: 40 },
  { email: 'member@galley.local', name: 'Noor Haddad', role: 'member', days: 30 },
  { email: 'editor@galley.local', name: 'Kim Larsen', role: 'editor', days: 12 },
  { email: 'client@galley.local', name: '', role: 'client', days: 5 },
])

/** Makes a person of each role in the account of the sample project, and an invitation that nobody has accepted yet. */
const makeTeam = async (run: SqlRunner, project: number): Promise<void> => {
  await run(sql`
    with site as (select id, account_id from projects where id = ${project}::int),
      team as (select * from jsonb_to_recordset(${TEAM}::jsonb) as t(email text, name text, role text, days int)),
      made as (insert into people (id, name, email, email_verified, account_id)
        select gen_random_uuid()::text, name, email, role <> 'owner', account_id from team, site returning id, email)
    insert into memberships (person_id, account_id, role, project_id, created_at)
      select made.id, site.account_id, team.role, case when team.role in ('editor', 'client') then site.id end, now() - team.days * interval '1 day'
      from made join team using (email), site`)
  await run(sql`
    insert into invitations (account_id, email, role, project_id, token_hash, invited_by, expires_at, created_at)
      select account_id, 'guest@galley.local', 'editor', id, gen_random_uuid()::text, ${OWNER}, now() + interval '6 days', now() - interval '1 day'
      from projects where id = ${project}::int`)
}

/**
 * Days since the sample's articles were published, and since they were changed. Each change follows 56 days of search
 * data.
 */
const LIVE_DAYS = 300
const CHANGED_DAYS = [100, 130, 170]
/** Time within which their search data are fetched. Then they are measured like any other change. */
const MEASURED_IN = '4 minutes'

/**
 * Adds past changes of published articles of the sample project, two of them by a suggestion, so that it has effects.
 */
const keepEarlierChanges = async (run: SqlRunner, project: number): Promise<void> => {
  await run(sql`update articles set published_at = now() - ${LIVE_DAYS}::int * interval '1 day'
    where project_id = ${project}::int and status = 'Published'`)
  for (const [n, days] of CHANGED_DAYS.entries())
    await run(sql`
      with article as (
        select id, account_id, project_id, title, meta_description, content, url, revision, now() - ${days}::int * interval '1 day' as at
        from articles where project_id = ${project}::int and status = 'Published' order by id offset ${n}::int limit 1),
      suggested as (
        insert into suggestions (account_id, project_id, article_id, article_title, article_url, status, opportunity_type, priority, reason,
          trigger, before, after, stats, diff_html, created_at, updated_at, ready_at, published_at)
        select account_id, project_id, id, title, url, 'published', 'striking_distance', 40,
          'Seen 900 times at position 8.2, within reach of the first three.',
          jsonb_build_object('page', coalesce(url, ''), 'period', jsonb_build_object('starts_on', to_char(at - interval '31 days', 'YYYY-MM-DD'),
            'ends_on', to_char(at - interval '4 days', 'YYYY-MM-DD'), 'days', 28),
            'now', jsonb_build_object('clicks', 20, 'impressions', 900, 'position', 8.2), 'before', null, 'queries', '[]'::jsonb,
            'other_page', null, 'expected_clicks', 40),
          jsonb_build_object('title', title, 'meta_description', '', 'content', content),
          jsonb_build_object('title', title, 'meta_description', meta_description, 'content', content),
          jsonb_build_object('added', coalesce(array_length(string_to_array(meta_description, ' '), 1), 0), 'removed', 0),
          '<h1>' || title || E'</h1>\\n<p><ins>' || meta_description || E'</ins></p>\\n' || content,
          at - interval '2 days', at, at - interval '1 day', at
        from article where ${n < 2}::boolean returning id, article_id)
      insert into page_changes (account_id, project_id, article_id, suggestion_id, kind, revision, changed_at, measure_at)
      select a.account_id, a.project_id, a.id, s.id, case when s.id is null then 'sync' else 'rewrite' end, a.revision, a.at,
        now() + ${MEASURED_IN}::interval
      from article a left join suggested s on s.article_id = a.id`)
}

/** Days of visits that the sample's site counted. */
const COUNTED_DAYS = 90

/** Adds visits from AI assistants and crawls of the sample's articles, which grow with time. */
const keepEarlierVisits = async (run: SqlRunner, project: number): Promise<void> => {
  const days = sql`generate_series(1, ${COUNTED_DAYS}::int) as ago`
  await run(sql`insert into traffic_days (project_id, day)
    select ${project}::int, (now() at time zone 'UTC')::date - ago from ${days}`)
  await run(sql`
    insert into traffic_counts (article_id, project_id, day, kind, name, count)
    select id, project_id, day, kind, name, count from (
      select a.id, a.project_id, (now() at time zone 'UTC')::date - ago as day, c.kind, c.name,
        ((c.most * (${COUNTED_DAYS}::int + 30 - ago)) / 120 * (1 + abs(hashint4(a.id * 1000 + ago)) % 3) / 2)::int as count
      from articles a cross join ${days} cross join (values ('visit', 'chatgpt', 6), ('visit', 'perplexity', 3), ('visit', 'claude', 2),
        ('crawl', 'GPTBot', 9), ('crawl', 'OAI-SearchBot', 5), ('crawl', 'ClaudeBot', 4), ('crawl', 'bingbot', 7)) as c (kind, name, most)
      where a.project_id = ${project}::int and a.status = 'Published') counted where count > 0`)
}

type Call = (method: string, path: string, body?: object) => Promise<Record<string, unknown>>

const DAY_MS = 86_400_000

/**
 * Does work with a client that has its own temporary key. So the sample's calls do not count against the owner's key.
 */
const withClient = async <T>(stack: Stack, run: SqlRunner, work: (call: Call) => Promise<T>): Promise<T> => {
  const { key, row } = await createKey(run, OWNER, { name: 'Sample project', scopes: ['read', 'write'], kind: 'test' })
  try {
    return await work(clientOf(stack, key))
  } finally {
    await revokeKey(run, row.id)
  }
}

const clientOf =
  (stack: Stack, key: string): Call =>
  async (method, path, body) => {
    const response = await fetch(`${stack.url}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const answer = (await response.json()) as Record<string, unknown>
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${String(answer.error)}`)
    return answer
  }

const makeProject = async (call: Call, stack: Stack): Promise<number> => {
  const { project_id: id } = await call('POST', '/projects', {
    website_url: stack.receiver.url,
    business_name: SAMPLE_NAME,
    business_description: 'Sheds, stores and small rooms for gardens, and how to build, keep and repair them.',
    target_audience: ['people with a garden', 'people who build themselves'],
    competitors: ['shedworld.example'],
    ai_instructions: 'Give every measure in centimetres, and say which tool each step needs.',
    business_aliases: ['The Shed Journal'],
  })
  return Number(id)
}

const connectReceiver = (call: Call, stack: Stack, project: number) =>
  call('POST', `/projects/${project}/integrations`, {
    platform: 'webhook',
    name: 'Sample blog',
    url: `${stack.receiver.url}/webhook`,
    access_token: stack.receiverToken,
  })

/** Number of articles in the sample’s change set. A rewrite of the next one waits, which would be out of date. */
const CHANGED_TOGETHER = 3

/** Publishes the articles, and makes a change set of some, which waits for its release. */
const publishArticles = async (call: Call, project: number): Promise<void> => {
  const changes: object[] = []
  for (const article of PUBLISHED) {
    const { article_id: id } = await call('POST', '/articles', {
      project_id: project,
      keyword: article.keyword,
      title: article.title,
      meta_description: article.description,
      content: contentOf(article),
    })
    await call('POST', `/articles/${id}/publish`)
    const content = contentOf(article)
      .replaceAll('centimetres', 'cm')
      .replace(/\.<\/p>$/, ', and look again a year later.</p>')
    const meta_description = article.description.replace(/\.$/, ', for gardens of every size.')
    if (changes.length < CHANGED_TOGETHER) changes.push({ article_id: id, content, meta_description })
  }
  await call('POST', '/changes', { project_id: project, name: 'The same words in every article', changes })
}

const planArticles = async (call: Call, project: number): Promise<void> => {
  // More articles than have a date, so that the calendar has gaps.
  await call('POST', `/projects/${project}/article-plan`, { plan: 8 })
  for (const { keyword, title, inDays, content = '' } of PLANNED)
    await call('POST', '/articles', {
      project_id: project,
      keyword,
      title,
      content,
      status: 'Planned',
      scheduled_date: new Date(Date.now() + inDays * DAY_MS).toISOString(),
    })
}

/** Connects Search Console as a person would: through our page and the consent page of Google's stand-in. */
const connectSearch = async (call: Call, stack: Stack, project: number): Promise<void> => {
  const sites = [stack.receiver, stack.blog].map(({ url }) => ({ siteUrl: `${url}/`, permissionLevel: 'siteOwner' }))
  await fetch(`${stack.google.url}/_accounts`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: SAMPLE_ACCOUNT, sites }),
  })
  const { connect_url: url } = await call('POST', `/projects/${project}/search-console/connect`)
  const [page = '', query] = String(url).split('?')
  const form = new URLSearchParams(query)
  const { origin } = new URL(page)
  const begun = await fetch(page, { method: 'POST', body: form, headers: { origin }, redirect: 'manual' })
  const consent = new URL(begun.headers.get('location') ?? '')
  // With a client at the real Google, a real person has to agree.
  if (consent.origin !== stack.google.url) return
  const answer = new URLSearchParams(consent.search)
  for (const [name, value] of Object.entries({ email: SAMPLE_ACCOUNT, search: 'yes', allow: 'yes' }))
    answer.set(name, value)
  consent.search = ''
  const allowed = await fetch(consent, { method: 'POST', body: answer, redirect: 'manual' })
  const cookie = (begun.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
  // The next page names the site and asks for a confirmation.
  const asked = new URL(allowed.headers.get('location') ?? '')
  const back = await fetch(origin + asked.pathname, {
    method: 'POST',
    body: asked.searchParams,
    headers: { cookie, origin },
    redirect: 'manual',
  })
  if (back.status !== 303) throw new Error(`connecting Search Console ended with ${back.status}`)
}

/** Imports a report of Bing of the last 28 days: pages that its AI answers cited, and what the AI searched for. */
const importBing = async (call: Call, run: SqlRunner, project: number): Promise<void> => {
  const dayBefore = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10)
  const period = { project_id: project, from: dayBefore(29), to: dayBefore(2) }
  const live = await run<{ url: string }>(
    sql`select url from articles where project_id = ${project}::int and url is not null order by id limit 6`,
  )
  const pages = live.map(({ url }, n) => `${url},${41 - 6 * n}`)
  const queries = ['best garden shed base', 'log cabin insulation cost', 'shed planning permission'].map(
    (q, n) => `${q},${38 - 9 * n}`,
  )
  const file = (name: string, lines: readonly string[]) => [`${name},Citations`, ...lines].join('\n')
  if (pages.length > 0) await call('POST', '/ai-visibility/bing', { ...period, file: file('Page', pages) })
  await call('POST', '/ai-visibility/bing', { ...period, file: file('Grounding Query', queries) })
}

/** Adds the questions, with the answers of eight weeks. Later scans ask the stand-in of the engines. */
const askEngines = async (call: Call, run: SqlRunner, project: number): Promise<void> => {
  for (const prompt of QUESTIONS) await call('POST', '/ai-visibility/prompts', { project_id: project, prompt })
  await keepEarlierScans(run, project, new Date())
}

/**
 * Makes the sample project over the API, and returns its id. Beside it, makes the project of the old blog, with adopted posts and a change
 * set.
 *
 * `accounts` are the operator's own at providers, if they are set. The project has a blog on the local receiver with
 * published and planned articles, fewer than it plans a month.
 *
 * A change set waits for its release. It has every state that needs a person's attention. One publication failed, one is retried, one has an unknown
 * outcome, and one waits for approval. A connection has lapsed, a draft has no date, and a rewrite is ready.
 *
 * A person of each role works in its account, and one is invited.
 *
 * It also has keywords, questions for AI engines with the answers of eight weeks, a report of Bing, visits of 90 days, social posts, reviews, and a
 * crowdwork campaign. Sixteen months of made-up search data are fetched in the background. Suggestions and the effects
 * of earlier changes follow within minutes.
 */
export const makeSample = (stack: Stack, run: SqlRunner, accounts: ProviderAccounts): Promise<number> =>
  withClient(stack, run, async (call) => {
    const project = await makeProject(call, stack)
    const [isSocial] = await Promise.all([
      connectAccounts(call, stack, project, accounts),
      connectReceiver(call, stack, project),
    ])
    await Promise.all([
      publishArticles(call, project)
        .then(() => keepEarlierChanges(run, project))
        .then(() => keepEarlierVisits(run, project))
        .then(() => importBing(call, run, project))
        .then(() => keepReadyRewrite(run, project))
        .then(() => withClient(stack, run, (other) => makeTrouble(other, run, stack.receiver.url, project))),
      withClient(stack, run, (other) => planArticles(other, project)),
      connectSearch(call, stack, project),
      call('POST', '/keywords/search', { project_id: project, keyword: 'garden shed' }),
      askEngines(call, run, project),
      withClient(stack, run, async (other) => connectSearch(other, stack, await makeOldBlog(other, stack))),
      makeTeam(run, project),
      isSocial && withClient(stack, run, (other) => makePosts(other, project)),
      withClient(stack, run, (other) => makeCampaign(other, stack, project, accounts)),
    ])
    return project
  })
