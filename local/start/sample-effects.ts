import { sql } from 'drizzle-orm'
import type { SqlRunner } from '../../src/platform/accounts/admin.ts'

/**
 * Days since the sample's articles were published, and since they were changed. Each change follows 56 days of search
 * data.
 */
const LIVE_DAYS = 300
const CHANGED_DAYS = [100, 130, 170]
/** Time within which their search data are fetched. Then they are measured like any other change. */
const MEASURED_IN = '4 minutes'

/**
 * Adds past changes of published articles of the sample project, two of them by a suggestion, so that it has effects.
 */
export const keepEarlierChanges = async (run: SqlRunner, project: number): Promise<void> => {
  await run(sql`update articles set published_at = now() - ${LIVE_DAYS}::int * interval '1 day'
    where project_id = ${project}::int and status = 'Published'`)
  for (const [n, days] of CHANGED_DAYS.entries())
    await run(sql`
      with article as (
        select id, account_id, project_id, title, meta_description, content, url, revision, now() - ${days}::int * interval '1 day' as at
        from articles where project_id = ${project}::int and status = 'Published' order by id offset ${n}::int limit 1),
      suggested as (
        insert into suggestions (account_id, project_id, article_id, article_title, article_url, status, opportunity_type, priority, reason,
          trigger, before, after, stats, diff_html, created_at, updated_at, ready_at, published_at)
        select account_id, project_id, id, title, url, 'published', 'striking_distance', 40,
          'Seen 900 times at position 8.2, within reach of the first three.',
          jsonb_build_object('page', coalesce(url, ''), 'period', jsonb_build_object('starts_on', to_char(at - interval '31 days', 'YYYY-MM-DD'),
            'ends_on', to_char(at - interval '4 days', 'YYYY-MM-DD'), 'days', 28),
            'now', jsonb_build_object('clicks', 20, 'impressions', 900, 'position', 8.2), 'before', null, 'queries', '[]'::jsonb,
            'other_page', null, 'expected_clicks', 40),
          jsonb_build_object('title', title, 'meta_description', '', 'content', content),
          jsonb_build_object('title', title, 'meta_description', meta_description, 'content', content),
          jsonb_build_object('added', coalesce(array_length(string_to_array(meta_description, ' '), 1), 0), 'removed', 0),
          '<h1>' || title || E'</h1>\\n<p><ins>' || meta_description || E'</ins></p>\\n' || content,
          at - interval '2 days', at, at - interval '1 day', at
        from article where ${n < 2}::boolean returning id, article_id)
      insert into page_changes (account_id, project_id, article_id, suggestion_id, kind, revision, changed_at, measure_at)
      select a.account_id, a.project_id, a.id, s.id, case when s.id is null then 'sync' else 'rewrite' end, a.revision, a.at,
        now() + ${MEASURED_IN}::interval
      from article a left join suggested s on s.article_id = a.id`)
}
