import { describe, expect, it } from 'vitest'
import { cmsTarget } from '../../src/providers/cms/posts.ts'
import type { Cms, CmsFailure, CmsFound, CmsPost, CmsVersion } from '../../src/publishing/target/cms-adapter.ts'
import { clockAt, keepingFor, requestOf } from './drive.ts'

const clock = clockAt('2026-11-21T10:00:00Z')
const post: CmsPost = {
  remoteId: '5',
  slug: 'how-to-build-a-shed',
  title: 'How to build a shed',
  status: 'published',
  url: 'https://shed.example/how-to-build-a-shed',
  marker: 'galley-00c0ffee-7',
  createdAt: null,
}
const found: CmsFound = { ...post, matchedBy: 'remote_id', changedAt: '2026-11-21T09:00:00' }
const refused = (code: 'changed' | 'cached' | 'unavailable'): CmsFailure => ({
  kind: 'refused',
  code,
  reason: 'No.',
  retryable: true,
})

/** Returns a CMS with one post, whose `read` and `update` give these results one after another. */
const cmsOf = (reads: CmsVersion[], updates: Awaited<ReturnType<Cms['update']>>[], more: Partial<Cms> = {}): Cms => ({
  probe: async () => ({ kind: 'done', value: { name: '', url: null } }),
  find: async () => ({ kind: 'done', value: found }),
  create: async () => ({ kind: 'done', value: post }),
  update: async () => updates.shift() ?? { kind: 'done', value: post },
  read: async () => ({ kind: 'done', value: reads.shift() ?? null }),
  restore: async () => ({ kind: 'done', value: post }),
  ...more,
})
const at = (changedAt: string, content: string): CmsVersion => ({
  content,
  changedAt: `2026-11-21T${changedAt}:00`,
  words: { text: content },
})
const update = requestOf(clock, { external_id: '5' }, true)
const ours = () => [{ ...update.article, content_html: '<p>Ours.</p>' }]

describe('the version kept before a change', () => {
  it('is dropped if the change was refused, and stays if part of it may be there', async () => {
    const versions: CmsVersion[] = []
    const deliver = (failure: CmsFailure) =>
      cmsTarget(cmsOf([at('09:00', 'Ours.')], [failure]), 'Galley').deliver(update, keepingFor(ours, versions))
    await deliver(refused('unavailable'))
    expect(versions).toEqual([])
    await deliver({ ...refused('unavailable'), wasWritten: true } as CmsFailure)
    expect(versions).toEqual([{ content: 'Ours.' }])
    await deliver({ kind: 'unknown', reason: 'Lost.' })
    expect(versions).toEqual([{ content: 'Ours.' }])
  })

  it('is not older than what another answer showed', async () => {
    const versions: CmsVersion[] = []
    const cms = cmsOf([at('08:59', 'Old words.')], [])
    expect(await cmsTarget(cms, 'Galley').deliver(update, keepingFor(ours, versions))).toMatchObject({
      kind: 'refused',
      retryable: true,
      reason: expect.stringContaining('cache'),
    })
    expect(versions).toEqual([])
  })

  it('is read again if people changed the post in between, so that their words are named', async () => {
    const versions: CmsVersion[] = []
    const cms = cmsOf([at('09:00', 'Ours.'), at('09:30', 'Words of an editor.')], [refused('changed')])
    const outcome = await cmsTarget(cms, 'Galley').deliver(update, keepingFor(ours, versions))
    expect(outcome).toMatchObject({
      kind: 'accepted',
      notes: [expect.stringContaining('Words of an editor.')],
    })
    expect(versions).toEqual([{ content: 'Words of an editor.' }])
  })

  it('is not stored by a rollback to what the post shows already', async () => {
    const versions: CmsVersion[] = [{ content: 'Kept.' }, { content: 'Replaced.' }]
    const cms = cmsOf([at('09:00', 'Kept.')], [])
    await cmsTarget(cms, 'Galley').restore?.(
      requestOf(clock, { external_id: '5' }),
      { content: 'Kept.' },
      keepingFor(ours, versions),
    )
    expect(versions).toEqual([{ content: 'Kept.' }, { content: 'Replaced.' }])
  })
})

describe('a look-up that a cache answered', () => {
  const cached = (over: Partial<Cms> = {}) =>
    cmsTarget(cmsOf([], [], { find: async () => refused('cached'), ...over }), 'Galley')

  it('leaves unknown whether there is a post, and makes none', async () => {
    let made = 0
    const target = cached({
      create: async () => {
        made += 1
        return { kind: 'done', value: post }
      },
    })
    expect(await target.deliver(requestOf(clock))).toMatchObject({ kind: 'unknown' })
    expect(await target.find?.(requestOf(clock))).toMatchObject({ kind: 'unsure' })
    expect(made).toBe(0)
  })

  it('is a refusal of a change, which was not sent', async () => {
    expect(await cached().deliver(update)).toMatchObject({ kind: 'refused', retryable: true })
  })
})
