import type { Hono } from 'hono'
import type { Child } from 'hono/jsx'
import { PATHS } from '../../../accounts/people/paths.ts'
import { has } from '../../../accounts/people/roles.ts'
import { ApiError } from '../../../platform/lib/errors.ts'
import { DAY_MS } from '../../../platform/lib/time.ts'
import { assetPath } from '../../assets.ts'
import { type PagesContext, type PagesEnv, show, signedIn, zoneFor } from '../../front.tsx'
import { siteName, sitePath } from '../../menu.ts'
import { For, Pill } from '../../parts.tsx'
import { dayIn, placeOf } from '../../zone.ts'
import { DateCost, UnreachedNotice } from '../cost.tsx'
import { type SiteFront, siteIdIn, siteIn, withQuery } from '../front.ts'
import {
  type PlanConditions,
  readAllConditions,
  readConditions,
  readPlaced,
  readPlacedPosts,
  readUndated,
} from '../queries.ts'
import { feed, feedUrl } from './feed.ts'
import { Agenda, CALENDAR_SCRIPT, MonthGrid, Posts, Tray } from './month.tsx'
import { type Dated, type DatedPost, datedOf, datedPostOf, type Month, monthOf, monthText } from './rules.ts'

/** Address of the calendar's script. */
export const CALENDAR_JS = assetPath('calendar', CALENDAR_SCRIPT, 'js')

const MOST = 500

/** Renders the number of articles in the month, beside the number in the site's article plan. */
const Gaps = ({ month, dated, conditions }: { month: Month; dated: readonly Dated[]; conditions: PlanConditions }) => {
  const inMonth = dated.filter(({ day }) => day.startsWith(month.name))
  const wanted = conditions.articles_per_month
  const missing = (wanted ?? 0) - inMonth.length
  const held = inMonth.filter(({ words }) => words?.tile === 'stays').length
  return (
    <p class="hint">
      {monthText(month.name)}:{' '}
      {wanted === null
        ? `${inMonth.length === 1 ? '1 article is' : `${inMonth.length} articles are`} out or dated`
        : `${inMonth.length} of the ${wanted} articles of your plan are out or have a date`}
      {missing > 0 ? `, ${missing} to go` : ''}.
      {held > 0 && ` ${held === 1 ? '1 of them' : `${held} of them`} will not go out as things are.`}
      {conditions.publishing_status === 'Save as Drafts' && ' On their date they become drafts here and are not sent.'}
      {conditions.publishing_status === 'Send as Drafts' && ' On their date they are sent to your site as drafts.'}
    </p>
  )
}

const Legend = ({ times, children }: { times: string; children?: Child }) => (
  <ul class="legend" aria-label="Legend">
    {(
      [
        ['accent', '■', 'Your text'],
        ['accent', '◧', 'Will be written'],
        ['warn', '▢', 'Will not go out'],
        ['good', '●', 'Published'],
        ['bad', '▲', 'Failed'],
        ['plain', '□', 'Draft'],
        ['plain', '○', 'Post to come'],
        ['good', '◉', 'Post that is out'],
      ] as const
    ).map(([tone, shape, word]) => (
      <li>
        <Pill tone={tone} shape={shape}>
          {word}
        </Pill>
      </li>
    ))}
    <li>
      <Pill>{times}</Pill>
    </li>
    {children}
  </ul>
)

/** Choices in the address of a calendar. */
type View = { here: string; month: string; isList: boolean; hasPosts: boolean }

const viewOf = (c: PagesContext, here: string) => ({
  here,
  isList: c.req.query('view') === 'list',
  hasPosts: c.req.query('posts') !== 'no',
})

/** Returns a span that contains a month in every time zone. The grid then selects its own days. */
const wideSpan = (asked: string | undefined, now: Date) => {
  const { from, until } = monthOf(asked, now, 'UTC')
  return { from: new Date(from.getTime() - 2 * DAY_MS), until: new Date(until.getTime() + 2 * DAY_MS), most: MOST }
}

const linkTo = ({ here, month, isList, hasPosts }: View): string =>
  withQuery(here, { month, view: isList ? 'list' : '', posts: hasPosts ? '' : 'no' })

const Controls = ({ month, children, ...view }: Omit<View, 'month'> & { month: Month; children?: Child }) => {
  const link = (changes: Partial<View>) => linkTo({ ...view, month: month.name, ...changes })
  return (
    <div class="row find">
      <nav class="tabs" aria-label="View">
        <a href={link({ isList: false })} aria-current={view.isList ? undefined : 'page'}>
          Month
        </a>
        <a href={link({ isList: true })} aria-current={view.isList ? 'page' : undefined}>
          List
        </a>
      </nav>
      <nav class="row" aria-label="Months">
        <a
          class="button plain"
          href={link({ month: month.before })}
          aria-label={`Before: ${monthText(month.before)}`}
          data-key="ArrowLeft"
        >
          ‹
        </a>
        <strong>{monthText(month.name)}</strong>
        <a
          class="button plain"
          href={link({ month: month.after })}
          aria-label={`Next: ${monthText(month.after)}`}
          data-key="ArrowRight"
        >
          ›
        </a>
        <a class="button plain" href={link({ month: '' })} data-key="t">
          Today
        </a>
      </nav>
      <a class="button plain" href={link({ hasPosts: !view.hasPosts })}>
        {view.hasPosts ? 'Hide posts' : 'Show posts'}
      </a>
      {children}
    </div>
  )
}

type DatesProps = {
  month: Month
  dated: readonly Dated[]
  posts: readonly DatedPost[]
  today: string
  isList: boolean
  /** Calendar that a move returns to. */
  to: 'calendar' | 'all'
  /** Link below an empty list. */
  children?: Child
}

/** Renders a month as a grid and as a list, with the form that moves a tile. */
const Dates = ({ month, dated, posts, today, isList, to, children }: DatesProps) => (
  <>
    {!isList && <MonthGrid month={month} dated={dated} posts={posts} today={today} />}
    <div class={isList ? 'card' : 'card agenda'}>
      <Agenda dated={dated.filter(({ day }) => day.startsWith(month.name))} to={to}>
        {children}
      </Agenda>
    </div>
    <div class={isList ? undefined : 'agenda'}>
      <Posts posts={posts.filter(({ day }) => day.startsWith(month.name))} />
    </div>
    <For right="edit">
      <p id="said" role="status" class="hint">
        {!isList && (
          <span class="desk">
            A tile moves by dragging, or with Alt and an arrow key. One without a date can be dragged onto a day.
          </span>
        )}
      </p>
      <form id="move" method="post" action="" hidden>
        <input type="hidden" name="at" value="" />
        <input type="hidden" name="version" value="" />
        <input type="hidden" name="to" value={to} />
      </form>
    </For>
  </>
)

const inGrid =
  ({ days }: Month) =>
  ({ day }: { day: string }): boolean =>
    day >= (days[0] ?? '') && day <= (days.at(-1) ?? '')

const scriptFor = (c: PagesContext) => (has(c.get('person').role, 'edit') ? { script: CALENDAR_JS } : {})

const page = async (c: PagesContext, front: SiteFront) => {
  const { db, now } = front.deps
  const [account, project, today] = [c.get('person').accountId, siteIdIn(c), now()]
  const asked = c.req.query('month')
  const view = viewOf(c, sitePath(project, 'calendar'))
  const span = { account, project, ...wideSpan(asked, today) }
  const [site, sites, conditions, placed, shown, undated] = await Promise.all([
    siteIn(c),
    c.get('sites'),
    readConditions(db, account, project, today),
    readPlaced(db, span),
    view.hasPosts ? readPlacedPosts(db, span) : [],
    readUndated(db, account, project),
  ])
  if (!conditions) throw new ApiError('not_found', 'There is no such site.')
  const month = monthOf(asked, today, site.zone)
  const dated = placed.map((article) => datedOf(c, article, site, conditions)).filter(inGrid(month))
  const posts = shown.map((post) => datedPostOf(post, site))
  return await show(c, front, {
    title: 'Calendar',
    menu: true,
    page: 'calendar',
    site: site.id,
    ...scriptFor(c),
    actions: (
      <For right="edit">
        <a class="button" href={sitePath(site.id, 'plan')}>
          Plan an article
        </a>
      </For>
    ),
    body: (
      <>
        <Controls {...view} month={month}>
          {sites.length > 1 && (
            <a class="button plain" href={linkTo({ ...view, month: month.name, here: PATHS.calendar })}>
              All sites
            </a>
          )}
        </Controls>
        <Legend times={`times in ${placeOf(site.zone)}`}>
          <For right="manage">
            <li>
              <a href={sitePath(site.id, 'settings/publishing')}>How and when articles go out</a>
            </li>
          </For>
        </Legend>
        <Gaps month={month} dated={dated} conditions={conditions} />
        <UnreachedNotice site={site.id} unreached={conditions.unreached} />
        <For right="edit">
          <DateCost c={c} conditions={conditions} />
        </For>
        <Dates
          month={month}
          dated={dated}
          posts={posts}
          today={dayIn(today, site.zone)}
          isList={view.isList}
          to="calendar"
        >
          <For right="edit">
            <a href={sitePath(site.id, 'plan')}>Plan an article</a>
          </For>
        </Dates>
        <Tray undated={undated} />
        <details>
          <summary>See it in another calendar</summary>
          <p class="hint">
            Add this address there as a subscription. Anyone who has it sees titles and dates, so keep it to yourself.
            It stops working when you may not see the site any more.
          </p>
          <code class="secret">{await feedUrl(c, front, site.id)}</code>
        </details>
      </>
    ),
  })
}

/** Shows the dates of all sites that the person may see, each in its site's zone. */
const all = async (c: PagesContext, front: SiteFront) => {
  const { db, now } = front.deps
  const { accountId: account, projectId: project } = c.get('person')
  const [asked, today, view] = [c.req.query('month'), now(), viewOf(c, PATHS.calendar)]
  const span = { account, project, ...wideSpan(asked, today) }
  const [sites, zone, conditions, placed, shown] = await Promise.all([
    c.get('sites'),
    zoneFor(c),
    readAllConditions(db, account, project, today),
    readPlaced(db, span),
    view.hasPosts ? readPlacedPosts(db, span) : [],
  ])
  const siteOf = new Map(sites.map((site) => [site.id, site]))
  const [first] = conditions.values()
  // The credits are those of the account. Each site's budget is told on its own calendar.
  const ofAccount = first && { ...first, reach: { ...first.reach, budget_left: null } }
  const month = monthOf(asked, today, zone)
  const dated = placed
    .flatMap((article) => {
      const [site, stands] = [siteOf.get(article.project_id), conditions.get(article.project_id)]
      return site && stands ? { ...datedOf(c, article, site, stands), siteName: siteName(site) } : []
    })
    .filter(inGrid(month))
  const posts = shown.flatMap((post) => {
    const site = siteOf.get(post.project_id)
    return site ? { ...datedPostOf(post, site), siteName: siteName(site) } : []
  })
  return await show(c, front, {
    title: 'Calendar of all sites',
    menu: true,
    page: 'sites',
    ...scriptFor(c),
    body: (
      <>
        <Controls {...view} month={month} />
        <Legend times="times by the clock of each site" />
        <For right="edit">
          <DateCost c={c} conditions={ofAccount} />
        </For>
        {placed.length === MOST && <p class="hint">Only the first {MOST} dates are shown.</p>}
        <Dates month={month} dated={dated} posts={posts} today={dayIn(today, zone)} isList={view.isList} to="all" />
      </>
    ),
  })
}

/** Adds the calendar of a site, that of all sites, and the feed for other calendar programs. */
export const calendarPages = (app: Hono<PagesEnv>, front: SiteFront): void => {
  app.get('/p/:site/calendar', signedIn(front), (c) => page(c, front))
  app.get(PATHS.calendar, signedIn(front), (c) => all(c, front))
  app.get('/p/:site/calendar.ics', (c) => feed(c, front))
}
