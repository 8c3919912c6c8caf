import * as z from 'zod/mini'
import { foreignJson, hideSecrets, retryAfterOf } from '../../../platform/lib/foreign-answers.ts'
import { clip, storableText, withNext } from '../../../platform/lib/text.ts'
import type { Deps } from '../../../platform/runtime/ctx.ts'

const text = z._default(z.nullable(z.optional(z.string())), null)

/** An id as a text, or the object with the id. */
const reference = z.union([z.string(), z.object({ _id: z.string() })])

export const Account = z.object({
  _id: z.string(),
  platform: z.string(),
  profileId: z.optional(reference),
  username: text,
  displayName: text,
  isActive: z._default(z.optional(z.boolean()), true),
  needsReconnection: z._default(z.optional(z.boolean()), false),
  enabled: z._default(z.optional(z.boolean()), true),
})

export const Accounts = z.object({ accounts: z.array(Account) })
export const Profiles = z.object({ profiles: z.array(z.object({ _id: z.string(), name: z.string() })) })
export const MadeProfile = z.object({ profile: z.object({ _id: z.string() }) })
export const ConnectUrl = z.object({ authUrl: z.url() })

const PlatformState = z.object({
  platform: z.string(),
  accountId: z.optional(reference),
  status: z.string(),
  platformPostId: text,
  platformPostUrl: text,
  publishedAt: text,
  errorMessage: text,
  errorCategory: text,
})

export const Post = z.object({
  _id: z.string(),
  status: z.string(),
  platforms: z.array(PlatformState),
  metadata: z._default(z.nullable(z.optional(z.record(z.string(), z.unknown()))), null),
  createdAt: text,
})

export const PostAnswer = z.object({ post: z.optional(Post), existingPost: z.optional(Post) })
export const Posts = z.object({ posts: z.array(Post) })
export const Conflict = z.object({ details: z.optional(z.object({ existingPostId: z.optional(z.string()) })) })
const Fault = z.object({ error: z.optional(z.string()), code: z.optional(z.string()) })

export const Automation = z.object({
  id: z.optional(z.string()),
  _id: z.optional(z.string()),
  name: z._default(z.optional(z.string()), ''),
  isActive: z._default(z.optional(z.boolean()), false),
  accountId: z.optional(reference),
  platformPostId: text,
  keywords: z._default(z.optional(z.array(z.string())), []),
  dmMessage: text,
  commentReply: text,
})

export const Automations = z.object({ automations: z.array(Automation) })
export const MadeAutomation = z.object({ automation: Automation })

export type Post = z.infer<typeof Post>
export type Account = z.infer<typeof Account>
export type Automation = z.infer<typeof Automation>

export type ZernioDeps = Pick<Deps, 'outbound' | 'now'> & { baseUrl: string; key: string }

type Request = {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  path: string
  query?: Record<string, string | undefined>
  /** As for outbound calls. */
  decides?: boolean
  body?: unknown
  /** Identifies the logical call. The provider answers a repeat within minutes as it did the first time. */
  requestId?: string
  timeoutMs?: number
}

type Refusal = {
  kind: 'refused'
  reason: string
  retryable: boolean
  retryAfterS?: number
  status?: number
  body: unknown
}

export type Asked = { kind: 'answered'; status: number; body: unknown } | Refusal | { kind: 'unknown'; reason: string }

const MAX_BYTES = 4 * 1024 * 1024
const TIMEOUT_MS = 20_000
const MAX_WAIT_S = 3_600

/** Returns the seconds until the limit ends: `Retry-After`, else the provider's own header in epoch seconds. */
const waitOf = (headers: Headers, now: Date): number | undefined => {
  const reset = Number(headers.get('x-ratelimit-reset') ?? Number.NaN)
  const seconds = Math.ceil(reset - now.getTime() / 1_000)
  return (
    retryAfterOf(headers, now) ?? (Number.isFinite(seconds) ? Math.min(MAX_WAIT_S, Math.max(1, seconds)) : undefined)
  )
}

/** Advice after a refusal, by the provider's code. */
const BY_CODE: Readonly<Record<string, string>> = {
  ACCOUNT_DISCONNECTED: 'The network ended the access: connect the account again.',
  ACCOUNT_NOT_ENABLED_FOR_POSTING: 'The account was never allowed to post: connect it again.',
}
/** Statuses of refusals about this service's own account at the provider. Customers cannot fix these. */
const OPERATORS = new Set([401, 402])
const FOR_OPERATOR = 'The operator of this service has to see to its account at the provider.'

const hintOf = (status: number, code = ''): string | undefined =>
  OPERATORS.has(status) || code === 'PROFILE_OVER_LIMIT' ? FOR_OPERATOR : BY_CODE[code]

const reasonOf = (status: number, body: unknown, key: string): string => {
  const fault = Fault.safeParse(body)
  const { error, code } = fault.success ? fault.data : {}
  const message = [error, code].filter(Boolean).join(' ')
  const said = clip(`The social provider answered ${status}${message ? `: ${message}` : '.'}`, 360)
  return storableText(hideSecrets(withNext(said, hintOf(status, code)), [key]))
}

/** Returns a function that makes one call of the provider's API. `unknown`: the call may have been carried out. */
export const createApi =
  ({ outbound, now, baseUrl, key }: ZernioDeps) =>
  async ({
    method,
    path,
    query = {},
    decides = false,
    body,
    requestId,
    timeoutMs = TIMEOUT_MS,
  }: Request): Promise<Asked> => {
    const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined)
    const search = given.length > 0 ? `?${new URLSearchParams(given).toString()}` : ''
    const answer = await outbound({
      url: `${baseUrl}${path}${search}`,
      method,
      decides,
      headers: {
        authorization: `Bearer ${key}`,
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(requestId === undefined ? {} : { 'x-request-id': requestId }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      timeoutMs,
      maxBytes: MAX_BYTES,
    })
    if (answer.kind === 'forbidden' || answer.kind === 'unsent')
      return { kind: 'refused', reason: 'The social provider could not be reached.', retryable: true, body: undefined }
    if (answer.kind === 'no_answer') return { kind: 'unknown', reason: 'The social provider did not answer in time.' }
    const { status, headers } = answer
    const parsed = foreignJson(answer.body)
    if (status >= 200 && status < 300)
      return parsed === undefined
        ? { kind: 'unknown', reason: 'The social provider’s answer could not be read.' }
        : { kind: 'answered', status, body: parsed }
    const reason = reasonOf(status, parsed, key)
    if (status >= 500 || status === 408) return { kind: 'unknown', reason }
    const wait = status === 429 ? waitOf(headers, now()) : undefined
    return {
      kind: 'refused',
      reason,
      status,
      retryable: status === 429 || status === 425,
      body: parsed,
      ...(wait === undefined ? {} : { retryAfterS: wait }),
    }
  }

export type Api = ReturnType<typeof createApi>

type Read<T> =
  | { kind: 'got'; value: T }
  | { kind: 'refused'; reason: string; retryable: boolean; retryAfterS?: number; status?: number }

/** Returns the checked answer of a call that can be repeated without harm. Without an answer, the call can be tried again. */
export const readAs = async <S extends z.ZodMiniType>(asked: Promise<Asked>, shape: S): Promise<Read<z.infer<S>>> => {
  const answer = await asked
  if (answer.kind === 'unknown') return { kind: 'refused', reason: answer.reason, retryable: true }
  if (answer.kind === 'refused') {
    const { body: _, ...refusal } = answer
    return refusal
  }
  const parsed = shape.safeParse(answer.body)
  if (parsed.success) return { kind: 'got', value: parsed.data }
  return { kind: 'refused', reason: 'The social provider’s answer has another form than expected.', retryable: true }
}
