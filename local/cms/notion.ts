import { randomUUID } from 'node:crypto'
import { published } from '../published.ts'
import { type Answer, json } from '../receiver/answers.ts'
import { type StandIn, type StandInOptions, startStandIn } from '../stand-in.ts'
import type { StandInRequest } from '../stand-in-request.ts'
import {
  type Cover,
  keptMarkdown,
  type Page,
  type Property,
  readValue,
  type Value,
  wrongIn,
  wrongMarkdown,
} from './notion-data.ts'

export type NotionOptions = Pick<StandInOptions, 'port' | 'trouble'> & {
  now?: () => Date
  /** The database's properties, by name; a title property named Name is always there. */
  properties?: Record<string, Omit<Property, 'name' | 'id'>>
  tables?: readonly string[]
  /** New pages are missing from queries for this long, ms. */
  lagMs?: number
  /** Address of the pages on the web, if the database is shared there. */
  publicUrl?: string
  /** True if reads return only a part of a page. */
  truncated?: boolean
  /** Content that people added to pages since then. It follows the text, and is lost or kept with it. */
  added?: string
  /** True if the database is a wiki: its queries list a data source among the pages. */
  isWiki?: boolean
}

export type NotionStandIn = StandIn & { token: string; databaseId: string; pages: () => Page[] }

const TEXT = { type: 'rich_text' }
const USUAL: NonNullable<NotionOptions['properties']> = {
  Slug: TEXT,
  Status: { type: 'status', options: ['Not started', 'Draft', 'Published'] },
  'Meta description': TEXT,
  Tags: { type: 'multi_select', options: [] },
  Category: { type: 'select', options: [] },
  'Published date': { type: 'date' },
  Author: TEXT,
  'Galley ID': TEXT,
}

const SCHEMA = published('notion')

type World = {
  options: NotionOptions
  token: string
  databaseId: string
  sources: string[]
  properties: Property[]
  pages: Map<string, Page>
  uploads: Map<string, { filename: string; url: string; asked: number }>
  now: () => Date
}

const error = (status: number, code: string, message: string): Answer =>
  json(status, { object: 'error', status, code, message, request_id: randomUUID() })

const notFound = (what: string, id: string): Answer =>
  error(
    404,
    'object_not_found',
    `Could not find ${what} with ID: ${id}. Make sure the relevant pages and databases are shared with your integration "Galley".`,
  )

const invalid = (message: string): Answer => error(400, 'validation_error', message)

/** Returns the cover as it is shown: an uploaded file by an address that ends in an hour. */
const shownCover = (uploads: World['uploads'], cover: Cover | null) => {
  const file = cover?.file_upload && uploads.get(cover.file_upload.id)
  if (!file) return cover
  const url = `https://prod-files-secure.s3.us-west-2.amazonaws.com/${file.filename}?X-Amz-Signature=0`
  return { type: 'file', file: { url, expiry_time: '2026-11-21T11:00:00.000Z' } }
}

const shown = ({ options, properties, uploads }: World, page: Page) => ({
  object: 'page',
  id: page.id,
  created_time: page.created_time,
  last_edited_time: page.last_edited_time,
  in_trash: page.in_trash,
  archived: page.in_trash,
  cover: shownCover(uploads, page.cover),
  url: `https://www.notion.so/${page.id.replace(/-/g, '')}`,
  public_url: options.publicUrl ? `${options.publicUrl}/${page.id}` : null,
  properties: Object.fromEntries(properties.map((p) => [p.name, { id: p.id, ...readValue(p, page.values[p.name]) }])),
})

const schema = ({ properties, sources }: World) => ({
  object: 'data_source',
  id: sources[0],
  properties: Object.fromEntries(
    properties.map(({ options, ...p }) => [
      p.name,
      { ...p, [p.type]: options ? { options: options.map((name) => ({ id: name, name })) } : {} },
    ]),
  ),
})

type Body = {
  properties?: Record<string, Value>
  cover?: Cover | null
  markdown?: string
  markdown_version?: string
  parent?: { data_source_id?: string }
  in_trash?: boolean
}

/** Writes properties and cover of a page. If something is wrong with them, returns the fault and writes nothing. */
const write = ({ properties, now }: World, page: Page, body: Body): Answer | undefined => {
  const wrong = wrongIn(properties, body.properties ?? {}, body.cover)
  if (wrong) return invalid(wrong)
  for (const [name, value] of Object.entries(body.properties ?? {})) {
    const property = properties.find((p) => p.name === name)
    // Unknown options of selects are created.
    for (const option of value.multi_select ?? (value.select ? [value.select] : []))
      if (property?.options && !property.options.includes(option.name)) property.options.push(option.name)
    page.values[name] = value
  }
  if (body.cover !== undefined) page.cover = body.cover
  if (body.in_trash !== undefined) page.in_trash = body.in_trash
  page.last_edited_time = now().toISOString()
  return undefined
}

/** The last release of the API that takes both versions of Markdown; later ones refuse v1. */
const LAST_WITH_V1 = '2026-03-11'

/** Returns the fault of a call with Markdown: it names no version, or one that the API's release does not have. */
const wrongVersion = (version: unknown, { headers }: StandInRequest): string | undefined => {
  const isNewer = String(headers['notion-version']) > LAST_WITH_V1
  if (version === 'v2' || (version === 'v1' && !isNewer)) return undefined
  return `body.markdown_version should be ${isNewer ? '"v2"' : '"v1" or "v2"'}, instead was ${JSON.stringify(version)}.`
}

const create = (world: World, request: StandInRequest): Answer => {
  const body = request.body as Body
  const source = body.parent?.data_source_id ?? ''
  if (!world.sources.includes(source)) return notFound('data_source', source)
  const at = world.now().toISOString()
  const page: Page = {
    id: randomUUID(),
    created_time: at,
    last_edited_time: at,
    in_trash: false,
    cover: null,
    markdown: keptMarkdown(body.markdown ?? '', body.markdown_version),
    children: [],
    values: {},
  }
  if ((body.markdown === undefined) !== (body.markdown_version === undefined))
    return invalid('body.markdown_version should be there with body.markdown, and only with it.')
  const wrong =
    (body.markdown === undefined ? undefined : wrongVersion(body.markdown_version, request)) ??
    wrongMarkdown(page.markdown)
  if (wrong) return invalid(wrong)
  const refusal = write(world, page, body)
  if (refusal) return refusal
  world.pages.set(page.id, page)
  return json(200, shown(world, page))
}

type Query = { filter?: { property: string; [type: string]: unknown }; page_size?: number; start_cursor?: string }

const query = (world: World, { filter, page_size = 100, start_cursor: cursor }: Query): Answer => {
  const property = world.properties.find((p) => p.name === filter?.property)
  if (filter && !property) return invalid(`Could not find property with name or id: ${filter?.property}`)
  const wanted = (filter?.[property?.type ?? ''] as { equals?: string } | undefined)?.equals?.toLowerCase()
  const seen = world.now().getTime() - (world.options.lagMs ?? 0)
  const results = [...world.pages.values()].filter((page) => {
    if (page.in_trash || Date.parse(page.created_time) > seen) return false
    if (!property) return true
    const value = readValue(property, page.values[property.name]) as {
      rich_text?: { plain_text: string }[]
      url?: string
    }
    const text = value.url ?? value.rich_text?.map((part) => part.plain_text).join('') ?? ''
    return text.toLowerCase() === wanted
  })
  const start = cursor === undefined ? 0 : results.findIndex(({ id }) => id === cursor)
  if (start < 0) return invalid('start_cursor is invalid')
  const next = results[start + page_size]
  return json(200, {
    object: 'list',
    results: [
      ...(world.options.isWiki ? [{ object: 'data_source', id: world.sources[0], properties: {} }] : []),
      ...results.slice(start, start + page_size).map((p) => shown(world, p)),
    ],
    has_more: next !== undefined,
    next_cursor: next?.id ?? null,
  })
}

const content = (world: World, page: Page, request: StandInRequest): Answer => {
  const answer = () =>
    json(200, {
      object: 'page_markdown',
      id: page.id,
      markdown: [page.markdown, world.options.added, ...page.children].filter(Boolean).join('\n\n'),
      truncated: world.options.truncated ?? false,
      unknown_block_ids: [],
    })
  if (request.method === 'GET') {
    const version = wrongVersion(request.query.get('markdown_version'), request)
    return version ? invalid(version) : answer()
  }
  const body = request.body as {
    markdown_version?: string
    type?: string
    replace_content?: { new_str: string; allow_deleting_content?: boolean }
  }
  if (body.type !== 'replace_content' || !body.replace_content) return invalid('body.type should be defined')
  if (page.in_trash) return invalid("Can't edit block that is archived. You must unarchive the block before editing.")
  const { new_str, allow_deleting_content } = body.replace_content
  const wrong = wrongVersion(body.markdown_version, request) ?? wrongMarkdown(new_str)
  if (wrong) return invalid(wrong)
  const lost = page.children.filter((child) => !new_str.includes(child))
  if (lost.length > 0 && !allow_deleting_content)
    return invalid(
      `This operation would delete ${lost.length} child page(s) or database(s). Set allow_deleting_content to true to proceed, or include them in the new content.`,
    )
  page.children = page.children.filter((child) => !lost.includes(child))
  page.markdown = keptMarkdown(new_str, body.markdown_version)
  return answer()
}

/** Answers calls for files that Notion fetches from an address: pending at first, then uploaded or failed. */
const onUploads = ({ uploads }: World, [id]: string[], request: StandInRequest): Answer => {
  if (id === undefined) {
    const { mode, external_url: url = '', filename = '' } = request.body as Record<string, string>
    if (mode !== 'external_url' || !url.startsWith('https://') || !/\.\w+$/.test(filename))
      return invalid('body failed validation: body.external_url should be a public https URL with a filename.')
    const made = randomUUID()
    uploads.set(made, { filename, url, asked: 0 })
    return json(200, { object: 'file_upload', id: made, status: 'pending' })
  }
  const file = uploads.get(id)
  if (!file) return notFound('file_upload', id)
  file.asked += 1
  const status = file.asked < 2 ? 'pending' : /broken/.test(file.url) ? 'failed' : 'uploaded'
  return json(200, { object: 'file_upload', id, status })
}

const onPages = (world: World, [id, part]: string[], request: StandInRequest): Answer => {
  if (id === undefined) return create(world, request)
  if (!/^[0-9a-f-]{32,36}$/.test(id))
    return invalid(`path failed validation: path.page_id should be a valid uuid, instead was \`"${id}"\`.`)
  const page = world.pages.get(id)
  if (!page) return notFound('page', id)
  if (part === 'markdown') return content(world, page, request)
  if (request.method === 'GET') return json(200, shown(world, page))
  const body = request.body as Body
  if (page.in_trash && body.in_trash !== false)
    return invalid("Can't edit block that is archived. You must unarchive the block before editing.")
  return write(world, page, body) ?? json(200, shown(world, page))
}

const answer = (world: World, request: StandInRequest): Answer => {
  const { headers, path, body } = request
  if (!headers['notion-version'])
    return error(
      400,
      'missing_version',
      'Notion-Version header failed validation: Notion-Version header should be defined.',
    )
  if (headers.authorization !== `Bearer ${world.token}`) return error(401, 'unauthorized', 'API token is invalid.')
  const [, , collection, ...rest] = path.split('/')
  const [id = ''] = rest
  if (collection === 'users') return json(200, { object: 'user', id: randomUUID(), name: 'Galley', type: 'bot' })
  if (collection === 'databases')
    return id === world.databaseId
      ? json(200, {
          object: 'database',
          id,
          title: [{ plain_text: 'Blog' }],
          url: `https://www.notion.so/${id}`,
          data_sources: world.sources.map((source, n) => ({ id: source, name: world.options.tables?.[n] ?? 'Blog' })),
        })
      : notFound('database', id)
  if (collection === 'data_sources') {
    if (!world.sources.includes(id)) return notFound('data_source', id)
    return rest[1] === 'query' ? query(world, body as Query) : json(200, schema(world))
  }
  if (collection === 'file_uploads') return onUploads(world, rest, request)
  return collection === 'pages'
    ? onPages(world, rest, request)
    : error(400, 'invalid_request_url', 'Invalid request URL.')
}

/** Starts a stand-in of Notion's API on 127.0.0.1: one database, its pages, their content as markdown. */
export const startNotion = async (options: NotionOptions = {}): Promise<NotionStandIn> => {
  const world: World = {
    options,
    token: `ntn_${randomUUID().replace(/-/g, '')}`,
    databaseId: randomUUID().replace(/-/g, ''),
    sources: (options.tables ?? ['Blog']).map(() => randomUUID()),
    properties: Object.entries({ Name: { type: 'title' }, ...(options.properties ?? USUAL) }).map(
      ([name, property]) => ({
        ...structuredClone(property),
        name,
        id: name.toLowerCase(),
      }),
    ),
    pages: new Map(),
    uploads: new Map(),
    now: options.now ?? (() => new Date()),
  }
  const pages = (): Page[] => [...world.pages.values()]
  const standIn = await startStandIn({
    ...options,
    answer: (request) => answer(world, request),
    posts: pages,
    published: {
      schema: SCHEMA,
      refused: ({ kind, path, message }) =>
        kind === 'operation'
          ? error(400, 'invalid_request_url', 'Invalid request URL.')
          : invalid(`body failed validation: body.${path.join('.')}: ${message}`),
    },
  })
  return { ...standIn, token: world.token, databaseId: world.databaseId, pages }
}
