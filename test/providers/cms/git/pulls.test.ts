import { expect, it } from 'vitest'
import { cmsTarget } from '../../../../src/providers/cms/posts.ts'
import { keepingFor, oneFault, requestOf } from '../../drive.ts'
import { eachOnItsGithub } from './scene.ts'

const { clock, restart, cms, github, shown, text } = eachOnItsGithub()

const PATH = 'src/content/blog/how-to-build-a-shed.md'
const BRANCH = 'galley/00c0ffee-7'
const target = () => cmsTarget(cms({ mode: 'pull_request' }), 'Galley')
const onBranch = () => github().repository.read(PATH, BRANCH) ?? ''
const pulls = () => github().pulls.all
const URL_1 = 'https://github.com/jane/blog/pull/1'

it('commits to a branch of the article and opens one pull request, whose words no squash can misread', async () => {
  const request = {
    ...requestOf(clock, { title: '[skip ci] Fixes #12' }),
    page: 'https://galley.example/p/1/articles/7',
  }
  expect(await target().deliver(request)).toMatchObject({ kind: 'proposed', url: URL_1 })
  expect([text(PATH), shown()]).toEqual(['', []])
  expect(onBranch()).toContain("title: '[skip ci] Fixes #12'")
  expect(pulls()).toMatchObject([
    { branch: BRANCH, base: 'main', state: 'OPEN', title: 'Publish how-to-build-a-shed.md' },
  ])
  expect(pulls()[0]?.body).toContain('https://galley.example/p/1/articles/7')
  expect(pulls()[0]?.body).toMatch(/\n\nGalley-Article: galley-00c0ffee-7\nGalley-Delivery: [0-9a-f]{16}$/)
  expect(pulls()[0]?.body).not.toContain('skip ci')
  expect(await target().pull?.(request)).toMatchObject({ value: { state: 'open', url: URL_1, isCurrent: true } })
})

it('adds a later change to the open pull request, and begins a new one once it was merged', async () => {
  const first = requestOf(clock)
  await target().deliver(first)
  const next = requestOf(clock, { content_html: '<p>Second text.</p>' })
  expect(await target().deliver(next)).toMatchObject({ kind: 'proposed', url: URL_1 })
  expect(await target().deliver(next)).toMatchObject({ kind: 'proposed', url: URL_1 })
  expect(onBranch()).toContain('Second text.')
  expect(github().repository.git(['rev-list', '--count', `main..${BRANCH}`])).toBe('2')
  github().pulls.merge(1, 'squash')
  expect(await target().find?.(next)).toMatchObject({ kind: 'found', remoteId: PATH })
  const change = requestOf(clock, { external_id: PATH, content_html: '<p>Third text.</p>' }, true)
  const sent = [{ ...next.article, arrived: true }]
  expect(
    await target().deliver(
      change,
      keepingFor(() => sent),
    ),
  ).toMatchObject({
    kind: 'proposed',
    url: 'https://github.com/jane/blog/pull/2',
  })
  expect([pulls().length, text(PATH).includes('Second text.'), onBranch().includes('Third text.')]).toEqual([
    2,
    true,
    true,
  ])
  expect(await target().unpublish?.(change)).toMatchObject({ kind: 'proposed' })
  expect(pulls()[1]?.title).toBe('Unpublish how-to-build-a-shed.md')
  expect(onBranch()).toContain('draft: true')
})

it('never replaces what people changed in the pull request', async () => {
  await target().deliver(requestOf(clock))
  github().repository.push({ [PATH]: onBranch().replace('tools dry', 'tools very dry') }, 'By hand', BRANCH)
  expect(await target().deliver(requestOf(clock, { content_html: '<p>Second text.</p>' }))).toMatchObject({
    kind: 'refused',
    retryable: false,
    reason: expect.stringContaining(`in the pull request ${URL_1}`),
  })
  expect(onBranch()).toContain('tools very dry')
})

it('takes no pull request of a fork for its own, and tells what people said in its own', async () => {
  const request = requestOf(clock)
  await target().deliver(request)
  github()
    .pulls.find(1)
    .reviews.push({ author: 'bob', body: 'Not yet.', lines: ['Too long.'] })
  github().pulls.close(1, { author: 'jane', body: 'No.' })
  github().pulls.open({ base: 'main', branch: BRANCH, title: 'Mine', body: '', isCross: true })
  expect(await target().pull?.(request)).toMatchObject({
    value: { state: 'closed', url: URL_1, said: 'jane: No. bob: Not yet. bob: Too long.' },
  })
  expect(await target().deliver(request)).toMatchObject({
    kind: 'proposed',
    url: 'https://github.com/jane/blog/pull/3',
  })
})

it('closes a pull request with a comment and deletes its branch, once', async () => {
  const request = requestOf(clock)
  await target().deliver(request)
  expect(await target().closePull?.(request, 'Taken back.')).toMatchObject({ value: { state: 'open' } })
  expect(await target().closePull?.(request, 'Taken back.')).toMatchObject({ value: { state: 'closed' } })
  expect(pulls()).toMatchObject([{ state: 'CLOSED', comments: [{ body: 'Taken back.' }] }])
  expect(github().repository.head(BRANCH)).toBeUndefined()
})

it('opens a pull request where a rule forbids commits, and names the right that a token lacks', async () => {
  github().settings.rule = 'ruleset'
  expect(await target().deliver(requestOf(clock))).toMatchObject({ kind: 'proposed' })
  github().settings.writesPulls = false
  expect(await target().probe()).toMatchObject({
    kind: 'refused',
    reason: expect.stringContaining('“Pull requests: Read and write”'),
  })
})

it('opens one pull request, whichever answer is lost and repeated', async () => {
  const fault = oneFault()
  await restart({ trouble: fault.trouble })
  const request = (n: number) => requestOf(clock, { id: String(n), slug: `case-${n}`, title: `Case ${n}` })
  await target().deliver(request(0))
  const requests = fault.count()
  for (let place = 1; place <= requests; place += 1) {
    fault.at(place, { drop: 'after' })
    const first = await target().deliver(request(place))
    expect(first.kind, `request ${place}`).not.toBe('accepted')
    fault.at(0)
    expect(await target().deliver(request(place))).toMatchObject({ kind: 'proposed' })
    expect(pulls().filter((pull) => pull.branch === `galley/00c0ffee-${place}`)).toHaveLength(1)
    expect(github().repository.git(['rev-list', '--count', `main..galley/00c0ffee-${place}`])).toBe('1')
  }
})
