import { Pill } from '../../../src/pages/parts.tsx'
import { Card } from '../parts.tsx'
import { type Engine, type Summary, VERDICTS } from './marks.ts'

export const percent = (share: number): string => `${Math.round(share * 100)} %`

const CHANGES = {
  up: ['good', '▲', 'more than before'],
  down: ['bad', '▼', 'less than before'],
  within_noise: ['plain', '○', 'within noise'],
} as const

/** A change against the scan before. It has a colour only where it is beyond noise. */
const Change = ({ change }: { change: keyof typeof CHANGES | null }) => {
  if (change === null) return <span class="of">nothing to compare with yet</span>
  const [tone, shape, word] = CHANGES[change]
  return (
    <Pill tone={tone} shape={shape}>
      {word}
    </Pill>
  )
}

const between = (interval: { low: number; high: number } | null, of = (n: number) => String(Math.round(n))): string =>
  interval === null ? 'too few answers for a range' : `likely between ${of(interval.low)} and ${of(interval.high)}`

/** A share and its range as a bar, which the words beside it say too. */
const Interval = ({ value, low, high }: { value: number; low: number; high: number }) => (
  <svg class="chart range" viewBox="-4 0 168 16" aria-hidden="true" focusable="false">
    <path class="grid" d="M0,8H160" />
    <path class="spread" d={`M${(low * 1.6).toFixed(1)},8H${(high * 1.6).toFixed(1)}`} />
    <circle cx={(value * 1.6).toFixed(1)} cy="8" r="4" fill="var(--accent)" />
  </svg>
)

export const Engines = ({ engines }: { engines: readonly Engine[] }) => (
  <Card title="Engines" note="an engine that gave no answer says nothing about you">
    <ul class="rows">
      {engines.map(({ label, state, answers, gaps, visibility_score: score, interval }) => {
        const [tone, shape, word] = VERDICTS[state]
        return (
          <li>
            <Pill tone={tone} shape={shape}>
              {word}
            </Pill>
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

export const Standing = ({ summary }: { summary: Summary }) => (
  <dl class="figures">
    <div>
      <dt>Visibility</dt>
      <dd>
        <b>{summary.has_data ? summary.visibility_score : '–'}</b>
        <span class="of">{between(summary.interval)}</span> <Change change={summary.change} />
      </dd>
    </div>
    <div>
      <dt>Share of links</dt>
      <dd>
        <b>{summary.share_citations === 0 ? '–' : percent(summary.share_of_voice)}</b>
        <span class="of">{between(summary.share_interval, percent)}</span> <Change change={summary.share_change} />
      </dd>
    </div>
    <div>
      <dt>Engines that name you</dt>
      <dd>
        <b>
          {summary.engines_citing} of {summary.engines_total}
        </b>
        <span class="of">from {summary.answers} answers</span>
      </dd>
    </div>
    <div>
      <dt>Scans by hand this month</dt>
      <dd>
        <b>
          {summary.manual_scans_used} of {summary.manual_scans_limit}
        </b>
        <span class="of">
          {summary.last_scan_cost_usd === null
            ? 'none yet'
            : `the last one cost $${summary.last_scan_cost_usd.toFixed(2)}`}
        </span>
      </dd>
    </div>
  </dl>
)
