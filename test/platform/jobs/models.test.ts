import { expect, it } from 'vitest'
import { lookAtModels } from '../../../functions/jobs/models.ts'
import type { Engine } from '../../../schema/values/visibility.ts'
import type { AnswerEngines } from '../../../src/insights/visibility/port.ts'
import { type ModelInUse, noteModel } from '../../../src/platform/jobs/models.ts'
import type { Ctx } from '../../../src/platform/runtime/ctx.ts'
import type { Outbound } from '../../../src/platform/runtime/outbound.ts'
import { lookUpModel } from '../../../src/providers/models/look-up.ts'

const now = () => new Date('2026-11-28T06:17:00Z')

const linesOf = (found: ModelInUse): string[] => {
  const lines: string[] = []
  noteModel(
    { now, log: (level, event, fields = {}) => void lines.push(`${level} ${event} ${fields.ends ?? ''}`) },
    found,
  )
  return lines
}

it.each<[string, Omit<ModelInUse, 'use'>, string[]]>([
  ['is listed and no end is announced', { model: 'gpt-6-luna', isListed: true }, []],
  ['is no longer listed', { model: 'gpt-6-luna', isListed: false }, ['error models.unlisted ']],
  ['has no list', { model: 'gpt-6-luna' }, ['warn models.unknown ']],
  ['is not known to the table', { model: 'llama-9', isListed: true }, []],
  ['ends in 31 days by the list', { model: 'llama-9', isListed: true, ends: '2026-12-29' }, []],
  [
    'ends in 30 days by the list',
    { model: 'llama-9', isListed: true, ends: '2026-12-28' },
    ['error models.ends 2026-12-28'],
  ],
  ['ended by the list', { model: 'llama-9', isListed: true, ends: '2026-11-01' }, ['error models.ends 2026-11-01']],
  ['ends in 3 days by the table', { model: 'gpt-image-1.5', isListed: true }, ['error models.ends 2026-12-01']],
  [
    'ends by the table, with a dated name',
    { model: 'gpt-5-2025-08-07', isListed: true },
    ['error models.ends 2026-12-11'],
  ],
  ['ends later by the list than by the table', { model: 'gpt-5', isListed: true, ends: '2027-03-01' }, []],
])('a model that %s', (_, found, lines) => expect(linesOf({ use: 'writer', ...found })).toEqual(lines))

/** Returns an outbound that answers one request, and the request. */
const answering = (status: number, body: unknown) => {
  const asked: Parameters<Outbound>[0][] = []
  const outbound = (async (request: Parameters<Outbound>[0]) => {
    asked.push(request)
    return { kind: 'answered', status, headers: new Headers(), body: JSON.stringify(body) }
  }) as unknown as Outbound
  return { outbound, asked }
}

const OPENAI = { provider: 'openai-compatible', model: 'a-model', baseUrl: 'https://models.example/v1', apiKey: 'k' }
const CLAUDE = { provider: 'anthropic', model: 'claude-5', baseUrl: '', apiKey: 'k' }
// Answers as in https://platform.claude.com/docs/en/api/models/retrieve, 2026-11-25.
const KNOWN = { id: 'claude-5', type: 'model', display_name: 'Claude 5', created_at: '2026-02-04T00:00:00Z' }
const UNKNOWN = { type: 'error', error: { type: 'not_found_error', message: 'model: claude-5' } }

it.each<[string, typeof OPENAI, number, unknown, Partial<ModelInUse>]>([
  [
    'listed',
    OPENAI,
    200,
    { data: [{ id: 'a-model', shutdown_date: '2027-01-14T00:00:00Z' }] },
    { isListed: true, ends: '2027-01-14' },
  ],
  ['unlisted', OPENAI, 200, { data: [{ id: 'other' }] }, { isListed: false }],
  ['not known without a list', OPENAI, 404, { error: { message: 'Not found' } }, {}],
  ['known at Anthropic', CLAUDE, 200, KNOWN, { isListed: true }],
  ['unknown at Anthropic', CLAUDE, 404, UNKNOWN, { isListed: false }],
  ['not known while the key is refused', CLAUDE, 401, { type: 'error' }, {}],
  ['not known at Workers AI', { ...CLAUDE, provider: 'workers-ai' }, 200, {}, {}],
])('a model is %s', async (_, settings, status, body, found) => {
  const { outbound } = answering(status, body)
  expect(await lookUpModel(outbound, 'writer', settings)).toEqual({ use: 'writer', model: settings.model, ...found })
})

it('Anthropic is asked for the model itself, with its headers', async () => {
  const { outbound, asked } = answering(200, KNOWN)
  await lookUpModel(outbound, 'writer', CLAUDE)
  expect(asked).toMatchObject([
    {
      url: 'https://api.anthropic.com/v1/models/claude-5',
      headers: { 'x-api-key': 'k', 'anthropic-version': '2023-06-01' },
    },
  ])
})

it('the daily look asks for the writer, pictures and every engine, and an unread list hides no other model', async () => {
  const lines: string[] = []
  const ctx = {
    now,
    log: (_: string, event: string, { use, model }: Record<string, unknown> = {}) =>
      void lines.push(`${event} ${use} ${model}`),
  } as unknown as Ctx
  const engines = {
    configured: (engine: Engine) => ({ chatgpt: 'gpt-5', gemini: 'gone', perplexity: 'sonar' })[engine as 'gemini'],
    offered: async (engine: Engine) =>
      engine === 'perplexity'
        ? { kind: 'failed', reason: 'away' }
        : { kind: 'offered', models: [{ name: 'gpt-5', reasons: true, searches: true, queued: true }] },
  } as unknown as AnswerEngines
  await lookAtModels(ctx, async () => [{ use: 'writer', model: 'old', isListed: false }], engines)
  expect(lines.sort()).toEqual([
    'models.ends chatgpt gpt-5',
    'models.unknown perplexity sonar',
    'models.unlisted gemini gone',
    'models.unlisted writer old',
  ])
})
