/** @module-tag services */
import { expect, inject, it } from 'vitest'
import { newAccount, newProject } from '../support/client.ts'
import { costOf, explainable, ownPlans, vacuum } from '../support/plans.ts'
import { fill, OTHERS, openPlace, readsOf, TABLES } from './places.ts'

const stack = ownPlans(inject('stack'))

const MOST_BUFFERS = 300

// A column with one value is no column for the planner: a condition on it seems to be true for all rows, or for none.
it.runIf(process.env.DATABASE_URL)(
  'lists read the rows they show in a database with one account and one project',
  { timeout: 600_000 },
  async () => {
    const api = await newAccount(stack)
    const place = await openPlace(stack, api.accountId, await newProject(api))
    await fill(stack, place, OTHERS)
    await vacuum(stack, [...Object.keys(TABLES), 'accounts', 'projects', 'api_keys', 'project_imports'])
    const slow: Record<string, number> = {}
    for (const [name, read] of Object.entries(readsOf(place))) {
      const query = explainable(read)
      await costOf(stack, query)
      const { buffers } = await costOf(stack, query)
      if (buffers > MOST_BUFFERS) slow[name] = buffers
    }
    expect(slow).toEqual({})
  },
)
