import { expect } from 'vitest'
import type { OwnFields } from '../../schema/values/own-fields.ts'
import { cmsTarget } from '../../src/providers/cms/posts.ts'
import type { Cms } from '../../src/publishing/target/cms-adapter.ts'
import { type Clock, requestOf } from './drive.ts'

/** Own fields at a CMS: values, the same as stored, a field that is emptied, and how a post's fields are read. */
type Fields = {
  given: OwnFields
  stored: Record<string, unknown>
  emptied: string
  read: (remoteId: string) => Promise<Record<string, unknown>> | Record<string, unknown>
}

/** Own fields of a collection of a headless CMS: what an article sends, and what is stored. */
export const OF_COLLECTION = {
  given: {
    rating: 4,
    featured: true,
    layout: 'wide',
    badges: ['new', 'top'],
    takeaways: '<p>Dry <strong>floors</strong></p><script>alert(1)</script>',
  },
  stored: { rating: 4, featured: true, layout: 'wide', badges: ['new', 'top'], takeaways: 'Dry **floors**' },
  emptied: 'rating',
}

/** Proves that own fields get their values in the CMS's form, and that an update changes those alone that it sends. */
export const proveOwnFields = async (
  cms: Cms,
  clock: Clock,
  { given, stored, emptied, read }: Fields,
): Promise<void> => {
  const target = cmsTarget(cms, 'Galley')
  const own = { id: '71', slug: 'own-fields' }
  const made = await target.deliver(requestOf(clock, { ...own, fields: given }))
  expect(made).toMatchObject({ kind: 'accepted' })
  const remoteId = made.kind === 'accepted' ? (made.remoteId ?? '') : ''
  const known = { ...own, external_id: remoteId }
  expect(await read(remoteId)).toMatchObject(stored)
  const send = (fields: OwnFields, only: 'fields' | 'title') =>
    target.deliver({ ...requestOf(clock, { ...known, title: 'Other words', fields }, true), only: [only] })
  expect(await send({ ...given, [emptied]: null }, 'title')).toMatchObject({ kind: 'accepted' })
  expect(await read(remoteId)).toMatchObject(stored)
  expect(await send({ [emptied]: null }, 'fields')).toMatchObject({ kind: 'accepted' })
  const after = await read(remoteId)
  const { [emptied]: _, ...others } = stored
  expect(after).toMatchObject(others)
  // WordPress shows the empty value of a field's type.
  expect([null, '', 0, []]).toContainEqual(after[emptied] ?? null)
}

/** Proves that values that do not fit are refused with the names of their fields and what is allowed, before anything is written. */
export const proveMisfits = async (cms: Cms, clock: Clock, misfits: readonly [OwnFields, string][]): Promise<void> => {
  const target = cmsTarget(cms, 'Galley')
  const own = { id: '72', slug: 'misfits' }
  for (const [fields, words] of misfits)
    expect(await target.deliver(requestOf(clock, { ...own, fields }))).toEqual({
      kind: 'refused',
      retryable: false,
      reason: expect.stringContaining(words),
    })
  expect((await target.find?.(requestOf(clock, own)))?.kind).not.toBe('found')
}
