import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, inject, it } from 'vitest'
import { verifyLinks } from '../../../src/content/exchange/verify.ts'
import type { Outbound } from '../../../src/platform/runtime/outbound.ts'
import { callExecutor, runAfterDeaths } from '../../publishing/scene.ts'
import { type Site, type SiteAnswer, startSite } from '../../publishing/site.ts'
import { systemFor } from '../../publishing/system.ts'
import { connectReceiver, rowsIn } from '../../support/client.ts'
import { rowsOf } from '../../support/keys.ts'
import { join, linkTo, type Member, provedCredits, save, statusOf } from './members.ts'

const stack = inject('stack')
let site: Site
let giver: Member
/** Answer of live pages. */
let page: (path: string) => SiteAnswer

beforeAll(async () => {
  site = await startSite(({ method, path }, url) =>
    method === 'POST' ? { body: { success: true, action: 'updated', published_url: `${url}/posts/it` } } : page(path),
  )
})
afterAll(() => site.close())

beforeEach(async () => {
  giver = await join(stack)
  await connectReceiver(giver.api, giver.project, site.url, 'token')
})

const published = async (content: string): Promise<number> => {
  const { article_id: id } = await save(giver, content)
  const { status, text } = await giver.api.post(`/articles/${id}/publish`)
  expect(status, text).toBe(200)
  return id
}

/** A look: the how manieth, and the moment before which it does not come (ms). */
type Row = { id: string; look: number; at: number; is_open: boolean }

/** Returns the looks at an article, those that ended too, the newest first. */
const looks = (id: number) =>
  rowsIn<Row>(
    stack,
    sql`select id, (payload->>'look')::int as look, (payload->>'not_before')::float8 as at, done_at is null and dead_at is null as is_open
      from outbox where key = ${`verify:${id}`} order by id desc`,
  )

const waiting = async (id: number) => (await looks(id)).filter((row) => row.is_open)

const due = ({ id, look: at }: Row) =>
  rowsIn(
    stack,
    sql`update outbox set payload = payload || '{"not_before": 0}' where id = ${id}::bigint and (payload->>'look')::int = ${at}::int`,
  )

/**
 * Runs the waiting look, or the `n`th, as the queue would at its time.
 *
 * The queue itself may hold the row for a moment. The first two looks come within seconds; if the machine stalls that
 * long, the queue has run them.
 */
const look = async (id: number, n?: number): Promise<void> => {
  const [row] = await waiting(id)
  if (n !== undefined && (!row || row.look > n)) return
  if (!row) throw new Error(`no look at article ${id} waits`)
  for (let tries = 0; tries < 100; tries += 1) {
    await due(row)
    const { status, text } = await callExecutor(stack, JSON.stringify({ outbox_id: Number(row.id) }))
    expect(status, text).toBe(200)
    const [now] = await waiting(id)
    if (now?.look !== row.look || now.at > Date.now()) return
  }
  throw new Error(`the look at article ${id} does not run: ${JSON.stringify(await waiting(id))}`)
}

const html = (body: string): SiteAnswer => ({ body: `<!doctype html><html><body>${body}</body></html>` })

const backlinks = async ({ api, project }: Member) => (await api.get(`/backlinks?project_id=${project}`)).body

it('a link on the live page is verified, with the page that has it', async () => {
  const partner = await join(stack)
  page = () => html(linkTo(`${partner.site}/a`))
  const id = await published(linkTo(`${partner.site}/a`))
  const [row] = await looks(id)
  expect(row).toMatchObject({ look: 0 })
  expect(row?.at).toBeLessThanOrEqual(Date.now() + 5_000)
  await look(id, 0)
  const { earned, earned_count, scheduled } = await backlinks(partner)
  expect({ earned_count, scheduled }).toEqual({ earned_count: 1, scheduled: [] })
  expect(earned).toMatchObject([
    { source_url: `${site.url}/posts/it`, target_url: `${partner.site}/a`, status: 'Verified' },
  ])
  expect(await statusOf(partner)).toMatchObject({ received: 1, pending: 0 })
  expect(await waiting(id)).toEqual([])
  expect(await provedCredits(giver, partner)).toEqual([1, -1])
})

it.each([
  [
    'a large preview, and another crawler that is to follow nothing',
    'max-image-preview:none, otherbot: nofollow',
    '',
    1,
  ],
  ['a header that lets nobody follow', 'otherbot: noindex, *: nofollow', '', 0],
  ['a header for Google', 'googlebot: none', '', 0],
  ['a meta that lets nobody follow', '', '<meta name="robots" content="max-snippet:20, NoFollow">', 0],
])('rules for robots are read as they are meant: %s', async (_, header, meta, earned) => {
  const partner = await join(stack)
  page = () => ({
    ...html(`${meta}${linkTo(partner.site)}`),
    ...(header === '' ? {} : { headers: { 'x-robots-tag': header } }),
  })
  const id = await published(linkTo(partner.site))
  await look(id, 0)
  expect((await backlinks(partner)).earned_count).toBe(earned)
})

it('a page of endlessly nested elements is read, too', async () => {
  const partner = await join(stack)
  page = () => html('<b>'.repeat(20_000) + linkTo(partner.site))
  const id = await published(linkTo(partner.site))
  await look(id, 0)
  expect((await backlinks(partner)).earned_count).toBe(1)
  expect(await waiting(id)).toEqual([])
})

it('checks that keep crashing end: the link is missing and its credit is taken back', async () => {
  const partner = await join(stack)
  page = () => html('')
  const id = await published(linkTo(partner.site))
  await runAfterDeaths(stack, `verify:${id}`)
  await expect.poll(() => waiting(id)).toEqual([])
  expect(await provedCredits(giver, partner)).toEqual([0, 0])
})

/** Delays of the first check after the publication, and of the others after the check before, ms: on a stack ten times as fast. */
const WAITS_MS = [5_000, 6_000, 360_000, 8_640_000]

it('a link that never appears is checked again at growing intervals, then missing', async () => {
  const [shown, hidden] = [await join(stack), await join(stack)]
  page = () => html(linkTo(shown.site) + linkTo(hidden.site, 'nofollow'))
  let from = Date.now()
  const id = await published(linkTo(shown.site) + linkTo(hidden.site))
  for (const [n, waitMs] of WAITS_MS.entries()) {
    const [row] = await waiting(id)
    if (row && row.look > n) continue
    expect(row?.look).toBe(n)
    expect(row?.at).toBeGreaterThanOrEqual(from + waitMs)
    expect(row?.at).toBeLessThanOrEqual(Date.now() + waitMs)
    expect((await backlinks(hidden)).scheduled_count).toBe(1)
    const early = await callExecutor(stack, JSON.stringify({ outbox_id: Number(row?.id) }))
    expect(early.body).not.toHaveProperty('done')
    from = Date.now()
    await look(id, n)
  }
  expect(await waiting(id)).toEqual([])
  expect(await provedCredits(giver, shown, hidden)).toEqual([1, -1, 0])
  expect(await backlinks(hidden)).toMatchObject({ earned: [], scheduled: [] })
  const { body } = await hidden.api.get(`/backlinks/ledger?project_id=${hidden.project}`)
  expect(rowsOf(body, 'entries').map(({ reason }) => reason)).toEqual([
    'link_received_taken_back',
    'link_received',
    'welcome',
  ])
})

it('a page that comes late, behind a redirect, is found', async () => {
  const partner = await join(stack)
  page = () => ({ status: 503, body: 'later' })
  const id = await published(linkTo(partner.site))
  await look(id, 0)
  expect((await waiting(id))[0]?.look).toBeGreaterThan(0)
  page = (path) =>
    path === '/posts/it'
      ? { status: 301, headers: { location: '/posts/it/' }, body: 'moved' }
      : html(linkTo(partner.site))
  await look(id)
  expect((await backlinks(partner)).earned_count).toBe(1)
})

it.each([
  [
    'a robots header forbids to follow',
    () => ({ ...html(linkTo('PARTNER')), headers: { 'x-robots-tag': 'nofollow' } }),
  ],
  ['the page is gone', () => ({ ...html(linkTo('PARTNER')), status: 404 })],
  ['the page redirects without end', () => ({ status: 302, headers: { location: '/posts/it' }, body: 'on' })],
] as [string, () => SiteAnswer][])('nothing is verified when %s', async (_, answer) => {
  const partner = await join(stack)
  page = () => {
    const given = answer()
    return { ...given, body: String(given.body).replace('PARTNER', partner.site) }
  }
  const id = await published(linkTo(partner.site))
  await look(id, 0)
  expect(await backlinks(partner)).toMatchObject({ earned_count: 0, scheduled_count: 1 })
})

it('a sync counts its links again: removed, added, and missing ones that are back', async () => {
  const [one, two] = [await join(stack), await join(stack)]
  page = () => html('<p>No links.</p>')
  const id = await published(linkTo(one.site))
  for (let n = 0; n < 4; n += 1) await look(id, n)
  expect(await provedCredits(giver, one, two)).toEqual([0, 0, 0])
  page = () => html(linkTo(one.site) + linkTo(two.site))
  const synced = await giver.api.post(`/articles/${id}/sync`, { content: linkTo(one.site) + linkTo(two.site) })
  expect(synced.body, synced.text).toMatchObject({ status: 'synced', backlinks_processed: 2 })
  expect(await provedCredits(giver, one, two)).toEqual([2, -1, -1])
  expect((await looks(id))[0]?.look).toBe(0)
  await look(id, 0)
  expect([(await backlinks(one)).earned_count, (await backlinks(two)).earned_count]).toEqual([1, 1])
  await giver.api.post(`/articles/${id}/sync`, { content: linkTo(two.site) })
  expect(await provedCredits(giver, one, two)).toEqual([1, 0, -1])
  expect(await waiting(id)).toEqual([])
})

it('a last check of the page from before a sync takes nothing back; the checks start again', async () => {
  const partner = await join(stack)
  page = () => html('')
  const id = await published(linkTo(partner.site))
  for (let n = 0; n < 3; n += 1) await look(id, n)
  const [last] = await waiting(id)
  const outbound: Outbound = async () => {
    page = () => html(linkTo(partner.site))
    const synced = await giver.api.post(`/articles/${id}/sync`, { content: `${linkTo(partner.site)}<p>More.</p>` })
    expect(synced.status, synced.text).toBe(200)
    return {
      ...{ kind: 'answered', status: 200, headers: new Headers() },
      ...{ body: '<p>Nothing yet.</p>', bytes: new Uint8Array(), truncated: false, incomplete: false },
    }
  }
  const job = { article_id: id, look: 3, not_before: last?.at ?? 0 }
  await verifyLinks(systemFor(stack, giver.api.accountId, { outbound, now: () => new Date(job.not_before) }), job)
  expect((await backlinks(partner)).scheduled_count).toBe(1)
  expect(await provedCredits(giver, partner)).toEqual([1, -1])
  await look(id, 0)
  expect((await backlinks(partner)).earned_count).toBe(1)
})

it('a check that runs twice books nothing twice', { tags: ['services'] }, async () => {
  const partner = await join(stack)
  page = () => html('')
  const id = await published(linkTo(partner.site))
  for (let n = 0; n < 3; n += 1) await look(id, n)
  const [row] = await waiting(id)
  if (!row) throw new Error('the last look does not wait')
  const message = JSON.stringify({ outbox_id: Number(row.id) })
  const fourTimes = async (): Promise<Row[]> => {
    await due(row)
    await Promise.all(Array.from({ length: 4 }, () => callExecutor(stack, message)))
    return await waiting(id)
  }
  // Polls, because the queue itself may have held the row and delayed it.
  await expect.poll(fourTimes).toEqual([])
  expect(await provedCredits(giver, partner)).toEqual([0, 0])
})

it('a stalled check does not take the credit back a second time, and ends', async () => {
  const partner = await join(stack)
  page = () => html('')
  const id = await published(linkTo(partner.site))
  const [row] = await waiting(id)
  const job = { article_id: id, look: 3, not_before: row?.at ?? 0 }
  const now = () => new Date(job.not_before)
  const lookThrough = (outbound: Outbound) => verifyLinks(systemFor(stack, giver.api.accountId, { outbound, now }), job)
  const nothing: Outbound = async () => ({
    ...{ kind: 'answered', status: 200, headers: new Headers() },
    ...{ body: '', bytes: new Uint8Array(), truncated: false, incomplete: false },
  })
  const slow = lookThrough(async (request) => {
    await lookThrough(nothing)
    return await nothing(request)
  })
  expect(await slow).toEqual({ kind: 'settled' })
  expect(await provedCredits(giver, partner)).toEqual([0, 0])
})

it('a published article is a page of its site, found by its words, and follows its syncs', async () => {
  page = () => html('')
  const { article_id: id } = await save(giver, '<p>Words.</p>', {
    keyword: 'zymurgy',
    title: 'Brewing',
    meta_description: 'How',
  })
  const links = async () =>
    (await giver.api.get(`/internal-links?project_id=${giver.project}&keyword=zymurgy`)).body.links
  expect(await links()).toEqual([])
  await giver.api.post(`/articles/${id}/publish`)
  expect(await links()).toEqual([
    { url: `${site.url}/posts/it`, title: 'Brewing', keyword: 'zymurgy', meta_description: 'How' },
  ])
  expect(await waiting(id)).toEqual([])
  await giver.api.post(`/articles/${id}/sync`, { title: 'Brewing again', meta_description: 'How else' })
  expect(await links()).toMatchObject([{ title: 'Brewing again', meta_description: 'How else' }])
})

it('a sync during a check is checked again', async () => {
  const [one, two] = [await join(stack), await join(stack)]
  const late: { sync?: Promise<unknown> } = {}
  // A look that the queue runs before that one leaves another to come.
  page = () => html('')
  const id = await published(linkTo(one.site))
  page = () => {
    late.sync ??= giver.api.post(`/articles/${id}/sync`, { content: linkTo(one.site) + linkTo(two.site) })
    return html(linkTo(one.site))
  }
  await look(id)
  await late.sync
  expect(await waiting(id)).toMatchObject([{ look: expect.any(Number) }])
  page = () => html(linkTo(one.site) + linkTo(two.site))
  await look(id)
  expect((await backlinks(two)).earned_count).toBe(1)
})
