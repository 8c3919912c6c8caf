import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ENGINES } from '../../../schema/values/visibility.ts'
import { accessOf, cron, type StackAccess } from '../../publishing/scene.ts'
import { anotherKey, newAccount, rowsIn } from '../../support/client.ts'
import { expectError } from '../../support/contract.ts'
import { onOneDay } from '../../support/day.ts'
import { latest } from '../../support/latest.ts'
import { startTestStack, type TestStack } from '../../support/stack.ts'
import { scansOfEngines } from './scan-engines.ts'
import { scansOfOwnPrompts } from './scan-own-prompts.ts'
import {
  ALONE,
  anotherDay,
  type EngineRow,
  expectRecounted,
  PROMPTS,
  type Summary,
  scan,
  scanned,
  start,
  trackedProject,
  viewOf,
  withManyScans,
} from './scene.ts'

const PATIENCE_MS = 120_000

let stack: TestStack
let access: StackAccess

onOneDay('UTC')
beforeAll(async () => {
  stack = await startTestStack({ timeScale: 200 })
  access = accessOf(stack)
}, PATIENCE_MS)
afterAll(() => stack.close())

scansOfEngines(
  latest(() => stack),
  latest(() => access),
)
scansOfOwnPrompts(latest(() => access))

it('has no numbers before the first scan', async () => {
  const tracked = await trackedProject(access, PROMPTS.slice(0, 1), { keyword_region: 'Germany' })
  expect(await viewOf<Summary>(tracked)).toMatchObject({
    has_data: false,
    scanning: false,
    visibility_score: 0,
    answers: 0,
    interval: null,
    change: null,
    share_of_voice: 0,
    share_interval: null,
    prompts_tracked: 1,
    last_scan: null,
    scan_location: 'Germany',
    manual_scans_used: 0,
    manual_scans_limit: 2,
    can_scan: true,
    engines: ENGINES.map((engine) => ({ engine, state: 'no_data', reason: 'not_asked', visibility_score: null })),
  })
  expect(await viewOf(tracked, 'history')).toMatchObject({ points: [] })
  expect(await viewOf(tracked, 'cited_pages')).toMatchObject({ pages: [], last_scan: null })
  expect(await viewOf(tracked, 'competitors')).toMatchObject({
    you: { citations: 0, share: 0, interval: null },
    rows: [],
  })
})

it('a scan sends every prompt to every engine, and its numbers match the raw answers', async () => {
  const tracked = await trackedProject(access, PROMPTS)
  const answer = await start(tracked, { samples: 2 })
  expect(answer.status).toBe(202)
  expect(Object.keys(answer.body).sort()).toEqual(
    ['cost_usd', 'manual_scans_limit', 'manual_scans_used', 'message', 'project_id', 'status'].sort(),
  )
  expect(answer.body).toMatchObject({
    status: 'queued',
    project_id: tracked.id,
    manual_scans_used: 2,
    manual_scans_limit: 2,
    // Ten prompts, with those of the service, in five engines, twice.
    cost_usd: 1.36,
  })
  const summary = await scanned(tracked)
  expect(summary).toMatchObject({ has_data: true, sandbox: true, scan_location: 'United States', manual_scans_used: 2 })
  const raw = await expectRecounted(access, summary, tracked)
  const asked = raw.map(({ prompt, engine, sample }) => `${prompt} ${engine} ${sample}`)
  expect(new Set(asked).size).toBe(asked.length)
  const own = raw.filter(({ prompt }) => PROMPTS.includes(prompt))
  expect(own).toHaveLength(PROMPTS.length * ENGINES.length * 2)
  expect(raw.filter(({ state }) => state === 'cited').length).toBeGreaterThan(0)
  for (const row of raw.filter(({ state }) => state !== 'no_data')) {
    expect(row.text).toContain(row.prompt)
    expect(row.cost_usd).toBeGreaterThan(0)
    expect(row.surface).toBe(row.engine.startsWith('google') ? 'serp' : 'api')
    expect(row.location).toBe(row.engine === 'gemini' ? null : 'US')
    expect(row.citations.some(({ site }) => site === 'own')).toBe(row.state === 'cited')
    expect(row.citations.every(({ url }) => !url.includes('vertexaisearch'))).toBe(true)
  }
  const { body } = await tracked.api.get(`/ai-visibility/scans?project_id=${tracked.id}`)
  expect(body.scans).toMatchObject([
    { id: summary.last_scan_id, kind: 'manual', status: 'completed', samples: 2, asked: raw.length, sandbox: true },
  ])
})

it('views of the last scan add up to its summary', async () => {
  const tracked = await withManyScans(access, await trackedProject(access, PROMPTS))
  const summary = await scan(tracked, { samples: 3 })
  const prompts = await viewOf<{
    prompts: { prompt: string; engines: EngineRow[]; last_scan: string }[]
    total: number
  }>(tracked, 'prompts', '&per_page=50')
  expect(prompts.total).toBe(summary.prompts_tracked)
  for (const engine of ENGINES) {
    const sum = (pick: (row: EngineRow) => number) =>
      prompts.prompts
        .flatMap((one) => one.engines.filter((row) => row.engine === engine))
        .reduce((n, row) => n + pick(row), 0)
    const whole = summary.engines.find((row) => row.engine === engine)
    expect(sum(({ answers }) => answers)).toBe(whole?.answers)
    expect(sum(({ citations }) => citations)).toBe(whole?.citations)
    expect(sum(({ gaps }) => gaps)).toBe(whole?.gaps)
  }
  const second = await viewOf<{ prompts: unknown[] }>(tracked, 'prompts', '&page=2&per_page=2')
  expect(second).toMatchObject({ page: 2, per_page: 2, total: prompts.total, prompts: prompts.prompts.slice(2, 4) })
  expect(await viewOf(tracked, 'prompts', '&page=99&per_page=1000')).toMatchObject({ prompts: [], per_page: 50 })
  const rivals = await viewOf<{
    you: { citations: number; share: number }
    rows: { domain: string; citations: number; share: number }[]
    other_cited: { domain: string }[]
  }>(tracked, 'competitors')
  expect(rivals.you.share).toBe(summary.share_of_voice)
  expect(rivals.rows.map(({ domain }) => domain).sort()).toEqual([...tracked.rivals].sort())
  const all = rivals.rows.reduce((sum, { citations }) => sum + citations, rivals.you.citations)
  expect(all).toBe(summary.share_citations)
  expect(rivals.other_cited.map(({ domain }) => domain)).toContain('wikipedia.org')
  const pages = await viewOf<{ pages: { url: string; citations: number; engines: string[] }[] }>(tracked, 'cited_pages')
  expect(pages.pages.reduce((sum, { citations }) => sum + citations, 0)).toBe(rivals.you.citations)
  for (const page of pages.pages) expect(new URL(page.url).hostname).toBe(tracked.site)
})

it('every number leads to its raw answers', async () => {
  const tracked = await trackedProject(access, PROMPTS)
  const summary = await scan(tracked)
  const { api, id } = tracked
  const all = await api.get(`/ai-visibility/answers?project_id=${id}&limit=100`)
  const rows = all.body.answers as { id: number; engine: string; prompt_id: number; scan_id: number; state: string }[]
  expect(all.body).toMatchObject({ count: rows.length, limit: 100, next_offset: null, before_id: null, sandbox: true })
  expect(rows.map((row) => row.id)).toEqual(rows.map((row) => row.id).sort((a, b) => b - a))
  expect(rows.filter(({ state }) => state !== 'no_data')).toHaveLength(summary.answers)
  const first = rows[0]
  const only = async (query: string) =>
    ((await api.get(`/ai-visibility/answers?project_id=${id}&limit=100&${query}`)).body.answers as typeof rows).map(
      (row) => row.id,
    )
  expect(await only('engine=gemini')).toEqual(rows.filter((row) => row.engine === 'gemini').map((row) => row.id))
  expect(await only('engine=Gemini,chatgpt')).toEqual(
    rows.filter((row) => ['gemini', 'chatgpt'].includes(row.engine)).map((row) => row.id),
  )
  expect(await only(`prompt_id=${first?.prompt_id}`)).toHaveLength(5)
  expect(await only(`scan_id=${summary.last_scan_id}`)).toHaveLength(rows.length)
  expect(await only('scan_id=2147483647')).toEqual([])
  const paged: number[] = []
  for (let before = ''; ; ) {
    const { body } = await api.get(`/ai-visibility/answers?project_id=${id}&limit=4${before}`)
    paged.push(...(body.answers as typeof rows).map((row) => row.id))
    if (body.before_id === null) break
    before = `&before_id=${String(body.before_id)}`
  }
  expect(paged).toEqual(rows.map((row) => row.id))
  expectError(await api.get(`/ai-visibility/answers?project_id=${id}&engine=bing`), 'invalid_input')
})

describe('the daily cap', () => {
  it('refuses scans beyond it with the documented body, until midnight', async () => {
    const tracked = await trackedProject(access, PROMPTS.slice(0, 1))
    expect((await scan(tracked)).manual_scans_used).toBe(1)
    expect(await scan(tracked)).toMatchObject({ manual_scans_used: 2, can_scan: false })
    const untilMidnight = () => Math.ceil((86_400_000 - (Date.now() % 86_400_000)) / 1_000)
    const most = untilMidnight()
    const refused = await start(tracked)
    const least = untilMidnight()
    expectError(refused, 'rate_limited')
    expect(refused.body).toMatchObject({ status: 'rate_limited', manual_scans_used: 2, manual_scans_limit: 2 })
    // However long the answer took on a busy machine; clocks of two processes may differ by a second when it is rounded.
    expect(Number(refused.body.retry_after)).toBeGreaterThanOrEqual(least - 1)
    expect(Number(refused.body.retry_after)).toBeLessThanOrEqual(most + 1)
    await anotherDay(access, tracked)
    expect((await viewOf<Summary>(tracked)).can_scan).toBe(true)
    expect((await start(tracked)).body).toMatchObject({ manual_scans_used: 1 })
    await scanned(tracked)
  })

  it('applies to simultaneous calls: one scan runs, the others cost nothing', {
    tags: ['services'],
  }, async () => {
    const rounds = process.env.DATABASE_URL ? 8 : 2
    for (let round = 0; round < rounds; round += 1) {
      const tracked = await trackedProject(access, PROMPTS.slice(0, 1))
      const keys = await Promise.all([0, 1, 2].map(() => anotherKey(access, tracked.api)))
      // One that had ended already would leave room for the next.
      stack.providers.dataForSeo.faults.set([{ hold: true }])
      const answers = await Promise.all(
        keys.flatMap((key) => [0, 1, 2].map(() => key.post('/ai-visibility/scan', { project_id: tracked.id }))),
      )
      expect(answers.filter(({ status }) => status === 202)).toHaveLength(1)
      for (const answer of answers.filter(({ status }) => status !== 202)) expectError(answer, 'scan_running')
      const [row] = await rowsIn<{ scans: number; jobs: number; entries: number }>(
        access,
        sql`select (select count(*)::int from visibility_scans where project_id = ${tracked.id}::int) as scans,
          (select count(*)::int from outbox where account_id = ${tracked.api.accountId}::int and job = 'visibility.ask') as jobs,
          (select count(*)::int from audit_log where account_id = ${tracked.api.accountId}::int and action = 'visibility.scan') as entries`,
      )
      expect(row).toEqual({ scans: 1, jobs: 5, entries: 1 })
      stack.providers.dataForSeo.faults.set([])
      await scanned(tracked)
    }
  })

  it('applies to scans that end between two simultaneous calls', { tags: ['services'] }, async () => {
    const tracked = await trackedProject(access, PROMPTS.slice(0, 1))
    const end = () =>
      rowsIn(
        access,
        sql`update visibility_scans set state = 'completed', answers = 1 where project_id = ${tracked.id}::int`,
      )
    const keys = await Promise.all(Array.from({ length: 6 }, () => anotherKey(access, tracked.api)))
    const ask = async (key: (typeof keys)[number]) => {
      const statuses: number[] = []
      for (let n = 0; n < 4; n += 1) {
        const { status } = await key.post('/ai-visibility/scan', { project_id: tracked.id })
        statuses.push(status)
        if (status === 202) await end()
      }
      return statuses
    }
    const statuses = (await Promise.all(keys.map(ask))).flat()
    expect(statuses.filter((status) => status === 202)).toHaveLength(2)
    expect(statuses.every((status) => [202, 409, 429].includes(status))).toBe(true)
  })
})

it('a running scan refuses another, and says that it runs', async () => {
  const tracked = await trackedProject(access, ['Which slow sheds last longest?'])
  stack.providers.dataForSeo.faults.set([{ body: 'slow sheds', hold: true }])
  expect((await start(tracked)).status).toBe(202)
  const second = await start(tracked)
  expectError(second, 'scan_running')
  const [next] = second.body.next_calls as { path: string }[]
  expect((await tracked.api.get(next?.path ?? '')).body).toMatchObject({ scanning: true })
  expect(await viewOf<Summary>(tracked)).toMatchObject({ scanning: true, can_scan: false, manual_scans_used: 1 })
  stack.providers.dataForSeo.faults.set([])
  expect((await scanned(tracked)).manual_scans_used).toBe(1)
})

it('a scan with lost jobs gets new ones, and ends', async () => {
  const tracked = await trackedProject(access, ['Which lost sheds last longest?'], ALONE)
  stack.providers.dataForSeo.faults.set([{ body: 'lost sheds', hold: true }])
  await start(tracked)
  await rowsIn(
    access,
    sql`update outbox set dead_at = now() where account_id = ${tracked.api.accountId}::int and job = 'visibility.ask'`,
  )
  stack.providers.dataForSeo.faults.set([])
  await rowsIn(
    access,
    sql`update visibility_scans set started_at = now() - interval '4 hours' where project_id = ${tracked.id}::int`,
  )
  await cron(access)
  const summary = await scanned(tracked)
  expect(summary.answers + summary.engines.reduce((sum, { gaps }) => sum + gaps, 0)).toBe(ENGINES.length)
})

it('the same call under the same Idempotency-Key starts one scan', async () => {
  const tracked = await trackedProject(access, PROMPTS.slice(0, 1))
  const headers = { 'idempotency-key': 'one-scan' }
  const first = await tracked.api.post('/ai-visibility/scan', { project_id: tracked.id }, { headers })
  const again = await tracked.api.post('/ai-visibility/scan', { project_id: tracked.id }, { headers })
  expect([first.status, again.status]).toEqual([202, 202])
  expect(again.body).toEqual(first.body)
  expect((await scanned(tracked)).manual_scans_used).toBe(1)
})

it('project and samples may be in the query; missing or wrong values are 400', async () => {
  const tracked = await trackedProject(access, PROMPTS.slice(0, 1))
  const { api, id } = tracked
  const missing = await api.post('/ai-visibility/scan')
  expectError(missing, 'invalid_input')
  expect(missing.body.details).toMatchObject([{ field: 'project_id' }])
  expectError(await api.post('/ai-visibility/scan', { project_id: id, samples: 6 }), 'invalid_input')
  expectError(await api.post(`/ai-visibility/scan?project_id=${id}&samples=0`), 'invalid_input')
  const two = await api.post(`/ai-visibility/scan?project_id=${id}&samples=2`, { project_id: id, samples: 3 })
  expectError(two, 'invalid_input')
  expect(two.body.details).toEqual([
    { field: 'samples', message: 'is another in the body than in the query; give it once' },
  ])
  expect((await api.post(`/ai-visibility/scan?project_id=${id}&samples=2`)).status).toBe(202)
  await scanned(tracked)
  const other = await newAccount(access)
  expectError(await other.post('/ai-visibility/scan', { project_id: id }), 'forbidden')
  for (const path of ['', '/answers', '/scans'])
    expectError(await other.get(`/ai-visibility${path}?project_id=${id}`), 'forbidden')
  expectError(await api.get(`/ai-visibility?project_id=${id}&view=everything`), 'invalid_input')
  expectError(await api.get(`/ai-visibility?project_id=${id}&view=prompts&page=0`), 'invalid_input')
})

it('every week a project is scanned automatically once, and that is not counted', async () => {
  const tracked = await trackedProject(access, PROMPTS.slice(0, 1))
  const due = (days: number) =>
    rowsIn(
      access,
      sql`update visibility_schedules set next_scan_at = now() - make_interval(days => ${days}::int) where project_id = ${tracked.id}::int`,
    )
  await due(15)
  await cron(access)
  await expect.poll(async () => (await viewOf<Summary>(tracked)).last_scan).not.toBeNull()
  await cron(access)
  const { body } = await tracked.api.get(`/ai-visibility/scans?project_id=${tracked.id}`)
  expect(body.scans).toMatchObject([{ kind: 'weekly', status: 'completed' }])
  expect(await viewOf<Summary>(tracked)).toMatchObject({ manual_scans_used: 0, can_scan: true })
  const [row] = await rowsIn<{ ahead: number }>(
    access,
    sql`select extract(epoch from next_scan_at - now())::float8 / 86400 as ahead from visibility_schedules where project_id = ${tracked.id}::int`,
  )
  expect(row?.ahead).toBeGreaterThan(5.9)
  expect(row?.ahead).toBeLessThan(6.1)
  await tracked.api.post(`/projects/${tracked.id}/archive`)
  await due(0)
  await cron(access)
  const [{ scans } = { scans: 0 }] = await rowsIn<{ scans: number }>(
    access,
    sql`select count(*)::int as scans from visibility_scans where project_id = ${tracked.id}::int`,
  )
  expect(scans).toBe(1)
})

it.each([
  [40, 23, 0, 58],
  [20, 11, 1, 58],
  [200, 29, 0, 15],
  [200, 28, 1, 14],
])(
  'of %i answers %i that cite and %i that mention are a score of %i everywhere',
  async (answers, cited, mentioned, score) => {
    const tracked = await trackedProject(access, [], ALONE)
    const engines = [{ engine: 'gemini', answers, cited, mentioned, citations: cited, gaps: 0, reasons: {} }]
    await rowsIn(
      access,
      sql`insert into visibility_scans (account_id, project_id, kind, state, samples, location, language, answers, cited, mentioned,
      started_at, finished_at, engines, views) values (${tracked.api.accountId}::int, ${tracked.id}::int, 'weekly', 'completed', 1,
      'US', 'en', ${answers}::int, ${cited}::int, ${mentioned}::int, now(), now(), ${JSON.stringify(engines)}::jsonb,
      '{"prompts":[],"competitors":[],"other":[],"pages":[]}')`,
    )
    const summary = await viewOf<Summary>(tracked)
    const { points } = await viewOf<{ points: { visibility_score: number }[] }>(tracked, 'history')
    const { scans } = (await tracked.api.get(`/ai-visibility/scans?project_id=${tracked.id}`)).body as {
      scans: { visibility_score: number }[]
    }
    const shown = [summary, ...summary.engines.filter(({ engine }) => engine === 'gemini'), ...points, ...scans]
    expect(shown.map((one) => one.visibility_score)).toEqual([score, score, score, score])
  },
)

it('the history has a point for each scan, and distinguishes a change from noise', async () => {
  const tracked = await withManyScans(access, await trackedProject(access, PROMPTS))
  const first = await scan(tracked, { samples: 5 })
  await anotherDay(access, tracked)
  const second = await scan(tracked, { samples: 5 })
  expect(second.change).toMatch(/^(up|down|within_noise)$/)
  const { points } = await viewOf<{ points: Record<string, unknown>[] }>(tracked, 'history')
  expect(points).toMatchObject([
    { scan_id: first.last_scan_id, visibility_score: first.visibility_score, answers: first.answers, change: null },
    { scan_id: second.last_scan_id, share_of_voice: second.share_of_voice, change: second.change },
  ])
  const set = (scanId: number | null, cited: number) =>
    rowsIn(
      access,
      sql`update visibility_scans set answers = 100, cited = ${cited}::int, mentioned = 0 where id = ${scanId}::int`,
    )
  const changes: (string | null)[] = []
  for (const [before, after] of [
    [50, 51],
    [50, 63],
    [50, 64],
    [50, 36],
    [0, 0],
    [100, 100],
    [0, 100],
  ] as const) {
    await set(first.last_scan_id, before)
    await set(second.last_scan_id, after)
    changes.push((await viewOf<Summary>(tracked)).change)
  }
  expect(changes).toEqual(['within_noise', 'within_noise', 'up', 'down', 'within_noise', 'within_noise', 'up'])
})
