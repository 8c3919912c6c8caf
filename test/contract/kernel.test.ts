import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { SCOPES, type Scope } from '../../schema/values/accounts.ts'
import { OPERATIONS } from '../../src/operations.ts'
import { scopesOf, widestOf } from '../../src/platform/accounts/scopes.ts'
import type { Operation } from '../../src/platform/http/operation.ts'
import { type Answer, type Api, anotherKey, clientOf, newAccount } from '../support/client.ts'
import {
  ABOUT,
  ABSENT,
  bodyOf,
  changesSince,
  expectError,
  misspelt,
  named,
  newThings,
  ofEachKind,
  pathOf,
  pathTo,
  READS_OF_CMS,
  rateFields,
  stateOf,
  type Things,
  unknownKey,
} from '../support/contract.ts'
import { manyKeys } from '../support/keys.ts'

const stack = inject('stack')

let owner: Api
let things: Things
/** Other keys of the owner's account: a fresh one every few calls. */
let ownersKeys: Api

beforeAll(async () => {
  owner = await newAccount(stack, {}, scopesOf('admin'))
  things = await newThings(owner, stack)
  ownersKeys = manyKeys(stack, owner, scopesOf('admin'))
})

const withId = OPERATIONS.filter((op) => ABOUT.test(op.path))
const withBody = OPERATIONS.filter((op) => op.json !== undefined)
const reads = OPERATIONS.filter((op) => op.scope === 'read')
const writes = OPERATIONS.filter((op) => op.scope !== 'read')
const MIB = 1024 * 1024
const limitOf = (op: Operation): number => op.attachment?.maxBytes ?? MIB
/** Returns one MiB more than the operation takes. */
const tooLarge = (op: Operation): string => 'x'.repeat(limitOf(op) + MIB)

/** Returns a body without the token of the link for people, which changes every ten minutes. */
const withoutLink = ({ text }: Answer): string => text.replace(/\?link=[\w.-]+/g, '?link=…')

const minuteNow = (): number => Math.floor(Date.now() / 60_000)

/** Returns the calls that a key may have left after its second one: a call of the minute before counts a little less than one. */
const leftAfterTwo = (op: Operation, from: number): number[] =>
  minuteNow() === from ? [op.perMinute - 2] : [op.perMinute - 2, op.perMinute - 1]

/** Returns a client at an address of its own, so that its refusals use up no allowance of another test. */
const elsewhere = ({ key, accountId }: Pick<Api, 'key' | 'accountId'>): Api => clientOf(stack.url, key, accountId)

const outsiders = new Map<string, Promise<Api>>()

/** Returns a key of another account. Each operation has a rate of its own, so that one key is enough for a rule of all operations. */
const outsider = async (rule: string, scope: Scope = 'admin'): Promise<Api> => {
  const place = `${rule} ${scope}`
  const made = outsiders.get(place) ?? newAccount(stack, {}, scopesOf(scope))
  outsiders.set(place, made)
  return elsewhere(await made)
}

/** Returns the same with no wider scope than the operation needs. */
const outsiderFor = (op: Operation, rule: string): Promise<Api> =>
  outsider(rule, op.scope === 'read' ? 'read' : widestOf(['write', op.scope]))

describe.concurrent.each(named(OPERATIONS))('%s', (_, op) => {
  it('is 401 without a key, and with an unknown one, before any message about the input', async () => {
    const api = elsewhere(owner)
    const path = pathOf(op, 'abc')
    for (const key of [null, unknownKey()]) {
      const answer = await api.call(op.method, path, { key, ...(op.method === 'GET' ? {} : { raw: '{"a":' }) })
      expectError(answer, 'unauthorized')
      // A call without a key is not counted.
      const left = key === null ? {} : { r: 29 }
      expect(rateFields(answer.headers)).toMatchObject({ policy: 'unauthorized', q: 30, w: 60, ...left })
      expect(answer.body.instructions_for_agent).toContain('Authorization')
    }
  })

  it('returns its own rate with success and with errors', async () => {
    const api = await outsiderFor(op, 'rate')
    const from = minuteNow()
    const [first, second] = [
      await api.call(op.method, pathOf(op, 'abc'), { body: bodyOf(op) }),
      await api.call(op.method, pathOf(op, 'abc'), { body: bodyOf(op) }),
    ]
    const fields = rateFields(first.headers)
    expect(fields).toMatchObject({ policy: op.id, q: op.perMinute, w: 60, r: op.perMinute - 1 })
    expect(fields.t).toBeGreaterThan(0)
    expect(fields.t).toBeLessThanOrEqual(60)
    expect(leftAfterTwo(op, from)).toContain(rateFields(second.headers).r)
  })
})

describe.concurrent.each(named(ofEachKind(OPERATIONS)))('%s', (_, op) => {
  it('is 401 with a key that is misspelt or sent in another scheme', async () => {
    const api = elsewhere(owner)
    const refused = [
      await api.call(op.method, pathOf(op), { key: misspelt(api.key) }),
      await api.call(op.method, pathOf(op), { key: unknownKey() }),
      await api.call(op.method, pathOf(op), { key: `${api.key} x` }),
      await api.call(op.method, pathOf(op), { key: null, headers: { authorization: `Basic ${api.key}` } }),
      await api.call(op.method, pathOf(op), { key: null, headers: { authorization: api.key } }),
    ]
    for (const [n, answer] of refused.entries()) {
      expectError(answer, 'unauthorized')
      expect(rateFields(answer.headers)).toMatchObject({ policy: 'unauthorized', q: 30, w: 60, r: 29 - n })
    }
  })

  it('is 401 before its query is read, or a body that is large or of another type', async () => {
    const api = elsewhere(owner)
    const path = pathOf(op, 'abc')
    for (const key of [null, unknownKey()]) {
      expectError(await api.call(op.method, `${path}${path.includes('?') ? '&' : '?'}limit=0`, { key }), 'unauthorized')
      if (op.method === 'GET') continue
      expectError(await api.call(op.method, path, { key, raw: 'x'.repeat(2 * MIB) }), 'unauthorized')
      const headers = { 'content-type': 'text/plain' }
      expectError(await api.call(op.method, path, { key, raw: 'hello', headers }), 'unauthorized')
    }
  })

  it('keeps the caller’s request id if it is valid, and makes one otherwise', async () => {
    const api = await outsiderFor(op, 'request id')
    for (const id of ['abcd1234', 'A-b_'.repeat(16)]) {
      const answer = await api.call(op.method, pathOf(op, 'abc'), { headers: { 'x-request-id': id } })
      expect(answer.headers.get('x-request-id')).toBe(id)
      expect(answer.body.request_id ?? id).toBe(id)
    }
    for (const id of ['short', 'x'.repeat(65), 'has blank in it', 'semi;colon;x']) {
      const refused = await api.call(op.method, pathOf(op, 'abc'), { key: null, headers: { 'x-request-id': id } })
      expect(refused.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    }
  })
})

const expectBadId = async (op: Operation, id: string): Promise<void> => {
  const api = await outsiderFor(op, `id ${id}`)
  const answer = await api.call(op.method, pathOf(op, id), { body: bodyOf(op) })
  expectError(answer, 'invalid_id')
  expect(answer.body.details).toMatchObject([{ field: ABOUT.exec(op.path)?.[1] }])
}

describe.concurrent.each(named(withId))('%s', (_, op) => {
  it('is 400 for a word in the place of its id', () => expectBadId(op, 'abc'))

  it('is 404 for a missing thing and 403 for one of another account', async () => {
    const api = await outsider('things')
    expectError(await api.call(op.method, pathOf(op, ABSENT), { body: bodyOf(op) }), 'not_found')
    const before = await stateOf(stack, owner.accountId)
    const answer = await api.call(op.method, pathTo(op, things), { body: bodyOf(op) })
    expectError(answer, 'forbidden')
    expect(answer.text).not.toContain('garden')
    expect(await changesSince(before, stack, owner.accountId)).toEqual([])
  })
})

describe.concurrent.each(named(ofEachKind(withId)))('%s', (_, op) => {
  it.each(['0', '-1', '1.5', '2147483648', '99999999999999999999', '1e3', '%00', '01', '+1'])(
    'is 400 for the id %s',
    (id) => expectBadId(op, id),
  )
})

describe.concurrent.each(named(withBody))('%s', (_, op) => {
  const path = () => pathTo(op, things)

  it('is 415 for a body of another type and 400 for one that is no JSON', async () => {
    const headers = { 'content-type': 'text/plain' }
    expectError(await ownersKeys.call(op.method, path(), { raw: '{}', headers }), 'unsupported_media_type')
    expectError(await ownersKeys.call(op.method, path(), { raw: '{"a":' }), 'invalid_json')
  })

  it('is 400 without a body it needs, and for a body that is no object', async () => {
    if (!op.bodyOptional) expectError(await ownersKeys.call(op.method, path()), 'invalid_input')
    expectError(await ownersKeys.call(op.method, path(), { body: [] }), 'invalid_input')
    if (!op.bodyOptional) expect((await ownersKeys.call(op.method, path(), { body: null })).status).toBe(400)
  })

  it('is 400 before 404', async () => {
    const api = await outsider('400 before 404')
    expectError(await api.call(op.method, pathOf(op, ABSENT), { body: [] }), 'invalid_input')
  })
})

describe.concurrent.each(named(ofEachKind(withBody)))('%s', (_, op) => {
  const path = () => pathTo(op, things)

  it('is 415 for other content types, and names the place of a JSON error', async () => {
    const types = ['application/x-www-form-urlencoded', 'application/jsonp', '']
    const compressed = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
    for (const headers of [...types.map((type) => ({ 'content-type': type })), compressed]) {
      const answer = await ownersKeys.call(op.method, path(), { raw: '{}', headers })
      expectError(answer, 'unsupported_media_type')
    }
    const form = { raw: new Uint8Array([0x2d, 0xff]), headers: { 'content-type': 'multipart/form-data; boundary=-' } }
    if (!op.upload) expectError(await ownersKeys.call(op.method, path(), form), 'unsupported_media_type')
    const answer = await ownersKeys.call(op.method, path(), { raw: '{"a": 1,\n "b": }' })
    expectError(answer, 'invalid_json')
    expect(answer.body.error).toContain('position 15')
    expectError(await ownersKeys.call(op.method, path(), { raw: new Uint8Array([0x22, 0xff, 0x22]) }), 'invalid_json')
  })

  it('takes JSON under its other names', async () => {
    for (const type of ['application/json; charset=utf-8', 'APPLICATION/JSON', 'application/vnd.api+json']) {
      const answer = await ownersKeys.call(op.method, path(), { raw: '[]', headers: { 'content-type': type } })
      expectError(answer, 'invalid_input')
    }
  })

  it('is 413 for one MiB too much also when the length is not announced', async () => {
    const chunk = new TextEncoder().encode('x'.repeat(64 * 1024))
    // The server still reads as much as this while it answers; with more, the client may fail before it has read the answer.
    let left = limitOf(op) / chunk.length + 1
    const stream = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        left -= 1
        if (left >= 0) controller.enqueue(chunk)
        else controller.close()
      },
    })
    const answer = await ownersKeys.call(op.method, path(), { raw: stream })
    expectError(answer, 'body_too_large')
    expect(answer.body.max_bytes).toBe(limitOf(op))
  })

  it('is 400 for a body that is JSON but no object', async () => {
    for (const body of ['text', 7, true])
      expectError(await ownersKeys.call(op.method, path(), { body }), 'invalid_input')
  })
})

it.each([
  '/articles',
  '/business-context',
  '/integrations',
  '/webhook-deliveries',
  '/social/accounts',
  '/social/posts',
  '/profile/status',
  '/profile/reviews',
  '/profile/analytics',
])('GET %s is 404 for a project that does not exist and 403 for another account’s', async (path) => {
  const api = await outsider('project')
  expectError(await api.get(`${path}?project_id=${ABSENT}`), 'not_found')
  expectError(await api.get(`${path}?project_id=${things.project}`), 'forbidden')
})

it.each(named(ofEachKind([...new Set([...writes, ...withBody])])))(
  '%s is 413 for one MiB too much, whether or not it takes a body',
  async (_, op) => {
    const api = await outsider('too large')
    const answer = await api.call(op.method, pathOf(op), { raw: tooLarge(op) })
    expectError(answer, 'body_too_large')
    expect(answer.body.max_bytes).toBe(limitOf(op))
  },
)

describe('scopes of keys', () => {
  let keys: Map<Scope, Api>
  beforeAll(async () => {
    keys = new Map(
      await Promise.all(SCOPES.map(async (one) => [one, await anotherKey(stack, owner, scopesOf(one))] as const)),
    )
  })
  const keyWith = (scope: Scope): Api => keys.get(scope) as Api
  const rank = (scope: Scope): number => SCOPES.indexOf(scope)

  it.each(named(writes))('%s is 403 for each key with less than its scope, and changes nothing', async (_, op) => {
    const before = await stateOf(stack, owner.accountId)
    for (const scope of SCOPES.filter((one) => rank(one) < rank(op.scope))) {
      const api = keyWith(scope)
      const answer = await api.call(op.method, pathTo(op, things), { body: bodyOf(op, things.project) })
      expectError(answer, 'key_may_not')
      const needed = op.wider?.needs((bodyOf(op, things.project) ?? {}) as Record<string, unknown>)
        ? op.wider.scope
        : op.scope
      expect(answer.body).toMatchObject({ key_scope: scope, required_scope: needed })
      expect(answer.body.instructions_for_agent).toContain(`${stack.url}/settings/keys.`)
    }
    expect(await changesSince(before, stack, owner.accountId)).toEqual([])
  })

  it.each(named(OPERATIONS))('%s is open to each key with its scope or a wider one', async (_, op) => {
    const path = pathTo(op, Object.fromEntries(Object.keys(things).map((name) => [name, ABSENT])) as never)
    for (const scope of SCOPES.filter((one) => rank(one) >= rank(op.scope)))
      expect((await keyWith(scope).call(op.method, path, op.json ? { raw: '{' } : {})).body.code).not.toBe(
        'key_may_not',
      )
  })

  it('a draft key writes drafts, and cannot plan, date, or change planned articles', async () => {
    const api = keyWith('draft')
    const saved = { project_id: things.project, keyword: 'scope of drafts' }
    const later = '2031-01-01T10:00:00Z'
    const { body, status } = await api.post('/articles', saved)
    expect([status, body.status]).toEqual([201, 'Draft'])
    const path = `/articles/${body.article_id}`
    expect((await api.put(path, { title: 'Another title' })).status).toBe(200)
    expect((await api.post('/articles', { ...saved, status: 'Draft' })).status).toBe(201)
    const planned = (await owner.post('/articles', { ...saved, status: 'Planned', scheduled_date: later })).body
    const before = await stateOf(stack, owner.accountId)
    const refused = [
      await api.post('/articles', { ...saved, status: 'planned' }),
      await api.post('/articles', { ...saved, scheduled_date: later }),
      await api.put(path, { status: 'Planned' }),
      await api.put(path, { scheduled_date: later }),
      await api.put(path, { scheduled_date: null }),
      await api.put(path, { title: 'Sent', sync: true }),
      await api.post(`${path}/revisions/1/restore`, { sync: true }),
      await api.put(`/articles/${planned.article_id}`, { title: 'Changed' }),
      await api.put(`/articles/${planned.article_id}`, { status: 'Draft' }),
      await api.post(`/articles/${planned.article_id}/revisions/1/restore`),
      await api.del(path),
    ]
    for (const answer of refused) {
      expectError(answer, 'key_may_not')
      expect(answer.body).toMatchObject({ key_scope: 'draft', required_scope: 'write' })
    }
    expect(await changesSince(before, stack, owner.accountId)).toEqual([])
  })

  it('a draft key saves drafts of posts and publishes none', async () => {
    const api = keyWith('draft')
    const post = bodyOf(OPERATIONS.find(({ id }) => id === 'social.publish') as Operation, things.project) as object
    const profile = { project_id: things.project, account_id: 'absent' }
    expectError(await api.post('/social/publish', post), 'key_may_not')
    expectError(await api.post('/social/publish', { ...post, draft: false }), 'key_may_not')
    expectError(await api.post('/profile/posts', { ...profile, summary: 'Open today.' }), 'key_may_not')
    const dated = { ...profile, text: 'Open today.', scheduled_date: '2031-01-01T10:00:00Z' }
    expectError(await api.post('/profile/posts', dated), 'key_may_not')
    expect((await api.post('/social/publish', { ...post, draft: true })).body.code).not.toBe('key_may_not')
    expect((await api.post('/profile/posts', { ...profile, text: 'Open today.' })).body.code).not.toBe('key_may_not')
  })
})

it.each(named(reads.filter(({ id, method }) => method === 'GET' && !READS_OF_CMS.includes(id))))(
  '%s answers HEAD as GET without a body, and a trailing slash as none',
  async (_, op) => {
    const api = await anotherKey(stack, owner, ['read'])
    const [path = '', query] = pathTo(op, things).split('?')
    const full = query === undefined ? path : `${path}?${query}`
    const from = minuteNow()
    const [get, head, slash] = [
      await api.get(full),
      await api.call('HEAD', full),
      await api.get(`${path}/${query === undefined ? '' : `?${query}`}`),
    ]
    expect(get.status).toBe(200)
    expect([head.status, head.text]).toEqual([200, ''])
    expect(head.headers.get('content-type')).toBe(get.headers.get('content-type'))
    expect(leftAfterTwo(op, from)).toContain(rateFields(head.headers).r)
    expect([slash.status, withoutLink(slash)]).toEqual([200, withoutLink(get)])
  },
)

describe('a body without an end', () => {
  /** Sends the head and the beginning of a body, and nothing more; the status of the answer. */
  const begin = async (op: Operation, length: Record<string, string>, n: number): Promise<number> => {
    const sent = request(`${stack.url}/api/v1${pathOf(op)}`, {
      method: op.method,
      headers: {
        authorization: `Bearer ${unknownKey()}`,
        'content-type': 'application/json',
        'cf-connecting-ip': `2001:db8:77:${n.toString(16)}::1`,
        ...length,
      },
    })
    sent.on('error', () => {})
    sent.write('{"'.padEnd(100))
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    sent.destroy()
    return response.statusCode ?? 0
  }

  it.each([
    ['that says that it is large', { 'content-length': '900000' }],
    ['that does not say how long it is', { 'transfer-encoding': 'chunked' }],
    ['that says that it is small', { 'content-length': '2000' }],
  ])('%s: 401 for an unknown key', async (_, length) => {
    const answers = withBody.map(async (op, n) => [op.id, await begin(op, length, n)])
    expect(await Promise.all(answers)).toEqual(withBody.map((op) => [op.id, 401]))
  })
})
