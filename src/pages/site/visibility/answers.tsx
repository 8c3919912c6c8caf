import type * as z from 'zod/mini'
import { ENGINE_LABELS } from '../../../../schema/values/visibility.ts'
import type { visibilityAnswers } from '../../../insights/visibility/answers.ts'
import { listAnswers } from '../../../insights/visibility/read/report.ts'
import { ctxOf, idIn } from '../../ctx.ts'
import { type PagesContext, show } from '../../front.tsx'
import { sitePath } from '../../menu.ts'
import { Empty, Pill } from '../../parts.tsx'
import { type SiteFront, siteIdIn, withQuery, withSite } from '../front.ts'
import { Card, Figures, type Mark, MarkPill } from '../parts.tsx'

type Report = z.infer<(typeof visibilityAnswers)['report'][200]>

/** Report of the last scan. */
export type Summary = Extract<Report, { has_data: boolean }>

/** Report of the questions. */
export type Prompts = Extract<Report, { prompts: unknown }>

/** Report of the sites that are cited beside this one. */
export type Competitors = Extract<Report, { you: unknown }>

/** Report of the site's own pages that are cited. */
export type Cited = Extract<Report, { pages: unknown }>
/** Report of the scores over time. */
export type History = Extract<Report, { points: unknown }>

type Engine = Summary['engines'][number]

const VERDICTS: Record<Engine['state'], Mark> = {
  cited: ['good', '●', 'Cites you'],
  mentioned: ['good', '◐', 'Names you'],
  not_cited: ['plain', '○', 'Does not name you'],
  no_data: ['warn', '?', 'No clear answer'],
}

/** Returns a share from 0 to 1 in words: `42 %`. */
export const percent = (share: number): string => `${Math.round(share * 100)} %`

const CHANGES = {
  up: ['good', '▲', 'more than before'],
  down: ['bad', '▼', 'less than before'],
  within_noise: ['plain', '○', 'no clear change'],
} as const

/** Renders a change from the scan before. Only a significant change has a colour. */
const Change = ({ change }: { change: keyof typeof CHANGES | null }) =>
  change === null ? <span class="of">nothing to compare with yet</span> : <MarkPill mark={CHANGES[change]} />

const between = (interval: { low: number; high: number } | null, of = (n: number) => String(Math.round(n))): string =>
  interval === null ? 'too few answers for a range' : `likely between ${of(interval.low)} and ${of(interval.high)}`

/** Renders a share and its interval as a bar. The words beside it have the same numbers. */
const Interval = ({ value, low, high }: { value: number; low: number; high: number }) => (
  <svg class="chart range" viewBox="-4 0 168 16" aria-hidden="true" focusable="false">
    <path class="grid" d="M0,8H160" />
    <path class="spread" d={`M${(low * 1.6).toFixed(1)},8H${(high * 1.6).toFixed(1)}`} />
    <circle cx={(value * 1.6).toFixed(1)} cy="8" r="4" fill="var(--accent)" />
  </svg>
)

/** Renders how often each engine names the site. */
export const Engines = ({ engines }: { engines: readonly Engine[] }) => (
  <Card title="Engines" note="an engine that gave no clear answer says nothing about you">
    <ul class="rows">
      {engines.map(({ label, state, answers, gaps, visibility_score: score, interval }) => {
        return (
          <li>
            <MarkPill mark={VERDICTS[state]} />
            <div>
              {label}
              <p>
                {answers === 1 ? '1 answer' : `${answers} answers`}
                {gaps > 0 && `, ${gaps} without`}
                {score !== null && `; ${score} of 100, ${between(interval)}`}
              </p>
            </div>
            {score !== null && interval !== null ? (
              <Interval value={score} low={interval.low} high={interval.high} />
            ) : (
              <span />
            )}
          </li>
        )
      })}
    </ul>
  </Card>
)

/** Renders the figures of the last scan. */
export const Standing = ({ summary }: { summary: Summary }) => (
  <Figures
    figures={[
      {
        name: 'Visibility',
        value: summary.has_data ? summary.visibility_score : '–',
        note: between(summary.interval),
        change: <Change change={summary.change} />,
      },
      {
        name: 'Share of links',
        value: summary.share_citations === 0 ? '–' : percent(summary.share_of_voice),
        note: between(summary.share_interval, percent),
        change: <Change change={summary.share_change} />,
      },
      {
        name: 'Engines that name you',
        value: `${summary.engines_citing} of ${summary.engines_total}`,
        note: `from ${summary.answers} answers`,
      },
      {
        name: 'Scans by hand this month',
        value: `${summary.manual_scans_used} of ${summary.manual_scans_limit}`,
        note:
          summary.last_scan_cost_usd === null
            ? 'none yet'
            : `the last one cost $${summary.last_scan_cost_usd.toFixed(2)}`,
      },
    ]}
  />
)

const GAPS = 'It gave no answer, so this says nothing about you.'

/** Shows what the engines answered to the questions. */
export const answers = async (c: PagesContext, front: SiteFront) => {
  const project = siteIdIn(c)
  const prompt = idIn(c.req.query('prompt'))
  const before = idIn(c.req.query('before'))
  const [site, found] = await withSite(
    c,
    listAnswers(ctxOf(c, front), {
      project_id: project,
      limit: 30,
      ...(prompt === 0 ? {} : { prompt_id: prompt }),
      ...(before === 0 ? {} : { before_id: before }),
    }),
  )
  const { answers: rows, before_id: next } = found as unknown as {
    answers: z.infer<(typeof visibilityAnswers)['answers'][200]>['answers']
    before_id: number | null
  }
  const here = sitePath(site.id, 'visibility')
  return await show(c, front, {
    title: 'What the engines said',
    menu: true,
    page: 'visibility',
    site: site.id,
    actions: (
      <a class="button plain" href={here}>
        Back
      </a>
    ),
    body:
      rows.length === 0 ? (
        <Empty>The engines were not asked this yet.</Empty>
      ) : (
        <>
          {rows.map((row) => {
            return (
              <section class="card">
                <header>
                  <h2 dir="auto">{row.prompt}</h2>
                  <span class="meta">{ENGINE_LABELS[row.engine]}</span>
                  <MarkPill mark={VERDICTS[row.state]} />
                </header>
                <div class="in">
                  {row.text === null ? (
                    <p class="hint">{GAPS}</p>
                  ) : (
                    <details>
                      <summary>The answer</summary>
                      <pre class="scroll" tabindex={0} dir="auto">
                        {row.text}
                      </pre>
                    </details>
                  )}
                  {row.citations.length > 0 && (
                    <ul>
                      {row.citations.map(({ url, site: whose }) => (
                        <li>
                          {url} {whose === 'own' && <Pill tone="good">yours</Pill>}
                        </li>
                      ))}
                    </ul>
                  )}
                </div>
              </section>
            )
          })}
          {next !== null && (
            <p class="pages">
              <a
                href={withQuery(`${here}/answers`, {
                  prompt: prompt === 0 ? '' : String(prompt),
                  before: String(next),
                })}
              >
                Earlier answers
              </a>
            </p>
          )}
        </>
      ),
  })
}
