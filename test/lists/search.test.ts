/** @module-tag services */
import { sql } from 'drizzle-orm'
import { expect, inject, it } from 'vitest'
import { listRows } from '../../src/articles/list-queries.ts'
import { newAccount, newProject, rowsIn } from '../support/client.ts'
import { costOf, explainable, ownPlans, UNSENT, vacuum } from '../support/plans.ts'

const stack = ownPlans(inject('stack'))

const ROWS = 240_000
/** One statement may take ten seconds. */
const PORTION = 20_000

// One row in 700 has it: at most two of the newest thousand, which is too few to read on. By the index of all words each of 343 is read.
it.runIf(process.env.DATABASE_URL)(
  'a search for a word that few of the newest rows have reads those of the newest spans',
  { timeout: 300_000 },
  async () => {
    const api = await newAccount(stack)
    const project = await newProject(api)
    for (let from = 1; from <= ROWS; from += PORTION)
      await rowsIn(
        stack,
        sql`insert into articles (account_id, project_id, status, title, main_keyword, slug)
          select ${api.accountId}::int, ${project}::int, 'Draft', 'Plank ' || n || case when n % 700 = 0 then ' of larch' else ' of pine' end,
            'planks', 'plank-' || n from generate_series(${from}::int, ${from + PORTION - 1}::int) n order by n`,
      )
    await vacuum(stack, ['articles'])
    const owner = sql`(select id from accounts where id = ${api.accountId}::int)`
    const page = { limit: 50, offset: 0, beforeId: undefined }
    const query = explainable(listRows(UNSENT, owner, { q: 'larch' }, page))
    await costOf(stack, query)
    const { buffers } = await costOf(stack, query)
    console.log('a search', buffers)
    expect(buffers).toBeLessThan(600)
  },
)
