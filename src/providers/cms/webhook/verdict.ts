import { type Fields, isEmpty, type Statement, said, sentence } from './statements.ts'

/**
 * Result of a delivery by its 2xx answer.
 * - `refused`: it reports a failure.
 * - `unclear`: it has words of failure that may concern something else.
 * - `done`: it has none.
 */
export type Verdict = { kind: 'done' } | { kind: 'refused' | 'unclear'; words: string }

/**
 * Facts about a delivery that its answer is read by. `hasArticles` is false for a test event without an article.
 *
 * `isRepeat` is true if the receiver accepted the same text before, so the post may be unchanged.
 */
export type Sent = { isUpdate: boolean; isDraft: boolean; hasArticles: boolean; isRepeat: boolean }

/** Fields with yes or no, or a word for it, where no is a failure. */
const SUCCESSES = ['success', 'issuccess', 'successful', 'succeeded', 'ok', 'accepted', 'acknowledged'] as const
/** Fields that report what was done in one word. */
const ENDS = ['action', 'status', 'result', 'outcome', 'state'] as const
/** Fields with an HTTP status. `code` may be any number, so it counts only in the answer itself. */
const STATUSES = ['status', 'statuscode', 'httpstatus', 'httpcode'] as const
/** Fields that have a value only if something failed: words, a count, a list, or yes. */
const FAULTS = [
  ...[
    'error',
    'errors',
    'errormessage',
    'errormsg',
    'errorcode',
    'errcode',
    'errno',
    'iserror',
    'haserror',
    'haserrors',
  ],
  ...['failed', 'failedcount', 'failures', 'exception', 'fault', 'usererrors'],
] as const

const NO: ReadonlySet<string> = new Set(['false', '0', 'no', 'n', 'f', 'off'])
const FAILED: ReadonlySet<string> = new Set([
  ...['error', 'errors', 'errored', 'failed', 'failure', 'fail', 'false', 'ko', 'nok', 'exception', 'crashed'],
  ...['rejected', 'refused', 'denied', 'unauthorized', 'forbidden', 'invalid', 'unsuccessful', 'aborted'],
  ...['canceled', 'cancelled'],
])

const lower = (value: unknown): string => (typeof value === 'string' ? value.trim().toLowerCase() : String(value))

/** Returns a word in lower case without blanks, `_` and `-`, as in `no-op`. */
const wordOf = (value: unknown): string => lower(value).replace(/[\s_-]/g, '')

const isNo = (value: unknown): boolean =>
  value === false || value === 0 || (typeof value === 'string' && (NO.has(lower(value)) || FAILED.has(lower(value))))

const isFailedWord = (value: unknown): boolean =>
  value === false || (typeof value === 'string' && FAILED.has(lower(value)))

const isFailedStatus = (value: unknown): boolean =>
  (typeof value === 'number' || typeof value === 'string') && Number(value) >= 400 && Number(value) < 600

/** True if a path is that of the answer itself, or of an entry of its list. */
const isWhole = (at: string): boolean => /^(?:\[\d+\])?$/.test(at)

/** Returns the words of a failure in a statement; undefined if it has none. */
const failureIn = (statement: Statement): string | undefined => {
  const { fields, at } = statement
  const name =
    SUCCESSES.find((one) => isNo(fields.get(one))) ??
    FAULTS.find((one) => !isEmpty(fields.get(one))) ??
    [...ENDS, 'type'].find((one) => isFailedWord(fields.get(one))) ??
    [...STATUSES, ...(isWhole(at) ? ['code'] : [])].find((one) => isFailedStatus(fields.get(one)))
  return name === undefined ? undefined : said(statement, name)
}

/** Counts of what was changed, which are 0, false or an empty list if nothing was. */
const CHANGED = [
  ...['updated', 'updatedcount', 'modified', 'modifiedcount', 'nmodified', 'changed', 'changedrows', 'changes'],
  ...['affected', 'affectedrows', 'rowsaffected', 'rowcount', 'matched', 'matchedcount'],
] as const
/** Counts of what was passed over. */
const PASSED_OVER = ['skipped', 'ignored', 'noop', 'notfound', 'missing'] as const
/** Counts of what is already as it was sent. */
const UNCHANGED = ['unchanged', 'notmodified'] as const
/** Those whose list has articles. A list of others may have names of fields. */
const PASSED_OVER_LISTS: ReadonlySet<string> = new Set(['skipped', 'notfound'])
/** Words for an update that was passed over, or made a post. */
const IDLE_WORDS: ReadonlySet<string> = new Set([
  ...['skipped', 'skip', 'ignored', 'ignore', 'noop', 'none', 'nothing', 'notfound', 'notupdated', 'missing'],
  ...['created', 'inserted'],
])
/** Words for a post that is already as it was sent. */
const UNCHANGED_WORDS: ReadonlySet<string> = new Set([
  'unchanged',
  'nochange',
  'nochanges',
  'notmodified',
  'notchanged',
])
const MADE = ['created', 'inserted', 'insertedcount', 'upsertedcount'] as const

const isZero = (value: unknown): boolean =>
  value === 0 ||
  value === false ||
  (Array.isArray(value) && value.length === 0) ||
  lower(value) === '0' ||
  lower(value) === 'false'

/** Larger numbers are times. */
const MAX_COUNT = 100_000_000

/** True if a value counts at least one thing: a number, or yes. */
const isCounted = (value: unknown): boolean =>
  value === true ||
  ((typeof value === 'number' || typeof value === 'string') && Number(value) > 0 && Number(value) < MAX_COUNT)

/** True if a value counts or lists at least one thing. */
const isSome = (value: unknown): boolean => (Array.isArray(value) ? value.length > 0 : isCounted(value))

const changesSomething = (fields: Fields): boolean => CHANGED.some((name) => isSome(fields.get(name)))

/** Returns the words of a statement that an update changed nothing, or made a post; undefined if it has none. */
const idleIn = (statement: Statement, { isRepeat }: Sent): string | undefined => {
  const { fields } = statement
  const isPassedOver = (one: string) =>
    PASSED_OVER_LISTS.has(one) ? isSome(fields.get(one)) : isCounted(fields.get(one))
  const passedOver = isRepeat ? PASSED_OVER : [...PASSED_OVER, ...UNCHANGED]
  const isIdle = (word: string) => IDLE_WORDS.has(word) || (!isRepeat && UNCHANGED_WORDS.has(word))
  const name =
    CHANGED.find((one) => fields.has(one) && isZero(fields.get(one))) ??
    (changesSomething(fields)
      ? undefined
      : (passedOver.find(isPassedOver) ?? MADE.find((one) => isSome(fields.get(one))))) ??
    ENDS.find((one) => isIdle(wordOf(fields.get(one))))
  return name === undefined ? undefined : said(statement, name)
}

/** Returns the words of an answer that says that nothing was processed; undefined if it does not say so. */
const unprocessedIn = (statement: Statement): string | undefined => {
  const { fields, at } = statement
  const name = ['processed', 'processedcount'].find((one) => fields.has(one) && isZero(fields.get(one)))
  if (name !== undefined) return said(statement, name)
  const articles = fields.get('articles')
  return Array.isArray(articles) && articles.length === 0
    ? `${at === '' ? '' : `${at}.`}articles: an empty list of articles`
    : undefined
}

/** Words for an article that a receiver passed over, or did not show, on its first publication. */
const OMITTED: ReadonlySet<string> = new Set(['skipped', 'skip', 'ignored', 'ignore', 'noop'])

/** Returns the words of an answer that a publication may not have made a post; undefined if it has none. */
const omissionIn = (statement: Statement, { isDraft }: Sent): string | undefined => {
  const { fields } = statement
  const counts = [...CHANGED, ...MADE].filter((one) => fields.has(one))
  const name =
    ENDS.find((one) => OMITTED.has(wordOf(fields.get(one)))) ??
    (isDraft ? undefined : ['published', 'ispublished'].find((one) => fields.has(one) && isNo(fields.get(one)))) ??
    (counts.some((one) => isSome(fields.get(one)))
      ? undefined
      : MADE.find((one) => fields.has(one) && isZero(fields.get(one))))
  return name === undefined ? undefined : said(statement, name)
}

/** Text that begins like an error. */
const LIKE_AN_ERROR =
  /^\s*(?:(?:fatal|internal|server|parse|syntax|database|uncaught|unhandled)\s+)*(?:error|errors|failed|failure|exception|traceback|could not|couldn['’]t|cannot|can['’]t|unable to|not found|unauthori[sz]ed|forbidden|access denied|permission denied)\b/i

/** Returns the words of an answer without JSON that reads like a failure; undefined if it does not. */
export const plainFailureIn = (text: string): string | undefined =>
  isNo(text) || LIKE_AN_ERROR.test(text) ? sentence(text) : undefined

const GOOD_WORDS: ReadonlySet<string> = new Set([
  'success',
  'ok',
  'done',
  'created',
  'updated',
  'published',
  'completed',
])

/** Returns the message of an answer that reads like an error, although nothing else in it does; undefined if none does. */
const errorMessageIn = (statement: Statement): string | undefined => {
  const { fields } = statement
  const isSuccess =
    SUCCESSES.some((one) => isSome(fields.get(one))) || ENDS.some((one) => GOOD_WORDS.has(lower(fields.get(one))))
  if (isSuccess) return undefined
  const name = ['message', 'msg'].find((one) => LIKE_AN_ERROR.test(lower(fields.get(one))))
  return name === undefined ? undefined : said(statement, name)
}

const firstIn = (statements: readonly Statement[], find: (statement: Statement) => string | undefined) => {
  for (const statement of statements) {
    const words = find(statement)
    if (words !== undefined) return words
  }
  return undefined
}

/**
 * Returns what the JSON of a 2xx answer says about a delivery.
 *
 * Words in the answer itself or in the wrappers of results refuse it. Words anywhere deeper make it unclear, and so do words
 * that can mean both.
 */
export const verdictOf = (statements: readonly Statement[], sent: Sent): Verdict => {
  const near = statements.filter(({ isNear }) => isNear)
  const far = statements.filter(({ isNear }) => !isNear)
  const didNothing = (one: Statement) => (sent.hasArticles && sent.isUpdate ? idleIn(one, sent) : undefined)
  const refused =
    firstIn(near, failureIn) ??
    (sent.hasArticles ? firstIn(near, unprocessedIn) : undefined) ??
    firstIn(near, didNothing)
  if (refused !== undefined) return { kind: 'refused', words: refused }
  const isChanged = near.some(({ fields }) => changesSomething(fields))
  const unclear =
    firstIn(far, failureIn) ??
    (isChanged ? undefined : firstIn(far, didNothing)) ??
    (sent.hasArticles && !sent.isUpdate ? firstIn(near, (one) => omissionIn(one, sent)) : undefined) ??
    firstIn(near, errorMessageIn)
  return unclear === undefined ? { kind: 'done' } : { kind: 'unclear', words: unclear }
}
