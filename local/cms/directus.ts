import { randomUUID } from 'node:crypto'
import { type Answer, json } from '../receiver/answers.ts'
import { type StandIn, type StandInOptions, startStandIn } from '../stand-in.ts'
import type { StandInRequest } from '../stand-in-request.ts'

/** Field of a collection as `/fields` lists it. */
type FieldRow = {
  field: string
  type: string
  nullable?: false
  unique?: true
  max?: number
  default?: unknown
  interface?: string
  special?: readonly string[]
  choices?: readonly string[]
  key?: 'chosen' | 'counted'
}

type DirectusItem = Record<string, unknown>
type Action = 'create' | 'read' | 'update' | 'delete'

export type DirectusOptions = Pick<StandInOptions, 'port' | 'trouble'> & {
  now?: () => Date
  /** Fields of the collection `posts`, in place of the usual ones. */
  fields?: readonly FieldRow[]
  /** Actions that the token may do, by collection. */
  may?: { posts?: readonly Action[]; directus_files?: readonly Action[] }
  /** Called before an item is changed, as by an editor at the same moment. */
  beforeChange?: (item: DirectusItem) => void
  /** True if the token may not read the fields of collections. */
  hidesFields?: boolean
  /** True if everybody may read files. */
  showsFiles?: boolean
}

export type DirectusStandIn = StandIn & {
  token: string
  items: () => DirectusItem[]
  files: Map<string, { url: string; title: string }>
}

/** The usual collection of posts. An item without a status becomes public, as a collection may set it. */
export const DIRECTUS_FIELDS: readonly FieldRow[] = [
  { field: 'id', type: 'uuid', nullable: false, special: ['uuid'], key: 'chosen' },
  {
    field: 'status',
    type: 'string',
    nullable: false,
    default: 'published',
    interface: 'select-dropdown',
    choices: ['published', 'draft', 'archived'],
  },
  { field: 'date_created', type: 'timestamp', special: ['date-created'] },
  { field: 'date_updated', type: 'timestamp', special: ['date-updated'] },
  { field: 'title', type: 'string', nullable: false, max: 255, interface: 'input' },
  { field: 'slug', type: 'string', unique: true, max: 255, interface: 'input' },
  { field: 'content', type: 'text', interface: 'input-rich-text-html' },
  { field: 'description', type: 'text', interface: 'input-multiline' },
  { field: 'image', type: 'uuid', special: ['file'], interface: 'file-image' },
  { field: 'image_alt', type: 'string', max: 255, interface: 'input' },
  { field: 'date', type: 'dateTime', interface: 'datetime' },
  { field: 'author', type: 'string', max: 255, interface: 'input' },
  { field: 'category', type: 'string', max: 255, interface: 'input' },
  { field: 'tags', type: 'json', special: ['cast-json'], interface: 'tags' },
  { field: 'rating', type: 'integer', interface: 'input' },
  { field: 'featured', type: 'boolean', special: ['cast-boolean'], interface: 'boolean' },
  { field: 'layout', type: 'string', max: 255, interface: 'select-dropdown', choices: ['wide', 'narrow'] },
  { field: 'takeaways', type: 'text', interface: 'input-rich-text-md' },
  {
    field: 'badges',
    type: 'json',
    special: ['cast-json'],
    interface: 'select-multiple-dropdown',
    choices: ['new', 'top'],
  },
]

type World = {
  options: DirectusOptions
  token: string
  fields: readonly FieldRow[]
  items: Map<string, DirectusItem>
  files: DirectusStandIn['files']
  made: number
  now: () => Date
}

const error = (status: number, code: string, message: string, extensions: object = {}): Answer =>
  json(status, { errors: [{ message, extensions: { ...extensions, code } }] })

const forbidden = (message = "You don't have permission to access this."): Answer => error(403, 'FORBIDDEN', message)

const notUnique = (field: string): Answer =>
  error(400, 'RECORD_NOT_UNIQUE', `Value for field "${field}" in collection "posts" has to be unique.`, {
    collection: 'posts',
    field,
  })

const invalid = (field: string, type: string, message: string): Answer =>
  error(400, 'FAILED_VALIDATION', `Validation failed for field "${field}". ${message}`, { field, type, path: [] })

const may = ({ options }: World, collection: 'posts' | 'directus_files', action: Action): boolean =>
  (options.may?.[collection] ?? ['create', 'read', 'update', 'delete']).includes(action)

const shownField = (row: FieldRow) => ({
  collection: 'posts',
  field: row.field,
  type: row.type,
  schema: {
    name: row.field,
    table: 'posts',
    data_type: row.type,
    default_value: row.default ?? null,
    max_length: row.max ?? null,
    is_nullable: row.nullable ?? true,
    is_unique: row.unique ?? row.key !== undefined,
    is_primary_key: row.key !== undefined,
    has_auto_increment: row.key === 'counted',
    is_generated: false,
  },
  meta: {
    collection: 'posts',
    field: row.field,
    special: row.special ?? null,
    interface: row.interface ?? null,
    options: row.choices ? { choices: row.choices.map((value) => ({ text: value, value })) } : null,
    readonly: false,
    required: false,
  },
})

type Filter = { [name: string]: unknown }

const meets = (item: DirectusItem, filter: Filter): boolean =>
  Object.entries(filter).every(([name, condition]) => {
    if (name === '_and') return (condition as Filter[]).every((one) => meets(item, one))
    if (name === '_or') return (condition as Filter[]).some((one) => meets(item, one))
    const { _eq, _neq } = condition as { _eq?: unknown; _neq?: unknown }
    if (_eq !== undefined) return String(item[name]) === String(_eq)
    return _neq === undefined || String(item[name]) !== String(_neq)
  })

/** Returns the names of fields that a filter uses. */
const namesIn = (filter: Filter): string[] =>
  Object.entries(filter).flatMap(([name, condition]) =>
    name === '_and' || name === '_or' ? (condition as Filter[]).flatMap(namesIn) : [name],
  )

const keyOf = ({ fields }: World): string => fields.find(({ key }) => key !== undefined)?.field ?? 'id'

const noField = (name: string): Answer =>
  forbidden(`You don't have permission to access field "${name}" in collection "posts" or it does not exist.`)

/** Returns the item with the wanted fields, or the refusal of a field that does not exist. */
const shown = (world: World, item: DirectusItem, query: URLSearchParams): DirectusItem | Answer => {
  const names = query.get('fields')?.split(',') ?? world.fields.map(({ field }) => field)
  const unknown = names.find((name) => !world.fields.some(({ field }) => field === name))
  if (unknown !== undefined) return noField(unknown)
  return Object.fromEntries(names.map((name) => [name, item[name] ?? null]))
}

const isAnswer = (one: DirectusItem | Answer): one is Answer => 'status' in one && 'headers' in one

/** Returns the answer of a write. A writer who may not read gets none. */
const written = (world: World, item: DirectusItem, query: URLSearchParams): Answer => {
  if (!may(world, 'posts', 'read')) return { status: 204, headers: {}, body: '' }
  const one = shown(world, item, query)
  return isAnswer(one) ? one : json(200, { data: one })
}

/** Returns the refusal of values; undefined if they can be stored. */
const wrongIn = (world: World, given: DirectusItem, own: DirectusItem | undefined): Answer | undefined => {
  const others = [...world.items.values()].filter((item) => item !== own)
  for (const [name, value] of Object.entries(given)) {
    const row = world.fields.find(({ field }) => field === name)
    // A field that does not exist is ignored without a word.
    if (!row) continue
    const isUnique = row.unique || row.key !== undefined
    if (isUnique && value !== null && others.some((item) => item[name] === value)) return notUnique(name)
    if (row.max !== undefined && typeof value === 'string' && value.length > row.max)
      return error(400, 'VALUE_TOO_LONG', `Value "${value}" for field "${name}" in collection "posts" is too long.`, {
        collection: 'posts',
        field: name,
        value,
      })
    if (row.special?.includes('file') && value !== null && !world.files.has(String(value)))
      return error(400, 'INVALID_FOREIGN_KEY', 'Invalid foreign key.', { collection: null, field: null })
  }
  const empty = world.fields.find(
    ({ field, nullable, default: usual, key }) =>
      nullable === false &&
      key === undefined &&
      usual === undefined &&
      (own ? given[field] === null : (given[field] ?? null) === null),
  )
  return empty && invalid(empty.field, 'required', 'Value is required.')
}

const known = ({ fields }: World, given: DirectusItem): DirectusItem =>
  Object.fromEntries(Object.entries(given).filter(([name]) => fields.some(({ field }) => field === name)))

const create = (world: World, given: DirectusItem, query: URLSearchParams): Answer => {
  if (!may(world, 'posts', 'create')) return forbidden()
  const refusal = wrongIn(world, given, undefined)
  if (refusal) return refusal
  world.made += 1
  const key = keyOf(world)
  const isCounted = world.fields.some((row) => row.key === 'counted')
  const item: DirectusItem = {
    ...Object.fromEntries(world.fields.map((row) => [row.field, row.default ?? null])),
    ...known(world, given),
    [key]: given[key] ?? (isCounted ? world.made : randomUUID()),
    ...(world.fields.some(({ field }) => field === 'date_created')
      ? { date_created: world.now().toISOString(), date_updated: null }
      : {}),
  }
  world.items.set(String(item[key]), item)
  return written(world, item, query)
}

const onItem = (world: World, id: string, { method, query, body }: StandInRequest): Answer => {
  const item = world.items.get(id)
  if (method === 'DELETE') {
    if (!item || !may(world, 'posts', 'delete')) return forbidden()
    world.items.delete(id)
    return { status: 204, headers: {}, body: '' }
  }
  if (method !== 'PATCH' || !item || !may(world, 'posts', 'update')) return forbidden()
  const given = body as DirectusItem
  const refusal = wrongIn(world, given, item)
  if (refusal) return refusal
  world.options.beforeChange?.(item)
  const hasTime = world.fields.some(({ field }) => field === 'date_updated')
  Object.assign(item, known(world, given), hasTime ? { date_updated: world.now().toISOString() } : {})
  return written(world, item, query)
}

const list = (world: World, query: URLSearchParams): Answer => {
  if (!may(world, 'posts', 'read')) return forbidden()
  const filter = JSON.parse(query.get('filter') ?? '{}') as Filter
  const unknown = namesIn(filter).find((name) => !world.fields.some(({ field }) => field === name))
  if (unknown !== undefined) return noField(unknown)
  const found = [...world.items.values()]
    .filter((item) => meets(item, filter))
    .slice(0, Number(query.get('limit') ?? 100))
    .map((item) => shown(world, item, query))
  return found.find(isAnswer) ?? json(200, { data: found })
}

const onItems = (world: World, [collection, id]: string[], request: StandInRequest): Answer => {
  if (collection !== 'posts') return forbidden()
  if (id !== undefined) return onItem(world, id, request)
  return request.method === 'GET'
    ? list(world, request.query)
    : create(world, request.body as DirectusItem, request.query)
}

const onFiles = (world: World, [id = '']: string[], { method, body }: StandInRequest): Answer => {
  if (id === 'import' && method === 'POST') {
    if (!may(world, 'directus_files', 'create')) return forbidden()
    const { url, data } = body as { url: string; data?: { id?: string; title?: string } }
    if (/broken/.test(url))
      return error(
        503,
        'SERVICE_UNAVAILABLE',
        `Service "external-file" is unavailable. Couldn't fetch file from URL "${url}".`,
      )
    const made = data?.id ?? randomUUID()
    world.files.set(made, { url, title: data?.title ?? '' })
    return json(200, { data: { id: made } })
  }
  return may(world, 'directus_files', 'read') && world.files.has(id) ? json(200, { data: { id } }) : forbidden()
}

const rights = (world: World) =>
  Object.fromEntries(
    (['posts', 'directus_files'] as const).map((collection) => [
      collection,
      Object.fromEntries(
        (['create', 'read', 'update', 'delete', 'share'] as const).map((action) => [
          action,
          { access: action !== 'share' && may(world, collection, action) ? 'full' : 'none' },
        ]),
      ),
    ]),
  )

const onFields = (world: World, collection: string | undefined): Answer => {
  if (world.options.hidesFields)
    return forbidden(
      'You don\'t have permission to perform "read" for collection "directus_fields" or it does not exist.',
    )
  return collection === undefined || collection === 'posts'
    ? json(200, { data: world.fields.map(shownField) })
    : forbidden(`You don't have permission to access collection "${collection}" or it does not exist. Queried in root.`)
}

const answer = (world: World, request: StandInRequest): Answer => {
  const [, area = '', ...rest] = request.path.split('/').map(decodeURIComponent)
  if (area === 'server') return json(200, { data: { project: { project_name: 'The Shed' } } })
  if (area === 'assets')
    return world.options.showsFiles && world.files.has(rest[0] ?? '')
      ? { status: 200, headers: { 'content-type': 'image/png' }, body: '' }
      : forbidden()
  const { authorization } = request.headers
  if (authorization !== `Bearer ${world.token}`)
    return authorization ? error(401, 'INVALID_CREDENTIALS', 'Invalid user credentials.') : forbidden()
  if (area === 'permissions') return json(200, { data: rights(world) })
  if (area === 'fields') return onFields(world, rest[0])
  if (area === 'items') return onItems(world, rest, request)
  if (area === 'files') return onFiles(world, rest, request)
  return error(404, 'ROUTE_NOT_FOUND', `Route ${request.path} doesn't exist.`)
}

/** Starts a stand-in of Directus on 127.0.0.1: one collection of posts, and files. */
export const startDirectus = async (options: DirectusOptions = {}): Promise<DirectusStandIn> => {
  const world: World = {
    options,
    token: randomUUID(),
    fields: options.fields ?? DIRECTUS_FIELDS,
    items: new Map(),
    files: new Map(),
    made: 0,
    now: options.now ?? (() => new Date()),
  }
  const items = (): DirectusItem[] => [...world.items.values()]
  const standIn = await startStandIn({ ...options, answer: (request) => answer(world, request), posts: items })
  return { ...standIn, token: world.token, items, files: world.files }
}
