import fc from 'fast-check'
import { expect, it } from 'vitest'
import { cutSlug, MAX_SLUG, slugify } from '../../src/lib/slug.ts'

it.each([
  ['Garden Sheds', 'garden-sheds'],
  ['  10 best   sheds!! ', '10-best-sheds'],
  ['Crème brûlée à la carte', 'creme-brulee-a-la-carte'],
  ['Straße & Köln', 'strasse-koeln'],
  ['Don’t panic', 'dont-panic'],
  ['Привет мир', 'privet-mir'],
  ['ＳＥＯ対策 ２０２６', 'seo-2026'],
  ['ﬁne ﬂow 𝐒𝐡𝐞𝐝', 'fine-flow-shed'],
  ['---', ''],
  ['🦊', ''],
  ['', ''],
])('%j becomes %j', (text, slug) => expect(slugify(text)).toBe(slug))

it('is always ASCII letters, digits and single hyphens, short enough, and a slug of itself', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
      const slug = slugify(text)
      expect(slug).toMatch(/^([a-z0-9]+(-[a-z0-9]+)*)?$/)
      expect(slug.length).toBeLessThanOrEqual(MAX_SLUG)
      expect(slugify(slug)).toBe(slug)
    }),
  )
})

it('is cut between words, and inside the only one where it must be', () => {
  expect(slugify(`${'word '.repeat(15)}longer`)).toBe(Array.from({ length: 15 }, () => 'word').join('-'))
  expect(slugify('x'.repeat(100))).toBe('x'.repeat(80))
  expect(cutSlug('one-two-three', 7)).toBe('one-two')
  expect(cutSlug('one-two-three', 9)).toBe('one-two')
  expect(cutSlug('one-two-three', 2)).toBe('on')
})
