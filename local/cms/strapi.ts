import { randomBytes, randomUUID } from 'node:crypto'
import { type Answer, json } from '../receiver/answers.ts'
import { type StandIn, type StandInOptions, startStandIn } from '../stand-in.ts'
import type { StandInRequest } from '../stand-in-request.ts'

type Attribute = {
  type: string
  required?: true
  unique?: true
  multiple?: boolean
  maxLength?: number
  min?: number
  max?: number
  enum?: readonly string[]
  customField?: string
  default?: unknown
}

type Values = Record<string, unknown>
/** Version of a document. */
type Row = Values & { id: number; documentId: string; createdAt: string; updatedAt: string; publishedAt: string | null }
/** Document: its draft, and its published version if it has one. */
type StrapiEntry = { draft: Row; published?: Row }
type StoredFile = { id: number; name: string; url: string; alternativeText: string | null }

export type StrapiOptions = Pick<StandInOptions, 'port' | 'trouble'> & {
  now?: () => Date
  /** Attributes of the content type, in place of the usual ones. */
  attributes?: Readonly<Record<string, Attribute>>
  /** True if the content type has no drafts. */
  hasNoDrafts?: true
  /** True if the token may not read content types. */
  hidesTypes?: true
}

export type StrapiStandIn = StandIn & {
  token: string
  adminToken: string
  entries: () => StrapiEntry[]
  files: StoredFile[]
  /** Changes the draft of an entry as an editor does, without publishing it. */
  edit: (documentId: string, values: Values) => void
}

/** The usual content type for posts. */
export const STRAPI_ATTRIBUTES: Readonly<Record<string, Attribute>> = {
  title: { type: 'string', required: true },
  slug: { type: 'uid' },
  content: { type: 'richtext' },
  description: { type: 'text' },
  cover: { type: 'media', multiple: false },
  date: { type: 'datetime' },
  author: { type: 'string' },
  category: { type: 'string' },
  tags: { type: 'json' },
  externalId: { type: 'string' },
  rating: { type: 'integer', min: 1, max: 5 },
  featured: { type: 'boolean' },
  layout: { type: 'enumeration', enum: ['wide', 'narrow'] },
  takeaways: { type: 'richtext' },
  badges: { type: 'json' },
}

type World = {
  options: StrapiOptions
  attributes: Readonly<Record<string, Attribute>>
  token: string
  adminToken: string
  entries: Map<string, StrapiEntry>
  files: StoredFile[]
  made: number
  now: () => Date
}

const UID = 'api::post.post'

const error = (status: number, name: string, message: string, details: object = {}): Answer =>
  json(status, { data: null, error: { status, name, message, details } })

const notFound = (): Answer => error(404, 'NotFoundError', 'Not Found')

/** Returns the refusal of one field's value. */
const invalid = (path: string, message: string, value: unknown = ''): Answer =>
  error(400, 'ValidationError', message, { errors: [{ path: [path], message, name: 'ValidationError', value }] })

const isLink = ({ type, url }: Values): boolean =>
  type === 'link' && /^(https?:\/\/|ftp:\/\/|mailto:|tel:|\/)/i.test(String(url))

const BLOCKS: Readonly<Record<string, (node: Values) => boolean>> = {
  paragraph: () => true,
  heading: ({ level }) => Number(level) >= 1 && Number(level) <= 6,
  quote: () => true,
  code: () => true,
  list: ({ format }) => format === 'ordered' || format === 'unordered',
}

const isInline = (node: Values): boolean =>
  node.type === 'text' ? typeof node.text === 'string' : isLink(node) && hasChildren(node, (one) => one.type === 'text')

const hasChildren = ({ children }: Values, fits: (node: Values) => boolean): boolean =>
  Array.isArray(children) && children.length > 0 && (children as Values[]).every(fits)

const isListChild = (node: Values): boolean =>
  node.type === 'list-item' ? hasChildren(node, isInline) : node.type === 'list' && isBlock(node)

const isBlock = (node: Values): boolean =>
  BLOCKS[String(node.type)]?.(node) === true && hasChildren(node, node.type === 'list' ? isListChild : isInline)

/** Returns the refusal of values; undefined if they can be stored. Only a publication needs all required ones. */
const wrongIn = (world: World, values: Values, version: string, own: StrapiEntry | undefined): Answer | undefined => {
  for (const [name, value] of Object.entries(values)) {
    const attribute = world.attributes[name]
    if (!attribute) return error(400, 'ValidationError', `Invalid key ${name}`, { key: name, source: 'body' })
    const { type, maxLength, multiple, min = -Infinity, max = Infinity } = attribute
    if (value === null) continue
    if (attribute.enum && !attribute.enum.includes(String(value)))
      return invalid(name, `${name} must be one of the following values: ${attribute.enum.join(', ')}`, value)
    if (maxLength !== undefined && version === 'published' && String(value).length > maxLength)
      return invalid(name, `${name} must be at most ${maxLength} characters`, value)
    if (type === 'integer' && !(Number.isInteger(value) && Number(value) >= min && Number(value) <= max))
      return invalid(name, `${name} must be an integer from ${min} to ${max}`, value)
    if (type === 'blocks' && !(Array.isArray(value) && (value as Values[]).every(isBlock)))
      return invalid(name, `${name} must be a valid structure of blocks`, value)
    if (type === 'media' && !multiple && !world.files.some(({ id }) => id === value))
      return error(
        400,
        'ValidationError',
        `1 relation(s) of type plugin::upload.file associated with this entity do not exist`,
      )
    const isUnique = attribute.unique || type === 'uid'
    const others = [...world.entries.values()].filter((entry) => entry !== own)
    if (isUnique && version === 'published' && others.some(({ published }) => published?.[name] === value))
      return invalid(name, 'This attribute must be unique', value)
  }
  const after = { ...own?.draft, ...values }
  const empty = Object.entries(world.attributes).find(
    ([name, { required }]) => required && (after[name] ?? null) === null,
  )
  return version === 'published' && empty
    ? invalid(empty[0], `${empty[0]} must be a \`string\` type, but the final value was: \`null\`.`)
    : undefined
}

/** Returns a version as answers have it. Files are left out unless they are asked for. */
const shown = (world: World, row: Row, query: URLSearchParams): Values => {
  const asked = [...query].flatMap(([name, value]) => (/^populate\[\d+\]$/.test(name) ? [value] : []))
  const files = Object.entries(world.attributes).filter(([, { type }]) => type === 'media')
  const shownRow: Values = { ...row }
  for (const [name] of files) {
    delete shownRow[name]
    if (asked.includes(name)) shownRow[name] = world.files.find(({ id }) => id === row[name]) ?? null
  }
  return shownRow
}

/** Returns the conditions of a query's filter, each as field and value. */
const conditionsIn = (query: URLSearchParams): { any: [string, string][]; not: [string, string][] } => {
  const any: [string, string][] = []
  const not: [string, string][] = []
  for (const [name, value] of query) {
    const [, or] = /^filters\[\$or\]\[\d+\]\[(\w+)\]\[\$eq\]$/.exec(name) ?? []
    const [, eq] = /^filters\[(\w+)\]\[\$eq\]$/.exec(name) ?? []
    const [, ne] = /^filters\[(\w+)\]\[\$ne\]$/.exec(name) ?? []
    if (or ?? eq) any.push([(or ?? eq) as string, value])
    if (ne) not.push([ne, value])
  }
  return { any, not }
}

const meets = (row: Values, { any, not }: ReturnType<typeof conditionsIn>): boolean =>
  (any.length === 0 || any.some(([name, value]) => String(row[name]) === value)) &&
  not.every(([name, value]) => String(row[name]) !== value)

/** Writes an entry. Without a status, and with any but `draft`, it is published. */
const save = (world: World, given: Values, query: URLSearchParams, own: StrapiEntry | undefined): Answer => {
  const version = query.get('status') === 'draft' ? 'draft' : 'published'
  const refusal = wrongIn(world, given, version, own)
  if (refusal) return refusal
  const at = world.now().toISOString()
  world.made += 1
  const draft: Row = {
    ...Object.fromEntries(Object.entries(world.attributes).map(([name, { default: usual }]) => [name, usual ?? null])),
    ...(own?.draft ?? { documentId: randomBytes(12).toString('hex'), createdAt: at }),
    ...given,
    id: own?.draft.id ?? world.made,
    updatedAt: at,
    publishedAt: null,
  } as Row
  world.made += 1
  const published: Row | undefined =
    version === 'published' ? { ...draft, id: world.made, publishedAt: at } : own?.published
  world.entries.set(draft.documentId, { draft, ...(published ? { published } : {}) })
  const row = version === 'published' && published ? published : draft
  return json(own ? 200 : 201, { data: shown(world, row, query), meta: {} })
}

const onEntries = (world: World, documentId: string | undefined, { method, query, body }: StandInRequest): Answer => {
  const own = documentId === undefined ? undefined : world.entries.get(documentId)
  if (method === 'GET') {
    const rows = [...world.entries.values()].flatMap(({ draft, published }) =>
      query.get('status') === 'draft' ? [draft] : published ? [published] : [],
    )
    const conditions = conditionsIn(query)
    const data = rows.filter((row) => meets(row, conditions)).map((row) => shown(world, row, query))
    return json(200, { data, meta: { pagination: { page: 1, pageSize: 10, pageCount: 1, total: data.length } } })
  }
  if (documentId !== undefined && !own) return notFound()
  if (method === 'DELETE' && documentId !== undefined) {
    world.entries.delete(documentId)
    return { status: 204, headers: {}, body: '' }
  }
  const { data } = (body ?? {}) as { data?: Values }
  return data
    ? save(world, data, query, own)
    : error(400, 'ValidationError', 'Missing "data" payload in the request body')
}

const upload = ({ files }: World, { raw }: StandInRequest): Answer => {
  const text = raw.toString('latin1')
  const [, filename] = /name="files"; filename="([^"]+)"/.exec(text) ?? []
  const [, info = '{}'] = /name="fileInfo"\r\n\r\n([^\r]*)\r\n/.exec(text) ?? []
  if (filename === undefined) return error(400, 'ValidationError', 'Files are empty')
  const { name, alternativeText = null } = JSON.parse(
    Buffer.from(info, 'latin1').toString('utf8'),
  ) as Partial<StoredFile>
  const file = { id: files.length + 1, name: name ?? filename, url: `/uploads/${randomUUID()}.png`, alternativeText }
  files.push(file)
  return json(201, [file])
}

const onUpload = (world: World, rest: string[], request: StandInRequest): Answer => {
  if (rest[0] === 'files' && request.method === 'GET') {
    const conditions = conditionsIn(request.query)
    return json(
      200,
      world.files.filter((file) => meets(file, conditions)),
    )
  }
  return request.method === 'POST' ? upload(world, request) : notFound()
}

const types = ({ attributes, options }: World) => [
  {
    uid: UID,
    apiID: 'post',
    schema: {
      kind: 'collectionType',
      displayName: 'Post',
      singularName: 'post',
      pluralName: 'posts',
      draftAndPublish: options.hasNoDrafts !== true,
      attributes,
    },
  },
  {
    uid: 'plugin::upload.file',
    apiID: 'file',
    schema: { kind: 'collectionType', displayName: 'File', pluralName: 'files', attributes: {} },
  },
]

/** Answers the content manager, which takes admin tokens only. */
const onManager = (
  world: World,
  [, uid, documentId = '', , action]: string[],
  { headers, method }: StandInRequest,
): Answer => {
  if (headers.authorization !== `Bearer ${world.adminToken}`)
    return error(401, 'UnauthorizedError', 'Missing or invalid credentials')
  const entry = world.entries.get(documentId)
  if (method !== 'POST' || uid !== UID || action !== 'unpublish' || !entry?.published) return notFound()
  world.entries.set(documentId, { draft: entry.draft })
  return json(200, { data: entry.draft, meta: {} })
}

const answer = (world: World, request: StandInRequest): Answer => {
  const [, area = '', ...rest] = request.path.split('/').map(decodeURIComponent)
  if (area === 'content-manager') return onManager(world, rest, request)
  if (area !== 'api') return notFound()
  if (request.headers.authorization !== `Bearer ${world.token}`)
    return error(401, 'UnauthorizedError', 'Missing or invalid credentials')
  const [name, ...more] = rest
  if (name === 'content-type-builder')
    return world.options.hidesTypes ? error(403, 'ForbiddenError', 'Forbidden') : json(200, { data: types(world) })
  if (name === 'upload') return onUpload(world, more, request)
  return name === 'posts' ? onEntries(world, more[0], request) : notFound()
}

/** Starts a stand-in of Strapi 5 on 127.0.0.1: one collection type of posts, and the media library. */
export const startStrapi = async (options: StrapiOptions = {}): Promise<StrapiStandIn> => {
  const world: World = {
    options,
    attributes: options.attributes ?? STRAPI_ATTRIBUTES,
    token: randomBytes(128).toString('hex'),
    adminToken: randomBytes(128).toString('hex'),
    entries: new Map(),
    files: [],
    made: 0,
    now: options.now ?? (() => new Date()),
  }
  const entries = (): StrapiEntry[] => [...world.entries.values()]
  const edit: StrapiStandIn['edit'] = (documentId, values) => {
    const entry = world.entries.get(documentId)
    if (entry) entry.draft = { ...entry.draft, ...values, updatedAt: world.now().toISOString() }
  }
  const standIn = await startStandIn({ ...options, answer: (request) => answer(world, request), posts: entries })
  return { ...standIn, token: world.token, adminToken: world.adminToken, entries, files: world.files, edit }
}
