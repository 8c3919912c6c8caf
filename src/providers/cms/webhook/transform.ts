import { jsonWithin, retryAfterOf } from '../../../platform/lib/foreign-answers.ts'
import { clip, hasForbiddenCharacters, storableText } from '../../../platform/lib/text.ts'
import type { PublishOutcome, PublishRequest } from '../../../publishing/target/publish-target.ts'

const EXCERPT_CHARACTERS = 2_048

/** Options of a connection test. `isEmpty`: it sends no article. */
export type Test = { isTest?: boolean; isEmpty?: boolean }

/** Returns the body of a delivery. It is built for each attempt, so that `timestamp` is the time of sending. */
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

/** One object of a receiver's answer. */
type Statement = Record<string, unknown>

/** Names of fields in which programs wrap their answer. */
const WRAPPERS = [
  ...['data', 'result', 'results', 'response', 'body', 'json', 'payload', 'output', 'items'],
  ...['articles', 'article', 'posts', 'post', 'attributes'],
] as const
const MAX_DEPTH = 5

const isObject = (value: unknown): value is Statement =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns the statement with its names in lower case too, because some servers write `Success`. */
const inSmallLetters = (value: Statement): Statement => ({
  ...Object.fromEntries(Object.entries(value).map(([name, field]) => [name.toLowerCase(), field])),
  ...value,
})

/** True if the value is JSON inside a text, because some servers encode their answer twice. */
const isWritten = (value: unknown): value is string => typeof value === 'string' && /^\s*[{[]/.test(value)

/** Returns the objects of an answer: itself, the objects of a list, and those wrapped in either. */
const statementsIn = (value: unknown, depth = 0): Statement[] => {
  if (depth > MAX_DEPTH) return []
  if (Array.isArray(value)) return value.flatMap((one) => statementsIn(one, depth + 1))
  if (isWritten(value)) return statementsIn(jsonWithin(value)?.json ?? null, depth + 1)
  if (!isObject(value)) return []
  const statement = inSmallLetters(value)
  return [statement, ...WRAPPERS.flatMap((name) => statementsIn(statement[name], depth + 1))]
}

/** Returns the statements of an answer; undefined if it has no JSON object or list. */
const parsed = (body: string): Statement[] | undefined => {
  const json = jsonWithin(body)?.json
  return isWritten(json) || (typeof json === 'object' && json !== null) ? statementsIn(json) : undefined
}

/** Names of fields for the post's id. The first one with a usable value wins. */
const ID_NAMES = ['external_id', 'externalid', 'post_id', 'postid', 'id', '_id'] as const

/** True if a text is as the receiver wrote it. Reading the JSON replaces a character that cannot be stored by U+FFFD. */
const isWhole = (value: unknown): value is string =>
  typeof value === 'string' && !hasForbiddenCharacters(value) && !value.includes('\ufffd')

/** Returns a post's id as text; undefined if it is no id, or a number too large to be exact. */
const idText = (value: unknown): string | undefined => {
  if (typeof value === 'number')
    return Number.isInteger(value) && !Number.isSafeInteger(value) ? undefined : String(value)
  return isWhole(value) && value !== '' ? clip(value, 200) : undefined
}

const postIdIn = (statements: readonly Statement[]): string | undefined =>
  ID_NAMES.flatMap((name) => statements.map((one) => idText(one[name]))).find((id) => id !== undefined)

/** Names of fields for the address at which readers find the post. */
const URL_NAMES = ['published_url', 'publishedurl', 'url', 'permalink', 'post_url', 'posturl', 'link'] as const
const MAX_URL = 2_000

/** Returns a full address from a receiver's value, with blanks encoded and a missing scheme added; undefined if it is unclear. */
const fullUrl = (value: unknown): string | undefined => {
  if (!isWhole(value)) return undefined
  const text = value.trim()
  const isBare = /^(?:\/\/|www\.)[^\s/]|^[a-z\d-]+(?:\.[a-z\d-]+)*\.[a-z]{2,}\//i.test(text)
  const url = URL.parse(isBare ? `https://${text.replace(/^\/\//, '')}` : text)
  if (!url || !/^https?:\/\//i.test(isBare ? 'https://' : text) || !/^https?:$/.test(url.protocol)) return undefined
  const full = isBare || /\s/.test(text) ? url.href : text
  return full.length <= MAX_URL ? full : undefined
}

type Address = { url?: string; note?: string }

/** Returns the first valid address of the post, else a note on the first value that is not valid. */
const addressIn = (statements: readonly Statement[]): Address => {
  const given = URL_NAMES.flatMap((name) => statements.map((one) => one[name])).filter((value) => !isEmpty(value))
  const url = given.map(fullUrl).find((one) => one !== undefined)
  if (url !== undefined) return { url }
  const [unclear] = given
  return unclear === undefined
    ? {}
    : {
        note: `The receiver answered with an address that is no full http(s) address, so none was stored: ${sentence(unclear)}`,
      }
}

/** Words that programs write instead of an empty value. */
const NOTHING: ReadonlySet<string> = new Set(
  ',null,nil,none,undefined,false,no,no error,no errors,n/a,-,0,ok,[],{}'.split(','),
)

/** True if a value is empty in any form, or a word for it. */
const isEmpty = (value: unknown): boolean => {
  if (value === undefined || value === null || value === false || value === 0) return true
  if (typeof value === 'string')
    return NOTHING.has(
      value
        .replace(/\p{Cf}/gu, '')
        .trim()
        .toLowerCase(),
    )
  return typeof value === 'object' && Object.values(value).every(isEmpty)
}

/** Fields of an error that describe it. */
const WORDS = ['message', 'detail', 'error', 'reason', 'description'] as const

const sentence = (value: unknown): string => {
  const only = Array.isArray(value) && value.length === 1 ? (value[0] as unknown) : value
  const words = isObject(only) ? WORDS.map((name) => only[name]).find((one) => typeof one === 'string') : undefined
  const text = words ?? (typeof only === 'string' ? only : JSON.stringify(only))
  return clip(storableText(String(text ?? '')).trim(), 500)
}

/** Returns the words of a statement that describe its failure; undefined if it has none. */
const wordsOf = ({ error, errors, message, reason, detail }: Statement): unknown =>
  [error, errors, message, reason, detail].find((one) => !isEmpty(one) && one !== true)

/** Values that mean no. */
const NO: ReadonlySet<string> = new Set(['false', '0', 'no', 'n', 'f', 'off', 'failed', 'failure', 'fail', 'error'])

/** Names of the field for success. */
const SUCCESSES = ['success', 'is_success', 'issuccess', 'successful', 'succeeded'] as const

const isNegative = (value: unknown): boolean =>
  value === false || value === 0 || (typeof value === 'string' && NO.has(value.trim().toLowerCase()))

const COUNTS = ['processed', 'processed_count'] as const

const processedNothing = (answer: Statement): string | undefined => {
  for (const name of COUNTS)
    if (answer[name] === 0 || answer[name] === '0') return `The receiver answered ${name}: 0, so it processed nothing.`
  if (Array.isArray(answer.articles) && answer.articles.length === 0)
    return 'The receiver answered with an empty list of articles, so it processed nothing.'
  return undefined
}

/** Returns why a 2xx answer is not a success; undefined if it is. */
const failureIn = (answer: Statement, isUpdate: boolean, hasArticles: boolean): string | undefined => {
  const failed = SUCCESSES.find((name) => isNegative(answer[name]))
  if (failed !== undefined) {
    const words = wordsOf(answer)
    return `The receiver answered ${failed}: ${sentence(answer[failed])}${words === undefined ? '' : ` (${sentence(words)})`}.`
  }
  if (!isEmpty(answer.error)) {
    const words = answer.error === true ? (wordsOf(answer) ?? true) : answer.error
    return `The receiver answered with an error: ${sentence(words)}`
  }
  if (answer.failed === true || answer.is_error === true || answer.iserror === true) {
    const words = wordsOf(answer)
    return `The receiver answered that it failed${words === undefined ? '' : ` (${sentence(words)})`}.`
  }
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
  const message = parsed(body)
    ?.map(wordsOf)
    .find((words) => words !== undefined)
  return `The receiver answered HTTP ${status}${message === undefined ? '' : ` (${sentence(message)})`}.`
}

const isPage = ({ headers, body }: HttpAnswer): boolean =>
  body.trim() !== '' &&
  (/^text\/html\b/i.test(headers.get('content-type') ?? '') || /^\s*<(!doctype|html)\b/i.test(body.slice(0, 200)))

const PAGE_NOTE =
  'The receiver answered with a web page in place of JSON. It counts as accepted; look whether the address is the receiver’s.'

/** Fields that report a result: as a word, as yes or no, or as an HTTP status. */
const WORDED = ['status', 'state', 'result', 'outcome', 'type'] as const
const YES_OR_NO = ['ok', 'accepted', 'published'] as const
const STATUSES = ['status', 'statuscode', 'status_code', 'code'] as const
/** Fields that have a value only if something failed: words, a count or a list. */
const FAULTS = [
  ...['errors', 'error_message', 'errormessage', 'error_code', 'errorcode', 'errcode'],
  ...['failed', 'failed_count', 'exception', 'fault'],
] as const

const FAILED_WORDS: ReadonlySet<unknown> = new Set([false, 'false', 'error', 'failed', 'failure', 'fail'])

const isFailedWord = (value: unknown): boolean =>
  FAILED_WORDS.has(typeof value === 'string' ? value.trim().toLowerCase() : value)

const isFailedStatus = (value: unknown): boolean => Number(value) >= 400 && Number(value) < 600

/** Returns words of a 2xx answer that look like a failure, from fields outside the contract; undefined if there are none. */
const doubtIn = (answer: Statement, isUpdate: boolean): string | undefined => {
  const { action } = answer
  const name =
    WORDED.find((end) => isFailedWord(answer[end])) ??
    YES_OR_NO.find((end) => isNegative(answer[end])) ??
    STATUSES.find((status) => isFailedStatus(answer[status])) ??
    FAULTS.find((fault) => !isEmpty(answer[fault]))
  if (name !== undefined) {
    const words = name === 'errors' ? undefined : wordsOf(answer)
    return `${name}: ${sentence(answer[name])}${words === undefined ? '' : ` (${sentence(words)})`}`
  }
  if (!isUpdate && (action === 'ignored' || action === 'skipped')) return `action: ${action}`
  return undefined
}

/** Text without JSON that begins like an error. */
const SAYS_ERROR = /^\s*(?:(?:fatal |internal |server )*error|failed|exception|traceback)\b/i

const noteOf = (http: HttpAnswer, answer: readonly Statement[] | undefined, isUpdate: boolean): string | undefined => {
  if (answer === undefined && isPage(http)) return PAGE_NOTE
  const doubt =
    answer === undefined && (isNegative(http.body) || SAYS_ERROR.test(http.body))
      ? sentence(http.body)
      : answer?.map((one) => doubtIn(one, isUpdate)).find((one) => one !== undefined)
  return doubt && `The receiver answered ${doubt}. It counts as accepted; look whether the post is there.`
}

/** Returns the sentence about a delivery that was too large. It names the size: the delivery has the text twice, as HTML and as Markdown. */
const tooLarge = (http: HttpAnswer, sentBytes: number): string =>
  `${statusSentence(http)} The delivery was ${Math.ceil(sentBytes / 1024)} KiB, more than the receiver takes. Raise its limit: in Express with express.json({limit: '2mb'}), in nginx with client_max_body_size.`

/** Returns the outcome from a receiver's answer: first from its status, then from its body. */
export const readAnswer = (
  http: HttpAnswer,
  event: PublishRequest['event'],
  now: Date,
  { hasArticles = true, sentBytes = 0 }: { hasArticles?: boolean; sentBytes?: number } = {},
): PublishOutcome => {
  const seen = { httpStatus: http.status, excerpt: storableText(clip(http.body, EXCERPT_CHARACTERS)) }
  if (http.status < 200 || http.status >= 300) {
    const retryable = http.status >= 500 || RETRYABLE_STATUSES.has(http.status)
    const retryAfterS = retryable ? retryAfterOf(http.headers, now) : undefined
    return {
      kind: 'refused',
      reason: http.status === 413 ? tooLarge(http, sentBytes) : statusSentence(http),
      retryable,
      ...(retryAfterS === undefined ? {} : { retryAfterS }),
      ...seen,
    }
  }
  const answer = parsed(http.body)
  const isUpdate = event === 'update_articles'
  const failure = answer?.map((one) => failureIn(one, isUpdate, hasArticles)).find((one) => one !== undefined)
  if (failure) return { kind: 'refused', reason: failure, retryable: false, ...seen }
  const { url, note: urlNote } = addressIn(answer ?? [])
  const remoteId = postIdIn(answer ?? [])
  const notes = [noteOf(http, answer, isUpdate), urlNote].filter((note) => note !== undefined)
  return {
    kind: 'accepted',
    ...(url === undefined ? {} : { url }),
    ...(notes.length > 0 ? { notes } : {}),
    ...(remoteId === undefined ? {} : { remoteId }),
    ...seen,
  }
}
