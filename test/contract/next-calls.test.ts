import { beforeAll, describe, expect, inject, it } from 'vitest'
import { OPERATIONS } from '../../src/operations.ts'
import { scopesOf } from '../../src/platform/accounts/scopes.ts'
import { paramNames } from '../../src/platform/http/operation.ts'
import { type Answer, type Api, newAccount, newArticle, newProject } from '../support/client.ts'
import { bodyOf, named, pathOf } from '../support/contract.ts'
import { manyKeys, rowsOf } from '../support/keys.ts'
import { connectedProject, publishedArticle } from '../support/story.ts'

const stack = inject('stack')

type Call = { method: string; path: string; body?: unknown }

let api: Api
let project: number
beforeAll(async () => {
  api = manyKeys(stack, await newAccount(stack, {}, scopesOf('admin')), scopesOf('admin'))
  project = await newProject(api)
})

const callsOf = ({ body }: Answer): Call[] => (body.next_calls ?? []) as Call[]

/** Makes the next calls of a refusal unchanged, or one of them. Expects that there are some, and that each works. */
const expectToWork = async (refused: Answer, caller: Api = api, only?: number) => {
  const calls = callsOf(refused)
  expect([refused.text, calls.length > 0]).toEqual([refused.text, true])
  for (const { method, path, body } of only === undefined ? calls : calls.slice(only, only + 1)) {
    const { status, text } = await caller.call(method, path, { body })
    expect([method, path, status, status < 300 ? '' : text]).toEqual([
      method,
      path,
      expect.toBeOneOf([200, 201, 202]),
      '',
    ])
  }
}

const WITH_PARAM = OPERATIONS.filter(({ path }) => path.includes(':'))

describe.each(named(WITH_PARAM))('%s', (_, op) => {
  it('names the list to look in for an invalid id and for an unknown one', async () => {
    const body = bodyOf(op, project)
    const word = op.path.replace(/:\w+/g, 'latest')
    const wrong = await api.call(op.method, word, { body })
    expect(wrong.status).toBeOneOf([400, 404])
    await expectToWork(wrong)
    // A provider is always there to save a key of.
    if (op.id === 'provider_keys.save') return
    const absent = await api.call(op.method, pathOf(op), { body })
    expect([absent.status, absent.text]).toEqual([404, expect.any(String)])
    await expectToWork(absent)
  })
})

it('every parameter of a path was tried', () => {
  expect(new Set(WITH_PARAM.flatMap(({ path }) => paramNames(path))).size).toBeGreaterThan(5)
})

it('a word near a path that exists names it', async () => {
  const { body } = await api.get('/integrations/catalogue')
  expect([body.code, body.error]).toEqual([
    'invalid_id',
    expect.stringContaining('Did you mean GET /integrations/catalog?'),
  ])
})

describe('a refusal names calls that work unchanged', () => {
  const published = async (caller: Api, content = '<p>First words of this article.</p>') => {
    const own = await connectedProject(caller, stack)
    const id = await publishedArticle(caller, own, { content, title: 'Sheds' })
    return { own, id }
  }

  const CASES: Record<string, (caller: Api) => Promise<Answer>> = {
    'an article of a project without a target': async (caller) =>
      caller.post(`/articles/${await newArticle(caller, await newProject(caller))}/publish`),
    'an article without content': async (caller) => {
      const own = await connectedProject(caller, stack)
      return await caller.post(`/articles/${await newArticle(caller, own, { content: '' })}/publish`)
    },
    'a sync of a draft that can be published': async (caller) => {
      const own = await connectedProject(caller, stack)
      return await caller.post(`/articles/${await newArticle(caller, own)}/sync`, {})
    },
    'a change of a published article': async (caller) =>
      caller.put(`/articles/${(await published(caller)).id}`, { title: 'Roofs' }),
    'a change of a published article in an archived project': async (caller) => {
      const { own, id } = await published(caller)
      await caller.post(`/projects/${own}/archive`)
      return await caller.put(`/articles/${id}`, { title: 'Roofs' })
    },
    'a sync of a draft whose content shows nothing': async (caller) => {
      const own = await connectedProject(caller, stack)
      return await caller.post(`/articles/${await newArticle(caller, own, { content: '<p> </p>' })}/sync`, {})
    },
    'a sync of a draft without a target': async (caller) =>
      caller.post(`/articles/${await newArticle(caller, await newProject(caller))}/sync`, {}),
    'a restoring of a published article': async (caller) =>
      caller.post(`/articles/${(await published(caller)).id}/revisions/1/restore`),
    'a rollback at a webhook': async (caller) => {
      const { id } = await published(caller)
      await caller.post(`/articles/${id}/sync`, { content: '<p>Second words of this article.</p>' })
      const refused = await caller.post(`/articles/${id}/rollback`)
      expect(refused.status).toBe(400)
      expect(refused.body.details).toMatchObject([{ field: 'id' }])
      const [, older] = rowsOf((await caller.get(`/articles/${id}/revisions`)).body, 'revisions')
      expect(callsOf(refused)[0]).toMatchObject({
        method: 'POST',
        path: `/articles/${id}/revisions/${older?.revision}/restore`,
        body: { sync: true },
      })
      return refused
    },
    'a post to a network without an account': async (caller) =>
      caller.post('/social/publish', {
        project_id: await newProject(caller),
        platforms: ['linkedin'],
        content: 'Sheds.',
      }),
    'a reply without a business profile': async (caller) =>
      caller.post('/profile/reviews/reply', {
        project_id: await newProject(caller),
        review_id: 'r',
        message: 'Thanks.',
      }),
    'a scan without prompts': async (caller) =>
      caller.post('/ai-visibility/scan', { project_id: await newProject(caller) }),
    'a campaign beyond the budget': async (caller) =>
      caller.post('/crowdwork/campaigns', {
        ...bodyOf(
          OPERATIONS.find(({ id }) => id === 'crowdwork.create') as never,
          await newProject(caller, { crowdwork_budget: 0 }),
        ),
      }),
    'an archived project': async (caller) => {
      const own = await newProject(caller)
      await caller.post(`/projects/${own}/archive`)
      return await caller.get(`/internal-links?project_id=${own}`)
    },
  }

  /** Makes each call alone, because one may replace another. */
  it.each(Object.entries(CASES))('%s', async (_, provoke) => {
    for (let at = 0, count = 1; at < count; at += 1) {
      const caller = manyKeys(stack, await newAccount(stack))
      const refused = await provoke(caller)
      expect(refused.status).toBeGreaterThanOrEqual(400)
      count = callsOf(refused).length
      await expectToWork(refused, caller, at)
    }
  })

  it.each([
    ['plan_required', { plan: 'agentic' as const }],
    ['no_article_credits', { plan: 'agentic_free' as const }],
  ])('writing on a plan without the writer (%s)', async (_, changes) => {
    const caller = manyKeys(stack, await newAccount(stack, changes))
    const own = await newProject(caller)
    const body = { project_id: own, keyword: 'garden sheds', source_content: 'Sheds need a level base.' }
    const refused = await caller.post('/articles/generate', body)
    expect(refused.status).toBe(402)
    await expectToWork(refused, caller)
  })

  it('keyword research without a key names how to save one', async () => {
    const caller = manyKeys(stack, await newAccount(stack, { plan: 'agentic_free' }))
    const refused = await caller.post('/keywords/search', { keyword: 'sheds' })
    expect(refused.body.code).toBe('byo_keys_required')
    await expectToWork(refused, caller)
  })
})
