import { randomBytes } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { type Api, anotherKey, newAccount, rowsIn } from '../../support/client.ts'
import { expectError } from '../../support/contract.ts'
import { manyKeys } from '../../support/keys.ts'
import { action, entitled, identity, lead, person, stored } from './rows.ts'

const stack = inject('stack')

const NONE = { persons: 0, identities: 0, leads: 0, actions: 0, suppressions: 0 }

let api: Api
beforeAll(async () => {
  api = manyKeys(stack, await entitled(stack))
})

const sync = (body: unknown) => api.post('/outreach/sync', body)
const own = () => randomBytes(4).toString('hex')
const personNamed = async (id: string) => (await stored(stack, api, 'persons')).find((row) => row.id === id)

describe('the entitlement', () => {
  it('is the flag an operator sets', async () => {
    const plain = await newAccount(stack, { plan: 'agentic' })
    expect((await plain.get('/outreach/entitlement')).body).toEqual({
      entitled: false,
      plan: 'agentic',
      status: 'inactive',
    })
    expect((await api.get('/outreach/entitlement')).body).toEqual({ entitled: true, plan: 'pro', status: 'active' })
    expectError(await plain.post('/outreach/sync', { persons: [person('p1')] }), 'not_entitled')
    expect(await stored(stack, plain, 'persons')).toEqual([])
  })

  it('is 403 while the beta is closed for the account, entitled or not', async () => {
    const closed = await newAccount(stack, { outreachPro: true, outreachBeta: false })
    expectError(await closed.get('/outreach/entitlement'), 'beta_closed')
    expectError(await closed.post('/outreach/sync', { persons: [person('p1')] }), 'beta_closed')
    expect(await stored(stack, closed, 'persons')).toEqual([])
  })
})

describe('a sync', () => {
  it('accepts the kind of a suppression in any case, and normalizes it', async () => {
    const id = own()
    const { status } = await sync({ suppressions: [{ id, kind: 'Domain', value: 'loud.example' }] })
    expect(status).toBe(200)
    const kept = (await stored(stack, api, 'suppressions')).find((row) => row.id === id)
    expect(JSON.stringify(kept)).toContain('"domain"')
    const wrong = await sync({ suppressions: [{ id, kind: 'phone', value: '1' }] })
    expect(wrong.body.details).toMatchObject([{ field: 'suppressions.0.kind', allowed: ['email', 'domain', 'person'] }])
  })

  it('counts the rows it received, and gives back how far the caller is', async () => {
    const [p, since] = [own(), '2026-05-03T00:00:00Z']
    const { status, body } = await sync({
      since,
      persons: [person(p), person(`${p}2`)],
      identities: [identity(`i${p}`, p, 'a@b.example')],
      leads: [lead(`l${p}`, p)],
      actions: [action(`a${p}`, p)],
      suppressions: [{ id: `s${p}`, kind: 'domain', value: 'nobody.example' }],
    })
    expect(status).toBe(200)
    expect(body).toEqual({
      synced: { persons: 2, identities: 1, leads: 1, actions: 1, suppressions: 1 },
      cursor: since,
    })
    expect((await sync({ persons: [] })).body).toEqual({ synced: NONE, cursor: since })
    expect((await sync({ persons: [person(p)], since: null })).body).toMatchObject({ cursor: since })
    expect((await sync({ since: 'page 7' })).body).toEqual({ synced: NONE, cursor: 'page 7' })
  })

  it('keeps rows as they are sent, unknown fields and all', async () => {
    const row = {
      ...person(own()),
      full_name: '  Zoë  O’Neil\n',
      email: null,
      tags: ['a', { deep: [1, 2.5, null, true] }],
      'Ünknown field': 'x',
      score: -0.25,
      constructor: 'none',
    }
    await sync({ persons: [row] })
    expect(await personNamed(row.id)).toEqual(row)
  })

  it('changes nothing when it is repeated', async () => {
    const [id] = [own()]
    const body = { persons: [person(id)], leads: [lead(id, id)] }
    const versions = () =>
      rowsIn(
        stack,
        sql`select xmin::text from outreach_persons where account_id = ${api.accountId}::int and id = ${id}`,
      )
    await sync(body)
    const before = await versions()
    expect((await sync(body)).body).toMatchObject({ synced: { persons: 1, leads: 1 } })
    expect(await versions()).toEqual(before)
  })

  it('never lets an older row overwrite a newer one, to the microsecond', async () => {
    const id = own()
    const at = (updated_at: string, full_name: string) => person(id, { updated_at, full_name })
    const newest = at('2026-05-01T12:00:00.123457+02:00', 'newest')
    for (const row of [at('2026-05-01T10:00:00.123456Z', 'older'), newest]) await sync({ persons: [row] })
    for (const row of [
      at('2026-05-01T10:00:00.123456Z', 'older'),
      at('2026-05-01T10:00:00.123Z', 'older still'),
      at('2026-05-01T11:30:00+02:00', 'older in another zone'),
    ])
      await sync({ persons: [row] })
    expect(await personNamed(id)).toEqual(newest)
  })

  it('uses the newest of a row that is sent twice in one call, in any order', async () => {
    const id = own()
    const [old, young] = [person(id), person(id, { updated_at: '2026-06-01T00:00:00Z' })]
    expect((await sync({ persons: [young, old, old] })).body).toMatchObject({ synced: { persons: 3 } })
    expect(await personNamed(id)).toEqual(young)
  })

  it('replaces rows without a date by the latest, unless only one has a date', async () => {
    const id = own()
    const [first, second] = [identity(id, 'p', 'one@x.example'), identity(id, 'p', 'two@x.example')]
    const dated = { ...first, updated_at: '2026-05-01T00:00:00Z' }
    const kept = async () => (await stored(stack, api, 'identities')).find((row) => row.id === id)
    await sync({ identities: [first] })
    await sync({ identities: [second] })
    expect(await kept()).toEqual(second)
    await sync({ identities: [dated] })
    await sync({ identities: [second] })
    expect(await kept()).toEqual(dated)
  })

  it('takes a thousand rows of each kind, and no more', async () => {
    const ids = Array.from({ length: 1_000 }, (_, n) => `m${n}`)
    const many = {
      persons: ids.map((id) => person(id)),
      identities: ids.map((id) => identity(id, id, `${id}@x.example`)),
      leads: ids.map((id) => lead(id, id)),
      actions: ids.map((id) => action(id, id)),
      suppressions: ids.map((id) => ({ id, kind: 'person', value: `gone ${id}` })),
    }
    expect((await sync(many)).body.synced).toEqual({
      persons: 1_000,
      identities: 1_000,
      leads: 1_000,
      actions: 1_000,
      suppressions: 1_000,
    })
    const answer = await sync({ leads: [...many.leads, lead('one more', 'p')] })
    expectError(answer, 'invalid_input')
    expect(answer.body.details).toMatchObject([{ field: 'leads', allowed: { max: 1_000 } }])
  })
})

describe('a bad row', () => {
  const bad: [string, string, unknown][] = [
    ['persons.1.updated_at', 'persons', { id: 'x', full_name: 'X', updated_at: 'yesterday' }],
    ['persons.1.updated_at', 'persons', { id: 'x', full_name: 'X' }],
    ['persons.1.full_name', 'persons', { id: 'x', updated_at: '2026-05-01' }],
    ['persons.1.id', 'persons', person('x'.repeat(129))],
    ['persons.1.id', 'persons', { ...person('x'), id: 7 }],
    ['persons.1', 'persons', person('x', { note: 'nul\u0000' })],
    ['persons.1', 'persons', person('x', { deep: { note: ['\ud800'] } })],
    ['persons.1', 'persons', person('x', { long: 'x'.repeat(20_001) })],
    ['persons.1', 'persons', person('x', { deep: JSON.parse('['.repeat(40) + ']'.repeat(40)) })],
    ['persons.1', 'persons', 'a person'],
    ['identities.1.value', 'identities', identity('x', 'p', '')],
    ['leads.1.stage', 'leads', { id: 'x', person_id: 'p', updated_at: '2026-05-01' }],
    ['actions.1.at', 'actions', { ...action('x', 'p'), at: '2026-02-30' }],
    ['suppressions.1.kind', 'suppressions', { id: 'x', kind: 'phone', value: '1' }],
  ]
  const good: Record<string, unknown> = {
    persons: person('good'),
    identities: identity('good', 'p', 'g@x.example'),
    leads: lead('good', 'p'),
    actions: action('good', 'p'),
    suppressions: { id: 'good', kind: 'email', value: 'g@x.example' },
  }

  it.each([
    ['{"deep": {"n": 12345678901234567890}}', /9007199254740991.*send it as text \(in more\.deep\.n\)/],
    ['1, "__proto__": "x"', /field named __proto__/],
  ])('with a value that cannot be stored exactly is named: %s', async (more, message) => {
    const { id } = person(own())
    const text = `{"persons": [${JSON.stringify(person(own()))}, {"id": "${id}", "full_name": "X", "updated_at": "2026-05-01", "more": ${more}}]}`
    const answer = await api.call('POST', '/outreach/sync', { raw: text })
    expectError(answer, 'invalid_input')
    expect(answer.body.details).toMatchObject([{ field: 'persons.1', message: expect.stringMatching(message) }])
  })

  it.each(bad)('is named: %s, and nothing of its call is written', async (field, kind, row) => {
    const others = { persons: [person('beside')], [kind]: [good[kind], row] }
    const answer = await sync(others)
    expectError(answer, 'invalid_input')
    expect((answer.body.details as { field: string }[]).map((detail) => detail.field)).toContain(field)
    for (const one of ['persons', kind])
      expect((await stored(stack, api, one)).filter(({ id }) => id === 'good' || id === 'beside')).toEqual([])
  })
})

describe('two accounts', () => {
  it('with the same ids have their own rows', async () => {
    const [one, two] = [await entitled(stack), await entitled(stack)]
    await one.post('/outreach/sync', { since: 'one', persons: [person('same', { full_name: 'One' })] })
    await two.post('/outreach/sync', {
      persons: [person('same', { full_name: 'Two', updated_at: '2027-01-01' })],
    })
    expect(await stored(stack, one, 'persons')).toMatchObject([{ full_name: 'One' }])
    expect(await stored(stack, two, 'persons')).toMatchObject([{ full_name: 'Two' }])
    expect((await two.post('/outreach/sync', { persons: [] })).body.cursor).toBeNull()
  })
})

it('syncs of one account at the same moment leave the newest rows', { tags: ['services'] }, async () => {
  const racer = await entitled(stack)
  const keys = await Promise.all(Array.from({ length: 8 }, () => anotherKey(stack, racer)))
  const ids = Array.from({ length: 200 }, (_, n) => `r${n}`)
  const rows = (n: number) => ids.map((id) => person(id, { updated_at: `2026-05-0${n + 1}T00:00:00Z`, n }))
  const answers = await Promise.all(
    keys.map((key, n) => key.post('/outreach/sync', { persons: n % 2 === 0 ? rows(n) : rows(n).reverse() })),
  )
  expect(answers.map(({ status }) => status)).toEqual(keys.map(() => 200))
  const left = await stored(stack, racer, 'persons')
  expect(left.map(({ n }) => n)).toEqual(ids.map(() => 7))
})
