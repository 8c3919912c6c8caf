import { sql } from 'drizzle-orm'
import { differenceOfWordings } from '../../src/insights/suggestions/difference.ts'
import type { SqlRunner } from '../../src/platform/db/client.ts'

type Call = (method: string, path: string, body?: object) => Promise<Record<string, unknown>>

/** Returns the text of a sample article: two headings, each with a paragraph. */
const textOf = (parts: readonly [heading: string, paragraph: string][]): string =>
  parts.map(([heading, paragraph]) => `<h2>${heading}</h2><p>${paragraph}</p>`).join('')

/** Seconds for which the sample's receiver asks for no calls: the longest wait that the service accepts. */
const AWAY_S = 3_600

type Control = { mode: 'ok' | 'unavailable' | 'success_false' | 'reject'; error?: string; retry_after?: number }

/**
 * Articles of the sample, and the receiver's answer when each is published. After the last one, the connection has
 * lapsed.
 */
const IN_TROUBLE: readonly { keyword: string; title: string; content: string; control: Control; isLost?: boolean }[] = [
  {
    keyword: 'shed gutters',
    title: 'Gutters for small sheds',
    content: textOf([
      [
        'How wide',
        'Gutters for small sheds need not be wide: 76 millimetres carry the rain of a roof of ten square metres.',
      ],
      ['Where it goes', 'Lead the water into a butt, and from there away from the foundation.'],
    ]),
    control: { mode: 'success_false', error: 'The category “Roofs” does not exist.' },
  },
  {
    keyword: 'shed paint',
    title: 'Which paint lasts on a shed',
    content: textOf([
      [
        'Stain or paint',
        'Stain wears away evenly and is brushed over. Paint lasts longer, and peels when water gets behind it.',
      ],
      ['When to paint', 'Wait for three dry days, and paint the boards that face the weather twice.'],
    ]),
    control: { mode: 'unavailable', retry_after: AWAY_S },
  },
  {
    keyword: 'shed lights',
    title: 'Light in a shed without mains power',
    content: textOf([
      ['A panel and a battery', 'A solar panel of ten watts fills a battery that lights a small shed for an evening.'],
      ['Where to put it', 'Mount the panel on the side that has sun at noon, and keep the battery off the floor.'],
    ]),
    control: { mode: 'unavailable', retry_after: AWAY_S },
    isLost: true,
  },
  {
    keyword: 'shed locks',
    title: 'Locks that keep a shed shut',
    content: textOf([
      ['The hasp', 'A lock is as strong as its hasp: bolt it through the door, with the nuts inside.'],
      ['The hinges', 'Replace one screw of each hinge with a bolt, so that nobody takes the door off.'],
    ]),
    control: { mode: 'reject', error: 'The access token has expired.' },
  },
]

const ASKED = {
  keyword: 'shed insulation',
  title: 'Insulating a shed for winter',
  content: textOf([
    ['Walls first', 'Fill the frame with boards of 50 millimetres, and leave a gap behind the cladding.'],
    ['Then the floor', 'A floor on battens keeps the cold of the ground away from your feet.'],
  ]),
}

const setReceiver = (url: string, control: Control) =>
  fetch(`${url}/_control`, { method: 'POST', body: JSON.stringify(control) })

/**
 * Marks a delivery in retries as one with a lost answer.
 *
 * By itself, the service leaves this open only for a site it can query, and no CMS is connected here.
 */
const loseAnswer = (run: SqlRunner, article: unknown) =>
  run(sql`
    with lost as (select 'The connection broke off before the site had answered.'::text as error),
      delivery as (update deliveries d set status = 'unknown', error = lost.error from lost
        where d.article_id = ${Number(article)}::int and d.status = 'retrying' returning d.id),
      attempt as (update delivery_attempts a set status = 'unknown', http_status = null, response_excerpt = null, error = lost.error
        from lost, delivery where a.delivery_id = delivery.id)
    update articles a set publish_state = 'unknown', publish_error = lost.error from lost, delivery where a.id = ${Number(article)}::int`)

/**
 * Publishes an article while the project's policy requires an approval. Then removes the policy, so that people can try
 * the project.
 */
const askForApproval = async (call: Call, run: SqlRunner, project: number): Promise<void> => {
  const { article_id: id } = await call('POST', '/articles', { project_id: project, ...ASKED })
  await run(sql`insert into policies (project_id, account_id, version, needs_approval, changed_by, changed_at)
    select id, account_id, 1, 'every', 'sample', now() from projects where id = ${project}::int`)
  await call('POST', `/articles/${id}/publish`)
  await run(sql`delete from policies where project_id = ${project}::int`)
}

/**
 * Makes articles whose publication failed, is retried, has an unknown outcome, or waits for a person; and a draft
 * without a date.
 *
 * The receiver refuses the last one's access token, so the connection has lapsed.
 */
export const makeTrouble = async (call: Call, run: SqlRunner, receiverUrl: string, project: number): Promise<void> => {
  await call('POST', '/articles', { project_id: project, keyword: 'green roof', title: 'Green roofs for sheds' })
  await askForApproval(call, run, project)
  for (const { control, isLost, ...article } of IN_TROUBLE) {
    const { article_id: id } = await call('POST', '/articles', { project_id: project, ...article })
    await setReceiver(receiverUrl, control)
    await call('POST', `/articles/${id}/publish`)
    if (isLost) await loseAnswer(run, id)
  }
  await setReceiver(receiverUrl, { mode: 'ok' })
}

type Published = { id: number; title: string; meta_description: string; content: string }

/** Index of the published article whose rewrite waits. The earlier changes did not touch it. */
const REWRITTEN = 3

const rewritten = ({ title, content, meta_description }: Omit<Published, 'id'>) => ({
  title: `${title.replace(/[:?].*$/, '')}: what lasts, and what it costs`,
  meta_description: `${meta_description.replace(/\.$/, '')}, with what each costs and how long it lasts.`,
  content: content
    .replace(/<\/p>/, ' Count the cost over ten years, since what is cheap to build is often dear to keep.</p>')
    .replace(/\bevery\b/, 'each')
    .concat('<h2>What it costs</h2><p>Ask for two prices: one for the material, and one for the days it takes.</p>'),
})

/**
 * Stores a rewrite of the sample project that is ready to be compared, with a difference in title, description and
 * text.
 */
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
