import type { SearchConsole } from '../../insights/search/port.ts'
import type { SendSync } from '../../insights/suggestions/decide.ts'
import { ApiError } from '../../platform/lib/errors.ts'
import type { TargetFactory } from '../../publishing/target/publish-target.ts'
import { idIn } from '../ctx.ts'
import type { Front, PagesContext } from '../front.tsx'
import { backTo, type Notice } from '../notice.ts'
import type { Site } from '../queries.ts'
import { wordsOf } from '../words.ts'

/** Limit of submitted forms, by account. */
const ACTS = { name: 'people.acts', perMinute: 30 }

/** Counts one submitted form. Returns false if the account has reached the limit of this minute. */
export const mayAct = async (c: PagesContext, { deps }: Front): Promise<boolean> =>
  (await deps.limiter.take(ACTS, String(c.get('person').accountId))).allowed

/**
 * Runs the work of a form, then returns to its page with a notice on the result.
 *
 * A refusal gives the reason. Errors for missing things and missing rights are thrown.
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

/** Returns the id of the site in the path. */
export const siteIdIn = (c: PagesContext): number => idIn(c.req.param('site'))

/** Returns an id from the path; 0, which no row has, if it is not an id. */
export const numberIn = (c: PagesContext, name: string): number => idIn(c.req.param(name))

/** Returns the site in the path. Throws `not_found` if the account has no such active site. */
export const siteIn = async (c: PagesContext): Promise<Site> => {
  const id = siteIdIn(c)
  const site = (await c.get('sites')).find((one) => one.id === id)
  if (!site) throw new ApiError('not_found', 'There is no such site.')
  return site
}

/** Returns a path with the non-empty fields as its query. */
export const withQuery = (path: string, fields: Record<string, string | undefined>): string => {
  const query = new URLSearchParams(
    Object.entries(fields).filter((one): one is [string, string] => one[1] !== undefined && one[1] !== ''),
  )
  return query.size === 0 ? path : `${path}?${query}`
}

/**
 * Returns the site in the path and the result of `work`, which is already running.
 *
 * An unknown site is reported before an error of `work`.
 */
export const withSite = async <T>(c: PagesContext, work: Promise<T>): Promise<[Site, T]> => {
  work.catch(() => {})
  const site = await siteIn(c)
  return [site, await work]
}
