import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { type Answer, type Api, anotherKey, newAccount, rowsIn } from '../../support/client.ts'
import { onOneDay } from '../../support/day.ts'
import { sweepTable } from '../../support/sweep.ts'
import { type Pages, startPages } from './pages.ts'

const stack = inject('stack')
onOneDay('UTC')
const NAME = 'Pedal & Spoke'
const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/

let pages: Pages
beforeAll(async () => {
  pages = await startPages()
})
afterAll(() => pages.close())

const take = (api: Api, path: string, name = NAME): Promise<Answer> =>
  api.post('/screenshots', { url: `${pages.url}${path}`, name })

/** Asks until the screenshot has ended, ever more seldom: no more often than the rate of 30 a minute allows. */
const ended = async (api: Api, id: unknown): Promise<Answer> => {
  for (let look = 0; look < 25; look += 1) {
    const answer = await api.get(`/screenshots/${id}`)
    if (answer.status !== 202) return answer
    await new Promise((resolve) => setTimeout(resolve, Math.min(500 * (look + 1), 3_000)))
  }
  return expect.fail('the screenshot is still being taken')
}

const counted = async (api: Api): Promise<number> => {
  const [row] = await rowsIn<{ count: number }>(
    stack,
    sql`select coalesce(sum(count), 0)::int as count from screenshot_days where account_id = ${api.accountId}::int`,
  )
  return Number(row?.count)
}

const useUp = (api: Api, count: number) =>
  rowsIn(
    stack,
    sql`insert into screenshot_days (account_id, day, count) values (${api.accountId}::int, (now() at time zone 'UTC')::date, ${count}::int)`,
  )

describe('a screenshot', () => {
  it('is running, then ready: hosted, the same for the same address, and marked as not real if there is no browser', async () => {
    const api = await newAccount(stack)
    const asked = await take(api, '/brand#reviews')
    expect(asked.status).toBe(202)
    const { screenshot_id: id } = asked.body
    expect(id).toMatch(ULID)
    expect(asked.body).toEqual({
      status: 'processing',
      screenshot_id: id,
      url: `${pages.url}/brand`,
      poll: `/screenshots/${id}`,
    })

    const ready = await ended(api, id)
    expect(ready.status).toBe(200)
    const { image_url: url } = ready.body
    expect(ready.body).toEqual({
      status: 'ready',
      screenshot_id: id,
      image_url: url,
      width: 1280,
      height: 800,
      sandbox: true,
    })
    const image = await fetch(String(url))
    expect([image.status, image.headers.get('content-type')]).toEqual([200, 'image/png'])
    expect(Buffer.from(await image.arrayBuffer()).readUInt32BE(16)).toBe(1280)

    const again = await take(api, '/brand', NAME.toUpperCase())
    expect([again.status, again.body]).toEqual([200, ready.body])
    // The stored text of the page is searched for another name.
    const other = await take(api, '/brand', 'Roof tiles')
    expect([other.status, other.body.reason]).toEqual([422, 'wrong_brand'])
    expect((await api.get(`/screenshots/${String(id).toLowerCase()}`)).body).toEqual(ready.body)
    expect(await counted(api)).toBe(1)

    // The page's text is stored only while calls reuse the screenshot; the picture stays.
    await sweepTable(stack, 'screenshots')
    expect((await take(api, '/brand', 'Roof tiles')).status).toBe(422)
    await rowsIn(stack, sql`update screenshots set created_at = now() - interval '25 hours' where shot_id = ${id}`)
    await sweepTable(stack, 'screenshots')
    expect(await rowsIn(stack, sql`select page_words from screenshots where shot_id = ${id}`)).toEqual([
      { page_words: null },
    ])
    expect((await api.get(`/screenshots/${id}`)).body).toEqual(ready.body)
  })

  it.each([
    ['/missing', 'http_error', /status 404/],
    ['/other', 'wrong_brand', /Pedal & Spoke.*does not appear/],
  ])('of %s fails: %s', async (path, reason, message) => {
    const api = await newAccount(stack)
    const { body } = await take(api, path)
    const failed = await ended(api, body.screenshot_id)
    expect(failed.status).toBe(422)
    expect(failed.body).toEqual({
      error: expect.stringMatching(message),
      code: 'screenshot_failed',
      retryable: false,
      status: 'failed',
      screenshot_id: body.screenshot_id,
      reason,
      instructions_for_agent: expect.stringMatching(/\S/),
      docs_url: `${stack.url}/docs/errors/screenshot_failed`,
      request_id: expect.any(String),
    })
    const again = await take(api, path)
    expect(again.status).toBe(422)
    expect(again.body).toMatchObject({ screenshot_id: body.screenshot_id, reason })
    expect(await counted(api)).toBe(1)
  })

  it('that failed is taken again with another name', async () => {
    const api = await newAccount(stack)
    const first = await take(api, '/other')
    expect((await ended(api, first.body.screenshot_id)).body.reason).toBe('wrong_brand')
    const second = await take(api, '/other', 'Roof tiles')
    expect(second.status).toBe(202)
    expect(second.body.screenshot_id).not.toBe(first.body.screenshot_id)
    expect((await ended(api, second.body.screenshot_id)).status).toBe(200)
  })

  it('of a page whose words were cut off is taken anew before another name is judged', async () => {
    const api = await newAccount(stack)
    const first = await take(api, '/brand/long')
    expect((await ended(api, first.body.screenshot_id)).status).toBe(200)
    const second = await take(api, '/brand/long', 'Roof tiles')
    expect(second.status).toBe(202)
    expect((await ended(api, second.body.screenshot_id)).body.reason).toBe('wrong_brand')
    const again = await take(api, '/brand/long', 'Roof tiles')
    expect([again.status, again.body.screenshot_id]).toEqual([422, second.body.screenshot_id])
    expect((await take(api, '/brand/long')).body).toMatchObject({ screenshot_id: first.body.screenshot_id })
    expect(await counted(api)).toBe(2)
  })

  it('of an address without a server is unreachable', async () => {
    const api = await newAccount(stack)
    const { body } = await api.post('/screenshots', { url: 'http://127.0.0.1:1024/', name: NAME })
    expect((await ended(api, body.screenshot_id)).body).toMatchObject({ reason: 'unreachable' })
  })

  it('is taken of public addresses only, with a name', async () => {
    const api = await newAccount(stack)
    for (const url of [
      'http://10.0.0.1/',
      'http://169.254.169.254/latest/',
      'http://printer.local/',
      'ftp://a.example/',
      'file:///etc/passwd',
      'https://me:secret@a.example/',
    ]) {
      const { status, body } = await api.post('/screenshots', { url, name: NAME })
      expect([status, body.code, body.details]).toMatchObject([400, 'forbidden_url', [{ field: 'url' }]])
    }
    for (const [field, body] of [
      ['url', { name: NAME }],
      ['url', { url: 'a.example', name: NAME }],
      ['url', { url: `https://a.example/${'a'.repeat(2_000)}`, name: NAME }],
      ['name', { url: 'https://a.example/' }],
      ['name', { url: 'https://a.example/', name: ' ' }],
    ] as const) {
      const refused = await api.post('/screenshots', body)
      expect([refused.status, refused.body.details]).toMatchObject([400, [{ field }]])
    }
    expect(await counted(api)).toBe(0)
  })

  it('is the account’s own', async () => {
    const [mine, other] = [await newAccount(stack), await newAccount(stack)]
    const { body } = await take(mine, '/brand/own')
    expect((await other.get(`/screenshots/${body.screenshot_id}`)).status).toBe(403)
    expect((await mine.get('/screenshots/01ARZ3NDEKTSV4RRFFQ69G5FAV')).status).toBe(404)
    expect((await mine.get('/screenshots/7')).status).toBe(400)
    const theirs = await take(other, '/brand/own')
    expect([theirs.status, theirs.body.screenshot_id === body.screenshot_id]).toEqual([202, false])
  })

  it('is made once for calls at the same moment', { tags: ['services'] }, async () => {
    const api = await newAccount(stack)
    const answers = await Promise.all(Array.from({ length: 8 }, () => take(api, '/brand/once')))
    expect(new Set(answers.map(({ body }) => body.screenshot_id)).size).toBe(1)
    expect(await counted(api)).toBe(1)
  })

  it('is one of 120 a day: calls that race at the cap never pass it, and the rest wait for midnight', {
    tags: ['services'],
  }, async () => {
    const api = await newAccount(stack)
    const keys = [api, await anotherKey(stack, api)]
    expect((await take(api, '/brand/before')).status).toBe(202)
    await rowsIn(stack, sql`delete from screenshot_days where account_id = ${api.accountId}::int`)
    await useUp(api, 117)
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) => take(keys[n % 2] ?? api, `/brand/race/${n}`)),
    )
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(3)
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused).toHaveLength(9)
    const now = new Date()
    const left = (Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1) - now.getTime()) / 1000
    for (const { body, headers } of refused) {
      expect(body).toMatchObject({ code: 'rate_limited', retryable: true, daily_limit: 120 })
      expect(Math.abs(Number(body.retry_after) - left)).toBeLessThan(60)
      expect(headers.get('retry-after')).toBe(String(body.retry_after))
    }
    expect(await counted(api)).toBe(120)
    // An existing screenshot is returned nevertheless.
    expect((await take(api, '/brand/before')).status).toBeLessThan(203)
    // The day before does not count.
    await rowsIn(stack, sql`update screenshot_days set day = day - 1 where account_id = ${api.accountId}::int`)
    expect((await take(api, '/brand/tomorrow')).status).toBe(202)
    expect(await counted(api)).toBe(1)
  })

  it('is taken again after 24 hours', async () => {
    const api = await newAccount(stack)
    const first = await take(api, '/brand/daily')
    await ended(api, first.body.screenshot_id)
    await rowsIn(
      stack,
      sql`update screenshots set created_at = now() - interval '24 hours 1 second' where account_id = ${api.accountId}::int`,
    )
    const second = await take(api, '/brand/daily')
    expect([second.status, second.body.screenshot_id === first.body.screenshot_id]).toEqual([202, false])
  })
})
