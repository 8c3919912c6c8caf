import { type SQL, sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { ENGINES } from '../../../schema/values/visibility.ts'
import type { StackAccess } from '../../publishing/scene.ts'
import { rowsIn } from '../../support/client.ts'
import type { TestStack } from '../../support/stack.ts'
import {
  ALONE,
  anotherDay,
  expectRecounted,
  PROMPTS,
  type Summary,
  scan,
  storedAnswers,
  type Tracked,
  trackedProject,
  viewOf,
  withManyScans,
} from './scene.ts'

/** Tests scans whose engines have other models than before, are busy, or fail. */
export const scansOfEngines = (stack: TestStack, access: StackAccess): void => {
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

    it('is fixed for a scan; nothing is compared with a scan of another model', async () => {
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

      await anotherDay(access, tracked)
      const lists = () => stack.providers.dataForSeo.calls.filter((call) => call.endsWith('/models')).length
      const read = lists()
      const third = await scan(tracked)
      expect(lists()).toBe(read)
      expect([third.reason, chatgptOf(third)?.reason]).toEqual([undefined, undefined])
      expect(third.change).toMatch(/^(up|down|within_noise)$/)

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

    it('gets each prompt once, however late its answer, also if its reply was lost', async () => {
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
      await withManyScans(access, tracked)
      const summary = await scan(tracked, { samples: 5 })
      const raw = await expectRecounted(access, summary, tracked)
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
      await withManyScans(access, tracked)
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
      await expectRecounted(access, summary, tracked)
    })

    it('that are temporary are retried', async () => {
      const tracked = await trackedProject(access, [
        'half:40101 Which sheds last longest?',
        'half:40103 Who builds cabins?',
      ])
      await withManyScans(access, tracked)
      const summary = await scan(tracked, { samples: 3 })
      const raw = await expectRecounted(access, summary, tracked)
      const gaps = raw.filter(({ reason }) => reason === 'provider_unavailable')
      expect(gaps.length).toBeLessThan(raw.length / 3)
    })

    it('of our account are not retried; a scan without an answer has failed and does not count', async () => {
      const tracked = await trackedProject(
        access,
        ['always:40204 Which sheds last longest?', 'always:40204 Who builds?'],
        ALONE,
      )
      const before = stack.providers.dataForSeo.calls.length
      await withManyScans(access, tracked)
      const summary = await scan(tracked, { samples: 5 })
      expect(summary).toMatchObject({
        has_data: false,
        last_scan_error: 'provider_unpaid',
        manual_scans_used: 0,
        can_scan: true,
        visibility_score: 0,
        interval: null,
        engines: ENGINES.map((engine) => ({
          engine,
          state: 'no_data',
          reason: 'provider_unpaid',
          answers: 0,
          gaps: 10,
        })),
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
}
