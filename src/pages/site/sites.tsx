import { sql } from 'drizzle-orm'
import type { Hono } from 'hono'
import { getCookie } from 'hono/cookie'
import { PATHS } from '../../accounts/people/paths.ts'
import { MOST_SITES, type Standing, siteStandings } from '../../insights/overview/queries.ts'
import { clicksBySite, type SiteClicks, siteDays } from '../../insights/search/parts.ts'
import { sendReading } from '../../platform/runtime/ctx.ts'
import { idIn, searchIn } from '../ctx.ts'
import { formOf, type PagesContext, type PagesEnv, show, signedIn } from '../front.tsx'
import { hostOf, siteName, sitePath } from '../menu.ts'
import { ConnectionPill, Empty, For, Moment, Pill } from '../parts.tsx'
import { setOwnCookie } from '../session.ts'
import { type SiteFront, withQuery } from './front.ts'
import { signed } from './parts.tsx'

/** Most sites on a page of the list. */
const PAGE = 50

const PIN = `${PATHS.sites}/pin`
/** Cookie with the pinned sites. Pins belong to a browser, not to the account, like the colours and the last site. */
const PINS = 'galley_pins'
const MOST_PINS = 50
const YEAR_S = 31_536_000

type Row = Standing & { search: SiteClicks | undefined; isPinned: boolean }

/** Search, order and page of the list. They are kept when a site is pinned. */
type Kept = { q: string; sort: string; page: string }

type Order = readonly [name: string, label: string, of: (one: Row, other: Row) => number]

/** Orders to choose from. The first is that of the query: sites that need a person first. */
const ORDERS: readonly [Order, ...Order[]] = [
  ['failed', 'What needs you', () => 0],
  ['clicks', 'Most clicks', (one, other) => (other.search?.clicks ?? -1) - (one.search?.clicks ?? -1)],
  ['next', 'Goes out next', (one, other) => (one.next_at ?? '9').localeCompare(other.next_at ?? '9')],
  ['name', 'Name', (one, other) => siteName(one).localeCompare(siteName(other))],
]

const Trouble = ({ site }: { site: Standing }) =>
  site.failed + site.unknown > 0 ? (
    <>
      {site.failed > 0 && (
        <Pill tone="bad" shape="▲">
          {site.failed} failed
        </Pill>
      )}{' '}
      {site.unknown > 0 && (
        <Pill tone="warn" shape="?">
          {site.unknown} not known
        </Pill>
      )}
    </>
  ) : site.has_target ? (
    <>
      <span class="unseen">Connection: </span>
      <ConnectionPill isTried={site.target_tried} error={site.target_error} />
    </>
  ) : (
    <Pill tone="warn" shape="▢">
      Not connected
    </Pill>
  )

/** Renders the clicks and their change. Only a significant change has a colour. */
const Clicks = ({ search }: { search: SiteClicks | undefined }) =>
  search === undefined ? (
    <span class="meta">no data</span>
  ) : (
    <span>
      {search.clicks.toLocaleString('en-US')}{' '}
      {search.change === null ? null : search.isBeyondNoise ? (
        <Pill tone={search.change > 0 ? 'good' : 'bad'} shape={search.change > 0 ? '↑' : '↓'}>
          {signed(search.change)}
        </Pill>
      ) : (
        <span class="day">{signed(search.change)}, no clear change</span>
      )}
    </span>
  )

const HEADS = [
  'Site',
  'State',
  'Waits for you',
  'Rewrites ready',
  'In Google’s index',
  'Clicks, 28 days',
  'Goes out next',
  'Published, 30 days',
]

const isNumber = (head: string): boolean => /^(Waits|Rewrites|In Google|Clicks|Published)/.test(head)

const Rows = ({ sites, kept }: { sites: readonly Row[]; kept: Kept }) => (
  <form class="card" method="post" action={PIN}>
    {Object.entries(kept).map(([name, value]) => value && <input type="hidden" name={name} value={value} />)}
    <table>
      <caption class="unseen">Sites; clicks are compared with the 28 days before</caption>
      <thead>
        <tr>
          {HEADS.map((head) => (
            <th scope="col" class={isNumber(head) ? 'num' : undefined}>
              {head}
            </th>
          ))}
          <th scope="col">
            <span class="unseen">Pin</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {sites.map((site) => (
          <tr>
            <td>
              <span>
                <a href={sitePath(site.id)}>{siteName(site)}</a>
                {site.name !== '' && <span class="day">{hostOf(site.url)}</span>}
              </span>
            </td>
            <td data-label="State">
              <span>
                <Trouble site={site} />
              </span>
            </td>
            <td data-label="Waits for you" class="num">
              {site.waiting > 0 ? <a href={sitePath(site.id, 'approvals')}>{site.waiting}</a> : 0}
            </td>
            <td data-label="Rewrites ready" class="num">
              {site.ready}
            </td>
            <td data-label="In Google’s index" class="num">
              {site.looked_at === 0 ? <span class="meta">no data</span> : `${site.indexed} of ${site.looked_at}`}
            </td>
            <td data-label="Clicks, 28 days" class="num">
              <Clicks search={site.search} />
            </td>
            <td data-label="Goes out next">
              {site.next_at === null ? 'nothing planned' : <Moment at={new Date(site.next_at)} />}
            </td>
            <td data-label="Published, 30 days" class="num">
              {site.published}
            </td>
            <td>
              <button
                class="plain"
                type="submit"
                name="site"
                value={site.id}
                aria-label={`${site.isPinned ? 'Unpin' : 'Pin'} ${siteName(site)}`}
              >
                {site.isPinned ? 'Unpin' : 'Pin'}
              </button>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </form>
)

const linkTo = ({ page, ...kept }: Kept): string => withQuery(PATHS.sites, { ...kept, page: page === '1' ? '' : page })

/** Returns the ids of the sites pinned in this browser, the last one first. */
const pinsIn = (c: PagesContext): string[] => (getCookie(c, PINS) ?? '').split('.').filter((one) => one !== '')

const counted = (count: number, one: string, several: string): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? one : several}`

const Sums = ({ sites }: { sites: readonly Row[] }) => {
  const sum = (of: (site: Row) => number) => sites.reduce((total, site) => total + of(site), 0)
  const unknown = sum((site) => site.unknown)
  const hasSearch = sites.some(({ search }) => search)
  return (
    <p class="hint">
      {counted(sites.length, 'site', 'sites')}: {sum((site) => site.failed)} failed,{' '}
      {unknown > 0 && `${unknown} not known, `}
      {counted(
        sum((site) => site.ready),
        'rewrite',
        'rewrites',
      )}{' '}
      ready, {sum((site) => site.published)} published in 30 days
      {hasSearch &&
        `, ${counted(
          sum((site) => site.search?.clicks ?? 0),
          'click',
          'clicks',
        )} in 28 days`}
      . The account has {counted(sites[0]?.credits ?? 0, 'article credit', 'article credits')}.
    </p>
  )
}

/** Number of sites from which the list has a search and orders. */
const MANY = 6

const Find = ({ q, sort }: { q: string; sort: string }) => (
  <search>
    <form class="find" method="get" action={PATHS.sites}>
      <label>
        Find a site
        <input type="search" name="q" value={q} maxlength={100} />
      </label>
      <label>
        Sort by
        <select name="sort">
          {ORDERS.map(([name, label], n) => (
            <option value={n === 0 ? '' : name} selected={name === sort}>
              {label}
            </option>
          ))}
        </select>
      </label>
      <button class="plain" type="submit">
        Show
      </button>
    </form>
  </search>
)

const page = async (c: PagesContext, front: SiteFront) => {
  const { accountId, projectId } = c.get('person')
  const { db, now } = front.deps
  const account = sql`${accountId}::int`
  const { standings, days } = await sendReading(db, {
    standings: siteStandings(db, account, { only: projectId, limit: MOST_SITES, now: now() }),
    days: siteDays(db, account, projectId, now()),
  })
  const clicks = clicksBySite(days.rows)
  const pins = new Set(pinsIn(c))
  const all = standings.rows.map(
    (site): Row => ({ ...site, search: clicks.get(site.id), isPinned: pins.has(`${site.id}`) }),
  )
  const q = searchIn(c.req.query('q'))
  const [sort, , of] = ORDERS.find(([name]) => name === c.req.query('sort')) ?? ORDERS[0]
  const found = all
    .filter(({ name, url }) => `${name} ${url}`.toLowerCase().includes(q.toLowerCase()))
    .sort((one, other) => Number(other.isPinned) - Number(one.isPinned) || of(one, other))
  const last = Math.max(1, Math.ceil(found.length / PAGE))
  const number = Math.min(last, Math.max(1, Number.parseInt(c.req.query('page') ?? '1', 10) || 1))
  const shown = found.slice((number - 1) * PAGE, number * PAGE)
  const kept = { q, sort: sort === 'failed' ? '' : sort }
  return await show(c, front, {
    title: 'Sites',
    menu: true,
    page: 'sites',
    actions: (
      <>
        {all.length > 1 && (
          <a class="button plain" href={PATHS.calendar}>
            Calendar
          </a>
        )}
        <For right="manage">
          <a class="button plain" href={PATHS.archives}>
            Import
          </a>
          <a class="button plain" href="/setup">
            Add a site
          </a>
        </For>
      </>
    ),
    body:
      all.length === 0 && projectId !== null ? (
        <Empty>The site that you work on is archived. An owner of the account can bring it back.</Empty>
      ) : all.length === 0 ? (
        <Empty>
          <p>A site is where your articles are published. Add one, and its pages are read to learn what it is about.</p>
          <a class="button" href="/setup">
            Add your first site
          </a>
        </Empty>
      ) : (
        <>
          <Sums sites={all} />
          {all.length >= MANY && <Find q={q} sort={sort} />}
          {found.length === 0 ? (
            <Empty>
              <p>No site has “{q}” in its name or address.</p>
              <a href={PATHS.sites}>Show all sites</a>
            </Empty>
          ) : (
            <Rows sites={shown} kept={{ ...kept, page: number === 1 ? '' : String(number) }} />
          )}
          {last > 1 && (
            <p class="pages">
              {number > 1 && <a href={linkTo({ ...kept, page: String(number - 1) })}>Before</a>}
              <span>
                Page {number} of {last}
              </span>
              {number < last && <a href={linkTo({ ...kept, page: String(number + 1) })}>Next</a>}
            </p>
          )}
        </>
      ),
  })
}

/** Pins a site to the top of the list, or removes its pin. */
const pin = async (c: PagesContext, { deps }: SiteFront) => {
  const { site, q, sort, page: at } = await formOf(c)
  const [id, pins] = [String(idIn(site)), pinsIn(c)]
  const others = pins.filter((one) => one !== id)
  const value = (others.length < pins.length || id === '0' ? others : [id, ...others]).slice(0, MOST_PINS).join('.')
  setOwnCookie(c, deps.settings, { name: PINS, value, path: '/', seconds: YEAR_S })
  return c.redirect(withQuery(PATHS.sites, { q, sort, page: at }), 303)
}

/** Adds the list of all sites. The home page redirects to the site that was opened last. */
export const sitesPages = (app: Hono<PagesEnv>, front: SiteFront): void => {
  app.get(PATHS.sites, signedIn(front), (c) => page(c, front))
  app.post(PIN, signedIn(front), (c) => pin(c, front))
  app.get(PATHS.home, signedIn(front), async (c) => {
    const sites = await c.get('sites')
    const last = sites.find(({ id }) => String(id) === getCookie(c, 'galley_site'))
    const site = last ?? (sites.length === 1 ? sites[0] : undefined)
    const isNew = sites.length === 0 && c.get('person').projectId === null
    return c.redirect(site ? sitePath(site.id) : isNew ? '/setup' : PATHS.sites, 303)
  })
}
