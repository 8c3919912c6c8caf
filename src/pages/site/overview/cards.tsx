import type { searchHistory } from '../../../insights/search/history.ts'
import { sitePath } from '../../menu.ts'
import { Empty, Moment } from '../../parts.tsx'
import type { Site } from '../../shell-queries.ts'
import { placeOf } from '../../zone.ts'
import { LineChart } from '../chart.tsx'
import { signed } from '../numbers.ts'
import { Card, Figures } from '../parts.tsx'
import type { Listed } from '../queries.ts'
import { KindPill, StatePill, titleOf } from '../states.tsx'
import type { Planned } from './wants.tsx'

export const GoesOutNext = ({ site, planned }: { site: Site; planned: readonly Planned[] }) => (
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

export const Changed = ({ site, changed }: { site: Site; changed: readonly Listed[] }) => (
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

/** Four figures of the last 28 days beside the 28 before. They have no interval, so no change is called good or bad. */
export const Standing = ({
  points,
  waiting,
  published,
}: {
  points: readonly Point[]
  waiting: number
  published: number
}) => {
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

export const Clicks = ({ site, history }: { site: Site; history: History }) => (
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
