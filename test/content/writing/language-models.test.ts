import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { type RunningModel, startModel } from '../../../local/llm/server.ts'
import { json } from '../../../local/receiver/answers.ts'
import { startStandIn } from '../../../local/stand-in.ts'
import type { StandInRequest } from '../../../local/stand-in-request.ts'
import { llmWriter } from '../../../src/providers/models/llm/index.ts'
import { modelOf } from '../../../src/providers/models/llm/models.ts'
import { briefWith } from './briefs.ts'

const KEY = 'a-key-of-our-own'
let standIn: RunningModel
beforeAll(async () => {
  standIn = await startModel(KEY)
})
afterAll(() => standIn.close())
beforeEach(() => {
  standIn.moods([])
  standIn.faults([])
})
afterEach(() => vi.unstubAllGlobals())

const writerBy = (model: string, baseUrl = standIn.baseUrl, apiKey = KEY) =>
  llmWriter({
    model: modelOf({ provider: 'openai-compatible', baseUrl, apiKey, model }, undefined, 'Galley/test'),
    now: () => new Date(),
    secret: apiKey,
  })

const INPUT = {
  brief: briefWith(),
  notes: 'A shed needs a level base.',
  headline: { title: 'Sheds', metaDescription: 'About sheds.' },
  queries: [],
  faults: [],
}

/** Returns the requests that were sent while `work` ran, without the messages. */
const sentBy = async (work: () => Promise<unknown>) => {
  const before = standIn.heard().length
  await work()
  return standIn
    .heard()
    .slice(before)
    .map(({ body: { messages: _, ...rest } }) => rest)
}

it('the request of before is refused by a current model of OpenAI', async () => {
  const response = await fetch(`${standIn.baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'gpt-6-luna', messages: [], max_tokens: 4_000, temperature: 0.4 }),
  })
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({ error: { param: 'max_tokens', code: 'unsupported_parameter' } })
})

it.each([
  ['gpt-6-luna', { max_completion_tokens: 16_000, reasoning_effort: 'low' }],
  ['gpt-4o', { max_completion_tokens: 4_000 }],
])('api.openai.com gets the right parameters for %s at once', async (model, fields) => {
  const real = globalThis.fetch
  const passOn = (url: string, init: RequestInit) =>
    real(url.replace('https://api.openai.com/v1', standIn.baseUrl), init)
  vi.stubGlobal('fetch', passOn)
  const writer = writerBy(model, 'https://api.openai.com/v1')
  const sent = await sentBy(async () => expect(await writer.outline(INPUT)).toMatchObject({ kind: 'done' }))
  expect(sent).toEqual([{ model, ...fields }])
})

it('at another address a parameter that is refused is left out, and not sent again', async () => {
  const writer = writerBy('gpt-6-luna')
  const first = await sentBy(async () => expect(await writer.outline(INPUT)).toMatchObject({ kind: 'done' }))
  expect(first).toHaveLength(3)
  expect(first.at(-1)).toEqual({ model: 'gpt-6-luna', max_completion_tokens: 16_000 })
  expect(await sentBy(() => writer.outline(INPUT))).toEqual([first.at(-1)])
  expect(await sentBy(() => writerBy('stand-in').outline(INPUT))).toEqual([
    { model: 'stand-in', max_tokens: 4_000, temperature: 0.4 },
  ])
})

it('any other refusal is final, in the provider’s words, without the key', async () => {
  const message = `The model is not open to ${KEY} or sk-proj-abcdef. ${'Ask for it. '.repeat(40)}`
  standIn.faults([{ status: 400, answer: { error: { message, param: 'model' } } }])
  const before = standIn.heard().length
  const answer = await writerBy('stand-in').outline(INPUT)
  expect(answer).toMatchObject({ kind: 'refused', retryable: false })
  const { reason } = answer as { reason: string }
  expect(reason).toContain('(HTTP 400): “The model is not open to … or … Ask for it.')
  expect(reason).not.toMatch(/a-key-of|sk-proj/)
  expect(reason.length).toBeLessThan(270)
  expect(standIn.heard()).toHaveLength(before + 1)
})

it('a used-up limit of the minute at Google is waited for, though its words are of billing', async () => {
  const message =
    'You exceeded your current quota, please check your plan and billing details. Please retry in 33.820058115s.'
  const RetryInfo = { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '33s' }
  const error = { code: 429, message, status: 'RESOURCE_EXHAUSTED', details: [RetryInfo] }
  standIn.faults([{ status: 429, answer: [{ error }] }])
  expect(await writerBy('gemini').outline(INPUT)).toMatchObject({ retryable: true, retryAfterS: 33 })
  standIn.faults([{ status: 400, answer: [{ error: { code: 400, message: 'API key not valid.' } }] }])
  expect(await writerBy('gemini').outline(INPUT)).toMatchObject({
    retryable: false,
    reason: 'The language model refuses the request (HTTP 400): “API key not valid.”.',
  })
})

it('a reasoning model gets more tokens; a truncated answer is requested once more with twice as many', async () => {
  expect(await writerBy('gpt-6-luna').headline(INPUT)).toMatchObject({ kind: 'done' })
  standIn.moods([{ ending: 'length' }])
  const writer = writerBy('stand-in')
  const sent = await sentBy(async () => expect(await writer.outline(INPUT)).toMatchObject({ retryable: false }))
  expect(sent.map(({ max_tokens }) => max_tokens)).toEqual([4_000, 8_000])
})

const anthropicFault = (type: string, message: string) => ({ type: 'error', error: { type, message } })
const REFUSAL = {
  ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'claude-opus-4-7', content: [] },
  ...{ stop_reason: 'refusal', stop_sequence: null, usage: { input_tokens: 9, output_tokens: 0 } },
}

it.each([
  ['a refusal', 200, REFUSAL, { retryable: false, reason: expect.stringContaining('declines') }],
  ['an overload', 529, anthropicFault('overloaded_error', 'Overloaded'), { retryable: true }],
  [
    'an account without credit',
    400,
    anthropicFault('invalid_request_error', 'Your credit balance is too low.'),
    { retryable: false, reason: expect.stringContaining('Your credit balance is too low') },
  ],
])('Anthropic is asked as it documents, and %s is understood', async (_, status, answer, failure) => {
  const asked: StandInRequest[] = []
  const anthropic = await startStandIn({ answer: () => json(status, answer), heard: (request) => asked.push(request) })
  const settings = {
    provider: 'anthropic',
    baseUrl: `${anthropic.url}/v1`,
    apiKey: KEY,
    model: 'claude-opus-4-7',
  } as const
  const model = modelOf(settings, undefined, 'Galley/test')
  try {
    const writer = llmWriter({ model, now: () => new Date(), secret: KEY })
    expect(await writer.outline(INPUT)).toMatchObject({ kind: 'refused', ...failure })
  } finally {
    await anthropic.close()
  }
  expect(asked.map(({ path, headers }) => [path, headers['x-api-key'], headers['anthropic-version']])).toEqual([
    ['/v1/messages', KEY, '2023-06-01'],
  ])
  expect(asked[0]?.body).toMatchObject({ model: 'claude-opus-4-7', max_tokens: 4_000, system: expect.anything() })
  expect(asked[0]?.body).not.toHaveProperty('temperature')
})
