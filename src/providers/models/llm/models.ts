import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { APICallError, type LanguageModel } from 'ai'
import { createWorkersAI } from 'workers-ai-provider'
import type { WriterResult } from '../../../content/writing/port.ts'
import { foreignJson } from '../../../platform/lib/foreign-answers.ts'
import { clip } from '../../../platform/lib/text.ts'
import { fetchAs } from '../../../platform/runtime/outbound.ts'
import type { WriterSettings } from '../../../platform/runtime/provider-env.ts'
import type { FinalAnswer } from './final-answer.ts'

/** Fields of a chat completion that a model may refuse, and that are not required. */
const OPTIONAL = ['max_tokens', 'max_completion_tokens', 'temperature', 'reasoning_effort'] as const
type Optional = (typeof OPTIONAL)[number]

type Body = { model?: unknown; [name: string]: unknown }

/** True if the model is one of OpenAI's that think before they answer: o1 and later, GPT-5 and later. */
export const isReasoningModel = (model: string): boolean => /^(?:o\d|gpt-(?:[5-9]|[1-9]\d))/.test(model)

/** Returns a body as OpenAI takes it. From GPT-5 on it refuses `max_tokens`, and any temperature except its own. */
const openAiBody = ({ max_tokens, temperature: _, ...body }: Body): Body => ({
  ...body,
  ...(max_tokens === undefined ? {} : { max_completion_tokens: max_tokens }),
  ...(isReasoningModel(String(body.model)) ? { reasoning_effort: 'low' } : {}),
})

const mentions = (text: string, name: string): boolean => new RegExp(`(?<!\\w)${name}(?!\\w)`).test(text)

/** Returns the optional field that a refusal names; undefined if it names none. */
const refusedIn = (text: string, sent: Body): Optional | undefined => {
  const { error } = (foreignJson(text) ?? {}) as { error?: { param?: unknown } }
  const among = OPTIONAL.filter((name) => sent[name] !== undefined)
  return among.find((name) => error?.param === name) ?? among.find((name) => mentions(text, name))
}

/** Returns the body without refused fields. A limit that only has another name keeps its value. */
const without = (body: Body, refused: ReadonlyMap<Optional, Optional | undefined>): Body => {
  const sent = { ...body }
  for (const [name, other] of refused) {
    if (other !== undefined && sent[name] !== undefined) sent[other] = sent[name]
    delete sent[name]
  }
  return sent
}

/**
 * Returns a `fetch` that repeats a request without the field that a 400 (or 422) names, once per field.
 *
 * A field that a model refused is not sent to it again.
 */
const withoutRefused = (send: typeof fetch): typeof fetch => {
  const refusedBy = new Map<string, Map<Optional, Optional | undefined>>()
  return async (input, init) => {
    const body = typeof init?.body === 'string' ? (foreignJson(init.body) as Body | undefined) : undefined
    if (typeof body !== 'object') return await send(input, init)
    const model = String(body.model)
    const refused = refusedBy.get(model) ?? new Map<Optional, Optional | undefined>()
    refusedBy.set(model, refused)
    for (;;) {
      const sent = without(body, refused)
      const response = await send(input, { ...init, body: JSON.stringify(sent) })
      if (response.status !== 400 && response.status !== 422) return response
      const text = await response.text()
      const name = refusedIn(text, sent)
      if (name === undefined) return new Response(text, { status: response.status })
      const isRenamed = name === 'max_tokens' && mentions(text, 'max_completion_tokens')
      refused.set(name, isRenamed ? 'max_completion_tokens' : undefined)
    }
  }
}

type Refused = Extract<WriterResult<never>, { kind: 'refused' }>

const passing = (reason: string): Refused => ({ kind: 'refused', reason, retryable: true })
const final = (reason: string): Refused => ({ kind: 'refused', reason, retryable: false })

/** Returns the seconds that a provider asks to wait: `retry-after-ms`, else `Retry-After` as seconds or a date. */
const retryAfterS = (headers: Record<string, string> = {}, now: Date): number | undefined => {
  const ms = Number(headers['retry-after-ms'] ?? Number.NaN)
  if (ms >= 0) return ms / 1_000
  const given = headers['retry-after']
  if (given === undefined) return undefined
  if (/^\d+(\.\d+)?$/.test(given.trim())) return Number(given)
  const until = Date.parse(given)
  return Number.isNaN(until) ? undefined : Math.max(0, (until - now.getTime()) / 1_000)
}

/** Returns the seconds that Google's refusal asks to wait. It names them in the body, and has no header. */
const delayIn = (body: string): number | undefined => {
  const [, seconds] = /"retryDelay":\s*"(\d+(?:\.\d+)?)s"/.exec(body) ?? []
  return seconds === undefined ? undefined : Number(seconds)
}

/** True if an account has to be paid first. Google writes of billing even if a limit of the minute is used up. */
const isOutOfQuota = (body: string): boolean =>
  delayIn(body) === undefined && /insufficient_quota|billing|credit balance|daily free allocation/i.test(body)

const WORDS = 200

/** Returns a provider's words about a refusal for use in our sentence: cut, and without anything that looks like a key. */
const wordsOf = ({ responseBody = '' }: APICallError, secret: string): string => {
  // Google's compatible address answers with a list of one.
  const [json] = [foreignJson(responseBody)].flat()
  const { error, message, detail } = (json ?? {}) as Record<string, unknown>
  const said = (error as { message?: unknown } | undefined)?.message ?? message ?? detail ?? error ?? responseBody
  const text = (typeof said === 'string' ? said : JSON.stringify(said)).replace(/\s+/g, ' ').trim()
  const safe = (secret === '' ? text : text.replaceAll(secret, '…'))
    .replace(/\bbearer \S+/gi, '…')
    .replace(/\b(?:sk|pk|rk|gsk|xai)-\S+|\bAIza\S+/g, '…')
    .replace(/[\w*-]{32,}/g, '…')
  return safe === '' ? '.' : `: “${clip(safe, WORDS)}”.`
}

const ofStatus = (status: number, error: APICallError, now: Date, secret: string): Refused => {
  const { responseBody = '' } = error
  if (status === 429 && isOutOfQuota(responseBody)) return final('The language model’s account has no quota left.')
  if (status === 429) {
    const wait = retryAfterS(error.responseHeaders, now) ?? delayIn(responseBody)
    return {
      ...passing('The language model is asked too often at the moment.'),
      ...(wait === undefined ? {} : { retryAfterS: wait }),
    }
  }
  if (status >= 500 || status === 408 || status === 409 || status === 425)
    return passing(`The language model’s service fails at the moment (HTTP ${status}).`)
  if (status === 401 || status === 403)
    return final(`The language model refuses our key (HTTP ${status})${wordsOf(error, secret)}`)
  return final(`The language model refuses the request (HTTP ${status})${wordsOf(error, secret)}`)
}

/** Returns the typed failure of a call to a model: whether it may be repeated, and when. */
export const failureOf = (error: unknown, now: Date, secret: string): Refused => {
  if (APICallError.isInstance(error))
    return error.statusCode === undefined || error.statusCode < 300
      ? passing('The language model answered with something that cannot be read.')
      : ofStatus(error.statusCode, error, now, secret)
  const name = error instanceof Error ? error.name : ''
  if (name === 'TimeoutError' || name === 'AbortError') return passing('The language model did not answer in time.')
  return passing('The language model could not be reached.')
}

/** Returns why the answer of a successful call cannot be used; undefined if it can. */
export const answerFault = (finishReason: string, answer: FinalAnswer): Refused | undefined => {
  if (finishReason === 'content-filter' || answer.kind === 'declined')
    return final('The language model declines to write about this.')
  if (finishReason === 'length' || answer.kind === 'cut')
    return final('The language model’s answer was cut short, with twice the room too.')
  return answer.text.trim() === '' ? passing('The language model answered with nothing.') : undefined
}

export const unexpectedAnswer = (what: string): Refused => passing(`The language model did not answer with ${what}.`)

type Ai = Parameters<typeof createWorkersAI>[0] extends infer Given
  ? Given extends { binding: infer Binding }
    ? Binding
    : never
  : never

const isOpenAi = (baseUrl: string): boolean => /(?:^|\.)api\.openai\.com$/.test(URL.parse(baseUrl)?.hostname ?? '')

/** Returns the model from the settings. `ai` is the Workers AI binding, which is used only with that provider. */
export const modelOf = (
  settings: Exclude<WriterSettings, { provider: 'built-in' }>,
  ai: unknown,
  userAgent: string,
): LanguageModel => {
  const fetch = fetchAs(userAgent)
  const { provider, model } = settings
  if (provider === 'workers-ai') return createWorkersAI({ binding: ai as Ai })(model)
  const address = settings.baseUrl === '' ? {} : { baseURL: settings.baseUrl }
  if (provider === 'anthropic') return createAnthropic({ apiKey: settings.apiKey, fetch, ...address })(model)
  const key = settings.apiKey === '' ? {} : { apiKey: settings.apiKey }
  return createOpenAICompatible({
    name: 'writer',
    baseURL: settings.baseUrl,
    fetch: withoutRefused(fetch),
    ...(isOpenAi(settings.baseUrl) ? { transformRequestBody: openAiBody } : {}),
    ...key,
  })(model)
}
