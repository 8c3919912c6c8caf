import type { SearchConsole } from '../../insights/search/port.ts'
import type { SendSync } from '../../insights/suggestions/publish.ts'
import { ApiError } from '../../platform/lib/errors.ts'
import type { TargetFactory } from '../../publishing/target/publish-target.ts'
import { idIn } from '../ctx.ts'
import type { Front, PagesContext } from '../front.tsx'
import { backTo, type Notice } from '../notice.ts'
import type { Site } from '../queries.ts'
import { wordsOf } from '../words.ts'

/** Forms that a person may send a minute: as many as a key may make calls of the API. */
const ACTS = { name: 'people.acts', perMinute: 30 }

/** Counts one act of a person. False: they have had their acts of this minute. */
export const mayAct = async (c: PagesContext, { deps }: Front): Promise<boolean> =>
  (await deps.limiter.take(ACTS, String(c.get('person').accountId))).allowed

/**
 * Does what a form asks for, and leads back to its page with a word on how that ended. A refusal says why, and that nothing was
 * changed where that is so.
 */
export const act = async (
  c: PagesContext,
  front: Front,
  page: string,
  work: () => Promise<Notice | string>,
): Promise<Response> => {
  if (!(await mayAct(c, front)))
    return await backTo(c, front, page, { tone: 'bad', text: 'Too many tries. Wait a minute.' })
  try {
    const done = await work()
    return await backTo(c, front, page, typeof done === 'string' ? { tone: 'good', text: done } : done)
  } catch (error) {
    if (!(error instanceof ApiError) || error.code === 'not_found' || error.code === 'forbidden') throw error
    return await backTo(c, front, page, { tone: 'bad', text: wordsOf(error) })
  }
}

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
