import type { Hono } from 'hono'
import type { Child } from 'hono/jsx'
import type { ARTICLE_STATUSES, CreditState, PUBLISH_STATES } from '../../../schema/values/articles.ts'
import { articlesFile } from '../../content/articles/csv.ts'
import { articleRow, listArticles, searchNote } from '../../content/articles/read.ts'
import { DAY_MS } from '../../platform/lib/time.ts'
import { ctxOf, idIn, searchIn } from '../ctx.ts'
import { type PagesContext, type PagesEnv, show, signedIn } from '../front.tsx'
import { sitePath } from '../menu.ts'
import { Empty, For, Moment } from '../parts.tsx'
import { dayAfter, dayIn, placeOf } from '../zone.ts'
import { BY_PLAN, checkboxName, MOST, versionOf } from './bulk/rules.ts'
import { DateCost, UnreachedNotice } from './cost.tsx'
import { type SiteFront, siteIdIn, siteIn, withQuery, withSite } from './front.ts'
import { MarkPill } from './parts.tsx'
import { readConditions } from './queries.ts'
import { OUT_OF_REACH, StatePill } from './states.tsx'

/** Renders the checkbox that selects an article. */
const Tick = (props: { id: number; updatedAt: Date; name: string; isTicked: boolean }) => (
  <label>
    <input type="checkbox" name={checkboxName(props.id)} value={versionOf(props.updatedAt)} checked={props.isTicked} />
    <span class="unseen">Choose {props.name}</span>
  </label>
)

type BarProps = {
  site: number
  zone: string
  now: Date
  isTicked: boolean
  toggle: string
  kept: Record<string, string | undefined>
}

/** Renders the actions on selected articles: the first part of their form. */
const Bar = ({ site, zone, now, isTicked, toggle, kept }: BarProps) => {
  const tomorrow = dayAfter(dayIn(now, zone), 1)
  return (
    <div class="find in bulk">
      {Object.entries(kept).map(([name, value]) => value && <input type="hidden" name={name} value={value} />)}
      <a class="button plain" href={toggle}>
        {isTicked ? 'Tick none' : 'Tick all'}
      </a>
      <label>
        First date
        <input type="date" name="start" value={tomorrow} min={dayIn(now, zone)} />
      </label>
      <label>
        Days between
        <input type="number" name="every" value="7" min="1" max="90" />
      </label>
      <button class="plain" type="submit" formaction={sitePath(site, 'bulk/dates')}>
        Set dates
      </button>
      <button class="plain" type="submit" formaction={sitePath(site, 'bulk/dates')} {...BY_PLAN}>
        Plan on the site’s publishing days
      </button>
      <button class="plain" type="submit" formaction={sitePath(site, 'bulk/publish')}>
        Publish now
      </button>
      <For right="manage">
        <button class="danger" type="submit" formaction={sitePath(site, 'bulk/delete')}>
          Delete
        </button>
      </For>
    </div>
  )
}

type Status = (typeof ARTICLE_STATUSES)[number]
type State = (typeof PUBLISH_STATES)[number]
type View = { name: string; label: string; query: { status?: Status[]; publish_state?: State[] } }

const ALL: View = { name: '', label: 'All', query: {} }

/** Filters of the list. */
const VIEWS: readonly View[] = [
  ALL,
  { name: 'trouble', label: 'In trouble', query: { publish_state: ['failed', 'unknown', 'retrying'] } },
  { name: 'planned', label: 'Planned', query: { status: ['Planned', 'Generating'] } },
  { name: 'drafts', label: 'Drafts', query: { status: ['Draft'] } },
  { name: 'published', label: 'Published', query: { status: ['Published'] } },
]

/** Date ranges to choose from, in days from today. */
const SPANS = [
  ['', 'Any date', 0],
  ['week', 'Next 7 days', 7],
  ['month', 'Next 30 days', 30],
] as const

const linkTo = (site: number, given: Record<string, string | undefined>): string =>
  withQuery(sitePath(site, 'articles'), given)

type RowProps = {
  site: number
  shown: ReturnType<typeof articleRow> & {
    publishError: string | null
    /** Why no article credit is left for it. */
    credit: Exclude<CreditState, 'left'> | undefined
  }
  isTicked: boolean
}

const ArticleRow = ({ site, shown, isTicked }: RowProps) => {
  const date = shown.PublishedAt ?? shown.ScheduledAt
  const name = shown.Title || shown.MainKeyword
  return (
    <tr>
      <td>
        <div class="pick">
          <For right="edit">
            <Tick id={shown.ID} updatedAt={new Date(shown.UpdatedAt)} name={name} isTicked={isTicked} />
          </For>
          <span>
            <a href={sitePath(site, `articles/${shown.ID}`)} dir="auto">
              {name}
            </a>
            {shown.Title !== '' && (
              <span class="day" dir="auto">
                {shown.MainKeyword}
              </span>
            )}
          </span>
        </div>
      </td>
      <td data-label="State">
        <StatePill
          article={{
            status: shown.Status,
            publish_state: shown.PublishState,
            publish_error: shown.publishError,
            being_written: shown.being_written,
          }}
        />
        {shown.credit && <MarkPill mark={OUT_OF_REACH[shown.credit]} />}
      </td>
      <td data-label="Date">{date === null ? 'no date' : <Moment at={new Date(date)} bare />}</td>
      <td data-label="Changed">
        <Moment at={new Date(shown.UpdatedAt)} bare />
      </td>
    </tr>
  )
}

type Asked = { q: string; view: View; when: string; before: number; isTicked: boolean }

/** Returns the filters in the address, with those that are not known left out. */
const askedIn = (c: PagesContext): Asked & { days: number } => {
  const [when, , days] = SPANS.find(([name]) => name === c.req.query('when')) ?? SPANS[0]
  return {
    q: searchIn(c.req.query('q')),
    view: VIEWS.find(({ name }) => name === c.req.query('view')) ?? ALL,
    when,
    days,
    before: idIn(c.req.query('before')),
    isTicked: c.req.query('all') === 'yes',
  }
}

/** Renders the tabs of the list and the form that searches it. */
const Find = ({ site, asked: { q, view, when }, zone }: { site: number; asked: Asked; zone: string }) => (
  <div class="row find">
    <nav class="tabs" aria-label="Kinds of articles">
      {VIEWS.map(({ name, label }) => (
        <a href={linkTo(site, { q, view: name, when })} aria-current={name === view.name ? 'page' : undefined}>
          {label}
        </a>
      ))}
      <For right="manage">
        <a href={sitePath(site, 'bin')}>Bin</a>
      </For>
    </nav>
    <search>
      <form class="row" method="get" action={sitePath(site, 'articles')}>
        {view.name !== '' && <input type="hidden" name="view" value={view.name} />}
        <input
          type="search"
          name="q"
          value={q}
          aria-label="Words of the title or keyword"
          placeholder="Find by title or keyword"
          maxlength={200}
        />
        <select name="when" aria-label="Date">
          {SPANS.map(([name, label]) => (
            <option value={name} selected={name === when}>
              {label}
            </option>
          ))}
        </select>
        <button class="plain" type="submit">
          Find
        </button>
      </form>
    </search>
    <span class="meta">times in {placeOf(zone)}</span>
  </div>
)

const None = ({ site, isFiltered }: { site: number; isFiltered: boolean }) =>
  isFiltered ? (
    <Empty>
      <p>No article matches.</p>
      <a href={linkTo(site, {})}>Show all articles</a>
    </Empty>
  ) : (
    <Empty>
      <p>Articles that you or your agent plan, write and publish are listed here.</p>
      <For right="edit">
        <a class="button" href={sitePath(site, 'plan')}>
          Plan the first article
        </a>
      </For>
    </Empty>
  )

type ListProps = {
  site: number
  zone: string
  now: Date
  asked: Asked
  /** Credits that dates cost. */
  cost: Child
  rows: readonly RowProps['shown'][]
}

/** Renders the articles as a form, whose buttons act on those that are ticked. */
const List = ({ site, zone, now, asked: { q, view, when, before, isTicked }, cost, rows }: ListProps) => {
  const here = { q, view: view.name, when, before: before === 0 ? '' : String(before) }
  return (
    <form class="card" method="post" action={sitePath(site, 'bulk/dates')}>
      <For right="edit">
        <Bar
          site={site}
          zone={zone}
          now={now}
          isTicked={isTicked}
          toggle={linkTo(site, { ...here, all: isTicked ? '' : 'yes' })}
          kept={here}
        />
        {cost}
      </For>
      <table>
        <caption class="unseen">Articles, newest first; times in {placeOf(zone)}</caption>
        <thead>
          <tr>
            <th scope="col">Article</th>
            <th scope="col">State</th>
            <th scope="col">Date</th>
            <th scope="col">Changed</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((shown) => (
            <ArticleRow site={site} shown={shown} isTicked={isTicked} />
          ))}
        </tbody>
      </table>
    </form>
  )
}

/** Returns the request for the articles that the address chooses. */
const requestOf = ({ q, view, days }: ReturnType<typeof askedIn>, project: number, now: Date) => ({
  project_id: project,
  ...view.query,
  ...(q === '' ? {} : { q }),
  ...(days === 0
    ? {}
    : {
        scheduled_after: now.toISOString(),
        scheduled_before: new Date(now.getTime() + days * DAY_MS).toISOString(),
      }),
})

/** Most articles in a file, and how many are read at once. */
const [MOST_IN_FILE, AT_ONCE] = [2_000, 200]

/** Sends the articles that the address chooses as a file, the newest first. */
const download = async (c: PagesContext, front: SiteFront) => {
  const { id } = await siteIn(c)
  const request = requestOf(askedIn(c), id, front.deps.now())
  const shown: ReturnType<typeof articleRow>[] = []
  let before: number | undefined
  do {
    const { rows, page: paging } = await listArticles(ctxOf(c, front), {
      ...request,
      limit: AT_ONCE,
      ...(before === undefined ? {} : { before_id: before }),
    })
    shown.push(...rows.map(articleRow))
    before = 'before_id' in paging && typeof paging.before_id === 'number' ? paging.before_id : undefined
  } while (before !== undefined && shown.length < MOST_IN_FILE)
  c.header('Content-Disposition', 'attachment; filename="articles.csv"')
  return c.body(articlesFile(shown), 200, { 'Content-Type': 'text/csv; charset=utf-8' })
}

const page = async (c: PagesContext, front: SiteFront) => {
  const project = siteIdIn(c)
  const asked = askedIn(c)
  const { q, view, when, before } = asked
  const now = front.deps.now()
  const [site, [{ rows, page: paging }, conditions]] = await withSite(
    c,
    Promise.all([
      listArticles(ctxOf(c, front), {
        ...requestOf(asked, project, now),
        limit: MOST,
        ...(before === 0 ? {} : { before_id: before }),
      }),
      readConditions(front.deps.db, c.get('person').accountId, project, now),
    ]),
  )
  const unreached = new Map(conditions?.unreached.map(({ id, credit }) => [id, credit]))
  const next = 'before_id' in paging && typeof paging.before_id === 'number' ? paging.before_id : undefined
  return await show(c, front, {
    title: 'Articles',
    menu: true,
    page: 'articles',
    site: project,
    actions: (
      <For right="edit">
        <a class="button" href={sitePath(project, 'plan')}>
          Plan an article
        </a>
      </For>
    ),
    body: (
      <>
        <Find site={project} asked={asked} zone={site.zone} />
        <UnreachedNotice site={project} unreached={conditions?.unreached ?? []} />
        {'search_limited' in searchNote(q || undefined) && (
          <p class="hint">The word is short, so only the newest articles were searched.</p>
        )}
        {rows.length === 0 ? (
          <None site={project} isFiltered={q !== '' || view.name !== '' || when !== ''} />
        ) : (
          <List
            site={project}
            zone={site.zone}
            now={now}
            asked={asked}
            cost={<DateCost c={c} conditions={conditions} />}
            rows={rows.map((row) => ({
              ...articleRow(row),
              publishError: row.publishError,
              credit: unreached.get(row.id),
            }))}
          />
        )}
        <p class="hint">
          <a href={withQuery(sitePath(project, 'articles.csv'), { q, view: view.name, when })}>Save as a spreadsheet</a>
          <For right="edit">
            {' · '}
            <a href={sitePath(project, 'import')}>Create articles from a spreadsheet</a>
          </For>
          {' · '}
          <a href={sitePath(project, 'posts')}>Posts that the site has already</a>
          {' · '}
          <a href={sitePath(project, 'care')}>What needs care</a>
        </p>
        {next !== undefined && (
          <p class="pages">
            <a href={linkTo(project, { q, view: view.name, when, before: String(next) })}>Older articles</a>
          </p>
        )}
      </>
    ),
  })
}

/** Adds the list of a site's articles. */
export const articlesPages = (app: Hono<PagesEnv>, front: SiteFront): void => {
  app.get('/p/:site/articles', signedIn(front), (c) => page(c, front))
  app.get('/p/:site/articles.csv', signedIn(front), (c) => download(c, front))
}
