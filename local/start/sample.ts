import { createKey, revokeKey, type SqlRunner } from '../../src/platform/accounts/admin.ts'
import { SAMPLE_ACCOUNT } from '../google/server.ts'
import type { ProviderAccounts } from '../providers.ts'
import type { Stack } from '../stack.ts'
import { OWNER, SAMPLE_NAME } from './database.ts'
import { keepEarlierScans, QUESTIONS } from './sample-answers.ts'
import { contentOf, PLANNED, PUBLISHED } from './sample-articles.ts'
import { keepEarlierChanges } from './sample-effects.ts'
import { makeTeam } from './sample-people.ts'
import { askWorkers, connectAccounts, tellOfIt } from './sample-reach.ts'
import { keepReadyRewrite, makeTrouble } from './sample-states.ts'

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

const publishArticles = async (call: Call, project: number): Promise<void> => {
  for (const article of PUBLISHED) {
    const { article_id: id } = await call('POST', '/articles', {
      project_id: project,
      keyword: article.keyword,
      title: article.title,
      meta_description: article.description,
      content: contentOf(article),
    })
    await call('POST', `/articles/${id}/publish`)
  }
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
  const sites = [{ siteUrl: `${stack.receiver.url}/`, permissionLevel: 'siteOwner' }]
  await fetch(`${stack.google.url}/_accounts`, {
    method: 'POST',
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

/** Adds the questions, with the answers of eight weeks. Later scans ask the stand-in of the engines. */
const askEngines = async (call: Call, run: SqlRunner, project: number): Promise<void> => {
  for (const prompt of QUESTIONS) await call('POST', '/ai-visibility/prompts', { project_id: project, prompt })
  await keepEarlierScans(run, project, new Date())
}

/**
 * Makes the sample project over the API, and returns its id.
 *
 * `accounts` are the operator's own at providers, if they are set. The project has a blog on the local receiver with
 * published and planned articles, fewer than it plans a month.
 *
 * It has every state that needs a person's attention. One publication failed, one is retried, one has an unknown
 * outcome, and one waits for approval. A connection has lapsed, a draft has no date, and a rewrite is ready.
 *
 * A person of each role works in its account, and one is invited.
 *
 * It also has keywords, questions for AI engines with the answers of eight weeks, social posts, reviews, and a
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
        .then(() => keepReadyRewrite(run, project))
        .then(() => withClient(stack, run, (other) => makeTrouble(other, run, stack.receiver.url, project))),
      withClient(stack, run, (other) => planArticles(other, project)),
      connectSearch(call, stack, project),
      call('POST', '/keywords/search', { project_id: project, keyword: 'garden shed' }),
      askEngines(call, run, project),
      makeTeam(run, project),
      isSocial && withClient(stack, run, (other) => tellOfIt(other, project)),
      withClient(stack, run, (other) => askWorkers(other, stack, project, accounts)),
    ])
    return project
  })
