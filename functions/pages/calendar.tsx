import type { Hono } from 'hono'
import { seal, unseal } from '../../src/lib/crypto.ts'
import { ApiError } from '../../src/lib/errors.ts'
import { etagOf } from '../../src/lib/etag.ts'
import { wallTime } from '../../src/lib/time.ts'
import { assetPath } from '../../src/pages/assets.ts'
import { addressIn, type PagesContext, type PagesEnv, show, signedIn, tooOften } from '../../src/pages/front.tsx'
import { sitePath } from '../../src/pages/menu.ts'
import { Empty, Moment, Pill } from '../../src/pages/parts.tsx'
import { readSites, type Site } from '../../src/pages/shell-queries.ts'
import { dayIn, dayText, placeOf } from '../../src/pages/zone.ts'
import { accountsFor } from '../../src/people/person.ts'
import { feedOf, type Month, monthOf, monthText } from './calendar-rules.ts'
import { CALENDAR_SCRIPT } from './calendar-script.ts'
import { type SiteFront, siteIdIn, siteIn } from './front.ts'
import { Card } from './parts.tsx'
import { type Listed, type Means, readMeans, readScheduled, readUndated } from './queries.ts'
import { KindPill, type KindWords, kindOf, kindWords, StatePill, stateOf, titleOf } from './states.tsx'

/** Address of the calendar's script. */
export const CALENDAR_JS = assetPath('calendar', CALENDAR_SCRIPT, 'js')

const MOST = 500
const WEEK = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

/** An article with a date, as the calendar shows it. */
type Dated = { article: Listed; day: string; time: string; words: KindWords | undefined }

const isMovable = ({ status, publish_state, being_written }: Listed): boolean =>
  (status === 'Planned' || status === 'Draft') && publish_state !== 'publishing' && !being_written

const datedOf = (c: PagesContext, article: Listed, site: Site, means: Means): Dated => {
  const wall = wallTime(new Date(article.scheduled_at ?? 0), site.zone)
  const isKind = article.status === 'Planned' && article.publish_state === 'idle' && !article.being_written
  return {
    article,
    day: wall.slice(0, 10),
    time: wall.slice(11, 16),
    words: isKind ? kindWords(kindOf(c, article, means), means) : undefined,
  }
}

const Tile = ({ site, dated: { article, day, time, words } }: { site: Site; dated: Dated }) => {
  const [tone, shape, word] = words ? (['', words.shape, words.word] as const) : stateOf(article)
  const move = isMovable(article)
    ? {
        draggable: true,
        'data-move': sitePath(site.id, `articles/${article.id}/date`),
        'data-day': day,
        'data-time': time,
        'data-version': etagOf(new Date(article.updated_at), article.revision),
      }
    : { draggable: false }
  return (
    <a
      class={`tile ${words?.tile ?? (tone === 'good' || tone === 'bad' ? tone : '')}`.trim()}
      href={sitePath(site.id, `articles/${article.id}`)}
      title={words?.sentence}
      {...move}
    >
      <span>
        <i aria-hidden="true">{shape}</i> {time} {word}
      </span>
      <b dir="auto">{titleOf(article)}</b>
    </a>
  )
}

const MonthGrid = ({ site, month, dated, today }: { site: Site; month: Month; dated: Dated[]; today: string }) => (
  <ol class="month" aria-label={monthText(month.name)}>
    {WEEK.map((name) => (
      <li class="name" aria-hidden="true">
        {name}
      </li>
    ))}
    {month.days.map((day) => (
      <li class={day === today ? 'today' : day.startsWith(month.name) ? undefined : 'other'} data-drop={day}>
        <h2>
          <b>
            <span class="unseen">{dayText(day, today)}</span>
            <span aria-hidden="true">{Number(day.slice(8))}</span>
          </b>
        </h2>
        <ul>
          {dated
            .filter((one) => one.day === day)
            .map((one) => (
              <li>
                <Tile site={site} dated={one} />
              </li>
            ))}
        </ul>
      </li>
    ))}
  </ol>
)

const MoveForm = ({ site, dated: { article, day, time } }: { site: Site; dated: Dated }) => (
  <details>
    <summary>Move</summary>
    <form class="row" method="post" action={sitePath(site.id, `articles/${article.id}/date`)}>
      <input type="hidden" name="version" value={etagOf(new Date(article.updated_at), article.revision)} />
      <input type="hidden" name="to" value="calendar" />
      <input
        type="datetime-local"
        name="at"
        value={day === '' ? '' : `${day}T${time}`}
        aria-label={`New date of ${titleOf(article)}`}
        required
      />
      <button class="plain" type="submit">
        Move it
      </button>
    </form>
  </details>
)

const Agenda = ({ site, dated }: { site: Site; dated: readonly Dated[] }) =>
  dated.length === 0 ? (
    <Empty>Nothing has a date here.</Empty>
  ) : (
    <ul class="rows">
      {dated.map((one) => (
        <li>
          {one.words ? <KindPill words={one.words} /> : <StatePill article={one.article} />}
          <div>
            <a class="name" href={sitePath(site.id, `articles/${one.article.id}`)} dir="auto">
              {titleOf(one.article)}
            </a>
            <p>
              <Moment at={new Date(one.article.scheduled_at ?? 0)} bare />. {one.words?.sentence}
            </p>
          </div>
          {isMovable(one.article) ? <MoveForm site={site} dated={one} /> : <span />}
        </li>
      ))}
    </ul>
  )

const Tray = ({ site, undated }: { site: Site; undated: readonly Listed[] }) => (
  <Card title="Without a date" note="drag one onto a day, or choose a date">
    {undated.length === 0 ? (
      <Empty>Every draft has a date.</Empty>
    ) : (
      <ul class="rows">
        {undated.map((article) => (
          <li>
            <StatePill article={article} />
            <a
              class="tile"
              href={sitePath(site.id, `articles/${article.id}`)}
              draggable
              data-move={sitePath(site.id, `articles/${article.id}/date`)}
              data-day=""
              data-time="09:00"
              data-version={etagOf(new Date(article.updated_at), article.revision)}
            >
              <b dir="auto">{titleOf(article)}</b>
            </a>
            <MoveForm site={site} dated={{ article, day: '', time: '', words: undefined }} />
          </li>
        ))}
      </ul>
    )}
  </Card>
)

/** How many articles the month has of those the plan of the site asks for. */
const Gaps = ({ month, dated, means }: { month: Month; dated: readonly Dated[]; means: Means }) => {
  const inMonth = dated.filter(({ day }) => day.startsWith(month.name))
  const wanted = means.articles_per_month
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
    </p>
  )
}

const Legend = ({ zone }: { zone: string }) => (
  <ul class="legend" aria-label="Legend">
    {(
      [
        ['accent', '■', 'Your text'],
        ['accent', '◧', 'Will be written'],
        ['warn', '▢', 'Will not go out'],
        ['good', '●', 'Published'],
        ['bad', '▲', 'Failed'],
        ['plain', '□', 'Draft'],
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
  </ul>
)

type FeedKey = { site: number; account: number; person: string }

/** The secret address of a site's calendar, for calendars of other programs. It ends when the person leaves the account. */
const feedUrl = async (c: PagesContext, front: SiteFront, site: number): Promise<string> => {
  const { settings } = front.deps
  const { accountId, id } = c.get('person')
  const key: FeedKey = { site, account: accountId, person: id }
  const sealed = await seal(settings.secretsKeys, JSON.stringify(key), 'calendar feed')
  return `${settings.publicUrl}${sitePath(site, 'calendar.ics')}?key=${encodeURIComponent(sealed)}`
}

const page = async (c: PagesContext, front: SiteFront) => {
  const { db, now } = front.deps
  const [account, project, today] = [c.get('person').accountId, siteIdIn(c), now()]
  const asked = c.req.query('month')
  const isList = c.req.query('view') === 'list'
  // Wide enough for every zone: the grid takes what is in its own.
  const wide = monthOf(asked, today, 'UTC')
  const [site, means, scheduled, undated] = await Promise.all([
    siteIn(c),
    readMeans(db, account, project),
    readScheduled(db, {
      account,
      project,
      from: new Date(wide.from.getTime() - 2 * 86_400_000),
      until: new Date(wide.until.getTime() + 2 * 86_400_000),
      most: MOST,
    }),
    readUndated(db, account, project),
  ])
  if (!means) throw new ApiError('not_found', 'There is no such site.')
  const month = monthOf(asked, today, site.zone)
  const dated = scheduled
    .map((article) => datedOf(c, article, site, means))
    .filter(({ day }) => day >= (month.days[0] ?? '') && day <= (month.days.at(-1) ?? ''))
  const here = sitePath(site.id, 'calendar')
  const link = (to: string, view = isList) => `${here}?month=${to}${view ? '&view=list' : ''}`
  return await show(c, front, {
    title: 'Calendar',
    menu: true,
    page: 'calendar',
    site: site.id,
    script: CALENDAR_JS,
    actions: (
      <a class="button" href={sitePath(site.id, 'plan')}>
        Plan an article
      </a>
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
            <a class="button plain" href={link(month.before)} aria-label={`Before: ${monthText(month.before)}`}>
              ‹
            </a>
            <strong>{monthText(month.name)}</strong>
            <a class="button plain" href={link(month.after)} aria-label={`Next: ${monthText(month.after)}`}>
              ›
            </a>
            <a class="button plain" href={isList ? `${here}?view=list` : here}>
              Today
            </a>
          </nav>
        </div>
        <Legend zone={site.zone} />
        <Gaps month={month} dated={dated} means={means} />
        {!isList && <MonthGrid site={site} month={month} dated={dated} today={dayIn(today, site.zone)} />}
        <div class={isList ? 'card' : 'card agenda'}>
          <Agenda site={site} dated={dated.filter(({ day }) => day.startsWith(month.name))} />
        </div>
        <p id="said" role="status" class="hint">
          {isList ? '' : 'A tile moves by dragging, or with Alt and an arrow key.'}
        </p>
        <form id="move" method="post" action={here} hidden>
          <input type="hidden" name="at" value="" />
          <input type="hidden" name="version" value="" />
          <input type="hidden" name="to" value="calendar" />
        </form>
        <Tray site={site} undated={undated} />
        <details>
          <summary>See it in another calendar</summary>
          <p class="hint">
            Add this address there as a subscription. Who has it sees titles and dates, so keep it to yourself. It ends
            when you leave the account.
          </p>
          <code class="secret">{await feedUrl(c, front, site.id)}</code>
        </details>
      </>
    ),
  })
}

const FEED_TRIES = { name: 'people.address', perMinute: 20 }
const DAY_MS = 86_400_000

/** The calendar of a site as iCalendar, for anyone who has its secret address. */
const feed = async (c: PagesContext, front: SiteFront): Promise<Response> => {
  const { db, now, settings } = front.deps
  const refused = await tooOften(c, front, [[FEED_TRIES, addressIn(c)]])
  if (refused) return refused
  const sealed = c.req.query('key') ?? ''
  const key = await unseal(settings.secretsKeys, sealed, 'calendar feed').then(
    (text) => JSON.parse(text) as FeedKey,
    () => undefined,
  )
  if (!key || key.site !== siteIdIn(c)) throw new ApiError('not_found', 'There is no such calendar.')
  const at = now().getTime()
  const range = { from: new Date(at - 60 * DAY_MS), until: new Date(at + 400 * DAY_MS) }
  const [accounts, sites, rows] = await Promise.all([
    accountsFor(db, key.person),
    readSites(db, key.account),
    readScheduled(db, { account: key.account, project: key.site, ...range, most: 2_000 }),
  ])
  const site = sites.find(({ id }) => id === key.site)
  if (!site || !accounts.some(({ id }) => id === key.account))
    throw new ApiError('not_found', 'There is no such calendar.')
  const events = rows.map((article) => ({
    id: article.id,
    title: titleOf(article),
    at: new Date(article.scheduled_at ?? 0),
    url: settings.publicUrl + sitePath(site.id, `articles/${article.id}`),
    note: stateOf(article)[2],
    changed: new Date(article.updated_at),
  }))
  c.header('Cache-Control', 'private, max-age=900')
  return c.body(feedOf(site.name || site.url, new URL(settings.publicUrl).hostname, events), 200, {
    'Content-Type': 'text/calendar; charset=utf-8',
  })
}

/** The calendar of a site, and its feed for other calendars. */
export const calendarPages = (app: Hono<PagesEnv>, front: SiteFront): void => {
  app.get('/p/:site/calendar', signedIn(front), (c) => page(c, front))
  app.get('/p/:site/calendar.ics', (c) => feed(c, front))
}
