import { sql } from 'drizzle-orm'
import { describe, expect, inject, it } from 'vitest'
import type { FaultRule } from '../../../local/faults.ts'
import type { Plan } from '../../../schema/values/accounts.ts'
import type { ProviderFailure } from '../../../src/accounts/provider-keys/port.ts'
import { askOnce, keptOf, type Question } from '../../../src/insights/keywords/ask-once.ts'
import type { KeywordsFound } from '../../../src/insights/keywords/market.ts'
import { systemFor } from '../../publishing/system.ts'
import { type Answer, type Api, newAccount, newProject, rowsIn } from '../../support/client.ts'
import { expectError } from '../../support/contract.ts'
import { ownFaults } from '../../support/faults.ts'
import { manyKeys, rowsOf } from '../../support/keys.ts'
import { sweepTable } from '../../support/sweep.ts'

const stack = inject('stack')
const faults = ownFaults(stack.dataForSeoUrl)

let n = 0
/** Returns a keyword that no test has searched for yet. */
const seed = (words = 'garden sheds'): string => {
  n += 1
  return `${words} ${process.pid}x${n}`
}

const account = async (plan: Plan = 'pro'): Promise<Api> => manyKeys(stack, await newAccount(stack, { plan }))
const search = (api: Api, keyword: string, more: Record<string, unknown> = {}) =>
  api.post('/keywords/search', { keyword, ...more })

type Asked = { path: string; task: Record<string, unknown> }

/** Returns the stand-in's calls for a keyword. */
const askedFor = async (keyword: string): Promise<Asked[]> => {
  const response = await fetch(`${stack.dataForSeoUrl}/_posts`)
  const asked = (await response.json()) as Asked[]
  return asked.filter(({ task }) => task.keyword === keyword)
}

const saveKey = (api: Api, provider: string, body: Record<string, unknown>) =>
  api.put(`/provider-keys/${provider}`, body)
const OWN = {
  dataforseo: { login: 'me@shop.example', password: 'sandbox-own-password' },
  ahrefs: { api_key: 'sandbox-own-key' },
}

describe('POST /keywords/search', () => {
  it('answers the keyword first, then 20 related, with volume and difficulty', async () => {
    const api = await account()
    const keyword = seed()
    const { status, body } = await search(api, `  ${keyword.toUpperCase()} `)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      source: 'service',
      count: 21,
      limit: 21,
      language: 'English (US)',
      region: 'Worldwide',
      country: 'US',
      cached: false,
      sandbox: true,
    })
    const rows = rowsOf(body, 'keywords')
    expect(rows[0]?.keyword).toBe(keyword)
    expect(new Set(rows.map((row) => row.keyword)).size).toBe(21)
    for (const row of rows) {
      expect(row.keyword).toContain(keyword)
      expect(row.search_volume).toBeGreaterThan(0)
      expect(row.keyword_difficulty).toBeLessThanOrEqual(100)
    }
  })

  it('returns the requested number, at most 50, and the limit it used', async () => {
    const api = await account()
    const one = await search(api, seed(), { limit: 1 })
    expect([rowsOf(one.body, 'keywords').length, one.body.limit]).toEqual([1, 1])
    for (const limit of [500, 2_147_483_648, 1e300])
      expect((await search(api, seed(), { limit })).body.limit, String(limit)).toBe(50)
    for (const limit of [0, -1, 1.5, '5'])
      expect((await search(api, seed(), { limit })).body.details).toMatchObject([{ field: 'limit' }])
    const long = await search(api, 'a b c d e f g h i j k')
    expect(long.body.details).toMatchObject([{ field: 'keyword', message: 'must have at most 10 words' }])
  })

  it('picks language and region by the project, and says if the numbers are for another country', async () => {
    const api = await account()
    const german = await newProject(api, { backlinks_network: false, language: 'German', keyword_region: 'Österreich' })
    const keyword = seed('Gartenhaus')
    const { body } = await search(api, keyword, { project_id: german })
    expect(body).toMatchObject({ language: 'German', region: 'Österreich', country: 'AT' })
    expect(body.note).toBeUndefined()
    const [asked] = await askedFor(keyword.toLowerCase())
    expect(asked?.task).toMatchObject({ location_code: 2040, language_code: 'de' })

    const elsewhere = await newProject(api, { language: 'English (UK)', keyword_region: 'Netherlands' })
    expect((await search(api, seed(), { project_id: elsewhere })).body).toMatchObject({
      country: 'US',
      note: expect.stringContaining('Netherlands'),
    })
    const persian = await newProject(api, { backlinks_network: false, language: 'Persian' })
    expect((await search(api, seed(), { project_id: persian })).body).toMatchObject({ country: null })
  })

  it('is 404 and 403 for projects that are not the account’s, without asking anybody', async () => {
    const api = await account()
    const other = await newProject(await account())
    const keyword = seed()
    expectError(await search(api, keyword, { project_id: 2_147_483_647 }), 'not_found')
    expectError(await search(api, keyword, { project_id: other }), 'forbidden')
    expect(await askedFor(keyword)).toEqual([])
  })

  it('is kept for seven days per keyword, region and language, for every account', async () => {
    const [api, other] = [await account(), await account()]
    const keyword = seed()
    const first = await search(api, keyword)
    const again = await search(other, keyword.toUpperCase(), { limit: 5 })
    expect(again.body).toMatchObject({ cached: true, count: 5 })
    expect(rowsOf(again.body, 'keywords')).toEqual(rowsOf(first.body, 'keywords').slice(0, 5))
    expect(await askedFor(keyword)).toHaveLength(1)
    const project = await newProject(api, { keyword_region: 'Canada' })
    expect((await search(api, keyword, { project_id: project })).body).toMatchObject({ cached: false, country: 'CA' })
    await rowsIn(stack, sql`update keyword_answers set expires_at = now() - interval '1 s' where keyword = ${keyword}`)
    expect((await search(api, keyword)).body.cached).toBe(false)
  })

  it('a larger limit is requested from the provider again, unless there were no more', async () => {
    const api = await account()
    const [keyword, short] = [seed(), seed()]
    await search(api, keyword, { limit: 3 })
    expect((await search(api, keyword, { limit: 4 })).body).toMatchObject({ cached: false, count: 4 })
    const all = await search(api, short, { limit: 50 })
    expect(all.body.count).toBeLessThan(50)
    expect((await search(api, short, { limit: 50 })).body).toMatchObject({ cached: true, count: all.body.count })
  })

  it('calls the provider once for ten simultaneous equal calls', { tags: ['services'] }, async () => {
    const apis = await Promise.all(Array.from({ length: 10 }, () => account()))
    const keyword = seed()
    await faults.set({ body: keyword, delay_ms: 600 })
    const answers = await Promise.all(apis.map((api) => search(api, keyword)))
    await faults.clear()
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    expect(new Set(answers.map(({ body }) => JSON.stringify(body.keywords))).size).toBe(1)
    expect(await askedFor(keyword)).toHaveLength(1)
  })

  it('a search whose call crashed can be made again', async () => {
    const api = await account()
    const keyword = seed()
    await rowsIn(
      stack,
      sql`insert into keyword_answers (provider, region, language, keyword, lease_until, expires_at)
        values ('dataforseo sandbox', 'worldwide', 'English (US)', ${keyword}, now() + interval '2 s', now() + interval '2 s')`,
    )
    expect((await search(api, keyword)).body).toMatchObject({ cached: false, count: 21 })
  })

  it('an answer that is refreshed after seven days is not deleted meanwhile', async () => {
    const api = await account()
    const keyword = seed()
    await search(api, keyword)
    await rowsIn(
      stack,
      sql`update keyword_answers set expires_at = now() - interval '1 minute' where keyword = ${keyword} returning id`,
    )
    await faults.set({ body: keyword, hold: true })
    const again = search(api, keyword)
    await expect.poll(async () => (await faults.used())[0]).toBeGreaterThan(0)
    await sweepTable(stack, 'keyword_answers')
    await faults.clear()
    expect((await again).body.cached).toBe(false)
    expect((await search(api, keyword)).body.cached).toBe(true)
  })

  it('leaves a search to a newer caller if its own lease has ended', async () => {
    const ctx = systemFor(stack, (await newAccount(stack)).accountId)
    const { db } = ctx
    const asking = { language: 'English (US)', region: 'worldwide', provider: 'dataforseo', accountId: null }
    const found = (count: number): KeywordsFound => ({
      kind: 'found',
      rows: Array.from({ length: count }, (_, i) => ({
        keyword: `shed ${i}`,
        searchVolume: 1,
        difficulty: 1,
        intent: null,
      })),
      country: 'US',
      costUsd: 0,
    })
    const failure: ProviderFailure = { kind: 'failed', code: 'transient', reason: 'Not now.' }
    const keptFor = async (question: Question) => (await keptOf(db, question, ctx.now())).rows[0]
    for (const late of [failure, found(21)]) {
      const question = { ...asking, keyword: seed() }
      const [begun, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      let next: Promise<unknown> | undefined
      await askOnce(ctx, question, { wanted: 21, payer: undefined }, async () => {
        const over = sql`update keyword_answers set lease_until = now() - interval '1 second' where keyword = ${question.keyword}`
        await rowsIn(stack, over)
        next = askOnce(ctx, question, { wanted: 50, payer: undefined }, async () => {
          begun.resolve()
          await ended.promise
          return found(50)
        })
        await begun.promise
        return late
      })
      expect((await keptFor(question))?.is_asked_now).toBe(true)
      ended.resolve()
      await next
      expect(await keptFor(question)).toMatchObject({ asked: 50, is_asked_now: false })
    }
  })

  it('returns null for numbers that no service measured, also for the keyword itself', async () => {
    const api = await account()
    const { body } = await search(api, seed('unmeasured'))
    expect(rowsOf(body, 'keywords')[0]).toMatchObject({ search_volume: null, keyword_difficulty: null, intent: null })
    const nothing = await search(api, `err:40102 ${seed()}`)
    expect(nothing.body).toMatchObject({ count: 1 })
    expect(rowsOf(nothing.body, 'keywords')[0]).toMatchObject({ search_volume: null, keyword_difficulty: null })
  })

  it('fills up a long question with keywords related to it', async () => {
    const api = await account()
    const { body } = await search(api, seed('how often to oil the wood of'))
    expect(Number(body.count)).toBeGreaterThan(4)
  })

  it.each([
    ['a failure inside', 'err:40101', undefined],
    ['the limit of calls', 'err:40202', '60'],
    ['an error of theirs', 'err:50000', undefined],
  ])('is 503 with Retry-After for %s, and nothing is kept', async (_, prefix, wait) => {
    const api = await account()
    const keyword = `${prefix} ${seed()}`
    const answer = await search(api, keyword)
    expectError(answer, 'provider_unavailable')
    expect(answer.headers.get('retry-after')).toBe(wait ?? '30')
    expect(answer.body.upstream).toMatchObject({ name: 'dataforseo', message: expect.stringContaining('DataForSEO') })
    const [kept] = await rowsIn<{ rows: unknown; lease_until: unknown }>(
      stack,
      sql`select rows, lease_until from keyword_answers where keyword = ${keyword}`,
    )
    expect(kept).toEqual({ rows: null, lease_until: null })
  })

  // clinicaltrialsgov-mcp-server#35, elmohq/elmo#472
  it.each([
    ['the service’s own credentials refused', 'err:40100'],
    ['the service’s own balance used up', 'err:40200'],
    ['what the provider does not offer', 'err:40401'],
  ])('is 503 that no repeat helps against for %s', async (_, prefix) => {
    const answer = await search(await account(), `${prefix} ${seed()}`)
    expectError(answer, 'provider_unavailable', false)
    expect(answer.body.message).toContain('operator')
    expect(answer.body.upstream).toMatchObject({ name: 'dataforseo', message: expect.stringContaining('DataForSEO') })
  })

  it('is 400 with the provider’s message for a caller’s error', async () => {
    const answer = await search(await account(), `err:40501 ${seed()}`)
    expectError(answer, 'invalid_input')
    expect(answer.body.error).toContain('DataForSEO')
  })

  it.each<[what: string, fault: FaultRule]>([
    ['closes the connection', { drop: 'before' }],
    ['answers with a page', { status: 502, answer: '<html>Bad gateway</html>' }],
    ['answers with something else', { status: 200, answer: { ok: true } }],
  ])('is 503 when the provider %s, and right with the next call', async (_, fault) => {
    const api = await account()
    const keyword = seed()
    await faults.set({ body: keyword, ...fault })
    const refused = await search(api, keyword)
    await faults.clear()
    expectError(refused, 'provider_unavailable')
    expect((await search(api, keyword)).status).toBe(200)
  })

  it('a temporary failure is tried once more', async () => {
    const api = await account()
    const keyword = seed()
    await faults.set({ body: keyword, drop: 'before', times: 1 })
    expect((await search(api, keyword)).status).toBe(200)
    await faults.clear()
  })

  it('has its other name', async () => {
    const api = await account()
    expect((await api.post('/keywords/research', { keyword: seed() })).body.count).toBe(21)
  })
})

describe('on the legacy free plan', () => {
  const required = (answer: Answer) => {
    expectError(answer, 'byo_keys_required')
    expect(answer.status).toBe(402)
    expect(answer.body).toMatchObject({
      error: 'byo_keys_required',
      message: expect.any(String),
      plan: 'agentic_free',
      required: { any_of: ['dataforseo', 'ahrefs'] },
      setup_url: `${stack.url}/settings/provider-keys`,
      docs_url: expect.stringContaining(stack.url),
      instructions_for_agent: expect.stringContaining('Do not repeat the call'),
    })
  }

  it('is 402 without own keys, even if the answer is stored', async () => {
    const keyword = seed()
    await search(await account(), keyword)
    const api = await account('agentic_free')
    required(await search(api, keyword))
    required(await search(api, keyword, { source: 'service' }))
    expect((await search(await account('agentic'), keyword)).body).toMatchObject({ source: 'service', cached: true })
  })

  it('uses the first provider’s keys if both are saved, otherwise the existing ones', async () => {
    const api = await account('agentic_free')
    await saveKey(api, 'ahrefs', OWN.ahrefs)
    const keyword = seed()
    const by = await search(api, keyword)
    expect(by.body).toMatchObject({ source: 'byo_ahrefs', sandbox: true, country: 'US' })
    expect(rowsOf(by.body, 'keywords')[0]).toMatchObject({ keyword, search_volume: expect.any(Number), intent: null })
    await saveKey(api, 'dataforseo', OWN.dataforseo)
    expect((await search(api, keyword)).body).toMatchObject({ source: 'byo_dataforseo', cached: false })
    expect((await search(api, keyword, { source: 'byo_ahrefs' })).body).toMatchObject({
      source: 'byo_ahrefs',
      cached: true,
    })
    const refused = await search(api, keyword, { source: 'service' })
    expectError(refused, 'plan_required')
    expect(refused.body.instructions_for_agent).toContain(refused.body.upgrade_url)
    await api.del('/provider-keys/dataforseo')
    await api.del('/provider-keys/ahrefs')
    required(await search(api, keyword))
  })

  it('answers paid with an own key are shown to no other account', async () => {
    const [api, other] = [await account('agentic_free'), await account('agentic_free')]
    await saveKey(api, 'dataforseo', OWN.dataforseo)
    await saveKey(other, 'dataforseo', OWN.dataforseo)
    const keyword = seed()
    expect((await search(api, keyword)).body.cached).toBe(false)
    expect((await search(api, keyword)).body.cached).toBe(true)
    expect((await search(other, keyword)).body.cached).toBe(false)
    expect((await search(await account(), keyword)).body).toMatchObject({ source: 'service', cached: false })
  })

  it.each([
    ['dataforseo', 'err:40100', 'rejected'],
    ['dataforseo', 'err:40200', 'no_credit'],
    ['ahrefs', 'err:401', 'rejected'],
    ['ahrefs', 'err:403', 'no_credit'],
  ] as const)('%s: %s is 402 byo_keys_invalid, %s', async (provider, prefix, reason) => {
    const api = await account('agentic_free')
    await saveKey(api, provider, OWN[provider])
    const answer = await search(api, `${prefix} ${seed()}`)
    expectError(answer, 'byo_keys_invalid')
    expect(answer.body).toMatchObject({ provider, reason, upstream: { name: provider } })
    const keys = async () => (await api.get('/provider-keys')).body.provider_keys
    await expect.poll(keys).toMatchObject([{ provider, status: reason === 'rejected' ? 'rejected' : 'accepted' }])
    expect((await search(api, seed())).status).toBe(200)
    await expect.poll(keys).toMatchObject([{ provider, status: 'accepted', last_error: null }])
  })

  it.each(['err:429', 'err:500'])('Ahrefs answering %s is 503', async (prefix) => {
    const api = await account('agentic_free')
    await saveKey(api, 'ahrefs', OWN.ahrefs)
    const answer = await search(api, `${prefix} ${seed()}`)
    expectError(answer, 'provider_unavailable')
    expect(answer.body.upstream).toMatchObject({ name: 'ahrefs', status: Number(prefix.slice(4)) })
  })
})

describe('on a paid plan', () => {
  it('the service’s own data is used unless saved keys are named', async () => {
    const api = await account('pro')
    const keyword = seed()
    const none = await search(api, keyword, { source: 'byo_ahrefs' })
    expectError(none, 'invalid_input')
    expect(none.body.details).toMatchObject([{ field: 'source', allowed: ['service'] }])
    await saveKey(api, 'ahrefs', OWN.ahrefs)
    expect((await search(api, keyword)).body.source).toBe('service')
    expect((await search(api, keyword, { source: 'byo_ahrefs' })).body.source).toBe('byo_ahrefs')
  })
})
