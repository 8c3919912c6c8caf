/** @module-tag services */
import { sql } from 'drizzle-orm'
import { expect, inject, it } from 'vitest'
import { changeRows, comparedEffects, listRows } from '../../../src/insights/suggestions/queries.ts'
import { newAccount, newProject, rowsIn } from '../../support/client.ts'
import { costOf, ownPlans, TEXT, UNSENT, vacuum } from '../../support/plans.ts'

const stack = ownPlans(inject('stack'))

const [OWN, OTHERS] = [2_000, 40_000]

/** A project with so many suggestions that were decided, and changes that were measured. */
const fill = async (count: number): Promise<number> => {
  const api = await newAccount(stack)
  const project = await newProject(api)
  const ids = sql`${api.accountId}::int, ${project}::int`
  await rowsIn(
    stack,
    sql`with made as (insert into suggestions (account_id, project_id, article_title, status, opportunity_type, priority, reason, trigger)
        select ${ids}, 'Sheds', (array['published', 'rejected', 'superseded'])[1 + n % 3], 'dead_page', 5, repeat('x', 200), '{}'
        from generate_series(1, ${count}::int) n returning 1) select count(*) from made`,
  )
  await rowsIn(
    stack,
    sql`with made as (insert into page_changes (account_id, project_id, kind, changed_at, measure_at, measured_at, effect)
        select ${ids}, (array['sync', 'rewrite'])[1 + n % 2], now(), now(), now(), jsonb_build_object('interval', jsonb_build_object('low', 0, 'high', n))
        from generate_series(1, ${count}::int) n returning 1) select count(*) from made`,
  )
  return project
}

// A project that has many of the rows, none of them new: a read from the newest on passes those of all others first.
it.runIf(process.env.DATABASE_URL)(
  'lists read the project’s own rows, however many others have newer ones',
  async () => {
    const project = await fill(OWN)
    await fill(OTHERS)
    await vacuum(stack, ['suggestions', 'page_changes'])
    const page = { limit: 100, offset: 0, beforeId: undefined }
    const reads = {
      all: listRows(UNSENT, project, {}, page),
      'of two states': listRows(UNSENT, project, { status: ['published', 'rejected'] }, page),
      'of a state and a type': listRows(UNSENT, project, { status: ['published'], type: ['dead_page'] }, page),
      changes: changeRows(UNSENT, project, undefined, page),
      'changes of a kind': changeRows(UNSENT, project, 'sync', page),
      compared: comparedEffects(TEXT, project, 100),
    }
    const buffers: Record<string, number> = {}
    for (const [name, read] of Object.entries(reads)) buffers[name] = (await costOf(stack, read)).buffers
    console.log('buffers of lists:', JSON.stringify(buffers))
    for (const [name, count] of Object.entries(buffers)) expect(count, name).toBeLessThan(900)
  },
)
