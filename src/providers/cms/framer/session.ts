import type { CmsFailure, CmsResult } from '../../../publishing/target/cms-adapter.ts'
import type { Connection } from '../../../publishing/target/publish-target.ts'
import { type CallWatch, type CmsDeps, quotable } from '../http.ts'
import type { FramerPort, FramerSession } from './port.ts'

const NAME = 'Framer'
/** Framer starts the project when a session opens; its own package waits this long for a large one. */
const OPEN_TIMEOUT_MS = 90_000
/** Limits for reading a collection, and for writing to it and publishing the site. */
const WORK_TIMEOUT_MS = { reading: 25_000, writing: 60_000 } as const
const CLOSE_TIMEOUT_MS = 1_000
const CHECK_TIMEOUT_MS = 5_000
/** Framer allows few sessions per project and key. A session that is open now ends in seconds. */
const BUSY_WAIT_S = 30
const CHANNEL_URL = 'https://api.framer.com/channel/headless-plugin'

const NEW_KEY = "Make a key in this project's site settings, and connect with it."

type Code = Extract<CmsFailure, { kind: 'refused' }>['code']

const refusal = (
  code: Code,
  reason: string,
  retryable = false,
  more: { retryAfterS?: number; httpStatus?: number } = {},
) => ({ kind: 'refused', code, reason, retryable, ...more }) as const

const LATE = Symbol('late')

const within = <T>(ms: number, work: Promise<T>): Promise<T | typeof LATE> =>
  Promise.race([
    work,
    new Promise<typeof LATE>((resolve) => {
      AbortSignal.timeout(ms).addEventListener('abort', () => resolve(LATE), { once: true })
    }),
  ])

const codeOf = (error: unknown): string | undefined => {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : undefined
}

const wordsOf = (error: unknown): string => quotable(error instanceof Error ? error.message : String(error))

/** Returns the failure for an SDK error with a code; undefined for other errors. */
const codedFailure = (error: unknown): CmsFailure | undefined => {
  const words = wordsOf(error)
  switch (codeOf(error)) {
    case undefined:
      return undefined
    case 'UNAUTHORIZED':
      return refusal('auth_invalid', `${NAME} does not accept the API key for this project (${words}). ${NEW_KEY}`)
    case 'POOL_EXHAUSTED':
    case 'TOKEN_SESSION_LIMIT':
      return refusal('rate_limited', `${NAME} has no session left for this project now (${words}).`, true, {
        retryAfterS: BUSY_WAIT_S,
      })
    case 'INVALID_REQUEST':
    case 'EXPECTED_BRANCH_MISSING':
    case 'NODE_NOT_FOUND':
      return refusal('site_not_found', `${NAME} does not find the project, or something in it (${words}).`)
    default:
      return refusal('unavailable', `The session at ${NAME} ended (${words}).`, true)
  }
}

/** Returns the reason why a session was refused. The SDK does not report it on Workers, so the status is queried. */
const whyNotOpened = async (deps: CmsDeps, url: string, apiKey: string, error: unknown): Promise<CmsFailure> => {
  const projectId = url.split('/').at(-1) ?? ''
  const answer = await deps.outbound({
    url: `${CHANNEL_URL}?projectId=${encodeURIComponent(projectId)}`,
    method: 'GET',
    headers: { Authorization: `Token ${apiKey}`, Upgrade: 'websocket' },
    timeoutMs: CHECK_TIMEOUT_MS,
    maxBytes: 1_024,
  })
  const status = answer.kind === 'answered' ? answer.status : 0
  const seen = status === 0 ? {} : { httpStatus: status }
  if (status === 401 || status === 403)
    return refusal(
      'auth_invalid',
      `${NAME} does not accept the API key for this project (HTTP ${status}). ${NEW_KEY}`,
      false,
      seen,
    )
  if (status === 404) return refusal('site_not_found', `${NAME} does not know the project (HTTP 404).`, false, seen)
  if (status === 429)
    return refusal('rate_limited', `${NAME} has too many sessions now.`, true, { ...seen, retryAfterS: BUSY_WAIT_S })
  return refusal(
    'unavailable',
    `${NAME} did not accept the session (${wordsOf(error)}). API key or project may be wrong, or the service is down.`,
    true,
    seen,
  )
}

const WRITES = ['addItem', 'changeItem', 'removeItem', 'publish'] as const

/** Counts of a session's writes. A failure before the first write has changed nothing. */
type Progress = { begun: number; ended: number }

const watched = (session: FramerSession, progress: Progress, watch: CallWatch | undefined): FramerSession => {
  const copy: Record<string, unknown> = { ...session }
  for (const name of WRITES) {
    const write = session[name] as (...given: unknown[]) => Promise<unknown>
    copy[name] = async (...given: unknown[]) => {
      progress.begun += 1
      if (watch) watch.hasWritten = true
      const answer = await write(...given)
      if (watch) watch.hasChanged = true
      progress.ended += 1
      return answer
    }
  }
  return copy as FramerSession
}

const failureOf = (error: unknown, { begun, ended }: Progress): CmsFailure => {
  const coded = codedFailure(error)
  if (begun === 0) return coded ?? refusal('unavailable', `${NAME} answered with an error (${wordsOf(error)}).`, true)
  // An error without a code is the project's answer to this write, so it was not done.
  if (!coded && begun === 1 && ended === 0) {
    const words = wordsOf(error)
    const isTaken = /slug/i.test(words) && /unique|exist|duplicate|taken|already/i.test(words)
    return refusal(isTaken ? 'slug_taken' : 'validation', `${NAME} refuses the item (${words}).`)
  }
  return {
    kind: 'unknown',
    reason: `The session at ${NAME} broke off (${wordsOf(error)}). It is not known whether the change was made.`,
  }
}

const closed = async (session: FramerSession): Promise<void> => {
  await within(
    CLOSE_TIMEOUT_MS,
    session.disconnect().catch(() => undefined),
  )
}

/**
 * Runs work in a session and always closes the session, because open ones count against the project's limit.
 *
 * An exception becomes a typed failure: a refusal if nothing was changed, else `unknown`.
 */
export const withSession = async <T>(
  port: FramerPort,
  deps: CmsDeps,
  { url, secrets }: Connection,
  work: (session: FramerSession) => Promise<CmsResult<T>>,
  kind: keyof typeof WORK_TIMEOUT_MS = 'reading',
): Promise<CmsResult<T>> => {
  const apiKey = secrets.api_key ?? ''
  const opening = port.open(url, apiKey, `${deps.serviceName.toLowerCase()}/1.0`)
  let session: FramerSession | typeof LATE
  try {
    session = await within(OPEN_TIMEOUT_MS, opening)
  } catch (error) {
    return codedFailure(error) ?? (await whyNotOpened(deps, url, apiKey, error))
  }
  if (session === LATE) {
    opening.then(closed).catch(() => undefined)
    return refusal('unavailable', `${NAME} did not open a session in time.`, true)
  }
  const progress: Progress = { begun: 0, ended: 0 }
  try {
    const result = await within(WORK_TIMEOUT_MS[kind], work(watched(session, progress, deps.watch)))
    return result === LATE
      ? failureOf(Object.assign(new Error('no answer in time'), { code: 'TIMEOUT' }), progress)
      : result
  } catch (error) {
    return failureOf(error, progress)
  } finally {
    await closed(session)
  }
}
