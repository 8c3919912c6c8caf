import { sql } from 'drizzle-orm'
import { expect, inject, it } from 'vitest'
import { type Api, newAccount, rowsIn } from '../../support/client.ts'
import { action, entitled, identity, lead, person, type Rows, stored } from './rows.ts'

const stack = inject('stack')

type Line = { kind: string; row?: Record<string, unknown>; suppressed?: boolean; cursor?: string; counts?: object }

const exported = async (api: Api): Promise<Line[]> => {
  const { status, headers, text } = await api.get('/outreach/export')
  expect([status, headers.get('content-type')]).toEqual([200, 'application/x-ndjson'])
  expect(text.endsWith('\n')).toBe(true)
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)
}

const rowsOf = (lines: readonly Line[]): Rows => {
  const rows: Rows = {}
  for (const { kind, row } of lines) if (row) rows[kind] = [...(rows[kind] ?? []), row]
  return rows
}

const mirror: Rows = {
  persons: [
    person('p1', { email: 'Ann@Mail.Example.com ', notes: { since: 2020 } }),
    person('p2', { email: 'bob@other.example' }),
    person('p3'),
    person('p4', { email: 'dan@far.example' }),
  ],
  identities: [
    identity('i1', 'p3', 'Carol@Third.example'),
    identity('i2', 'p4', 'https://social.example/dan', 'profile'),
  ],
  leads: [lead('l1', 'p1'), lead('l2', 'p2'), lead('l3', 'p4')],
  actions: [action('a1', 'p3'), action('a2', 'p9')],
  suppressions: [
    { id: 's1', kind: 'domain', value: '@Example.com' },
    { id: 's2', kind: 'email', value: 'carol@third.example', reason: 'asked' },
    { id: 's3', kind: 'person', value: 'p9' },
  ],
}

it('has every row as it was sent, and ends with the progress of the sync', async () => {
  const api = await entitled(stack)
  await api.post('/outreach/sync', { ...mirror, since: 'page 3' })
  const lines = await exported(api)
  expect(rowsOf(lines)).toEqual(mirror)
  expect(lines.at(-1)).toEqual({
    kind: 'end',
    cursor: 'page 3',
    counts: { persons: 4, identities: 2, leads: 3, actions: 2, suppressions: 3 },
  })
})

it('makes an equal mirror elsewhere', async () => {
  const [here, there] = [await entitled(stack), await entitled(stack)]
  await here.post('/outreach/sync', { ...mirror, since: 'page 3' })
  const lines = await exported(here)
  expect((await there.post('/outreach/sync', { ...rowsOf(lines), since: lines.at(-1)?.cursor })).status).toBe(200)
  expect(await exported(there)).toEqual(lines)
})

it('has only its last line for an account without a mirror, entitled or not', async () => {
  const api = await newAccount(stack)
  expect(await exported(api)).toEqual([
    { kind: 'end', cursor: null, counts: { persons: 0, identities: 0, leads: 0, actions: 0, suppressions: 0 } },
  ])
})

it('continues from page to page, whatever the size of the rows', async () => {
  const api = await entitled(stack)
  const rows = Array.from({ length: 2_500 }, (_, n) => person(`p${n}`, { n }))
  for (const from of [0, 1_000, 2_000]) await api.post('/outreach/sync', { persons: rows.slice(from, from + 1_000) })
  const long = Array.from({ length: 160 }, (_, n) => lead(`l${n}`, 'p1', { note: `${n} ${'long '.repeat(3_900)}` }))
  for (const from of [0, 40, 80, 120]) await api.post('/outreach/sync', { leads: long.slice(from, from + 40) })
  const { persons = [], leads = [] } = rowsOf(await exported(api))
  expect(new Set(persons.map(({ n }) => n)).size).toBe(2_500)
  expect(persons.length).toBe(2_500)
  expect(leads.map(({ id }) => id).sort()).toEqual(long.map(({ id }) => id).sort())
})

it('has no rows of another account', async () => {
  const [mine, other] = [await entitled(stack), await entitled(stack)]
  await mine.post('/outreach/sync', mirror)
  expect((await other.get('/outreach/export')).text).not.toContain('Person')
})

it('marks rows that a suppression covers, by id, address and domain, and no others', async () => {
  const api = await entitled(stack)
  await api.post('/outreach/sync', mirror)
  const covered = (await exported(api)).filter(({ suppressed }) => suppressed).map(({ row }) => row?.id)
  expect(covered.sort()).toEqual(['a1', 'a2', 'i1', 'l1', 'p1', 'p3'])
})

it('a suppression is lifted by no later row: neither a newer person nor another row under its id', async () => {
  const api = await entitled(stack)
  await api.post('/outreach/sync', {
    persons: [person('p1', { email: 'ann@x.example' })],
    suppressions: [{ id: 's1', kind: 'email', value: 'ann@x.example' }],
  })
  await api.post('/outreach/sync', {
    persons: [person('p1', { email: 'ANN@x.example', updated_at: '2030-01-01T00:00:00Z' })],
    suppressions: [{ id: 's1', kind: 'email', value: 'someone.else@x.example', updated_at: '2030-01-01T00:00:00Z' }],
  })
  const lines = await exported(api)
  expect(lines.find(({ row }) => row?.id === 'p1')?.suppressed).toBe(true)
  expect(rowsOf(lines).suppressions?.map(({ value }) => value)).toEqual(['ann@x.example', 'someone.else@x.example'])
})

it('reads a page by its index, however many rows others have', async () => {
  const [api, other] = [await entitled(stack), await entitled(stack)]
  await api.post('/outreach/sync', mirror)
  const many = Array.from({ length: 3_000 }, (_, n) => lead(`l${n}`, 'p1'))
  for (const from of [0, 1_000, 2_000]) await other.post('/outreach/sync', { leads: many.slice(from, from + 1_000) })
  // Else it is chance whether the database knows how many they are, and a short table is read whole.
  await rowsIn(stack, sql`analyze outreach_leads`)
  const plan = await rowsIn<Record<string, string>>(
    stack,
    sql`explain select id from outreach_leads where account_id = ${api.accountId}::int and id > 'l1'::text order by id limit 1000`,
  )
  expect(JSON.stringify(plan)).toMatch(/outreach_leads_pkey|outreach_leads_person/)
  expect(await stored(stack, api, 'leads')).toHaveLength(3)
})
