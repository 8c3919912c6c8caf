import { sql } from 'drizzle-orm'
import { describe, expect, inject, it } from 'vitest'
import type { CaptureResult } from '../../../src/insights/screenshots/port.ts'
import { giveUpScreenshot, runScreenshot } from '../../../src/insights/screenshots/run.ts'
import type { Bucket } from '../../../src/platform/runtime/bucket.ts'
import type { Ctx } from '../../../src/platform/runtime/ctx.ts'
import { systemFor } from '../../publishing/system.ts'
import { type Api, newAccount, rowsIn } from '../../support/client.ts'
import { onOneDay } from '../../support/day.ts'
import { startPages } from './pages.ts'

const stack = inject('stack')
onOneDay('UTC')

const stored: string[] = []
const media = { put: async (key: string) => stored.push(key) } as unknown as Bucket

const ONE_PIXEL = new Uint8Array(
  Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  ),
)

/** Returns a screenshot that waits, made without its job. */
const waiting = async (api: Api, ageS = 0): Promise<number> => {
  const [row] = await rowsIn<{ id: number }>(
    stack,
    sql`insert into screenshots (shot_id, account_id, url, url_hash, name, state, created_at)
      values (${crypto.randomUUID()}, ${api.accountId}::int, 'https://a.example/', 'hash', 'A', 'processing',
        now() - make_interval(secs => ${ageS}::int)) returning id`,
  )
  return Number(row?.id)
}

const stateOf = async (id: number) => {
  const [row] = await rowsIn<Record<string, unknown>>(
    stack,
    sql`select state, reason, image_hash, url_hash, placeholder from screenshots where id = ${id}::int`,
  )
  return row
}

const ctxOf = (api: Api): Ctx => systemFor(stack, api.accountId, { media })
const browser = (result: CaptureResult) => ({ capture: async () => result })
const picture: CaptureResult = { kind: 'captured', image: ONE_PIXEL, words: '', placeholder: false }

describe('a run of a screenshot', () => {
  it('keeps the picture, and the account holds it', async () => {
    const api = await newAccount(stack)
    const id = await waiting(api)
    expect(await runScreenshot(ctxOf(api), browser(picture), id)).toEqual({ kind: 'done' })
    const row = await stateOf(id)
    expect(row).toMatchObject({ state: 'ready', reason: null, placeholder: false })
    expect(stored).toContain(`${row?.image_hash}.png`)
    const held = await rowsIn(stack, sql`select 1 from hosted_images where account_id = ${api.accountId}::int`)
    expect(held).toHaveLength(1)
  })

  it('changes nothing if it is the second one', async () => {
    const api = await newAccount(stack)
    const id = await waiting(api)
    const late: CaptureResult = { kind: 'unclean', reason: 'blank_page', detail: 'The page shows nothing.' }
    const both = { capture: async () => late }
    // The first ends while the second has the page before it.
    const overtaken = {
      capture: async () => {
        await runScreenshot(ctxOf(api), browser(picture), id)
        return await both.capture()
      },
    }
    expect(await runScreenshot(ctxOf(api), overtaken, id)).toEqual({ kind: 'done' })
    expect(await stateOf(id)).toMatchObject({ state: 'ready', reason: null })
    expect(await runScreenshot(ctxOf(api), browser(late), id)).toEqual({ kind: 'done' })
    expect(await stateOf(id)).toMatchObject({ state: 'ready' })
  })

  it('waits for a free browser, and after five minutes fails so that the next call starts again', async () => {
    const api = await newAccount(stack)
    const away: CaptureResult = { kind: 'away', reason: 'all taken' }
    const young = await waiting(api)
    expect(await runScreenshot(ctxOf(api), browser(away), young)).toMatchObject({ kind: 'later' })
    expect(await stateOf(young)).toMatchObject({ state: 'processing' })
    const old = await waiting(api, 301)
    expect(await runScreenshot(ctxOf(api), browser(away), old)).toEqual({ kind: 'done' })
    expect(await stateOf(old)).toMatchObject({ state: 'failed', reason: 'timeout', url_hash: null })
  })

  it('uses one of the day’s 120 if the page failed, but none if our own browser was missing', async ({
    onTestFinished,
  }) => {
    const pages = await startPages()
    onTestFinished(pages.close)
    const api = await newAccount(stack)
    await rowsIn(
      stack,
      sql`insert into screenshot_days (account_id, day, count) values (${api.accountId}::int, (now() at time zone 'UTC')::date, 120) returning count`,
    )
    const take = async () => (await api.post('/screenshots', { url: `${pages.url}/brand`, name: 'A' })).status
    const unclean: CaptureResult = { kind: 'unclean', reason: 'blank_page', detail: 'The page shows nothing.' }
    await runScreenshot(ctxOf(api), browser(unclean), await waiting(api))
    expect(await take()).toBe(429)
    const id = await waiting(api)
    await giveUpScreenshot(ctxOf(api), id, 'gave up after 20 runs')
    await giveUpScreenshot(ctxOf(api), id, 'gave up after 20 runs')
    expect(await take()).toBe(202)
    const [day] = await rowsIn<{ count: number }>(
      stack,
      sql`select count from screenshot_days where account_id = ${api.accountId}::int`,
    )
    expect(day?.count).toBe(120)
  })

  it('is given up after it keeps failing, and says so', async () => {
    const api = await newAccount(stack)
    const id = await waiting(api)
    await giveUpScreenshot(ctxOf(api), id, 'gave up after 20 runs')
    expect(await stateOf(id)).toMatchObject({ state: 'failed', reason: 'timeout', url_hash: null })
  })
})
