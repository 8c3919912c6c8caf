import type { IncomingHttpHeaders } from 'node:http'
import type { FaultRule } from '../faults.ts'
import { type Outcome, refusal } from './answers.ts'
import { type Behaviour, outcomeUnder } from './behaviour.ts'
import { type Delivery, excerpt } from './deliveries.ts'
import { faultDelayMs, outcomeOf } from './fault-outcome.ts'
import type { ReceiverState } from './state.ts'
import { handleDelivery, type Reading, readDelivery, type Work, withoutTokens } from './webhook.ts'

export type Intake = { delivery: Delivery; outcome: Outcome; delayMs: number }
export type Envelope = { method: string; path: string; headers: IncomingHttpHeaders; receivedAt: Date }

const pathOf = (target: string): string => target.replace(/[?#].*$/s, '')

const NOTHING: Work = { answer: refusal(500, 'Nothing was done.'), action: null, publishedUrl: null, warnings: [] }
const UNREAD: Reading = { tokenIn: [], signature: 'not_checked', key: undefined, parsed: { problem: 'Not read.' } }

type Taken = { reading: Reading; raw: string; work: Work; mode: string; outcome: Outcome }

const record = (state: ReceiverState, { method, path, headers, receivedAt }: Envelope, taken: Taken): Delivery => {
  const { reading, work, outcome } = taken
  const body = 'body' in reading.parsed ? reading.parsed.body : undefined
  const key = headers['idempotency-key']
  const isTest = body?.test === true && body.data.articles.length === 0
  return (isTest ? state.tests : state.log).add({
    received_at: receivedAt.toISOString(),
    method,
    path,
    headers: withoutTokens(headers),
    token_in: reading.tokenIn,
    signature: reading.signature,
    idempotency_key: typeof key === 'string' ? key : null,
    event_type: body?.event_type ?? null,
    article_ids: body?.data.articles.map(({ id }) => id) ?? [],
    raw_body: taken.raw,
    mode: taken.mode,
    action: work.action,
    published_url: work.publishedUrl,
    warnings: work.warnings,
    answer: {
      outcome: outcome.kind === 'send' ? 'sent' : outcome.kind === 'close' ? 'closed' : 'held',
      status: outcome.kind === 'send' ? outcome.answer.status : null,
      body: outcome.kind === 'send' ? excerpt(outcome.answer.body) : '',
      after_ms: null,
    },
  })
}

/**
 * Returns the outcome of a request. If the behaviour stores posts and reports success, a refusal replaces its answer.
 *
 * Refusals are for the token, the signature, or a missing post.
 */
const answerUnder = (behaviour: Behaviour, work: Work): Outcome => {
  const outcome = outcomeUnder(behaviour, work.answer)
  const refused = behaviour.stores && work.answer.status >= 400
  const praised = outcome.kind === 'send' && outcome.answer.status < 400
  return refused && praised ? { kind: 'send', answer: work.answer } : outcome
}

/** Takes one request to the webhook: does the work that its behaviour allows, records it, and returns how to end it. */
export const takeIn = (
  state: ReceiverState,
  envelope: Envelope,
  raw: Buffer,
  behaviour: Behaviour,
  fault: FaultRule | undefined,
): Intake => {
  const reading = readDelivery(state.webhook, pathOf(envelope.path), envelope.headers, raw)
  let work = NOTHING
  const outcome = outcomeOf(fault, () => {
    if (behaviour.stores) work = handleDelivery(state.webhook, envelope.headers, reading)
    return answerUnder(behaviour, work)
  })
  const mode = fault ? 'fault' : behaviour.mode
  const delivery = record(state, envelope, { reading, raw: raw.toString('utf8'), work, mode, outcome })
  state.changed()
  return { delivery, outcome, delayMs: Math.max(behaviour.delay_ms ?? 0, faultDelayMs(fault)) }
}

/** Records a request that was refused before its body was read. */
export const turnAway = (state: ReceiverState, envelope: Envelope, mode: string): Intake => {
  const outcome: Outcome = { kind: 'close' }
  const delivery = record(state, envelope, { reading: UNREAD, raw: '', work: NOTHING, mode, outcome })
  state.changed()
  return { delivery, outcome, delayMs: 0 }
}
