import { type SQL, sql } from 'drizzle-orm'
import { pageKey } from '../lib/urls.ts'

/** Longest address that is kept as a page, plain or encoded: an index entry holds 2,704 bytes at most. */
const MAX_URL = 2_000

const keyOf = (url: string | undefined): string | undefined => {
  if (url === undefined || url.length > MAX_URL || !/^https?:/i.test(url) || !URL.canParse(url)) return undefined
  const key = pageKey(new URL(url))
  return key.length > MAX_URL ? undefined : key
}

/**
 * CTEs that keep a published article as a page of its project's site; empty for an address that cannot be kept. `from` is the
 * CTE that published or changed it, with `id`, `project_id`, `title`, `main_keyword` and `meta_description`.
 */
export const articlePageCte = (from: SQL, url: string | undefined, now: Date): SQL => {
  const key = keyOf(url)
  if (key === undefined) return sql``
  const at = sql`${now.toISOString()}::timestamptz`
  return sql`, moved_page as (delete from site_pages s using ${from} as f where s.article_id = f.id and s.url_key <> ${key} returning s.id),
    kept_page as (insert into site_pages (project_id, article_id, url, url_key, title, keyword, meta_description, read_at, created_at, updated_at)
      select f.project_id, f.id, ${url}, ${key}, f.title, f.main_keyword, f.meta_description, ${at}, ${at}, ${at} from ${from} as f
      on conflict (project_id, url_key) do update set article_id = excluded.article_id, url = excluded.url, title = excluded.title,
        keyword = excluded.keyword, meta_description = excluded.meta_description, read_at = excluded.read_at, updated_at = excluded.updated_at
      returning id)`
}
