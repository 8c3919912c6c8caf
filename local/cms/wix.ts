import { type Answer, json } from '../receiver/answers.ts'
import { type StandIn, type StandInOptions, startStandIn } from '../stand-in.ts'
import type { StandInRequest } from '../stand-in-request.ts'
import { guid, type WixBlog, type WixBlogOptions, type WixDraft, wixBlog } from './wix-blog.ts'

export type WixOptions = Pick<StandInOptions, 'port' | 'trouble'> &
  Partial<WixBlogOptions> & {
    /** True if the key may not convert texts. */
    noRicos?: boolean
    /** True if `url` of a post is an object, as in older answers. */
    urlObjects?: boolean
    /** True if the site has no Blog app. */
    noBlog?: boolean
    /** Number of conversions in a row that get a 403 without a reason. */
    heldBack?: number
    /** Most characters of one conversion; 30,000 unless given. */
    maxHtml?: number
    /** Number of polls until Wix has fetched a file. */
    importPolls?: number
  }

export type WixStandIn = StandIn & {
  key: string
  siteId: string
  drafts: () => WixDraft[]
  live: () => WixDraft[]
  labels: WixBlog['labels']
  imports: string[]
  /** The characters of each text that was converted. */
  converted: number[]
}

const KEY = 'IST.wix-key-0123456789abcdef'
const SITE = guid(900)
const SITE_URL = 'https://shed.wixsite.example'

type World = {
  options: WixOptions
  blog: WixBlog
  members: WixBlogOptions['members']
  files: Map<string, { url: string; asked: number }>
  imports: string[]
  converted: number[]
  heldBack: number
}

const error = (status: number, code: string, message: string): Answer =>
  json(status, { message, details: { applicationError: { code, description: message, data: {} } } })
const missing = (): Answer => error(404, 'NOT_FOUND', 'Entity not found')

const shownDraft = (draft: WixDraft, fields: readonly string[]) => {
  const { richContent, ...rest } = draft
  const url = fields.includes('URL') ? { url: `${SITE_URL}/post/${draft.seoSlug}` } : {}
  return { ...rest, ...url, ...(fields.includes('RICH_CONTENT') ? { richContent } : {}) }
}

const shownPost = ({ options }: World, post: WixDraft, fields: readonly string[]) => {
  const path = `/post/${post.slug}`
  const url = options.urlObjects ? { base: SITE_URL, path } : `${SITE_URL}${path}`
  const { seoData, ...rest } = shownDraft(post, fields) as Record<string, unknown>
  return { ...rest, slug: post.slug, url, ...(fields.includes('SEO') ? { seoData } : {}) }
}

type Body = {
  draftPost?: Record<string, unknown>
  publish?: boolean
  action?: string
  fieldsets?: string[]
  query?: {
    filter?: { title?: { $eq?: string }; label?: string | { $in?: string[] }; seoSlug?: unknown }
    sort?: { fieldName: string; order: string }[]
    paging?: { limit?: number; offset?: number }
  }
  label?: string
  category?: { label: string }
  html?: string
  url?: string
  displayName?: string
  mimeType?: string
}

const queryDrafts = ({ blog }: World, { query, fieldsets = [] }: Body): Answer => {
  if (query?.filter && 'seoSlug' in query.filter) return error(400, 'INVALID_FILTER', 'seoSlug is not filterable')
  const title = query?.filter?.title?.$eq
  const found = [...blog.drafts.values()].filter(
    (d) => d.status !== 'DELETED' && (title === undefined || d.title === title),
  )
  const [sort] = query?.sort ?? []
  const { limit = 50, offset = 0 } = query?.paging ?? {}
  if (limit > 100) return error(400, 'INVALID_ARGUMENT', 'query.paging.limit must be at most 100')
  if (sort?.fieldName === 'id') found.sort((a, b) => a.id.localeCompare(b.id))
  // The default order: a post that is edited moves to the front.
  else found.reverse().sort((a, b) => b.editedDate.localeCompare(a.editedDate))
  return json(200, { draftPosts: found.slice(offset, offset + limit).map((d) => shownDraft(d, fieldsets)) })
}

const changeDraft = ({ blog }: World, draft: WixDraft, { draftPost = {}, action, fieldsets = [] }: Body): Answer => {
  const refusal = blog.apply(draft, draftPost)
  if (refusal) return error(refusal.status, refusal.code, refusal.message)
  if (action === 'UPDATE_PUBLISH') blog.publish(draft)
  if (action === 'UPDATE_REVERT_TO_DRAFT') blog.revert(draft)
  return json(200, { draftPost: shownDraft(draft, fieldsets) })
}

const drafts = (world: World, [id, verb]: string[], request: StandInRequest): Answer => {
  const { blog } = world
  const body = (request.body ?? {}) as Body
  if (world.options.noBlog) return error(428, 'APP_NOT_INSTALLED', 'The Blog app is not installed on the site')
  if (id === 'query') return queryDrafts(world, body)
  if (id === undefined && request.method === 'GET')
    return json(200, { draftPosts: [...blog.drafts.values()].slice(0, 1) })
  if (id === undefined) {
    const made = blog.create(body.draftPost ?? {})
    return 'code' in made && 'message' in made
      ? error(Number(made.status), String(made.code), String(made.message))
      : json(200, { draftPost: shownDraft(made as WixDraft, body.fieldsets ?? []) })
  }
  const draft = blog.drafts.get(id)
  if (!draft) return missing()
  if (verb === 'publish' && request.method === 'POST') {
    if (request.body === undefined) return error(400, 'INVALID_REQUEST', 'request body is expected')
    blog.publish(draft)
    return json(200, { postId: id })
  }
  if (verb !== undefined) return missing()
  if (request.method === 'PATCH') return changeDraft(world, draft, body)
  if (request.method === 'DELETE') return json(200, blog.remove(id) ? {} : {})
  return json(200, { draftPost: shownDraft(draft, request.query.getAll('fieldsets')) })
}

const posts = (world: World, [id, slug]: string[], { query }: StandInRequest): Answer => {
  const all = [...world.blog.live.values()]
  const post = id === 'slugs' ? all.find((p) => p.slug === slug) : world.blog.live.get(id ?? '')
  return post ? json(200, { post: shownPost(world, post, query.getAll('fieldsets')) }) : missing()
}

const tags = ({ blog }: World, [verb]: string[], { body }: StandInRequest): Answer => {
  const known = blog.labels.tags
  if (verb === 'query') {
    const label = (body as Body).query?.filter?.label
    const wanted = typeof label === 'object' ? (label.$in ?? []) : [label]
    return json(200, {
      tags: [...known].filter(([name]) => wanted.includes(name)).map(([name, id]) => ({ id, label: name })),
    })
  }
  const name = String((body as Body).label)
  if (known.has(name)) return error(409, 'ALREADY_EXISTS', 'Tag already exists')
  known.set(name, blog.newId())
  return json(200, { tag: { id: known.get(name), label: name } })
}

/** Longest label of a category, characters. */
const MAX_CATEGORY = 35

const categories = ({ blog }: World, [verb]: string[], request: StandInRequest): Answer => {
  const body = request.body as Body
  const known = blog.labels.categories
  if (verb === 'query') {
    const found = [...known].filter(([label]) => label === body.query?.filter?.label)
    return json(200, { categories: found.map(([label, id]) => ({ id, label })) })
  }
  const name = body.category?.label ?? ''
  if (name.length > MAX_CATEGORY)
    return error(400, 'INVALID_ARGUMENT', `category.label has length ${name.length}, which is more than MAX_LENGTH 35`)
  known.set(name, blog.newId())
  return json(200, { category: { id: known.get(name), label: name } })
}

/** Returns a crude conversion: a paragraph with the text, and the images by their addresses. */
const ricosOf = (html: string) => {
  const images = [...html.matchAll(/<img[^>]*src="([^"]+)"/g)].map(([, url]) => ({
    type: 'IMAGE',
    id: 'i',
    nodes: [],
    imageData: { containerData: { alignment: 'LEFT' }, image: { src: { url } } },
  }))
  const text = {
    type: 'TEXT',
    id: '',
    nodes: [],
    textData: { text: html.replace(/<[^>]+>/g, '').replaceAll('&amp;', '&'), decorations: [] },
  }
  return { nodes: [{ type: 'PARAGRAPH', id: 'p', nodes: [text] }, ...images], metadata: { version: 1 } }
}

const fileOf = (id: string, url: string, isReady: boolean) => ({
  id,
  ...(isReady ? { url: `https://static.wixstatic.com/media/${id}` } : {}),
  operationStatus: /missing|broken/.test(url) ? 'FAILED' : isReady ? 'READY' : 'PENDING',
  ...(isReady ? { media: { image: { image: { width: 640, height: 480 } } } } : {}),
})

const EXTENSION = /\.(png|jpe?g|gif|webp)$/i

/**
 * True if the request has a type, or an extension in either name. Without one, Wix sends HEAD to the image's server.
 *
 * Here that request always fails.
 */
const isTyped = ({ url = '', displayName = '', mimeType }: Body): boolean =>
  mimeType !== undefined || EXTENSION.test(displayName) || EXTENSION.test(new URL(url).pathname)

const files = ({ files: known, imports, options }: World, request: StandInRequest): Answer => {
  if (request.method === 'POST') {
    const body = request.body as Body
    const { url = '' } = body
    if (!isTyped(body)) return error(400, 'FILE_TYPE_UNKNOWN', 'The mime type of the file cannot be determined')
    imports.push(url)
    const stem = new URL(url).pathname.split('/').at(-1)?.replace(EXTENSION, '')
    const again = imports.filter((one) => one === url).length
    const id = `${stem}${again > 1 ? `-${again}` : ''}~mv2.png`
    known.set(id, { url, asked: 0 })
    return json(200, { file: fileOf(id, url, false) })
  }
  const id = request.query.get('fileId') ?? ''
  const file = known.get(id)
  if (!file) return missing()
  file.asked += 1
  return json(200, { file: fileOf(id, file.url, file.asked >= (options.importPolls ?? 1)) })
}

/** Converts a text of at most 30,000 characters. Bursts are refused without a reason. */
const convert = (world: World, { html = '' }: Body): Answer => {
  if (world.options.noRicos) return error(403, 'FORBIDDEN', 'Missing permission: Manage Ricos Document')
  if (world.heldBack > 0) {
    world.heldBack -= 1
    return world.heldBack % 2 === 0 ? json(403, { message: '', details: {} }) : { status: 403, headers: {}, body: '' }
  }
  const { maxHtml = 30_000 } = world.options
  if (html.length > maxHtml)
    return json(400, {
      message: '',
      details: {
        validationError: {
          fieldViolations: [
            { field: 'html', description: `has length ${html.length}, which is more than MAX_LENGTH ${maxHtml}` },
          ],
        },
      },
    })
  world.converted.push(html.length)
  return json(200, { document: ricosOf(html) })
}

const route = (world: World, request: StandInRequest): Answer => {
  const { headers, path, body } = request
  if (headers.authorization !== KEY) return error(401, 'UNAUTHENTICATED', 'Invalid API key')
  if (headers['wix-site-id'] !== SITE) return error(403, 'FORBIDDEN', 'The key has no access to this site')
  if (path === '/members/v1/members') return json(200, { members: world.members })
  if (path === '/site-properties/v4/properties') return json(200, { properties: { siteDisplayName: 'Shed Site' } })
  if (path.startsWith('/site-media/v1/files/')) return files(world, request)
  if (path === '/ricos/v1/ricos-document/convert/to-ricos') return convert(world, (body ?? {}) as Body)
  const [, , , kind, ...rest] = path.split('/')
  if (!path.startsWith('/blog/v3/')) return missing()
  if (kind === 'draft-posts') return drafts(world, rest, request)
  if (kind === 'posts') return posts(world, rest, request)
  if (kind === 'tags') return tags(world, rest, request)
  return kind === 'categories' ? categories(world, rest, request) : missing()
}

/**
 * Starts Wix's Blog API v3 with media, members and text conversion for one site.
 *
 * Reproduces:
 * - an edit that is not live until it is published
 * - covers without both flags or the hero image, ids dropped without a report
 * - drafts that cannot be searched by slug, reserved slugs
 * - texts that are too long to convert, imports that take a while
 */
export const startWix = async (options: WixOptions = {}): Promise<WixStandIn> => {
  const members = options.members ?? [
    { id: guid(800), profile: { nickname: 'Owner' } },
    { id: guid(801), profile: { nickname: 'Jane Doe' } },
  ]
  const blog = wixBlog({ ...options, now: options.now ?? (() => new Date()), members })
  const world: World = {
    options,
    blog,
    members,
    files: new Map(),
    imports: [],
    converted: [],
    heldBack: options.heldBack ?? 0,
  }
  const all = () => [...blog.drafts.values()]
  const standIn = await startStandIn({ ...options, answer: (request) => route(world, request), posts: all })
  return {
    ...standIn,
    key: KEY,
    siteId: SITE,
    drafts: all,
    live: () => [...blog.live.values()],
    labels: blog.labels,
    imports: world.imports,
    converted: world.converted,
  }
}
