import { type Answer, json } from '../receiver/answers.ts'
import { type StandIn, type StandInOptions, startStandIn } from '../stand-in.ts'
import type { StandInRequest } from '../stand-in-request.ts'
import {
  BLOG,
  type Collection,
  collectionsOf,
  error,
  faultsIn,
  type Item,
  id,
  type MoreFields,
  SITE,
  TAGS,
  validation,
} from './webflow-data.ts'

export type WebflowOptions = Pick<StandInOptions, 'port' | 'trouble'> & {
  token?: string
  scope?: string
  now?: () => Date
  /** Number of calls before the API answers 429. */
  callsLeft?: number
  /** True if taken slugs are changed silently, as older user reports say. */
  suffixes?: boolean
  customDomain?: string
  neverPublished?: boolean
  /** True if the `details` of an error are plain texts, as in some answers. */
  textDetails?: boolean
  /** More fields of the blog's collection. */
  fields?: MoreFields
}

export type WebflowStandIn = StandIn & {
  token: string
  siteId: string
  collectionId: string
  tagsId: string
  collection: (id: string) => Item[]
  uploads: { fields: string; assets: string[] }
}

type State = {
  collections: Map<string, Collection>
  made: number
  /** Calls of this minute, which began then (ms since 1970). */
  calls: number
  minute: number
  uploads: { fields: string; assets: string[] }
}
type World = { options: WebflowOptions; state: State; origin: () => string }

/** Returns the item of a request, and its faults. `self`: the id of the item that it changes. */
const readItem = (state: State, c: Collection, self: string | null, { body: given, query }: StandInRequest) => {
  const body = given as Partial<Item> | undefined
  const fields = { ...body?.fieldData }
  const skipsFiles = query.get('skipInvalidFiles') === 'true'
  return { body, fields, ...faultsIn(state.collections, c, fields, self, skipsFiles) }
}

const create = ({ options, state }: World, c: Collection, request: StandInRequest): Answer => {
  const { body, fields, details, isTaken } = readItem(state, c, null, request)
  if (!fields.name) details.push({ param: 'name', description: 'Field is required' })
  for (const f of c.fields)
    if (f.isRequired && !['name', 'slug'].includes(f.slug) && !fields[f.slug])
      details.push({ param: f.slug, description: 'Field is required' })
  if (isTaken && !options.suffixes)
    details.push({ param: 'slug', description: `Unique value is already in database: '${fields.slug}'` })
  if (details.length > 0) return validation(details, options.textDetails)
  if (isTaken) fields.slug = `${fields.slug}-e9f6b`
  const now = (options.now?.() ?? new Date()).toISOString()
  state.made += 1
  const item: Item = {
    id: id(100 + state.made),
    cmsLocaleId: id(9),
    lastPublished: null,
    lastUpdated: now,
    createdOn: now,
    isArchived: body?.isArchived ?? false,
    // A draft by default, since December 2024.
    isDraft: body?.isDraft ?? true,
    fieldData: fields,
  }
  c.items.set(item.id, item)
  return json(202, item)
}

const change = ({ options, state }: World, c: Collection, item: Item, request: StandInRequest): Answer => {
  const { body, fields, details, isTaken } = readItem(state, c, item.id, request)
  if (isTaken) details.push({ param: 'slug', description: `Unique value is already in database: '${fields.slug}'` })
  if (details.length > 0) return validation(details)
  Object.assign(item.fieldData, fields)
  if (body?.isDraft !== undefined) item.isDraft = body.isDraft
  if (body?.isArchived !== undefined) item.isArchived = body.isArchived
  item.lastUpdated = (options.now?.() ?? new Date()).toISOString()
  return json(200, item)
}

const publish = ({ options }: World, c: Collection, request: StandInRequest): Answer => {
  if (options.neverPublished) return error(409, 'conflict', 'Site must be published before items can be published')
  const ids = ((request.body as { itemIds?: string[] } | undefined)?.itemIds ?? []).slice(0, 100)
  const known = ids.filter((one) => c.items.has(one))
  for (const one of known) {
    const item = c.items.get(one)
    if (!item) continue
    item.lastPublished = (options.now?.() ?? new Date()).toISOString()
    item.isDraft = false
    c.live.set(one, structuredClone(item))
  }
  const errors = ids.filter((one) => !known.includes(one)).map((one) => `Staging item ID ${one} not found.`)
  return json(202, { publishedItemIds: known, errors })
}

const list = (c: Collection, query: URLSearchParams): Answer => {
  const items = [...c.items.values()].filter((item) =>
    ['slug', 'name'].every((field) => !query.has(field) || item.fieldData[field] === query.get(field)),
  )
  const limit = Number(query.get('limit') ?? 100)
  const offset = Number(query.get('offset') ?? 0)
  if (!(limit <= 100) || !(offset >= 0))
    return validation([{ param: 'limit', description: 'limit must be at most 100' }])
  return json(200, { items: items.slice(offset, offset + limit), pagination: { limit, offset, total: items.length } })
}

const missing = (): Answer => error(404, 'resource_not_found', 'Requested resource not found')

const inCollection = (world: World, c: Collection, [itemId, side]: string[], request: StandInRequest): Answer => {
  const { method } = request
  if (itemId === undefined) return method === 'POST' ? create(world, c, request) : list(c, request.query)
  if (itemId === 'publish' && method === 'POST') return publish(world, c, request)
  const item = side === 'live' ? c.live.get(itemId) : c.items.get(itemId)
  if (!item) return missing()
  if (method === 'GET') return json(200, item)
  if (method === 'PATCH' && side === undefined) return change(world, c, item, request)
  if (method !== 'DELETE') return missing()
  if (side === 'live') {
    // Removed from the live site; the staged item becomes a draft.
    c.live.delete(itemId)
    const staged = c.items.get(itemId)
    if (staged) Object.assign(staged, { isDraft: true, lastPublished: null })
    return { status: 204, headers: {}, body: '' }
  }
  if (side !== undefined) return missing()
  c.items.delete(itemId)
  c.live.delete(itemId)
  return { status: 204, headers: {}, body: '' }
}

const siteOf = (options: WebflowOptions) => ({
  id: SITE,
  workspaceId: id(8),
  displayName: 'The Shed',
  shortName: 'the-shed-12ab',
  customDomains: options.customDomain ? [{ id: id(7), url: options.customDomain }] : [],
  lastPublished: options.neverPublished ? null : '2026-01-02T03:04:05.000Z',
})

const asset = ({ options, origin, state }: World, request: StandInRequest): Answer => {
  if (options.scope && !options.scope.includes('assets:write'))
    return error(403, 'missing_scopes', "OAuthForbidden: You are missing the following scopes - 'assets:write'")
  const { fileName = '', fileHash = '' } = (request.body ?? {}) as { fileName?: string; fileHash?: string }
  if (!/^[0-9a-f]{32}$/.test(fileHash)) return validation([{ param: 'fileHash', description: 'must be an MD5 hash' }])
  state.uploads.assets.push(fileName)
  return json(200, {
    id: id(50),
    contentType: 'image/png',
    uploadUrl: `${origin()}/s3`,
    uploadDetails: {
      acl: 'public-read',
      key: `a/${fileName}`,
      Policy: 'p',
      'X-Amz-Signature': 's',
      success_action_status: '201',
    },
    hostedUrl: `https://uploads.webflow.example/${fileHash}_${fileName}`,
  })
}

const route = (world: World, request: StandInRequest): Answer => {
  const { options, state } = world
  const [version, kind, one, part, ...rest] = request.path.split('/').slice(1)
  if (version === 's3') {
    state.uploads.fields = request.raw.toString('latin1')
    return { status: 201, headers: { 'content-type': 'application/xml' }, body: '<PostResponse/>' }
  }
  if (version !== 'v2') return missing()
  if (request.headers.authorization !== `Bearer ${options.token ?? TOKEN}`)
    return error(401, 'not_authorized', 'Request not authorized')
  if (kind === 'token' && one === 'introspect')
    return json(200, { authorization: { grantType: 'site', scope: options.scope ?? 'cms:read,cms:write,sites:read' } })
  if (kind === 'sites' && one === SITE) {
    if (part === 'assets' && request.method === 'POST') return asset(world, request)
    if (part !== 'collections') return json(200, siteOf(options))
    return json(200, {
      collections: [...state.collections.values()].map(({ id: one, displayName, slug }) => ({
        id: one,
        displayName,
        slug,
      })),
    })
  }
  const collection = kind === 'collections' ? state.collections.get(one ?? '') : undefined
  if (!collection) return missing()
  if (part === 'items') return inCollection(world, collection, rest, request)
  const { items: _, live: __, ...shown } = collection
  return json(200, shown)
}

/** Counts calls as the API does. A header has the number left; with none left, the answer is 429 with Retry-After. */
const counted = (world: World, request: StandInRequest): Answer => {
  const { options, state } = world
  const limit = options.callsLeft
  const at = (options.now?.() ?? new Date()).getTime()
  if (at - state.minute >= 60_000) {
    state.minute = at
    state.calls = 0
  }
  state.calls += 1
  if (limit !== undefined && state.calls > limit)
    return {
      ...error(429, 'too_many_requests', 'Rate limit hit'),
      headers: { 'content-type': 'application/json', 'retry-after': '41' },
    }
  const answer = route(world, request)
  return limit === undefined
    ? answer
    : {
        ...answer,
        headers: { ...answer.headers, 'x-ratelimit-limit': '60', 'x-ratelimit-remaining': String(limit - state.calls) },
      }
}

const TOKEN = 'webflow-site-token-0123456789'

/**
 * Starts Webflow's Data API v2 with one site: blog posts, tags and authors.
 *
 * Reproduces:
 * - 202 with `errors`, slugs refused or changed, an unchanged slug refused in PATCH
 * - lengths and ids that are checked, images of more than 4 MB
 * - new items that are drafts, items neither draft nor published, a site never published
 * - `<pre>` emptied
 */
export const startWebflow = async (options: WebflowOptions = {}): Promise<WebflowStandIn> => {
  const state: State = {
    collections: collectionsOf(options.fields ?? []),
    made: 0,
    calls: 0,
    minute: 0,
    uploads: { fields: '', assets: [] },
  }
  let origin = ''
  const world: World = { options, state, origin: () => origin }
  const standIn = await startStandIn({
    ...options,
    answer: (request) => counted(world, request),
    posts: () => [...(state.collections.get(BLOG)?.items.values() ?? [])],
  })
  origin = standIn.url
  return {
    ...standIn,
    token: options.token ?? TOKEN,
    siteId: SITE,
    collectionId: BLOG,
    tagsId: TAGS,
    collection: (one) => [...(state.collections.get(one)?.items.values() ?? [])],
    uploads: state.uploads,
  }
}
