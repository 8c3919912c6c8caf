import { describe, expect, it } from 'vitest'
import { cmsTarget } from '../../../../src/providers/cms/posts.ts'
import type { SentWords } from '../../../../src/publishing/target/sent-words.ts'
import { article, idOf, keepingFor, oneFault, query, requestOf } from '../../drive.ts'
import { eachOnItsHost } from './scene.ts'

const PATH = 'src/content/blog/how-to-build-a-shed.md'
const BRANCH = 'galley/00c0ffee-7'
const HTML = '<h2>Why</h2><p>A shed keeps tools dry.</p><h2>How</h2><p>With planks.</p>'
const BUILDS = {
  gitea: [
    ['pending', 'waiting'],
    ['success', 'built'],
    ['failure', 'failed'],
  ],
  gitlab: [
    ['running', 'waiting'],
    ['success', 'built'],
    ['failed', 'failed'],
  ],
} as const

describe.each(['gitea', 'gitlab'] as const)('a repository at %s', (host) => {
  const { clock, restart, cms, standIn, text } = eachOnItsHost(host)
  const target = (fields = {}) => cmsTarget(cms(fields), 'Galley')
  const proposing = () => target({ mode: 'pull_request' })
  const git = (...args: string[]) => standIn().repository.git(args)
  const callsOf = async (run: () => Promise<unknown>) => {
    const before = standIn().calls.length
    await run()
    return standIn().calls.length - before
  }

  it('has one commit for each publication, update and take-down, of the changed lines, in few calls', async () => {
    const first = requestOf(clock, { content_html: HTML })
    const sent: SentWords[] = [{ ...first.article, arrived: true }]
    expect(await callsOf(() => target().deliver(first))).toBeLessThanOrEqual(6)
    expect(text(PATH)).toContain("title: 'How to build a shed'")
    standIn().repository.push({ [PATH]: text(PATH).replace('tools dry', 'tools and bicycles dry') })
    const change = requestOf(
      clock,
      { ...first.article, external_id: PATH, content_html: HTML.replace('planks', 'nails') },
      true,
    )
    const update = () =>
      target().deliver(
        change,
        keepingFor(() => sent),
      )
    expect(await callsOf(update)).toBeLessThanOrEqual(7)
    expect(text(PATH)).toMatch(/bicycles dry\.[\s\S]*With nails\./)
    expect(await update()).toMatchObject({ kind: 'accepted', remoteId: PATH })
    expect(await callsOf(() => cms().unpublish?.(PATH, article()) ?? Promise.resolve())).toBeLessThanOrEqual(6)
    expect(git('log', '--format=%s', 'main').split('\n')).toEqual([
      'Unpublish how-to-build-a-shed.md',
      'Update how-to-build-a-shed.md',
      'By hand',
      'Publish how-to-build-a-shed.md',
      'First commit',
    ])
    expect(git('fsck', '--strict', '--full')).toBe('')
  })

  it('never writes over what a person changed between reading and committing', async () => {
    const id = idOf(await cms().create(article()))
    let edits = 1
    standIn().beforeCommit(() => {
      if (edits-- > 0) standIn().repository.push({ [id]: text(id).replace('layout: wide', 'layout: narrow') })
    })
    expect(await cms().update(id, article({ title: 'Sheds' }), { intent: 'change', only: ['title'] })).toMatchObject({
      kind: 'done',
    })
    expect(text(id)).toMatch(/title: 'Sheds'[\s\S]*layout: narrow/)
    const other = 'src/content/blog/huts.md'
    standIn().beforeCommit(() => {
      if (text(other) === '') standIn().repository.push({ [other]: 'Of Jane.\n' })
    })
    expect(await cms().create(article({ slug: 'huts' }))).toMatchObject({ kind: 'refused', code: 'slug_taken' })
    expect(text(other)).toBe('Of Jane.\n')
    standIn().beforeCommit(() => standIn().repository.push({ [id]: null }))
    expect(await cms().update(id, article({ title: 'Huts' }), { intent: 'change', only: ['title'] })).toEqual({
      kind: 'done',
      value: null,
    })
  })

  it('finds a renamed file, reads builds, and says what the token or the branch does not allow', async () => {
    const id = idOf(await cms().create(article()))
    for (const [word, state] of BUILDS[host]) {
      standIn().settings.build = word
      expect(await cms().build?.(id)).toMatchObject({ value: { state } })
    }
    standIn().settings.build = null
    expect(await cms().build?.(id)).toEqual({ kind: 'done', value: { state: 'none', url: null } })
    standIn().repository.push({ [id]: null, 'src/content/blog/sheds.md': text(id) })
    expect(await cms().find({ ...query, remoteId: id })).toMatchObject({
      value: { remoteId: 'src/content/blog/sheds.md', matchedBy: 'marker' },
    })
    standIn().settings.isProtected = true
    expect(await cms().create(article({ slug: 'huts' }))).toMatchObject({ kind: 'refused', code: 'blocked' })
    expect(await cms({ token: 'wrong' }).probe()).toMatchObject({ kind: 'refused', code: 'auth_invalid' })
    standIn().settings.contents = 'none'
    expect(await cms().probe()).toMatchObject({ kind: 'refused', code: 'site_not_found' })
  })

  it('opens a request, adds changes to it, reads what people said, and begins anew after it ended', async () => {
    const request = requestOf(clock, { content_html: HTML })
    const opened = await proposing().deliver(request)
    expect(opened).toMatchObject({ kind: 'proposed', url: expect.stringMatching(/\/1$/) })
    const next = requestOf(clock, { content_html: '<p>Second text.</p>' })
    expect(await proposing().deliver(next)).toEqual(opened)
    expect(git('rev-list', '--count', `main..${BRANCH}`)).toBe('2')
    standIn().repository.push(
      { [PATH]: `${standIn().repository.read(PATH, BRANCH)}\nA line of Jane.\n` },
      'By hand',
      BRANCH,
    )
    expect(await proposing().deliver(request)).toMatchObject({ kind: 'refused', retryable: false })
    standIn()
      .pulls.find(1)
      .reviews.push({ author: 'bob', body: 'Not yet.', lines: ['Too long.'] })
    standIn().pulls.close(1, { author: 'jane', body: 'No.' })
    standIn().pulls.open({ base: 'main', branch: BRANCH, title: 'Mine', body: '', isCross: true })
    expect(await proposing().pull?.(request)).toMatchObject({
      value: { state: 'closed', said: 'jane: No. bob: Not yet. bob: Too long.' },
    })
    expect(await proposing().deliver(request)).toMatchObject({ kind: 'proposed', url: expect.stringMatching(/\/3$/) })
    standIn().pulls.merge(3, 'squash')
    standIn().pulls.deleteBranch(BRANCH)
    expect(await proposing().pull?.(request)).toMatchObject({ value: { state: 'merged' } })
    expect(text(PATH)).toContain('With planks.')
    const change = requestOf(clock, { external_id: PATH, title: 'Sheds' }, true)
    expect(await proposing().deliver({ ...change, only: ['title'] })).toMatchObject({ kind: 'proposed' })
    expect(await proposing().closePull?.(change, 'Taken back.')).toMatchObject({ value: { state: 'open' } })
    expect(standIn().pulls.find(4)).toMatchObject({ state: 'CLOSED', comments: [{ body: 'Taken back.' }] })
    expect(standIn().repository.head(BRANCH)).toBeUndefined()
  })

  it('opens one request with one commit, whichever answer is lost', async () => {
    const fault = oneFault()
    await restart({ trouble: fault.trouble })
    const request = (n: number) => requestOf(clock, { id: String(n), slug: `case-${n}`, title: `Case ${n}` })
    await proposing().deliver(request(0))
    const requests = fault.count()
    for (let place = 1; place <= requests; place += 1) {
      fault.at(place, { drop: 'after' })
      await proposing().deliver(request(place))
      fault.at(0)
      expect(await proposing().deliver(request(place))).toMatchObject({ kind: 'proposed' })
      const branch = `galley/00c0ffee-${place}`
      expect(standIn().pulls.all.filter((pull) => pull.branch === branch)).toHaveLength(1)
      expect(git('rev-list', '--count', `main..${branch}`)).toBe('1')
    }
  })

  it('claims nothing that a cache says it answered', async () => {
    const id = idOf(await cms().create(article()))
    standIn().cacheReads({ now: clock.now, ms: 600_000, says: true })
    expect(await cms().unpublish?.(id, article())).toMatchObject({ kind: 'done' })
    expect(await cms().update(id, article())).toMatchObject({ kind: 'refused', code: 'cached', retryable: true })
  })
})
