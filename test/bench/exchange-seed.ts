import type { Sql } from './seed.ts'

const TOPICS = `(array['commuter bikes and repair', 'sourdough bread and baking', 'garden sheds', 'tax advice for freelancers', 'city travel guides',
    'web hosting', 'running shoes', 'coffee roasting', 'wedding photos', 'solar panels'])[1 + n / 10 % 10]`

/** Projects that take part in the exchange, two an account, one in four in another language; links between them; their ids. */
export const seedExchange = async (sql: Sql, projects: number): Promise<number[]> => {
  await sql(
    `with made as (insert into accounts (email, plan, project_slots, active_projects)
        select 'member-' || n || '@bench.example', case when n % 10 = 0 then 'agentic_free' else 'pro' end, 2, 2 from generate_series(1, $1::int / 2) n
        returning id),
      numbered as (select id, row_number() over (order by id) as place from made)
     insert into projects (account_id, website_url, website_key, business_name, business_description, topics, backlink_credits, backlink_debt, language, competitor_websites,
       backlinks_network, site_read_at, owner_shown_at)
     select id, 'https://member-' || n || '.example', 'member-' || n || '.example', 'Member ' || n,
       'A shop for ' || ${TOPICS} || ' with services and guides', 'topic' || n % 700, greatest(n * 7919 % 100 - 30, 0), greatest(30 - n * 7919 % 100, 0),
       case when n % 4 = 0 then 'French' else 'English (US)' end,
       case when n % 13 = 0 then array['member-' || n * 31 % $1::int || '.example'] else '{}' end,
       true, now(), now()
     from generate_series(1, $1::int) n join numbered on place = 1 + n % ($1::int / 2)`,
    [projects],
  )
  const rows = await sql<{ id: number }>(`select id from projects where website_key like 'member-%' order by id`)
  const ids = rows.map((row) => row.id)
  await sql(
    `insert into exchange_links (from_project_id, to_project_id, status, target_url, anchor, created_at)
     select $1::int + n * 7 % $2::int, $1::int + n * 131 % $2::int, 'Verified', 'https://x.example', 'x', now() - n % 200 * interval '1 day'
     from generate_series(1, $2::int * 8) n where n * 7 % $2::int <> n * 131 % $2::int`,
    [ids[0], projects],
  )
  return ids
}

/** Pages of one project: a few words on most of them, one word on three pages, one on the older fifth only. */
export const seedPages = async (sql: Sql, projectId: number, from: number, to: number): Promise<void> => {
  await sql(
    `insert into site_pages (project_id, url, url_key, title, keyword, meta_description)
     select $1::int, 'https://member-1.example/blog/' || n, 'member-1.example/blog/' || n,
       (array['How to choose', 'A plain guide to', 'The real cost of', 'Seven mistakes with', 'When to replace'])[1 + n % 5] || ' '
         || (array['commuter bikes', 'cargo bikes', 'disc brakes', 'hub gears', 'winter tyres', 'dynamo lights', 'child seats'])[1 + n / 10 % 7]
         || ' for ' || (array['city riders', 'families', 'couriers', 'students', 'long distances'])[1 + n / 130 % 5]
         || case when n % 333333 = 7 then ' with zymurgy notes' when n % 1000 = 5 then ' and sourdough' when n < 200000 and n % 2 = 0 then ' vintage' else '' end,
       (array['bike service', 'bicycle checklist', 'cycling guide', 'repair costs'])[1 + n % 4] || ' ' || n,
       'Intervals for each part, a ten-minute monthly check, and the signs that should not wait until the next visit.'
     from generate_series($2::int, $3::int) n`,
    [projectId, from, to],
  )
}
