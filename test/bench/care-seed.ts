import { measuredArticles } from '../publishing/statements/measured/articles.ts'
import type { Sql } from './seed.ts'

/** Texts that are joined to one of the usual length. */
const JOINED = 4

/** Returns 500 texts of about 600 words, with the statements of the published measurement among their sentences. */
export const textsOfSite = (): string[] => {
  const texts = measuredArticles().map(({ content }) => content)
  return texts.map((_, n) =>
    Array.from(
      { length: JOINED },
      (__, part) => `<h2>Part ${part + 1}</h2>${texts[(n + part * 6) % texts.length]}`,
    ).join('\n'),
  )
}

/** SEO report of an article, as a save keeps it: one in three is thin, lacks links or an alternative text. */
const REPORT = `jsonb_build_object('score', 60 + n % 40,
  'passed', array['keyword_in_title', 'keyword_in_slug', 'title_length', 'heading_structure', 'language', 'readability'],
  'failed', case when n % 3 = 0 then jsonb_build_array(
    jsonb_build_object('check', (array['word_count', 'internal_links', 'image_alt_text'])[1 + n / 3 % 3], 'severity', 'error',
      'message', 'The article lacks something.', 'fix', 'Add it.'),
    jsonb_build_object('check', 'citations', 'severity', 'notice', 'message', 'No source is named.', 'fix', 'Name one.'))
    else '[]'::jsonb end)`

/** Links of an article: eight to others of the site, none of them to one of ten, and two to other sites. */
const LINKS = `array(select 'site-1.example/sheds-' || n + k * 7 + case when (n + k * 7) % 10 = 0 then 1 else 0 end from generate_series(1, 8) k)
  || array['other.example/' || n, 'more.example/' || n]`

/** Writes published articles of a site that were adopted, with their pages. */
export const seedSite = async (sql: Sql, accountId: number, projectId: number, count: number): Promise<void> => {
  await sql(
    `with texts as (select text, place - 1 as place from unnest($4::text[]) with ordinality as given(text, place)),
      made as (insert into articles (account_id, project_id, origin, status, title, main_keyword, slug, content, meta_description, seo,
        receipt, url, published_at, linked_keys)
        select $1::int, $2::int, 'adopted', 'Published', 'About sheds and floors, part ' || n || case when n % 20 = 0 then ' of 2019' else '' end,
          'sheds ' || n, 'sheds-' || n, text, case when n % 10 = 0 then '' else 'What to know about sheds.' end, ${REPORT},
          jsonb_build_object('http_status', 200, 'images_ok', n % 50 <> 0), 'https://site-1.example/sheds-' || n, now(), ${LINKS}
        from generate_series(1, $3::int) n join texts on place = n % array_length($4::text[], 1)
        returning id, title, main_keyword, url),
      kept as (insert into adopted_posts (article_id, project_id, site, post_id, format, source, source_hash, fields, read_at)
        select id, $2::int, 'ghost https://site-1.example', id::text, 'lexical', '', '', '{}', now() from made)
     insert into site_pages (project_id, article_id, url, url_key, title, keyword)
       select $2::int, id, url, replace(url, 'https://', ''), title, main_keyword from made`,
    [accountId, projectId, count, textsOfSite()],
  )
}

/** Last day of the search data, and days of one period. */
const LAST = '2026-11-15'
const PERIOD_DAYS = 28

/**
 * Writes search data of all pages of a project: two periods with three queries a page, and the same weeks of the year before, in which a
 * page was seen on one day of three. One page in forty lost half of its clicks.
 */
export const seedSearchData = async (sql: Sql, accountId: number, projectId: number): Promise<void> => {
  const [source] = await sql<{ id: number }>(
    `insert into search_sources (project_id, property) values ($1::int, 'sc-domain:site-1.example') returning id`,
    [projectId],
  )
  const of = [source?.id ?? 0, LAST, PERIOD_DAYS]
  await sql(
    `with connection as (insert into connections (account_id, project_id, platform, name, url, sealed_secrets)
        values ($1::int, $2::int, 'Google Search Console', 'x', 'https://x.example', '') returning id)
     insert into search_connections (project_id, account_id, connection_id, source_id, google_sub, next_sync_at, next_suggestions_at)
       select $2::int, $1::int, id, $3::int, 'sub', now() + interval '9 days', now() + interval '9 days' from connection`,
    [accountId, projectId, source?.id ?? 0],
  )
  await sql(
    `insert into search_windows (source_id, ends_on, completed_at)
       select $1::int, $2::date - $3::int * n, now() from generate_series(0, 1) n`,
    of,
  )
  await sql(
    `insert into search_days (source_id, day, clicks, impressions, position, pages_at)
       select $1::int, $2::date - n, 900, 90000, 9, now() from generate_series(0, 364 + 2 * $3::int) n`,
    of,
  )
  await sql(
    `insert into search_pages (source_id, page, page_key) select $1::int, url, url_key from site_pages where project_id = $2::int`,
    [source?.id ?? 0, projectId],
  )
  await sql(
    `insert into search_window_rows (source_id, ends_on, page_id, query, clicks, impressions, position)
       select $1::int, $2::date - $3::int * n, id, case when q = 0 then '' else 'shed query ' || (id + q * 7) % 4000 end,
         2000 / (1 + id % 500) * case when n = 0 and id % 40 = 0 then 40 else 80 + (id * 7 + n * 13) % 41 end / 100 / (1 + q),
         4000 / (1 + id % 500) * (9 + q) / (1 + q), 1 + id % 30
       from search_pages, generate_series(0, 1) n, generate_series(0, 3) q where source_id = $1::int`,
    of,
  )
  await sql(
    `insert into search_page_days (page_id, day, clicks, impressions, position)
       select id, $2::date - 364 - n, id % 5, 30, 9 from search_pages, generate_series(0, 2 * $3::int - 1) n
       where source_id = $1::int and (id + n) % 3 = 0`,
    of,
  )
}
