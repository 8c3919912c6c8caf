/** @module-tag services */
import { sql } from 'drizzle-orm'
import { expect, inject, it } from 'vitest'
import { orphansFound } from '../../../src/insights/care/queries.ts'
import { newAccount, newProject, rowsIn } from '../../support/client.ts'
import { costOf, explainable, ownPlans, TEXT, vacuum } from '../../support/plans.ts'

const stack = ownPlans(inject('stack'))

const [ARTICLES, PAGES] = [10_000, 1_000]

/** Writes live articles with 20 links each, and pages of the site with 100. Only every tenth article is linked. */
const fill = async (project: number, accountId: number): Promise<void> => {
  const linked = sql`'a.example/posts/' || (random() * 1000000)::int % ${ARTICLES}::int / 10 * 10 + 1`
  await rowsIn(
    stack,
    sql`with made as (insert into articles (account_id, project_id, status, published_at, title, main_keyword, slug, content, linked_keys, url)
        select ${accountId}::int, ${project}::int, 'Published', now(), 'Shed ' || n, 'shed', 'shed-' || n, repeat('<p>All about sheds and their floors.</p>', 150),
          array(select ${linked} from generate_series(1, 20) where n > 0), 'https://a.example/posts/' || n
        from generate_series(1, ${ARTICLES}::int) n returning id, slug)
      insert into site_pages (project_id, article_id, url, url_key)
      select ${project}::int, id, 'https://a.example/posts/' || substring(slug from 6), 'a.example/posts/' || substring(slug from 6) from made returning id`,
  )
  await rowsIn(
    stack,
    sql`insert into site_pages (project_id, url, url_key, read_at, linked_keys)
      select ${project}::int, 'https://a.example/pages/' || n, 'a.example/pages/' || n, now(), array(select ${linked} from generate_series(1, 100) where n > 0)
      from generate_series(1, ${PAGES}::int) n returning id`,
  )
}

it.runIf(process.env.DATABASE_URL)(
  'orphans among 10,000 articles are found at once, and articles of others cost nothing',
  { timeout: 300_000 },
  async () => {
    const api = await newAccount(stack, { plan: 'agentic' })
    const project = await newProject(api)
    await fill(project, api.accountId)
    const read = orphansFound(TEXT, project)
    const measured = async () => {
      await vacuum(stack, ['articles', 'site_pages'])
      await costOf(stack, explainable(read))
      return await costOf(stack, explainable(read))
    }
    const alone = await measured()
    const other = await newAccount(stack, { plan: 'agentic' })
    const theirs = await newProject(other)
    await fill(theirs, other.accountId)
    const among = await measured()
    process.stdout.write(`orphans: ${JSON.stringify({ alone, among })}\n`)
    expect(among.buffers).toBeLessThan(alone.buffers * 1.3)
    const startedAt = performance.now()
    const { body } = await api.get(`/projects/${project}/care?rule=orphan&limit=1`)
    process.stdout.write(`orphans: a report ${(performance.now() - startedAt).toFixed(0)} ms\n`)
    expect(body).toMatchObject({ published: ARTICLES, rules: [{ rule: 'orphan', count: 9_000 }] })
  },
)
