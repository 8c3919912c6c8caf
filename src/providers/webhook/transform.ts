import { retryAfterOf } from '../../lib/retry-after.ts'
import { clip, hasForbiddenCharacters, storableText } from '../../lib/text.ts'
import type { PublishOutcome, PublishRequest } from '../../publishing/target/publish-target.ts'

const EXCERPT_CHARACTERS = 2_048

/** What a connection test differs in. `isEmpty`: it carries no article. */
export type Test = { isTest?: boolean; isEmpty?: boolean }

/** The body of a delivery, made again for every attempt so that `timestamp` is the send time. */
export const deliveryBody = (
  { event, article }: PublishRequest,
  sentAt: Date,
  { isTest = false, isEmpty = false }: Test = {},
): string => {
  const isUpdate = event === 'update_articles'
  const { category, ...rest } = article
  return JSON.stringify({
    event_type: event,
    timestamp: sentAt.toISOString(),
    ...(isTest ? { test: true } : {}),
    data: {
      articles: isEmpty
        ? []
        : [
            {
              ...rest,
              ...(category === '' ? {} : { category }),
              ...(rest.url === undefined ? {} : { published_url: rest.url }),
              is_update: isUpdate,
              update_only: isUpdate,
            },
          ],
    },
  })
}

/** What a receiver's answer can tell, whatever else stands in it. */
type ReceiverAnswer = Record<string, unknown>

const parsed = (body: string): ReceiverAnswer | undefined => {
  try {
    const value: unknown = JSON.parse(body)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as ReceiverAnswer) : undefined
  } catch {
    return undefined
  }
}

const isHttpUrl = (value: unknown): value is string =>
  typeof value === 'string' &&
  value.length <= 2_000 &&
  /^https?:\/\/[^\s]+$/i.test(value) &&
  !hasForbiddenCharacters(value) &&
  URL.canParse(value)

/** The names a receiver may give its post's id, the first that says something counts. */
const ID_NAMES = ['external_id', 'post_id', 'id'] as const

/** A post's id as text; undefined for what is none, and for a number that was too large to be read exactly. */
const idText = (value: unknown): string | undefined => {
  if (typeof value === 'number')
    return Number.isInteger(value) && !Number.isSafeInteger(value) ? undefined : String(value)
  return typeof value === 'string' && value !== '' && !hasForbiddenCharacters(value) ? clip(value, 200) : undefined
}

const postIdIn = (answer: ReceiverAnswer | undefined): string | undefined =>
  ID_NAMES.map((name) => idText(answer?.[name])).find((id) => id !== undefined)

const sentence = (value: unknown): string => {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return clip(storableText(text ?? '').trim(), 500)
}

const isFalseWord = (value: unknown): boolean => typeof value === 'string' && value.trim().toLowerCase() === 'false'

const COUNTS = ['processed', 'processed_count'] as const

const processedNothing = (answer: ReceiverAnswer): string | undefined => {
  for (const name of COUNTS)
    if (answer[name] === 0 || answer[name] === '0') return `The receiver answered ${name}: 0, so it processed nothing.`
  if (Array.isArray(answer.articles) && answer.articles.length === 0)
    return 'The receiver answered with an empty list of articles, so it processed nothing.'
  return undefined
}

/** Why a 2xx answer is no success after all; undefined when it is one. */
const failureIn = (answer: ReceiverAnswer, isUpdate: boolean, hasArticles: boolean): string | undefined => {
  if (answer.success === false || isFalseWord(answer.success))
    return `The receiver answered success: false${answer.error || answer.message ? ` (${sentence(answer.error ?? answer.message)})` : ''}.`
  if (answer.error !== undefined && answer.error !== null && answer.error !== false && answer.error !== '')
    return `The receiver answered with an error: ${sentence(answer.error)}`
  const nothing = hasArticles ? processedNothing(answer) : undefined
  if (nothing) return nothing
  const action = typeof answer.action === 'string' ? answer.action.toLowerCase() : ''
  if (isUpdate && action === 'created')
    return 'The receiver created a new post on an update instead of changing the existing one.'
  if (isUpdate && (action === 'ignored' || action === 'skipped')) return `The receiver ${action} the update.`
  return undefined
}

const RETRYABLE_STATUSES = new Set([408, 425, 429])
type HttpAnswer = { status: number; headers: Headers; body: string }

const statusSentence = ({ status, headers, body }: HttpAnswer): string => {
  if (status >= 300 && status < 400)
    return `The receiver redirects (HTTP ${status}${headers.get('location') ? ` to ${sentence(headers.get('location'))}` : ''}). Redirects are not followed: set the final URL.`
  const answer = parsed(body)
  const message = answer?.error ?? answer?.message
  return `The receiver answered HTTP ${status}${message === undefined ? '' : ` (${sentence(message)})`}.`
}

const isPage = ({ headers, body }: HttpAnswer): boolean =>
  body.trim() !== '' &&
  (/^text\/html\b/i.test(headers.get('content-type') ?? '') || /^\s*<(!doctype|html)\b/i.test(body.slice(0, 200)))

const PAGE_NOTE =
  'The receiver answered with a web page in place of JSON. It counts as accepted; look whether the address is the receiver’s.'

const FAILED_WORDS: readonly unknown[] = ['error', 'failed', 'failure']

const isFilled = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length > 0

const isRefused = (row: unknown): boolean =>
  typeof row === 'object' && row !== null && (row as ReceiverAnswer).success === false

/** What of a 2xx answer reads like a failure, in words the contract does not name; undefined where nothing does. */
const doubtIn = (answer: ReceiverAnswer, isUpdate: boolean): string | undefined => {
  const { ok, status, errors, articles, action } = answer
  if (ok === false) return 'ok: false'
  if (FAILED_WORDS.includes(status)) return `status: ${sentence(status)}`
  if (isFilled(errors)) return `errors: ${sentence(errors)}`
  if (Array.isArray(articles) && articles.some(isRefused)) return 'success: false for an article'
  if (!isUpdate && (action === 'ignored' || action === 'skipped')) return `action: ${action}`
  return undefined
}

const noteOf = (http: HttpAnswer, answer: ReceiverAnswer | undefined, isUpdate: boolean): string | undefined => {
  if (answer === undefined) return isPage(http) ? PAGE_NOTE : undefined
  const doubt = doubtIn(answer, isUpdate)
  return doubt && `The receiver answered ${doubt}. It counts as accepted; look whether the post is there.`
}

/** Reads a receiver's answer: status first, then what the body admits. */
export const readAnswer = (
  http: HttpAnswer,
  event: PublishRequest['event'],
  now: Date,
  hasArticles = true,
): PublishOutcome => {
  const seen = { httpStatus: http.status, excerpt: storableText(clip(http.body, EXCERPT_CHARACTERS)) }
  if (http.status < 200 || http.status >= 300) {
    const retryable = http.status >= 500 || RETRYABLE_STATUSES.has(http.status)
    const retryAfterS = retryable ? retryAfterOf(http.headers, now) : undefined
    return {
      kind: 'refused',
      reason: statusSentence(http),
      retryable,
      ...(retryAfterS === undefined ? {} : { retryAfterS }),
      ...seen,
    }
  }
  const answer = parsed(http.body)
  const isUpdate = event === 'update_articles'
  const failure = answer && failureIn(answer, isUpdate, hasArticles)
  if (failure) return { kind: 'refused', reason: failure, retryable: false, ...seen }
  const url = answer?.published_url ?? answer?.url
  const remoteId = postIdIn(answer)
  const note = noteOf(http, answer, isUpdate)
  return {
    kind: 'accepted',
    ...(isHttpUrl(url) ? { url } : {}),
    ...(note === undefined ? {} : { notes: [note] }),
    ...(remoteId === undefined ? {} : { remoteId }),
    ...seen,
  }
}
