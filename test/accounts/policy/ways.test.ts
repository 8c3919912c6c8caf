import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { type GhostStandIn, startGhost } from '../../../local/cms/ghost.ts'
import type { PolicyClauses } from '../../../schema/values/policy.ts'
import { OPERATIONS } from '../../../src/operations.ts'
import { openLive, seedSearch } from '../../insights/suggestions/seed.ts'
import { callExecutor, flush } from '../../publishing/scene.ts'
import { named, work } from '../../reach/crowdwork/scene.ts'
import { madeBy, openSocial, type SocialScene } from '../../reach/social/scene.ts'
import { type Answer, type Api, newArticle, rowsIn } from '../../support/client.ts'
import { expectError } from '../../support/contract.ts'
import { PATIENCE_MS } from '../../support/patience.ts'
import { signInAsOwner, type Visitor } from '../people/browser.ts'
import { setPolicy } from './set.ts'

const stack = inject('stack')

/** Operations that write and reach no reader, worker or follower, with the reason. */
const INSIDE: Readonly<Record<string, string>> = {
  'projects.create': 'settings',
  'projects.update': 'settings',
  'projects.article_plan': 'settings',
  'projects.onboarding': 'plans here',
  'projects.scan': 'reads the site',
  'projects.archive': 'ends what goes out',
  'projects.unarchive': 'the clock asks the policy',
  'projects.cms_site': 'chooses where later work goes',
  'keys.create': 'keys',
  'keys.delete': 'keys',
  'invitations.create': 'people',
  'exports.create': 'a copy for its owner',
  'projects.export': 'a copy for its owner',
  'projects.import': 'nothing of it goes out',
  'articles.create': 'planned articles go by the clock, which asks the policy',
  'articles.batch': 'planned articles go by the clock, which asks the policy',
  'articles.delete': 'here alone',
  'articles.detach': 'asks no site',
  'articles.adopt': 'only reads the site',
  'projects.adopt': 'only reads the site',
  'projects.move': 'only reads the site; a person confirms the move',
  'articles.release': 'asks no site',
  'articles.translation': 'asks no site',
  'articles.leave_translations': 'asks no site',
  'articles.address': 'asks no site',
  undo: 'takes back by unpublishing, syncs and rollbacks, which ask the policy',
  'engines.verify': 'reads the site, and has it serve a public key',
  'integrations.update': 'credentials',
  'integrations.connect': 'credentials',
  'targets.add': 'credentials',
  'targets.delete': 'credentials',
  'articles.copies': 'copies of what is published; their claim asks the policy (test/publishing/copies)',
  'integrations.test': 'sends no content',
  'integrations.delete': 'credentials',
  'keywords.search': 'research',
  'provider_keys.save': 'credentials',
  'provider_keys.delete': 'credentials',
  'images.create': 'hosted for a draft',
  'social.media': 'hosted for a draft',
  'screenshots.take': 'reads a page',
  'visibility.scan': 'asks engines',
  'visibility.prompts.add': 'settings',
  'visibility.prompts.remove': 'settings',
  'visibility.bing.import': 'figures of Bing',
  'search.connect': 'credentials',
  'search.choose_property': 'settings',
  'search.disconnect': 'credentials',
  'suggestions.run': 'looks for improvements',
  'suggestions.approve': 'rewrites here',
  'suggestions.reject': 'here alone',
  'suggestions.regenerate': 'rewrites here',
  'outreach.sync': 'contacts of the caller',
  'outreach.erase': 'contacts of the caller',
  'crowdwork.register': 'notes what exists',
  'social.connect': 'credentials',
  'social.disconnect': 'credentials',
  'social.delete_post': 'only posts that are not out',
  'articles.inspect': 'asks Google',
  'changes.create': 'here alone',
  'reports.make': 'a page of figures, which no site shows',
  'statements.create': 'here alone',
  'statements.change': 'here alone',
  'statements.delete': 'here alone',
  'changes.release': 'has one approval for the set (test/publishing/changes); each change then asks as a sync does',
  'changes.revert': 'covered by the approval of its set',
  'event_endpoints.create': 'credentials',
  'event_endpoints.update': 'credentials',
  'event_endpoints.delete': 'credentials',
  'event_endpoints.rotate_secret': 'credentials',
  'event_endpoints.test': 'sends no content',
  'event_endpoints.replay': 'sends the log to its owner',
  'event_endpoints.resume': 'sends the log to its owner',
  'articles.generate': 'written here; its clause is the monthly budget',
  'calls.plan': 'judges calls and makes none',
}

let ghost: GhostStandIn
let scene: SocialScene
let live: Awaited<ReturnType<typeof openLive>>
/** The scene's accounts of social networks. */
const own: string[] = []
const projects = () => [scene.projectId, live.project]

const owners = (): { api: Api; project: number }[] => [
  { api: scene.api, project: scene.projectId },
  { api: live.api, project: live.project },
]

const make = async (operation: string): Promise<Answer> => {
  const call = calls.get(operation)
  if (!call) throw new Error(`no call of ${operation}`)
  return await call()
}

/** Calls that remove something, or that no reader sees: they need no approval. */
const ALLOWED = ['articles.unpublish', 'profile.remove_reply', 'crowdwork.rate']

/** A call of each way by which something reaches the outside, by its operation. */
const calls = new Map<string, () => Promise<Answer>>()

const published = async (title: string): Promise<number> => {
  const id = await newArticle(scene.api, scene.projectId, { title, keyword: title })
  const answer = await scene.api.post(`/articles/${id}/publish`)
  if (answer.body.status !== 'published') throw new Error(answer.text)
  return id
}

const readySuggestion = async (): Promise<number> => {
  const { api, project, articles } = live
  const queries: Record<string, [number, number, number]> = { 'oak garden shed': [2, 800, 6.1] }
  await seedSearch(stack, api, project, [{ article: articles[0], now: [5, 900, 6.2], before: [30, 1000, 4], queries }])
  await api.post('/suggestions/run', { project_id: project })
  const { body } = await api.get(`/suggestions?project_id=${project}&type=striking_distance`)
  const [{ id }] = body.suggestions as [{ id: number }]
  await api.post(`/suggestions/${id}/approve`)
  const state = async () => ((await api.get(`/suggestions/${id}`)).body.suggestion as { status: string }).status
  await vi.waitFor(async () => expect(await state()).toBe('ready'), { timeout: PATIENCE_MS, interval: 150 })
  return id
}

beforeAll(async () => {
  ghost = await startGhost()
  scene = await openSocial(stack)
  const { api, projectId } = scene
  await api.post(`/projects/${projectId}/integrations`, {
    platform: 'ghost',
    api_url: ghost.url,
    admin_api_key: ghost.key,
  })
  live = await openLive(stack, 1)
  const instagram = await scene.connect('instagram')
  own.push(instagram, await scene.connect('bluesky'), await scene.connect('googlebusiness'))
  const post = (path: string, body?: unknown) => () => api.post(path, body)
  const profile = { project_id: projectId }

  const draft = await newArticle(api, projectId, { title: 'A draft', keyword: 'a draft' })
  calls.set('articles.publish', post(`/articles/${draft}/publish`))
  const synced = await published('Synced')
  calls.set('articles.sync', post(`/articles/${synced}/sync`, { title: 'Synced again' }))
  const updated = await published('Updated')
  calls.set('articles.update', () => api.put(`/articles/${updated}`, { title: 'Updated again', sync: true }))
  const restored = await published('Restored')
  await api.post(`/articles/${restored}/sync`, { title: 'Restored again' })
  calls.set('articles.restore', post(`/articles/${restored}/revisions/1/restore`, { sync: true }))
  const rolled = await published('Rolled')
  await api.post(`/articles/${rolled}/sync`, { title: 'Rolled again' })
  calls.set('articles.rollback', post(`/articles/${rolled}/rollback`))
  calls.set('articles.unpublish', post(`/articles/${await published('Taken down')}/unpublish`))
  const replayed = await published('Replayed')
  const { body: sent } = await api.get(`/webhook-deliveries?article_id=${replayed}`)
  const [{ id: delivery }] = sent.deliveries as [{ id: number }]
  calls.set('deliveries.replay', post(`/webhook-deliveries/${delivery}/replay`))
  const suggestion = await readySuggestion()
  calls.set('suggestions.publish', () => live.api.post(`/suggestions/${suggestion}/publish`))

  const words = { ...profile, content: 'Sheds of oak.', platforms: ['bluesky'] }
  calls.set('social.publish', post('/social/publish', words))
  const [drafted] = madeBy((await api.post('/social/publish', { ...words, content: 'Later.', draft: true })).body)
  calls.set('social.publish_post', post(`/social/posts/${drafted?.post_id}/publish`, {}))
  const picture = { content: 'A picture.', platforms: ['instagram'], media_files: ['https://images.example/shed.png'] }
  const [out] = madeBy((await api.post('/social/publish', { ...profile, ...picture, account_id: instagram })).body)
  await scene.ended(out?.post_id ?? 0)
  const config = {
    match_mode: 'all',
    delivery_method: 'dm',
    delivery_url: 'https://sheds.example/plan.pdf',
    custom_message: 'Your plan: {url}',
  }
  calls.set('social.comment_for_guide', () =>
    api.put(`/social/posts/${out?.post_id}/comment-for-guide`, {
      is_comment_for_guide: true,
      comment_for_guide_config: config,
    }),
  )
  calls.set('profile.post', post('/profile/posts', { ...profile, summary: 'Open on Sunday.' }))
  const { body: read } = await api.get(`/profile/reviews?project_id=${projectId}&limit=50`)
  const reviews = read.reviews as { review_id: string; reply: unknown }[]
  const [answered, open] = [reviews.find(({ reply }) => reply), reviews.find(({ reply }) => !reply)]
  calls.set(
    'profile.reply',
    post('/profile/reviews/reply', { ...profile, review_id: open?.review_id, message: 'Thank you.' }),
  )
  calls.set('profile.remove_reply', () =>
    api.call('DELETE', '/profile/reviews/reply', { body: { ...profile, review_id: answered?.review_id } }),
  )
  const order = (title: string) => ({
    ...profile,
    title,
    description: 'Look at the picture and say what you see.',
    template_html: '<p>What is it?</p><input name="seen">',
  })
  const campaign = await api.post('/crowdwork/campaigns', order(`Worked ${projectId}`))
  const [slot] = await work(stack, campaign.body.campaign_id)
  calls.set('crowdwork.create', post('/crowdwork/campaigns', order(`Frozen ${projectId}`)))
  calls.set(
    'crowdwork.rate',
    post(`/crowdwork/slots/${slot}/rate`, { campaign_id: campaign.body.campaign_id, rating: 'OK' }),
  )
}, 4 * PATIENCE_MS)
afterAll(() => ghost.close())

/** Returns the effects of the scene outside. */
const outside = async () => {
  const { automations } = (await (await fetch(`${stack.zernioUrl}/_posts`)).json()) as {
    automations: { accountId: string }[]
  }
  return {
    posts: ghost.posts(),
    social: await Promise.all(own.map((account) => scene.provided(account))),
    rules: automations.filter(({ accountId }) => own.includes(accountId)),
    campaigns: await named(stack, `Frozen ${scene.projectId}`),
    reviews: (await scene.api.get(`/profile/reviews?project_id=${scene.projectId}&limit=50`)).body.reviews,
    deliveries: (await live.api.get(`/webhook-deliveries?article_id=${live.articles[0]}`)).body.count,
  }
}

describe('every way to the outside', () => {
  it('is in this table, or the operation says why not', () => {
    const writes = OPERATIONS.filter(({ method }) => method !== 'GET').map(({ id }) => id)
    expect([...calls.keys(), ...Object.keys(INSIDE)].sort()).toEqual(writes.sort())
    const refusing = OPERATIONS.filter(({ errors }) => errors.includes('policy')).map(({ id }) => id)
    const elsewhere = ['articles.generate', 'changes.release', 'changes.revert']
    expect([...calls.keys(), ...elsewhere].sort()).toEqual(refusing.sort())
  })

  it('is shut while the project is frozen', async () => {
    const before = await outside()
    for (const project of projects()) await setPolicy(stack, project, { frozen: true })
    for (const [operation, call] of calls) {
      const answer = await call()
      expect(answer.body, operation).toMatchObject({
        error: 'policy',
        code: 'policy',
        rule: 'frozen',
        retryable: false,
        message: expect.stringContaining('The project is frozen'),
        instructions_for_agent: expect.stringContaining('/policy'),
      })
      expectError(answer, 'policy')
      expect(projects()).toContain(answer.body.project)
    }
    expect(await outside()).toEqual(before)
  })

  it('needs approval if readers, followers, customers or workers would see it, and runs once', async () => {
    const people = new Map<number, Visitor>()
    for (const { api, project } of owners()) people.set(project, (await signInAsOwner(stack, api)).person)
    const every = (clauses: Partial<PolicyClauses> = {}) =>
      Promise.all(projects().map((project) => setPolicy(stack, project, { needs_approval: 'every', ...clauses })))
    await every()
    for (const operation of ALLOWED) {
      const { status, text } = await make(operation)
      expect(status, text).toBe(200)
    }
    const waiting = [...calls.keys()].filter((operation) => !ALLOWED.includes(operation))
    /** Makes every call; the questions it asks, by operation. */
    const askAll = async (): Promise<Map<string, { id: number; path: string; project: number }>> => {
      const asked = new Map<string, { id: number; path: string; project: number }>()
      for (const operation of waiting) {
        const { status, body, text } = await make(operation)
        expect([status, body.status], `${operation} ${text}`).toEqual([202, 'awaiting_approval'])
        const path = new URL(String(body.approve_url)).pathname
        asked.set(operation, { id: Number(body.approval_id), path, project: Number(path.split('/')[2]) })
      }
      return asked
    }
    const decideAll = async (
      asked: Awaited<ReturnType<typeof askAll>>,
      decision: 'approve' | 'return',
      isOpen = true,
    ) => {
      // People may decide only so often a minute, so a decision without effect is tried once.
      const tried = isOpen ? [...asked.values()] : [...asked.values()].slice(0, 1)
      for (const { path, project } of tried)
        await people.get(project)?.post(`${path}/decide`, { decision, comment: 'Not like this.' })
      await flush(stack, true)
    }
    const statuses = async (asked: Awaited<ReturnType<typeof askAll>>) => {
      const found = await rowsIn<{ id: number; status: string }>(
        stack,
        sql`select id, status from approvals where id = any(${sql.param([...asked.values()].map(({ id }) => id))}::int[])`,
      )
      return Object.fromEntries(
        [...asked].map(([operation, { id }]) => [operation, found.find((row) => row.id === id)?.status]),
      )
    }
    const all = (status: string) => Object.fromEntries(waiting.map((operation) => [operation, status]))
    const before = await outside()

    const first = await askAll()
    expect(await askAll()).toEqual(first)
    await flush(stack, true)
    expect(await outside()).toEqual(before)
    await decideAll(first, 'return')
    expect(await statuses(first)).toEqual(all('returned'))

    const second = await askAll()
    expect([...second.values()].filter(({ id }) => [...first.values()].some((one) => one.id === id))).toEqual([])
    const ids = sql.param([...second.values()].map(({ id }) => id))
    await rowsIn(stack, sql`update approvals set expires_at = now() - interval '1 hour' where id = any(${ids}::int[])`)
    await decideAll(second, 'approve', false)
    expect(await statuses(second)).toEqual(all('expired'))
    expect(await outside()).toEqual(before)

    const third = await askAll()
    await every({ frozen: true })
    await decideAll(third, 'approve')
    expect(await statuses(third)).toEqual(all('approved'))
    expect(await outside()).toEqual(before)
    await every()
    // Each has two runs at the same moment, as when a lease ends while its holder is still at work.
    const thirdIds = sql`${sql.param([...third.values()].map(({ id }) => id))}::int[]`
    const isOfThird = sql`done_at is null and job in ('approvals.call', 'publishing.approved') and (payload ->> 'approval_id')::int = any(${thirdIds})`
    const runs = await rowsIn<{ id: number }>(
      stack,
      sql`with due as (update outbox set run_at = now(), lease_until = null where ${isOfThird} returning *)
        insert into outbox (account_id, job, key, payload, run_at)
          select account_id, job, key || twin, payload, run_at from due, unnest(array[':a', ':b']) twin returning id`,
    )
    expect(runs).toHaveLength(2 * waiting.length)
    await Promise.all(runs.map(({ id }) => callExecutor(stack, JSON.stringify({ outbox_id: Number(id) }))))
    // A replay that began is not begun again: its second run says that the answer was lost.
    const ended = { ...all('used'), 'deliveries.replay': expect.stringMatching(/^(used|failed)$/) }
    await vi.waitFor(
      async () => {
        await flush(stack, true)
        expect(await statuses(third)).toEqual(ended)
      },
      { timeout: PATIENCE_MS, interval: 300 },
    )
    expect(
      await rowsIn(
        stack,
        sql`select count(*)::int as n from audit_log where action in ('approval.used', 'approval.failed') and subject = any(
            select 'approval:' || id from unnest(${thirdIds}) id) group by subject`,
      ),
    ).toEqual([...third.values()].map(() => ({ n: 1 })))
    const after = await outside()
    const grown = (key: 'posts' | 'rules' | 'campaigns') => after[key].length - before[key].length
    expect([grown('rules'), grown('campaigns'), grown('posts')]).toEqual([1, 1, 1])
    expect(after.social.map((posts, n) => posts.length - (before.social[n]?.length ?? 0))).toEqual([0, 2, 1])
    expect(after.deliveries).toBe((before.deliveries as number) + 1)
    // The same work again, because a queue may deliver it twice.
    await rowsIn(
      stack,
      sql`update outbox set done_at = null where done_at is not null and key !~ ':[ab]$' and job in ('approvals.call', 'publishing.approved')
        and (payload ->> 'approval_id')::int = any(${thirdIds})`,
    )
    await decideAll(third, 'approve', false)
    expect(await outside()).toEqual(after)
    expect(await statuses(third)).toEqual(ended)
  })
})
