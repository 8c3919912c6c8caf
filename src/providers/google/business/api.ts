import * as z from 'zod/mini'
import type { Failure } from '../../../insights/search/port.ts'
import { expiredLikeTestGrant } from '../../../platform/lib/consent.ts'
import { clip, storableText, withNext, withStop } from '../../../platform/lib/text.ts'
import type { Deps } from '../../../platform/runtime/ctx.ts'
import type { DirectAccount, FindOutcome, Got, OutgoingPost, SendOutcome } from '../../../reach/social/port.ts'
import { type Answered, failureOf, type GoogleTokens, jsonOf } from '../http.ts'

export type BusinessDeps = Pick<Deps, 'outbound' | 'now'> & {
  tokens: Pick<GoogleTokens, 'refresh'>
  accountsUrl: string
  locationsUrl: string
  reviewsUrl: string
  metricsUrl: string
}

/** A call of one of the APIs of business profiles. */
export type Call = { method: 'GET' | 'POST' | 'PUT' | 'DELETE'; url: string; json?: unknown }

type Refusal = { kind: 'refused'; reason: string; status?: number; retryable: boolean; retryAfterS?: number }

/** Result of a call. `unknown`: it may have been carried out, and only a read can show that. */
export type Asked = { kind: 'answered'; body: unknown } | Refusal | { kind: 'unknown'; reason: string }

const TIMEOUT_MS = 20_000
const MAX_BYTES = 2 * 1024 * 1024
/** A token that expires within this time is not used. */
const MARGIN_MS = 60_000

type Quota = { error?: { details?: { metadata?: { quota_limit_value?: string } }[] } }

/** True if the quota is 0: Google has not given this service's client access to these APIs. */
const isNotLetIn = (body: unknown): boolean =>
  ((body as Quota | undefined)?.error?.details ?? []).some(({ metadata }) => metadata?.quota_limit_value === '0')

const NOT_LET_IN =
  'Google has not let this service use the API of business profiles yet: its operator applies for access at Google.'

/** Advice after a refusal, by its kind. */
const HINTS: Partial<Record<Failure['kind'], string>> = {
  disabled: 'The operator of this service has to switch this API on in its Google Cloud project.',
  scope: 'Connect the profile again, and tick the box for business profiles on Google’s page.',
}

const refusalOf = (answered: Answered): Refusal | { kind: 'unknown'; reason: string } => {
  const failure = failureOf(answered)
  const { status } = answered
  if (status === 429 && isNotLetIn(answered.body))
    return { kind: 'refused', reason: NOT_LET_IN, status, retryable: false }
  const said = withStop(clip(storableText(`Google answered ${status}: ${failure.message}`), 380))
  const reason = withNext(said, HINTS[failure.kind])
  if (failure.kind === 'away') return { kind: 'unknown', reason }
  // Google sends no time to wait. Attempts are further apart than the minute that its quotas count by.
  return { kind: 'refused', reason, status, retryable: failure.kind === 'quota' }
}

/** Makes one call with an access token. */
export const callWith = async (
  { outbound }: Pick<Deps, 'outbound'>,
  token: string,
  { method, url, json }: Call,
): Promise<Asked> => {
  const answer = await outbound({
    url,
    method,
    headers: {
      accept: 'application/json',
      authorization: `Bearer ${token}`,
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_BYTES,
  })
  if (answer.kind === 'forbidden' || answer.kind === 'unsent')
    return { kind: 'refused', reason: 'Google could not be reached.', retryable: true }
  if (answer.kind === 'no_answer') return { kind: 'unknown', reason: 'Google did not answer in time.' }
  const body = jsonOf(answer.body)
  if (answer.status >= 300) return refusalOf({ status: answer.status, body: body ?? {} })
  return body === undefined || answer.truncated
    ? { kind: 'unknown', reason: 'Google’s answer could not be read.' }
    : { kind: 'answered', body }
}

/** Calls Google for one account, within one piece of work. */
export type Caller = (call: Call) => Promise<Asked>

type Token = { token: string } | Refusal

const renewed = async ({ tokens, now }: BusinessDeps, account: DirectAccount): Promise<Token> => {
  const fresh = await tokens.refresh(account.secrets.refresh_token ?? '')
  if ('ok' in fresh) {
    const { accessToken, expiresIn } = fresh.ok
    await account.keepSession({ access: accessToken, ends: String(now().getTime() + expiresIn * 1_000) })
    return { token: accessToken }
  }
  const { kind, message, retryAfter } = fresh.failure
  if (kind !== 'revoked')
    return {
      kind: 'refused',
      reason: message,
      retryable: kind === 'away' || kind === 'quota',
      ...(retryAfter === undefined ? {} : { retryAfterS: retryAfter }),
    }
  const { granted_at: granted } = account.secrets
  const isTest = granted !== undefined && expiredLikeTestGrant(granted, now())
  const why = isTest ? ' It ended on its seventh day, as Google ends access for applications in testing.' : ''
  const reason = `Google no longer accepts the access that was granted: the profile must be connected again.${why}`
  await account.end(reason)
  return { kind: 'refused', reason, status: 401, retryable: false }
}

/**
 * Returns a caller for an account. It refreshes an expired token, and refreshes again if Google still refuses the token.
 *
 * An account whose grant Google no longer accepts is disconnected.
 */
export const callerFor = (deps: BusinessDeps, account: DirectAccount): Caller => {
  const keptToken = async (): Promise<Token> => {
    const kept = await account.session()
    const isGood = kept?.access && Number(kept.ends) - MARGIN_MS > deps.now().getTime()
    return isGood ? { token: kept.access ?? '' } : await renewed(deps, account)
  }
  let token: Promise<Token> | undefined
  return async (call) => {
    token ??= keptToken()
    const used = token
    const first = await used
    if (!('token' in first)) return first
    const asked = await callWith(deps, first.token, call)
    if (asked.kind !== 'refused' || asked.status !== 401) return asked
    // A call that was refused for its token was not carried out, so it is repeated.
    if (token === used) token = renewed(deps, account)
    const second = await token
    return 'token' in second ? await callWith(deps, second.token, call) : second
  }
}

/** Returns the checked answer of a call that only reads. A failure without an answer can be tried again. */
export const readAs = async <S extends z.ZodMiniType>(asking: Promise<Asked>, shape: S): Promise<Got<z.infer<S>>> => {
  const asked = await asking
  if (asked.kind === 'unknown') return { kind: 'refused', reason: asked.reason, retryable: true }
  if (asked.kind === 'refused') return asked
  const parsed = shape.safeParse(asked.body)
  if (parsed.success) return { kind: 'got', value: parsed.data }
  return { kind: 'refused', reason: 'Google’s answer could not be read.', retryable: true }
}

const words = z._default(z.optional(z.string()), '')

const PostShape = z.object({
  name: words,
  summary: words,
  state: words,
  createTime: words,
  searchUrl: z.optional(z.string()),
  callToAction: z.optional(z.object({ actionType: words, url: words })),
})
type Post = z.infer<typeof PostShape>

const PostsShape = z.object({
  localPosts: z._default(z.optional(z.array(PostShape)), []),
  nextPageToken: words,
})

type Button = { type?: unknown; url?: unknown }

/** Returns the post's button: the chosen one, else "Learn more" with its link. */
const buttonOf = ({ options, link }: OutgoingPost): { actionType: string; url?: string } | undefined => {
  const { type, url } = (options.callToAction ?? {}) as Button
  const to = typeof url === 'string' ? url : (link ?? undefined)
  if (typeof type === 'string') return { actionType: type, ...(to === undefined || type === 'CALL' ? {} : { url: to }) }
  return to === undefined ? undefined : { actionType: 'LEARN_MORE', url: to }
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

const bodyOf = (post: OutgoingPost) => {
  const { topicType, event, offer, languageCode } = post.options
  const button = buttonOf(post)
  return {
    summary: post.text,
    topicType: typeof topicType === 'string' ? topicType : 'STANDARD',
    ...(typeof languageCode === 'string' ? { languageCode } : {}),
    ...(button ? { callToAction: button } : {}),
    ...(post.media.length > 0
      ? { media: post.media.map(({ url }) => ({ mediaFormat: 'PHOTO', sourceUrl: url })) }
      : {}),
    ...(isObject(event) ? { event } : {}),
    ...(isObject(offer) ? { offer } : {}),
  }
}

type Known = Extract<FindOutcome, { kind: 'published' | 'processing' | 'refused' }>

/** Returns the state of a post at Google. */
const stateOf = ({ name, state, searchUrl, createTime }: Post): Known => {
  if (state === 'REJECTED')
    return {
      kind: 'refused',
      reason: 'Google looked at the post and rejected it for its content.',
      retryable: false,
      remoteId: name,
    }
  if (state !== 'LIVE') return { kind: 'processing', remoteId: name }
  const at = new Date(createTime)
  return {
    kind: 'published',
    remoteId: name,
    ...(searchUrl === undefined ? {} : { url: searchUrl }),
    ...(Number.isNaN(at.getTime()) ? {} : { publishedAt: at }),
  }
}

const refused = (asked: Extract<Asked, { kind: 'refused' }>): SendOutcome => ({
  kind: 'refused',
  reason: storableText(asked.reason),
  retryable: asked.retryable,
  ...(asked.retryAfterS === undefined ? {} : { retryAfterS: asked.retryAfterS }),
})

const postsOf = (deps: BusinessDeps, account: DirectAccount): string =>
  `${deps.reviewsUrl}/v4/${account.remoteId}/localPosts`

/** Creates a local post. Google has no idempotency keys, so a post whose answer was lost is searched by its text. */
export const sendToGoogle = async (
  deps: BusinessDeps,
  account: DirectAccount,
  post: OutgoingPost,
): Promise<SendOutcome> => {
  const call = callerFor(deps, account)
  const asked = await call({ method: 'POST', url: postsOf(deps, account), json: bodyOf(post) })
  if (asked.kind === 'unknown') return asked
  if (asked.kind === 'refused') return refused(asked)
  const made = PostShape.safeParse(asked.body)
  if (!made.success || made.data.name === '') return { kind: 'unknown', reason: 'Google’s answer could not be read.' }
  return stateOf(made.data)
}

const PAGE = 100
/** Number of pages that are searched for a post, from the newest. */
const MAX_PAGES = 5
/** Difference allowed between two clocks, ms. */
const CLOCKS_MS = 60_000

/** True if a post at Google is this one: it has the same text and button, and is not older than the request. */
const isSame = (post: OutgoingPost, { summary, createTime, callToAction }: Post): boolean =>
  summary === post.text &&
  (callToAction?.url ?? '') === (buttonOf(post)?.url ?? '') &&
  !(Date.parse(createTime) < post.askedAt.getTime() - CLOCKS_MS)

/** Finds a post: by its name if Google gave one, else among the newest of the location. */
export const findAtGoogle = async (
  deps: BusinessDeps,
  account: DirectAccount,
  post: OutgoingPost,
): Promise<FindOutcome> => {
  const call = callerFor(deps, account)
  if (post.remoteId !== null) {
    const read = await readAs(call({ method: 'GET', url: `${deps.reviewsUrl}/v4/${post.remoteId}` }), PostShape)
    if (read.kind === 'got') return stateOf(read.value)
    if (read.status === 404)
      return {
        kind: 'refused',
        reason: 'The post was taken down at Google.',
        retryable: false,
        remoteId: post.remoteId,
      }
    return { kind: 'unsure', reason: read.reason }
  }
  let token = ''
  for (let pages = 0; pages < MAX_PAGES; pages += 1) {
    const query = new URLSearchParams({ pageSize: String(PAGE), ...(token === '' ? {} : { pageToken: token }) })
    const read = await readAs(call({ method: 'GET', url: `${postsOf(deps, account)}?${query}` }), PostsShape)
    if (read.kind === 'refused') return { kind: 'unsure', reason: read.reason }
    const found = read.value.localPosts.find((one) => isSame(post, one))
    if (found) return stateOf(found)
    token = read.value.nextPageToken
    if (token === '') return { kind: 'absent' }
  }
  // The list is newest first. A post that is not on these pages is older, or there are too many posts.
  return { kind: 'absent' }
}
