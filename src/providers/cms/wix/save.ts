import type { CmsArticle, CmsFailure, CmsPost, CmsResult, CmsUpdate } from '../../../publishing/target/cms-adapter.ts'
import { COMPLETE, isSameName, makesPublic, sends, sentParts } from '../fields.ts'
import { type CmsDeps, done, type Got, got, misfit, refused } from '../http.ts'
import { liveUrl, type WixApi } from './api.ts'
import { toRicos } from './convert.ts'
import { importImages } from './media.ts'
import { linkedImages, type WixImage, withImages } from './ricos.ts'
import { draftOf, MAX, type Parts, seoDataOf, toPost } from './transform.ts'
import type { DraftPost } from './types.ts'

const MAX_NAMED = 10

type Author = { id: string | undefined; notes: string[] }

type Member = { id: string; profile?: { nickname?: string | null | undefined } | null | undefined }

/** Returns the member with a byline's name, regardless of case. */
const memberNamed = (members: readonly Member[], byline: string): Member | undefined =>
  members.find((member) => member.profile?.nickname?.toLowerCase() === byline.toLowerCase())

/**
 * Returns the member who becomes the author of a new post: the byline's, else the chosen one, else the site's only member.
 *
 * Registered visitors are members too, so none of several is picked at random.
 */
export const authorOf = async (api: WixApi, byline: string, chosen: string | undefined): Promise<Got<Author>> => {
  if (byline === '' && chosen) return got({ id: chosen, notes: [] })
  const answer = await api.members()
  if (answer.kind !== 'got') return answer
  const members = answer.value.members ?? []
  const named = byline === '' ? undefined : memberNamed(members, byline)
  if (named) return got({ id: named.id, notes: [] })
  const id = chosen ?? (members.length === 1 ? members[0]?.id : undefined)
  const notes = byline === '' ? [] : [`No member of the site is called "${byline}", so another is the author.`]
  if (id) return got({ id, notes })
  if (members.length === 0)
    return misfit('The site has no members, and Wix takes no post without one. Add a member, or give member_id.')
  const list = members.slice(0, MAX_NAMED).map((m) => `${m.profile?.nickname ?? 'unnamed'} (${m.id})`)
  return misfit(
    `member_id is needed: the site has several members, and one of them is shown as the author: ${list.join(', ')}${members.length > MAX_NAMED ? ' and more' : ''}.`,
  )
}

/** Returns the new author of an existing post. The author changes only if the byline is a member's name. */
const newAuthorOf = async (api: WixApi, byline: string): Promise<Got<Author>> => {
  if (byline === '') return got({ id: undefined, notes: [] })
  const answer = await api.members()
  if (answer.kind !== 'got') return answer
  const named = memberNamed(answer.value.members ?? [], byline)
  return got(
    named
      ? { id: named.id, notes: [] }
      : { id: undefined, notes: [`No member of the site is called "${byline}", so the author stays.`] },
  )
}

type Label = { id: string; label: string }

/** Returns ids by label. Existing labels are read in one request, and missing ones are created. A label without an id becomes a note. */
const idsOf = async (
  labels: readonly string[],
  find: (labels: readonly string[]) => Promise<Got<Label[]>>,
  make: (label: string) => Promise<Got<string>>,
): Promise<{ ids: string[]; notes: string[] }> => {
  const ids: string[] = []
  const notes: string[] = []
  if (labels.length === 0) return { ids, notes }
  const known = await find(labels)
  if (known.kind !== 'got')
    return { ids, notes: [`${labels.map((l) => `"${l}"`).join(', ')} left out: ${known.reason}`] }
  for (const label of labels) {
    const there = known.value.find((one) => isSameName(one.label, label))
    let id: Got<string | undefined> = there ? got(there.id) : await make(label)
    if (id.kind === 'refused' && id.code === 'conflict') {
      // Another request created it in between.
      const again = await find([label])
      id = again.kind === 'got' ? got(again.value.find((one) => isSameName(one.label, label))?.id) : again
    }
    if (id.kind === 'got' && id.value) ids.push(id.value)
    else notes.push(`"${label}" was left out${id.kind === 'got' ? '' : `: ${id.reason}`}.`)
  }
  return { ids: [...new Set(ids)], notes }
}

/** Returns the ids of an article's tags. */
const tagIds = (api: WixApi, { tags }: CmsArticle) =>
  idsOf(
    tags.slice(0, MAX.tags),
    async (labels) => {
      const found = await api.tags(labels)
      return found.kind === 'got' ? got(found.value.tags ?? []) : found
    },
    async (label) => {
      const made = await api.newTag(label)
      return made.kind === 'got' ? got(made.value.tag.id) : made
    },
  )

/** Returns the id of an article's category. */
const categoryIds = (api: WixApi, { category }: CmsArticle) =>
  idsOf(
    category === '' ? [] : [category],
    async ([label = '']) => {
      const found = await api.categories(label)
      return found.kind === 'got' ? got(found.value.categories ?? []) : found
    },
    async (label) => {
      const made = await api.newCategory(label)
      return made.kind === 'got' ? got(made.value.category.id) : made
    },
  )

const MAX_IMAGES = 40

type Prepared = { parts: Parts; notes: string[] }

/** Prepares all that the site needs before the post: its text, images, tags and category. */
const prepareParts = async (api: WixApi, deps: CmsDeps, article: CmsArticle): Promise<Prepared | CmsFailure> => {
  const converted = await toRicos(api, deps, article.html)
  if (converted.kind !== 'got') return converted
  const { document, notes } = converted.value
  const linked = linkedImages(document).slice(0, MAX_IMAGES)
  const cover = article.image?.url
  const images = await importImages(api, deps, [...new Set([...linked, ...(cover ? [cover] : [])])])
  const files = new Map<string, WixImage>()
  for (const url of linked) {
    const image = images.get(url)
    if (image?.kind === 'done') files.set(url, image.value)
    else notes.push(`An image of the text stays linked: ${image?.reason}`)
  }
  const tags = await tagIds(api, article)
  const categories = await categoryIds(api, article)
  notes.push(...tags.notes, ...categories.notes)
  if (article.title.length > MAX.title) notes.push(`The title was cut to ${MAX.title} characters.`)
  const taken = cover === undefined ? undefined : images.get(cover)
  if (taken && taken.kind !== 'done') notes.push(`The image was left out: ${taken.reason}`)
  return {
    parts: {
      richContent: withImages(document, files),
      cover: taken?.kind === 'done' ? taken.value.id : undefined,
      tagIds: tags.ids,
      categoryIds: categories.ids,
    },
    notes,
  }
}

/** One site, and the services for working with it. */
export type Wix = { api: WixApi; deps: CmsDeps; memberId: string | undefined }

/** Returns the refusal for a slug that Wix changed. Wix reserves some words for its own pages and puts `__` before them. */
const wrongSlug = (wanted: string, made: string): CmsFailure =>
  made === `__${wanted}`
    ? misfit(`Wix keeps the slug "${wanted}" for itself. Change the article's keyword, then publish again.`)
    : refused('slug_taken', `The blog already has a post with the slug "${wanted}".`, 409)

/** Returns a note if Wix dropped tags or categories. It silently drops ids that it does not know. */
const droppedNotes = (draft: DraftPost, sent: { tagIds: string[]; categoryIds: string[] }): string[] => {
  const lost = (['tagIds', 'categoryIds'] as const).filter((name) => (draft[name]?.length ?? 0) < sent[name].length)
  return lost.length > 0
    ? [`Wix did not keep all ${lost.map((n) => (n === 'tagIds' ? 'tags' : 'categories')).join(' and ')}.`]
    : []
}

/**
 * Creates a post as a draft, and publishes it if its slug is right. A post whose slug Wix changed is deleted.
 *
 * A crash in between leaves a draft with our title and slug. The next attempt finds it by them and publishes it with an update.
 */
export const createPost = async ({ api, deps, memberId }: Wix, article: CmsArticle): Promise<CmsResult<CmsPost>> => {
  const author = await authorOf(api, article.author, memberId)
  if (author.kind !== 'got') return author
  const prepared = await prepareParts(api, deps, article)
  if ('kind' in prepared) return prepared
  const made = await api.create({
    ...draftOf(article, { ...prepared.parts, memberId: author.value.id }),
    seoSlug: article.slug,
    ...(article.publishedAt === undefined ? {} : { firstPublishedDate: article.publishedAt }),
  })
  if (made.kind !== 'got') return made
  const draft = made.value.draftPost
  const notes = [...author.value.notes, ...prepared.notes, ...droppedNotes(draft, prepared.parts)]
  const drop = async (slug: string): Promise<CmsFailure> => {
    await api.remove(draft.id)
    return wrongSlug(article.slug, slug)
  }
  if (draft.seoSlug && draft.seoSlug !== article.slug) return await drop(draft.seoSlug)
  if (article.status === 'draft') return done(toPost({ ...draft, seoSlug: article.slug }), notes)
  const published = await api.publish(draft.id)
  if (published.kind !== 'got') return published
  const { url, slug, isThere } = await liveUrl(api, draft)
  if (slug !== undefined && slug !== article.slug) return await drop(slug)
  const waiting = isThere ? undefined : await api.draft(draft.id)
  const state = waiting?.kind === 'got' ? waiting.value?.draftPost.status : undefined
  if (state && HELD_STATES.includes(state))
    return done(toPost({ ...draft, status: state, seoSlug: article.slug }), notes)
  return done(toPost({ ...draft, status: 'PUBLISHED', seoSlug: article.slug }, url), notes)
}

/** Returns the draft post with an id; null if it is gone or in the trash. */
const draftThere = async (api: WixApi, remoteId: string) => {
  const known = await api.draft(remoteId)
  if (known.kind !== 'got') return known
  const draft = known.value?.draftPost
  return { kind: 'draft' as const, draft: draft && draft.status !== 'DELETED' ? draft : null }
}

const goneOr = (failure: CmsFailure): CmsResult<null> =>
  failure.kind === 'refused' && failure.code === 'site_not_found' ? done(null) : failure

/** Returns only those fields of a draft post that an update sends. */
const sentFields = (fields: Record<string, unknown>, update: CmsUpdate): Record<string, unknown> => {
  const isSent: Record<string, boolean> = {
    title: sends(update, 'title'),
    excerpt: sends(update, 'metaDescription'),
    richContent: sends(update, 'html'),
    tagIds: sends(update, 'tags'),
    categoryIds: sends(update, 'category'),
    seoData: (['title', 'metaDescription', 'seoTitle', 'canonicalUrl'] as const).some((field) => sends(update, field)),
  }
  return Object.fromEntries(Object.entries(fields).filter(([name]) => isSent[name] !== false))
}

/** Returns the refusal of a change of a post that the site had before; undefined if it can be made. */
const adoptedRefusal = (before: DraftPost, update: CmsUpdate): CmsFailure | undefined => {
  if (before.hasUnpublishedChanges)
    return refused(
      'conflict',
      'The post has changes in Wix that nobody has published yet, and they would go live with this one. Publish or discard them there. Nothing was changed.',
      409,
    )
  return sends(update, 'tags')
    ? misfit('The tags of a post that was adopted are not read, so they are not replaced. Change them in Wix.')
    : undefined
}

const BY_HAND_NOTE = 'A person wrote the description for search engines in Wix, so it stays.'
const UNSEEN_NOTE = 'Changes in Wix that nobody had published yet went live with this one.'

/** States of a post that readers do not see: it waits for a person or a date, or was deleted. */
const HELD_STATES = ['IN_REVIEW', 'SCHEDULED', 'DELETED']

/**
 * Changes a post in place. Returns null if the post is gone.
 *
 * A change of a live post is published at once. A draft of a live post waits beside it, and the post stays live.
 */
export const updatePost = async (
  { api, deps }: Wix,
  remoteId: string,
  article: CmsArticle,
  update: CmsUpdate = COMPLETE,
): Promise<CmsResult<CmsPost | null>> => {
  const known = await draftThere(api, remoteId)
  if (known.kind !== 'draft') return known
  const before = known.draft
  if (!before) return done(null)
  const refusal = article.isAdopted ? adoptedRefusal(before, update) : undefined
  if (refusal) return refusal
  const sent = sentParts(article, update)
  const author = await newAuthorOf(api, sent.author)
  if (author.kind !== 'got') return author
  const prepared = await prepareParts(api, deps, sends(update, 'html') ? sent : { ...sent, html: '' })
  if ('kind' in prepared) return prepared
  const isLive = before.status === 'PUBLISHED'
  // Readers see a change of a live post only if it is published.
  const isShown = makesPublic(update, article) || (update.intent === 'change' && isLive)
  const keepsDate = isLive || update.intent === 'change' || article.publishedAt === undefined
  const date = keepsDate ? {} : { firstPublishedDate: article.publishedAt }
  const seo = seoDataOf(article, before, update)
  const fields = draftOf(
    { ...article, ...(sent.image ? {} : { image: undefined }) },
    { ...prepared.parts, memberId: author.value.id },
    seo,
  )
  const changed = await api.change(
    remoteId,
    { ...sentFields(fields, update), ...date },
    isShown ? 'UPDATE_PUBLISH' : 'UPDATE',
  )
  if (changed.kind !== 'got') return goneOr(changed)
  const draft = changed.value.draftPost
  const notes = [
    ...author.value.notes,
    ...prepared.notes,
    ...droppedNotes(draft, prepared.parts),
    ...(seo.keepsDescription ? [BY_HAND_NOTE] : []),
    ...(update.intent === 'change' && isLive && before.hasUnpublishedChanges ? [UNSEEN_NOTE] : []),
  ]
  const reported = draft.status ?? (update.intent === 'change' ? before.status : undefined) ?? 'UNPUBLISHED'
  const status = (isShown || isLive) && !HELD_STATES.includes(reported) ? 'PUBLISHED' : reported
  const { url } = status === 'PUBLISHED' ? await liveUrl(api, draft) : { url: null }
  return done(toPost({ ...draft, status, seoSlug: draft.seoSlug ?? before.seoSlug }, url), notes)
}

/** Makes a live post a draft again, and cancels the date of a scheduled one. Returns null if the post is gone. */
export const unpublishPost = async ({ api }: Wix, remoteId: string): Promise<CmsResult<CmsPost | null>> => {
  const known = await draftThere(api, remoteId)
  if (known.kind !== 'draft') return known
  const before = known.draft
  if (!before) return done(null)
  const action = before.status === 'SCHEDULED' ? 'UPDATE_CANCEL_SCHEDULE' : 'UPDATE_REVERT_TO_DRAFT'
  const changed = await api.change(remoteId, {}, action)
  // Wix may refuse to make a draft of a post that is one.
  if (changed.kind === 'refused' && changed.code === 'validation' && before.status === 'UNPUBLISHED')
    return done(toPost(before))
  if (changed.kind !== 'got') return goneOr(changed)
  const { draftPost } = changed.value
  return done(toPost({ ...draftPost, status: 'UNPUBLISHED', seoSlug: draftPost.seoSlug ?? before.seoSlug }))
}
