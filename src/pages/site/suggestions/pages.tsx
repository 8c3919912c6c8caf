import type { Hono } from 'hono'
import { SUGGESTION_STATES, type SuggestionState } from '../../../../schema/values/suggestions.ts'
import {
  approveSuggestion,
  publishSuggestion,
  regenerateSuggestion,
  rejectSuggestion,
} from '../../../insights/suggestions/decide.ts'
import { listSuggestions } from '../../../insights/suggestions/read.ts'
import { runSuggestions } from '../../../insights/suggestions/run.ts'
import { clip } from '../../../platform/lib/text.ts'
import { askToConfirm } from '../../confirm.tsx'
import { ctxOf, idIn } from '../../ctx.ts'
import { formOf, type PagesContext, type PagesEnv, show, signedIn } from '../../front.tsx'
import { sitePath } from '../../menu.ts'
import { Empty, For, Moment } from '../../parts.tsx'
import { forPeople } from '../../words.ts'
import { waiting } from '../article/forms.ts'
import { act, type SiteFront, siteIdIn, siteIn, withQuery, withSite } from '../front.ts'
import { ConnectSearch, MarkedRow } from '../parts.tsx'
import { load, State, type Suggestion, TYPES } from './compare.tsx'
import { page } from './one.tsx'

const VIEWS: readonly (readonly [name: string, label: string, states: readonly SuggestionState[]])[] = [
  ['', 'To decide', ['ready', 'pending', 'failed']],
  ['work', 'Under way', ['approved', 'rewriting']],
  ['done', 'Decided', ['published', 'rejected', 'superseded']],
]

/** Order of the list by state. Within a state, the highest priority comes first. */
const ORDER: readonly SuggestionState[] = ['ready', 'failed', 'pending', ...SUGGESTION_STATES]

type Found = Awaited<ReturnType<typeof listSuggestions>>

/** Renders the box of an empty list: when the pages are checked again. */
const Nothing = ({ site, view, settings }: { site: number; view: string; settings: Found['settings'] }) => {
  const { weekly, next_run_at: next } = settings
  return (
    <Empty>
      <p>
        {view === '' ? 'Nothing waits for you.' : 'Nothing here.'}{' '}
        {weekly && next !== null && (
          <>
            The pages are checked again <Moment at={new Date(next)} />.
          </>
        )}
        {!weekly && 'More are looked for only when somebody asks.'}{' '}
        <For right="manage">
          <a href={sitePath(site, 'settings/research')}>Every Monday or not</a>
        </For>
      </p>
    </Empty>
  )
}

/** Renders suggestions, grouped by their articles. The article with the most urgent one comes first. */
const ByArticle = ({ rows, here }: { rows: readonly Found['suggestions'][number][]; here: string }) => (
  <>
    {[...Map.groupBy(rows, ({ article_id, article_title }) => article_id ?? article_title).values()].map((group) => (
      <section class="card">
        <header>
          <h2 dir="auto">{group[0]?.article_title}</h2>
          {group.length > 1 && <span class="meta">{group.length} suggestions</span>}
        </header>
        <ul class="rows">
          {group.map((one) => (
            <MarkedRow
              mark={<State status={one.status} />}
              href={`${here}/${one.id}`}
              name={TYPES[one.opportunity_type]}
              about={one.article_title}
              action={one.status === 'ready' ? 'Compare' : 'Open'}
            >
              {forPeople(one.reason)}
            </MarkedRow>
          ))}
        </ul>
      </section>
    ))}
  </>
)

const list = async (c: PagesContext, front: SiteFront) => {
  const project = siteIdIn(c)
  const [view, , states] = VIEWS.find(([name]) => name === c.req.query('view')) ?? VIEWS[0] ?? ['', '', []]
  const before = idIn(c.req.query('before'))
  const [site, found] = await withSite(
    c,
    listSuggestions(ctxOf(c, front), {
      project_id: project,
      status: [...states],
      limit: 100,
      ...(before === 0 ? {} : { before_id: before }),
    }),
  )
  const rows = [...found.suggestions].sort(
    (one, other) =>
      ORDER.indexOf(one.status) - ORDER.indexOf(other.status) || other.priority - one.priority || other.id - one.id,
  )
  const here = sitePath(site.id, 'suggestions')
  return await show(c, front, {
    title: 'Suggestions',
    menu: true,
    page: 'suggestions',
    site: site.id,
    ...(found.sc_connected
      ? {
          actions: (
            <For right="edit">
              <form method="post" action={`${here}/run`}>
                <button class="plain" type="submit">
                  Look for more
                </button>
              </form>
            </For>
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
            <ConnectSearch site={site.id} />
          </Empty>
        )}
        {found.sc_connected && rows.length === 0 && <Nothing site={site.id} view={view} settings={found.settings} />}
        {rows.length > 0 && <ByArticle rows={rows} here={here} />}
        {found.before_id !== null && (
          <p class="pages">
            <a href={withQuery(here, { view, before: String(found.before_id) })}>Older suggestions</a>
          </p>
        )}
      </>
    ),
  })
}

const textIn = (text: string | undefined): string | undefined => {
  const said = clip((text ?? '').trim(), 2_000)
  return said === '' ? undefined : said
}

/** Adds the pages on which people compare rewrites with the live text and decide. */
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
    run: (c: PagesContext, id: number, fields: Record<string, string>) => Promise<object>,
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
      return await act(c, front, here, async () => waiting(await run(c, one.id, fields)) ?? said)
    })
  decide('approve', 'The service rewrites it now. Look at it here in a few minutes.', (c, id) =>
    approveSuggestion(ctxOf(c, front), id),
  )
  decide(
    'publish',
    'The rewrite is live.',
    async (c, id) => (await publishSuggestion(ctxOf(c, front), front.sendSync, id)).body,
  )
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
