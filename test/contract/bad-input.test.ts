import { randomBytes } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { OPERATIONS } from '../../src/operations.ts'
import { scopesOf } from '../../src/platform/accounts/scopes.ts'
import { inputSchemas } from '../../src/platform/http/json-schemas.ts'
import type { Operation } from '../../src/platform/http/operation.ts'
import { setPolicy } from '../accounts/policy/set.ts'
import { badValues, FIELDS, type Kind } from '../support/bad-values.ts'
import { type Answer, type Api, newAccount, rowsIn } from '../support/client.ts'
import {
  ABSENT,
  bodyOf,
  changesSince,
  expectError,
  named,
  newThings,
  pathTo,
  stateOf,
  type Things,
} from '../support/contract.ts'
import { fieldsOf, manyKeys } from '../support/keys.ts'

const stack = inject('stack')

let owner: Api
let things: Things
let other: Things

beforeAll(async () => {
  owner = manyKeys(stack, await newAccount(stack, {}, scopesOf('admin')), scopesOf('admin'))
  things = await newThings(owner, stack)
  other = await newThings(await newAccount(stack), stack)
})

const withBody = OPERATIONS.filter((op) => op.json !== undefined)
const shapeOf = (schema: unknown): string[] =>
  Object.keys((schema as { _zod: { def: { shape?: object } } })._zod.def.shape ?? {})

const fieldsFor = (op: Operation) => Object.entries(FIELDS[op.id] ?? {})

/** `details[].field` without the place inside a list. */
const topFields = (answer: Answer): string[] => fieldsOf(answer.body).map((field) => String(field).split('.')[0] ?? '')

const expectRefused = (answer: Answer, fields: readonly string[], what: string): void => {
  expect(answer.status, `${what}: ${answer.text.slice(0, 300)}`).toBe(400)
  expectError(answer, 'invalid_input')
  expect([...new Set(topFields(answer))].sort(), what).toEqual([...fields].sort())
}

const isRequired = (op: Operation, name: string): boolean => (inputSchemas(op).body?.required ?? []).includes(name)

/** Values that an operation refuses in a field. In a POST, null is absent. */
const badFor = (op: Operation, name: string, kind: Kind): unknown[] =>
  badValues(kind).filter((value) => value !== null || op.method !== 'POST' || isRequired(op, name))

const posts = withBody.filter(({ method }) => method === 'POST')

it.each(named(posts))('null in a field of %s is the same as no field', async (_, op) => {
  const at = pathTo(op, things)
  const dry = async (body: object) => {
    const answer = await owner.post(`${at}${at.includes('?') ? '&' : '?'}dry_run=true`, body)
    return { status: answer.status, would: (answer.body.would as { status: number } | undefined)?.status }
  }
  const given = (bodyOf(op, things.project) ?? {}) as Record<string, unknown>
  const names = Object.keys(FIELDS[op.id] ?? {}).filter((name) => given[name] === undefined && !isRequired(op, name))
  const nulls = Object.fromEntries(names.map((name) => [name, null]))
  expect(await dry({ ...given, ...nulls })).toEqual(await dry(given))
})

describe.each(named(withBody))('the body of %s', (_, op) => {
  const send = (body: unknown) => owner.call(op.method, pathTo(op, things), { body })

  it('has no field the tables here leave out', () => {
    expect(Object.keys(FIELDS[op.id] ?? {}).sort()).toEqual(shapeOf(op.json).sort())
  })

  it('names every invalid field at once, and changes nothing', async () => {
    const fields = fieldsFor(op).map(([name, kind]) => [name, badFor(op, name, kind)] as const)
    const rounds = Math.max(...fields.map(([, values]) => values.length))
    const before = await stateOf(stack, owner.accountId)
    for (let round = 0; round < rounds; round += 1) {
      const body = Object.fromEntries(fields.map(([name, values]) => [name, values[round % values.length]]))
      expectRefused(await send(body), Object.keys(body), `round ${round}`)
    }
    expect(await changesSince(before, stack, owner.accountId)).toEqual([])
  })

  it('is refused whole for one wrong field among right ones, and changes nothing', async () => {
    const before = await stateOf(stack, owner.accountId)
    for (const [name, kind] of fieldsFor(op)) {
      const bad = badValues(kind)[0]
      expectRefused(
        await send({ ...bodyOf(op, things.project), [name]: bad }),
        [name],
        `${name}: ${JSON.stringify(bad)}`,
      )
    }
    expect(await changesSince(before, stack, owner.accountId)).toEqual([])
  })
})

const INTEGERS = withBody.flatMap((op) =>
  fieldsFor(op).flatMap(([name, kind]) => (kind.is === 'int' ? [[op.id, name, op] as const] : [])),
)

it.each(INTEGERS)('%s tells the range of %s once, however large the number', async (_, name, op) => {
  for (const value of [1e300, -1e300]) {
    const answer = await owner.call(op.method, pathTo(op, things), {
      body: { ...bodyOf(op, things.project), [name]: value },
    })
    expectRefused(answer, [name], String(value))
    expect([fieldsOf(answer.body).length, answer.text]).toEqual([1, expect.not.stringContaining('9007199254740991')])
  }
})

describe('the details of a value', () => {
  const detailsOf = async (path: string, body: object) => {
    const answer = await owner.post(path, { project_id: things.project, ...body })
    expectError(answer, 'invalid_input')
    return answer.body.details
  }

  it.each([7, null, [['x']]])('is every form it can have: %j', async (value) => {
    const body = { content: 'x', platforms: [value], media_files: [value] }
    expect(await detailsOf('/social/publish', body)).toEqual([
      { field: 'platforms.0', message: 'must be a string or an object' },
      { field: 'media_files.0', message: 'must be a string or an object' },
    ])
  })

  it('is that half a character is no text', async () => {
    const [detail] = (await detailsOf('/social/publish', { content: '\ud83d', platforms: ['x'] })) as [object]
    expect(detail).toEqual({ field: 'content', message: 'must not contain control characters or lone surrogates' })
  })
})

// Whatever cuts a text for a report or a title must not cut such a character in two: the database takes no half.
describe.each(['', 'x'])('a text of characters that take two places in a string, after %j', (before) => {
  it('is judged as a heading', async () => {
    const heading = before + '\u{1d518}'.repeat(60)
    const content = `<h2>${heading}</h2><h2>${heading}</h2><p>## ${heading}</p>`
    const answer = await owner.post('/articles', { project_id: things.project, keyword: 'k', content })
    expect([answer.status, answer.text]).toEqual([201, expect.stringContaining('\u{1d518}…')])
  })

  it('is shown to a person who is asked about a post', async () => {
    const api = await newAccount(stack)
    const { project } = await newThings(api, stack)
    await setPolicy(stack, project, { needs_approval: 'every' })
    const post = { project_id: project, platforms: ['x'], content: before + '\u{1f600}'.repeat(110) }
    expect((await api.post('/social/publish', post)).body).toMatchObject({ status: 'awaiting_approval' })
  })
})

describe('ids in bodies', () => {
  it('are 404 if unknown, and 403 if they belong to another account', async () => {
    const before = await stateOf(stack, owner.accountId)
    expectError(await owner.post('/articles', { project_id: ABSENT, keyword: 'k' }), 'not_found')
    expectError(await owner.post('/articles', { project_id: other.project, keyword: 'k' }), 'forbidden')
    expect(await changesSince(before, stack, owner.accountId)).toEqual([])
  })
})

const REACHES = OPERATIONS.filter((op) => /^(social|profile)\./.test(op.id) && FIELDS[op.id]?.project_id)

it.each(named(REACHES))(
  '%s is 404 for no project and 403 for another account’s, and changes neither',
  async (_, op) => {
    const outsider = await newAccount(stack, {}, scopesOf('admin'))
    const before = await stateOf(stack, owner.accountId)
    expectError(await outsider.call(op.method, op.path, { body: bodyOf(op, ABSENT) }), 'not_found')
    expectError(await outsider.call(op.method, op.path, { body: bodyOf(op, things.project) }), 'forbidden')
    expect(await changesSince(before, stack, owner.accountId)).toEqual([])
  },
)

const PROJECTS_MAX = 1_000
const lists = ['/projects', '/articles', '/integrations', '/webhook-deliveries', '/social/posts']
const NO_INTEGERS = ['-1', 'abc', '1e9', '1.5', '', ' 1', '0x10', '%00', '%EF%BC%91', 'null', '1;drop', '[]']

describe.each(lists)('the query of GET %s', (path) => {
  it.each(['limit', 'offset', 'before_id', ...(path === '/projects' ? [] : ['project_id'])])(
    'is refused for a wrong %s',
    async (name) => {
      const huge = name === 'limit' ? [] : ['2147483648', '99999999999999999999']
      for (const value of [...NO_INTEGERS, ...(name === 'offset' ? [] : ['0']), ...huge])
        expectRefused(await owner.get(`${path}?${name}=${value}`), [name], `${name}=${value}`)
      expectRefused(await owner.get(`${path}?${name}=1&${name}=2`), [name], 'given twice')
    },
  )

  it('has a limit that is lowered to the maximum, however large', async () => {
    for (const limit of ['1001', '1000000000', '2147483648', '99999999999999999999'])
      expect((await owner.get(`${path}?limit=${limit}`)).body).toMatchObject({
        limit: path === '/projects' ? PROJECTS_MAX : 200,
      })
    expect((await owner.get(`${path}?limit=1`)).body).toMatchObject({ limit: 1, count: 1 })
  })

  it('reaches to the last offset and id there can be', async () => {
    const { status, body } = await owner.get(`${path}?offset=2147483647`)
    expect([status, body.count, body.next_offset]).toEqual([200, 0, null])
    expect((await owner.get(`${path}?before_id=2147483647`)).status).toBe(200)
  })

  it('continues from an offset or below a row, never both', async () => {
    expectRefused(await owner.get(`${path}?offset=1&before_id=9`), ['offset', 'before_id'], 'both')
  })
})

it.each([
  ['/articles', 'status', ['', 'nonsense', 'Draft,nonsense', 'Draft,', '%00']],
  ['/articles', 'publish_state', ['', 'nonsense', 'idle,gone']],
  ['/articles', 'updated_after', ['', 'yesterday', '2026-02-30']],
  [
    '/articles',
    'scheduled_after',
    ['', 'yesterday', '2026-02-30', '1900-01-01', '99999-01-01', '2026-01-01T00:00:00+99:00'],
  ],
  ['/articles', 'scheduled_before', ['', 'yesterday', '2026-02-30', '0000-00-00']],
  ['/articles', 'q', ['x'.repeat(201), '%00', 'a%07b']],
  ['/webhook-deliveries', 'status', ['', 'nonsense', '%00']],
  ['/business-context', 'project_id', ['', '0', '-1', 'abc', '2147483648']],
])('GET %s is refused for a wrong %s', async (path, name, values) => {
  for (const value of values) expectRefused(await owner.get(`${path}?${name}=${value}`), [name], `${name}=${value}`)
})

it('GET /business-context is refused without a project', async () => {
  const answer = await owner.get('/business-context')
  expectRefused(answer, ['project_id'], 'nothing')
  expect(answer.body.error).toBe('project_id: is required')
})

it.each([
  'q=%ED%A0%80',
  'q=%FF%FE',
  'q=%',
  'q=%25%5F%5C',
  'scheduled_after=1970-01-01',
  'scheduled_before=9998-12-31',
  'q',
])('GET /articles?%s is no failure of ours', async (query) => {
  expect((await owner.get(`/articles?${query}`)).status).toBeLessThan(500)
})

describe('addresses of a website', () => {
  it.each([
    'http://localhost',
    'http://10.0.0.1',
    'http://169.254.169.254/latest',
    'http://[::ffff:10.0.0.1]/',
    'http://0x7f.1.1',
    'intranet',
    'http://metadata.google.internal',
  ])('%s is refused unless loopback is allowed', async (url) => {
    const { status, body } = await owner.post('/projects', { website_url: url })
    if (/localhost|0x7f/.test(url)) return expect(status).toBe(201)
    expect([status, body.code]).toEqual([400, 'forbidden_url'])
    expect(body.details).toMatchObject([{ field: 'website_url' }])
  })

  it.each([
    ['ftp://x.example', 'forbidden_url'],
    ['https://user:pass@x.example/', 'forbidden_url'],
    ['http://', 'invalid_input'],
    ['two words.example', 'invalid_input'],
    ['\u0000', 'invalid_input'],
    ['nul\u0000.example', 'invalid_input'],
  ] as const)('%j is refused', async (url, code) => {
    const answer = await owner.post('/projects', { website_url: url })
    expectError(answer, code)
    expect(answer.body.details).toMatchObject([{ field: 'website_url' }])
  })

  it('of any length allowed are stored or refused, never a failure', async () => {
    const random = (chars: string, length: number): string =>
      Array.from(randomBytes(length), (byte) => chars[byte % chars.length]).join('')
    const letters = 'abcdefghijklmnopqrstuvwxyz0123456789'
    const wide = String.fromCodePoint(...Array.from({ length: 200 }, (_, n) => 0x4e00 + n * 7))
    for (const path of [random(letters, 1_950), random(wide, 600), random(wide, 1_950), '%20'.repeat(600)]) {
      const answer = await owner.post('/projects', { website_url: `https://${random(letters, 12)}.example/${path}` })
      expect([201, 400], answer.text.slice(0, 200)).toContain(answer.status)
    }
  })
})

it('every time zone a project may have is one the database can reckon with', async () => {
  const zones = [
    ...Intl.supportedValuesOf('timeZone'),
    'UTC',
    'Etc/GMT+5',
    'EST5EDT',
    'US/Pacific',
    'Asia/Calcutta',
    'GMT',
    'EST',
  ]
  const rows = await rowsIn<{ zone: string }>(
    stack,
    sql`select zone from unnest(${sql.param(zones)}::text[]) zone where now() at time zone zone is not null`,
  )
  expect(rows.length).toBe(zones.length)
})
