import * as z from 'zod/mini'
import { foreignJson, hideSecrets, retryAfterOf } from '../../platform/lib/foreign-answers.ts'
import type { Deps } from '../../platform/runtime/ctx.ts'
import type { Crowd, CrowdFailure } from '../../reach/crowdwork/port.ts'
import { keptText, Problem } from './transform.ts'

export const NAME = 'Microworkers'

export type MicroworkersDeps = Pick<Deps, 'outbound' | 'now'>
export type CrowdSettings = { baseUrl: string; key: string; isSandbox: boolean }

type Call = { method: 'GET' | 'POST' | 'PUT'; path: string; json?: unknown }

const READ_TIMEOUT_MS = 10_000
const WRITE_TIMEOUT_MS = 20_000
const MAX_BYTES = 8 * 1024 * 1024
/** Most characters of a raw answer that are kept. */
const MAX_RAW = 2_000

const failed = (
  reason: CrowdFailure['reason'],
  message: string,
  more: Partial<Pick<CrowdFailure, 'mayBeDone' | 'isOperators' | 'status' | 'retryAfterS' | 'raw'>> = {},
): CrowdFailure => ({ kind: 'failed', reason, message, mayBeDone: false, ...more })

const parse = (body: string): unknown => (body.trim() === '' ? null : foreignJson(body))

/** Returns the provider's own words for a refusal, on one line. */
const wordsOf = (json: unknown): string => {
  const problem = Problem.safeParse(json)
  if (!problem.success) return ''
  const { title, detail, message, violations } = problem.data
  const details = (violations ?? []).map((one) => [one.propertyPath, one.message].filter(Boolean).join(': '))
  return keptText(
    [detail || message || title, ...details]
      .filter(Boolean)
      .join('; ')
      .replace(/<[^<>]*>/g, ' '),
    300,
  )
}

const refusalOf = (status: number, json: unknown, headers: Headers, now: Date): CrowdFailure => {
  const words = wordsOf(json)
  const sentence = words === '' ? `${NAME} answered HTTP ${status}.` : `${NAME} says: ${words}`
  if (status === 401 || status === 403) return failed('broken', sentence, { status, isOperators: true })
  if (status === 404) return failed('not_found', sentence, { status })
  if (status !== 429) return failed('rejected', sentence, { status })
  const retryAfterS = retryAfterOf(headers, now)
  return failed('away', sentence, { status, ...(retryAfterS === undefined ? {} : { retryAfterS }) })
}

/**
 * Makes one call of the API.
 *
 * A write may have been done if its answer was lost, was a 5xx, or was a success that cannot be read.
 */
const callApi = async (
  deps: MicroworkersDeps,
  { baseUrl, key }: CrowdSettings,
  call: Call,
): Promise<{ kind: 'got'; value: unknown; raw: string } | CrowdFailure> => {
  if (key === '') return failed('away', 'Crowdwork is not set up on this service.', { isOperators: true })
  const writes = call.method !== 'GET'
  const answer = await deps.outbound({
    url: `${baseUrl}${call.path}`,
    method: call.method,
    headers: {
      Accept: 'application/json',
      MicroworkersApiKey: key,
      ...(call.json === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(call.json === undefined ? {} : { body: JSON.stringify(call.json) }),
    timeoutMs: writes ? WRITE_TIMEOUT_MS : READ_TIMEOUT_MS,
    maxBytes: MAX_BYTES,
  })
  if (answer.kind === 'forbidden')
    return failed('broken', `The address of ${NAME} is not a public one.`, { isOperators: true })
  if (answer.kind === 'unsent') return failed('away', `The host of ${NAME} could not be looked up.`)
  if (answer.kind === 'no_answer') {
    const how = answer.reason === 'timeout' ? 'did not answer in time' : 'broke the connection off'
    return failed('away', `${NAME} ${how}.`, { mayBeDone: writes })
  }
  const { status, headers } = answer
  const json = parse(answer.body)
  const raw = keptText(hideSecrets(answer.body, [key]), MAX_RAW)
  if (status >= 500) return failed('away', `${NAME} answered HTTP ${status}.`, { status, mayBeDone: writes, raw })
  if (status >= 400) return { ...refusalOf(status, json, headers, deps.now()), raw }
  if (status >= 300) return failed('broken', `${NAME} redirects (HTTP ${status}).`, { status, isOperators: true, raw })
  if (json === undefined && answer.incomplete)
    return failed('away', `${NAME} broke its answer off.`, { status, mayBeDone: writes, raw })
  if (json === undefined)
    return failed('broken', `${NAME} answered with something that is not JSON.`, { status, mayBeDone: writes, raw })
  return { kind: 'got', value: json, raw }
}

/** Returns a function that calls the API and checks the form of the answer. */
export const formApi =
  (deps: MicroworkersDeps, settings: CrowdSettings) =>
  async <T>(call: Call, schema: z.ZodMiniType<T>): Promise<Crowd<T>> => {
    const answer = await callApi(deps, settings, call)
    if (answer.kind === 'failed') return answer
    const parsed = z.safeParse(schema, answer.value)
    if (parsed.success) return { kind: 'got', value: parsed.data }
    const mayBeDone = call.method !== 'GET'
    return failed('broken', `${NAME} answered in a form that is not known.`, { mayBeDone, raw: answer.raw })
  }
