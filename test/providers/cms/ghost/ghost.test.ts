import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type GhostOptions, type GhostStandIn, startGhost } from '../../../../local/cms/ghost.ts'
import { ghostConnection } from '../../../../src/providers/cms/ghost/connect.ts'
import { ghostCms } from '../../../../src/providers/cms/ghost/index.ts'
import { cmsTarget } from '../../../../src/providers/cms/posts.ts'
import {
  article,
  clockAt,
  meansAt,
  oneFault,
  ownArticle,
  PROOF_TIMEOUT_MS,
  postOf,
  probing,
  proveCachedHost,
  proveFaults,
  proveRepeats,
  proveWordsNamed,
  requestOf,
  seeded,
  troubleFrom,
} from '../../drive.ts'
import { cmsOf, describeGhost } from './behaviour.ts'
import { describeAdopted, type EditedSite } from './behaviour-adopted.ts'

const clock = clockAt('2026-11-21T10:00:00Z')
let ghost: GhostStandIn
let site: EditedSite

const restart = async (options: GhostOptions = {}) => {
  await ghost?.close()
  ghost = await startGhost({ now: clock.now, ...options })
  const makePage = async (slug: string, title: string) => ghost.state.pages.push({ id: slug, slug, title })
  site = {
    url: ghost.url,
    key: ghost.key,
    image: `${ghost.url}/_image.png`,
    now: clock,
    makePage,
    writePost: async (title, lexical) => ghost.write({ title, lexical }).id,
    saveText: async (id, lexical) => {
      const stored = ghost.posts().find((one) => one.id === id)
      if (stored) stored.lexical = lexical
    },
  }
}
const cms = () => cmsOf(site)
const fault = (rule: object) => fetch(`${ghost.url}/_faults`, { method: 'POST', body: JSON.stringify(rule) })

beforeEach(() => restart())
afterEach(() => ghost.close())

describe('the connection form', () => {
  const admin_api_key = `${'a'.repeat(24)}:${'b'.repeat(64)}`

  it.each(['https://shed.example', 'https://shed.example/ghost/', 'https://shed.example/ghost/api/admin/?x=1'])(
    'knows the site by %s',
    (api_url) => {
      expect(ghostConnection.connection({ api_url, admin_api_key })).toEqual({
        url: 'https://shed.example',
        urlField: 'api_url',
        name: 'shed.example',
        secrets: { admin_api_key },
      })
    },
  )

  it('keeps the folder of a site', () => {
    const api_url = 'https://shed.example/blog/ghost/#/settings'
    expect(ghostConnection.connection({ api_url, admin_api_key }).url).toBe('https://shed.example/blog')
  })

  it.each(['1234567890abcdef1234567890', '', 'a:b', `${'a'.repeat(24)}:${'g'.repeat(64)}`])(
    'refuses the key "%s"',
    (key) => {
      const parsed = ghostConnection.fields.safeParse({ api_url: 'https://shed.example', admin_api_key: key })
      expect(parsed.error?.issues[0]).toMatchObject({
        path: ['admin_api_key'],
        message: expect.stringContaining('Admin'),
      })
    },
  )
})

describe('as the real one', () => {
  describeGhost(() => site)
  describeAdopted(() => site)
})

describe('failures', () => {
  it('detects a site that is not Ghost, and one that redirects', async () => {
    const other = { id: 1, platform: 'ghost', url: `${ghost.url}/blog`, secrets: { admin_api_key: ghost.key } }
    expect(await ghostCms(other, probing(meansAt(clock))).probe()).toMatchObject({ code: 'site_not_found' })
    await fault({ path: 'site/', status: 301, answer: '' })
    expect(await cms().probe()).toMatchObject({ code: 'site_not_found', reason: expect.stringContaining('redirects') })
  })

  it.each([
    [{ status: 403, answer: { errors: [{ type: 'NoPermissionError', message: 'No.' }] } }, 'auth_forbidden', 'No.'],
    [{ status: 403, answer: { errors: [{ type: 'HostLimitError', message: 'Upgrade.' }] } }, 'plan_limit', 'Upgrade.'],
    [{ status: 422, answer: { errors: [{ message: 'Bad.', context: 'Why.' }] } }, 'validation', 'Bad. Why.'],
    [{ status: 403, answer: '<html>Access Denied</html>' }, 'blocked', 'firewall'],
    [{ status: 429, answer: { errors: [{ message: 'Slow down.' }] } }, 'rate_limited', 'too many'],
  ])('passes Ghost’s message on: %j', async (rule, code, reason) => {
    await fault({ path: 'POST', ...rule })
    expect(await cms().create(article())).toMatchObject({
      kind: 'refused',
      code,
      reason: expect.stringContaining(reason),
    })
    expect(ghost.posts()).toHaveLength(0)
  })

  it.each([{ drop: 'after' }, { drop: 'before' }, { status: 500, answer: {} }, { status: 201, answer: { posts: 7 } }])(
    'has an unknown outcome of a creation: %j',
    async (rule) => {
      await fault({ path: 'POST', ...rule })
      expect(await cms().create(article())).toMatchObject({ kind: 'unknown' })
    },
  )

  it.each([
    { status: 404, answer: '<html>Not found</html>' },
    { status: 404, answer: {} },
    { status: 301, answer: '' },
  ])('does not take %j as proof that there is no post', async (rule) => {
    const { remoteId } = postOf(await cms().create(ownArticle('there')))
    await fault({ path: `posts/${remoteId}`, ...rule })
    expect(await cms().find({ marker: 'galley-00c0ffee-there', slug: 'there', title: '', remoteId })).toMatchObject({
      kind: 'refused',
    })
  })

  it('repeats no request if a read fails', async () => {
    await fault({ path: 'GET', drop: 'before' })
    expect(await cms().find({ marker: 'galley-1-1', slug: 'x', title: '' })).toMatchObject({
      kind: 'refused',
      code: 'unavailable',
      retryable: true,
    })
    expect(ghost.calls).toHaveLength(1)
  })
})

describe('someone else at the editor', () => {
  const editing = (times: number) => {
    let left = times
    return restart({
      beforeChange: (stored) => {
        if (left <= 0) return
        left -= 1
        stored.updated_at = `2020-01-01T00:00:0${left}.000Z`
      },
    })
  }

  it('is retried once: the post is read again and changed', async () => {
    await editing(0)
    const { remoteId } = postOf(await cms().create(ownArticle('a')))
    await editing(1)
    ghost.state.posts.clear()
    expect(remoteId).toMatch(/^[0-9a-f]{24}$/)
    expect(await cms().create(ownArticle('a'))).toMatchObject({ kind: 'done', value: { status: 'published' } })
  })

  it('is reported as a conflict that may pass, if it continues', async () => {
    await editing(9)
    expect(await cms().create(ownArticle('a'))).toMatchObject({ kind: 'refused', code: 'conflict', retryable: true })
  })
})

it('never changes someone else’s post with the slug', async () => {
  await cms().create(ownArticle('shed', { marker: 'galley-other-1', title: 'Theirs' }))
  const answer = await cmsTarget(cms(), 'Galley').deliver(requestOf(clock, { slug: 'shed' }))
  expect(answer).toMatchObject({ kind: 'refused', retryable: false, reason: expect.stringContaining('"shed"') })
  expect(ghost.posts()).toMatchObject([{ title: 'Theirs' }])
})

it('does not use a draft with a numbered slug, because the slug is someone else’s', async () => {
  await cms().create(ownArticle('shed', { marker: 'galley-other-1' }))
  await fault({ path: 'DELETE', drop: 'before' })
  const target = cmsTarget(cms(), 'Galley')
  const request = requestOf(clock, { slug: 'shed', title: 'Mine' })
  expect(await cms().create(ownArticle('shed', { marker: 'galley-00c0ffee-7' }))).toMatchObject({
    code: 'slug_taken',
    reason: expect.stringContaining('A draft under "shed-2" could not be deleted'),
  })
  await fetch(`${ghost.url}/_faults`, { method: 'DELETE' })
  expect(await target.deliver(request)).toMatchObject({ kind: 'refused', retryable: false })
  expect(ghost.posts().map((stored) => stored.status)).toEqual(['published', 'draft'])
})

it('chooses the article’s own post if people copied it with its mark', async () => {
  const made = postOf(await cms().create(ownArticle('shed')))
  const [stored] = ghost.posts()
  if (stored) ghost.state.posts.set('copy', { ...stored, id: 'copy', slug: 'shed-copy', status: 'draft' })
  expect(await cms().find({ marker: 'galley-00c0ffee-shed', slug: 'shed', title: '' })).toMatchObject({
    value: { remoteId: made.remoteId },
  })
})

it('keeps the tags people gave the post for their theme', async () => {
  const { remoteId } = postOf(await cms().create(ownArticle('shed', { tags: ['Old'] })))
  const [stored] = ghost.posts()
  stored?.tags.push({ id: 'x', name: '#wide', slug: 'hash-wide', visibility: 'internal' })
  ghost.state.tags.push({ id: 'x', name: '#wide', slug: 'hash-wide', visibility: 'internal' })
  await cms().update(remoteId, ownArticle('shed', { tags: ['New'] }))
  expect(ghost.posts()[0]?.tags.map((tag) => tag.name)).toEqual(['New', '#galley-00c0ffee-shed', '#wide'])
})

it('keeps the date of a live post, and sets that of a draft', async () => {
  const { remoteId } = postOf(await cms().create(ownArticle('shed', { status: 'draft' })))
  await cms().update(remoteId, ownArticle('shed', { publishedAt: '2025-01-01T00:00:00.000Z' }))
  await cms().update(remoteId, ownArticle('shed', { publishedAt: '2020-01-01T00:00:00.000Z', title: 'Next' }))
  expect(ghost.posts()).toMatchObject([{ title: 'Next', published_at: '2025-01-01T00:00:00.000Z' }])
})

it('never repeats the key, whatever Ghost says', async () => {
  const secret = ghost.key.slice(25)
  await fault({
    path: 'users/',
    status: 401,
    answer: { errors: [{ message: `Bad ${secret}`, type: 'UnauthorizedError' }] },
  })
  const answer = await cms().probe()
  expect(answer).toMatchObject({ code: 'auth_invalid', reason: expect.stringContaining('Bad [hidden]') })
  expect(JSON.stringify(answer)).not.toContain(secret.slice(0, 12))
})

it('never gives a post a future date', async () => {
  await cms().create(ownArticle('shed', { publishedAt: '2027-01-01T00:00:00.000Z' }))
  expect(ghost.posts()).toMatchObject([{ status: 'published', published_at: '2026-11-21T10:00:00.000Z' }])
})

it('notes texts that are too long for Ghost', async () => {
  const image = { url: `https://i.example/${'a'.repeat(2_000)}.png`, alt: '' }
  expect(
    await cms().create(ownArticle('long', { title: 'T'.repeat(300), metaDescription: 'm'.repeat(600), image })),
  ).toMatchObject({
    notes: [/address is longer/, /title was cut/, /meta description was cut/].map((text) =>
      expect.stringMatching(text),
    ),
  })
})

/** Returns the posts as readers and editors see them. */
const shownPosts = () =>
  ghost.posts().map(({ id, slug, title, html, status }) => ({
    remoteId: id,
    slug,
    title,
    content: html,
    isLive: status === 'published',
  }))

it.each([true, false])('keeps an editor’s words behind a host that caches reads, if it says so: %s', async (says) => {
  ghost.cacheReads({ now: clock.now, ms: 600_000, says })
  await proveWordsNamed(cms(), clock)
})

it('claims nothing that a cache in front of the site answered', async () => {
  await proveCachedHost(cmsTarget(cms(), 'Galley'), clock, ghost, shownPosts, { isFresh: true })
})

it('ends a repeated call as one undisturbed call, wherever the first one failed', {
  timeout: PROOF_TIMEOUT_MS,
}, async () => {
  const fault = oneFault()
  await restart({ trouble: fault.trouble })
  await proveRepeats(cmsTarget(cms(), 'Galley'), clock, fault, shownPosts)
})

it('loses nothing and creates nothing twice, whatever fails', { timeout: PROOF_TIMEOUT_MS }, async () => {
  await restart({ trouble: troubleFrom(seeded(3)) })
  await proveFaults(cmsTarget(cms(), 'Galley'), clock, shownPosts, (slug) => `${ghost.url}/${slug}/`)
})

// polylang/polylang#1401
it.each([
  [['F'], ['F#'], ['F#']],
  [['Net'], ['.NET'], ['.NET']],
  [['A+'], ['A-'], ['A-']],
  [['C'], ['C++', 'C#'], ['C++', 'C#']],
  [["Rock'n'roll"], ["Rock'n'roll"], ["Rock'n'roll"]],
  [['News'], ['news', 'NEWS'], ['News']],
  [['Other'], ['Café', 'Cafe\u0301', 'Net Core', 'Net\u00a0Core', 'ΣΑΣ', 'σας'], ['Café', 'Net Core', 'ΣΑΣ']],
])('a site with the tags %j: an article tagged %j has %j', async (there, tags, kept) => {
  await cms().create(ownArticle('first', { tags: there }))
  await cms().create(ownArticle('second', { tags }))
  const shown = ghost.posts().find((one) => one.slug === 'second')
  expect(shown?.tags.map(({ name }) => name).filter((name) => !name.startsWith('#'))).toEqual(kept)
})

it('a tag that differs in case only is the site’s, though its slug is another', async () => {
  await cms().create(ownArticle('first', { tags: ['Opening Hours'] }))
  const hours = ghost.posts()[0]?.tags.find(({ name }) => name === 'Opening Hours')
  if (!hours) throw new Error('no tag')
  hours.slug = 'when'
  await cms().create(ownArticle('second', { tags: ['opening hours', "it's"] }))
  const shown = ghost.posts().find((one) => one.slug === 'second')
  expect(shown?.tags.map(({ name }) => name).filter((name) => !name.startsWith('#'))).toEqual(['Opening Hours', "it's"])
})

it('names a card that HTML has no element for, and changes nothing', async () => {
  const { remoteId } = postOf(await cms().create(ownArticle('podcast')))
  const stored = ghost.posts().find(({ id }) => id === remoteId)
  if (!stored) throw new Error('no post')
  stored.lexical = JSON.stringify({ root: { children: [{ type: 'transistor', version: 1 }] } })
  const next = await cms().update(remoteId, ownArticle('podcast', { html: '<p>Other words.</p>' }), {
    intent: 'change',
  })
  expect(next).toMatchObject({ kind: 'refused', reason: expect.stringContaining('the podcasts of members') })
  expect(stored.lexical).toContain('transistor')
})

// TryGhost/Ghost#24588
it('restores the members-only divider if its place is certain, else names it and changes nothing', async () => {
  const { remoteId } = postOf(await cms().create(ownArticle('members', { html: '<p>For all.</p><p>For members.</p>' })))
  const paragraph = (text: string) => ({ type: 'paragraph', children: [{ type: 'extended-text', text }] })
  const children = [paragraph('For all.'), { type: 'paywall' }, paragraph('For members.')]
  const stored = ghost.posts().find(({ id }) => id === remoteId)
  if (!stored) throw new Error('no post')
  stored.lexical = JSON.stringify({ root: { children } })
  const other = await cms().update(remoteId, ownArticle('members', { html: '<p>Other words.</p>' }), {
    intent: 'change',
  })
  expect(other).toMatchObject({ kind: 'refused', reason: expect.stringContaining('the members-only divider') })
  expect(stored.lexical).toContain('For members.')
  const tags = await cms().update(remoteId, ownArticle('members', { tags: ['New'] }), {
    intent: 'change',
    only: ['tags'],
  })
  expect(tags).toMatchObject({ kind: 'done' })
  const more = ownArticle('members', { html: '<p>For <b>all</b>.</p><p>More for members.</p>' })
  const changed = await cms().update(remoteId, more, { intent: 'change' })
  expect(changed).toMatchObject({ kind: 'done' })
  expect(ghost.posts().find(({ id }) => id === remoteId)?.html).toBe(
    '<p>For <b>all</b>.</p><!--members-only--><p>More for members.</p>',
  )
})
