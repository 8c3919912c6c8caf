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

/**
 * Ways to the REST API, in the order to try them. The first needs permalinks; the others work without, or behind a web server that
 * keeps `/wp-json/` from WordPress (https://developer.wordpress.org/rest-api/using-the-rest-api/discovery/).
 */
const WAYS = ['/wp-json/', '/?rest_route=/', '/index.php?rest_route=/', '/index.php/wp-json/'] as const

/** Address of the REST API. `endsInSlash`: the host redirects paths without a slash at the end, or with one. */
type Place = { base: string; way: (typeof WAYS)[number]; endsInSlash?: boolean | undefined }

const addressOf = ({ base, way, endsInSlash }: Place, path: string, query: Record<string, string>): string => {
  const url = new URL(`${base}${way}`)
  for (const [name, value] of Object.entries(query)) url.searchParams.append(name, value)
  if (url.searchParams.has('rest_route')) url.searchParams.set('rest_route', `/${path}`)
  else url.pathname += path
  if (endsInSlash !== undefined) url.pathname = url.pathname.replace(/\/*$/, endsInSlash ? '/' : '')
  return url.href
}

/** Returns the place to which a redirect leads if it only adds https, `www.` or a slash at the end, or takes one away. */
const movedTo = (place: Place, asked: string, location: string): Place | undefined => {
  const base = movedBase(place.base, asked, location)
  if (base !== undefined) return { ...place, base }
  const [from, to] = [new URL(asked), URL.parse(location, asked)]
  const isOwn = to?.origin === from.origin && to.search === from.search
  if (!isOwn || to.pathname.replace(/\/*$/, '') !== from.pathname.replace(/\/*$/, '')) return undefined
  const endsInSlash = to.pathname.endsWith('/')
  return endsInSlash === from.pathname.endsWith('/') ? undefined : { ...place, endsInSlash }
}

/** Most redirects that are followed: to https, to `www.`, and to another end of the path. */
const MAX_MOVES = 3

const locationOf = (result: CmsAnswer | CmsFailure): string | undefined =>
  result.kind === 'refused' ? result.location : undefined

/** True if something other than WordPress's API answered: a page, or a redirect elsewhere. */
const isInTheWay = (result: CmsAnswer | CmsFailure): boolean =>
  result.kind === 'refused' && (result.isPage === true || result.location !== undefined)

/** Returns the refusal of a site of which every way to the REST API leads elsewhere. */
const namingTheWay = (base: string, result: CmsAnswer | CmsFailure): CmsAnswer | CmsFailure => {
  const location = locationOf(result)
  if (result.kind !== 'refused' || location === undefined) return result
  const reason = `${base}/wp-json/ and the other addresses of WordPress's REST API lead to ${quotable(location)}. A plugin or a rule of the host is in the way: allow the REST API there, then connect again.`
  return { ...result, reason }
}

/**
 * Returns a site's REST API. The first read finds its address among the ways that WordPress has, and follows redirects of the host
 * to https, to `www.`, and to a path with or without a slash.
 *
 * A write goes only to an address that has answered before, and is repeated only after a redirect, which did nothing.
 */
export const openSite = (url: string, headers: Record<string, string>, deps: CmsDeps): Site => {
  let known: Place | undefined
  const send = (place: Place, { path, query = {}, method, headers: more, ...request }: SiteRequest) => {
    const isRead = method === 'GET'
    // The index only shows that the API is there.
    const isFresh = isRead && path !== ''
    const address = addressOf(place, path, isFresh ? { ...query, ...freshParameter() } : query)
    const result = callCms(deps, {
      ...request,
      name: 'WordPress',
      method: isFresh ? 'POST' : method,
      url: address,
      headers: { ...headers, ...(isFresh ? AS_GET : {}), ...more },
      writes: !isRead,
      mayBeOld: !isFresh,
      isRefusal: (json) => isFileRefusal(errorIn({ json })),
      isOwnError: (json) => errorIn({ json }) !== undefined,
    })
    return result.then((answer) => ({ address, answer }))
  }

  /** Makes a request at a place, and follows its moves. */
  const call = async (
    place: Place,
    request: SiteRequest,
  ): Promise<{ place: Place; answer: CmsAnswer | CmsFailure }> => {
    let at = place
    let sent = await send(at, request)
    for (let moves = 0; moves < MAX_MOVES; moves += 1) {
      const location = locationOf(sent.answer)
      const next = location === undefined ? undefined : movedTo(at, sent.address, location)
      if (next === undefined) break
      at = next
      sent = await send(at, request)
    }
    return { place: at, answer: sent.answer }
  }

  const locate = async (request: SiteRequest): Promise<CmsAnswer | CmsFailure> => {
    let first: CmsAnswer | CmsFailure | undefined
    let base = url
    for (const way of WAYS) {
      const { place, answer } = await call({ base, way }, request)
      if (answer.kind === 'answered') {
        known = place
        return answer
      }
      first ??= answer
      if (!isInTheWay(answer)) return first
      base = place.base
    }
    return namingTheWay(base, first as CmsFailure)
  }

  const ask = async (request: SiteRequest): Promise<CmsAnswer | CmsFailure> => {
    if (known === undefined) {
      if (request.method === 'GET') return await locate(request)
      const index = await locate({ method: 'GET', path: '', query: { _fields: 'name' } })
      if (index.kind !== 'answered' || known === undefined) return index
    }
    const { place, answer } = await call(known, request)
    known = place
    return answer
  }
  return { deps, ask }
}
