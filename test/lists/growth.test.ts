/** @module-tag services */
import { type SQL, sql } from 'drizzle-orm'
import { expect, inject, it } from 'vitest'
import { listedNotices, unreadNotices } from '../../src/accounts/notices/queries.ts'
import { listRows } from '../../src/content/articles/read.ts'
import { siteStandings } from '../../src/insights/overview/queries.ts'
import { readSites } from '../../src/pages/queries.ts'
import {
  readChanged,
  readConditions,
  readFailedArticles,
  readReady,
  readScheduled,
  readSentTitles,
  readUndated,
} from '../../src/pages/site/queries.ts'
import type { Db } from '../../src/platform/db/client.ts'
import { newAccount, newProject, rowsIn } from '../support/client.ts'
import { costOf, explainable, ownPlans, UNSENT, vacuum } from '../support/plans.ts'
import { fill, OTHERS, OWN, openPlace, ownerOf, PAGE, RARE, readsOf, TABLES } from './places.ts'

const stack = ownPlans(inject('stack'))

const run = (statement: SQL) => rowsIn<{ id: number }>(stack, statement)

/** Rows of these are read by the index with their order, without a look-up in a second index per row. */
const MOST_BUFFERS: Record<string, number> = {
  'articles of an account': 20,
  'articles of a project': 20,
  'posts of an account': 20,
  'posts of a project': 20,
  'deliveries of an account': 130,
  'deliveries of a project': 130,
}

// The oldest rows are those of a small account and of a small project of a large one: a query that reads from the newest on passes all others.
it.runIf(process.env.DATABASE_URL)(
  'lists read the rows they show, however many newer ones others have',
  { timeout: 1_800_000 },
  async () => {
    const [few, many] = [await newAccount(stack), await newAccount(stack)]
    const small = await openPlace(stack, few.accountId, await newProject(few))
    const old = await openPlace(stack, many.accountId, await newProject(many))
    const large = await openPlace(stack, many.accountId, await newProject(many))
    for (const place of [small, old]) await fill(stack, place, OWN)
    await fill(stack, large, OTHERS)
    await vacuum(stack, Object.keys(TABLES))
    const buffers: Record<string, number[]> = {}
    for (const place of [small, old, large])
      for (const [name, read] of Object.entries(readsOf(place))) {
        const query = explainable(read)
        await costOf(stack, query)
        buffers[name] = [...(buffers[name] ?? []), (await costOf(stack, query)).buffers]
      }
    for (const [name, counts] of Object.entries(buffers)) console.log(name, counts.join(' '))
    const slow = Object.entries(buffers).filter(([name, counts]) => Math.max(...counts) > (MOST_BUFFERS[name] ?? 300))
    expect(slow).toEqual([])
  },
)

// By the index alone each row with the word is read, and in a phrase of common words the index itself is the larger part.
it.runIf(process.env.DATABASE_URL)(
  'a search for words that are neither common nor rare reads newer rows until a page is full',
  { timeout: 300_000 },
  async () => {
    const api = await newAccount(stack)
    const place = await openPlace(stack, api.accountId, await newProject(api))
    await run(
      sql`insert into articles (account_id, project_id, status, title, main_keyword, slug)
        select ${place.account}::int, ${place.project}::int, 'Draft', 'Plank ' || n || ' for ' || case when n % 90 = 0 then 'barns' else 'sheds' end,
          'planks', 'plank-' || n from generate_series(1, 40000) n`,
    )
    await vacuum(stack, ['articles'])
    const query = explainable(listRows(UNSENT, ownerOf(place), { q: 'for barns' }, PAGE))
    await costOf(stack, query)
    const { buffers } = await costOf(stack, query)
    console.log('a search', buffers)
    expect(buffers).toBeLessThan(700)
  },
)

// Taken for one of the small accounts, all rows of the large one would be read and sorted to show the newest.
it.runIf(process.env.DATABASE_URL)(
  'a list of a large account among thousands of small ones reads the rows it shows',
  { timeout: 300_000 },
  async () => {
    const api = await newAccount(stack)
    const place = await openPlace(stack, api.accountId, await newProject(api))
    await run(
      sql`with made as (insert into accounts (email, plan, project_slots, active_projects)
          select 'small-' || ${place.account}::int || '-' || n || '@a.example', 'pro', 1, 1 from generate_series(1, 8000) n returning id),
        owned as (insert into projects (account_id, website_url, website_key)
          select id, 'https://a.example', 'a.example' from made returning id, account_id),
        wanted as (select account_id, id from owned union all
          select ${place.account}::int, ${place.project}::int from generate_series(1, 8000))
        insert into articles (account_id, project_id, status, title, main_keyword, slug)
          select account_id, id, 'Draft', 'Sheds', 'sheds', 'sheds-' || row_number() over () from wanted order by md5(random()::text)`,
    )
    await vacuum(stack, ['articles', 'projects'])
    const page = { ...PAGE, limit: 200 }
    for (const input of [{}, { project_id: place.project }]) {
      const query = explainable(listRows(UNSENT, ownerOf(place), input, page))
      await costOf(stack, query)
      const { buffers } = await costOf(stack, query)
      console.log('a list of 200', buffers)
      expect(buffers).toBeLessThan(750)
    }
  },
)

/** Returns the statement that a read of a page sends. */
const sentBy = async (read: (db: Db) => Promise<unknown>): Promise<SQL> => {
  const sent: SQL[] = []
  await read({ execute: async (query: SQL) => ({ rows: sent.push(query) > 0 ? [] : [] }) } as unknown as Db)
  return sql`${sent[0]}`
}

// In one site a few old articles are in trouble among newer drafts; in the other nearly all are published.
it.runIf(process.env.DATABASE_URL)(
  'pages of a site read the rows they show, however many articles the site has',
  { timeout: 600_000 },
  async () => {
    const api = await newAccount(stack, { plan: 'pro' })
    const [drafts, live] = [await newProject(api), await newProject(api)]
    const articlesOf = (project: number, from: number, to: number, values: SQL) =>
      run(
        sql`with made as (insert into articles (account_id, project_id, main_keyword, title, content, slug, status, publish_state, published_at,
            scheduled_at, updated_at)
          select ${api.accountId}::int, ${project}::int, 'sheds', 'Sheds ' || n, repeat('words ', 200), 'sheds-' || n, ${values}
          from generate_series(${from}::int, ${to}::int) n returning 1) select count(*)::int as id from made`,
      )
    const old = sql`now() - interval '400 days' + n * interval '1 minute'`
    await articlesOf(
      drafts,
      1,
      RARE,
      sql`'Published', case when n <= 20 then 'failed' else 'idle' end, ${old}, null, ${old}`,
    )
    await articlesOf(drafts, RARE + 1, OTHERS, sql`'Draft', 'idle', null, null, ${old}`)
    await articlesOf(live, 1, OTHERS, sql`'Published', 'idle', ${old}, ${old}, ${old}`)
    await articlesOf(live, OTHERS + 1, OTHERS + 400, sql`'Planned', 'idle', null, now() + interval '2 years', ${old}`)
    await vacuum(stack, ['articles', 'projects', 'suggestions', 'deliveries', 'integrations'])
    const { accountId: account } = api
    const [reader] = await rowsIn<{ personId: string }>(
      stack,
      sql`with made as (insert into people (id, name, email, email_verified) values (${`reader-${account}`}, '', ${`reader-${account}@test.example`}, true) returning id),
        joined as (insert into memberships (person_id, account_id, role) select id, ${account}::int, 'owner' from made)
        select id as "personId" from made`,
    )
    const personId = reader?.personId ?? ''
    await rowsIn(
      stack,
      sql`insert into notices (person_id, account_id, kind, key, subject, due_at, ended_at, read_at)
        select ${personId}, ${account}::int, 'publication_failed', 'entry:' || n, 'article:' || n, now(), now(), case when n % 1000 > 0 then now() end
        from generate_series(1, ${OTHERS}::int) n`,
    )
    await vacuum(stack, ['notices'])
    const now = new Date()
    const until = new Date(now.getTime() + 400 * 86_400_000)
    const reads: [string, (db: Db) => Promise<unknown>][] = [
      ['notices', (db) => listedNotices(db, { personId, accountId: account }, { before: 0, limit: 50 })],
      ['older notices', (db) => listedNotices(db, { personId, accountId: account }, { before: 1_000, limit: 50 })],
      ['unread', (db) => unreadNotices(db, { personId, accountId: account })],
      ['sites', (db) => readSites(db, account, live, null)],
      ['standings', (db) => siteStandings(db, sql`${account}::int`, { limit: 5_000, now })],
      ['changed', (db) => readChanged(db, account, live)],
      ...[drafts, live].flatMap((project, n): [string, (db: Db) => Promise<unknown>][] => [
        [`troubled ${n}`, (db) => readFailedArticles(db, account, project)],
        [`scheduled ${n}`, (db) => readScheduled(db, { account, project, from: now, until, most: 60 })],
        [`undated ${n}`, (db) => readUndated(db, account, project)],
        [`credits ${n}`, (db) => readConditions(db, account, project, now)],
        [`ready ${n}`, (db) => readReady(db, account, project)],
        [`titles ${n}`, (db) => readSentTitles(db, { account, project, before: 0 })],
      ]),
    ]
    const buffers: [string, number][] = []
    for (const [name, read] of reads) {
      const query = await sentBy(read)
      await costOf(stack, query)
      buffers.push([name, (await costOf(stack, query)).buffers])
    }
    console.log(buffers.map(([name, count]) => `${name} ${count}`).join('\n'))
    expect(buffers.filter(([, count]) => count > 300)).toEqual([])
  },
)
