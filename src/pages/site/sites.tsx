import type { Hono } from 'hono'
import { getCookie } from 'hono/cookie'
import { PATHS } from '../../accounts/people/paths.ts'
import { type PagesContext, type PagesEnv, show, signedIn } from '../front.tsx'
import { hostOf, siteName, sitePath } from '../menu.ts'
import { Empty, For, Moment, Pill } from '../parts.tsx'
import { type SiteFront, withQuery } from './front.ts'
import { readStandings, type Standing } from './queries.ts'

/** Sites on a page of the list. */
const PAGE = 50

const Trouble = ({ site }: { site: Standing }) => {
  if (site.failed > 0)
    return (
      <Pill tone="bad" shape="▲">
        {site.failed} failed
      </Pill>
    )
  if (site.target_error !== null)
    return (
      <Pill tone="bad" shape="▲">
        Connection
      </Pill>
    )
  if (!site.has_target)
    return (
      <Pill tone="warn" shape="▢">
        Not connected
      </Pill>
    )
  return (
    <Pill tone="good" shape="●">
      Works
    </Pill>
  )
}

const Rows = ({ sites }: { sites: readonly Standing[] }) => (
  <div class="card">
    <table>
      <caption class="unseen">Sites; what needs you comes first</caption>
      <thead>
        <tr>
          {['Site', 'State', 'Rewrites ready', 'Goes out next', 'Published, 30 days'].map((head, n) => (
            <th scope="col" class={n === 2 || n === 4 ? 'num' : undefined}>
              {head}
            </th>
          ))}
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
              <Trouble site={site} />
            </td>
            <td data-label="Rewrites ready" class="num">
              {site.ready}
            </td>
            <td data-label="Goes out next">
              {site.next_at === null ? 'nothing planned' : <Moment at={new Date(site.next_at)} />}
            </td>
            <td data-label="Published, 30 days" class="num">
              {site.published}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)

const linkTo = (q: string, page: number): string => withQuery(PATHS.sites, { q, page: page === 1 ? '' : String(page) })

const page = async (c: PagesContext, front: SiteFront) => {
  const { accountId, projectId } = c.get('person')
  const all = await readStandings(front.deps.db, accountId, projectId, front.deps.now())
  const q = (c.req.query('q') ?? '').trim().slice(0, 100)
  const found = all.filter(({ name, url }) => `${name} ${url}`.toLowerCase().includes(q.toLowerCase()))
  const last = Math.max(1, Math.ceil(found.length / PAGE))
  const number = Math.min(last, Math.max(1, Number.parseInt(c.req.query('page') ?? '1', 10) || 1))
  const shown = found.slice((number - 1) * PAGE, number * PAGE)
  const sum = (of: 'failed' | 'ready' | 'published') => all.reduce((total, site) => total + site[of], 0)
  return await show(c, front, {
    title: 'Sites',
    menu: true,
    page: 'sites',
    actions: (
      <For right="manage">
        <a class="button plain" href={PATHS.archives}>
          Import
        </a>
        <a class="button plain" href="/setup">
          Add a site
        </a>
      </For>
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
          <p class="hint">
            {all.length === 1 ? '1 site' : `${all.length} sites`}: {sum('failed')} failed,{' '}
            {sum('ready') === 1 ? '1 rewrite' : `${sum('ready')} rewrites`} ready, {sum('published')} published in 30
            days.
          </p>
          {all.length > 5 && (
            <search>
              <form class="find" method="get" action={PATHS.sites}>
                <label>
                  Find a site
                  <input type="search" name="q" value={q} maxlength={100} />
                </label>
                <button class="plain" type="submit">
                  Find
                </button>
              </form>
            </search>
          )}
          {found.length === 0 ? (
            <Empty>
              <p>No site has “{q}” in its name or address.</p>
              <a href={PATHS.sites}>Show all sites</a>
            </Empty>
          ) : (
            <Rows sites={shown} />
          )}
          {last > 1 && (
            <p class="pages">
              {number > 1 && <a href={linkTo(q, number - 1)}>Before</a>}
              <span>
                Page {number} of {last}
              </span>
              {number < last && <a href={linkTo(q, number + 1)}>Next</a>}
            </p>
          )}
        </>
      ),
  })
}

/** Adds the list of all sites, and the way to the one that was looked at last. */
export const sitesPages = (app: Hono<PagesEnv>, front: SiteFront): void => {
  app.get(PATHS.sites, signedIn(front), (c) => page(c, front))
  app.get(PATHS.home, signedIn(front), async (c) => {
    const sites = await c.get('sites')
    const last = sites.find(({ id }) => String(id) === getCookie(c, 'galley_site'))
    const site = last ?? (sites.length === 1 ? sites[0] : undefined)
    const isNew = sites.length === 0 && c.get('person').projectId === null
    return c.redirect(site ? sitePath(site.id) : isNew ? '/setup' : PATHS.sites, 303)
  })
}
