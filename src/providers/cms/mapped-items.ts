import * as z from 'zod/mini'
import type { CmsArticle, CmsPost, CmsQuery, CmsResult, CmsVersion } from '../../publishing/target/cms-adapter.ts'
import { done, type Found, type Got, got, refused } from './http.ts'
import type { Mapping } from './mapped-fields.ts'
import { type Built, keptValues } from './mapped-values.ts'

/** Returns a function that reads a setting, and keeps it once it was read. */
export const readOnce = <T>(load: () => Promise<Got<T>>): (() => Promise<Got<T>>) => {
  let known: T | undefined
  return async () => {
    if (known !== undefined) return got(known)
    const read = await load()
    if (read.kind === 'got') known = read.value
    return read
  }
}

/** Returns a function that does work with a setting. A setting that cannot be read is the result. */
export const workWith =
  <S>(setting: () => Promise<Got<S>>) =>
  async <T>(work: (setting: S) => Promise<CmsResult<T>> | CmsResult<T>): Promise<CmsResult<T>> => {
    const known = await setting()
    return known.kind === 'got' ? await work(known.value) : known
  }

/** Returns the post of an article among those that something of it found: by the id, else by our mark, else by the slug. */
export const postOf = (
  posts: readonly CmsPost[],
  { remoteId = '', marker, slug }: Pick<CmsQuery, 'remoteId' | 'marker' | 'slug'>,
): CmsResult<Found> => {
  // Some databases ignore case in a comparison.
  const known = posts.find((post) => remoteId !== '' && post.remoteId.toLowerCase() === remoteId.toLowerCase())
  if (known) return done({ ...known, matchedBy: 'remote_id' })
  const marked = posts.find((post) => marker !== '' && post.marker === marker)
  if (marked) return done({ ...marked, matchedBy: 'marker' })
  const slugged = posts.find((post) => slug !== '' && post.slug === slug)
  return done(slugged ? { ...slugged, matchedBy: 'slug' } : null)
}

/** Returns the refusal of a change of an item that somebody changed since it was read. `item`: what the CMS calls it. */
export const changedMeanwhile = (cms: string, item: string) =>
  refused('changed', `Somebody changed the ${item} in ${cms} at the same moment. Nothing was changed.`, 409, true)

/**
 * Adds the image to built values, as the id under which `store` put it into the CMS. An image that was not stored is left out, with a
 * note.
 */
export const withImage = async (
  { mapping }: { mapping: Mapping },
  { image }: CmsArticle,
  { values, notes }: Built,
  store: (image: { url: string; alt: string }) => Promise<Got<string | number>>,
): Promise<Built> => {
  if (mapping.image?.kind !== 'file') return { values, notes }
  const { name } = mapping.image
  if (!image) return { values: { ...values, [name]: null }, notes }
  const file = await store(image)
  if (file.kind === 'got') return { values: { ...values, [name]: file.value }, notes }
  return { values, notes: [...notes, `The image was left out: ${file.reason}`] }
}

/** Returns a note if the CMS gave a new post another slug. */
export const slugNotes = (cms: string, { mapping }: { mapping: Mapping }, post: CmsPost, slug: string): string[] =>
  mapping.slug !== undefined && post.slug !== slug ? [`${cms} stored the slug "${post.slug}" for "${slug}".`] : []

const Kept = z.object({ values: z.record(z.string(), z.unknown()) })

/** Returns the values of a kept version; undefined if it cannot be read. */
export const keptIn = (version: CmsVersion): Record<string, unknown> | undefined => Kept.safeParse(version).data?.values

/** Returns kept values without those of fields that the collection no longer has. */
export const stillThere = (
  values: Record<string, unknown>,
  item: Record<string, unknown>,
  { mapping }: { mapping: Mapping },
): Record<string, unknown> => {
  const there = Object.keys(keptValues(item, mapping))
  return Object.fromEntries(Object.entries(values).filter(([name]) => there.includes(name)))
}
