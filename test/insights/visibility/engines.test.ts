import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type StandInDataForSeo, startDataForSeo } from '../../../local/dataforseo/server.ts'
import { DEFAULT_MODELS } from '../../../schema/values/models.ts'
import { ENGINES, type Engine, type OfferedModel } from '../../../schema/values/visibility.ts'
import { createOutbound } from '../../../src/platform/runtime/outbound.ts'
import { dataForSeoEngines } from '../../../src/providers/data/dataforseo/engines.ts'
import { modelAnswerOf, overviewAnswerOf } from '../../../src/providers/data/dataforseo/engines-transform.ts'

let standIn: StandInDataForSeo
beforeAll(async () => {
  standIn = await startDataForSeo()
})
afterAll(() => standIn.close())

const engines = (password = 'sandbox-password') =>
  dataForSeoEngines(
    {
      outbound: createOutbound({
        allowLoopback: true,
        dnsQueryUrl: '',
        userAgent: 'Galley/test',
        log: () => {},
        now: () => new Date(),
      }),
      now: () => new Date(),
    },
    { baseUrl: `${standIn.url}/v3`, login: 'l', password },
    { models: DEFAULT_MODELS, isSandbox: true },
  )

/** Headers of a request that the stand-in takes. */
const HEADERS = {
  authorization: `Basic ${btoa('l:sandbox-password')}`,
  'content-type': 'application/json',
  'user-agent': 'Galley/test',
}

/** The models of the settings, as the stand-in lists them. */
const MODELS: Partial<Record<Engine, OfferedModel>> = {
  chatgpt: { name: DEFAULT_MODELS.chatgpt, reasons: true, searches: true, queued: true },
  perplexity: { name: DEFAULT_MODELS.perplexity, reasons: false, searches: true, queued: false },
  gemini: { name: DEFAULT_MODELS.gemini, reasons: false, searches: true, queued: true },
}

const ask = (engine: Engine, prompt: string, password?: string, model = MODELS[engine]) =>
  engines(password).ask({ engine, prompt, country: 'DE', language: 'de', tag: 'acme.example rival.example', model })

it.each(ENGINES)('%s is asked as its endpoint wants it, and answers with words, pages and a cost', async (engine) => {
  standIn.reset()
  const answer = await ask(engine, 'Ist 100 % C++ besser als ein Schuppen?')
  expect(answer).toMatchObject({ kind: 'answered', surface: engine.startsWith('google') ? 'serp' : 'api' })
  if (answer.kind !== 'answered') throw new Error('no answer')
  expect(answer.text).toContain('100 % C++')
  expect(answer.costUsd).toBeGreaterThan(0)
  expect(answer.citations.every(({ url }) => URL.canParse(url) && !url.includes('vertexaisearch'))).toBe(true)
  const [{ path, task } = { path: '', task: {} }] = standIn.asked
  if (engine.startsWith('google'))
    expect(task).toMatchObject({
      keyword: 'Ist 100 %25 C%2B%2B besser als ein Schuppen?',
      location_code: 2276,
      language_code: 'de',
    })
  else expect(task).toMatchObject({ user_prompt: 'Ist 100 % C++ besser als ein Schuppen?' })
  expect(path).toBe(
    {
      chatgpt: '/v3/ai_optimization/chat_gpt/llm_responses/live',
      perplexity: '/v3/ai_optimization/perplexity/llm_responses/live',
      gemini: '/v3/ai_optimization/gemini/llm_responses/live',
      google_ai_overview: '/v3/serp/google/organic/live/advanced',
      google_ai_mode: '/v3/serp/google/ai_mode/live/advanced',
    }[engine],
  )
})

it.each([
  [40101, 'provider_unavailable', true, false],
  [40103, 'provider_unavailable', true, false],
  [40200, 'provider_unpaid', false, true],
  [40202, 'provider_rate_limited', true, false],
  [40203, 'provider_unpaid', false, true],
  [40204, 'provider_unpaid', false, true],
  [40207, 'provider_refused', false, true],
  [40209, 'provider_rate_limited', true, false],
  [40210, 'provider_unpaid', false, true],
  [40501, 'prompt_refused', false, false],
  [50000, 'provider_unavailable', true, false],
  [50301, 'provider_unavailable', true, false],
] as const)('code %s is the failure %s', async (code, reason, again, forAll) => {
  for (const engine of ENGINES)
    expect(await ask(engine, `err:${code} sheds`)).toMatchObject({ kind: 'failed', reason, again, forAll })
})

describe('a model', () => {
  it('is listed with its parameters; Google’s pages have none', async () => {
    const { offered, configured } = engines()
    expect(ENGINES.map(configured)).toEqual([...Object.values(DEFAULT_MODELS), undefined, undefined])
    expect(await offered('chatgpt')).toMatchObject({
      kind: 'offered',
      models: expect.arrayContaining([
        MODELS.chatgpt,
        { name: 'gpt-4.1-2025-04-14', reasons: false, searches: true, queued: true },
      ]),
    })
    expect(await engines('wrong').offered('gemini')).toMatchObject({ kind: 'failed' })
  })

  it.each<[string, Engine, OfferedModel, object]>([
    [
      'that reasons',
      'chatgpt',
      { name: 'gpt-6-luna', reasons: true, searches: true, queued: true },
      { web_search: true, max_output_tokens: 4_096 },
    ],
    [
      'that does not',
      'chatgpt',
      { name: 'gpt-4.1', reasons: false, searches: true, queued: true },
      { web_search: true, force_web_search: true, max_output_tokens: 2_048 },
    ],
    ['that does not search', 'chatgpt', { name: 'o3-mini', reasons: true, searches: false, queued: true }, {}],
    [
      'of Gemini',
      'gemini',
      { name: 'gemini-3.5-pro', reasons: true, searches: true, queued: true },
      { web_search: true },
    ],
  ])('%s gets its parameters', async (_, engine, model, flags) => {
    standIn.reset()
    expect(await ask(engine, 'Which sheds last?', undefined, model)).toMatchObject({
      kind: 'answered',
      location: 'web_search' in flags && engine === 'chatgpt' ? 'DE' : null,
    })
    const { task = {} } = standIn.asked[0] ?? {}
    expect(task).toMatchObject({ model_name: model.name, ...flags })
    for (const flag of ['web_search', 'force_web_search']) expect(flag in task).toBe(flag in flags)
  })

  it('that is refused, or a wrong flag, does not depend on the prompt, and ends the requests', async () => {
    const ended = { name: 'gpt-4', reasons: false, searches: true, queued: true }
    const wronglyForced = { name: 'gpt-6-luna', reasons: false, searches: true, queued: true }
    for (const model of [ended, wronglyForced])
      expect(await ask('chatgpt', 'Which sheds last?', undefined, model)).toMatchObject({
        kind: 'failed',
        reason: 'provider_refused',
        again: false,
        forAll: true,
      })
  })

  it('is refused as the provider refuses it: the request of earlier versions', async () => {
    const earlier = {
      user_prompt: 'Which sheds last?',
      model_name: 'gpt-6-luna',
      max_output_tokens: 2_048,
      web_search: true,
      force_web_search: true,
      web_search_country_iso_code: 'DE',
      tag: 'acme.example',
    }
    const answer = await fetch(`${standIn.url}/v3/ai_optimization/chat_gpt/llm_responses/live`, {
      method: 'POST',
      headers: HEADERS,
      body: JSON.stringify([earlier]),
    })
    const { tasks } = (await answer.json()) as { tasks: { status_code: number; status_message: string }[] }
    expect(tasks).toMatchObject([{ status_code: 40_501, status_message: "Invalid Field: 'force_web_search'." }])
  })
})

describe('a question that is handed over as a task', () => {
  const questionOf = (prompt: string, tag: string, engine: Engine = 'gemini') => ({
    engine,
    prompt,
    country: 'DE',
    language: 'de',
    tag,
    model: MODELS[engine],
  })
  afterEach(() => {
    standIn.tasksTake(0)
    standIn.faults.set([])
  })

  it('is fetched by its id, or found by its tag, whenever it is ready', async () => {
    standIn.tasksTake(400)
    const question = questionOf('Which sheds last?', 'one acme.example')
    const posted = await engines().post([question, questionOf('err:40501 x', 'two acme.example')])
    expect(posted).toMatchObject({
      kind: 'posted',
      tasks: [{ kind: 'taken' }, { kind: 'failed', reason: 'prompt_refused', forAll: false }],
    })
    const [task] = posted.kind === 'posted' ? posted.tasks : []
    const id = task?.kind === 'taken' ? task.id : ''
    expect(await engines().collect(question, id)).toEqual({ kind: 'waiting' })
    expect(await engines().ready('gemini')).toEqual([])
    await expect.poll(() => engines().ready('gemini')).toEqual([{ id, tag: 'one acme.example' }])
    const answer = await engines().collect(question, id)
    expect(answer).toMatchObject({ kind: 'answered', model: DEFAULT_MODELS.gemini })
    expect(answer.kind === 'answered' && answer.costUsd).toBeGreaterThan(0)
  })

  it.each<[Engine, string]>([
    ['google_ai_overview', 'organic'],
    ['google_ai_mode', 'ai_mode'],
  ])('of %s is charged when it is handed over, less than a live one', async (engine, path) => {
    standIn.reset()
    const question = questionOf('Which sheds last?', `page-${engine} acme.example`, engine)
    expect(engines().queuesCheaper(engine)).toBe(true)
    const posted = await engines().post([question])
    expect(posted).toMatchObject({ kind: 'posted', tasks: [{ kind: 'taken', costUsd: 0.0012 }] })
    expect(standIn.asked.map((one) => one.path)).toEqual([`/v3/serp/google/${path}/task_post`])
    await expect.poll(() => engines().ready(engine)).toMatchObject([{ tag: question.tag }])
    const [{ id } = { id: '' }] = await engines().ready(engine)
    const [answer, live] = [await engines().collect(question, id), await engines().ask(question)]
    expect(answer).toMatchObject({ surface: 'serp', location: 'DE', costUsd: 0 })
    expect(live).toMatchObject({ surface: 'serp', location: 'DE' })
    expect((live as { costUsd: number }).costUsd).toBeGreaterThan(0.0012)
  })

  it('fails as others do; while the provider does not answer it waits', async () => {
    const question = questionOf('always:40103 sheds', 'three acme.example', 'chatgpt')
    expect(await engines().post([questionOf('err:40200 x', 'a')])).toMatchObject({
      reason: 'provider_unpaid',
      forAll: true,
    })
    const posted = await engines().post([question])
    const id = posted.kind === 'posted' && posted.tasks[0]?.kind === 'taken' ? posted.tasks[0].id : ''
    expect(await engines().collect(question, id)).toMatchObject({ reason: 'provider_unavailable', again: true })
    expect(await engines().collect(question, 'nobody-knows-it')).toMatchObject({ kind: 'failed', again: false })
    standIn.faults.set([
      { path: 'task_get', status: 502, answer: '<html>' },
      { path: 'task_post', drop: 'after' },
    ])
    expect(await engines().collect(question, id)).toEqual({ kind: 'waiting' })
    expect(await engines().post([question])).toEqual({ kind: 'unknown' })
  })
})

describe('the stand-in', () => {
  const asked = async (task: object, call = 'chat_gpt/llm_responses/live'): Promise<string> => {
    const answer = await fetch(`${standIn.url}/v3/ai_optimization/${call}`, {
      method: 'POST',
      headers: HEADERS,
      body: JSON.stringify([task]),
    })
    const { tasks } = (await answer.json()) as { tasks: { status_code: number; status_message: string }[] }
    return tasks.map(({ status_code: code, status_message: message }) => `${code} ${message}`).join()
  }

  it.each<[object, string]>([
    [{ postback_url: 'https://a.example' }, "40506 Unknown Fields in POST Data: 'postback_url'."],
    [{ web_search: 'true' }, "40501 Invalid Field: 'web_search'."],
    [{ max_output_tokens: 512 }, "40501 Invalid Field: 'max_output_tokens'."],
    [{ tag: 'a'.repeat(256) }, "40501 Invalid Field: 'tag'."],
    [{ model_name: 'gpt-4' }, "40501 Invalid Field: 'model_name'."],
    [{}, '20000 Ok.'],
  ])('says of a task with %j what the provider’s schema says', async (more, said) => {
    expect(await asked({ user_prompt: 'Which sheds last?', model_name: 'gpt-6-luna', ...more })).toBe(said)
  })

  it('accepts task fields only for tasks, and has none for Perplexity', async () => {
    const task = { user_prompt: 'Which sheds last?', model_name: 'gpt-6-luna', postback_url: 'https://a.example' }
    expect(await asked(task, 'chat_gpt/llm_responses/task_post')).toBe('20100 Task Created.')
    const answer = fetch(`${standIn.url}/v3/ai_optimization/perplexity/llm_responses/task_post`, {
      method: 'POST',
      headers: HEADERS,
      body: '[]',
    })
    expect((await answer).status).toBe(404)
  })
})

describe('an engine', () => {
  it('waits longer for a live answer than the provider’s maximum', async () => {
    const waited: number[] = []
    const outbound = async ({ timeoutMs }: { timeoutMs: number }) => {
      waited.push(timeoutMs)
      return { kind: 'no_answer' as const, reason: 'timeout' as const }
    }
    const { ask } = dataForSeoEngines(
      { outbound, now: () => new Date() },
      { baseUrl: 'https://a.example/v3', login: 'l', password: 'p' },
      { models: DEFAULT_MODELS, isSandbox: true },
    )
    await ask({
      engine: 'perplexity',
      prompt: 'Which?',
      country: 'DE',
      language: 'de',
      tag: 'a',
      model: MODELS.perplexity,
    })
    expect(waited[0]).toBeGreaterThan(120_000)
  })

  it('with a live answer that may have been charged is not sent again', async () => {
    for (const rule of [{ drop: 'after' as const }, { status: 504, answer: '<html>' }]) {
      standIn.faults.set([{ path: 'perplexity', ...rule }])
      expect(await ask('perplexity', 'Which sheds last?')).toMatchObject({
        kind: 'failed',
        reason: 'provider_unavailable',
        again: false,
      })
    }
    standIn.faults.set([])
  })

  it('accepts thirty simultaneous live requests of an account, and refuses the next', async () => {
    standIn.faults.set([{ path: 'perplexity', hold: true }])
    let ended = 0
    const asked = Array.from({ length: 32 }, () => ask('perplexity', 'Which sheds last?').finally(() => (ended += 1)))
    await expect.poll(() => ended, { timeout: 10_000 }).toBe(2)
    standIn.faults.set([])
    const answers = await Promise.all(asked)
    expect(answers.filter(({ kind }) => kind === 'answered')).toHaveLength(30)
    expect(answers.filter(({ kind }) => kind === 'failed')).toMatchObject([
      { reason: 'provider_rate_limited' },
      { reason: 'provider_rate_limited' },
    ])
  })

  it('that shows no answer is asked without success, which costs', async () => {
    expect(await ask('google_ai_overview', 'err:40102 sheds')).toMatchObject({ kind: 'none', surface: 'serp' })
  })

  it('that refuses our key fails for every question', async () => {
    expect(await ask('chatgpt', 'sheds', 'wrong')).toMatchObject({
      kind: 'failed',
      reason: 'provider_refused',
      forAll: true,
    })
  })

  it('that fails may cost all the same', async () => {
    expect(await ask('chatgpt', 'err:40101 sheds')).toMatchObject({ kind: 'failed', costUsd: 0.01 })
    expect(await ask('chatgpt', 'err:40501 sheds')).toMatchObject({ kind: 'failed', costUsd: 0 })
  })

  it('that is limited says how long to wait', async () => {
    expect(await ask('gemini', 'err:40202 sheds')).toMatchObject({ retryAfterS: 60 })
  })
})

describe('an answer of a model', () => {
  const item = (sections: unknown) => [
    {
      model_name: 'm',
      items: [
        { type: 'reasoning', sections: null },
        { type: 'message', sections },
      ],
    },
  ]

  it('has its words and pages, the page’s own address before a redirect', () => {
    const annotations = [
      { title: 'A', url: 'https://vertexaisearch.cloud.google.com/x', direct_url: 'https://a.example/1' },
      { title: null, url: 'https://b.example/2' },
      { title: 'no address', url: null },
      'odd',
    ]
    expect(
      modelAnswerOf(
        item([
          { type: 'text', text: 'One.', annotations },
          { type: 'text', text: 'Two.', annotations: null },
        ]),
      ),
    ).toEqual({
      model: 'm',
      text: 'One.\nTwo.',
      citations: [
        { url: 'https://a.example/1', title: 'A' },
        { url: 'https://b.example/2', title: '' },
      ],
    })
  })

  it('without pages cites none; without words is none; with another shape is not understood', () => {
    expect(modelAnswerOf(item([{ type: 'text', text: 'One.', annotations: [] }]))).toMatchObject({ citations: [] })
    expect(modelAnswerOf(item(null))).toMatchObject({ text: '' })
    expect(modelAnswerOf([{ model_name: 'm', items: [] }])).toMatchObject({ text: '' })
    for (const odd of [[], [null], [{}], [{ items: 'x' }], ['x']]) expect(modelAnswerOf(odd)).toBeUndefined()
  })
})

describe('a page of search results', () => {
  const overview = (more: object) => [{ items: [{ type: 'organic' }, { type: 'ai_overview', ...more }] }]

  it('has the overview’s words, and the pages of the whole and of its parts', () => {
    const items = [{ text: 'Part', references: [{ url: 'https://b.example/', title: 'B' }] }]
    const references = [{ url: 'https://a.example/', title: 'A' }, { url: null }]
    expect(overviewAnswerOf(overview({ markdown: 'Whole', items, references }))).toEqual({
      model: null,
      text: 'Whole',
      citations: [
        { url: 'https://a.example/', title: 'A' },
        { url: 'https://b.example/', title: 'B' },
      ],
    })
    expect(overviewAnswerOf(overview({ markdown: null, items, references: null }))).toMatchObject({ text: 'Part' })
  })

  it('without an overview, or with one that was not loaded, shows no answer', () => {
    expect(overviewAnswerOf([{ items: [{ type: 'organic' }] }])).toMatchObject({ text: '' })
    expect(overviewAnswerOf([{ items: null }])).toMatchObject({ text: '' })
    expect(overviewAnswerOf(overview({ asynchronous_ai_overview: true, items: [], references: [] }))).toMatchObject({
      text: '',
    })
    expect(overviewAnswerOf([])).toMatchObject({ text: '' })
    for (const odd of [[null], ['x'], [{ items: 'x' }]]) expect(overviewAnswerOf(odd)).toBeUndefined()
  })
})
