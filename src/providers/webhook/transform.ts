import { clip, storableText } from '../../lib/text.ts'
import type { PublishOutcome, PublishRequest } from '../../publishing/port.ts'

const EXCERPT_CHARACTERS = 2_048

/** The body of a delivery, made anew for every attempt so that `timestamp` is the send time. */
export const deliveryBody = ({ event, article }: PublishRequest, sentAt: Date, isTest = false): string => {
  const isUpdate = event === 'update_articles'
  const { category, ...rest } = article
  return JSON.stringify({
    event_type: event,
    timestamp: sentAt.toISOString(),
    ...(isTest ? { test: true } : {}),
    data: {
      articles: [
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
  typeof value === 'string' && value.length <= 2_000 && /^https?:\/\/[^\s]+$/i.test(value) && URL.canParse(value)

const sentence = (value: unknown): string => {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return clip(storableText(text ?? '').trim(), 500)
}

const COUNTS = ['processed', 'processed_count'] as const

/** Why a 2xx answer is no success after all; undefined when it is one. */
const failureIn = (answer: ReceiverAnswer, isUpdate: boolean): string | undefined => {
  if (answer.success === false)
    return `The receiver answered success: false${answer.error || answer.message ? ` (${sentence(answer.error ?? answer.message)})` : ''}.`
  if (answer.error !== undefined && answer.error !== null && answer.error !== false && answer.error !== '')
    return `The receiver answered with an error: ${sentence(answer.error)}`
  for (const name of COUNTS) if (answer[name] === 0) return `The receiver answered ${name}: 0, so it processed nothing.`
  if (Array.isArray(answer.articles) && answer.articles.length === 0)
    return 'The receiver answered with an empty list of articles, so it processed nothing.'
  const action = typeof answer.action === 'string' ? answer.action.toLowerCase() : ''
  if (isUpdate && action === 'created')
    return 'The receiver created a new post on an update instead of changing the existing one.'
  if (isUpdate && (action === 'ignored' || action === 'skipped')) return `The receiver ${action} the update.`
  return undefined
}

const RETRYABLE_STATUSES = new Set([408, 425, 429])
const MAX_RETRY_AFTER_S = 3_600

/** A Retry-After of at most an hour, in seconds (RFC 9110: seconds or an HTTP date). */
const retryAfter = (headers: Headers, now: Date): number | undefined => {
  const value = headers.get('retry-after')?.trim()
  if (!value) return undefined
  // Engines read almost anything as a date, "1.5" for one; every HTTP date begins with a weekday.
  const date = /^[A-Z][a-z]{2,8},? /.test(value) ? Date.parse(value) : Number.NaN
  const seconds = /^\d+$/.test(value) ? Number(value) : (date - now.getTime()) / 1000
  return Number.isFinite(seconds) ? Math.min(MAX_RETRY_AFTER_S, Math.max(0, Math.ceil(seconds))) : undefined
}

type HttpAnswer = { status: number; headers: Headers; body: string }

const statusSentence = ({ status, headers, body }: HttpAnswer): string => {
  if (status >= 300 && status < 400)
    return `The receiver redirects (HTTP ${status}${headers.get('location') ? ` to ${sentence(headers.get('location'))}` : ''}). Redirects are not followed: set the final URL.`
  const answer = parsed(body)
  const said = answer?.error ?? answer?.message
  return `The receiver answered HTTP ${status}${said === undefined ? '' : ` (${sentence(said)})`}.`
}

/** Reads a receiver's answer: status first, then what the body admits. */
export const readAnswer = (http: HttpAnswer, event: PublishRequest['event'], now: Date): PublishOutcome => {
  const seen = { httpStatus: http.status, excerpt: storableText(clip(http.body, EXCERPT_CHARACTERS)) }
  if (http.status < 200 || http.status >= 300) {
    const retryable = http.status >= 500 || RETRYABLE_STATUSES.has(http.status)
    const retryAfterS = retryable ? retryAfter(http.headers, now) : undefined
    return {
      kind: 'refused',
      reason: statusSentence(http),
      retryable,
      ...(retryAfterS === undefined ? {} : { retryAfterS }),
      ...seen,
    }
  }
  const answer = parsed(http.body)
  const failure = answer && failureIn(answer, event === 'update_articles')
  if (failure) return { kind: 'refused', reason: failure, retryable: false, ...seen }
  const url = answer?.published_url ?? answer?.url
  const remoteId = answer?.external_id ?? answer?.post_id
  return {
    kind: 'accepted',
    ...(isHttpUrl(url) ? { url } : {}),
    ...(typeof remoteId === 'string' || typeof remoteId === 'number' ? { remoteId: clip(String(remoteId), 200) } : {}),
    ...seen,
  }
}
