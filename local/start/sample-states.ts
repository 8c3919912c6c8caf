import { sql } from 'drizzle-orm'
import { differenceOfWordings } from '../../src/insights/suggestions/difference.ts'
import type { SqlRunner } from '../../src/platform/accounts/admin.ts'

type Call = (method: string, path: string, body?: object) => Promise<Record<string, unknown>>

const TEXT =
  '<h2>How wide</h2><p>Gutters for small sheds need not be wide: 76 millimetres carry the rain of a roof of ten square metres.</p><h2>Where it goes</h2><p>Lead the water into a butt, and from there away from the foundation.</p>'

/** Articles of the sample, and the answer of the receiver when each is published. */
const IN_TROUBLE = [
  {
    keyword: 'shed gutters',
    title: 'Gutters for small sheds',
    control: { mode: 'success_false', times: 1, error: 'The category “Roofs” does not exist.' },
  },
  {
    keyword: 'shed paint',
    title: 'Which paint lasts on a shed',
    control: { mode: 'unavailable', times: 1, retry_after: 3_600 },
  },
]

/** Makes articles whose publication fails or is tried again, and a draft without a date, as a real site would bring them about. */
export const makeTrouble = async (call: Call, receiverUrl: string, project: number): Promise<void> => {
  await call('POST', '/articles', { project_id: project, keyword: 'green roof', title: 'Green roofs for sheds' })
  for (const { keyword, title, control } of IN_TROUBLE) {
    const { article_id: id } = await call('POST', '/articles', { project_id: project, keyword, title, content: TEXT })
    await fetch(`${receiverUrl}/_control`, { method: 'POST', body: JSON.stringify(control) })
    await call('POST', `/articles/${id}/publish`)
  }
  await fetch(`${receiverUrl}/_control`, { method: 'POST', body: JSON.stringify({ mode: 'ok' }) })
}

type Published = { id: number; title: string; meta_description: string; content: string }

/** Place of the published article whose rewrite waits: one that the earlier changes left alone. */
const REWRITTEN = 3

const rewritten = ({ title, content, meta_description }: Omit<Published, 'id'>) => ({
  title: `${title.replace(/[:?].*$/, '')}: what lasts, and what it costs`,
  meta_description: `${meta_description.replace(/\.$/, '')}, with what each costs and how long it lasts.`,
  content: content
    .replace(/<\/p>/, ' Count the cost over ten years, since what is cheap to build is often dear to keep.</p>')
    .replace(/\bevery\b/, 'each')
    .concat('<h2>What it costs</h2><p>Ask for two prices: one for the material, and one for the days it takes.</p>'),
})

/** Keeps a rewrite of the sample project that is ready to be compared, with a difference in title, description and text. */
export const keepReadyRewrite = async (run: SqlRunner, project: number): Promise<void> => {
  const [article] = await run<Published>(sql`
    select id, title, meta_description, content from articles
    where project_id = ${project}::int and status = 'Published' order by id offset ${REWRITTEN}::int limit 1`)
  if (!article) throw new Error('the sample has too few articles')
  const { id, ...before } = article
  const after = rewritten(before)
  const { html, stats } = differenceOfWordings(before, after)
  await run(sql`
    insert into suggestions (account_id, project_id, article_id, article_title, article_url, status, opportunity_type, priority, reason,
      trigger, before, after, stats, diff_html, base_revision, ready_at)
    select account_id, project_id, id, title, url, 'ready', 'ctr_underperform', 60,
      'Seen 1,840 times at position 3.1, but chosen half as often as pages there usually are.',
      jsonb_build_object('page', coalesce(url, ''), 'period', jsonb_build_object('starts_on', to_char(now() - interval '31 days', 'YYYY-MM-DD'),
        'ends_on', to_char(now() - interval '4 days', 'YYYY-MM-DD'), 'days', 28),
        'now', jsonb_build_object('clicks', 71, 'impressions', 1840, 'position', 3.1),
        'before', jsonb_build_object('clicks', 80, 'impressions', 1795, 'position', 3.0), 'queries', '[]'::jsonb,
        'other_page', null, 'expected_clicks', 150),
      ${JSON.stringify(before)}::jsonb, ${JSON.stringify(after)}::jsonb, ${JSON.stringify(stats)}::jsonb, ${html}, revision, now()
    from articles where id = ${id}::int
    on conflict do nothing`)
}
