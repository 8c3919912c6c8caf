import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type StandInDataForSeo, startDataForSeo } from '../../local/dataforseo/server.ts'
import { ENGINES, type Engine } from '../../schema/values/visibility.ts'
import { dataForSeoEngines } from '../../src/providers/dataforseo/engines.ts'
import { saidByModel, saidOnPage } from '../../src/providers/dataforseo/engines-transform.ts'
import { createOutbound } from '../../src/runtime/outbound.ts'

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
    { models: { chatgpt: 'gpt-4.1', perplexity: 'sonar', gemini: 'gemini-2.5-flash' }, isSandbox: true },
  )

const ask = (engine: Engine, prompt: string, password?: string) =>
  engines(password).ask({ engine, prompt, country: 'DE', language: 'de', tag: 'acme.example rival.example' })

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
  [40501, 'prompt_refused', false, false],
  [50000, 'provider_unavailable', true, false],
  [50301, 'provider_unavailable', true, false],
] as const)('code %s is the failure %s', async (code, reason, again, forAll) => {
  for (const engine of ENGINES)
    expect(await ask(engine, `err:${code} sheds`)).toMatchObject({ kind: 'failed', reason, again, forAll })
})

describe('an engine', () => {
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
      saidByModel(
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
    expect(saidByModel(item([{ type: 'text', text: 'One.', annotations: [] }]))).toMatchObject({ citations: [] })
    expect(saidByModel(item(null))).toMatchObject({ text: '' })
    expect(saidByModel([{ model_name: 'm', items: [] }])).toMatchObject({ text: '' })
    for (const odd of [[], [null], [{}], [{ items: 'x' }], ['x']]) expect(saidByModel(odd)).toBeUndefined()
  })
})

describe('a page of search results', () => {
  const overview = (more: object) => [{ items: [{ type: 'organic' }, { type: 'ai_overview', ...more }] }]

  it('has the overview’s words, and the pages of the whole and of its parts', () => {
    const items = [{ text: 'Part', references: [{ url: 'https://b.example/', title: 'B' }] }]
    const references = [{ url: 'https://a.example/', title: 'A' }, { url: null }]
    expect(saidOnPage(overview({ markdown: 'Whole', items, references }))).toEqual({
      model: null,
      text: 'Whole',
      citations: [
        { url: 'https://a.example/', title: 'A' },
        { url: 'https://b.example/', title: 'B' },
      ],
    })
    expect(saidOnPage(overview({ markdown: null, items, references: null }))).toMatchObject({ text: 'Part' })
  })

  it('without an overview, or with one that was not loaded, shows no answer', () => {
    expect(saidOnPage([{ items: [{ type: 'organic' }] }])).toMatchObject({ text: '' })
    expect(saidOnPage([{ items: null }])).toMatchObject({ text: '' })
    expect(saidOnPage(overview({ asynchronous_ai_overview: true, items: [], references: [] }))).toMatchObject({
      text: '',
    })
    expect(saidOnPage([])).toMatchObject({ text: '' })
    for (const odd of [[null], ['x'], [{ items: 'x' }]]) expect(saidOnPage(odd)).toBeUndefined()
  })
})
