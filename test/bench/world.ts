import { type ArticleSeed, type Sql, seedAccount, seedArticles, seedKeys, seedProjects } from './seed.ts'

/** Seven days, `YYYY-MM-DD`. */
type Week = { after: string; before: string }

/** One account with everything in it, and how to ask for parts of it. */
export type World = {
  accountId: number
  projectIds: number[]
  /** An article near the oldest end of the list. */
  deepId: number
  /** An article from the middle of the table. */
  articleId: number
  /** A week some days ahead, with the more articles the larger the account. */
  denseWeek: Week
  /** A week with 60 articles. */
  sparseWeek: Week
  /** The hash of one of the account's keys. */
  keyHash: string
  /** Returns a key that is below its rate limit. */
  nextKey: () => string
}

const PROJECTS = 5
/** These have the older half of the articles, the others the newer one. */
const OLDER_PROJECTS = 2
const NEIGHBOURS = 500
const NEIGHBOUR_ARTICLES = 10
const SHORT = '<h2>What to check</h2><p>The chain wears first, then the brake pads, then the bearings.</p>'
const CHUNK = 100_000
/** Returns the weeks over which the articles' dates are spread: 60 a week in a small account, some 4,000 in one with a million. */
const weeksOf = (articles: number): number => (articles <= 1_000 ? 17 : 260)
const USES_PER_KEY = 28
/** So many that none is used again within its minute. */
const KEYS = 500

/** Indexes are cheaper to build at once than row by row. */
const withoutIndexes = async (sql: Sql, tables: readonly string[], write: () => Promise<void>): Promise<void> => {
  const indexes = await sql<{ indexname: string; indexdef: string }>(
    `select indexname, indexdef from pg_indexes where tablename = any($1::text[])
       and indexname not in (select conname from pg_constraint)`,
    [tables],
  )
  for (const { indexname } of indexes) await sql(`drop index ${indexname}`)
  await write()
  for (const { indexdef } of indexes) await sql(indexdef)
}

const seedNeighbours = async (sql: Sql): Promise<void> => {
  await sql(
    `with made as (insert into accounts (email, plan, project_slots, active_projects)
        select 'neighbour-' || n || '@bench.example', 'pro', 1, 1 from generate_series(1, $1::int) n returning id)
     insert into projects (account_id, website_url, website_key)
       select id, 'https://neighbour.example', 'neighbour.example' from made`,
    [NEIGHBOURS],
  )
  await sql(
    `insert into articles (account_id, project_id, status, title, main_keyword, slug)
     select account_id, id, 'Draft', 'A guide to something else ' || n, 'something else', 'something-else-' || n
     from projects, generate_series(1, $1::int) n where website_key = 'neighbour.example'`,
    [NEIGHBOUR_ARTICLES],
  )
}

const seedDeliveries = async (sql: Sql, accountId: number, projectIds: readonly number[], count: number) => {
  await sql(
    `with target as (insert into integrations (account_id, project_id, platform, name, url, sealed_secrets)
        values ($1::int, $2::int, 'webhook', 'Blog', 'https://blog.example/webhook', 'none') returning id)
     insert into deliveries (account_id, project_id, integration_id, event_type, status, idempotency_key, revision, live, payload, attempts)
       select $1::int, $2::int, target.id, 'publish_articles', case when n % 15 = 7 then 'failed' else 'delivered' end,
         md5(n::text), 1, true, jsonb_build_object('title', 'A delivered article', 'content', repeat('What to check. ', 40)), 1
       from target, generate_series(1, $3::int) n`,
    [accountId, projectIds[0], count],
  )
  await sql(
    `insert into outbox (account_id, job, key, payload, run_at, offers, offered_at, attempts, done_at)
     select $1::int, 'publishing.deliver', 'deliver:' || n, '{}'::jsonb, at, 1, at, 1, at
     from generate_series(1, $2::int) n, lateral (select now() - make_interval(mins => 1 + n % 9000) as at) times`,
    [accountId, count],
  )
}

const DAY_MS = 86_400_000

const weekFrom = (startMs: number): Week => {
  const day = (at: number) => new Date(at).toISOString().slice(0, 10)
  return { after: day(startMs), before: day(startMs + 6 * DAY_MS) }
}

const landmarks = async (sql: Sql, accountId: number, articles: number) => {
  const [row] = await sql<{ deep: number; middle: number; last: number; hash: string }>(
    `select (select id from articles where account_id = $1::int order by id offset $2::int limit 1) as deep,
            (select id from articles where account_id = $1::int and status = 'Planned' limit 1) as middle,
            (select key_hash from api_keys where account_id = $1::int limit 1) as hash,
            (select extract(epoch from max(scheduled_at))::float8 from articles where account_id = $1::int) as last`,
    [accountId, Math.floor(articles / 10)],
  )
  return {
    deepId: row?.deep ?? 0,
    articleId: row?.middle ?? 0,
    keyHash: row?.hash ?? '',
    denseWeek: weekFrom(Date.now() + 10 * DAY_MS),
    sparseWeek: weekFrom((row?.last ?? 0) * 1000 - 12 * DAY_MS),
  }
}

const seedAll = async (sql: Sql, seed: ArticleSeed): Promise<void> => {
  const half = seed.projectIds.length === 1 ? 0 : Math.ceil(seed.count / 2)
  for (let from = 1; from <= seed.count; from += CHUNK) {
    const to = Math.min(from + CHUNK - 1, seed.count)
    const older = { ...seed, projectIds: seed.projectIds.slice(0, OLDER_PROJECTS) }
    const newer = half === 0 ? seed : { ...seed, projectIds: seed.projectIds.slice(OLDER_PROJECTS) }
    if (from <= half) await seedArticles(sql, older, from, Math.min(to, half))
    if (to > half) await seedArticles(sql, newer, Math.max(from, half + 1), to)
  }
}

/**
 * Fills an empty database: one account with so many articles, deliveries and done outbox rows, and small neighbours.
 *
 * `isAlone`: it has one project, and there are no neighbours.
 */
export const seedWorld = async (sql: Sql, articles: number, deliveries: number, isAlone = false): Promise<World> => {
  const accountId = await seedAccount(sql, 'growth@bench.example')
  const projectIds = await seedProjects(sql, accountId, isAlone ? 1 : PROJECTS)
  const seed = { accountId, projectIds, count: articles, weeks: weeksOf(articles), content: SHORT }
  await withoutIndexes(sql, ['articles', 'deliveries', 'outbox'], async () => {
    await seedAll(sql, seed)
    await seedDeliveries(sql, accountId, projectIds, deliveries)
    if (!isAlone) await seedNeighbours(sql)
  })
  const keys = await seedKeys(sql, accountId, KEYS)
  await sql('vacuum analyze')
  let used = 0
  const nextKey = (): string => {
    used += 1
    return keys[Math.floor(used / USES_PER_KEY) % keys.length] ?? ''
  }
  return { accountId, projectIds, ...(await landmarks(sql, accountId, articles)), nextKey }
}
