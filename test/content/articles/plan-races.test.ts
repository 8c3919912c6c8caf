/** @module-tag services */
import { expect, inject, it } from 'vitest'
import { type Answer, type Api, anotherKey, newAccount, newArticle, newProject } from '../../support/client.ts'
import { manyKeys } from '../../support/keys.ts'

const stack = inject('stack')
const LONG = `<p>${'word '.repeat(400)}</p>`
const DATE = '2031-06-01T09:00:00Z'
/** Number of races: more on a database whose connections really run in parallel. */
const RACES = process.env.DATABASE_URL ? 40 : 24
const AT_ONCE = 4

type Race = { first: Answer; second: Answer; article: Record<string, unknown> }

/** Sends two PUTs at once to each of many new articles. Returns the answers and the resulting articles. */
const race = async (first: Record<string, unknown>, second: Record<string, unknown>, start = {}): Promise<Race[]> => {
  const api = await newAccount(stack)
  const keys = manyKeys(stack, api)
  const project = await newProject(api)
  const one = async (a: Api, b: Api): Promise<Race> => {
    const id = await newArticle(keys, project, start)
    const [x, y] = await Promise.all([a.put(`/articles/${id}`, first), b.put(`/articles/${id}`, second)])
    return { first: x, second: y, article: (await keys.get(`/articles/${id}`)).body }
  }
  const races: Race[] = []
  while (races.length < RACES) {
    const [a, b] = [await anotherKey(stack, api), await anotherKey(stack, api)]
    races.push(...(await Promise.all(Array.from({ length: AT_ONCE }, () => one(a, b)))))
  }
  for (const { first: x, second: y } of races) {
    for (const answer of [x, y]) expect([200, 409]).toContain(answer.status)
    expect([x.status, y.status]).toContain(200)
    if (x.status === 409) expect(x.body.code).toBe('edit_conflict')
  }
  return races
}

it('planning and taking the date away at once never leave a planned article without its date', async () => {
  const plan = { status: 'Planned', scheduled_date: DATE }
  for (const { article } of [
    ...(await race(plan, { scheduled_date: null })),
    ...(await race(plan, { scheduled_date: null }, plan)),
  ])
    expect([article.Status, article.ScheduledAt]).toEqual(
      article.Status === 'Planned' ? ['Planned', '2031-06-01T09:00:00.000Z'] : ['Draft', null],
    )
})

it('planning and saving the caller’s own long text at once never leave it for the writer to replace', async () => {
  for (const { first, second, article } of await race({ status: 'Planned', scheduled_date: DATE }, { content: LONG })) {
    const mine = article.Status === 'Planned' && article.Content === LONG
    expect(article.Claimed).toBe(mine)
    if (first.status === 200 && second.status === 200) expect(mine).toBe(true)
  }
})
