import { SignJWT } from 'jose/jwt/sign'
import * as z from 'zod/mini'
import type { CmsFailure, CmsFailureCode } from '../../../publishing/target/cms-adapter.ts'
import {
  type CmsAnswer,
  type CmsCall,
  type CmsDeps,
  callCms,
  freshParameter,
  type Got,
  got,
  quotable,
  readAnswer,
  refused,
} from '../http.ts'

const text = z.nullish(z.string())

/** Post of the Admin API, with the fields that are read. */
export const GhostPost = z.object({
  id: z.string(),
  slug: z.string(),
  title: z.string(),
  status: z.string(),
  visibility: text,
  url: text,
  updated_at: z.string(),
  created_at: text,
  published_at: text,
  html: text,
  lexical: text,
  mobiledoc: text,
  meta_description: text,
  meta_title: text,
  canonical_url: text,
  custom_excerpt: text,
  feature_image: text,
  feature_image_alt: text,
  codeinjection_head: text,
  tags: z.optional(z.array(z.object({ id: z.string(), name: z.string() }))),
  authors: z.optional(z.array(z.object({ id: z.string(), name: z.string() }))),
})
export type GhostPost = z.infer<typeof GhostPost>

const GhostPosts = z.object({ posts: z.array(GhostPost) })

/** Post in a list, without its content. */
export const GhostListed = z.pick(GhostPost, {
  id: true,
  slug: true,
  title: true,
  status: true,
  visibility: true,
  url: true,
  updated_at: true,
  published_at: true,
  authors: true,
})
export type GhostListed = z.infer<typeof GhostListed>

const GhostPage = z.object({
  posts: z.array(GhostListed),
  meta: z.object({ pagination: z.object({ next: z.nullable(z.int()), total: z.int() }) }),
})

const GhostPages = z.object({ pages: z.array(z.object({ title: z.string(), slug: z.string(), url: text })) })

/** Staff user, who can be an author. */
export const GhostUser = z.object({ id: z.string(), name: z.string(), slug: z.string(), email: text })
export type GhostUser = z.infer<typeof GhostUser>

const GhostUsers = z.object({ users: z.array(GhostUser) })

const GhostTags = z.object({ tags: z.array(z.object({ name: z.string(), slug: z.string() })) })

const GhostSite = z.object({
  site: z.object({ title: z.string(), url: text, version: z.nullish(z.string()) }),
})

const GhostImages = z.object({ images: z.array(z.object({ url: z.string() })).check(z.minLength(1)) })

/** Ghost's errors. `message` and `context` are sentences for people. */
const GhostErrors = z.object({
  errors: z
    .array(z.object({ message: text, context: text, type: text, code: text, property: text }))
    .check(z.minLength(1)),
})

const LIFETIME_S = 240
/** Ghost refuses tokens from the future. The site's clock may be behind ours by this much. */
const SKEW_S = 30

const bytesOf = (hex: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))

/** Returns a function that makes tokens from an Admin API key (`id:secret`, hexadecimal). Ghost takes HS256 tokens of at most five minutes. */
const tokenMaker = (adminKey: string): ((now: Date) => Promise<string>) => {
  const [kid = '', secret = ''] = adminKey.split(':')
  return async (now) => {
    const issuedAt = Math.floor(now.getTime() / 1_000) - SKEW_S
    return await new SignJWT()
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT', kid })
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + LIFETIME_S)
      .setAudience('/admin/')
      .sign(bytesOf(secret))
  }
}

const NAME = 'Ghost'

const CODES: Record<number, CmsFailureCode> = {
  400: 'validation',
  401: 'auth_invalid',
  402: 'plan_limit',
  403: 'auth_forbidden',
  404: 'site_not_found',
  409: 'conflict',
}

const HINTS: Partial<Record<CmsFailureCode, string>> = {
  auth_invalid: ' Copy the Admin API key of a custom integration again (Settings → Integrations).',
  plan_limit: ' The plan of this Ghost site does not include it.',
}

/** Returns Ghost's refusal, in its own words. */
const refusalOf = (answer: CmsAnswer): CmsFailure => {
  const parsed = GhostErrors.safeParse(answer.json)
  const error = parsed.success ? parsed.data.errors[0] : undefined
  const isLimit = error?.type === 'HostLimitError'
  const isKey = error?.code === 'INVALID_JWT' || error?.code === 'MISSING_ADMIN_API_KID'
  const known = CODES[answer.status] ?? (answer.status < 300 ? 'unexpected_answer' : 'validation')
  const code = isLimit ? 'plan_limit' : isKey ? 'auth_invalid' : known
  const words = [error?.message, error?.context].filter((part) => part).join(' ')
  const sentence = words ? `${NAME} says: ${quotable(words)}` : `${NAME} answered HTTP ${answer.status}.`
  return refused(code, `${sentence}${HINTS[code] ?? ''}`, answer.status)
}

/** True if Ghost itself answers that there is no such post. A proxy's 404 page does not count. */
const isNoPost = ({ status, json }: CmsAnswer, isRead: boolean): boolean => {
  const parsed = GhostErrors.safeParse(json)
  const type = parsed.success ? parsed.data.errors[0]?.type : undefined
  return (status === 404 && type === 'NotFoundError') || (isRead && status === 422 && type === 'ValidationError')
}

const readAs = <T>(answer: CmsAnswer | CmsFailure, schema: Schema<T>, writes: boolean): Got<T> => {
  if (answer.kind !== 'answered') return answer
  return answer.status < 300 ? readAnswer(schema, answer, { name: NAME, writes }) : refusalOf(answer)
}

type Call = Pick<CmsCall, 'method' | 'json' | 'body' | 'timeoutMs'>
type Schema<T> = Parameters<typeof readAnswer<T>>[0]

const UPLOAD_TIMEOUT_MS = 60_000
/** Fields of a post without its content. Without `uuid`, Ghost returns an incomplete `url` for a draft. */
const BRIEF_FIELDS = [
  'id',
  'uuid',
  'slug',
  'title',
  'status',
  'visibility',
  'url',
  'created_at',
  'updated_at',
  'published_at',
]

const shuffled = (names: readonly string[]): string =>
  names
    .map((name) => ({ name, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ name }) => name)
    .join(',')

/** Returns the parameters of a read without content. Their order differs each time, because some caches ignore unknown parameters. */
const brief = (): string => `fields=${shuffled(BRIEF_FIELDS)}&include=tags`

/** A time before the first post of any Ghost, in ms. */
const BEFORE_GHOST_MS = Date.UTC(2000, 0)

/** Returns a condition that every post meets. It differs each time, because some caches ignore unknown parameters. */
const sinceEver = (): string => {
  const before = new Date(Math.floor(Math.random() * BEFORE_GHOST_MS)).toISOString().slice(0, 19).replace('T', ' ')
  return `created_at:>'${before}'`
}

/** Returns the parameters of a read of one post with its content. */
const whole = (remoteId: string): string =>
  `filter=${encodeURIComponent(`id:'${remoteId}'+${sinceEver()}`)}&formats=html,lexical,mobiledoc&limit=1`

/** True if a text can be an id of Ghost's. */
const isGhostId = (text: string): boolean => /^[0-9a-f]{24}$/i.test(text)

/** Returns a path with a parameter that no earlier request had. */
const freshPath = (path: string): string =>
  `${path}${path.includes('?') ? '&' : '?'}${new URLSearchParams(freshParameter())}`

/**
 * Returns the calls of Ghost's Admin API (https://docs.ghost.org/admin-api).
 *
 * Paths end in a slash, because Ghost redirects others.
 */
export const ghostApi = (deps: CmsDeps, siteUrl: string, adminKey: string) => {
  const tokenAt = tokenMaker(adminKey)
  const send = async (path: string, call: Call = { method: 'GET' }): Promise<CmsAnswer | CmsFailure> =>
    callCms(deps, {
      ...call,
      name: NAME,
      url: `${siteUrl}/ghost/api/admin/${call.method === 'GET' ? freshPath(path) : path}`,
      headers: { Authorization: `Ghost ${await tokenAt(deps.now())}`, 'Accept-Version': 'v5.0' },
      writes: call.method !== 'GET',
      isOwnError: (json) => GhostErrors.safeParse(json).success,
    })
  const ask = async <T>(path: string, schema: Schema<T>, call?: Call): Promise<Got<T>> =>
    readAs(await send(path, call), schema, call !== undefined)
  /** Returns the post in an answer; null if Ghost answers that there is none or that the id is not valid. */
  const onePost = async (path: string, call: Call = { method: 'GET' }): Promise<Got<GhostPost | null>> => {
    const sent = await send(path, call)
    if (sent.kind === 'answered' && isNoPost(sent, call.method === 'GET')) return got(null)
    const answer = readAs(sent, GhostPosts, call.method !== 'GET')
    return answer.kind === 'got' ? got(answer.value.posts[0] ?? null) : answer
  }
  const id = (remoteId: string): string => `posts/${encodeURIComponent(remoteId)}/`
  return {
    site: () => ask('site/', GhostSite),
    users: (limit: number) => ask(`users/?limit=${limit}&fields=id,name,slug,email`, GhostUsers),
    post: (remoteId: string) => onePost(`${id(remoteId)}?${brief()}`),
    postWithContent: async (remoteId: string): Promise<Got<GhostPost | null>> =>
      isGhostId(remoteId) ? await onePost(`posts/?${whole(remoteId)}`) : got(null),
    /** Returns a page of all posts in the order of their ids, without content. */
    postsAt: (page: number, limit: number) =>
      ask(
        `posts/?filter=${encodeURIComponent(sinceEver())}&order=id%20asc&limit=${limit}&page=${page}&fields=${shuffled(BRIEF_FIELDS)}&include=authors`,
        GhostPage,
      ),
    postBySlug: (slug: string) => onePost(`posts/slug/${encodeURIComponent(slug)}/?${brief()}`),
    /** Returns the page under a slug. Pages and posts share slugs. */
    pageBySlug: async (slug: string): Promise<Got<{ title: string; url?: string | null | undefined } | null>> => {
      const sent = await send(`pages/slug/${encodeURIComponent(slug)}/?fields=id,title,slug,url`)
      if (sent.kind === 'answered' && isNoPost(sent, true)) return got(null)
      const answer = readAs(sent, GhostPages, false)
      return answer.kind === 'got' ? got(answer.value.pages[0] ?? null) : answer
    },
    /** Returns the posts with a tag, oldest first. */
    postsByTag: async (slug: string): Promise<Got<GhostPost[]>> => {
      const answer = await ask(`posts/?filter=tag:'${slug}'&order=created_at%20asc&limit=15&${brief()}`, GhostPosts)
      return answer.kind === 'got' ? got(answer.value.posts) : answer
    },
    /** Returns the tags with one of these names or slugs. */
    tagsOf: (names: readonly string[], slugs: readonly string[]) => {
      const quoted = (text: string) => `'${text.replace(/['\\]/g, '\\$&')}'`
      // In some databases `name:` is case-sensitive. Comparisons of a text's beginning and end are not.
      const filter = [
        ...names.map((name) => `(name:~^${quoted(name)}+name:~$${quoted(name)})`),
        ...(slugs.length > 0 ? [`slug:[${slugs.map(quoted).join(',')}]`] : []),
      ].join(',')
      return ask(`tags/?filter=${encodeURIComponent(filter)}&limit=100&fields=id,name,slug`, GhostTags)
    },
    // Never sends `newsletter`: with one, Ghost would mail the post to the members.
    create: async (fields: Record<string, unknown>): Promise<Got<GhostPost | null>> =>
      onePost('posts/?source=html', { method: 'POST', json: { posts: [fields] } }),
    change: (remoteId: string, fields: Record<string, unknown>): Promise<Got<GhostPost | null>> =>
      // Without `source=html` Ghost silently ignores `html`.
      onePost(
        `${id(remoteId)}${'html' in fields ? '?source=html' : 'lexical' in fields ? '?formats=html,lexical' : ''}`,
        { method: 'PUT', json: { posts: [fields] } },
      ),
    /** Deletes a post. Returns true if it is gone. */
    remove: async (remoteId: string): Promise<boolean> => {
      const answer = await send(id(remoteId), { method: 'DELETE' })
      return answer.kind === 'answered' && (answer.status < 300 || answer.status === 404)
    },
    upload: (body: FormData) =>
      ask('images/upload/', GhostImages, { method: 'POST', body, timeoutMs: UPLOAD_TIMEOUT_MS }),
  }
}

export type GhostApi = ReturnType<typeof ghostApi>
