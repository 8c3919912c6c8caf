import { expect, it } from 'vitest'
import { createApp } from '../../../src/platform/http/app.ts'
import type { HttpDeps } from '../../../src/platform/http/deps.ts'
import { errorFields, type LogFields } from '../../../src/platform/runtime/log.ts'

/** Answers `times` requests with a status after some milliseconds; the lines they left. */
const linesOf = async (
  { method = 'GET', status = 200, ms = 5, id = '' },
  { times = 1, lots = [0.5] }: { times?: number; lots?: number[] } = {},
): Promise<LogFields[]> => {
  const lines: LogFields[] = []
  let [clock, drawn, made] = [0, 0, 0]
  const deps = {
    settings: { logOneReadIn: 10, redisToken: 't' },
    now: () => new Date(clock),
    random: () => lots[drawn++ % lots.length],
    newId: () => `made-${made++}-0000`,
    log: (_level: string, event: string, fields: LogFields) => lines.push({ event, ...fields }),
  } as unknown as HttpDeps
  const app = createApp(deps)
  app.all('/x', (c) => {
    clock += ms
    return c.json({}, status as 200)
  })
  const headers: Record<string, string> = id === '' ? {} : { 'x-request-id': id }
  for (let n = 0; n < times; n += 1) await app.request('/x', { method, headers })
  return lines
}

it('one in ten successful reads is logged, with the number it represents', async () => {
  const lots = Array.from({ length: 100 }, (_, n) => n / 100)
  const lines = await linesOf({}, { times: 100, lots })
  expect(lines).toHaveLength(10)
  expect(lines[0]).toMatchObject({ event: 'request', method: 'GET', status: 200, ms: 5, one_in: 10 })
})

it.each([
  ['a write', { method: 'POST' }],
  ['a refusal', { status: 429 }],
  ['a fault', { status: 503 }],
  ['a slow read', { ms: 1_000 }],
  ["a request with an id of the caller's own", { id: 'by-the-caller' }],
])('%s is always logged, with one_in 1', async (_, request) => {
  const [line] = await linesOf(request)
  expect(line).toMatchObject({ event: 'request' })
  expect(line).not.toHaveProperty('one_in')
})

it('an error is logged without its message, which may have a parameter or a secret', () => {
  const cause = Object.assign(new Error('Key (email)=(kim@people.example) exists'), {
    code: '23505',
    constraint: 'one',
  })
  const fields = errorFields(new Error('gly_live_secret', { cause }))
  expect(fields).toMatchObject({ error: 'Error', code: '23505', constraint: 'one', at: expect.stringContaining('at ') })
  for (const thrown of [
    fields,
    errorFields(cause),
    errorFields('gly_live_secret'),
    errorFields({ a: 'gly_live_secret' }),
  ])
    expect(JSON.stringify(thrown)).not.toMatch(/gly_live|kim@/)
})
