import { describe, expect, it } from 'vitest'
import { marketOf } from '../../../../src/insights/keywords/market.ts'
import { LANGUAGES } from '../../../../src/platform/lib/languages.ts'
import type { Outbound } from '../../../../src/platform/runtime/outbound.ts'
import { callDataForSeo, placeFor } from '../../../../src/providers/data/dataforseo/api.ts'
import { dataForSeo, relatedRows, suggestionRows } from '../../../../src/providers/data/dataforseo/index.ts'

const ACCOUNT = { baseUrl: 'https://dataforseo.example/v3', login: 'me@shop.example', password: 'p:ä' }
const NOW = new Date('2026-11-22T08:00:00Z')
const US = { country: 'US', language: 'en' }

type Sent = { url: string; headers: Record<string, string>; body: unknown; timeoutMs: number }

/** Returns a provider that answers these bodies in turn. */
const answering = (...answers: { status?: number; body: unknown }[]) => {
  const sent: Sent[] = []
  const outbound: Outbound = async ({ url, headers = {}, body, timeoutMs }) => {
    sent.push({ url, headers, body: body === undefined ? undefined : JSON.parse(String(body)), timeoutMs })
    const { status = 200, body: given } = answers[Math.min(sent.length, answers.length) - 1] ?? { body: '' }
    const text = typeof given === 'string' ? given : JSON.stringify(given)
    return {
      kind: 'answered',
      status,
      headers: new Headers(),
      body: text,
      bytes: new Uint8Array(0),
      truncated: false,
      incomplete: false,
    }
  }
  return { sent, deps: { outbound, now: () => NOW } }
}

const task = (code: number, result: unknown[] | null = null, message = 'A message.') => ({
  version: '0.1.20261101',
  status_code: 20000,
  status_message: 'Ok.',
  time: '0.12 sec.',
  cost: 0.0103,
  tasks_count: 1,
  // Unreliable: the provider has 0 here even if the task failed.
  tasks_error: 0,
  tasks: [
    {
      id: '11220800-1535-0400-0000-0a1b2c3d4e5f',
      status_code: code,
      status_message: message,
      time: '0.1 sec.',
      cost: 0.0103,
      result_count: 1,
      path: ['v3', 'dataforseo_labs', 'google', 'keyword_suggestions', 'live'],
      data: { api: 'dataforseo_labs', function: 'keyword_suggestions', se: 'google', keyword: 'garden sheds' },
      result,
    },
  ],
})

const outer = (code: number, message: string) => ({
  version: '0.1.20261101',
  status_code: code,
  status_message: message,
  time: '0 sec.',
  cost: 0,
  tasks_count: 0,
  tasks_error: 0,
  tasks: null,
})

/** Returns one keyword as Labs describes it. */
const data = (keyword: string, changes: Record<string, unknown> = {}) => ({
  se_type: 'google',
  keyword,
  location_code: 2840,
  language_code: 'en',
  keyword_info: {
    se_type: 'google',
    last_updated_time: '2026-11-15 12:57:46 +00:00',
    competition: 1,
    competition_level: 'HIGH',
    cpc: 1.58,
    search_volume: 49500,
    low_top_of_page_bid: 0.49,
    high_top_of_page_bid: 3.1,
    categories: [10013, 11476],
    monthly_searches: [{ year: 2026, month: 10, search_volume: 40500 }],
    search_volume_trend: { monthly: -18, quarterly: -33, yearly: 0 },
  },
  clickstream_keyword_info: null,
  keyword_properties: {
    se_type: 'google',
    core_keyword: null,
    synonym_clustering_algorithm: 'text_processing',
    keyword_difficulty: 42,
    detected_language: 'en',
    is_another_language: false,
    words_count: 2,
  },
  serp_info: null,
  avg_backlinks_info: null,
  search_intent_info: { se_type: 'google', main_intent: 'transactional', foreign_intent: ['commercial'] },
  ...changes,
})

const suggestions = (items: unknown[] | null, seed: unknown = null) =>
  task(20000, [
    {
      se_type: 'google',
      seed_keyword: 'garden sheds',
      seed_keyword_data: seed,
      location_code: 2840,
      language_code: 'en',
      total_count: items?.length ?? 0,
      items_count: items?.length ?? 0,
      offset: 0,
      offset_token: 'eyJD',
      items,
    },
  ])

describe('a call', () => {
  it('is a POST of one task in a list, with login and password in UTF-8', async () => {
    const { sent, deps } = answering({ body: suggestions([data('a'), data('b')], data('garden sheds')) })
    await dataForSeo(deps, ACCOUNT).search(US, 'garden sheds', 3)
    expect(sent).toEqual([
      {
        url: 'https://dataforseo.example/v3/dataforseo_labs/google/keyword_suggestions/live',
        headers: expect.objectContaining({
          Authorization: `Basic ${Buffer.from('me@shop.example:p:ä').toString('base64')}`,
          'Content-Type': 'application/json',
        }),
        body: [
          {
            keyword: 'garden sheds',
            location_code: 2840,
            language_code: 'en',
            include_seed_keyword: true,
            order_by: ['keyword_info.search_volume,desc'],
            limit: 3,
          },
        ],
        timeoutMs: 25_000,
      },
    ])
  })

  const call = async (status: number, body: unknown) => {
    const { deps } = answering({ status, body })
    return await callDataForSeo(deps, ACCOUNT, { path: '/x', task: {}, until: NOW.getTime() + 5_000 })
  }

  it.each([
    [401, outer(40100, 'You are not Authorized to Access this Resource.'), 'auth', 40100],
    [402, outer(40200, 'Payment Required.'), 'billing', 40200],
    [200, outer(40202, 'Rate limit.'), 'rate_limited', 40202],
    [200, task(40101), 'transient', 40101],
    [200, task(40103), 'transient', 40103],
    [200, outer(40104, 'Please verify your account before using the API.'), 'auth', 40104],
    [200, task(40201), 'permanent', 40201],
    [200, task(40203), 'billing', 40203],
    [200, task(40204), 'billing', 40204],
    [200, task(40205), 'permanent', 40205],
    [200, task(40207), 'auth', 40207],
    [200, outer(40209, 'Simultaneous requests.'), 'rate_limited', 40209],
    [200, task(40210), 'billing', 40210],
    [200, task(40401), 'permanent', 40401],
    [404, outer(40402, 'Invalid Path.'), 'permanent', 40402],
    [200, task(40501, null, "Invalid Field: 'keyword'."), 'invalid_input', 40501],
    [200, task(40506), 'invalid_input', 40506],
    [200, outer(40000, 'You can set only one task at a time.'), 'invalid_input', 40000],
    [200, task(40601), 'transient', 40601],
    [500, outer(50000, 'Internal Error.'), 'transient', 50000],
    [200, task(50100), 'permanent', 50100],
    [200, task(50301), 'transient', 50301],
    [200, task(50401), 'transient', 50401],
  ])('answered HTTP %i with %j is %s', async (status, body, code, said) => {
    expect(await call(status, body)).toMatchObject({
      kind: 'failed',
      code,
      status: said,
      reason: expect.stringContaining(String(said)),
    })
  })

  it.each([
    [401, 'Unauthorized', 'auth'],
    [402, '', 'billing'],
    [404, '<html>', 'permanent'],
    [502, '<html>Bad gateway</html>', 'transient'],
    [200, '', 'transient'],
    [200, '[]', 'transient'],
    [200, { status_code: 20000, tasks: [] }, 'transient'],
  ])('answered HTTP %i with %j, which is not its envelope, is %s', async (status, body, code) => {
    expect(await call(status, body)).toMatchObject({ kind: 'failed', code })
  })

  it('says how long to wait after the limit of calls, and nothing of it is found where there is nothing to find', async () => {
    expect(await call(200, outer(40202, 'x'))).toMatchObject({ retryAfterS: 60 })
    expect(await call(200, task(40102))).toEqual({ kind: 'got', result: [], costUsd: 0.0103 })
  })

  it('passes on their words in one clean line', async () => {
    const answer = await call(200, task(50000, null, `Internal\n\u0000 error ${'x'.repeat(500)}`))
    expect(answer).toMatchObject({
      reason: expect.stringMatching(/^DataForSEO answered 50000: Internal \uFFFD error x+$/),
    })
    expect((answer as { reason: string }).reason.length).toBeLessThan(240)
  })
})

describe('rows', () => {
  const [item] = [data('Garden  Sheds')]

  it('hold volume, difficulty and intent', () =>
    expect(suggestionRows([{ items: [item] }])).toEqual([
      { keyword: 'Garden Sheds', searchVolume: 49500, difficulty: 42, intent: 'transactional' },
    ]))

  it.each([
    ['null metrics', { keyword_info: { search_volume: null }, keyword_properties: { keyword_difficulty: null } }],
    ['null parts', { keyword_info: null, keyword_properties: null, search_intent_info: null }],
    ['missing parts', { keyword_info: undefined, keyword_properties: undefined, search_intent_info: undefined }],
    ['numbers as text', { keyword_info: { search_volume: '10' }, keyword_properties: { keyword_difficulty: 'hard' } }],
    ['numbers below zero', { keyword_info: { search_volume: -1 }, keyword_properties: { keyword_difficulty: -5 } }],
  ])('with %s say null', (_, changes) =>
    expect(suggestionRows([{ items: [data('x', { search_intent_info: null, ...changes })] }])).toEqual([
      { keyword: 'x', searchVolume: null, difficulty: null, intent: null },
    ]),
  )

  it('are whole numbers, and a difficulty of at most 100', () =>
    expect(
      suggestionRows([
        {
          items: [
            data('x', { keyword_info: { search_volume: 12.6 }, keyword_properties: { keyword_difficulty: 100.4 } }),
          ],
        },
      ]),
    ).toMatchObject([{ searchVolume: 13, difficulty: 100 }]))

  it('leave out what is no keyword or in another language, and an intent nobody knows', () => {
    const items = [null, 7, {}, data(''), data('sprache', { keyword_properties: { is_another_language: true } })]
    expect(suggestionRows([{ items }])).toEqual([])
    expect(suggestionRows([{ items: [data('x', { search_intent_info: { main_intent: 'branded' } })] }])).toMatchObject([
      { keyword: 'x', intent: null },
    ])
  })

  it.each([[[]], [[null]], [[{}]], [[{ items: null }]], [['text']]])('of %j are none', (result) => {
    expect(suggestionRows(result)).toEqual([])
    expect(relatedRows(result)).toEqual([])
  })

  it('of related keywords are theirs', () =>
    expect(
      relatedRows([{ items: [{ keyword_data: data('y'), depth: 1, related_keywords: null }, { depth: 1 }] }]),
    ).toMatchObject([{ keyword: 'y' }]))
})

describe('a search', () => {
  it('puts the seed first, each keyword once, and requests related ones if few contain it', async () => {
    const { sent, deps } = answering(
      { body: suggestions([data('cheap garden sheds'), data('Garden Sheds')], data('garden sheds')) },
      {
        body: task(20000, [
          {
            items: [
              { keyword_data: data('wooden huts', { keyword_info: { search_volume: 10 } }) },
              { keyword_data: data('log cabins') },
              { keyword_data: data('cheap garden sheds') },
            ],
          },
        ]),
      },
    )
    const found = await dataForSeo(deps, ACCOUNT).search(US, 'garden sheds', 20)
    expect(found).toMatchObject({ kind: 'found', country: 'US', costUsd: 0.0206 })
    expect((found as { rows: { keyword: string }[] }).rows.map(({ keyword }) => keyword)).toEqual([
      'garden sheds',
      'cheap garden sheds',
      'log cabins',
      'wooden huts',
    ])
    expect(sent.map(({ url }) => url.split('/').at(-2))).toEqual(['keyword_suggestions', 'related_keywords'])
    expect(sent[1]?.body).toEqual([
      {
        keyword: 'garden sheds',
        location_code: 2840,
        language_code: 'en',
        depth: 2,
        include_seed_keyword: true,
        limit: 20,
      },
    ])
  })

  it('continues without related keywords if they are not available', async () => {
    const { deps } = answering({ body: suggestions([], null) }, { body: task(40501) })
    expect(await dataForSeo(deps, ACCOUNT).search(US, 'garden sheds', 20)).toMatchObject({
      kind: 'found',
      rows: [{ keyword: 'garden sheds', searchVolume: null, difficulty: null }],
    })
  })

  it('tries a temporary failure once more, and no other', async () => {
    const passing = answering({ body: task(40101) }, { body: suggestions([data('a'), data('b')]) })
    expect(await dataForSeo(passing.deps, ACCOUNT).search(US, 'x', 3)).toMatchObject({ kind: 'found' })
    const lasting = answering({ status: 402, body: outer(40200, 'Payment Required.') })
    expect(await dataForSeo(lasting.deps, ACCOUNT).search(US, 'x', 3)).toMatchObject({ code: 'billing' })
    expect([passing.sent.length, lasting.sent.length]).toEqual([2, 1])
  })

  it('gives up in time', async () => {
    let now = NOW.getTime()
    const outbound: Outbound = async ({ timeoutMs }) => {
      now += timeoutMs
      return { kind: 'no_answer', reason: 'timeout' }
    }
    const answer = await dataForSeo({ outbound, now: () => new Date(now) }, ACCOUNT).search(US, 'x', 3)
    expect(answer).toMatchObject({ kind: 'failed', code: 'transient' })
    expect(now - NOW.getTime()).toBe(25_000)
  })

  it('asks every country for a language there is no list of', async () => {
    const { sent, deps } = answering({ body: suggestions([]) })
    expect(await dataForSeo(deps, ACCOUNT).search({ country: 'IR', language: 'fa' }, 'x', 3)).toMatchObject({
      country: null,
    })
    expect(sent).toHaveLength(1)
    expect(sent[0]?.body).toEqual([expect.not.objectContaining({ location_code: expect.anything() })])
  })
})

it('measures given keywords, and makes no call if there are none', async () => {
  const { sent, deps } = answering({ body: task(20000, [{ items: [data('a')], items_count: 1 }]) })
  const provider = dataForSeo(deps, ACCOUNT)
  expect(await provider.measure(US, ['a', 'b'])).toMatchObject({ kind: 'found', rows: [{ keyword: 'a' }] })
  expect(sent[0]).toMatchObject({
    url: expect.stringContaining('keyword_overview'),
    body: [{ keywords: ['a', 'b'], location_code: 2840, language_code: 'en' }],
  })
  expect(await provider.measure(US, [])).toMatchObject({ kind: 'found', rows: [] })
  expect(sent).toHaveLength(1)
})

it.each([
  [{ money: { total: 100, balance: 12.5 } }, { kind: 'accepted' }],
  [{ money: { total: 100, balance: 0 } }, { kind: 'accepted', note: expect.stringContaining('balance') }],
  [{}, { kind: 'accepted' }],
])('a probe whose account says %j', async (account, said) => {
  const { sent, deps } = answering({ body: task(20000, [account]) })
  expect(await dataForSeo(deps, ACCOUNT).probe()).toEqual(said)
  expect(sent[0]).toMatchObject({ url: 'https://dataforseo.example/v3/appendix/user_data', body: undefined })
})

describe('the table of places', () => {
  it.each(LANGUAGES.map((label) => [label]))('has a country for %s', (label) => {
    const market = marketOf(label, 'Worldwide')
    const place = placeFor(market)
    if (['Catalan', 'Persian'].includes(label)) expect(place).toBeUndefined()
    else if (label === 'Russian') expect(place).toMatchObject({ country: 'UA', location: 2804 })
    else expect(place?.country).toBe(market.country)
  })

  it.each([
    ['English (US)', 'United States', 'US'],
    ['English (US)', 'usa', 'US'],
    ['English (UK)', 'England', 'GB'],
    ['English', 'the Netherlands', 'NL'],
    ['German', 'Deutschland', 'DE'],
    ['German', 'Österreich', 'AT'],
    ['French', 'Suisse', 'CH'],
    ['Spanish', 'México', 'MX'],
    ['English (US)', 'Austin, Texas, United States', 'US'],
    ['English (US)', 'Côte d’Ivoire', 'CI'],
    ['English (US)', 'gb', 'GB'],
    ['Japanese', '日本', 'JP'],
    ['Dutch', 'Worldwide', 'NL'],
    ['Portuguese (BR)', 'Global', 'BR'],
  ])('%s in %s is %s', (language, region, country) =>
    expect(marketOf(language, region)).toMatchObject({ country, isKnown: true }),
  )

  it('says if a region is no country', () =>
    expect(marketOf('Dutch', 'the moon')).toEqual({ country: 'NL', language: 'nl', isKnown: false }))

  it('finds another country if the requested one lacks the language', () => {
    expect(placeFor({ country: 'NL', language: 'en' })).toMatchObject({ country: 'US', location: 2840 })
    expect(placeFor({ country: 'CH', language: 'it' })).toMatchObject({ country: 'CH', location: 2756 })
    expect(placeFor({ country: 'FR', language: 'pt' })).toMatchObject({ country: 'BR', location: 2076 })
  })
})
