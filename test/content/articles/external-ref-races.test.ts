/** @module-tag services */
import { expect, inject, it } from 'vitest'
import { anotherKey, newAccount, newProject } from '../../support/client.ts'
import { manyKeys, rowsOf } from '../../support/keys.ts'

const stack = inject('stack')
const RACES = 20

it('two calls with the same external_ref at once make one article, and both answer with it', async () => {
  const api = await newAccount(stack)
  const keys = manyKeys(stack, api)
  const project = await newProject(api)
  for (let n = 0; n < RACES; n += 1) {
    const [a, b] = [await anotherKey(stack, api), await anotherKey(stack, api)]
    const sent = { project_id: project, keyword: `shed ${n}`, external_ref: `shed-${n}` }
    const answers = await Promise.all([
      a.post('/articles', sent),
      b.post('/articles', { ...sent, keyword: `hut ${n}` }),
    ])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 201])
    expect(answers[0].body.article_id).toBe(answers[1].body.article_id)
    const { body } = await keys.get(`/articles?project_id=${project}&external_ref=shed-${n}`)
    expect(rowsOf(body, 'articles')).toHaveLength(1)
  }
})
