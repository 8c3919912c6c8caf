/** @module-tag services */
import { afterAll, expect, it } from 'vitest'
import {
  type Answer,
  type Api,
  anotherKey,
  connectReceiver,
  newAccount,
  newArticle,
  newProject,
} from '../support/client.ts'
import { sharedOf } from '../support/global.ts'
import { manyKeys } from '../support/keys.ts'
import { startTestStack, type TestStack } from '../support/stack.ts'

const WRITES = Number(process.env.WRITES ?? 240)
const CALLERS = 16

let stack: TestStack
afterAll(() => stack.close())

const DATE = '2031-06-01'
const ZONES = ['Europe/Berlin', 'Asia/Tokyo', 'America/New_York']

/** Writes of one project that change its row, its articles, or both; `id` is an article that others change as well. */
const WAYS: ((api: Api, project: number, id: number, n: number) => Promise<Answer>)[] = [
  (api, _, id, n) => api.put(`/articles/${id}`, { title: `Sheds, part ${n}` }),
  (api, _, id, n) => api.put(`/articles/${id}`, { content: `<p>${`Felt and tar ${n}. `.repeat(20)}</p>` }),
  (api, _, id) => api.put(`/articles/${id}`, { scheduled_date: DATE, status: 'Planned' }),
  (api, _, id) => api.put(`/articles/${id}`, { scheduled_date: null }),
  (api, _, id) => api.post(`/articles/${id}/publish`, {}),
  (api, _, id) => api.post(`/articles/${id}/unpublish`, {}),
  (api, _, id) => api.del(`/articles/${id}`),
  (api, project) => api.post('/articles', { project_id: project, keyword: 'sheds' }),
  (api, project, _, n) => api.put(`/projects/${project}`, { timezone: ZONES[n % ZONES.length] }),
  (api, project, _, n) => api.put(`/projects/${project}/article-plan`, { plan: n % 2 ? 30 : 60 }),
]

it('writes of one project by sixteen callers at once are never undone for each other so that a caller sees it', async () => {
  stack = await startTestStack({ timeScale: 1_000 })
  const shared = sharedOf(stack)
  const api = await newAccount(shared)
  const project = await newProject(api)
  await connectReceiver(api, project, stack.receiver.url, 'token')
  const ids: number[] = []
  for (let n = 0; n < 8; n += 1) ids.push(await newArticle(manyKeys(shared, api), project))
  const answers: Answer[] = []
  const caller = async (first: number) => {
    const mine = manyKeys(shared, await anotherKey(shared, api))
    for (let n = first; n < WRITES; n += CALLERS) {
      const [way, id] = [WAYS[(n * 7 + first) % WAYS.length], ids[(n * 5 + first * 3) % ids.length]]
      if (!way || id === undefined) throw new Error('no such way')
      const answer = await way(mine, project, id, n)
      answers.push(answer)
      if (answer.status === 404) ids[ids.indexOf(id)] = await newArticle(mine, project)
    }
  }
  await Promise.all(Array.from({ length: CALLERS }, (_, n) => caller(n)))
  expect(answers.filter(({ status }) => status >= 500).map(({ text }) => text)).toEqual([])
  expect(answers.filter(({ status }) => status < 300).length).toBeGreaterThan(WRITES / 4)
}, 1_200_000)
