import { forPeople } from '../../words.ts'
import { clockOfPage, dayIn, dayText } from '../../zone.ts'
import { Numbers } from '../chart.tsx'
import { positionText } from '../numbers.ts'
import { Card, MarkPill } from '../parts.tsx'
import type { Suggestion } from './load.ts'
import { TYPES } from './marks.tsx'

export const Why = ({ one }: { one: Suggestion }) => {
  const trigger = one.trigger_snapshot
  const { now, zone } = clockOfPage()
  return (
    <Card title="Why" note={TYPES[one.opportunity_type]}>
      <p class="in">{forPeople(one.reason)}</p>
      {trigger && (
        <div class="in">
          <Numbers
            caption="Numbers of the page in Google Search"
            heads={['28 days', 'Clicks', 'Impressions', 'Position']}
            rows={[
              [
                `To ${dayText(trigger.period.ends_on, dayIn(now, zone))}`,
                trigger.now.clicks,
                trigger.now.impressions,
                positionText(trigger.now.position),
              ],
              ...(trigger.before
                ? [
                    [
                      'The 28 before',
                      trigger.before.clicks,
                      trigger.before.impressions,
                      positionText(trigger.before.position),
                    ],
                  ]
                : []),
            ]}
          />
          {trigger.queries.length > 0 && (
            <details>
              <summary>What people searched for</summary>
              <Numbers
                caption="Queries of the page"
                heads={['Query', 'Clicks', 'Impressions', 'Position']}
                rows={trigger.queries.map((query) => [
                  query.query,
                  query.clicks,
                  query.impressions,
                  positionText(query.position),
                ])}
              />
            </details>
          )}
        </div>
      )}
    </Card>
  )
}

const percent = (share: number): string => `${share > 0 ? '+' : ''}${Math.round(share * 100)} %`

const VERDICTS = {
  up: ['good', '▲', 'More clicks'],
  down: ['bad', '▼', 'Fewer clicks'],
  within_noise: ['plain', '○', 'Within noise'],
} as const

/** Effect of the change, measured against pages that nobody touched. Only a verdict has a colour. */
export const Effect = ({ one }: { one: Suggestion }) => {
  const { effect } = one
  if (one.status !== 'published') return null
  if (!effect)
    return (
      <Card title="What it did">
        <p class="in hint">It is measured 32 days after publication.</p>
      </Card>
    )
  const verdict = effect.verdict === null ? undefined : VERDICTS[effect.verdict as keyof typeof VERDICTS]
  return (
    <Card title="What it did">
      <p class="in row">
        {verdict && <MarkPill mark={verdict} />}
        {effect.change === null
          ? (effect.reason ?? 'There is too little to tell.')
          : `${percent(effect.change)} clicks`}
        {effect.interval &&
          `, likely between ${percent(effect.interval.low)} and ${percent(effect.interval.high)}, beside ${effect.controls} pages nobody touched`}
      </p>
    </Card>
  )
}
