import type { articleSeen } from '../../../insights/traffic/read.ts'
import { LineChart } from '../chart.tsx'
import { Card } from '../parts.tsx'
import { TrafficSums } from '../search/traffic.tsx'

export type ArticleSeen = Awaited<ReturnType<typeof articleSeen>>

/** Renders clicks in search and visits from AI assistants by day, with the scans in which AI answers cited the article. */
const SeenChart = ({ clicks, traffic, scans, bing }: ArticleSeen) => {
  const visits = traffic.points.map(({ date, visits: value }) => ({ day: date, value }))
  const isSearched = clicks.length > 1
  const points = isSearched ? clicks : visits
  const cited = scans.filter(({ citations }) => citations > 0)
  return (
    <div class="in">
      {points.length > 1 && (
        <LineChart
          title={
            isSearched
              ? 'Clicks in Google Search and visits from AI assistants, a day'
              : 'Visits from AI assistants, a day'
          }
          name={isSearched ? 'Clicks' : 'Visits from AI'}
          points={points}
          {...(isSearched && visits.length > 0 ? { beside: { name: 'Visits from AI', points: visits } } : {})}
          notes={cited.map(({ day, citations, answers }) => ({
            day,
            text: `Cited ${citations} times in ${answers} AI answers`,
          }))}
        />
      )}
      {isSearched && visits.length > 0 && <p class="hint">Dotted: visits from AI assistants.</p>}
      {scans.length > 0 && (
        <p class="hint">
          AI answers that the service asked for cited this page{' '}
          {scans.map(({ citations, answers, day }) => `${citations} times in ${answers} on ${day}`).join(', ')}.
        </p>
      )}
      {bing.map(({ from, to, citations }) => (
        <p class="hint">
          Bing and Copilot cited this page {citations === 1 ? 'once' : `${citations} times`} from {from} to {to}, by
          Bing’s report.
        </p>
      ))}
    </div>
  )
}

/** Renders where a live article was seen in 28 days: in search, in AI answers, and by visits from AI assistants. */
export const SeenCard = ({ seen }: { seen: ArticleSeen }) => (
  <Card title="Search, AI answers and visits" note="28 days">
    <SeenChart {...seen} />
    {seen.traffic.state === 'measured' ? (
      <TrafficSums counted={seen.traffic} />
    ) : (
      <p class="in hint">{seen.traffic.reason}</p>
    )}
  </Card>
)
