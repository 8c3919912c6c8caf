import { APICallError } from 'ai'
import type { WriterResult } from '../../../content/writing/port.ts'
import { foreignJson } from '../../../platform/lib/foreign-json.ts'
import { clip } from '../../../platform/lib/text.ts'

type Refused = Extract<WriterResult<never>, { kind: 'refused' }>

const passing = (reason: string): Refused => ({ kind: 'refused', reason, retryable: true })
const final = (reason: string): Refused => ({ kind: 'refused', reason, retryable: false })

/** Seconds a provider asks to wait: `retry-after-ms`, else `Retry-After` as seconds or a date. */
const retryAfterS = (headers: Record<string, string> = {}, now: Date): number | undefined => {
  const ms = Number(headers['retry-after-ms'] ?? Number.NaN)
  if (ms >= 0) return ms / 1_000
  const given = headers['retry-after']
  if (given === undefined) return undefined
  if (/^\d+(\.\d+)?$/.test(given.trim())) return Number(given)
  const until = Date.parse(given)
  return Number.isNaN(until) ? undefined : Math.max(0, (until - now.getTime()) / 1_000)
}

const isOutOfQuota = (body = ''): boolean => /insufficient_quota|billing|credit balance/i.test(body)

const WORDS = 200

/** Returns what a provider says in its refusal, as a part of our sentence: cut, and without anything that looks like a key. */
const wordsOf = ({ responseBody = '' }: APICallError, secret: string): string => {
  const { error, message, detail } = (foreignJson(responseBody) ?? {}) as Record<string, unknown>
  const said = (error as { message?: unknown } | undefined)?.message ?? message ?? detail ?? error ?? responseBody
  const text = (typeof said === 'string' ? said : JSON.stringify(said)).replace(/\s+/g, ' ').trim()
  const safe = (secret === '' ? text : text.replaceAll(secret, '…'))
    .replace(/\bbearer \S+/gi, '…')
    .replace(/\b(?:sk|pk|rk|gsk|xai)-\S+|\bAIza\S+/g, '…')
    .replace(/[\w*-]{32,}/g, '…')
  return safe === '' ? '.' : `: “${clip(safe, WORDS)}”.`
}

const ofStatus = (status: number, error: APICallError, now: Date, secret: string): Refused => {
  if (status === 429 && isOutOfQuota(error.responseBody))
    return final('The language model’s account has no quota left.')
  if (status === 429) {
    const wait = retryAfterS(error.responseHeaders, now)
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

/** Returns the typed failure of a call to a model: if it may be repeated, and when. */
export const failureOf = (error: unknown, now: Date, secret: string): Refused => {
  if (APICallError.isInstance(error))
    return error.statusCode === undefined || error.statusCode < 300
      ? passing('The language model answered with something that cannot be read.')
      : ofStatus(error.statusCode, error, now, secret)
  const name = error instanceof Error ? error.name : ''
  if (name === 'TimeoutError' || name === 'AbortError') return passing('The language model did not answer in time.')
  return passing('The language model could not be reached.')
}

/** Returns the reason for which the answer of a call that succeeded cannot be used; undefined if it can. */
export const answerFault = (finishReason: string, text: string): Refused | undefined => {
  if (finishReason === 'content-filter') return final('The language model declines to write about this.')
  if (finishReason === 'length') return final('The language model’s answer was cut short, with twice the room too.')
  return text.trim() === '' ? passing('The language model answered with nothing.') : undefined
}

export const notAsAsked = (what: string): Refused => passing(`The language model did not answer with ${what}.`)
