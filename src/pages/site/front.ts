import type { SearchConsole } from '../../insights/search/port.ts'
import type { SendSync } from '../../insights/suggestions/publish.ts'
import { ApiError } from '../../platform/lib/errors.ts'
import type { TargetFactory } from '../../publishing/target/publish-target.ts'
import { idIn } from '../ctx.ts'
import type { Front, PagesContext } from '../front.tsx'
import type { Site } from '../shell-queries.ts'

/** Dependencies of the pages of sites. */
export type SiteFront = Front & { targets: TargetFactory; google: SearchConsole; sendSync: SendSync }

/** Returns the number of the site that a path names. */
export const siteIdIn = (c: PagesContext): number => idIn(c.req.param('site'))

/** Returns a number that a path names; 0, which is nobody's, if it is none. */
export const numberIn = (c: PagesContext, name: string): number => idIn(c.req.param(name))

/** Returns the site that a path names. Throws `not_found` for one that is not the account's. */
export const siteIn = async (c: PagesContext): Promise<Site> => {
  const id = siteIdIn(c)
  const site = (await c.get('sites')).find((one) => one.id === id)
  if (!site) throw new ApiError('not_found', 'There is no such site.')
  return site
}

/** Returns a path with the fields that hold something as its query. */
export const withQuery = (path: string, fields: Record<string, string | undefined>): string => {
  const query = new URLSearchParams(
    Object.entries(fields).filter((one): one is [string, string] => one[1] !== undefined && one[1] !== ''),
  )
  return query.size === 0 ? path : `${path}?${query}`
}

/** Reads a page's data and its site at the same time. */
export const withSite = async <T>(c: PagesContext, work: Promise<T>): Promise<[Site, T]> => {
  work.catch(() => {})
  const site = await siteIn(c)
  return [site, await work]
}
