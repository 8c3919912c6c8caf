import { jsonWithin, retryAfterOf } from '../../../platform/lib/foreign-answers.ts'
import { clip, storableText } from '../../../platform/lib/text.ts'
import type { PublishOutcome, PublishRequest } from '../../../publishing/target/publish-target.ts'
import { postIn } from './post.ts'
import { decodedJson, MAX_STATEMENTS, sentence, statementsIn, wordsOf } from './statements.ts'
import { plainFailureIn, type Sent, type Verdict, verdictOf } from './verdict.ts'

const EXCERPT_CHARACTERS = 2_048
const RETRYABLE_STATUSES = new Set([408, 425, 429])

/** A receiver's answer. `truncated`: the body is longer than the limit. `incomplete`: it broke off. */
type HttpAnswer = { status: number; headers: Headers; body: string; truncated?: boolean; incomplete?: boolean }

/** Facts about the delivery. `sentBytes` is its size; `hasArticles` is false for a test event without an article. */
type Delivery = Pick<PublishRequest, 'event' | 'article' | 'isRepeat'> & { hasArticles: boolean; sentBytes: number }

/** Returns the JSON of an answer, if that is an object or a list and all of it arrived; otherwise undefined. */
const jsonOf = (body: string): unknown => {
  const json = decodedJson(jsonWithin(body)?.json)
  return typeof json === 'object' && json !== null ? json : undefined
}

/** True if an answer begins like JSON that does not end. */
const isBrokenOff = ({ body, incomplete }: HttpAnswer): boolean => incomplete === true || /^[\s\ufeff]*[{[]/.test(body)

const statusSentence = ({ status, headers, body }: HttpAnswer): string => {
  if (status >= 300 && status < 400)
    return `The receiver redirects (HTTP ${status}${headers.get('location') ? ` to ${sentence(headers.get('location'))}` : ''}). Redirects are not followed: set the final URL.`
  const message = statementsIn(jsonOf(body))
    .map(({ fields }) => wordsOf(fields))
    .find((words) => words !== undefined)
  return `The receiver answered HTTP ${status}${message === undefined ? '' : ` (${sentence(message)})`}.`
}

/** Returns the sentence about a delivery that was too large. It names the size: the delivery has the text twice, as HTML and as Markdown. */
const tooLarge = (http: HttpAnswer, sentBytes: number): string =>
  `${statusSentence(http)} The delivery was ${Math.ceil(sentBytes / 1024)} KiB, more than the receiver takes. Raise its limit: in Express with express.json({limit: '2mb'}), in nginx with client_max_body_size.`

const isPage = ({ headers, body }: HttpAnswer): boolean =>
  body.trim() !== '' &&
  (/^text\/html\b/i.test(headers.get('content-type') ?? '') || /^\s*<(!doctype|html)\b/i.test(body.slice(0, 200)))

const PAGE_NOTE =
  'The receiver answered with a web page instead of JSON. It counts as accepted; check that the address is the receiver’s.'
const BROKEN_OFF =
  'The answer of the receiver broke off, so its address for the post is not known. It counts as accepted; check that the post is there.'
const CUT = 'it was cut at 1 MiB, so its end was not read'
const LONG = 'it has more than 10,000 objects, so its end was not read'

const unclearNote = (words: string): string =>
  `The answer of the receiver is unclear: ${words}. The article counts as published, and nothing is sent again automatically. Check that the post is there.`

/** A verdict, with notes on the answer that it comes from. */
type Read = { verdict: Verdict; notes: readonly string[] }

/** Reads an answer without JSON. A web page and an answer that broke off are accepted with a note. */
const readPlain = (http: HttpAnswer): Read => {
  const json = jsonWithin(http.body)?.json
  const words = plainFailureIn(typeof json === 'string' ? json : http.body)
  if (words !== undefined) return { verdict: { kind: 'unclear', words }, notes: [] }
  return { verdict: { kind: 'done' }, notes: isBrokenOff(http) ? [BROKEN_OFF] : [] }
}

/** Reads an answer in JSON. One with too many objects is unclear unless those that are read refuse. */
const readJson = (json: unknown, sent: Sent): Verdict => {
  const statements = statementsIn(json)
  const verdict = verdictOf(statements, sent)
  return verdict.kind === 'done' && statements.length >= MAX_STATEMENTS ? { kind: 'unclear', words: LONG } : verdict
}

/** Returns the outcome of a 2xx answer from its body. */
const readBody = (http: HttpAnswer, { event, article, hasArticles, isRepeat }: Delivery): PublishOutcome => {
  const json = http.truncated ? undefined : jsonOf(http.body)
  const sent = { isUpdate: event === 'update_articles', isDraft: article.status === 'Draft', hasArticles, isRepeat }
  const read = (): Read => {
    if (json !== undefined) return { verdict: readJson(json, sent), notes: [] }
    if (isPage(http)) return { verdict: { kind: 'done' }, notes: [PAGE_NOTE] }
    return http.truncated ? { verdict: { kind: 'unclear', words: CUT }, notes: [] } : readPlain(http)
  }
  const { verdict, notes: readNotes } = read()
  if (verdict.kind === 'refused')
    return { kind: 'refused', reason: `The receiver answered ${verdict.words}.`, retryable: false }
  const { note, ...post } = postIn(json, article)
  const isUnclear = verdict.kind === 'unclear'
  const notes = [
    ...(isUnclear ? [unclearNote(verdict.words)] : []),
    ...readNotes,
    ...(note === undefined ? [] : [note]),
  ]
  return {
    kind: 'accepted',
    ...(isUnclear ? { isUnclear: true } : {}),
    ...(notes.length > 0 ? { notes } : {}),
    ...post,
  }
}

/** Returns the outcome from a receiver's answer: first from its status, then from its body. */
export const readAnswer = (http: HttpAnswer, delivery: Delivery, now: Date): PublishOutcome => {
  const seen = { httpStatus: http.status, excerpt: storableText(clip(http.body, EXCERPT_CHARACTERS)) }
  if (http.status >= 200 && http.status < 300) return { ...readBody(http, delivery), ...seen }
  const retryable = http.status >= 500 || RETRYABLE_STATUSES.has(http.status)
  const retryAfterS = retryable ? retryAfterOf(http.headers, now) : undefined
  return {
    kind: 'refused',
    reason: http.status === 413 ? tooLarge(http, delivery.sentBytes) : statusSentence(http),
    retryable,
    ...(retryAfterS === undefined ? {} : { retryAfterS }),
    ...seen,
  }
}
