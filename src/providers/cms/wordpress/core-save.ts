import { decodeReferences } from '../../../content/html/references.ts'
import { sha256 } from '../../../platform/lib/crypto.ts'
import type { CmsArticle, CmsFailure, CmsPost, CmsResult, CmsUpdate } from '../../../publishing/target/cms-adapter.ts'
import { COMPLETE, makesPublic, sends, sentParts } from '../fields.ts'
import { done, fetchImage, refused } from '../http.ts'
import {
  addressTakenByPage,
  changedSince,
  isHeldByAnother,
  pageAt,
  postsUnder,
  readPost,
  removeDraft,
  slugTaken,
  termFields,
  writePost,
} from './core-posts.ts'
import { firstDifference, keepOriginal, storedRefusal } from './core-stored.ts'
import { writeOwnFields } from './own-fields.ts'
import { pluginNames } from './plugin.ts'
import { askCore, type Core } from './site.ts'
import { dateGmt, isNumbered, textFields, toPost } from './transform.ts'
import { Media, MediaList, type WordpressPost } from './types.ts'

/** Hosts resize images before they answer. */
const UPLOAD_TIMEOUT_MS = 45_000

type Hosted = { kind: 'done'; value: { id: number; url: string } } | CmsFailure

/**
 * Returns an image in the media library, uploaded once per address.
 *
 * Its slug is derived from the address, so that a retry finds an upload whose answer was lost.
 */
export const hostCoreImage = async (core: Core, image: { url: string; alt: string }): Promise<Hosted> => {
  const slug = `${pluginNames(core.deps.serviceName).slug}-${(await sha256(image.url)).slice(0, 16)}`
  const fields = { context: 'edit', _fields: 'id,source_url,alt_text' }
  const known = await askCore(core, MediaList, { method: 'GET', path: 'media', query: { slug, ...fields } })
  if (known.kind !== 'done') return known
  const [kept] = known.value ?? []
  if (kept) {
    if (kept.alt_text !== image.alt)
      await askCore(core, Media, {
        method: 'POST',
        path: `media/${kept.id}`,
        query: fields,
        json: { alt_text: image.alt },
      })
    return { kind: 'done', value: { id: kept.id, url: kept.source_url } }
  }
  const file = await fetchImage(core.deps, image.url)
  if ('kind' in file) return file
  const body = new FormData()
  body.set('file', new Blob([file.bytes], { type: file.type }), file.filename)
  for (const [name, value] of Object.entries({ slug, alt_text: image.alt, title: image.alt })) body.set(name, value)
  const made = await askCore(core, Media, {
    method: 'POST',
    path: 'media',
    query: fields,
    body,
    timeoutMs: UPLOAD_TIMEOUT_MS,
  })
  if (made.kind !== 'done') return made
  return made.value
    ? { kind: 'done', value: { id: made.value.id, url: made.value.source_url } }
    : refused('unexpected_answer', 'WordPress did not tell the uploaded image.', 404)
}

type Prepared = { fields: Record<string, unknown>; notes: string[] }

/** Returns notes on fields that only the plugin can store. */
const searchNotes = ({ seoTitle, canonicalUrl }: CmsArticle): string[] => {
  const left = [...(seoTitle ? ['title for search engines'] : []), ...(canonicalUrl ? ['canonical address'] : [])]
  return left.length > 0
    ? [`WordPress has no place for: ${left.join(', ')}. Connect through the plugin, which keeps them for SEO plugins.`]
    : []
}

/** Returns the fields of a post except slug, status and date. Creates its terms and image first, before the post changes. */
const prepare = async (core: Core, whole: CmsArticle, update: CmsUpdate = COMPLETE): Promise<Prepared | CmsFailure> => {
  const article = sentParts(whole, update)
  const terms = await termFields(core, article)
  if ('kind' in terms) return terms
  const notes = [...terms.notes, ...searchNotes(article)]
  const { title, content, excerpt } = textFields(whole)
  const fields: Prepared['fields'] = {
    ...(sends(update, 'title') ? { title } : {}),
    ...(sends(update, 'html') ? { content: whole.stored?.to ?? content } : {}),
    ...(sends(update, 'metaDescription') ? { excerpt } : {}),
    ...terms.fields,
  }
  if (article.image) {
    const image = await hostCoreImage(core, article.image)
    if (image.kind === 'done') fields.featured_media = image.value.id
    else if (image.kind === 'refused' && image.code === 'rate_limited') return image
    else notes.push(`The feature image could not be added: ${image.reason}`)
  }
  return { fields, notes }
}

/** Writes a post. If the user may not set the author, WordPress refuses without a change, and the post is written without one. */
const writeWithAuthor = async (core: Core, id: number | undefined, { fields, notes }: Prepared) => {
  const written = await writePost(core, id, fields)
  const isAuthor = written.kind === 'refused' && written.code === 'auth_forbidden' && fields.author !== undefined
  if (!isAuthor) return written
  const { author: _, ...rest } = fields
  const again = await writePost(core, id, rest)
  if (again.kind === 'done')
    notes.push("The connected user may not set another author, so the byline is the user's own.")
  return again
}

const countFrames = (html: string): number => html.match(/<iframe\b/gi)?.length ?? 0

/** Returns the parts of a post that WordPress left out without an error. */
const silentLosses = (post: WordpressPost, { fields }: Prepared, stored: CmsArticle['stored']): string[] => [
  ...(fields.featured_media !== undefined && post.featured_media !== fields.featured_media
    ? ['WordPress did not accept the feature image.']
    : []),
  ...(countFrames(post.content?.raw ?? '') < countFrames(String(fields.content ?? ''))
    ? ['WordPress took out embedded videos, for the connected user may not post unfiltered HTML.']
    : []),
  ...(stored !== undefined && post.content !== undefined && post.content.raw !== stored.to
    ? [`WordPress changed the text when it saved it, from here on: “${firstDifference(stored.to, post.content.raw)}”.`]
    : []),
]

const finished = (core: Core, post: WordpressPost, article: CmsArticle, prepared: Prepared): CmsResult<CmsPost> =>
  done(toPost(post, core.deps.serviceName, article.marker), [
    ...prepared.notes,
    ...silentLosses(post, prepared, 'content' in prepared.fields ? article.stored : undefined),
  ])

/**
 * Ensures that only this post has its slug. WordPress has no locks, so two concurrent requests can both get the same slug.
 *
 * Of our own posts a live one stays, else the one created first. The others are deleted, because no reader has seen them. A slug that
 * someone else's post has is refused.
 */
const settleSlug = async (core: Core, post: WordpressPost, article: CmsArticle): Promise<CmsFailure | undefined> => {
  const under = await postsUnder(core, [post.slug])
  if (under.kind !== 'done') return under
  const others = (under.value ?? []).filter((other) => other.id !== post.id)
  const isOwn = (other: WordpressPost) => toPost(other, core.deps.serviceName, article.marker).marker === article.marker
  if (!others.every(isOwn)) return slugTaken(post.slug)
  if (others.some((other) => other.status === 'publish' || other.id < post.id)) {
    await removeDraft(core, post.id)
    return refused('conflict', 'Another request was making the same post at WordPress.', 409, true)
  }
  for (const other of others) await removeDraft(core, other.id)
  return undefined
}

/**
 * Publishes a draft, with the given fields.
 *
 * WordPress silently renames a post whose slug was taken in between. The post then becomes a draft again.
 *
 * A date ahead of the site's clock would only schedule the post. It is then published with the present time.
 */
const putLive = async (core: Core, draft: WordpressPost, article: CmsArticle, rest?: Prepared) => {
  const date = article.publishedAt === undefined ? {} : { date_gmt: dateGmt(article.publishedAt) }
  const fields = { ...rest?.fields, status: 'publish', ...date }
  const live = await writeWithAuthor(core, draft.id, { fields, notes: rest?.notes ?? [] })
  if (live.kind !== 'done') return live
  if (live.value.slug !== draft.slug) {
    const back = await writePost(core, draft.id, { status: 'draft', slug: draft.slug })
    return back.kind === 'done' ? slugTaken(draft.slug) : back
  }
  return live.value.status === 'future' ? await writePost(core, draft.id, { status: 'publish', date_gmt: null }) : live
}

/**
 * Refuses a slug that another post has.
 *
 * WordPress reserves some words (`feed`, `embed`, years) and appends a number to them. The numbered slug is accepted, with a note.
 */
const acceptSlug = async (
  core: Core,
  post: WordpressPost,
  wanted: string,
  notes: string[],
): Promise<CmsFailure | undefined> => {
  if (post.slug === wanted) return undefined
  if (!isNumbered(post.slug, wanted) || (await isHeldByAnother(core, wanted, post.id))) return slugTaken(wanted)
  notes.push(`WordPress keeps the slug "${wanted}" for itself, so the post has the slug "${post.slug}".`)
  return undefined
}

/** Refuses to publish at an address where readers would see a page. */
const refuseAtPage = async (core: Core, post: WordpressPost): Promise<CmsFailure | undefined> => {
  const page = await pageAt(core, post, post.slug)
  if (page.kind !== 'done') return page
  return page.value ? addressTakenByPage(page.value) : undefined
}

/**
 * Creates a post as a draft, which readers do not see, and publishes it only if it got the requested slug.
 *
 * A crash in between leaves a draft with our marker. The next attempt finds and completes it.
 */
export const createPost = async (core: Core, article: CmsArticle): Promise<CmsResult<CmsPost>> => {
  const prepared = await prepare(core, article)
  if ('kind' in prepared) return prepared
  const date = article.publishedAt === undefined ? {} : { date_gmt: dateGmt(article.publishedAt) }
  const fields = { ...prepared.fields, ...date, slug: article.slug, status: 'draft' }
  const draft = await writeWithAuthor(core, undefined, { fields, notes: prepared.notes })
  if (draft.kind !== 'done') return draft
  const wrong =
    (await acceptSlug(core, draft.value, article.slug, prepared.notes)) ?? (await refuseAtPage(core, draft.value))
  if (wrong) {
    await removeDraft(core, draft.value.id)
    return wrong
  }
  const problem = await settleSlug(core, draft.value, article)
  if (problem) return problem
  const unset = await writeOwnFields(core, draft.value.id, article.fields)
  if (unset) {
    await removeDraft(core, draft.value.id)
    return unset
  }
  if (article.status === 'draft') return finished(core, draft.value, article, prepared)
  const live = await putLive(core, draft.value, article)
  return live.kind === 'done' ? finished(core, { ...draft.value, ...live.value }, article, prepared) : live
}

/** True if a draft already has these texts: an earlier attempt wrote them, and its answer was lost. */
const isWritten = ({ title, content }: WordpressPost, { fields }: Prepared): boolean =>
  decodeReferences(title.raw) === decodeReferences(String(fields.title)) && content?.raw === fields.content

/** Changes a post in place. A live post keeps its slug, date and status. A draft goes live with its first publication. */
export const updatePost = async (
  core: Core,
  remoteId: string,
  article: CmsArticle,
  update: CmsUpdate = COMPLETE,
  seenAt?: string,
): Promise<CmsResult<CmsPost | null>> => {
  const stored = sends(update, 'html') ? article.stored : undefined
  const current = await readPost(core, remoteId, stored !== undefined)
  if (current.kind !== 'done' || current.value === null) return current as CmsResult<null>
  const changed = changedSince(current.value, seenAt) ?? (stored && storedRefusal(current.value, stored))
  if (changed) return changed
  const { id, status, slug } = current.value
  const prepared = await prepare(core, article, update)
  if ('kind' in prepared) return prepared
  const unset = await writeOwnFields(core, id, sentParts(article, update).fields)
  if (unset) return unset
  if (stored) await keepOriginal(core, current.value, stored.from)
  if (update.intent === 'change') {
    const changed = await writeWithAuthor(core, id, prepared)
    return changed.kind === 'done' ? finished(core, changed.value, article, prepared) : changed
  }
  const isLive = status === 'publish'
  const unsettled = isLive || slug === '' ? undefined : await settleSlug(core, current.value, article)
  const problem = unsettled ?? (isLive ? undefined : await refuseAtPage(core, current.value))
  if (problem) return problem
  // A slug that people chose at WordPress stays. A numbered one is left over from an attempt with a lost answer.
  const isFirst = !isLive && makesPublic(update, article)
  if (isFirst && slug === article.slug && isWritten(current.value, prepared)) {
    // Only the missing step is done. Otherwise a site that fails after each save would never publish the post.
    const live = await putLive(core, current.value, article, prepared)
    return live.kind === 'done' ? finished(core, live.value, article, prepared) : live
  }
  const asked: { slug?: string } = !isLive && isNumbered(slug, article.slug) ? { slug: article.slug } : {}
  const state = isLive && makesPublic(update, article) ? { status: 'publish' } : {}
  const fields = { ...prepared.fields, ...asked, ...state }
  const written = await writeWithAuthor(core, id, { fields, notes: prepared.notes })
  if (written.kind !== 'done') return written
  const wrong = isLive ? undefined : await acceptSlug(core, written.value, asked.slug ?? slug, prepared.notes)
  if (wrong) return wrong
  if (!isFirst) return finished(core, written.value, article, prepared)
  const live = await putLive(core, written.value, article)
  return live.kind === 'done' ? finished(core, live.value, article, prepared) : live
}

/** Makes a post a draft; its slug and date stay. Returns null if the post is gone. */
export const unpublishPost = async (core: Core, remoteId: string): Promise<CmsResult<CmsPost | null>> => {
  const current = await readPost(core, remoteId)
  if (current.kind !== 'done' || current.value === null) return current as CmsResult<null>
  const written = await writePost(core, current.value.id, { status: 'draft' })
  return written.kind === 'done' ? done(toPost(written.value, core.deps.serviceName, '')) : written
}
