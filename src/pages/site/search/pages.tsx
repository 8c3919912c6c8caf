import type { Hono } from 'hono'
import { PATHS } from '../../../accounts/people/paths.ts'
import { indexingReport } from '../../../insights/search/indexing/report.ts'
import { searchHistory, searchPerformance } from '../../../insights/search/performance.ts'
import { listEffects } from '../../../insights/suggestions/read.ts'
import { siteTraffic } from '../../../insights/traffic/read.ts'
import { ctxOf, searchIn } from '../../ctx.ts'
import { type PagesContext, type PagesEnv, show, signedIn } from '../../front.tsx'
import { Later, showWithLater } from '../../later.tsx'
import { sitePath } from '../../menu.ts'
import { Empty, For, Moment } from '../../parts.tsx'
import { LineChart } from '../chart.tsx'
import { type SiteFront, siteIdIn, siteIn, withSite } from '../front.ts'
import { Card, ConnectSearch, Figures, positionText, signed } from '../parts.tsx'
import { Indexing } from './indexing.tsx'
import { type Chosen, chosenIn } from './rows.ts'
import { type At, type Found, fileOf, Pages, type Performance, pathWith, Queries } from './tables.tsx'
import { TrafficCards } from './traffic.tsx'

const SPANS = [
  ['7', '7 days', 7],
  ['28', '28 days', 28],
  ['90', '90 days', 90],
  ['486', '16 months', 486],
] as const

/** Most days in one request to Google. For a longer span, the chart shows stored days. */
const MOST_ASKED = 90

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`

/** Renders the sums of the span, and their changes. Changes have no confidence interval here, so they have no colour. */
const Totals = ({ found }: { found: Found }) => {
  const { totals } = found
  const delta = found.comparison?.delta_totals
  const figure = (name: string, value: string, change: string | undefined) => ({
    name,
    value,
    note: change === undefined ? 'nothing to compare with' : `${change} against before`,
  })
  return (
    <Figures
      figures={[
        figure('Clicks', totals.clicks.toLocaleString('en-US'), delta && signed(delta.clicks)),
        figure('Impressions', totals.impressions.toLocaleString('en-US'), delta && signed(delta.impressions)),
        figure('Click rate', percent(totals.ctr), delta && `${signed(Number((delta.ctr * 100).toFixed(1)))} points`),
        figure(
          'Average position',
          positionText(totals.avg_position),
          delta?.avg_position == null ? undefined : signed(Number(delta.avg_position.toFixed(1))),
        ),
      ]}
    />
  )
}

const ORDERS = [
  ['clicks', 'most clicks first'],
  ['change', 'largest gain first'],
  ['impressions', 'most shown first'],
  ['position', 'best position first'],
] as const

const ONLY = [
  ['', 'all'],
  ['reach', 'within reach'],
  ['new', 'new'],
] as const

/** Renders the form that searches, limits and orders both tables. */
const Find = ({ site, days, chosen: { sort, only, q } }: At) => (
  <search>
    <form class="row find" method="get" action={sitePath(site, 'search')}>
      <input type="hidden" name="days" value={days} />
      <input
        type="search"
        name="q"
        value={q}
        aria-label="Words of a query or an address"
        placeholder="Find a query or a page"
        maxlength={200}
      />
      <select name="only" aria-label="Which">
        {ONLY.map(([name, label]) => (
          <option value={name} selected={name === only}>
            {label}
          </option>
        ))}
      </select>
      <select name="sort" aria-label="Order">
        {ORDERS.map(([name, label]) => (
          <option value={name} selected={name === sort}>
            {label}
          </option>
        ))}
      </select>
      <button class="plain" type="submit">
        Show
      </button>
    </form>
  </search>
)

/** Renders the numbers from Google, or the reason that there are none. */
const Asked = ({ performance, at }: { performance: Performance; at: At }) => {
  if (!('top_queries' in performance))
    return (
      <div class="notice warn">
        <p>
          <strong>Google cannot be asked now.</strong>{' '}
          {'reason' in performance && performance.reason === 'revoked'
            ? 'It no longer accepts the access that was granted.'
            : 'It did not answer. The days above are those that are stored here.'}
        </p>
        <For right="manage">
          <p>
            <a href={`${PATHS.integrations}?project_id=${at.site}`}>Look at the connection</a>
          </p>
        </For>
      </div>
    )
  return (
    <>
      <div class="cards">
        <Totals found={performance} />
        <Queries found={performance} at={at} />
        <Pages found={performance} at={at} />
      </div>
      <p class="hint">
        Asked <Moment at={new Date(performance.fetched_at)} />.
      </p>
    </>
  )
}

const spanIn = (c: PagesContext) => SPANS.find(([one]) => one === c.req.query('days')) ?? SPANS[1]

const chosenOf = ({ req }: PagesContext): Chosen =>
  chosenIn(req.query('sort'), req.query('only'), searchIn(req.query('q')))

/** Returns the request to Google for a site's sums and tables. */
const askedOf = (project: number, days: number) =>
  ({ project_id: project, days: Math.min(days, MOST_ASKED), compare: true, limit: 50 }) as const

/** Sends the rows of a table as a file, in the order and with the filter of the page. */
const download = async (c: PagesContext, front: SiteFront, of: 'queries' | 'pages') => {
  const [, , days] = spanIn(c)
  const { id } = await siteIn(c)
  const found = await searchPerformance(ctxOf(c, front), front.google, askedOf(id, days))
  if (!('top_queries' in found)) return c.redirect(sitePath(id, 'search'), 303)
  c.header('Content-Disposition', `attachment; filename="${of}-${days}-days.csv"`)
  return c.body(fileOf(found, of, chosenOf(c)), 200, { 'Content-Type': 'text/csv; charset=utf-8' })
}

const page = async (c: PagesContext, front: SiteFront) => {
  const project = siteIdIn(c)
  const [name, label, days] = spanIn(c)
  const chosen = chosenOf(c)
  const ctx = ctxOf(c, front)
  const asked = searchPerformance(ctx, front.google, askedOf(project, days))
  // A page without a connection does not await it. The rejection must not stay unhandled.
  asked.catch(() => {})
  const [site, [history, effects, indexing, traffic]] = await withSite(
    c,
    Promise.all([
      searchHistory(ctx, front.google, { project_id: project, days: Math.max(days, 28) }),
      listEffects(ctx, { project_id: project, limit: 50 }),
      indexingReport(ctx, front.google, project, {}),
      siteTraffic(ctx, { project_id: project, days: Math.max(days, 28), limit: 10 }),
    ]),
  )
  const frame = { title: 'Search', menu: true, page: 'search', site: site.id } as const
  if (!('points' in history))
    return await show(c, front, {
      ...frame,
      body: (
        <>
          <Empty>
            <p>
              With Google Search Console connected you see what people search for, which pages they find, and what is
              within reach.
            </p>
            <ConnectSearch site={site.id} />
            <p>
              <a href={sitePath(site.id, 'search-engines')}>What Bing, Yandex and others are told</a>
            </p>
            <p>
              <a href={sitePath(site.id, 'crawlers')}>Which search engines and AI services may read the site?</a>
            </p>
            <p>
              <a href={sitePath(site.id, 'reports')}>Monthly reports</a>
            </p>
          </Empty>
          <TrafficCards site={site.id} traffic={traffic} />
        </>
      ),
    })
  const points = history.points.slice(-days).map(({ date, clicks }) => ({ day: date, value: clicks }))
  const visits =
    traffic.state === 'measured'
      ? traffic.points.slice(-days).map(({ date, visits: value }) => ({ day: date, value }))
      : undefined
  const notes = effects.effects.map(({ changed_at, article_title }) => ({
    day: changed_at.slice(0, 10),
    text: `Changed: ${article_title ?? 'an article'}`,
  }))
  const at = { site: site.id, days: name, chosen }
  const part = asked.then((performance) => <Asked at={at} performance={performance} />)
  return await showWithLater(
    c,
    front,
    { zone: site.zone, who: 'Google', again: pathWith(at, {}), part },
    {
      ...frame,
      body: (
        <>
          <div class="row find">
            <nav class="tabs" aria-label="Days">
              {SPANS.map(([one, words]) => (
                <a href={pathWith({ ...at, days: one }, {})} aria-current={one === name ? 'page' : undefined}>
                  {words}
                </a>
              ))}
            </nav>
            <span class="hint">
              {days > MOST_ASKED ? 'the sums are of 90 days' : `compared with the ${label} before`}; days are Google’s,
              in Los Angeles
            </span>
          </div>
          <div class="cards">
            <Card
              title="Clicks a day"
              note={
                notes.some(({ day }) => points.some((point) => point.day === day))
                  ? 'dashed: an article of yours was changed'
                  : undefined
              }
            >
              {points.length > 1 ? (
                <div class="in">
                  <LineChart
                    title={
                      visits
                        ? 'Clicks in Google Search and visits from AI assistants, a day'
                        : 'Clicks a day in Google Search'
                    }
                    name="Clicks"
                    points={points}
                    {...(visits ? { beside: { name: 'Visits from AI', points: visits } } : {})}
                    notes={notes}
                    wide
                  />
                  {visits && <p class="hint">Dotted: visits from AI assistants. Days without dots were not counted.</p>}
                </div>
              ) : (
                <Empty>The days are being fetched. They are here within minutes.</Empty>
              )}
            </Card>
          </div>
          <TrafficCards site={site.id} traffic={traffic} />
          {indexing.connected && <Indexing site={site.id} report={indexing} />}
          <Find {...at} />
          <Later>Asking Google for the sums, queries and pages…</Later>
        </>
      ),
    },
  )
}

/** Adds the page of a site's numbers in Google Search. */
export const searchPages = (app: Hono<PagesEnv>, front: SiteFront): void => {
  app.get('/p/:site/search', signedIn(front), (c) => page(c, front))
  app.get('/p/:site/search/queries.csv', signedIn(front), (c) => download(c, front, 'queries'))
  app.get('/p/:site/search/pages.csv', signedIn(front), (c) => download(c, front, 'pages'))
}
