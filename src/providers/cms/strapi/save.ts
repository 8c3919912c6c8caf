import { sha256 } from '../../../platform/lib/crypto.ts'
import type {
  CmsArticle,
  CmsFailure,
  CmsPost,
  CmsResult,
  CmsUpdate,
  CmsVersion,
} from '../../../publishing/target/cms-adapter.ts'
import { COMPLETE, makesPublic, sends, sentParts } from '../fields.ts'
import { type CmsDeps, done, fetchImage, type Got, got, misfit, refused } from '../http.ts'
import { changedMeanwhile, keptIn, slugNotes, stillThere, withImage } from '../mapped-items.ts'
import { keptValues, mappedValues, mappedWords } from '../mapped-values.ts'
import type { NotUnique, StrapiApi, StrapiDocument, StrapiFile, Version } from './api.ts'
import { toBlocks } from './blocks.ts'
import type { Setting } from './connect.ts'
import { pendingIn, toPost, withFileIds } from './transform.ts'

/** One site, and the services for working with it. */
export type Strapi = { api: StrapiApi; deps: CmsDeps }

/** A document: its draft, and what readers see, if it is public. */
export type Both = { draft: StrapiDocument; published: StrapiDocument | undefined }

/** Reads both versions of the documents that meet one of the conditions. */
export const documentsBy = async (
  api: StrapiApi,
  setting: Setting,
  conditions: readonly Record<string, string>[],
): Promise<Got<Both[]>> => {
  const { plural, populate } = setting
  const [drafts, published] = await Promise.all([
    api.documentsBy(plural, 'draft', populate, conditions),
    api.documentsBy(plural, 'published', populate, conditions),
  ])
  if (drafts.kind !== 'got') return drafts
  if (published.kind !== 'got') return published
  return got(
    drafts.value.map((draft) => {
      const live = published.value.find(({ documentId }) => documentId === draft.documentId)
      return { draft: withFileIds(draft, setting), published: live && withFileIds(live, setting) }
    }),
  )
}

const documentAt = async (api: StrapiApi, setting: Setting, documentId: string): Promise<Got<Both | null>> => {
  const found = await documentsBy(api, setting, [{ documentId }])
  return found.kind === 'got' ? got(found.value[0] ?? null) : found
}

/**
 * Returns an image as a file of the media library. Its name follows from its address, so it is uploaded once, however often a call is
 * repeated.
 */
export const storedFile = async (
  { api, deps }: Strapi,
  { url, alt }: { url: string; alt: string },
): Promise<Got<StrapiFile>> => {
  const file = await fetchImage(deps, url)
  if ('kind' in file) return file
  const extension = /\.\w+$/.exec(file.filename)?.[0] ?? ''
  const name = `image-${(await sha256(url)).slice(0, 16)}${extension}`
  const known = await api.fileNamed(name)
  if (known.kind !== 'got') return known
  if (known.value) return got(known.value)
  const form = new FormData()
  form.append('fileInfo', JSON.stringify({ name, alternativeText: alt }))
  form.append('files', new Blob([file.bytes], { type: file.type }), name)
  const made = await api.upload(form)
  if (made.kind !== 'unknown') return made
  const stored = await api.fileNamed(name)
  return stored.kind === 'got' && stored.value ? got(stored.value) : made
}

/** Returns the function that stores an image of an article, and answers its id. */
const imageIn =
  (strapi: Strapi) =>
  async (image: { url: string; alt: string }): Promise<Got<number>> => {
    const file = await storedFile(strapi, image)
    return file.kind === 'got' ? got(file.value.id) : file
  }

const WRITERS = { blocks: toBlocks }

const notUnique = ({ field, failure }: NotUnique, { mapping }: Setting, slug: string): CmsFailure => {
  if (field === mapping.slug?.name)
    return refused('slug_taken', `Strapi already has an entry with the slug "${slug}".`, 400)
  return field === mapping.marker?.name
    ? refused('conflict', 'Strapi already has this article, put there a moment ago.', 400, true)
    : failure
}

/** Creates a document in one call, as a draft or public. */
export const createDocument = async (
  strapi: Strapi,
  setting: Setting,
  article: CmsArticle,
): Promise<CmsResult<CmsPost>> => {
  const { plural, populate } = setting
  const { values, notes } = await withImage(
    setting,
    article,
    mappedValues(article, setting, { writers: WRITERS }),
    imageIn(strapi),
  )
  const made = await strapi.api.create(plural, article.status, populate, values)
  if (made.kind === 'not_unique') return notUnique(made, setting, article.slug)
  if (made.kind !== 'got') return made
  const post = toPost(made.value, Boolean(made.value.publishedAt), setting)
  return done(post, [...notes, ...slugNotes('Strapi', setting, post, article.slug)])
}

const CHANGED = changedMeanwhile('Strapi', 'entry')

const isChangedSince = ({ draft }: Both, seenAt: string | undefined): boolean =>
  seenAt !== undefined && Boolean(draft.updatedAt) && draft.updatedAt !== seenAt

/** Writes values to a document. What is public after it is told by the answer, or, if only the draft was written, by what was. */
const write = async (
  { api }: Strapi,
  setting: Setting,
  both: Both,
  version: Version,
  values: Record<string, unknown>,
  notes: readonly string[] = [],
): Promise<CmsResult<CmsPost | null>> => {
  const { plural, populate } = setting
  const changed = await api.change(plural, both.draft.documentId, version, populate, values)
  if (changed.kind === 'not_unique') return changed.failure
  if (changed.kind !== 'got') return changed.kind === 'refused' && changed.httpStatus === 404 ? done(null) : changed
  const isLive = Boolean(changed.value.publishedAt) || (version === 'draft' && both.published !== undefined)
  return done(toPost(changed.value, isLive, setting), notes)
}

const pendingNotes = (both: Both, setting: Setting, sent: readonly string[]): string[] => {
  const names = both.published ? pendingIn(both.draft, both.published, setting, sent) : []
  return names.length > 0
    ? [`Changes in Strapi that nobody had published yet went live with this one: ${names.join(', ')}.`]
    : []
}

/**
 * Changes a document in place; its slug stays. Returns null if it is gone.
 *
 * A change of a public document is published at once. A draft of one waits beside it, and the document stays public.
 */
export const updateDocument = async (
  strapi: Strapi,
  setting: Setting,
  documentId: string,
  article: CmsArticle,
  update: CmsUpdate = COMPLETE,
  seenAt?: string,
): Promise<CmsResult<CmsPost | null>> => {
  const { mapping } = setting
  const known = await documentAt(strapi.api, setting, documentId)
  if (known.kind !== 'got') return known
  const both = known.value
  if (both === null) return done(null)
  if (isChangedSince(both, seenAt)) return CHANGED
  const isLive = both.published !== undefined
  const built = mappedValues(article, setting, { update, writers: WRITERS })
  const { values, notes } = sends(update, 'image')
    ? await withImage(setting, sentParts(article, update), built, imageIn(strapi))
    : built
  for (const field of [mapping.slug, isLive ? mapping.date : undefined]) if (field) delete values[field.name]
  const isShown = makesPublic(update, article) || (update.intent === 'change' && isLive)
  const pending = isShown ? pendingNotes(both, setting, Object.keys(values)) : []
  return await write(strapi, setting, both, isShown ? 'published' : 'draft', values, [...notes, ...pending])
}

/** Refusal to take a document down, which the REST API of Strapi cannot. */
const NO_ADMIN_TOKEN = misfit(
  'Strapi takes entries down only for an admin token. Create one that may publish this content type (Settings → Admin Tokens) and connect again with admin_token, or unpublish the entry in Strapi.',
)

/** Makes a public document a draft. Returns null if it is gone. */
export const unpublishDocument = async (
  { api }: Strapi,
  setting: Setting,
  documentId: string,
  hasAdminToken: boolean,
): Promise<CmsResult<CmsPost | null>> => {
  const known = await documentAt(api, setting, documentId)
  if (known.kind !== 'got') return known
  if (known.value === null) return done(null)
  if (!hasAdminToken) return NO_ADMIN_TOKEN
  const failure = await api.unpublish(setting.uid, documentId)
  if (!failure) return done(toPost(known.value.draft, false, setting))
  // Strapi has nothing to take down in a draft, and answers as for a document that is gone.
  if (failure.kind !== 'refused' || failure.httpStatus !== 404) return failure
  const after = await documentAt(api, setting, documentId)
  if (after.kind !== 'got') return after
  if (after.value === null) return done(null)
  return after.value.published ? failure : done(toPost(after.value.draft, false, setting))
}

/** Returns the values that readers see, and the words that an update replaces: those of the draft. */
export const readVersion = async (
  api: StrapiApi,
  setting: Setting,
  documentId: string,
): Promise<CmsResult<CmsVersion | null>> => {
  const known = await documentAt(api, setting, documentId)
  if (known.kind !== 'got') return known
  if (known.value === null) return done(null)
  const { draft, published } = known.value
  return done({
    values: keptValues(published ?? draft, setting.mapping),
    words: mappedWords(draft, setting.mapping),
    ...(draft.updatedAt ? { changedAt: draft.updatedAt } : {}),
  })
}

/** Puts kept values back: publicly if the document is public. Returns null if it is gone. */
export const restoreVersion = async (
  strapi: Strapi,
  setting: Setting,
  documentId: string,
  version: CmsVersion,
  seenAt?: string,
): Promise<CmsResult<CmsPost | null>> => {
  const kept = keptIn(version)
  if (!kept) return misfit('The kept version cannot be read.')
  const known = await documentAt(strapi.api, setting, documentId)
  if (known.kind !== 'got') return known
  const both = known.value
  if (both === null) return done(null)
  if (isChangedSince(both, seenAt)) return CHANGED
  const values = stillThere(kept, both.draft, setting)
  const isLive = both.published !== undefined
  const pending = isLive ? pendingNotes(both, setting, Object.keys(values)) : []
  return await write(strapi, setting, both, isLive ? 'published' : 'draft', values, pending)
}
