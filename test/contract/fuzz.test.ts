import fc from 'fast-check'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { OPERATIONS } from '../../src/operations.ts'
import { scopesOf } from '../../src/platform/accounts/scopes.ts'
import { fieldNames } from '../../src/platform/http/ignored.ts'
import type { Operation } from '../../src/platform/http/operation.ts'
import { badValues, FIELDS } from '../support/bad-values.ts'
import { makeKeys, newAccount } from '../support/client.ts'
import { ABSENT, bodyOf, named, newThings, pathOf, pathTo, type Things } from '../support/contract.ts'

const stack = inject('stack')

/** Cases for each operation: so many that they are not all answered alike. */
const CASES = Number(process.env.FUZZ_CASES ?? 30)
/** FUZZ_SEED repeats a run. The message of a failure and the log name the seed. */
const SEED = Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 31)
const AT_ONCE = 8

beforeAll(() => console.log(`fuzz seed ${SEED}`))

type Case = { path: string; query: string; body: string | undefined; headers: Record<string, string> }

const hostile = fc.constantFrom<unknown>(
  ...['\u0000', '\ud800', '__proto__', 'constructor', "'; drop table articles; --", '%', '\\', '_', '\u202e', '🦊'],
  ...[
    '<script>',
    '<p',
    '<!--',
    '<b></i>',
    '&#0;',
    '2026-03-29T02:30',
    '9998-12-31',
    '1970-01-01',
    'https://[::1]',
    'http://a.b',
  ],
  ...[0, -0, -1, 1e308, 2 ** 31, 2 ** 53, 0.1, null, true, [], {}, [[]], [null]],
)
const anyValue = fc.oneof(
  hostile,
  fc.jsonValue({ maxDepth: 2 }),
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme', maxLength: 600 }),
)

/** Returns a body similar to a valid one: some fields valid, some not, some unknown, or no object at all. */
const bodies = (op: Operation, things: Things): fc.Arbitrary<string | undefined> => {
  const fields = Object.entries(FIELDS[op.id] ?? {})
  const pairs = fields.map(([name, kind]) =>
    fc.tuple(
      fc.constant(name),
      fc.oneof(
        fc.string({ unit: 'grapheme', minLength: 1 }),
        anyValue,
        fc.constantFrom(...badValues(kind).filter((v) => JSON.stringify(v).length < 5_000)),
      ),
    ),
  )
  const strange = fc.tuple(
    fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('__proto__', 'toString', 'articles_per_day')),
    anyValue,
  )
  const entry = pairs.length > 0 ? fc.oneof(...pairs, strange) : strange
  const wild = fc.oneof(fc.array(entry, { maxLength: 1 }), fc.array(entry, { maxLength: 6 }))
  const near = wild.map((entries) => {
    const valid = Object.entries(bodyOf(op, things.project) ?? {})
    const all = [...valid, ...entries].map(
      ([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value) ?? 'null'}`,
    )
    return `{${all.join(', ')}}`
  })
  return fc.oneof(
    { weight: 6, arbitrary: near },
    { weight: 1, arbitrary: fc.json() },
    { weight: 1, arbitrary: fc.string() },
  )
}

const NAMES = [
  'limit',
  'offset',
  'before_id',
  'project_id',
  'status',
  'scheduled_after',
  'scheduled_before',
  'q',
  '__proto__',
]
/** Returns a query of an operation's own names, of other operations' names and of unknown ones. */
const queries = (op: Operation): fc.Arbitrary<string> =>
  fc
    .array(
      fc.tuple(
        fc.oneof(fc.constantFrom(...(fieldNames(op.query) ?? []), ...NAMES), fc.string({ maxLength: 5 })),
        fc.oneof(
          fc.integer().map(String),
          hostile.map(String),
          fc.string({ unit: 'grapheme' }),
          fc.constantFrom('Draft', '2026-01-01', 'delivered'),
        ),
      ),
      { maxLength: 4 },
    )
    .map((pairs) =>
      pairs
        .map(([n, v]) => `${encodeURIComponent(n.toWellFormed())}=${encodeURIComponent(v.toWellFormed())}`)
        .join('&'),
    )
const rawQueries = fc.constantFrom(
  '%',
  '%ff=%fe',
  '=&=',
  '&&&',
  'q=%ED%A0%80',
  'a[b][c]=1',
  'limit',
  '?limit=1',
  `q=${'x'.repeat(4_000)}`,
)

const headerText = fc
  .array(
    fc.integer({ min: 0x20, max: 0xff }).filter((code) => code !== 0x7f),
    { maxLength: 300 },
  )
  .map((codes) => String.fromCharCode(...codes).trim())
const headers = fc.record(
  {
    'content-type': fc.oneof(
      { weight: 8, arbitrary: fc.constant('application/json') },
      { weight: 1, arbitrary: headerText },
    ),
    'idempotency-key': headerText,
    'x-request-id': headerText,
    accept: headerText,
    'accept-encoding': headerText,
    'if-none-match': headerText,
    'x-forwarded-for': headerText,
    cookie: headerText,
  },
  { requiredKeys: ['content-type'] },
)

const ids = fc.oneof(
  { weight: 6, arbitrary: fc.constant('own') },
  { weight: 2, arbitrary: fc.integer({ min: -2, max: 2 ** 32 }).map(String) },
  {
    weight: 1,
    arbitrary: fc
      .string({ minLength: 1 })
      .map((s) => encodeURIComponent(s.toWellFormed()))
      .filter((s) => s !== '.' && s !== '..'),
  },
  { weight: 1, arbitrary: fc.constantFrom('%00', '%ff', '%2e%2e', '0x1', '1e3', String(ABSENT)) },
)

const cases = (op: Operation, things: Things): fc.Arbitrary<Case> =>
  fc.record({
    // Clients collapse dot segments before they send them: such a path is another operation's.
    path: ids
      .filter((id) => !/^(\.|%2e){1,2}$/i.test(id))
      .map((id) => (id === 'own' ? pathTo(op, things) : op.path.replace(':id', id))),
    query: fc.oneof({ weight: 4, arbitrary: queries(op) }, { weight: 1, arbitrary: rawQueries }),
    body: op.method === 'GET' ? fc.constant(undefined) : bodies(op, things),
    headers: fc.oneof(
      { weight: 3, arbitrary: fc.constant({ 'content-type': 'application/json' }) },
      { weight: 1, arbitrary: headers },
    ),
  })

describe.each(named(OPERATIONS))('%s', (_, op) => {
  it(`gives no 5xx for ${CASES} arbitrary requests`, { timeout: 420_000 }, async () => {
    const api = await newAccount(stack, { projects: 10_000 }, scopesOf('admin'))
    const things = await newThings(api, stack)
    // No key sends more cases than its limit of a minute, or three.
    const keys = await makeKeys(stack, api.accountId, Math.ceil(CASES / Math.min(3, op.perMinute)), scopesOf('admin'))
    const drawn = fc.sample(cases(op, things), { numRuns: CASES, seed: SEED })
    // One case has an id that does not exist, whatever the generator draws.
    const valid = op.json === undefined ? undefined : JSON.stringify(bodyOf(op, things.project))
    const absent = { path: pathOf(op), query: '', body: valid, headers: { 'content-type': 'application/json' } }
    // Another has a form in place of JSON, so that the answers differ even if the rest is refused alike.
    const form = {
      ...absent,
      path: pathTo(op, things),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    }
    const sample = [...(op.path.includes(':') ? [absent] : []), ...(op.json === undefined ? [] : [form]), ...drawn]
    const statuses: number[] = []
    const one = async ({ path, query, body, headers: given }: Case, n: number): Promise<void> => {
      const { status, text } = await api.call(
        op.method,
        query === '' ? path : `${path}${path.includes('?') ? '&' : '?'}${query}`,
        {
          key: keys[n % keys.length] ?? api.key,
          headers: given,
          ...(body === undefined ? {} : { raw: body }),
        },
      )
      const what = `seed ${SEED}, case ${n}: ${JSON.stringify({ path, query, body, headers: given }).slice(0, 3_000)}`
      expect(status, `${what} -> ${text.slice(0, 300)}`).toBeLessThan(500)
      if (status >= 400 && op.method !== 'GET') expect(JSON.parse(text), what).toHaveProperty('code')
      statuses.push(status)
    }
    for (let at = 0; at < sample.length; at += AT_ONCE)
      await Promise.all(sample.slice(at, at + AT_ONCE).map((given, i) => one(given, at + i)))
    expect(statuses.filter((status) => status === 429).length).toBeLessThan(CASES / 10)
    // The absent id and the form are refused, and other cases are not. A query alone may be refused by none of the cases.
    const isRefused = op.path.includes(':') || op.json !== undefined
    expect(new Set(statuses).size).toBeGreaterThan(isRefused ? 1 : 0)
  })
})
