import type { Hono } from 'hono'
import { PATHS } from '../../accounts/people/paths.ts'
import { searchHistory, searchPerformance } from '../../insights/search/performance.ts'
import { listEffects } from '../../insights/suggestions/read.ts'
import { ctxOf } from '../ctx.ts'
import { type PagesContext, type PagesEnv, show, signedIn } from '../front.tsx'
import { Later, showWithLater } from '../later.tsx'
import { sitePath } from '../menu.ts'
import { Empty, For, Moment, Pill } from '../parts.tsx'
import { LineChart, Numbers } from './chart.tsx'
import { type SiteFront, siteIdIn, withSite } from './front.ts'
import { Card, ConnectSearch, Figures, positionText, signed } from './parts.tsx'

const SPANS = [
  ['7', '7 days', 7],
  ['28', '28 days', 28],
  ['90', '90 days', 90],
  ['486', '16 months', 486],
] as const

/** Most days in one request to Google. For a longer span, the chart shows stored days. */
const MOST_ASKED = 90

type Performance = Awaited<ReturnType<typeof searchPerformance>>
type Found = Extract<Performance, { top_queries: unknown }>

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

const shareOf = (share: number | null): string | undefined =>
  share === null ? undefined : `these cover ${Math.round(share * 100)} % of the clicks; Google hides rare ones`

const FIGURES = ['Clicks', 'Change', 'Impressions', 'Position']

/** Returns the cells of a query or page under `FIGURES`. */
const figuresOf = (row: Found['top_queries' | 'top_pages'][number]): string[] => [
  row.clicks.toLocaleString('en-US'),
  row.delta_clicks === undefined ? '–' : signed(row.delta_clicks),
  row.impressions.toLocaleString('en-US'),
  positionText(row.position),
]

const Queries = ({ found }: { found: Found }) => (
  <Card title="What people search for" note={shareOf(found.coverage.query_clicks_share)}>
    {found.top_queries.length === 0 ? (
      <Empty>Nobody found the site in these days.</Empty>
    ) : (
      <div class="in">
        <p class="hint">
          Within reach: shown ten times or more, at positions 4 to 20. A better page about it brings clicks.
        </p>
        <Numbers
          caption="Queries by clicks"
          heads={['Query', ...FIGURES]}
          rows={found.top_queries.map((row) => [
            <span dir="auto">
              {row.query}{' '}
              {row.striking_distance && (
                <Pill tone="warn" shape="◇">
                  within reach
                </Pill>
              )}
              {row.is_new && <Pill>new</Pill>}
            </span>,
            ...figuresOf(row),
          ])}
        />
      </div>
    )}
  </Card>
)

const pathIn = (page: string): string => {
  const url = URL.parse(page)
  return url ? `${url.pathname}${url.search}` : page
}

const Pages = ({ site, found }: { site: number; found: Found }) => (
  <Card title="Pages" note={shareOf(found.coverage.page_clicks_share)}>
    {found.top_pages.length === 0 ? (
      <Empty>No page was shown in these days.</Empty>
    ) : (
      <div class="in">
        <Numbers
          caption="Pages by clicks"
          heads={['Page', ...FIGURES]}
          rows={found.top_pages.map((row) => [
            row.article_id === undefined ? (
              pathIn(row.page)
            ) : (
              <a href={sitePath(site, `articles/${row.article_id}`)}>{pathIn(row.page)}</a>
            ),
            ...figuresOf(row),
          ])}
        />
      </div>
    )}
  </Card>
)

/** Renders the numbers from Google, or the reason that there are none. */
const Asked = ({ site, performance }: { site: number; performance: Performance }) => {
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
            <a href={`${PATHS.integrations}?project_id=${site}`}>Look at the connection</a>
          </p>
        </For>
      </div>
    )
  return (
    <>
      <div class="cards">
        <Totals found={performance} />
        <Queries found={performance} />
        <Pages site={site} found={performance} />
      </div>
      <p class="hint">
        Asked <Moment at={new Date(performance.fetched_at)} />.
      </p>
    </>
  )
}

const page = async (c: PagesContext, front: SiteFront) => {
  const project = siteIdIn(c)
  const [name, label, days] = SPANS.find(([one]) => one === c.req.query('days')) ?? SPANS[1]
  const ctx = ctxOf(c, front)
  const asking = { project_id: project, days: Math.min(days, MOST_ASKED), compare: true, limit: 50 }
  const asked = searchPerformance(ctx, front.google, asking)
  // A page without a connection does not await it. The rejection must not stay unhandled.
  asked.catch(() => {})
  const [site, [history, effects]] = await withSite(
    c,
    Promise.all([
      searchHistory(ctx, front.google, { project_id: project, days: Math.max(days, 28) }),
      listEffects(ctx, { project_id: project, limit: 50 }),
    ]),
  )
  const here = sitePath(site.id, 'search')
  const frame = { title: 'Search', menu: true, page: 'search', site: site.id } as const
  if (!('points' in history))
    return await show(c, front, {
      ...frame,
      body: (
        <Empty>
          <p>
            With Google Search Console connected you see what people search for, which pages they find, and what is
            within reach.
          </p>
          <ConnectSearch site={site.id} />
        </Empty>
      ),
    })
  const points = history.points.slice(-days).map(({ date, clicks }) => ({ day: date, value: clicks }))
  const notes = effects.effects.map(({ changed_at, article_title }) => ({
    day: changed_at.slice(0, 10),
    text: `Changed: ${article_title ?? 'an article'}`,
  }))
  const part = asked.then((performance) => <Asked site={site.id} performance={performance} />)
  return await showWithLater(
    c,
    front,
    { zone: site.zone, who: 'Google', again: `${here}?days=${name}`, part },
    {
      ...frame,
      body: (
        <>
          <div class="row find">
            <nav class="tabs" aria-label="Days">
              {SPANS.map(([one, words]) => (
                <a href={`${here}?days=${one}`} aria-current={one === name ? 'page' : undefined}>
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
                  <LineChart title="Clicks a day in Google Search" points={points} notes={notes} wide />
                </div>
              ) : (
                <Empty>The days are being fetched. They are here within minutes.</Empty>
              )}
            </Card>
          </div>
          <Later>Asking Google for the sums, queries and pages…</Later>
        </>
      ),
    },
  )
}

/** Adds the page of a site's numbers in Google Search. */
export const searchPages = (app: Hono<PagesEnv>, front: SiteFront): void => {
  app.get('/p/:site/search', signedIn(front), (c) => page(c, front))
}
