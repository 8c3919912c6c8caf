import type { Hono } from 'hono'
import type { Child } from 'hono/jsx'
import { ctxOf } from '../../src/pages/ctx.ts'
import { type PagesContext, type PagesEnv, show, signedIn } from '../../src/pages/front.tsx'
import { sitePath } from '../../src/pages/menu.ts'
import { Empty, Moment, Pill } from '../../src/pages/parts.tsx'
import type { Site } from '../../src/pages/shell-queries.ts'
import { momentText, placeOf } from '../../src/pages/zone.ts'
import { PATHS } from '../../src/people/paths.ts'
import { searchHistory } from '../../src/search/history.ts'
import { LineChart } from './chart.tsx'
import { type SiteFront, siteIdIn, withSite } from './front.ts'
import { Card } from './parts.tsx'
import {
  type Listed,
  type Means,
  type ReadyRewrite,
  readChanged,
  readMeans,
  readReady,
  readScheduled,
  readTroubled,
} from './queries.ts'
import { KindPill, kindOf, kindWords, StatePill, titleOf, troubleText } from './states.tsx'

const WEEK_MS = 7 * 86_400_000
const FAR_MS = 400 * 86_400_000
/** Planned articles that are shown. */
const NEXT = 6

type Wants = { pill: Child; title: string; href: string; text: string; action: string; to: string }

/** What waits for a person, the worst first. */
const wantsOf = (site: Site, troubled: readonly Listed[], ready: readonly ReadyRewrite[], means: Means): Wants[] => [
  ...troubled.map((article) => ({
    pill: <StatePill article={article} />,
    title: titleOf(article),
    href: sitePath(site.id, `articles/${article.id}`),
    text: troubleText(article),
    action: 'See why',
    to: sitePath(site.id, `articles/${article.id}`),
  })),
  ...(means.has_target
    ? []
    : [
        {
          pill: (
            <Pill tone="warn" shape="▢">
              No site
            </Pill>
          ),
          title: 'Nothing is connected to publish to',
          href: `${PATHS.integrations}?project_id=${site.id}`,
          text: 'Planned articles stay here until a site or a webhook is connected.',
          action: 'Connect',
          to: `${PATHS.integrations}?project_id=${site.id}`,
        },
      ]),
  ...(means.target_error === null
    ? []
    : [
        {
          pill: (
            <Pill tone="bad" shape="▲">
              Connection
            </Pill>
          ),
          title: `${means.target_name ?? 'The site'} refuses the connection`,
          href: `${PATHS.integrations}?project_id=${site.id}`,
          text: means.target_error,
          action: 'Look at it',
          to: `${PATHS.integrations}?project_id=${site.id}`,
        },
      ]),
  ...ready.map((one) => ({
    pill: (
      <Pill tone="accent" shape="◆">
        Rewrite ready
      </Pill>
    ),
    title: one.title,
    href: sitePath(site.id, `suggestions/${one.id}`),
    text: one.reason,
    action: 'Compare',
    to: sitePath(site.id, `suggestions/${one.id}`),
  })),
]

/** Most articles without a way out that are named one by one. */
const STUCK = 5

/** Planned articles of the next days that will not go out as things are; a missing site is said once, not for each. */
const stuckOf = (site: Site, planned: readonly Planned[], means: Means): Wants[] =>
  planned
    .filter(({ words }) => words.tile === 'stays' && means.has_target)
    .slice(0, STUCK)
    .map(({ article, words }) => ({
      pill: <KindPill words={words} />,
      title: titleOf(article),
      href: sitePath(site.id, `articles/${article.id}`),
      text: words.sentence,
      action: 'Open',
      to: sitePath(site.id, `articles/${article.id}`),
    }))

const NeedsYou = ({ wants, calm }: { wants: readonly Wants[]; calm: string }) => (
  <Card
    title="Needs you"
    note={wants.length === 0 ? undefined : wants.length === 1 ? '1 thing' : `${wants.length} things`}
    span="c7"
  >
    {wants.length === 0 ? (
      <p class="in">
        <Pill tone="good" shape="●">
          All clear
        </Pill>{' '}
        {calm}
      </p>
    ) : (
      <ul class="rows">
        {wants.map(({ pill, title, href, text, action, to }) => (
          <li>
            {pill}
            <div>
              <a class="name" href={href}>
                {title}
              </a>
              <p>{text}</p>
            </div>
            <a class="button plain" href={to} aria-label={`${action}: ${title}`}>
              {action}
            </a>
          </li>
        ))}
      </ul>
    )}
  </Card>
)

type Planned = { article: Listed; words: ReturnType<typeof kindWords> }

const GoesOutNext = ({ site, planned }: { site: Site; planned: readonly Planned[] }) => (
  <Card title="Goes out next" note={`times in ${placeOf(site.zone)}`} span="c5">
    {planned.length === 0 ? (
      <Empty>
        <p>No article has a date to come.</p>
        <a href={sitePath(site.id, 'calendar')}>Open the calendar</a>
      </Empty>
    ) : (
      <ul class="rows two">
        {planned.map(({ article, words }) => (
          <li>
            <div>
              <a class="name" href={sitePath(site.id, `articles/${article.id}`)}>
                {titleOf(article)}
              </a>
              <p>
                <Moment at={new Date(article.scheduled_at ?? 0)} bare />. {words.sentence}
              </p>
            </div>
            <KindPill words={words} />
          </li>
        ))}
      </ul>
    )}
  </Card>
)

const Changed = ({ site, changed }: { site: Site; changed: readonly Listed[] }) => (
  <Card title="What changed" note={`times in ${placeOf(site.zone)}`} span="c5">
    {changed.length === 0 ? (
      <Empty>Nothing is published yet.</Empty>
    ) : (
      <ul class="rows two">
        {changed.map((article) => (
          <li>
            <div>
              <a class="name" href={sitePath(site.id, `articles/${article.id}`)}>
                {titleOf(article)}
              </a>
              <p>
                {article.updated_at === article.published_at ? 'Published' : 'Changed'}{' '}
                <Moment at={new Date(article.updated_at)} bare />
              </p>
            </div>
            <StatePill article={article} />
          </li>
        ))}
      </ul>
    )}
  </Card>
)

type History = Awaited<ReturnType<typeof searchHistory>>
type Point = { date: string; clicks: number; impressions: number }

const sum = (points: readonly Point[], of: 'clicks' | 'impressions'): number =>
  points.reduce((total, point) => total + point[of], 0)

const signed = (n: number): string => (n > 0 ? `+${n.toLocaleString('en-US')}` : n.toLocaleString('en-US'))

/** Four figures of the last 28 days beside the 28 before. They have no interval, so no change is called good or bad. */
const Figures = ({ points, waiting, published }: { points: readonly Point[]; waiting: number; published: number }) => {
  const [now, before] = [points.slice(-28), points.slice(-56, -28)]
  const figures: [string, string, string][] = [
    ['Waits for you', String(waiting), waiting === 1 ? 'thing' : 'things'],
    ['Goes out in 7 days', String(published), published === 1 ? 'article' : 'articles'],
    ...(['clicks', 'impressions'] as const).map((of): [string, string, string] => [
      of === 'clicks' ? 'Clicks, 28 days' : 'Impressions, 28 days',
      now.length === 0 ? '–' : sum(now, of).toLocaleString('en-US'),
      before.length < 28 ? 'nothing to compare yet' : `${signed(sum(now, of) - sum(before, of))} against the 28 before`,
    ]),
  ]
  return (
    <dl class="figures">
      {figures.map(([name, value, note]) => (
        <div>
          <dt>{name}</dt>
          <dd>
            <b>{value}</b>
            <span class="of">{note}</span>
          </dd>
        </div>
      ))}
    </dl>
  )
}

const Clicks = ({ site, history }: { site: Site; history: History }) => (
  <Card title="Clicks a day" note="90 days, Google Search" span="c7">
    {'points' in history && history.points.length > 1 ? (
      <div class="in">
        <LineChart
          title="Clicks a day in Google Search"
          points={history.points.map(({ date, clicks }) => ({ day: date, value: clicks }))}
        />
      </div>
    ) : (
      <Empty>
        <p>
          {'points' in history
            ? 'Search data are being fetched. They are here within minutes.'
            : 'With Google Search Console connected you see what readers search for and what is within reach.'}
        </p>
        <a href={sitePath(site.id, 'search')}>Open Search</a>
      </Empty>
    )}
  </Card>
)

const page = async (c: PagesContext, front: SiteFront) => {
  const { db, now } = front.deps
  const [account, project, today] = [c.get('person').accountId, siteIdIn(c), now()]
  const [site, [means, troubled, ready, scheduled, changed, history]] = await withSite(
    c,
    Promise.all([
      readMeans(db, account, project),
      readTroubled(db, account, project),
      readReady(db, account, project),
      readScheduled(db, { account, project, from: today, until: new Date(today.getTime() + FAR_MS), most: 60 }),
      readChanged(db, account, project),
      searchHistory(ctxOf(c, front), front.google, { project_id: project, days: 90 }),
    ]),
  )
  if (!means) throw new Error('a site without a row')
  const planned = scheduled
    .filter(({ status }) => status === 'Planned' || status === 'Generating')
    .map((article) => ({ article, words: kindWords(kindOf(c, article, means), means) }))
  const near = planned.filter(
    ({ article }) => new Date(article.scheduled_at ?? 0).getTime() < today.getTime() + WEEK_MS,
  )
  const wants = [...wantsOf(site, troubled, ready, means), ...stuckOf(site, near, means)]
  const [first] = planned
  const calm = first
    ? `Next: ${momentText(new Date(first.article.scheduled_at ?? 0), { zone: site.zone, now: today })}, ${titleOf(first.article)}.`
    : 'Nothing is planned.'
  const soon = near.filter(({ words }) => words.tile !== 'stays')
  return await show(c, front, {
    title: 'Overview',
    menu: true,
    page: 'overview',
    site: site.id,
    actions: (
      <a class="button plain" href={sitePath(site.id, 'calendar')}>
        Plan an article
      </a>
    ),
    body: (
      <div class="cards">
        <NeedsYou wants={wants} calm={calm} />
        <GoesOutNext site={site} planned={planned.slice(0, NEXT)} />
        <Figures points={'points' in history ? history.points : []} waiting={wants.length} published={soon.length} />
        <Clicks site={site} history={history} />
        <Changed site={site} changed={changed} />
      </div>
    ),
  })
}

/** The first page of a site: what needs somebody, what goes out next, what changed. */
export const overviewPages = (app: Hono<PagesEnv>, front: SiteFront): void => {
  app.get('/p/:site', signedIn(front), (c) => page(c, front))
}
