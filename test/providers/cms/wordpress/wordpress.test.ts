import { afterEach, beforeEach, expect, test } from 'vitest'
import { startWordpress, type WordpressOptions, type WordpressStandIn } from '../../../../local/cms/wordpress.ts'
import { cmsTarget } from '../../../../src/providers/cms/posts.ts'
import { wordpressCms } from '../../../../src/providers/cms/wordpress/index.ts'
import { article, clockAt, meansAt, requestOf } from '../../drive.ts'

const clock = clockAt('2026-11-21T10:00:00Z')
let standIn: WordpressStandIn
const start = async (options: WordpressOptions = {}) => {
  standIn = await startWordpress({ now: clock.now, ...options })
}
beforeEach(() => start())
afterEach(() => standIn.close())
const restart = async (options: WordpressOptions) => {
  await standIn.close()
  await start(options)
}

const cms = (
  secrets: Record<string, string> = { cms_username: 'admin', integration_key: standIn.passwordOf('admin') },
) => wordpressCms({ id: 1, platform: 'wordpress', url: standIn.url, secrets }, meansAt(clock))
const plugin = () => cms({ integration_key: standIn.pluginKey })
const target = () => cmsTarget(cms(), 'Galley')
const SLUG = 'how-to-build-a-shed'
const MARK = '<p>x</p><!-- galley-00c0ffee-7 -->'

/** Puts a post there past the API, as another request or a crash would have left it. */
const leave = (post: object) => {
  const posts = standIn.posts() as object[]
  posts.push({
    meta: {},
    id: 2,
    title: 'How to build a shed',
    content: MARK,
    excerpt: '',
    slug: SLUG,
    status: 'draft',
    kind: 'post',
    password: '',
    dateGmt: '2026-01-01T00:00:00',
    author: 1,
    featuredMedia: 0,
    tags: [],
    categories: [1],
    externalId: '',
    delivery: '',
    madeAt: '2026-01-01T00:00:00Z',
    revisions: [],
    ...post,
  })
}
const shown = () => standIn.posts().map(({ id, slug, status }) => [id, slug, status])

test('reports a site that is no WordPress, has no application passwords, or not our plugin', async () => {
  await restart({ hasNoPasswords: true, hasNoPlugin: true })
  expect(await cms().probe()).toMatchObject({ code: 'auth_forbidden', reason: expect.stringContaining('https') })
  expect(await plugin().probe()).toMatchObject({
    code: 'site_not_found',
    reason: expect.stringContaining('not active'),
  })
  const other = wordpressCms(
    {
      id: 1,
      platform: 'wordpress',
      url: `${standIn.url}/_posts?`,
      secrets: { cms_username: 'a', integration_key: 'b' },
    },
    meansAt(clock),
  )
  expect(await other.probe()).toMatchObject({ kind: 'refused', code: 'site_not_found' })
})

test('two simultaneous requests with one slug: the first post stays, the other is deleted', async () => {
  leave({ id: 2 })
  leave({ id: 3 })
  expect(await cms().update('3', article({ slug: SLUG }))).toMatchObject({ code: 'conflict', retryable: true })
  expect(shown()).toEqual([[2, SLUG, 'draft']])
  leave({ id: 3 })
  expect(await cms().update('2', article({ slug: SLUG }))).toMatchObject({ value: { status: 'published', slug: SLUG } })
  expect(shown()).toEqual([[2, SLUG, 'publish']])
  leave({ id: 1 })
  expect(await cms().update('1', article({ slug: SLUG }))).toMatchObject({ code: 'conflict' })
  expect(shown()).toEqual([[2, SLUG, 'publish']])
})

test('a numbered draft that a crash left is refused while the slug is taken, then corrected', async () => {
  leave({ id: 2, content: 'mine', status: 'publish', title: 'Mine' })
  leave({ id: 3, slug: `${SLUG}-2` })
  expect(await target().deliver(requestOf(clock))).toMatchObject({
    kind: 'refused',
    reason: expect.stringContaining(SLUG),
  })
  expect(shown()[0]).toEqual([2, SLUG, 'publish'])
  ;(standIn.posts() as unknown[]).splice(0, 1)
  expect(await target().deliver(requestOf(clock))).toMatchObject({ kind: 'accepted', url: `${standIn.url}/${SLUG}/` })
  expect(shown()).toEqual([[3, SLUG, 'publish']])
})

test('if the numbered post cannot be deleted, it stays a draft without readers', async () => {
  leave({ id: 2, content: 'mine', status: 'publish', title: 'Mine' })
  await fetch(`${standIn.url}/_faults`, {
    method: 'POST',
    body: JSON.stringify({ path: '_method=DELETE', drop: 'before' }),
  })
  expect(await cms().create(article({ slug: SLUG }))).toMatchObject({ kind: 'refused', code: 'slug_taken' })
  expect(shown()).toEqual([
    [2, SLUG, 'publish'],
    [expect.any(Number), `${SLUG}-2`, 'draft'],
  ])
})

/** Returns someone else's post that takes the slug just before a request the test names. */
const strangerBefore = async (isMoment: (body: Record<string, unknown>) => boolean) => {
  await restart({
    trouble: ({ method, body }) => {
      if (
        method === 'POST' &&
        isMoment((body ?? {}) as Record<string, unknown>) &&
        standIn.posts().every(({ id }) => id !== 90)
      )
        leave({ id: 90, content: 'mine', status: 'publish', title: 'Mine' })
      return undefined
    },
  })
}

test('a slug that is taken while going live: the renamed post becomes a draft and is refused', async () => {
  await strangerBefore((body) => body.status === 'publish')
  expect(await cms().create(article({ slug: SLUG }))).toMatchObject({ kind: 'refused', code: 'slug_taken' })
  expect(shown().filter(([, , status]) => status === 'publish')).toEqual([[90, SLUG, 'publish']])
})

test('a slug that is taken while a leftover is corrected: it does not go live with a number', async () => {
  await strangerBefore((body) => body.content !== undefined)
  leave({ id: 3, slug: `${SLUG}-2` })
  expect(await cms().update('3', article({ slug: SLUG }))).toMatchObject({ kind: 'refused', code: 'slug_taken' })
  expect(shown()).toEqual([
    [3, `${SLUG}-2`, 'draft'],
    [90, SLUG, 'publish'],
  ])
})

test('a date ahead of the site’s clock becomes now, and never an unwanted schedule', async () => {
  const publishedAt = new Date(clock.now().getTime() + 3_600_000).toISOString()
  const made = await cms().create(article({ publishedAt }))
  expect(made).toMatchObject({ value: { status: 'published', createdAt: '2026-11-21T10:00:00Z' } })
})

test('a post with the mark of another article is not changed by its id', async () => {
  const content = 'mine<!-- galley-00c0ffee-9 -->'
  leave({ id: 2, content, externalId: 'galley-00c0ffee-9', status: 'publish', title: 'Mine', slug: 'mine' })
  for (const way of [target(), cmsTarget(plugin(), 'Galley')]) {
    const refusal = await way.deliver(requestOf(clock, { external_id: '2' }))
    expect(refusal).toMatchObject({ kind: 'refused', reason: expect.stringContaining('another article') })
  }
  expect(standIn.posts()).toEqual([expect.objectContaining({ title: 'Mine', content })])
})

test('only a refusal of the plugin itself says to copy its key again', async () => {
  const answer = { code: 'rest_not_logged_in', message: 'Only signed-in users.' }
  await fetch(`${standIn.url}/_faults`, {
    method: 'POST',
    body: JSON.stringify({ path: '/galley/v1', status: 401, answer }),
  })
  const refusal = await plugin().probe()
  expect(refusal).toMatchObject({ code: 'auth_invalid', reason: expect.stringContaining('signed-in users') })
  expect(JSON.stringify(refusal)).not.toContain('Copy the key')
})

test('a plugin before 1.2.0, which requires a status with every change, keeps the status', async () => {
  const made = await cmsTarget(plugin(), 'Galley').deliver(requestOf(clock))
  await fetch(`${standIn.url}/_faults`, {
    method: 'POST',
    body: JSON.stringify({
      path: '/galley/v1',
      body: 'Renamed',
      status: 400,
      answer: { code: 'rest_missing_callback_param', message: 'Missing.', data: { params: ['status'] } },
      times: 1,
    }),
  })
  const external_id = made.kind === 'accepted' ? (made.remoteId ?? '') : ''
  const change = requestOf(clock, { title: 'Renamed', external_id }, true)
  expect(await cmsTarget(plugin(), 'Galley').deliver(change)).toMatchObject({ kind: 'accepted', remoteId: external_id })
  expect(standIn.posts()).toEqual([expect.objectContaining({ title: 'Renamed', status: 'publish' })])
})

test('texts that are too long for the plugin are cut, because it would refuse the whole article', async () => {
  const [alt, tag] = ['a'.repeat(600), 't'.repeat(300)]
  const image = { url: `${standIn.url}/_image.png`, alt }
  expect(await plugin().create(article({ image, tags: [tag] }))).toMatchObject({ kind: 'done' })
  expect(await plugin().hostImage?.(image)).toMatchObject({ kind: 'done' })
  const asItWas = await fetch(`${standIn.url}/wp-json/galley/v1/media`, {
    method: 'POST',
    headers: { 'X-Galley-Key': standIn.pluginKey, 'Content-Type': 'application/json' },
    body: JSON.stringify({ url: image.url, alt_text: alt }),
  })
  expect([asItWas.status, await asItWas.text()]).toEqual([400, expect.stringContaining('alt_text')])
})

test('a file that WordPress refuses with status 500 is refused, not unknown', async () => {
  const image = { url: `${standIn.url}/_image.png`, alt: 'A' }
  const answer = {
    code: 'rest_upload_unknown_error',
    message: 'The uploaded file exceeds the upload_max_filesize directive.',
  }
  await fetch(`${standIn.url}/_faults`, {
    method: 'POST',
    body: JSON.stringify({ path: 'POST /wp-json/wp/v2/media', status: 500, answer, times: 1 }),
  })
  expect(await cms().hostImage?.(image)).toMatchObject({
    kind: 'refused',
    code: 'validation',
    retryable: false,
    reason: expect.stringContaining('upload_max_filesize'),
  })
  await restart({ postMaxSize: 100 })
  const reason = expect.stringContaining('post_max_size')
  const url = `${standIn.url}/_image.png`
  expect(await cms().hostImage?.({ url, alt: 'A' })).toMatchObject({ kind: 'refused', code: 'validation', reason })
})

test('secrets that a site repeats are never shown', async () => {
  const message = `No: ${standIn.passwordOf('admin')}`
  await fetch(`${standIn.url}/_faults`, {
    method: 'POST',
    body: JSON.stringify({ path: '/wp/v2', status: 403, answer: { code: 'no', message } }),
  })
  const refusal = await cms().find({ marker: 'm', slug: 's', title: 't' })
  expect(refusal).toMatchObject({ kind: 'refused', reason: expect.stringContaining('[hidden]') })
  expect(JSON.stringify(refusal)).not.toContain(standIn.passwordOf('admin'))
})
