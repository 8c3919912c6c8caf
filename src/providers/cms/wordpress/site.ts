import type { CmsFailure } from '../../../publishing/target/cms-adapter.ts'
import { type CmsAnswer, type CmsCall, type CmsDeps, callCms } from '../http.ts'
import { movedBase } from './transform.ts'

/** One request below the REST root of a site; `path` without a leading slash: `wp/v2/posts`. */
export type SiteRequest = Pick<CmsCall, 'json' | 'body' | 'headers' | 'timeoutMs'> & {
  method: 'GET' | 'POST'
  path: string
  query?: Record<string, string>
  /** False for a POST that only asks. */
  writes?: boolean
}

export type Site = { deps: CmsDeps; ask: (request: SiteRequest) => Promise<CmsAnswer | CmsFailure> }

/** Position of the REST root: `/wp-json/`, or a query parameter if permalinks are plain. */
type Place = { base: string; isPlain: boolean }

const addressOf = ({ base, isPlain }: Place, path: string, query: Record<string, string>): string => {
  const parameters = new URLSearchParams(isPlain ? { rest_route: `/${path}`, ...query } : query).toString()
  return isPlain ? `${base}/?${parameters}` : `${base}/wp-json/${path}${parameters === '' ? '' : `?${parameters}`}`
}

/** True if nothing of WordPress answered: a page instead of the API. */
const isPage = (result: CmsAnswer | CmsFailure): boolean =>
  result.kind === 'refused' &&
  result.location === undefined &&
  (result.code === 'site_not_found' || result.code === 'unexpected_answer')

/**
 * Returns a site's REST API. The first reading call finds where it is, following a redirect to https or `www.`; a write never goes
 * to an address that has not answered before.
 */
export const openSite = (url: string, headers: Record<string, string>, deps: CmsDeps): Site => {
  let known: Place | undefined
  const call = (place: Place, { path, query = {}, writes, headers: more, ...request }: SiteRequest) =>
    callCms(deps, {
      ...request,
      name: 'WordPress',
      url: addressOf(place, path, query),
      headers: { ...headers, ...more },
      writes: writes ?? request.method !== 'GET',
    })

  const locate = async (request: SiteRequest): Promise<CmsAnswer | CmsFailure> => {
    let place: Place = { base: url, isPlain: false }
    let result = await call(place, request)
    if (result.kind === 'refused' && result.location !== undefined) {
      const base = movedBase(url, addressOf(place, request.path, request.query ?? {}), result.location)
      if (base === undefined) return result
      place = { base, isPlain: false }
      result = await call(place, request)
    }
    if (isPage(result)) {
      const plain = { ...place, isPlain: true }
      const second = await call(plain, request)
      if (second.kind !== 'answered') return result
      place = plain
      result = second
    }
    if (result.kind === 'answered') known = place
    return result
  }

  const ask = async (request: SiteRequest): Promise<CmsAnswer | CmsFailure> => {
    if (known) return await call(known, request)
    if (request.method === 'GET') return await locate(request)
    const index = await locate({ method: 'GET', path: '', query: { _fields: 'name' } })
    return index.kind === 'answered' && known ? await call(known, request) : index
  }
  return { deps, ask }
}
