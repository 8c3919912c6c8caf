import { expect, it } from 'vitest'
import { cmsTarget } from '../../../../src/providers/cms/posts.ts'
import type { CmsVersion } from '../../../../src/publishing/target/cms-adapter.ts'
import type { PublishRequest } from '../../../../src/publishing/target/publish-target.ts'
import type { SentWords } from '../../../../src/publishing/target/sent-words.ts'
import { article, idOf, keepingFor, proveCachedHost, proveChange, query, requestOf } from '../../drive.ts'
import { eachOnItsGithub, matterOf } from './scene.ts'
import { DOCUSAURUS, ELEVENTY, JEKYLL } from './sites.ts'

const { clock, restart, cms, github, shown, text } = eachOnItsGithub()

const PATH = 'src/content/blog/how-to-build-a-shed.md'
const target = () => cmsTarget(cms(), 'Galley')
const log = () => github().repository.git(['log', '--format=%s', 'main']).split('\n')
const edit = (from: string, to: string) => github().repository.push({ [PATH]: text(PATH).replace(from, to) })

/** Returns the lines that differ between two texts. */
const difference = (before: string, after: string) => {
  const [old, now] = [before.split('\n'), after.split('\n')]
  return { gone: old.filter((line) => !now.includes(line)), added: now.filter((line) => !old.includes(line)) }
}

/** An article that was published, and changes of it as the service sends them. */
const published = async (more: Partial<PublishRequest['article']> = {}) => {
  const versions: CmsVersion[] = []
  const sent: SentWords[] = []
  const keeping = () => keepingFor(() => sent, versions)
  const first = requestOf(clock, {
    content_html: '<h2>Why</h2><p>A shed keeps tools dry.</p><h2>How</h2><p>With planks.</p>',
    tags: ['wood'],
    ...more,
  })
  const deliver = async (request: PublishRequest) => {
    const outcome = await target().deliver(request, keeping())
    if (outcome.kind === 'accepted') sent.unshift({ ...request.article, arrived: true })
    return outcome
  }
  expect(await deliver(first)).toMatchObject({ kind: 'accepted', remoteId: PATH })
  const change = (words: Partial<PublishRequest['article']>): PublishRequest =>
    requestOf(clock, { ...first.article, ...words, external_id: PATH }, true)
  return { first, change, deliver, versions, keeping }
}

it('commits one file, in the form of the posts of the repository', async () => {
  expect(await target().deliver(requestOf(clock, { tags: ['Wood'] }))).toEqual({
    kind: 'accepted',
    remoteId: PATH,
    url: 'https://shed.example/blog/how-to-build-a-shed/',
  })
  expect(text(PATH)).toBe(`---
title: 'How to build a shed'
description: 'Sheds, step by step.'
pubDate: 'Nov 29 2026'
tags: [blog, Wood]
draft: false
layout: wide
galley_post: galley-00c0ffee-7
---

A shed keeps tools dry.
`)
  expect(github().repository.git(['log', '-1', '--format=%an%n%B', 'main'])).toMatch(
    /^galley\[bot\]\nPublish how-to-build-a-shed\.md\n\nGalley-Article: galley-00c0ffee-7\nGalley-Delivery: [0-9a-f]{16}$/,
  )
  expect(github().repository.git(['show', '--stat', '--format=', 'main'])).toContain('1 file changed')
})

it('never brings words of a title into a commit message, where they could stop the build', async () => {
  const made = await cms().create(article({ title: '[skip ci] Fixes #12\n\nskip-checks: true' }))
  expect(made).toMatchObject({ kind: 'done' })
  const message = github().repository.git(['log', '-1', '--format=%B', 'main'])
  expect(message).not.toMatch(/skip|#12/)
  expect(matterOf(text(PATH)).title).toBe('[skip ci] Fixes #12\n\nskip-checks: true')
})

it('changes only the lines that an update changes', async () => {
  const { change, deliver } = await published()
  edit("title: 'How to build a shed'\n", "# Jane: keep this title short\ntitle:   'How to build a shed'   # for now\n")
  const before = text(PATH)
  const next = change({
    title: 'How to build two sheds',
    content_html: '<h2>Why</h2><p>A shed keeps tools dry.</p><h2>How</h2><p>With planks and nails.</p>',
  })
  expect(await deliver(next)).toMatchObject({ kind: 'accepted' })
  expect(difference(before, text(PATH))).toEqual({
    gone: ["title:   'How to build a shed'   # for now", 'With planks.'],
    added: ["title:   'How to build two sheds'   # for now", 'With planks and nails.'],
  })
  const commits = log().length
  expect(await deliver(next)).toMatchObject({ kind: 'accepted' })
  expect(log()).toHaveLength(commits)
})

it('keeps what people wrote in the file, its line ends and its own keys', async () => {
  const { change, deliver, versions } = await published()
  github().repository.push({
    [PATH]: text(PATH)
      .replace('A shed keeps tools dry.', 'A shed keeps tools and bicycles dry.')
      .replace('tags: [blog, wood]', 'tags: [blog, wood, sheds]')
      .replace('layout: wide', 'layout: narrow\nsticky: true')
      .replaceAll('\n', '\r\n'),
  })
  const before = text(PATH)
  const outcome = await deliver(
    change({
      tags: ['tools'],
      content_html: '<h2>Why</h2><p>A shed keeps tools dry.</p><h2>How</h2><p>With nails.</p>',
    }),
  )
  expect(outcome).not.toHaveProperty('notes')
  expect(difference(before, text(PATH))).toEqual({
    gone: ['tags: [blog, wood, sheds]\r', 'With planks.\r'],
    added: ['tags: [blog, sheds, tools]\r', 'With nails.\r'],
  })
  expect(versions.at(-1)).toMatchObject({ text: before })
  const rolledBack = await target().restore?.(change({}), { text: before })
  expect(rolledBack).toMatchObject({ kind: 'accepted' })
  expect(text(PATH)).toBe(before)
})

it('shows both texts if people changed the same words, and commits nothing', async () => {
  const { change, deliver, versions } = await published()
  edit('With planks.', 'With old planks.')
  edit("title: 'How to build a shed'", "title: 'Building a shed'")
  const commits = log().length
  expect(await deliver(change({ title: 'Sheds' }))).toMatchObject({
    kind: 'refused',
    retryable: false,
    reason: expect.stringMatching(/title in src.*There: “Building a shed” New: “Sheds”/),
  })
  const body = '<h2>Why</h2><p>A shed keeps tools dry.</p><h2>How</h2><p>With bricks.</p>'
  const refused = await deliver({ ...change({ content_html: body }), only: ['html'] })
  expect(refused).toMatchObject({
    kind: 'refused',
    reason: expect.stringMatching(/text in src.*There: “With old planks\.” New: “With bricks\.”/),
  })
  expect(versions).toEqual([])
  expect(log()).toHaveLength(commits)
  edit('With old planks.', 'With bricks.')
  expect(await deliver({ ...change({ content_html: body }), only: ['html'] })).toMatchObject({ kind: 'accepted' })
})

it('reads the file again if the branch moved, and gives up after three tries', async () => {
  const { change, deliver } = await published()
  let pushes = 1
  github().beforeCommit(() => {
    if (pushes-- > 0) edit('layout: wide', 'layout: wide\nby: Jane')
  })
  expect(await deliver(change({ title: 'Sheds' }))).toMatchObject({ kind: 'accepted' })
  expect(text(PATH)).toMatch(/title: 'Sheds'[\s\S]*by: Jane/)
  github().beforeCommit(() => github().repository.push({ 'other.md': String(Math.random()) }))
  expect(await deliver(change({ title: 'Huts' }))).toMatchObject({
    kind: 'refused',
    retryable: true,
    reason: expect.stringMatching(/three tries/),
  })
  github().beforeCommit(undefined)
  expect(await deliver(change({ title: 'Huts' }))).toMatchObject({ kind: 'accepted' })
})

it('takes a post down by its draft key and publishes the same file again', async () => {
  const { first } = await published()
  const known = { ...first, article: { ...first.article, external_id: PATH } }
  expect(await target().unpublish?.(known)).toEqual({ kind: 'taken_down', remoteId: PATH })
  expect(text(PATH)).toContain('draft: true')
  expect(await target().find?.(known)).toEqual({ kind: 'absent', remoteId: PATH })
  expect(await target().deliver(known)).toMatchObject({ kind: 'accepted', remoteId: PATH })
  expect(text(PATH)).toContain('draft: false')
  expect(log()).toEqual([
    'Update how-to-build-a-shed.md',
    'Unpublish how-to-build-a-shed.md',
    'Publish how-to-build-a-shed.md',
    'First commit',
  ])
})

it('deletes the file of a post if the posts have no draft key', async () => {
  await restart({ files: ELEVENTY })
  expect(await cms().create(article({ status: 'draft' }))).toMatchObject({
    kind: 'refused',
    reason: expect.stringMatching(/no key that makes a draft/),
  })
  const id = idOf(await cms().create(article()))
  expect(await cms().unpublish?.(id, article())).toMatchObject({ value: { status: 'draft', remoteId: id } })
  expect(text(id)).toBe('')
  expect(await cms().find({ ...query, remoteId: id })).toEqual({ kind: 'done', value: null })
  expect(await cms().create(article())).toMatchObject({ value: { remoteId: id } })
})

it('finds a post whose file was renamed by its mark, and never takes over a post of somebody else', async () => {
  const id = idOf(await cms().create(article()))
  github().repository.push({ [id]: null, 'src/content/blog/sheds.md': text(id) })
  expect(await cms().find({ ...query, remoteId: id })).toMatchObject({
    value: { remoteId: 'src/content/blog/sheds.md', matchedBy: 'marker' },
  })
  const other = requestOf(clock, { id: '8', slug: 'first-post', title: 'First post' })
  const before = github().repository.read('src/content/blog/first-post.md')
  expect(await target().deliver(other)).toMatchObject({
    kind: 'refused',
    reason: expect.stringMatching(/someone else/),
  })
  expect(await cms().create(article({ slug: 'first-post' }))).toMatchObject({ kind: 'refused', code: 'slug_taken' })
  expect(github().repository.read('src/content/blog/first-post.md')).toBe(before)
})

it('knows its post by the commits if the front matter has no mark', async () => {
  const fields = { keys: { title: 'title', marker: '' } }
  const id = idOf(await cms(fields).create(article()))
  expect(text(id)).not.toContain('galley')
  expect(await cms(fields).find(query)).toMatchObject({ value: { remoteId: id, matchedBy: 'marker' } })
  expect(await cms(fields).find({ ...query, marker: 'galley-00c0ffee-8' })).toMatchObject({
    value: { matchedBy: 'slug' },
  })
})

it.each([
  ['classic', 'pull request'],
  ['ruleset', 'rule violations'],
] as const)('says that a %s rule refuses direct commits', async (rule, words) => {
  github().settings.rule = rule
  expect(await cms().create(article())).toMatchObject({
    kind: 'refused',
    code: 'blocked',
    retryable: false,
    reason: expect.stringMatching(new RegExp(`${words}.*allow no direct commits`)),
  })
})

it('names the right that the token lacks', async () => {
  github().settings.contents = 'read'
  expect(await cms().create(article())).toMatchObject({
    kind: 'refused',
    code: 'auth_forbidden',
    reason: expect.stringMatching(/Contents: Read and write/),
  })
})

const DEPLOYED = { environmentUrl: 'https://preview.example', logUrl: 'https://log.example' }

it.each([
  [null, [], { state: 'none', url: null }],
  ['PENDING', [], { state: 'waiting', url: null }],
  ['SUCCESS', [], { state: 'built', url: null }],
  ['FAILURE', [], { state: 'failed', url: null }],
  ['SUCCESS', [{ state: 'IN_PROGRESS', ...DEPLOYED }], { state: 'waiting', url: 'https://log.example' }],
  ['PENDING', [{ state: 'SUCCESS', ...DEPLOYED }], { state: 'built', url: 'https://preview.example' }],
  [
    null,
    [
      { state: 'ERROR', ...DEPLOYED },
      { state: 'INACTIVE', ...DEPLOYED },
    ],
    { state: 'built', url: 'https://preview.example' },
  ],
  [null, [{ state: 'FAILURE', ...DEPLOYED }], { state: 'failed', url: 'https://log.example' }],
])('reads the build of a commit with checks %s and deployments %j', async (checks, deployments, build) => {
  const id = idOf(await cms().create(article()))
  github().settings.builds = { checks, deployments }
  expect(await cms().build?.(id)).toEqual({ kind: 'done', value: build })
})

it('sees no build if the token may not read them', async () => {
  const id = idOf(await cms().create(article()))
  github().settings.readsBuilds = false
  expect(await cms().build?.(id)).toEqual({ kind: 'done', value: { state: 'none', url: null } })
})

const KEY = '0123456789abcdef0123456789abcdef'

it('commits a key of IndexNow once, where the generator copies files from', async () => {
  const commits = log().length
  const placed = { kind: 'done', value: { location: `https://shed.example/${KEY}.txt` } }
  expect(await cms().placeKey?.(KEY)).toEqual(placed)
  expect(text(`public/${KEY}.txt`)).toBe(KEY)
  expect(await cms().placeKey?.(KEY)).toEqual(placed)
  expect(log()).toHaveLength(commits + 1)
  expect(await cms({ mode: 'pull_request' }).placeKey?.(KEY.replace('0', '1'))).toMatchObject({ kind: 'refused' })
  expect(log()).toHaveLength(commits + 1)
})

it.each([
  { generator: 'jekyll', files: JEKYLL, path: `${KEY}.txt`, location: `https://jekyll.example/blog/${KEY}.txt` },
  {
    generator: 'docusaurus',
    files: DOCUSAURUS,
    path: `website/static/${KEY}.txt`,
    location: `https://docs.example/${KEY}.txt`,
  },
  { generator: 'eleventy', files: ELEVENTY, path: `${KEY}.txt`, location: undefined },
])('places the key for $generator, or says that it cannot', async ({ files, path, location }) => {
  await restart({ files })
  expect(await cms().placeKey?.(KEY)).toMatchObject(
    location ? { kind: 'done', value: { location } } : { kind: 'refused', code: 'validation' },
  )
  expect(text(path)).toBe(location ? KEY : '')
})

it('changes a post that was taken down without showing it', async () => {
  await proveChange(target(), clock, shown)
})

it('claims nothing that a cache in front of the site answered', async () => {
  await proveCachedHost(target(), clock, github(), shown, { isFresh: true })
})
