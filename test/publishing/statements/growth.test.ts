/** @module-tag services */
import { sql } from 'drizzle-orm'
import { expect, inject, it } from 'vitest'
import { wordingOf } from '../../../src/publishing/statements/find.ts'
import { articlesToRead } from '../../../src/publishing/statements/queries.ts'
import { indexKeys, rareKeys } from '../../../src/publishing/statements/words.ts'
import { newAccount, newProject, rowsIn, type Target } from '../../support/client.ts'
import { costOf, explainable, ownPlans, UNSENT, vacuum } from '../../support/plans.ts'

const stack = ownPlans(inject('stack'))

const PRICE = 'A garden shed costs 1,450 euros'
const [ARTICLES, OTHERS, KEYS, USES] = [10_000, 20_000, 200, 40]

/** Writes articles of a project with words in the index. Some have those by which the statement is found. */
const fill = async (to: Target, project: number, accountId: number, count: number, uses: number): Promise<void> => {
  const keys = indexKeys(rareKeys(wordingOf(PRICE).keys), project)
  await rowsIn(
    to,
    sql`with made as (insert into articles (account_id, project_id, status, title, main_keyword, slug, content)
        select ${accountId}::int, ${project}::int, 'Draft', 'Shed ' || n, 'shed', 'shed-' || n, repeat('<p>All about sheds and their floors.</p>', 150)
        from generate_series(1, ${count}::int) n returning id, revision, updated_at)
      insert into article_words (article_id, revision, read_at, keys)
      select id, revision, updated_at, array(select hashint4(${project}::int * 1000 + (random() ^ 3 * 20000)::int + id * 0) from generate_series(1, ${KEYS}::int))
        || case when id % (${count}::int / ${uses}::int) = 0 then ${sql.raw(`'{${keys.join(',')}}'::int[]`)} else '{}' end
      from made returning article_id`,
  )
}

it.runIf(process.env.DATABASE_URL)(
  'a statement is found in 10,000 articles at once, and articles of others cost nothing',
  { timeout: 300_000 },
  async () => {
    const api = await newAccount(stack, { plan: 'agentic' })
    const project = await newProject(api)
    await fill(stack, project, api.accountId, ARTICLES, USES)
    const made = await api.post('/statements', { project_id: project, name: 'Price', wording: PRICE })
    const id = (made.body.statement as { id: number }).id
    const read = articlesToRead(UNSENT, sql`${api.accountId}::int`, id, {
      most: 51,
      beforeId: undefined,
      isExact: false,
    })
    const measured = async () => {
      await vacuum(stack, ['articles', 'article_words', 'statements'])
      await costOf(stack, explainable(read))
      return await costOf(stack, explainable(read))
    }
    const alone = await measured()
    const other = await newAccount(stack, { plan: 'agentic' })
    await fill(stack, await newProject(other), other.accountId, OTHERS, USES)
    const among = await measured()
    process.stdout.write(`statements: ${JSON.stringify({ alone, among })}\n`)
    expect(among.buffers).toBeLessThan(alone.buffers * 1.3)
    const startedAt = performance.now()
    const { body } = await api.get(`/statements/${id}/uses`)
    process.stdout.write(
      `statements: a call of ${body.articles_read} articles ${(performance.now() - startedAt).toFixed(0)} ms\n`,
    )
    expect(body).toMatchObject({ articles_read: USES, before_id: null })
  },
)
