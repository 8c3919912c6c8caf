import { SUGGESTION_STATES, type SuggestionState } from '../../../../schema/values/suggestions.ts'
import { listSuggestions } from '../../../insights/suggestions/read.ts'
import { ctxOf, idIn } from '../../ctx.ts'
import { type PagesContext, show } from '../../front.tsx'
import { sitePath } from '../../menu.ts'
import { Empty, For, Moment } from '../../parts.tsx'
import { forPeople } from '../../words.ts'
import { type SiteFront, siteIdIn, withQuery, withSite } from '../front.ts'
import { ConnectSearch, MarkedRow } from '../parts.tsx'
import { State, TYPES } from './marks.tsx'

const VIEWS: readonly (readonly [name: string, label: string, states: readonly SuggestionState[]])[] = [
  ['', 'To decide', ['ready', 'pending', 'failed']],
  ['work', 'Under way', ['approved', 'rewriting']],
  ['done', 'Decided', ['published', 'rejected', 'superseded']],
]

/** Order of the list: rewrites that are ready come first, then what promises most. */
const ORDER: readonly SuggestionState[] = ['ready', 'failed', 'pending', ...SUGGESTION_STATES]

export const list = async (c: PagesContext, front: SiteFront) => {
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
  const { weekly, next_run_at: next } = found.settings
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
        {found.sc_connected && rows.length === 0 && (
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
                <a href={sitePath(site.id, 'settings/research')}>Every Monday or not</a>
              </For>
            </p>
          </Empty>
        )}
        {rows.length > 0 && (
          <div class="card">
            <ul class="rows">
              {rows.map((one) => (
                <MarkedRow
                  mark={<State status={one.status} />}
                  href={`${here}/${one.id}`}
                  name={one.article_title}
                  action={one.status === 'ready' ? 'Compare' : 'Open'}
                >
                  {TYPES[one.opportunity_type]}. {forPeople(one.reason)}
                </MarkedRow>
              ))}
            </ul>
          </div>
        )}
        {found.before_id !== null && (
          <p class="pages">
            <a href={withQuery(here, { view, before: String(found.before_id) })}>Older suggestions</a>
          </p>
        )}
      </>
    ),
  })
}
