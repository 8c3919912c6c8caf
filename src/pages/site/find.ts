import type { Hono } from 'hono'
import { PATHS } from '../../accounts/people/paths.ts'
import { mayOpen } from '../../accounts/people/roles.ts'
import { articleRow, listArticles } from '../../content/articles/read.ts'
import { ctxOf, idIn, searchIn } from '../ctx.ts'
import { type PagesContext, type PagesEnv, signedIn } from '../front.tsx'
import { hostOf, SETTINGS_MENU, SITE_PAGES, siteName, sitePath } from '../menu.ts'
import type { Site } from '../queries.ts'
import type { SiteFront } from './front.ts'

/** Search result: its kind, its name, a note beside it, and its path. */
type Found = { kind: 'Page' | 'Do' | 'Site' | 'Article'; label: string; note: string; path: string }

/** Most sites, and most articles, in the results. */
const MOST = 8

/** Returns the pages and actions that the person may open, for the current site and the settings. */
const placesOf = (c: PagesContext, site: Site | undefined): Found[] => {
  const places: Found[] = [
    ...(site
      ? SITE_PAGES.map(({ label, path }): Found => ({ kind: 'Page', label, note: siteName(site), path: path(site.id) }))
      : []),
    { kind: 'Page', label: 'All sites', note: '', path: PATHS.sites },
    { kind: 'Page', label: 'Notices', note: '', path: PATHS.noticeList },
    ...(site
      ? [{ kind: 'Do' as const, label: 'Plan an article', note: siteName(site), path: sitePath(site.id, 'plan') }]
      : []),
    { kind: 'Do', label: 'Add a site', note: '', path: '/setup' },
    ...SETTINGS_MENU.flatMap(({ pages }) =>
      pages.map(({ label, path }): Found => ({ kind: 'Page', label, note: 'settings', path })),
    ),
  ]
  return places.filter(({ path }) => mayOpen(c.get('person').role, path))
}

const articlesWith = async (c: PagesContext, front: SiteFront, q: string): Promise<Found[]> => {
  // One letter is in most titles, so the results would not help.
  if (q.length < 2) return []
  const only = c.get('person').projectId
  const [{ rows }, sites] = await Promise.all([
    listArticles(ctxOf(c, front), { q, limit: MOST, ...(only === null ? {} : { project_id: only }) }),
    c.get('sites'),
  ])
  return rows.flatMap((row): Found[] => {
    const { ID, Title, MainKeyword, ProjectID } = articleRow(row)
    const site = sites.find(({ id }) => id === ProjectID)
    return site
      ? [
          {
            kind: 'Article',
            label: Title || MainKeyword,
            note: siteName(site),
            path: sitePath(site.id, `articles/${ID}`),
          },
        ]
      : []
  })
}

/**
 * Sends the palette's results: pages and sites that contain every word of `q`, and articles that match it.
 *
 * Without `q`, sends the pages and actions outside the settings.
 */
const find = async (c: PagesContext, front: SiteFront) => {
  const q = searchIn(c.req.query('q'))
  const [sites, articles] = await Promise.all([c.get('sites'), articlesWith(c, front, q)])
  const words = q.toLowerCase().split(/\s+/)
  const has = (text: string) => words.every((word) => text.toLowerCase().includes(word))
  const site = sites.find(({ id }) => id === idIn(c.req.query('site')))
  const places = placesOf(c, site).filter(({ label, note }) => (q === '' ? note !== 'settings' : has(label)))
  const others = q === '' ? [] : sites.filter((one) => has(`${siteName(one)} ${one.url}`)).slice(0, MOST)
  return c.json([
    ...places,
    ...others.map(
      (one): Found => ({ kind: 'Site', label: siteName(one), note: hostOf(one.url), path: sitePath(one.id) }),
    ),
    ...articles,
  ])
}

/** Adds the search of the palette. */
export const findPages = (app: Hono<PagesEnv>, front: SiteFront): void => {
  app.get(PATHS.find, signedIn(front), (c) => find(c, front))
}
