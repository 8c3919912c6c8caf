import type { CmsFailure } from '../../../publishing/target/cms-adapter.ts'
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
} from '../http.ts'
import { detailsOf, isSlugTaken } from './transform.ts'
import {
  WebflowAsset,
  WebflowCollection,
  WebflowCollections,
  WebflowError,
  WebflowItem,
  WebflowItems,
  WebflowPublished,
  WebflowSite,
  WebflowToken,
} from './types.ts'

const NAME = 'Webflow'
/** Webflow counts calls by the minute (60 or 120 per key, by plan). */
const WINDOW_S = 60

type Schema<T> = Parameters<typeof readAnswer<T>>[0]
type Fields = Record<string, unknown>
export type ItemBody = { isDraft?: boolean; isArchived?: boolean; fieldData: Fields }

const ITEM_SCOPES = 'cms:read, cms:write and sites:read'

/** Returns the API's refusal, in its own words. `scopes` are those that the call needs. */
const refusalOf = (answer: CmsAnswer, scopes = ITEM_SCOPES): CmsFailure => {
  const parsed = WebflowError.safeParse(answer.json)
  const error = parsed.success ? parsed.data : {}
  const words = [error.message, ...detailsOf(error)].filter((part) => part).join('; ')
  const reason = (what: string) => `${NAME} ${what}${words ? ` (${quotable(words)})` : ''}.`
  const { status } = answer
  if (status === 401) return refused('auth_invalid', reason('does not accept the API token'), status)
  if (status === 403)
    return refused('auth_forbidden', reason(`says that the token may not do this: it needs ${scopes}`), status)
  if (status === 404) return refused('site_not_found', reason('does not find this'), status)
  if (status === 409) return refused('conflict', reason('refuses because of the state the site is in'), status)
  if (isSlugTaken(error)) return refused('slug_taken', reason('already has an item with this slug'), status)
  if (status === 402 || /\b(limit|plan|quota)\b/i.test(words)) return refused('plan_limit', reason('refuses'), status)
  return refused('validation', reason('refuses the request'), status)
}

/** A write that Webflow found invalid: the failure, and the error that names the fields. */
export type Refusal = { failure: CmsFailure; error: WebflowError }

/**
 * Returns the calls of Webflow's Data API v2 (https://developers.webflow.com/data/reference).
 *
 * After an answer without calls left in this minute (X-RateLimit-Remaining: 0), further calls are refused here.
 *
 * After a write, the next minute is waited for once instead, so that no item is left incomplete.
 */
export const webflowApi = (deps: CmsDeps, baseUrl: string, token: string) => {
  let [isSpent, hasWritten, hasWaited] = [false, false, false]
  const send = async (
    method: CmsCall['method'],
    path: string,
    { json, writes = method !== 'GET' }: { json?: unknown; writes?: boolean } = {},
  ): Promise<CmsAnswer | CmsFailure> => {
    if (isSpent && hasWritten && !hasWaited) {
      hasWaited = true
      isSpent = false
      await deps.sleep(WINDOW_S * 1_000)
    }
    if (isSpent)
      return {
        kind: 'refused',
        code: 'rate_limited',
        reason: `Waiting for ${NAME}'s rate: its calls of this minute are used up.`,
        retryable: true,
        retryAfterS: WINDOW_S,
      }
    const answer = await callCms(deps, {
      name: NAME,
      method,
      url: `${baseUrl}/v2${path}`,
      headers: { Authorization: `Bearer ${token}` },
      ...(json === undefined ? {} : { json }),
      writes,
      waitOf: () => WINDOW_S,
      isOwnError: (json) => Boolean(WebflowError.safeParse(json).data?.code),
    })
    if (writes) hasWritten = true
    isSpent = answer.kind === 'answered' && answer.headers.get('x-ratelimit-remaining') === '0'
    return answer
  }
  const isOk = ({ status }: CmsAnswer): boolean => status >= 200 && status < 300
  const get = async <T>(path: string, schema: Schema<T>): Promise<Got<T>> => {
    const answer = await send('GET', path)
    if (answer.kind !== 'answered') return answer
    return isOk(answer) ? readAnswer(schema, answer, { name: NAME, writes: false }) : refusalOf(answer)
  }
  /** Like `get`, but returns null if the API answers 404. */
  const getOrNull = async <T>(path: string, schema: Schema<T>): Promise<Got<T | null>> => {
    const answer = await get(path, schema)
    return answer.kind === 'refused' && answer.code === 'site_not_found' ? got(null) : answer
  }
  const write = async <T>(
    method: 'POST' | 'PATCH',
    path: string,
    json: unknown,
    schema: Schema<T>,
    scopes?: string,
  ): Promise<Got<T> | { kind: 'invalid'; refusal: Refusal }> => {
    const answer = await send(method, path, { json })
    if (answer.kind !== 'answered') return answer
    if (isOk(answer)) return readAnswer(schema, answer, { name: NAME, writes: true })
    const failure = refusalOf(answer, scopes)
    const error = WebflowError.safeParse(answer.json)
    return error.success && failure.kind === 'refused' && failure.code === 'validation'
      ? { kind: 'invalid', refusal: { failure, error: error.data } }
      : failure
  }
  const items = (collectionId: string) => `/collections/${encodeURIComponent(collectionId)}/items`
  const item = (collectionId: string, id: string) => `${items(collectionId)}/${encodeURIComponent(id)}`
  return {
    site: (id: string) => get(`/sites/${encodeURIComponent(id)}`, WebflowSite),
    collections: (siteId: string) => get(`/sites/${encodeURIComponent(siteId)}/collections`, WebflowCollections),
    /** Returns the token's scopes; null if the answer has none. */
    rights: async (): Promise<Got<string[] | null>> => {
      const introspected = await get('/token/introspect', WebflowToken)
      if (introspected.kind !== 'got') return introspected
      const { scope } = introspected.value.authorization
      return got(scope ? scope.split(/[\s,]+/) : null)
    },
    collection: (id: string) => get(`/collections/${encodeURIComponent(id)}`, WebflowCollection),
    item: (collectionId: string, id: string) => getOrNull(item(collectionId, id), WebflowItem),
    /** Returns the published version of an item, which is the one readers see. */
    liveItem: (collectionId: string, id: string) => getOrNull(`${item(collectionId, id)}/live`, WebflowItem),
    itemsBy: (collectionId: string, field: 'slug' | 'name', value: string) =>
      get(`${items(collectionId)}?${new URLSearchParams({ [field]: value, limit: '1' })}`, WebflowItems),
    /** Returns the first hundred items of a collection, and their total number. */
    firstItems: (collectionId: string) => get(`${items(collectionId)}?limit=100`, WebflowItems),
    /** Returns a hundred items of a collection from a place on. */
    itemsFrom: (collectionId: string, offset: number) =>
      get(`${items(collectionId)}?limit=100&offset=${offset}`, WebflowItems),
    // Without skipInvalidFiles, an image that cannot be fetched makes the whole item fail.
    create: (collectionId: string, body: ItemBody) =>
      write('POST', `${items(collectionId)}?skipInvalidFiles=true`, body, WebflowItem),
    change: (collectionId: string, id: string, body: Partial<ItemBody>) =>
      write('PATCH', `${item(collectionId, id)}?skipInvalidFiles=true`, body, WebflowItem),
    publish: (collectionId: string, ids: readonly string[]) =>
      write('POST', `${items(collectionId)}/publish`, { itemIds: ids }, WebflowPublished),
    /** Removes an item from the live site. The staged item becomes a draft. */
    unpublish: async (collectionId: string, id: string): Promise<Got<'taken_down' | 'not_live'>> => {
      const answer = await send('DELETE', `${item(collectionId, id)}/live`)
      if (answer.kind !== 'answered') return answer
      if (answer.status === 404) return got('not_live')
      return isOk(answer) ? got('taken_down') : refusalOf(answer)
    },
    /** Deletes an item. Returns true if it is gone. */
    remove: async (collectionId: string, id: string): Promise<boolean> => {
      const answer = await send('DELETE', item(collectionId, id))
      return answer.kind === 'answered' && (answer.status < 300 || answer.status === 404)
    },
    newAsset: (siteId: string, fileName: string, fileHash: string) =>
      write(
        'POST',
        `/sites/${encodeURIComponent(siteId)}/assets`,
        { fileName, fileHash },
        WebflowAsset,
        'assets:write',
      ),
  }
}

export type WebflowApi = ReturnType<typeof webflowApi>
