import type * as z from 'zod/mini'
import type { CmsFailure, CmsFailureCode } from '../../../publishing/target/cms-adapter.ts'
import {
  type CmsAnswer,
  type CmsCall,
  type CmsDeps,
  callCms,
  freshParameter,
  quotable,
  readAnswer,
  refused,
} from '../http.ts'
import { movedBase } from './transform.ts'
import { WordpressError, type WordpressErrorJson } from './types.ts'

/** Returns the WordPress error in an answer; undefined if there is none. */
export const errorIn = ({ json }: Pick<CmsAnswer, 'json'>): WordpressErrorJson | undefined => {
  const parsed = WordpressError.safeParse(json)
  return parsed.success ? parsed.data : undefined
}

/** True if WordPress refused a file. It answers 500 for a type or size that it does not allow. */
const isFileRefusal = (error: WordpressErrorJson | undefined): boolean =>
  error?.code.startsWith('rest_upload_') === true

const LARGE =
  'The web server drops files that are larger than post_max_size of its PHP: send a smaller one, or raise it.'

const PASSWORD_CAUSES =
  'Either the user name or the application password is wrong or was revoked, or the web server does not hand the Authorization header to PHP (Apache with CGI or FPM needs a rewrite rule for it).'

const RIGHTS_LACK = 'Give the connected user the role of an editor, or connect another user.'

/** True if an error hides a 401. A wrong password makes the caller anonymous, for whom a query for drafts has an invalid parameter. */
const isHidden401 = (error: WordpressErrorJson): boolean =>
  error.code === 'rest_invalid_param' && /"status":401/.test(JSON.stringify(error.data?.details ?? null))

const CODES: Record<number, CmsFailureCode> = {
  400: 'validation',
  401: 'auth_invalid',
  403: 'auth_forbidden',
  404: 'site_not_found',
  413: 'validation',
  422: 'validation',
}

const sentenceOf = (answer: CmsAnswer, error: WordpressErrorJson | undefined): string => {
  if (!error) return `WordPress answered HTTP ${answer.status}.`
  const params = error.data?.params ? ` ${quotable(error.data.params)}` : ''
  return `WordPress says: ${quotable(error.message || error.code)}${params} (${quotable(error.code)}).`
}

/** Returns the typed failure of an error answer. The hints are advice after a 401, and after WordPress's own 403. */
export const failureOf = (answer: CmsAnswer, hint = PASSWORD_CAUSES, rightsHint = RIGHTS_LACK): CmsFailure => {
  const error = errorIn(answer)
  const sentence = sentenceOf(answer, error)
  if (answer.status === 401 || (error && isHidden401(error)))
    return refused('auth_invalid', `${sentence} ${hint}`, answer.status)
  if (answer.status === 403 && error?.code.startsWith('rest_'))
    return refused('auth_forbidden', `${sentence} ${rightsHint}`, answer.status)
  if (isFileRefusal(error)) {
    const hint = error?.code === 'rest_upload_no_data' ? ` ${LARGE}` : ''
    return refused('validation', `${sentence}${hint}`, answer.status)
  }
  if (error?.code === 'slug_taken') return refused('slug_taken', sentence, answer.status)
  if (answer.status === 409) return refused('conflict', sentence, answer.status, error?.code.endsWith('_busy') === true)
  const code = answer.status < 300 ? 'unexpected_answer' : (CODES[answer.status] ?? 'unexpected_answer')
  return refused(code, sentence, answer.status, answer.status === 408 || answer.status === 425)
}

/** State that the parts of the core REST adapter share. */
export type Core = { site: Site; deps: CmsDeps }

/**
 * Calls core REST (https://developer.wordpress.org/rest-api/reference). `path` follows `wp/v2/`.
 *
 * Returns null if the id does not exist. Any other unexpected answer is a typed failure.
 */
export const askCore = async <T>(
  { site }: Core,
  schema: z.ZodMiniType<T>,
  request: SiteRequest,
): Promise<{ kind: 'done'; value: T | null } | CmsFailure> => {
  const answer = await site.ask({ ...request, path: `wp/v2/${request.path}` })
  if (answer.kind !== 'answered') return answer
  const code = errorIn(answer)?.code
  if (answer.status === 404 && code?.endsWith('_invalid_id')) return { kind: 'done', value: null }
  if (answer.status >= 300) return failureOf(answer)
  const read = readAnswer(schema, answer, { name: 'WordPress', writes: request.method !== 'GET' })
  return read.kind === 'got' ? { kind: 'done', value: read.value } : read
}

/** One request to the REST API of a site. `path` has no leading slash: `wp/v2/posts`. */
export type SiteRequest = Pick<CmsCall, 'json' | 'body' | 'headers' | 'timeoutMs'> & {
  method: 'GET' | 'POST'
  path: string
  query?: Record<string, string>
}

/** REST API of one site. `ask` finds its address with the first read. */
export type Site = { deps: CmsDeps; ask: (request: SiteRequest) => Promise<CmsAnswer | CmsFailure> }

/** Makes WordPress treat a POST as a read. Hosts cache GET, and some of their caches ignore parameters and `no-cache`. */
const AS_GET = { 'X-HTTP-Method-Override': 'GET' }

/** Address of the REST API: `/wp-json/`, or a query parameter if permalinks are plain. */
type Place = { base: string; isPlain: boolean }

const addressOf = ({ base, isPlain }: Place, path: string, query: Record<string, string>): string => {
  const parameters = new URLSearchParams(isPlain ? { rest_route: `/${path}`, ...query } : query).toString()
  return isPlain ? `${base}/?${parameters}` : `${base}/wp-json/${path}${parameters === '' ? '' : `?${parameters}`}`
}

/** True if a page answered instead of WordPress's API. */
const isPage = (result: CmsAnswer | CmsFailure): boolean => result.kind === 'refused' && result.isPage === true

/**
 * Returns a site's REST API. The first read finds its address, and follows a redirect to https or `www.`.
 *
 * A write goes only to an address that has answered before.
 */
export const openSite = (url: string, headers: Record<string, string>, deps: CmsDeps): Site => {
  let known: Place | undefined
  const call = (place: Place, { path, query = {}, method, headers: more, ...request }: SiteRequest) => {
    const isRead = method === 'GET'
    // The index only shows that the API is there.
    const isFresh = isRead && path !== ''
    return callCms(deps, {
      ...request,
      name: 'WordPress',
      method: isFresh ? 'POST' : method,
      url: addressOf(place, path, isFresh ? { ...query, ...freshParameter() } : query),
      headers: { ...headers, ...(isFresh ? AS_GET : {}), ...more },
      writes: !isRead,
      mayBeOld: !isFresh,
      isRefusal: (json) => isFileRefusal(errorIn({ json })),
      isOwnError: (json) => errorIn({ json }) !== undefined,
    })
  }

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
