import { type SQL, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ENGINES } from '../../../schema/values/visibility.ts'
import { accessOf, cron, type StackAccess } from '../../publishing/scene.ts'
import { anotherKey, newAccount, rowsIn } from '../../support/client.ts'
import { expectError } from '../../support/contract.ts'
import { onOneDay } from '../../support/day.ts'
import { startTestStack, type TestStack } from '../../support/stack.ts'
import { recount } from './recount.ts'
import {
  type EngineRow,
  type Summary,
  scan,
  scanned,
  storedAnswers,
  type Tracked,
  trackedProject,
  viewOf,
} from './scene.ts'

const PATIENCE_MS = 120_000
const PROMPTS = [
  'Which garden sheds last longest?',
  'Who builds log cabins to order?',
  'Where do I buy a good bike shed?',
]

/** Without competitors and a description no prompts are made besides. */
const ALONE = { competitors: [] }

let stack: TestStack
let access: StackAccess

onOneDay('UTC')
beforeAll(async () => {
  stack = await startTestStack({ timeScale: 200 })
  access = accessOf(stack)
}, PATIENCE_MS)
afterAll(() => stack.close())

const start = ({ api, id }: Tracked, more: Record<string, unknown> = {}) =>
  api.post('/ai-visibility/scan', { project_id: id, ...more })

/** Forgets how often the project was scanned by hand today. */
const anotherDay = ({ id }: Tracked) =>
  rowsIn(
    access,
    sql`update visibility_scans set started_at = started_at - interval '1 day' where project_id = ${id}::int`,
  )

const close = (a: { low: number; high: number } | null, b: { low: number; high: number } | null, digits: number) => {
  if (a === null || b === null) return expect(a).toBe(b)
  expect(a.low).toBeCloseTo(b.low, digits)
  expect(a.high).toBeCloseTo(b.high, digits)
}

/** Compares the service's numbers with an independent count of its raw answers. */
const expectRecounted = async (summary: Summary, { site, rivals }: Tracked) => {
  const raw = await storedAnswers(access, summary.last_scan_id)
  const counted = recount(raw, site, rivals)
  expect(summary).toMatchObject({ visibility_score: counted.score, score: counted.score, answers: counted.answers })
  const citing = summary.engines.filter(({ cited }) => cited).length
  expect(summary).toMatchObject({ engines_citing: citing, engines_total: 5 })
  expect(summary.engines[3]).toMatchObject({ key: 'google_ai_overview', label: 'Google AI Overview' })
  expect(summary.share_citations).toBe(counted.shareCitations)
  // Four digits are shown: of 1/32, say, half of the fifth is left out.
  expect(summary.share_of_voice).toBeCloseTo(counted.shareOfVoice, 3.9)
  expect(summary.last_scan_cost_usd).toBeCloseTo(counted.cost, 6)
  close(summary.interval, counted.interval, 0.9)
  close(summary.share_interval, counted.shareInterval, 3.9)
  for (const row of summary.engines) {
    const own = counted.ofEngine(row.engine)
    expect(row).toMatchObject({ answers: own.answers, citations: own.citations })
    expect(row.visibility_score).toBe(own.answers === 0 ? null : own.score)
    close(row.interval, own.interval, 0.9)
  }
  return raw
}

it('before the first scan nothing is claimed', async () => {
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

it('a scan asks every engine every prompt, and its numbers are those of its raw answers', async () => {
  const tracked = await trackedProject(access, PROMPTS)
  const answer = await start(tracked, { samples: 2 })
  expect(answer.status).toBe(202)
  expect(Object.keys(answer.body).sort()).toEqual(
    ['manual_scans_limit', 'manual_scans_used', 'message', 'project_id', 'status'].sort(),
  )
  expect(answer.body).toMatchObject({
    status: 'queued',
    project_id: tracked.id,
    manual_scans_used: 1,
    manual_scans_limit: 2,
  })
  const summary = await scanned(tracked)
  expect(summary).toMatchObject({ has_data: true, sandbox: true, scan_location: 'United States', manual_scans_used: 1 })
  const raw = await expectRecounted(summary, tracked)
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
  const tracked = await trackedProject(access, PROMPTS)
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

describe('the model of an engine', () => {
  const offer = async (...names: string[]) => {
    const { dataForSeo } = stack.providers
    const models = names.map((model_name) => ({
      model_name,
      reasoning: true,
      web_search_supported: true,
      task_post_supported: true,
    }))
    dataForSeo.offer('chat_gpt', models.length > 0 ? models : undefined)
    await rowsIn(access, sql`update visibility_models set read_at = now() - interval '25 hours'`)
  }
  const chatgptOf = (summary: Summary) => summary.engines.find(({ engine }) => engine === 'chatgpt')

  it('is pinned for a scan; with another one than before nothing is compared', async () => {
    const tracked = await trackedProject(access, PROMPTS.slice(0, 1), ALONE)
    const first = await scan(tracked)
    expect([first.reason, chatgptOf(first)?.reason, chatgptOf(first)?.model]).toEqual([
      undefined,
      undefined,
      'gpt-6-luna',
    ])
    await offer('gpt-5', 'gpt-7-sol')
    const second = await scan(tracked)
    expect(second).toMatchObject({ change: null, share_change: null, reason: 'model_changed' })
    expect(chatgptOf(second)).toMatchObject({ model: 'gpt-7-sol', change: null, reason: 'model_changed' })
    const others = second.engines.filter(({ engine }) => !['chatgpt', 'google_ai_overview'].includes(engine))
    for (const row of others) expect([row.reason, row.change]).toEqual([undefined, 'within_noise'])
    const raw = await storedAnswers(access, second.last_scan_id)
    expect(raw.filter(({ engine }) => engine === 'chatgpt').map(({ model }) => model)).toEqual(['gpt-7-sol'])
    const { points } = await viewOf<{ points: object[] }>(tracked, 'history')
    expect(points).toMatchObject([{ change: null }, { change: null, share_change: null, reason: 'model_changed' }])
    expect(points[0]).not.toHaveProperty('reason')

    await anotherDay(tracked)
    const lists = () => stack.providers.dataForSeo.calls.filter((call) => call.endsWith('/models')).length
    const read = lists()
    const third = await scan(tracked)
    expect(lists()).toBe(read)
    expect([third.reason, chatgptOf(third)?.reason]).toEqual([undefined, undefined])
    expect(third.change).toMatch(/^(up|down|within_noise)$/)

    // As scans are that are older than the column of their models.
    const past = await viewOf<object>(tracked, 'history')
    await rowsIn(access, sql`update visibility_scans set models = '{}' where project_id = ${tracked.id}::int`)
    expect(await viewOf<object>(tracked, 'history')).toEqual(past)
    await offer()
    const fourth = await scan(tracked)
    expect(chatgptOf(fourth)).toMatchObject({ model: 'gpt-6-luna', change: null, reason: 'model_changed' })
    expect(fourth.engines.find(({ engine }) => engine === 'gemini')?.change).toBe('within_noise')
  })

  it('is the configured one if the list cannot be read; the scan continues', async () => {
    const tracked = await trackedProject(access, PROMPTS.slice(0, 1), ALONE)
    await rowsIn(access, sql`delete from visibility_models`)
    stack.providers.dataForSeo.faults.set([{ path: '/models', status: 500 }])
    const summary = await scan(tracked)
    stack.providers.dataForSeo.faults.set([])
    expect(summary.engines.filter(({ answers }) => answers > 0).map(({ engine }) => engine)).toEqual(
      expect.arrayContaining(['chatgpt', 'perplexity', 'gemini']),
    )
    expect(chatgptOf(summary)?.model).toBe('gpt-6-luna')
  })
})

describe('a provider', () => {
  const postedTo = (platform: string, tracked: Tracked) =>
    stack.providers.dataForSeo.asked.filter(
      ({ path, task }) => path.includes(`/${platform}/`) && String(task.tag).includes(tracked.site),
    )

  it('is asked each question once, however late its answer comes, also where its word of it was lost', async () => {
    const tracked = await trackedProject(access, PROMPTS.slice(0, 2), ALONE)
    const { dataForSeo } = stack.providers
    dataForSeo.tasksTake(1_500)
    dataForSeo.faults.set([{ path: 'gemini/llm_responses/task_post', body: tracked.site, drop: 'after', times: 1 }])
    const summary = await scan(tracked)
    dataForSeo.tasksTake(0)
    dataForSeo.faults.set([])
    const asked = summary.prompts_tracked
    for (const [engine, platform] of [
      ['chatgpt', 'chat_gpt'],
      ['gemini', 'gemini'],
    ] as const) {
      expect(summary.engines.find((row) => row.engine === engine)).toMatchObject({ answers: asked, gaps: 0 })
      expect(postedTo(platform, tracked).map(({ path }) => path)).toEqual(
        Array.from({ length: asked }, () => `/v3/ai_optimization/${platform}/llm_responses/task_post`),
      )
    }
  })

  it('has no more questions of all projects together at once than there are places, which are free again', async () => {
    const { dataForSeo } = stack.providers
    const places = (held: SQL) => rowsIn(access, sql`update visibility_slots set held_until = ${held} where slot > 3`)
    await places(sql`now() + interval '1 hour'`)
    dataForSeo.faults.set([{ path: 'perplexity/llm_responses/live', delay_ms: 300 }])
    dataForSeo.busiest('perplexity')
    const all = await Promise.all([1, 2].map(() => trackedProject(access, PROMPTS, ALONE)))
    const summaries = await Promise.all(all.map((tracked) => scan(tracked)))
    dataForSeo.faults.set([])
    for (const { engines } of summaries)
      expect(engines.slice(0, 3).map(({ engine, gaps }) => `${engine} ${gaps}`)).toEqual([
        'chatgpt 0',
        'perplexity 0',
        'gemini 0',
      ])
    expect(dataForSeo.busiest('perplexity')).toBe(3)
    await places(sql`null`)
    const [row] = await rowsIn(
      access,
      sql`select count(held_until)::int as held, count(*)::int as all from visibility_slots`,
    )
    expect(row).toEqual({ held: 0, all: 25 * ENGINES.length })
  })
})

describe('engines that fail', () => {
  it('half of the time leave gaps and wider intervals, not zeros', async () => {
    const tracked = await trackedProject(access, [
      'half:40501 Which sheds last longest?',
      'half:40501 Who builds cabins?',
    ])
    const summary = await scan(tracked, { samples: 5 })
    const raw = await expectRecounted(summary, tracked)
    const gaps = raw.filter(({ reason }) => reason === 'prompt_refused')
    expect(gaps.length).toBeGreaterThan(5)
    expect(gaps.length).toBeLessThan(45)
    expect(summary.answers + raw.filter(({ state }) => state === 'no_data').length).toBe(raw.length)
    expect(summary.interval).not.toBeNull()
    for (const row of summary.engines) {
      expect(row.answers + row.gaps).toBe(raw.filter(({ engine }) => engine === row.engine).length)
      if (row.answers === 0) expect(row).toMatchObject({ state: 'no_data', interval: null, visibility_score: null })
    }
  })

  it('always are a gap with its reason, and change no other engine’s number', async () => {
    const tracked = await trackedProject(access, ['on:perplexity always:40501 Which sheds last longest?'], ALONE)
    const summary = await scan(tracked, { samples: 3 })
    const perplexity = summary.engines.find(({ engine }) => engine === 'perplexity')
    expect(perplexity).toEqual({
      engine: 'perplexity',
      key: 'perplexity',
      label: 'Perplexity',
      model: 'sonar',
      cited: false,
      state: 'no_data',
      reason: 'prompt_refused',
      answers: 0,
      gaps: 3,
      citations: 0,
      visibility_score: null,
      interval: null,
      change: null,
    })
    expect(summary.engines.find(({ engine }) => engine === 'gemini')?.answers).toBe(3)
    await expectRecounted(summary, tracked)
  })

  it('that are temporary are asked again', async () => {
    const tracked = await trackedProject(access, [
      'half:40101 Which sheds last longest?',
      'half:40103 Who builds cabins?',
    ])
    const summary = await scan(tracked, { samples: 3 })
    const raw = await expectRecounted(summary, tracked)
    const gaps = raw.filter(({ reason }) => reason === 'provider_unavailable')
    expect(gaps.length).toBeLessThan(raw.length / 3)
  })

  it('because we are not let in are not asked again and again; a scan without an answer has failed and is not counted', async () => {
    const tracked = await trackedProject(
      access,
      ['always:40204 Which sheds last longest?', 'always:40204 Who builds?'],
      ALONE,
    )
    const before = stack.providers.dataForSeo.calls.length
    const summary = await scan(tracked, { samples: 5 })
    expect(summary).toMatchObject({
      has_data: false,
      last_scan_error: 'provider_unpaid',
      manual_scans_used: 0,
      can_scan: true,
      visibility_score: 0,
      interval: null,
      engines: ENGINES.map((engine) => ({ engine, state: 'no_data', reason: 'provider_unpaid', answers: 0, gaps: 10 })),
    })
    const posted = stack.providers.dataForSeo.calls.slice(before).filter((call) => call.startsWith('POST '))
    expect(posted.length).toBeLessThanOrEqual(ENGINES.length * 4)
    const { body } = await tracked.api.get(`/ai-visibility/scans?project_id=${tracked.id}`)
    expect(body.scans).toMatchObject([
      { status: 'failed', error: 'provider_unpaid', answers: 0, visibility_score: null },
    ])
  })

  it('with answers nobody can read, or slowly, are gaps or answers, never a stuck scan', async () => {
    const tracked = await trackedProject(access, ['Which unreadable sheds last longest?'], ALONE)
    const answer = {
      status_code: 20000,
      status_message: 'Ok.',
      tasks: [{ status_code: 20000, result: [{ odd: true }] }],
    }
    stack.providers.dataForSeo.faults.set([
      { path: 'chat_gpt', body: 'unreadable', status: 200, answer },
      { path: 'perplexity', body: 'unreadable', status: 502, answer: '<html>Bad gateway</html>' },
      { path: 'gemini', body: 'unreadable', drop: 'before' },
      { path: 'ai_mode', body: 'unreadable', delay_ms: 1_500 },
    ])
    const summary = await scan(tracked)
    stack.providers.dataForSeo.faults.set([])
    expect(summary.engines.map(({ state, reason }) => reason ?? state)).toEqual([
      'provider_malformed',
      'provider_unavailable',
      'provider_unavailable',
      expect.any(String),
      expect.stringMatching(/^(not_)?cited|mentioned$/),
    ])
  })
})

describe('the daily cap', () => {
  it('refuses what is past it with the body of the interface, until midnight', async () => {
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
    await anotherDay(tracked)
    expect((await viewOf<Summary>(tracked)).can_scan).toBe(true)
    expect((await start(tracked)).body).toMatchObject({ manual_scans_used: 1 })
    await scanned(tracked)
  })

  it('holds when many ask at the same moment: one scan runs, the rest cost nothing', {
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

  it('holds for scans that end between two calls that ask at once', { tags: ['services'] }, async () => {
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

it('a scan whose jobs were lost gets them back, and ends', async () => {
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

it('project and samples may stand in the query; what is missing or wrong is 400', async () => {
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

describe('prompts the service makes itself', () => {
  it('come from the business context, at most ten, and never name the business', async () => {
    const tracked = await trackedProject(access, [], {
      business_name: 'Timberline',
      business_description: 'Timberline builds garden sheds, log cabins and wooden bike stores for small gardens.',
      target_audience: ['home owners'],
    })
    await scan(tracked)
    const { prompts } = await viewOf<{ prompts: { prompt: string; source: string }[] }>(
      tracked,
      'prompts',
      '&per_page=50',
    )
    expect(prompts.length).toBeGreaterThan(5)
    expect(prompts.length).toBeLessThanOrEqual(10)
    expect(prompts.every(({ source }) => source === 'auto')).toBe(true)
    const text = prompts.map(({ prompt }) => prompt).join('\n')
    expect(text).not.toMatch(/timberline/i)
    expect(text).toMatch(/garden sheds/)
    expect(text).toContain(`alternatives to ${tracked.rivals[0]}`)
  })

  it('stay removed, and leave room for the caller’s own', async () => {
    const tracked = await trackedProject(
      access,
      Array.from({ length: 20 }, (_, n) => `Own question number ${n}?`),
      { business_description: 'Garden sheds, log cabins and wooden bike stores for small gardens.' },
    )
    await scan(tracked)
    const before = await viewOf<{ prompts: { prompt: string; source: string }[]; total: number }>(
      tracked,
      'prompts',
      '&per_page=50',
    )
    expect(before.total).toBe(25)
    const auto = before.prompts.find(({ source }) => source === 'auto')?.prompt ?? ''
    await tracked.api.call('DELETE', '/ai-visibility/prompts', { body: { project_id: tracked.id, prompt: auto } })
    await scan(tracked)
    const after = await viewOf<{ prompts: { prompt: string }[] }>(tracked, 'prompts', '&per_page=50')
    expect(after.prompts.map(({ prompt }) => prompt)).not.toContain(auto)
  })

  it('cannot be made of nothing: a scan then starts nothing', async () => {
    const tracked = await trackedProject(access, [], { competitors: [], business_name: '' })
    await rowsIn(
      access,
      sql`update projects set business_description = '', topics = '', content_pillars = '{}' where id = ${tracked.id}::int`,
    )
    expectError(await start(tracked), 'no_prompts')
    expect(await viewOf<Summary>(tracked)).toMatchObject({ manual_scans_used: 0, can_scan: false })
  })

  it('that were all removed are nothing to ask either', async () => {
    const tracked = await trackedProject(access, [], { competitors: ['rival.example'] })
    await rowsIn(
      access,
      sql`update projects set business_description = '', topics = '', content_pillars = '{}' where id = ${tracked.id}::int`,
    )
    expect((await viewOf<Summary>(tracked)).can_scan).toBe(true)
    await scan(tracked)
    const { prompts } = await viewOf<{ prompts: { prompt: string }[] }>(tracked, 'prompts')
    expect(prompts).toHaveLength(1)
    const body = { project_id: tracked.id, prompt: prompts[0]?.prompt }
    await tracked.api.call('DELETE', '/ai-visibility/prompts', { body })
    expect((await viewOf<Summary>(tracked)).can_scan).toBe(false)
    expectError(await start(tracked), 'no_prompts')
  })

  it('are filled up with those that are new: of the competitors named later, too', async () => {
    const tracked = await trackedProject(access, [], { competitors: [] })
    const set = (columns: SQL) => rowsIn(access, sql`update projects set ${columns} where id = ${tracked.id}::int`)
    await set(sql`business_description = '', topics = 'sheds', content_pillars = '{}'`)
    await scan(tracked)
    const asked = async () =>
      (await viewOf<{ prompts: { prompt: string }[] }>(tracked, 'prompts', '&per_page=50')).prompts
    const before = await asked()
    expect(before.length).toBeLessThan(6)
    await set(sql`topics = E'sheds\\nlog cabins', competitor_websites = '{rival.example}'`)
    await scan(tracked)
    const prompts = await asked()
    expect(prompts).toHaveLength(before.length * 2 + 1)
    expect(prompts.at(-1)?.prompt).toContain('alternatives to rival.example')
  })
})

it('every week a project is scanned by itself, once, and no manual scan is counted', async () => {
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
  const tracked = await trackedProject(access, PROMPTS)
  const first = await scan(tracked, { samples: 5 })
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
