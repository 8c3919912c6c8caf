import type { SuggestionState } from '../../../../schema/values/suggestions.ts'
import { type PagesContext, show } from '../../front.tsx'
import { sitePath } from '../../menu.ts'
import { For } from '../../parts.tsx'
import { forPeople } from '../../words.ts'
import { clockOfPage, dayIn, dayText } from '../../zone.ts'
import { Numbers } from '../chart.tsx'
import type { SiteFront } from '../front.ts'
import { Card, MarkPill, positionText } from '../parts.tsx'
import { Compare, load, State, type Suggestion, TYPES } from './compare.tsx'

const Why = ({ one }: { one: Suggestion }) => {
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
  within_noise: ['plain', '○', 'No clear change'],
} as const

/** Renders the effect of the change, compared with pages that were not changed. Only a verdict has a colour. */
const Effect = ({ one }: { one: Suggestion }) => {
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

const LivePage = ({ live }: { live: Suggestion['live_page'] }) =>
  live?.state === 'edited' ? (
    <div class="notice warn">
      <p>
        <strong>The page at your site was edited there.</strong> Publishing the rewrite takes the place of these{' '}
        {live.only_live_count} sentences:
      </p>
      <ul>
        {live.only_live.slice(0, 5).map((sentence) => (
          <li dir="auto">{sentence}</li>
        ))}
      </ul>
    </div>
  ) : live?.state === 'unread' ? (
    <div class="notice warn">
      <p>The page at your site could not be read, so whether it was edited there is not known.</p>
    </div>
  ) : null

const MAY_REJECT: readonly SuggestionState[] = ['pending', 'approved', 'rewriting', 'ready', 'failed']

/** Renders the forms to ask for changes, and to reject with a reason. */
const Decide = ({ one, here }: { one: Suggestion; here: string }) => (
  <Card title="Decide">
    <div class="in stack">
      {(one.status === 'ready' || one.status === 'failed') && (
        <form class="stack" method="post" action={`${here}/regenerate`}>
          <label>
            What should be different
            <textarea name="feedback" rows={3} maxlength={2_000}>
              {one.feedback ?? ''}
            </textarea>
          </label>
          <div class="row">
            <button class="plain" type="submit">
              {one.status === 'failed' ? 'Try again' : 'Ask for changes'}
            </button>
          </div>
        </form>
      )}
      {MAY_REJECT.includes(one.status) && (
        <form class="row" method="post" action={`${here}/reject`}>
          <input
            name="reason"
            maxlength={2_000}
            aria-label="Why it is rejected"
            placeholder="Why (may be left open)"
            data-key="r"
          />
          <button class="danger" type="submit">
            Reject
          </button>
        </form>
      )}
    </div>
  </Card>
)

const Main = ({ one, here }: { one: Suggestion; here: string }) => {
  const [path, label] =
    one.status === 'ready'
      ? ['publish', 'Publish the rewrite']
      : one.status === 'pending'
        ? ['approve', 'Have it rewritten']
        : ['', '']
  return path === '' ? null : (
    <form method="post" action={`${here}/${path}`}>
      <button type="submit" data-key="a">
        {label}
      </button>
    </form>
  )
}

/** Shows one suggestion: both versions, and the forms that decide. */
export const page = async (c: PagesContext, front: SiteFront) => {
  const { site, one, before, after } = await load(c, front)
  const here = sitePath(site.id, `suggestions/${one.id}`)
  const asOne = c.req.query('compare') === 'one'
  return await show(c, front, {
    title: one.article_title,
    menu: true,
    page: 'suggestions',
    site: site.id,
    actions: (
      <>
        <State status={one.status} />
        <For right="edit">
          <Main one={one} here={here} />
        </For>
      </>
    ),
    body: (
      <>
        <LivePage live={one.live_page} />
        {one.error !== null && (
          <div class="notice bad">
            <p>{forPeople(one.error)}</p>
          </div>
        )}
        {one.progress && (
          <p>
            <label class="row">
              {one.progress.label} <progress value={one.progress.percent} max="100" /> {one.progress.percent} %
            </label>
          </p>
        )}
        <div class="cards">
          {before && after && <Compare before={before} after={after} asOne={asOne} here={here} />}
          <Why one={one} />
          <Effect one={one} />
          {one.notes.length > 0 && (
            <Card title="Notes">
              <ul>
                {one.notes.map((note) => (
                  <li>{forPeople(note)}</li>
                ))}
              </ul>
            </Card>
          )}
          <For right="edit">{MAY_REJECT.includes(one.status) && <Decide one={one} here={here} />}</For>
          {one.article_id !== null && (
            <p>
              <a href={sitePath(site.id, `articles/${one.article_id}`)}>Open the article</a>
            </p>
          )}
        </div>
      </>
    ),
  })
}
