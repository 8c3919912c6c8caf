import type { Hono } from 'hono'
import { has, mayOpen } from '../../../accounts/people/roles.ts'
import { searchHistory } from '../../../insights/search/performance.ts'
import { ctxOf } from '../../ctx.ts'
import { type PagesContext, type PagesEnv, show, signedIn } from '../../front.tsx'
import { sitePath } from '../../menu.ts'
import { Empty, For, Moment } from '../../parts.tsx'
import type { Site } from '../../queries.ts'
import { momentText, placeOf } from '../../zone.ts'
import { LineChart } from '../chart.tsx'
import { type SiteFront, siteIdIn, withSite } from '../front.ts'
import { Card, Figures, signed } from '../parts.tsx'
import {
  type Listed,
  readChanged,
  readConditions,
  readFailedArticles,
  readFailedPosts,
  readReady,
  readScheduled,
} from '../queries.ts'
import { KindPill, kindOf, kindWords, plannedOf, StatePill, titleOf } from '../states.tsx'
import { NeedsYou, type Planned, wantsOf } from './wants.tsx'

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

/**
 * Renders four figures: waiting things, articles of the next 7 days, and the clicks and impressions of 28 days.
 *
 * Changes have no confidence interval here, so they have no colour.
 */
const Standing = ({ points, waiting, published }: { points: readonly Point[]; waiting: number; published: number }) => {
  const [now, before] = [points.slice(-28), points.slice(-56, -28)]
  const found = (name: string, of: 'clicks' | 'impressions') => ({
    name,
    value: now.length === 0 ? '–' : sum(now, of).toLocaleString('en-US'),
    note:
      before.length < 28 ? 'nothing to compare yet' : `${signed(sum(now, of) - sum(before, of))} against the 28 before`,
  })
  return (
    <Figures
      figures={[
        { name: 'Waits for you', value: String(waiting), note: waiting === 1 ? 'thing' : 'things' },
        { name: 'Goes out in 7 days', value: String(published), note: published === 1 ? 'article' : 'articles' },
        found('Clicks, 28 days', 'clicks'),
        found('Impressions, 28 days', 'impressions'),
      ]}
    />
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

const WEEK_MS = 7 * 86_400_000

const FAR_MS = 400 * 86_400_000

/** Most planned articles in the list. */
const NEXT = 6

const page = async (c: PagesContext, front: SiteFront) => {
  const { db, now } = front.deps
  const [account, project, today] = [c.get('person').accountId, siteIdIn(c), now()]
  const [site, [conditions, troubled, ready, posts, scheduled, changed, history]] = await withSite(
    c,
    Promise.all([
      readConditions(db, account, project, today),
      readFailedArticles(db, account, project),
      readReady(db, account, project),
      readFailedPosts(db, account, project),
      readScheduled(db, { account, project, from: today, until: new Date(today.getTime() + FAR_MS), most: 60 }),
      readChanged(db, account, project),
      searchHistory(ctxOf(c, front), front.google, { project_id: project, days: 90 }),
    ]),
  )
  if (!conditions) throw new Error('a site without a row')
  const planned = scheduled
    .filter(({ status }) => status === 'Planned' || status === 'Generating')
    .map((article) => ({ article, words: kindWords(kindOf(c, plannedOf(article), conditions), conditions) }))
  const near = planned.filter(
    ({ article }) => new Date(article.scheduled_at ?? 0).getTime() < today.getTime() + WEEK_MS,
  )
  const isNew = planned.length === 0 && changed.length === 0
  const { role } = c.get('person')
  const wants = wantsOf(site, { troubled, ready, posts, near, isNew }, conditions).filter(
    ({ to, right }) => has(role, right) && mayOpen(role, to),
  )
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
      <For right="edit">
        <a class="button plain" href={sitePath(site.id, 'calendar')}>
          Plan an article
        </a>
      </For>
    ),
    body: (
      <div class="cards">
        <NeedsYou wants={wants} calm={calm} />
        <GoesOutNext site={site} planned={planned.slice(0, NEXT)} />
        <Standing points={'points' in history ? history.points : []} waiting={wants.length} published={soon.length} />
        <Clicks site={site} history={history} />
        <Changed site={site} changed={changed} />
      </div>
    ),
  })
}

/** Adds the first page of a site: what needs a person, what goes out next, and what changed. */
export const overviewPages = (app: Hono<PagesEnv>, front: SiteFront): void => {
  app.get('/p/:site', signedIn(front), (c) => page(c, front))
}
