import type { Hono } from 'hono'
import { has } from '../../../accounts/people/roles.ts'
import { ApiError } from '../../../platform/lib/errors.ts'
import { assetPath } from '../../assets.ts'
import { type PagesContext, type PagesEnv, show, signedIn } from '../../front.tsx'
import { sitePath } from '../../menu.ts'
import { For, Pill } from '../../parts.tsx'
import type { Site } from '../../shell-queries.ts'
import { dayIn, placeOf } from '../../zone.ts'
import { type SiteFront, siteIdIn, siteIn, withQuery } from '../front.ts'
import { type PlanConditions, readConditions, readScheduled, readUndated, readWaitingPosts } from '../queries.ts'
import { Agenda, Posts, Tray } from './agenda.tsx'
import { type Dated, datedOf, datedPostOf } from './dated.ts'
import { feed, feedUrl } from './feed.ts'
import { MonthGrid } from './month.tsx'
import { type Month, monthOf, monthText } from './rules.ts'
import { CALENDAR_SCRIPT } from './script.ts'

/** Address of the calendar's script. */
export const CALENDAR_JS = assetPath('calendar', CALENDAR_SCRIPT, 'js')

const MOST = 500

/** Counts the articles of the month beside those that the plan of the site asks for. */
const Gaps = ({ month, dated, conditions }: { month: Month; dated: readonly Dated[]; conditions: PlanConditions }) => {
  const inMonth = dated.filter(({ day }) => day.startsWith(month.name))
  const wanted = conditions.articles_per_month
  const missing = (wanted ?? 0) - inMonth.length
  const held = inMonth.filter(({ words }) => words?.tile === 'stays').length
  return (
    <p class="hint">
      {monthText(month.name)}:{' '}
      {wanted === null
        ? `${inMonth.length === 1 ? '1 article has' : `${inMonth.length} articles have`} a date`
        : `${inMonth.length} of the ${wanted} articles of your plan have a date`}
      {missing > 0 ? `, ${missing} to go` : ''}.
      {held > 0 && ` ${held === 1 ? '1 of them' : `${held} of them`} will not go out as things are.`}
      {conditions.publishing_status === 'Save as Drafts' && ' On their date they become drafts here and are not sent.'}
      {conditions.publishing_status === 'Send as Drafts' && ' On their date they are sent to your site as drafts.'}
    </p>
  )
}

const Legend = ({ site: { id, zone } }: { site: Site }) => (
  <ul class="legend" aria-label="Legend">
    {(
      [
        ['accent', '■', 'Your text'],
        ['accent', '◧', 'Will be written'],
        ['warn', '▢', 'Will not go out'],
        ['good', '●', 'Published'],
        ['bad', '▲', 'Failed'],
        ['plain', '□', 'Draft'],
        ['plain', '○', 'Post on a network'],
      ] as const
    ).map(([tone, shape, word]) => (
      <li>
        <Pill tone={tone} shape={shape}>
          {word}
        </Pill>
      </li>
    ))}
    <li>
      <Pill>times in {placeOf(zone)}</Pill>
    </li>
    <For right="manage">
      <li>
        <a href={sitePath(id, 'settings/publishing')}>How and when articles go out</a>
      </li>
    </For>
  </ul>
)

const page = async (c: PagesContext, front: SiteFront) => {
  const { db, now } = front.deps
  const [account, project, today] = [c.get('person').accountId, siteIdIn(c), now()]
  const asked = c.req.query('month')
  const isList = c.req.query('view') === 'list'
  const hasPosts = c.req.query('posts') !== 'no'
  // Wide enough for every zone: the grid takes what is in its own.
  const wide = monthOf(asked, today, 'UTC')
  const range = {
    account,
    project,
    from: new Date(wide.from.getTime() - 2 * 86_400_000),
    until: new Date(wide.until.getTime() + 2 * 86_400_000),
    most: MOST,
  }
  const [site, conditions, scheduled, waiting, undated] = await Promise.all([
    siteIn(c),
    readConditions(db, account, project),
    readScheduled(db, range),
    hasPosts ? readWaitingPosts(db, range) : [],
    readUndated(db, account, project),
  ])
  if (!conditions) throw new ApiError('not_found', 'There is no such site.')
  const month = monthOf(asked, today, site.zone)
  const dated = scheduled
    .map((article) => datedOf(c, article, site, conditions))
    .filter(({ day }) => day >= (month.days[0] ?? '') && day <= (month.days.at(-1) ?? ''))
  const posts = waiting.map((post) => datedPostOf(post, site))
  const here = sitePath(site.id, 'calendar')
  const link = (to: string, view = isList, withPosts = hasPosts) =>
    withQuery(here, { month: to, view: view ? 'list' : '', posts: withPosts ? '' : 'no' })
  return await show(c, front, {
    title: 'Calendar',
    menu: true,
    page: 'calendar',
    site: site.id,
    ...(has(c.get('person').role, 'edit') ? { script: CALENDAR_JS } : {}),
    actions: (
      <For right="edit">
        <a class="button" href={sitePath(site.id, 'plan')}>
          Plan an article
        </a>
      </For>
    ),
    body: (
      <>
        <div class="row find">
          <nav class="tabs" aria-label="View">
            <a href={link(month.name, false)} aria-current={isList ? undefined : 'page'}>
              Month
            </a>
            <a href={link(month.name, true)} aria-current={isList ? 'page' : undefined}>
              List
            </a>
          </nav>
          <nav class="row" aria-label="Months">
            <a
              class="button plain"
              href={link(month.before)}
              aria-label={`Before: ${monthText(month.before)}`}
              data-key="ArrowLeft"
            >
              ‹
            </a>
            <strong>{monthText(month.name)}</strong>
            <a
              class="button plain"
              href={link(month.after)}
              aria-label={`Next: ${monthText(month.after)}`}
              data-key="ArrowRight"
            >
              ›
            </a>
            <a class="button plain" href={link('')} data-key="t">
              Today
            </a>
          </nav>
          <a class="button plain" href={link(month.name, isList, !hasPosts)}>
            {hasPosts ? 'Hide posts' : 'Show posts'}
          </a>
        </div>
        <Legend site={site} />
        <Gaps month={month} dated={dated} conditions={conditions} />
        {!isList && <MonthGrid site={site} month={month} dated={dated} posts={posts} today={dayIn(today, site.zone)} />}
        <div class={isList ? 'card' : 'card agenda'}>
          <Agenda site={site} dated={dated.filter(({ day }) => day.startsWith(month.name))} />
        </div>
        <div class={isList ? undefined : 'agenda'}>
          <Posts posts={posts.filter(({ day }) => day.startsWith(month.name))} />
        </div>
        <For right="edit">
          <p id="said" role="status" class="hint">
            {!isList && <span class="desk">A tile moves by dragging, or with Alt and an arrow key.</span>}
          </p>
          <form id="move" method="post" action={here} hidden>
            <input type="hidden" name="at" value="" />
            <input type="hidden" name="version" value="" />
            <input type="hidden" name="to" value="calendar" />
          </form>
        </For>
        <Tray site={site} undated={undated} />
        <details>
          <summary>See it in another calendar</summary>
          <p class="hint">
            Add this address there as a subscription. Who has it sees titles and dates, so keep it to yourself. It ends
            when you may not see the site any more.
          </p>
          <code class="secret">{await feedUrl(c, front, site.id)}</code>
        </details>
      </>
    ),
  })
}

/** Adds the calendar of a site, and its feed for other calendars. */
export const calendarPages = (app: Hono<PagesEnv>, front: SiteFront): void => {
  app.get('/p/:site/calendar', signedIn(front), (c) => page(c, front))
  app.get('/p/:site/calendar.ics', (c) => feed(c, front))
}
