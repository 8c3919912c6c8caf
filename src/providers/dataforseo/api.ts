import * as z from 'zod/mini'
import { base64 } from '../../lib/crypto.ts'
import { foreignJson } from '../../lib/foreign-json.ts'
import { clip, storableText } from '../../lib/text.ts'
import type { ProviderFailure } from '../../provider-keys/port.ts'
import { type Outbound, unsentReason } from '../../runtime/outbound.ts'

/** Where DataForSEO is asked, as whom, and until when (ms since 1970) an answer is of use. */
export type DataForSeoAccount = { baseUrl: string; login: string; password: string }
export type DataForSeoMeans = { outbound: Outbound; now: () => Date }

const NAME = 'DataForSEO'
const MAX_BYTES = 4 * 1024 * 1024
const LEAST_MS = 1_000
/** Limits are per minute and come without a header: wait for the next one. */
const NEXT_MINUTE_S = 60

const Envelope = z.looseObject({
  status_code: z.number(),
  status_message: z.nullish(z.string()),
  cost: z.nullish(z.number()),
  tasks: z.nullish(
    z.array(
      z.looseObject({
        status_code: z.number(),
        status_message: z.nullish(z.string()),
        result: z.nullish(z.array(z.unknown())),
      }),
    ),
  ),
})

/** What a code of theirs means; codes that are not here fall to their hundred, then to their ten thousand. */
const CODES: Record<number, ProviderFailure['code']> = {
  40100: 'auth',
  40101: 'transient',
  40103: 'transient',
  40200: 'billing',
  40201: 'permanent',
  40202: 'rate_limited',
  40203: 'billing',
  40204: 'billing',
  40205: 'permanent',
  40206: 'permanent',
  40207: 'auth',
  40601: 'transient',
  40602: 'transient',
  50100: 'permanent',
  50304: 'permanent',
}

const NO_RESULTS = 40102

const kindOf = (code: number): ProviderFailure['code'] =>
  CODES[code] ?? (code >= 50_000 ? 'transient' : code >= 40_500 || code < 40_100 ? 'invalid_input' : 'permanent')

/** Their words in our sentence: one line, at most 200 characters. */
const quotable = (text: string | null | undefined): string =>
  clip(storableText((text ?? '').replace(/\s+/g, ' ').trim()), 200)

const failed = (code: number, message: string | null | undefined): ProviderFailure => {
  const kind = kindOf(code)
  const words = quotable(message)
  return {
    kind: 'failed',
    code: kind,
    reason: `${NAME} answered ${code}${words === '' ? '.' : `: ${words}`}`,
    status: code,
    ...(kind === 'rate_limited' ? { retryAfterS: NEXT_MINUTE_S } : {}),
  }
}

const lost = (reason: string, status?: number): ProviderFailure => ({
  kind: 'failed',
  code: 'transient',
  reason,
  ...(status === undefined ? {} : { status }),
})

/** The code an answer without a readable envelope stands for. */
const codeOfStatus = (status: number): number =>
  status === 401 ? 40_100 : status === 402 ? 40_200 : status === 404 ? 40_400 : 0

type Answered = { kind: 'got'; result: unknown[]; costUsd: number }

const understood = (status: number, body: string): Answered | ProviderFailure => {
  const read = Envelope.safeParse(foreignJson(body))
  if (!read.success) {
    const code = codeOfStatus(status)
    return code === 0
      ? lost(`${NAME} answered HTTP ${status} with something that is not its API.`, status)
      : failed(code, '')
  }
  const { status_code: outer, status_message: message, cost, tasks } = read.data
  if (outer !== 20_000) return failed(outer, message)
  // `tasks_error` is 0 also where a task failed, so each level is looked at.
  const [task] = tasks ?? []
  if (!task) return lost(`${NAME} answered without a task.`, status)
  if (task.status_code === NO_RESULTS) return { kind: 'got', result: [], costUsd: cost ?? 0 }
  if (task.status_code !== 20_000)
    return { ...failed(task.status_code, task.status_message), ...(cost ? { costUsd: cost } : {}) }
  return { kind: 'got', result: task.result ?? [], costUsd: cost ?? 0 }
}

type Call = { path: string; task?: Record<string, unknown>; until: number }

/**
 * One live call with one task (none: a GET): its `result`, empty where there is nothing to find, and its cost. A good HTTP
 * status says nothing: the code of the answer and that of its task are judged.
 */
export const callDataForSeo = async (
  means: DataForSeoMeans,
  { baseUrl, login, password }: DataForSeoAccount,
  { path, task, until }: Call,
): Promise<Answered | ProviderFailure> => {
  const timeoutMs = until - means.now().getTime()
  if (timeoutMs < LEAST_MS) return lost(`${NAME} did not answer in time.`)
  const answer = await means.outbound({
    url: `${baseUrl}${path}`,
    method: task ? 'POST' : 'GET',
    headers: {
      Accept: 'application/json',
      Authorization: `Basic ${base64(new TextEncoder().encode(`${login}:${password}`))}`,
      ...(task ? { 'Content-Type': 'application/json' } : {}),
    },
    ...(task ? { body: JSON.stringify([task]) } : {}),
    timeoutMs,
    maxBytes: MAX_BYTES,
  })
  if (answer.kind === 'answered') return understood(answer.status, answer.body)
  if (answer.kind === 'unsent') return lost(unsentReason(answer))
  if (answer.kind === 'forbidden') return { ...lost(`The address of ${NAME} is not a public one.`), code: 'permanent' }
  return lost(answer.reason === 'timeout' ? `${NAME} did not answer in time.` : `The connection to ${NAME} failed.`)
}
