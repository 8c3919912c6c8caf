import { randomBytes } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { expect } from 'vitest'
import { ERROR_CODES, type ErrorCode } from '../../schema/values/errors.ts'
import type { GroupedOperation } from '../../src/operations.ts'
import { createKey } from '../../src/platform/accounts/admin.ts'
import { mintApiKey } from '../../src/platform/accounts/api-key.ts'
import type { Operation } from '../../src/platform/http/operation.ts'
import { ulid } from '../../src/platform/lib/bytes.ts'
import { type Answer, type Api, connectReceiver, newArticle, newProject, rowsIn, runnerOf } from './client.ts'
import type { SharedStack } from './global.ts'
import { PATIENCE_MS } from './patience.ts'

/** An id nothing has. */
export const ABSENT = 2_147_483_647

/** Operations in the form `it.each` and `describe.each` name them by. */
export const named = (operations: readonly Operation[]): [string, Operation][] =>
  operations.map((op) => [`${op.method} ${op.path}`, op])

/** One operation of each Worker and way of reading a body, for rules that one function of `http/group.ts` has for all of them. */
export const ofEachKind = (operations: readonly GroupedOperation[]): GroupedOperation[] => {
  const kindOf = ({ worker, path, json, upload, attachment }: GroupedOperation): string =>
    JSON.stringify([worker, ABOUT.exec(path)?.[1], json !== undefined, upload !== undefined, attachment?.maxBytes])
  const kinds = new Map(operations.map((op) => [kindOf(op), op]))
  return [...kinds.values()]
}

/** Things that an operation's `:id` names. */
export type Things = {
  project: number
  article: number
  integration: number
  delivery: number
  post: number
  campaign: string
  suggestion: number
  screenshot: string
  key: number
  approval: number
  endpoint: number
  change_set: number
  statement: number
  batch: number
  export: number
  import: number
}

const kindOf = (path: string): Exclude<keyof Things, 'campaign'> => {
  if (path.startsWith('/projects/')) return 'project'
  if (path.startsWith('/articles/batches/')) return 'batch'
  if (path.startsWith('/articles/')) return 'article'
  if (path.startsWith('/social/posts/')) return 'post'
  if (path.startsWith('/suggestions/')) return 'suggestion'
  if (path.startsWith('/screenshots/')) return 'screenshot'
  if (path.startsWith('/keys/')) return 'key'
  if (path.startsWith('/exports/')) return 'export'
  if (path.startsWith('/imports/')) return 'import'
  if (path.startsWith('/approvals/')) return 'approval'
  if (path.startsWith('/event-endpoints/')) return 'endpoint'
  if (path.startsWith('/changes/')) return 'change_set'
  if (path.startsWith('/statements/')) return 'statement'
  return path.startsWith('/integrations/') ? 'integration' : 'delivery'
}

/** Required query parameters besides `project_id`. */
const QUERIES: Record<string, string> = {
  'backlinks.targets': '&keyword=garden+sheds',
  'integrations.how_to_connect': '&integration=ghost',
}

const PROJECT_QUERY = new Set([
  'business_context.get',
  'research.internal_links',
  'backlinks.targets',
  'backlinks.list',
  'backlinks.status',
  'backlinks.ledger',
  'social.accounts',
  'integrations.catalog',
  'integrations.how_to_connect',
  'search.performance',
  'search.history',
  'traffic',
  'visibility.get',
  'visibility.answers',
  'visibility.scans',
  'visibility.bing',
  'profile.status',
  'profile.reviews',
  'profile.analytics',
  'crowdwork.spend',
  'suggestions.list',
  'suggestions.effects',
  'suggestions.run',
])

/** Pattern of the parameters that name the thing an operation works on. */
export const ABOUT = /:(id|post_id|screenshot_id)\b/

/** The id of a screenshot nothing has. */
const ABSENT_SHOT = '01ARZ3NDEKTSV4RRFFQ69G5FAV'

/** Returns the operation's path with its id filled in, 1 for parameters below it, and a query if one is required. */
export const pathOf = (op: Operation, id: string | number = ABSENT, campaign = 'none'): string =>
  op.path
    .replace(':screenshot_id', id === ABSENT ? ABSENT_SHOT : String(id))
    .replace(ABOUT, String(id))
    .replace(':target_id', '1')
    .replace(':provider', 'dataforseo')
    .replace(':campaign_id', campaign)
    .replace(':account_id', 'acc_1')
    .replaceAll(/:\w+/g, '1') + (PROJECT_QUERY.has(op.id) ? `?project_id=${id}${QUERIES[op.id] ?? ''}` : '')

/** Returns the path that leads to one of `things`. */
export const pathTo = (op: Operation, things: Things): string =>
  pathOf(op, PROJECT_QUERY.has(op.id) ? things.project : things[kindOf(op.path)], things.campaign)

/** A GIF of one pixel. */
const ONE_PIXEL = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'

const BODIES: Record<string, (projectId: number) => Record<string, unknown>> = {
  'calls.plan': (projectId) => ({
    calls: [{ operation: 'articles.create', body: { project_id: projectId, keyword: 'garden sheds' } }],
  }),
  'keys.create': () => ({ name: 'A reader', scope: 'read' }),
  undo: () => ({ request_id: 'none' }),
  'projects.import': () => ({ export_id: ABSENT }),
  'invitations.create': (projectId) => ({
    email: `${randomBytes(6).toString('hex')}@people.example`,
    role: 'client',
    project_id: projectId,
  }),
  'projects.create': () => ({ website_url: `https://${randomBytes(6).toString('hex')}.example` }),
  'projects.update': () => ({ tone: 'Persuasive' }),
  'projects.article_plan': () => ({ plan: 8 }),
  'articles.create': (projectId) => ({ project_id: projectId, keyword: 'garden sheds' }),
  'articles.batch': (projectId) => ({ project_id: projectId, articles: [{ keyword: 'garden sheds' }] }),
  'articles.translation': () => ({ translation_of: ABSENT }),
  'projects.move': () => ({ website_url: `https://${randomBytes(6).toString('hex')}.example` }),
  'projects.adopt': () => ({ every_post: true }),
  'changes.create': (projectId) => ({
    project_id: projectId,
    name: 'x',
    changes: [{ article_id: 7, title: 'x' }],
  }),
  'statements.create': (projectId) => ({ project_id: projectId, name: 'x', wording: 'A shed costs 45 euros' }),
  'statements.change': () => ({ wording: 'A shed costs 49 euros' }),
  'articles.adopt': (projectId) => ({ project_id: projectId, post_id: '7' }),
  'articles.generate': (projectId) => ({
    project_id: projectId,
    keyword: 'garden sheds',
    source_content: 'Sheds need a level base.',
  }),
  'articles.update': () => ({ title: 'Another title' }),
  'articles.address': () => ({ url: 'https://blog.example/garden-sheds' }),
  'projects.cms_site': () => ({
    cms_url: 'https://blog.example',
    integration_key: 'abcd efgh ijkl mnop qrst uvwx',
    cms_username: 'editor',
  }),
  'visibility.scan': (projectId) => ({ project_id: projectId, samples: 1 }),
  'visibility.prompts.add': (projectId) => ({ project_id: projectId, prompt: 'Which garden sheds are best?' }),
  'visibility.prompts.remove': (projectId) => ({ project_id: projectId, prompt: 'Which garden sheds are best?' }),
  'visibility.bing.import': (projectId) => ({
    project_id: projectId,
    file: 'Grounding Query,Citations\ngarden sheds,4\n',
    from: '2026-10-01',
    to: '2026-10-31',
  }),
  'outreach.erase': () => ({ id: 'nobody' }),
  'outreach.sync': () => ({ persons: [] }),
  'profile.reply': (projectId) => ({ project_id: projectId, review_id: 'review-1', message: 'Thank you!' }),
  'profile.remove_reply': (projectId) => ({ project_id: projectId, review_id: 'review-1' }),
  'profile.post': (projectId) => ({ project_id: projectId, summary: 'Open on Sunday.' }),
  'social.connect': (projectId) => ({ project_id: projectId, platform: 'x' }),
  'social.publish': (projectId) => ({ project_id: projectId, platforms: ['x'], content: 'Sheds stay dry.' }),
  'social.comment_for_guide': () => ({ is_comment_for_guide: false }),
  'crowdwork.create': (projectId) => ({
    project_id: projectId,
    title: 'Look at a shed',
    description: 'Say what you see.',
    template_html: '<input name="seen">',
  }),
  'crowdwork.register': () => ({ campaign_id: 'none' }),
  'crowdwork.rate': () => ({ campaign_id: 'none', rating: 'OK' }),
  'screenshots.take': () => ({ url: 'https://garden.example/', name: 'Garden' }),
  'social.media': (projectId) => ({ project_id: projectId, media_url: 'https://pictures.example/a.png' }),
  'images.create': () => ({ image_base64: ONE_PIXEL }),
  'keywords.search': (projectId) => ({ keyword: 'garden sheds', project_id: projectId }),
  'provider_keys.save': () => ({ login: 'me@shop.example', password: 'sandbox-password' }),
  'search.choose_property': () => ({ property: 'sc-domain:blog.example' }),
  'integrations.update': () => ({ name: 'Another name' }),
  'event_endpoints.create': () => ({ url: 'https://receiver.example/events' }),
  'event_endpoints.update': () => ({ description: 'Another' }),
  'event_endpoints.replay': () => ({ after: 0 }),
  'targets.add': () => ({ platform: 'webhook', url: 'https://follower.example/hook', access_token: 'token' }),
  'integrations.connect': () => ({ platform: 'webhook', url: 'https://receiver.example/hook', access_token: 'token' }),
}

/** Reads that answer only for a project with a CMS that can be listed. */
export const READS_OF_CMS: readonly string[] = ['site_posts.list', 'integrations.schema']

/** Returns a body that the operation accepts; undefined if it takes none. */
export const bodyOf = (op: Operation, projectId: number = ABSENT): Record<string, unknown> | undefined =>
  BODIES[op.id]?.(projectId)

/** Waits until the scan of a new project's site has ended: it changes the project's row. Throws when that takes too long. */
export const whenScanned = async (api: Api, project: number): Promise<void> => {
  const until = Date.now() + PATIENCE_MS
  for (;;) {
    const { body } = await api.get(`/projects/${project}`)
    if (/^(completed|failed)$/.test(String((body.setup as { site_scan?: string } | undefined)?.site_scan))) return
    if (Date.now() > until) throw new Error(`the site of project ${project} is still being scanned`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

/** Returns a draft for a social network. */
const newPost = async (api: Api, stack: SharedStack, project: number): Promise<number> => {
  const [row] = await rowsIn<{ id: number }>(
    stack,
    sql`insert into social_posts (account_id, project_id, platform, route, social_account_id, content, status, send_key)
      values (${api.accountId}::int, ${project}::int, 'x', 'provider', 'nobody', 'Sheds stay dry in the garden.', 'draft', 'contract')
      returning id`,
  )
  return Number(row?.id)
}

/** Connects an account of X, as if a person had agreed at the provider. */
const connectAccount = async (api: Api, project: number): Promise<void> => {
  const { body, text } = await api.post('/social/accounts', { project_id: project, platform: 'x' })
  if (typeof body.connect_url !== 'string') throw new Error(text)
  await (await fetch(body.connect_url)).arrayBuffer()
}

/** Returns a crowdwork campaign; the provider's id. */
const newCampaign = async (api: Api, project: number): Promise<string> => {
  const { status, body, text } = await api.post('/crowdwork/campaigns', {
    project_id: project,
    title: 'Garden sheds',
    description: 'Say what you see.',
    template_html: '<input name="seen">',
  })
  if (status !== 201) throw new Error(`POST /crowdwork/campaigns: ${status} ${text}`)
  return String(body.campaign_id)
}

/** Returns a picture of a page. */
const newShot = async (api: Api, stack: SharedStack): Promise<string> => {
  const shotId = ulid(new Date(), randomBytes(10))
  await rowsIn(
    stack,
    sql`insert into screenshots (shot_id, account_id, url, name, state, image_hash, image_extension, width, height)
      values (${shotId}, ${api.accountId}::int, 'https://garden.example/', 'Garden', 'ready', ${'0'.repeat(64)}, 'png', 1280, 800)`,
  )
  return shotId
}

/** Returns a key of the account. */
const newKey = async (api: Api, stack: SharedStack): Promise<number> => {
  const { row } = await createKey(runnerOf(stack), String(api.accountId), { name: 'of the contract', scopes: ['read'] })
  return row.id
}

/** Returns a new suggestion without a decision. */
const newSuggestion = async (api: Api, stack: SharedStack, project: number, article: number): Promise<number> => {
  const [row] = await rowsIn<{ id: number }>(
    stack,
    sql`insert into suggestions (account_id, project_id, article_id, article_title, opportunity_type, priority, reason, trigger)
      values (${api.accountId}::int, ${project}::int, ${article}::int, 'Sheds', 'dead_page', 10, 'No clicks in the garden.', '{}')
      returning id`,
  )
  return Number(row?.id)
}

/** Returns a new approval without a decision. */
const newApproval = async (api: Api, stack: SharedStack, project: number, article: number): Promise<number> => {
  const [row] = await rowsIn<{ id: number }>(
    stack,
    sql`insert into approvals (account_id, project_id, kind, subject, article_id, content_hash, proposed, target, requested_by, expires_at)
      values (${api.accountId}::int, ${project}::int, 'publish', ${`article:${article}`}, ${article}::int, 'none',
        '{"title": "Sheds", "body": "", "format": "html", "fields": {}}', 'Webhook', 'key:1', now() + interval '7 days')
      returning id`,
  )
  return Number(row?.id)
}

/** Returns an event endpoint that gets nothing, as its project has no crowdwork. An account with the most has the newest again. */
const newEndpoint = async (api: Api): Promise<number> => {
  const { body } = await api.post('/event-endpoints', { url: 'https://receiver.example/events', kinds: ['crowdwork'] })
  if (body.event_endpoint) return (body.event_endpoint as { id: number }).id
  const [newest] = (await api.get('/event-endpoints')).body.event_endpoints as [{ id: number }]
  return newest.id
}

/** Returns a change set that was not released. */
const newChangeSet = async (api: Api, stack: SharedStack, project: number, article: number): Promise<number> => {
  const [row] = await rowsIn<{ id: number }>(
    stack,
    sql`with made as (insert into change_sets (account_id, project_id, name, hash)
        values (${api.accountId}::int, ${project}::int, 'Sheds of the garden', 'none') returning id),
      one as (insert into changes (set_id, position, article_id, base_revision, fields, before)
        select id, 1, ${article}::int, 1, '{"title": "Garden"}', '{"title": "Sheds"}' from made)
      select id from made`,
  )
  return Number(row?.id)
}

/** Returns a batch of articles that has ended. */
const newBatch = async (api: Api, stack: SharedStack, project: number): Promise<number> => {
  const [row] = await rowsIn<{ id: number }>(
    stack,
    sql`insert into article_batches (account_id, project_id, count, done_at)
      values (${api.accountId}::int, ${project}::int, 0, now()) returning id`,
  )
  return Number(row?.id)
}

/** Returns an archive of a project, without parts in the bucket. */
const newExport = async (api: Api, stack: SharedStack, project: number): Promise<number> => {
  const [row] = await rowsIn<{ id: number }>(
    stack,
    sql`insert into project_exports (account_id, project_id, name, requested_by, state, created_at, expires_at)
      values (${api.accountId}::int, ${project}::int, 'contract', 'nobody', 'ready', now() - interval '1 hour', now() + interval '7 days')
      returning id`,
  )
  return Number(row?.id)
}

/** Returns an import that has ended. */
const newImport = async (api: Api, stack: SharedStack, project: number): Promise<number> => {
  const [row] = await rowsIn<{ id: number }>(
    stack,
    sql`insert into project_imports (account_id, folder, name, state, source_url, parts, project_id, expires_at)
      values (${api.accountId}::int, 'project-imports', 'contract', 'completed', 'https://api.example.com', 0, ${project}::int,
        now() + interval '7 days') returning id`,
  )
  return Number(row?.id)
}

const newStatement = async (api: Api, project: number): Promise<number> => {
  const { body } = await api.post('/statements', {
    project_id: project,
    name: 'A price',
    wording: 'A shed costs 45 euros',
  })
  return (body.statement as { id: number }).id
}

/**
 * Returns a project with a receiver, a published article, and its delivery.
 *
 * The project is not in the exchange, where articles of other tests would take its credits.
 */
export const newThings = async (api: Api, stack: SharedStack): Promise<Things> => {
  const project = await newProject(api, { backlinks_network: false })
  const { integration_id: integration } = await connectReceiver(api, project, stack.receiverUrl, stack.receiverToken)
  const published = await newArticle(api, project)
  await api.post(`/articles/${published}/publish`)
  const { body } = await api.get(`/webhook-deliveries?project_id=${project}`)
  const [delivery] = body.deliveries as { id: number }[]
  if (!delivery) throw new Error('publishing left no delivery')
  await connectAccount(api, project)
  await whenScanned(api, project)
  const article = await newArticle(api, project)
  return {
    project,
    article,
    integration: integration as number,
    delivery: delivery.id,
    campaign: await newCampaign(api, project),
    post: await newPost(api, stack, project),
    suggestion: await newSuggestion(api, stack, project, published),
    screenshot: await newShot(api, stack),
    key: await newKey(api, stack),
    approval: await newApproval(api, stack, project, article),
    endpoint: await newEndpoint(api),
    change_set: await newChangeSet(api, stack, project, published),
    statement: await newStatement(api, project),
    batch: await newBatch(api, stack, project),
    export: await newExport(api, stack, project),
    import: await newImport(api, stack, project),
  }
}

type State = Record<string, unknown>

/** Returns everything an account owns, by table, without columns that jobs change. */
export const stateOf = async (stack: SharedStack, accountId: number): Promise<State> => {
  const all = (table: string, condition = 'true') =>
    sql`(select coalesce(jsonb_agg(to_jsonb(t) - 'receipt' order by t.id), '[]') from ${sql.raw(table)} t
      where t.account_id = ${accountId}::int and ${sql.raw(condition)})`
  const [row] = await rowsIn<State>(
    stack,
    sql`select ${all('projects')} as projects, ${all('articles')} as articles, ${all('integrations')} as integrations,
      ${all('deliveries')} as deliveries, ${all('visibility_prompts')} as prompts, ${all('social_posts')} as posts, ${all('crowdwork_campaigns')} as campaigns, ${all('social_profiles')} as profiles,
      ${all('suggestions')} as suggestions, ${all('statements')} as statements,
      ${all('screenshots')} as screenshots,
      ${all('audit_log', "actor like 'key:%'")} as audit,
      (select active_projects from accounts where id = ${accountId}::int) as slots`,
  )
  if (!row) throw new Error('the state of an account is one row')
  return row
}

/** Returns the differences between two values, by the path that leads to each. */
const differences = (before: unknown, after: unknown, path = ''): string[] => {
  const areBoth = [before, after].every((value) => typeof value === 'object' && value !== null)
  if (!areBoth) return before === after ? [] : [`${path}: ${JSON.stringify(before)} → ${JSON.stringify(after)}`]
  const [from, to] = [before as State, after as State]
  return [...new Set([...Object.keys(from), ...Object.keys(to)])].flatMap((name) =>
    differences(from[name], to[name], path === '' ? name : `${path}.${name}`),
  )
}

/** Returns the changed parts of an account's data; nothing means that no call changed anything. */
export const changesSince = async (before: State, stack: SharedStack, accountId: number): Promise<string[]> =>
  differences(before, await stateOf(stack, accountId))

/** Returns a key of the right shape and checksum that was never issued. */
export const unknownKey = (): string => mintApiKey('test', (bytes) => crypto.getRandomValues(bytes))

/** Returns the same key with its checksum made wrong. */
export const misspelt = (key: string): string => key.slice(0, -1) + (key.endsWith('a') ? 'b' : 'a')

const ALWAYS = ['error', 'code', 'retryable', 'request_id']

const expectDetails = (details: unknown): void => {
  expect(Array.isArray(details) && details.length > 0).toBe(true)
  for (const detail of details as Record<string, unknown>[]) {
    expect(detail).toMatchObject({ field: expect.any(String), message: expect.stringMatching(/\S/) })
    expect(Object.keys(detail).filter((name) => !['field', 'message', 'allowed'].includes(name))).toEqual([])
  }
}

/** Checks an error answer against the contract's form: status of the code, the fields every error has, the headers that go with them. */
export const expectError = (
  answer: Answer,
  code: ErrorCode,
  retryable: boolean = ERROR_CODES[code].retryable,
): void => {
  expect(answer.body.code, answer.text.slice(0, 400)).toBe(code)
  expect(answer.status).toBe(ERROR_CODES[code].status)
  expect(answer.headers.get('content-type')).toMatch(/^application\/json\b/)
  expect(Object.keys(answer.body)).toEqual(expect.arrayContaining(ALWAYS))
  expect(answer.body.error).toMatch(/\S/)
  expect(answer.body.retryable).toBe(retryable)
  expect(answer.body.request_id).toBe(answer.headers.get('x-request-id'))
  expect(answer.headers.get('access-control-allow-origin')).toBe('*')
  const named = answer.body.error === code
  expect(named ? answer.body.message : answer.body.error).toMatch(/^[A-Za-z].*[.:]?/)
  if (answer.status === 400) expectDetails(answer.body.details)
  if (answer.status === 401) expect(answer.headers.get('www-authenticate')).toBe('Bearer')
  const seconds = answer.body.retry_after
  if (seconds === undefined) expect(answer.headers.get('retry-after')).toBeNull()
  else expect(answer.headers.get('retry-after')).toBe(String(Math.max(1, Math.ceil(Number(seconds)))))
}

/** The RateLimit fields of an answer, read as structured fields (RFC 9651); throws when they are not. */
export const rateFields = (headers: Headers): { policy: string; q: number; w: number; r?: number; t?: number } => {
  const policy = /^"([a-z_.]+)";q=(\d+);w=(\d+)$/.exec(headers.get('ratelimit-policy') ?? '')
  if (!policy) throw new Error(`RateLimit-Policy is no structured field: ${headers.get('ratelimit-policy')}`)
  const fields = { policy: policy[1] ?? '', q: Number(policy[2]), w: Number(policy[3]) }
  const given = headers.get('ratelimit')
  if (given === null) return fields
  const limit = /^"([a-z_.]+)";r=(\d+);t=(\d+)$/.exec(given)
  if (!limit || limit[1] !== fields.policy) throw new Error(`RateLimit is no structured field of the policy: ${given}`)
  return { ...fields, r: Number(limit[2]), t: Number(limit[3]) }
}
