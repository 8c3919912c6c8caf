import type { indexingReport } from '../../../insights/search/indexing/report.ts'
import { sitePath } from '../../menu.ts'
import { Empty, Moment, Pill } from '../../parts.tsx'
import { INDEX_MARKS } from '../article/indexed.tsx'
import { Card, Figures, MarkedRow, MarkPill } from '../parts.tsx'

type Report = Extract<Awaited<ReturnType<typeof indexingReport>>, { connected: true }>

const percent = ({ share }: Report['after_7_days']): string => (share === null ? '–' : `${Math.round(share * 100)} %`)

const of = ({ indexed, n }: Report['after_7_days']): string =>
  n === 0 ? 'no article is old enough' : `${indexed} of ${n} articles`

const Shares = ({ report }: { report: Report }) => {
  const listed = report.states.find(({ state }) => state === 'indexed')?.count ?? 0
  return (
    <Figures
      figures={[
        { name: 'Listed now', value: listed, note: `of ${report.published} articles` },
        { name: 'After 7 days', value: percent(report.after_7_days), note: of(report.after_7_days) },
        { name: 'After 28 days', value: percent(report.after_28_days), note: of(report.after_28_days) },
      ]}
    />
  )
}

const Sitemaps = ({ report: { sitemaps, sitemaps_read_at: readAt } }: { report: Report }) => (
  <Card title="Sitemaps that Google knows" note={readAt ? <Moment at={new Date(readAt)} /> : undefined}>
    {sitemaps.length === 0 ? (
      <Empty>
        {readAt
          ? 'Google knows none. Name yours in robots.txt, or submit it in Search Console; this service submits nothing.'
          : 'The list is being read. It is here within a day.'}
      </Empty>
    ) : (
      <ul class="rows">
        {sitemaps.map(({ path, errors, warnings, read_at: read, is_pending, addresses }) => (
          <li>
            <Pill tone={errors > 0 ? 'bad' : warnings > 0 ? 'warn' : 'good'} shape={errors > 0 ? '▲' : '●'}>
              {errors > 0 ? `${errors} errors` : warnings > 0 ? `${warnings} warnings` : is_pending ? 'Waits' : 'Read'}
            </Pill>
            <div>
              <span class="name">{path}</span>
              <p>
                {addresses !== null && `${addresses} addresses. `}
                {read ? (
                  <>
                    Last read <Moment at={new Date(read)} />.
                  </>
                ) : (
                  'Google has not read it yet.'
                )}
              </p>
            </div>
          </li>
        ))}
      </ul>
    )}
  </Card>
)

/** Renders which articles of a site Google lists, those that it does not list, and the sitemaps that it knows. */
export const Indexing = ({ site, report }: { site: number; report: Report }) => (
  <div class="cards">
    <Card
      title="In Google’s index"
      note={
        report.next_look_at ? (
          <>
            next look <Moment at={new Date(report.next_look_at)} />
          </>
        ) : undefined
      }
    >
      <Shares report={report} />
      {report.not_indexed.length > 0 && (
        <ul class="rows">
          {report.not_indexed.map((one) => (
            <MarkedRow
              mark={<MarkPill mark={INDEX_MARKS[one.state]} />}
              href={sitePath(site, `articles/${one.article_id}`)}
              name={one.title}
              action="Look"
            >
              {one.finding} Published {one.days_since_publication} days ago.
            </MarkedRow>
          ))}
        </ul>
      )}
      <p class="in">
        <a href={sitePath(site, 'search-engines')}>What Bing, Yandex and others are told</a>
      </p>
      <p class="in">
        <a href={sitePath(site, 'crawlers')}>Which search engines and AI services may read the site?</a>
      </p>
      <p class="in">
        <a href={sitePath(site, 'reports')}>Monthly reports</a>
      </p>
      {report.sandbox && <p class="in hint">A stand-in for Google made this up.</p>}
    </Card>
    <Sitemaps report={report} />
  </div>
)
