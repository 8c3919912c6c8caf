import { foreignJson } from '../lib/foreign-answers.ts'
import { clip, storableText } from '../lib/text.ts'
import type { Outbound } from '../runtime/outbound.ts'
import type { Checked } from './provider-check.ts'

/** Asks one provider; never throws. */
export type Check = () => Promise<Checked>

const TIMEOUT_MS = 20_000
const MAX_BYTES = 2_000_000
const MAX_WORDS = 200

type Request = { url: string; method?: 'GET' | 'POST'; headers?: Record<string, string>; body?: string }

/** A provider's answer. `words`: its explanation, if it refused. */
export type Answered = { status: number; json: unknown; words: string }

/** Returns the provider's own words for a refusal, from any field where an API puts them. */
const wordsOf = (json: unknown): string => {
  const { error, message, status_message: told, error_description: described } = (json ?? {}) as Record<string, unknown>
  const inner = typeof error === 'object' && error !== null ? (error as { message?: unknown }).message : error
  const words = [inner, described, message, told].filter((one) => typeof one === 'string').join(' ')
  return clip(storableText(words.replace(/\s+/g, ' ').trim()), MAX_WORDS)
}

/** Returns a passed check. `cost`: the price of the call, in the provider's words. */
export const ok = (found: string, cost = 'free'): Checked => ({ isOk: true, found, cost })

/** Returns a failed check. `fix`: advice to the operator. */
export const wrong = (found: string, fix: string, cost = 'free'): Checked => ({ isOk: false, found, fix, cost })

/** Returns the failed check for an answer that is not a success. `settings`: names of the settings with the provider's access data. */
export const refusal = ({ status, words }: Answered, settings: string): Checked => {
  const told = words === '' ? `HTTP ${status}` : `HTTP ${status}: ${words}`
  if (status === 401 || status === 403) return wrong(told, `Check ${settings}: the provider refuses it.`)
  if (status === 402) return wrong(told, 'Pay the provider, or take a larger plan.')
  if (status === 429) return wrong(told, 'The rate or quota is used up: wait, or take a larger plan.')
  if (status >= 500) return wrong(told, 'The provider has a problem: look at its status page, and check again later.')
  return wrong(told, `Check ${settings}.`)
}

/** Sends one request. Returns a failed check if there was no answer. */
export const ask = async (outbound: Outbound, { method = 'GET', ...rest }: Request): Promise<Answered | Checked> => {
  const answer = await outbound({ ...rest, method, timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES })
  if (answer.kind !== 'answered') {
    const reason = answer.kind === 'no_answer' ? answer.reason : answer.kind
    return wrong(`no answer (${reason})`, `Check that ${new URL(rest.url).origin} is the right address and answers.`)
  }
  const json = foreignJson(answer.body)
  return { status: answer.status, json, words: wordsOf(json) }
}

/** Sends one request. Returns `judge`'s result for a successful answer, and otherwise a failed check. */
export const judged = async (
  outbound: Outbound,
  request: Request & { settings: string },
  judge: (json: unknown) => Checked,
): Promise<Checked> => {
  const { settings, ...rest } = request
  const answer = await ask(outbound, rest)
  if ('isOk' in answer) return answer
  return answer.status >= 200 && answer.status < 300 ? judge(answer.json ?? {}) : refusal(answer, settings)
}

/** Returns the request for the list of models at an OpenAI-compatible address. */
export const modelsRequest = ({ baseUrl, apiKey }: { baseUrl: string; apiKey: string }) => ({
  url: `${baseUrl}/models`,
  headers: (apiKey === '' ? {} : { authorization: `Bearer ${apiKey}` }) as Record<string, string>,
})

/** Returns whether a list has a model, and the day on which the model ends, if known. Undefined if the answer is not a list. */
export const listedModel = (
  json: unknown,
  model: string,
): { isListed: boolean; ends: string | undefined } | undefined => {
  const { data } = (json ?? {}) as { data?: unknown }
  if (!Array.isArray(data)) return undefined
  const one = (data as ({ id?: unknown; shutdown_date?: unknown } | null)[]).find((row) => row?.id === model)
  const ends = one?.shutdown_date
  return { isListed: one !== undefined, ends: typeof ends === 'string' ? ends.slice(0, 10) : undefined }
}
