import type { CmsFailure } from '../../publishing/target/cms-adapter.ts'
import {
  type CmsAnswer,
  type CmsCall,
  type CmsDeps,
  callCms,
  type Got,
  got,
  quotable,
  readAnswer,
  refused,
} from '../cms/http.ts'
import {
  Authors,
  Blogs,
  Categories,
  GhlError,
  type GhlNamed,
  Posts,
  SlugCheck,
  Uploaded,
  Written,
  wordsOf,
} from './transform.ts'

const NAME = 'GoHighLevel'
/** Versions of the API. Lists of every status, and updates that keep their text, need v3. For other calls the older version is proven. */
const V2021 = '2021-07-28'
const V3 = 'v3'
const DAY_SPENT_S = 3_600
/** Most entries on a page of any list, and most pages that are read. */
export const PAGE = 50
export const MAX_PAGES = 20

const NEW_TOKEN = 'Copy it again from Settings, Private Integrations, or rotate it there, and connect with it.'

const refusalOf = ({ status, json }: CmsAnswer, scope: string): CmsFailure => {
  const parsed = GhlError.safeParse(json)
  const words = parsed.success ? wordsOf(parsed.data) : ''
  const reason = (what: string) => `${NAME} ${what}${words ? ` (${quotable(words)})` : ''}.`
  if (status === 401 && /not authorized for this scope/i.test(words))
    return refused(
      'auth_forbidden',
      `The private token lacks the scope ${scope}. Add it to the private integration.`,
      status,
    )
  if (status === 401 && /user type|authClass/i.test(words))
    return refused(
      'auth_forbidden',
      reason('wants a private integration of the sub-account, not of the agency'),
      status,
    )
  if (status === 401)
    return refused('auth_invalid', `${reason('does not accept the private token')} ${NEW_TOKEN}`, status)
  if (status === 403) return refused('auth_forbidden', reason('does not let the token at this location'), status)
  if (status === 404) return refused('site_not_found', reason('does not find this'), status)
  return refused('validation', reason('refuses the request'), status)
}

/** Returns the seconds until calls are allowed again: the burst's window, or an hour if the day's calls are used up. */
const waitOf = (headers: Headers): number | undefined => {
  if (headers.get('x-ratelimit-daily-remaining') === '0') return DAY_SPENT_S
  const windowMs = Number(headers.get('x-ratelimit-interval-milliseconds') ?? Number.NaN)
  return Number.isFinite(windowMs) && windowMs > 0 ? Math.ceil(windowMs / 1000) : undefined
}

type Call<T> = {
  method: CmsCall['method']
  path: string
  scope: string
  schema: Parameters<typeof readAnswer<T>>[0]
  version?: string
  json?: unknown
  body?: FormData
}

const queryOf = (values: Record<string, string | number>): string =>
  Object.entries(values)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&')

/**
 * Returns the calls of GoHighLevel's blog API for one location (https://github.com/GoHighLevel/highlevel-api-docs).
 *
 * Each call names its scope, because a missing scope is a 401 like a wrong token.
 */
export const gohighlevelApi = (deps: CmsDeps, baseUrl: string, token: string, locationId: string) => {
  const call = async <T>({ method, path, scope, schema, version = V2021, json, body }: Call<T>): Promise<Got<T>> => {
    const writes = method !== 'GET'
    const answer = await callCms(deps, {
      name: NAME,
      method,
      url: `${baseUrl}${path}`,
      headers: { Authorization: `Bearer ${token}`, Version: version },
      ...(json === undefined ? {} : { json }),
      ...(body === undefined ? {} : { body }),
      writes,
      waitOf,
      isOwnError: (json) => GhlError.safeParse(json).data?.statusCode !== undefined,
    })
    if (answer.kind !== 'answered') return answer
    return answer.status >= 400 ? refusalOf(answer, scope) : readAnswer(schema, answer, { name: NAME, writes })
  }
  const get = <T>(path: string, scope: string, schema: Call<T>['schema'], version = V2021) =>
    call({ method: 'GET', path, scope, schema, version })
  /** Returns all entries of a list, read page by page until the list's count is reached. */
  const all = async (
    page: (offset: number) => Promise<Got<{ list: GhlNamed[]; count?: number | null | undefined }>>,
  ): Promise<Got<GhlNamed[]>> => {
    const list: GhlNamed[] = []
    for (let n = 0; n < MAX_PAGES; n += 1) {
      const asked = await page(n * PAGE)
      if (asked.kind !== 'got') return asked
      list.push(...asked.value.list)
      const { length } = asked.value.list
      if (length === 0 || list.length >= (asked.value.count ?? Number.POSITIVE_INFINITY)) break
      if (asked.value.count == null && length < PAGE) break
    }
    return got(list)
  }
  return {
    // This list uses `skip`, the others use `offset`, and each refuses the other parameter.
    blogs: () => get(`/blogs/site/all?${queryOf({ locationId, limit: PAGE, skip: 0 })}`, 'blogs/list.readonly', Blogs),
    posts: (blogId: string, offset: number, searchTerm?: string) =>
      get(
        `/blogs/posts/all?${queryOf({ locationId, blogId, limit: PAGE, offset, status: 'ALL', ...(searchTerm ? { searchTerm } : {}) })}`,
        'blogs/posts.readonly',
        Posts,
        V3,
      ),
    authors: () =>
      all(async (offset) => {
        const query = queryOf({ locationId, limit: PAGE, offset })
        const asked = await get(`/blogs/authors?${query}`, 'blogs/author.readonly', Authors)
        return asked.kind === 'got' ? got({ list: asked.value.authors, count: asked.value.count }) : asked
      }),
    categories: () =>
      all(async (offset) => {
        const query = queryOf({ locationId, limit: PAGE, offset })
        const asked = await get(`/blogs/categories?${query}`, 'blogs/category.readonly', Categories)
        return asked.kind === 'got' ? got({ list: asked.value.categories, count: asked.value.count }) : asked
      }),
    isSlugTaken: (urlSlug: string) =>
      get(`/blogs/posts/url-slug-exists?${queryOf({ locationId, urlSlug })}`, 'blogs/check-slug.readonly', SlugCheck),
    create: (json: object) =>
      call({ method: 'POST', path: '/blogs/posts', scope: 'blogs/post.write', schema: Written, json }),
    change: (id: string, json: object) =>
      call({
        method: 'PUT',
        path: `/blogs/posts/${encodeURIComponent(id)}`,
        scope: 'blogs/post-update.write',
        schema: Written,
        version: V3,
        json,
      }),
    upload: (body: FormData) =>
      call({ method: 'POST', path: '/medias/upload-file', scope: 'medias.write', schema: Uploaded, body }),
  }
}

export type GohighlevelApi = ReturnType<typeof gohighlevelApi>
