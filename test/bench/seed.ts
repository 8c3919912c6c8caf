import { types } from '@neondatabase/serverless'
import { mintApiKey } from '../../src/platform/accounts/api-key.ts'
import { sha256 } from '../../src/platform/lib/crypto.ts'

/** Runs one statement; its rows. Parameters may be strings, numbers, null or arrays of them. */
export type Sql = <Row = Record<string, unknown>>(query: string, params?: readonly unknown[]) => Promise<Row[]>

/** Returns a parameter as PostgreSQL reads it. */
const textOf = (value: unknown): string | null => {
  if (value === null || value === undefined) return null
  if (!Array.isArray(value)) return String(value)
  const items = value.map((one) => (one === null ? 'null' : `"${String(one).replace(/[\\"]/g, '\\$&')}"`))
  return `{${items.join(',')}}`
}

type Answered = (string | null)[]

type Answer = { fields?: { name: string; dataTypeID: number }[]; rows?: Answered[]; message?: string }

/** Statements over a Neon SQL-over-HTTP endpoint, without the service's own time limit: seeding takes minutes. */
export const sqlOver = (neonUrl: string, connectionString: string): Sql => {
  return async <Row>(query: string, params: readonly unknown[] = []) => {
    const response = await fetch(`${neonUrl}/sql`, {
      method: 'POST',
      headers: {
        'neon-connection-string': connectionString,
        'neon-raw-text-output': 'true',
        'neon-array-mode': 'true',
      },
      body: JSON.stringify({ query, params: params.map(textOf) }),
    })
    const { fields = [], rows, message } = (await response.json()) as Answer
    if (!response.ok || !rows) throw new Error(`${message}: ${query.slice(0, 200)}`)
    const read = (row: Answered): [string, unknown][] =>
      fields.map(({ name, dataTypeID }, n) => {
        const text = row[n] ?? null
        return [name, text === null ? null : types.getTypeParser(dataTypeID)(text)]
      })
    return rows.map((row) => Object.fromEntries(read(row)) as Row)
  }
}

const only = <Row>(rows: readonly Row[]): Row => {
  const [row] = rows
  if (!row) throw new Error('a statement that must give a row gave none')
  return row
}

/** Returns an account with enough project slots; its id. */
export const seedAccount = async (sql: Sql, email: string): Promise<number> =>
  only(
    await sql<{ id: number }>(
      `insert into accounts (email, plan, project_slots, active_projects) values ($1, 'pro', 1000, 0) returning id`,
      [email],
    ),
  ).id

/** Active projects of an account; their ids. */
export const seedProjects = async (sql: Sql, accountId: number, count: number): Promise<number[]> => {
  const rows = await sql<{ id: number }>(
    `insert into projects (account_id, website_url, website_key, business_name, business_description, timezone, sitemap_url, blog_root_url)
     select $1::int, 'https://site-' || n || '.example', 'site-' || n || '.example', 'Spaak & Fietsen ' || n,
       'A bicycle workshop with its own courier service, four branches and a shop for parts.', 'Europe/Amsterdam',
       'https://site-' || n || '.example/sitemap.xml', 'https://site-' || n || '.example/blog'
     from generate_series(1, $2::int) n returning id`,
    [accountId, count],
  )
  await sql('update accounts set active_projects = $2::int where id = $1::int', [accountId, count])
  return rows.map((row) => row.id)
}

/** API keys of an account, each with a rate allowance of its own. They count as used a moment ago, as keys at work do. */
export const seedKeys = async (sql: Sql, accountId: number, count: number): Promise<string[]> => {
  const keys = Array.from({ length: count }, () => mintApiKey('test', (bytes) => crypto.getRandomValues(bytes)))
  const hashes = await Promise.all(keys.map(sha256))
  await sql(
    `insert into api_keys (account_id, name, key_hash, last_four, scopes, last_used_at)
     select $1::int, 'bench', hash, last_four, array['read', 'write'], now()
     from unnest($2::text[], $3::text[]) as given(hash, last_four)`,
    [accountId, hashes, keys.map((key) => key.slice(-4))],
  )
  return keys
}

export type ArticleSeed = {
  accountId: number
  projectIds: readonly number[]
  count: number
  /** The dates lie this many weeks around now. */
  weeks: number
  content: string
}

const TITLE = `(array['How to choose', 'A plain guide to', 'The real cost of', 'Seven mistakes with', 'When to replace',
    'What mechanics say about', 'Before you buy', 'A season with', 'Comparing', 'Questions about'])[1 + n % 10]
  || ' ' || (array['commuter bikes', 'cargo bikes', 'disc brakes', 'hub gears', 'winter tyres', 'dynamo lights', 'child seats',
    'bike insurance', 'belt drives', 'chain wear', 'panniers', 'touring frames', 'e-bike batteries'])[1 + n / 10 % 13]
  || ' for ' || (array['city riders', 'families', 'couriers', 'students', 'long distances', 'rainy days', 'small flats'])[1 + n / 130 % 7]`

/**
 * Words for searches: `zymurgy` is in three titles whatever the size of the table. `sourdough` is in 60 of 1,000, and
 * in one more for every further 1,000.
 *
 * (`guide` is in one title or keyword of three.)
 */
const SPECIAL = `case when n % greatest($3::int / 3, 1) = 7 then ' with zymurgy notes'
    when n % greatest($3::int / (60 + $3::int / 1000), 1) = 5 then ' and sourdough' else '' end`

const KEYWORD = `(array['bike service', 'bicycle checklist', 'cycling guide', 'repair costs', 'buying advice'])[1 + n % 5] || ' ' || n`

/** Distance between rare articles: 60 of the newest are in one week, whatever the size of the table. */
const SPARSE = 170

/**
 * Writes articles `from` to `to` of a seed with plain SQL. Nothing falls due within the next hour.
 *
 * Their dates are in the order of creation: those in the past published, those in the future planned, one article in eleven a
 * draft without a date.
 */
export const seedArticles = async (sql: Sql, seed: ArticleSeed, from = 1, to = seed.count): Promise<void> => {
  const dense = Math.max(seed.count - SPARSE, Math.ceil(seed.count / 2))
  await sql(
    `insert into articles (account_id, project_id, status, title, main_keyword, slug, content, meta_description, scheduled_at,
       published_at, url, created_at, updated_at)
     select $1::int, ($2::int[])[1 + n % array_length($2::int[], 1)],
       case when n % 11 = 3 then 'Draft' when at < now() then 'Published' else 'Planned' end,
       ${TITLE} || ${SPECIAL}, ${KEYWORD}, 'bike-service-' || n, $6,
       'Intervals for each part, a ten-minute monthly check, and the signs that should not wait until the next visit.',
       case when n % 11 = 3 then null else at end, case when n % 11 <> 3 and at < now() then at end,
       case when n % 11 <> 3 and at < now() then 'https://site.example/blog/bike-service-' || n end, at, at
     from generate_series($4::int, $5::int) n,
       lateral (select now() + (least(n, $8::int) - $3::int / 2) * make_interval(secs => $7::int * 604800.0 / $3::int)
         + greatest(n - $8::int, 0) * interval '168 minutes'
         + case when n >= $3::int / 2 then interval '1 hour' else interval '0' end as at) dates`,
    [seed.accountId, seed.projectIds, seed.count, from, to, seed.content, seed.weeks, dense],
  )
}
