import type { Hono } from 'hono'
import { raw } from 'hono/html'
import { type OPPORTUNITY_TYPES, SUGGESTION_STATES, type SuggestionState } from '../../schema/values/suggestions.ts'
import { escapeText } from '../../src/html/references.ts'
import { ApiError } from '../../src/lib/errors.ts'
import { askToConfirm } from '../../src/pages/confirm.tsx'
import { ctxOf } from '../../src/pages/ctx.ts'
import { formOf, type PagesContext, type PagesEnv, show, signedIn } from '../../src/pages/front.tsx'
import { sitePath } from '../../src/pages/menu.ts'
import { Empty, Moment, Pill } from '../../src/pages/parts.tsx'
import { forPeople } from '../../src/pages/words.ts'
import { PATHS } from '../../src/people/paths.ts'
import { approveSuggestion, regenerateSuggestion, rejectSuggestion } from '../../src/suggestions/decide.ts'
import { differenceOf } from '../../src/suggestions/difference.ts'
import { publishSuggestion } from '../../src/suggestions/publish.ts'
import { getSuggestion, listSuggestions, suggestionDiff } from '../../src/suggestions/read.ts'
import { runSuggestions } from '../../src/suggestions/run.ts'
import { act } from './acts.ts'
import { Numbers } from './chart.tsx'
import { numberIn, type SiteFront, siteIdIn, siteIn, withSite } from './front.ts'
import { Card } from './parts.tsx'

type Tone = 'good' | 'bad' | 'warn' | 'accent' | 'plain'

const STATES: Record<SuggestionState, [Tone, string, string]> = {
  pending: ['plain', '□', 'New'],
  approved: ['accent', '…', 'Waits for the writer'],
  rewriting: ['accent', '…', 'Being rewritten'],
  ready: ['accent', '◆', 'Ready'],
  published: ['good', '●', 'Published'],
  rejected: ['plain', '×', 'Rejected'],
  failed: ['bad', '▲', 'Failed'],
  superseded: ['plain', '□', 'Overtaken'],
}

const TYPES: Record<(typeof OPPORTUNITY_TYPES)[number], string> = {
  striking_distance: 'Within reach of the first page',
  ctr_underperform: 'Seen, but seldom chosen',
  declining_page: 'Loses readers',
  cannibalisation: 'Competes with another page of yours',
  dead_page: 'Nobody finds it',
  thin_content: 'Says too little',
}

const State = ({ status }: { status: SuggestionState }) => {
  const [tone, shape, word] = STATES[status]
  return (
    <Pill tone={tone} shape={shape}>
      {word}
    </Pill>
  )
}

const VIEWS: readonly (readonly [name: string, label: string, states: readonly SuggestionState[]])[] = [
  ['', 'To decide', ['ready', 'pending', 'failed']],
  ['work', 'Under way', ['approved', 'rewriting']],
  ['done', 'Decided', ['published', 'rejected', 'superseded']],
]

/** What waits longest for a person comes first: rewrites that are ready, then what promises most. */
const ORDER: readonly SuggestionState[] = ['ready', 'failed', 'pending', ...SUGGESTION_STATES]

const list = async (c: PagesContext, front: SiteFront) => {
  const project = siteIdIn(c)
  const [view, , states] = VIEWS.find(([name]) => name === c.req.query('view')) ?? VIEWS[0] ?? ['', '', []]
  const [site, found] = await withSite(
    c,
    listSuggestions(ctxOf(c, front), { project_id: project, status: [...states], limit: 100 }),
  )
  const rows = [...found.suggestions].sort(
    (one, other) =>
      ORDER.indexOf(one.status) - ORDER.indexOf(other.status) || other.priority - one.priority || other.id - one.id,
  )
  const here = sitePath(site.id, 'suggestions')
  const { weekly, next_run_at: next } = found.settings
  return await show(c, front, {
    title: 'Suggestions',
    menu: true,
    page: 'suggestions',
    site: site.id,
    ...(found.sc_connected
      ? {
          actions: (
            <form method="post" action={`${here}/run`}>
              <button class="plain" type="submit">
                Look for more
              </button>
            </form>
          ),
        }
      : {}),
    body: (
      <>
        <nav class="tabs find" aria-label="Kinds of suggestions">
          {VIEWS.map(([name, label, of]) => (
            <a href={name === '' ? here : `${here}?view=${name}`} aria-current={name === view ? 'page' : undefined}>
              {label} ({of.reduce((sum, state) => sum + (found.counts[state] ?? 0), 0)})
            </a>
          ))}
        </nav>
        {!found.sc_connected && (
          <Empty>
            <p>
              Suggestions are made from what Google Search says of your pages: which are within reach, and which lose
              readers.
            </p>
            <a class="button" href={`${PATHS.integrations}?project_id=${site.id}`}>
              Connect Search Console
            </a>
          </Empty>
        )}
        {found.sc_connected && rows.length === 0 && (
          <Empty>
            <p>
              {view === '' ? 'Nothing waits for you.' : 'Nothing here.'}{' '}
              {weekly && next !== null && (
                <>
                  The pages are looked through again <Moment at={new Date(next)} />.
                </>
              )}
            </p>
          </Empty>
        )}
        {rows.length > 0 && (
          <div class="card">
            <ul class="rows">
              {rows.map((one) => (
                <li>
                  <State status={one.status} />
                  <div>
                    <a class="name" href={`${here}/${one.id}`} dir="auto">
                      {one.article_title}
                    </a>
                    <p>
                      {TYPES[one.opportunity_type]}. {forPeople(one.reason)}
                    </p>
                  </div>
                  <a class="button plain" href={`${here}/${one.id}`} aria-label={`Open ${one.article_title}`}>
                    {one.status === 'ready' ? 'Compare' : 'Open'}
                  </a>
                </li>
              ))}
            </ul>
          </div>
        )}
      </>
    ),
  })
}

type Suggestion = Awaited<ReturnType<typeof getSuggestion>>['suggestion']
type Diff = Awaited<ReturnType<typeof suggestionDiff>>
type Wording = NonNullable<Diff['before']>

const without = (html: string, mark: 'ins' | 'del'): string =>
  html.replace(new RegExp(`<${mark}>[\\s\\S]*?</${mark}>`, 'g'), '')

/** Both versions with what only one of them has marked: as taken out on the left, as added on the right. */
const sides = (before: string, after: string): [left: string, right: string] => [
  without(differenceOf(after, before).html, 'del').replaceAll('<ins>', '<del>').replaceAll('</ins>', '</del>'),
  without(differenceOf(before, after).html, 'del'),
]

const Sides = ({ label, before, after }: { label: string; before: string; after: string }) => {
  const [left, right] = sides(escapeText(before), escapeText(after))
  return (
    <div class="compare">
      <div dir="auto">
        <span class="meta">{label}, now</span>
        <p>{raw(left)}</p>
      </div>
      <div dir="auto">
        <span class="meta">{label}, proposed</span>
        <p>{before === after ? 'stays as it is' : raw(right)}</p>
      </div>
    </div>
  )
}

const Compare = ({ before, after, asOne, here }: { before: Wording; after: Wording; asOne: boolean; here: string }) => {
  const [left, right] = sides(before.content, after.content)
  const { html, stats } = differenceOf(before.content, after.content)
  return (
    <section class="card">
      <header>
        <h2>What changes</h2>
        <span class="meta">
          {stats.added} words come, {stats.removed} go
        </span>
        <nav class="tabs" aria-label="How to compare">
          <a href={here} aria-current={asOne ? undefined : 'page'}>
            Side by side
          </a>
          <a href={`${here}?compare=one`} aria-current={asOne ? 'page' : undefined}>
            In one
          </a>
        </nav>
      </header>
      <Sides label="Title" before={before.title} after={after.title} />
      <Sides label="Description" before={before.meta_description} after={after.meta_description} />
      {asOne ? (
        <div class="in prose" dir="auto">
          {raw(html)}
        </div>
      ) : (
        <div class="compare">
          <div class="prose" dir="auto">
            <span class="meta">Text, now</span>
            {raw(left)}
          </div>
          <div class="prose" dir="auto">
            <span class="meta">Text, proposed</span>
            {raw(right)}
          </div>
        </div>
      )}
    </section>
  )
}

const place = (position: number | null): string => (position === null ? '–' : position.toFixed(1))

const Why = ({ one }: { one: Suggestion }) => {
  const trigger = one.trigger_snapshot
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
                `To ${trigger.period.ends_on}`,
                trigger.now.clicks,
                trigger.now.impressions,
                place(trigger.now.position),
              ],
              ...(trigger.before
                ? [['The 28 before', trigger.before.clicks, trigger.before.impressions, place(trigger.before.position)]]
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
                  place(query.position),
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

/** What the change did, measured against pages that nobody touched. Only a verdict has a colour. */
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
        {verdict && (
          <Pill tone={verdict[0]} shape={verdict[1]}>
            {verdict[2]}
          </Pill>
        )}
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

/** The decision: publish or have it written, ask for changes, or reject with a reason. */
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
          <input name="reason" maxlength={2_000} aria-label="Why it is rejected" placeholder="Why (may be left open)" />
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
      <button type="submit">{label}</button>
    </form>
  )
}

const load = async (c: PagesContext, front: SiteFront) => {
  const [ctx, id] = [ctxOf(c, front), numberIn(c, 'suggestion')]
  const [site, [{ suggestion }, diff]] = await withSite(
    c,
    Promise.all([getSuggestion(ctx, id), suggestionDiff(ctx, id)]),
  )
  if (suggestion.project_id !== site.id) throw new ApiError('not_found', 'The suggestion is of another site.')
  return { site, one: suggestion, diff }
}

const page = async (c: PagesContext, front: SiteFront) => {
  const { site, one, diff } = await load(c, front)
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
        <Main one={one} here={here} />
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
          {diff.before && diff.after && <Compare before={diff.before} after={diff.after} asOne={asOne} here={here} />}
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
          {MAY_REJECT.includes(one.status) && <Decide one={one} here={here} />}
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

const textIn = (text: string | undefined): string | undefined => {
  const said = (text ?? '').trim().slice(0, 2_000)
  return said === '' ? undefined : said
}

/** What could be better, compared with what is, and decided. */
export const suggestionsPages = (app: Hono<PagesEnv>, front: SiteFront): void => {
  const at = '/p/:site/suggestions'
  app.get(at, signedIn(front), (c) => list(c, front))
  app.get(`${at}/:suggestion`, signedIn(front), (c) => page(c, front))
  app.post(`${at}/run`, signedIn(front), async (c) => {
    const site = await siteIn(c)
    return await act(c, front, sitePath(site.id, 'suggestions'), async () => {
      const { created, message } = (await runSuggestions(ctxOf(c, front), site.id)) as {
        created: number
        message: string
      }
      if (created > 0) return created === 1 ? '1 new suggestion.' : `${created} new suggestions.`
      return { tone: 'plain', text: forPeople(message) || 'Nothing new was found.' }
    })
  })
  const decide = (
    path: string,
    said: string,
    run: (c: PagesContext, id: number, fields: Record<string, string>) => Promise<unknown>,
    ask?: (
      c: PagesContext,
      fields: Record<string, string>,
      here: string,
      one: Suggestion,
    ) => Promise<Response | undefined>,
  ) =>
    app.post(`${at}/:suggestion/${path}`, signedIn(front), async (c) => {
      const [fields, { site, one }] = await Promise.all([formOf(c), load(c, front)])
      const here = sitePath(site.id, `suggestions/${one.id}`)
      const asking = await ask?.(c, fields, here, one)
      if (asking) return asking
      return await act(c, front, here, async () => {
        await run(c, one.id, fields)
        return said
      })
    })
  decide('approve', 'The service rewrites it now. Look at it here in a few minutes.', (c, id) =>
    approveSuggestion(ctxOf(c, front), id),
  )
  decide('publish', 'The rewrite is live.', (c, id) => publishSuggestion(ctxOf(c, front), front.sendSync, id))
  decide('regenerate', 'The service writes it again.', (c, id, { feedback }) =>
    regenerateSuggestion(ctxOf(c, front), id, textIn(feedback)),
  )
  decide(
    'reject',
    'Rejected. The article stays as it is.',
    (c, id, { reason }) => rejectSuggestion(ctxOf(c, front), id, textIn(reason)),
    (c, fields, here, one) =>
      one.status === 'ready'
        ? askToConfirm(c, front, fields, () => ({
            title: 'Reject the rewrite?',
            body: <p>What was written is set aside, and the page is not suggested for the same reason for a while.</p>,
            label: 'Reject it',
            back: here,
          }))
        : Promise.resolve(undefined),
  )
}
