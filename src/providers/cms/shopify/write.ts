import type { OwnFields } from '../../../../schema/values/own-fields.ts'
import type { CmsArticle, CmsFailure, CmsPost, CmsResult, CmsUpdate } from '../../../publishing/target/cms-adapter.ts'
import { COMPLETE, makesPublic, sends, sentParts } from '../fields.ts'
import { done, quotable, refused } from '../http.ts'
import type { ShopifyApi } from './api.ts'
import type { Setting } from './connect.ts'
import { CREATE, DELETE, DELETE_METAFIELDS, READ, SET_METAFIELDS, UPDATE } from './documents.ts'
import { emptiedMetafields, ownMetafields } from './own-fields.ts'
import {
  type Article,
  CreateData,
  contentOf,
  DeleteData,
  DeletedMetafieldsData,
  type FullArticle,
  faultOf,
  imageSourceOf,
  MetafieldsData,
  metafieldsOf,
  publishDateOf,
  ReadData,
  restoredOf,
  searchFields,
  type TextType,
  toPost,
  UpdateData,
  type UserError,
} from './transform.ts'

const IMAGE_NOTE = 'The image was left out: Shopify could not fetch it.'
const WORDS: Record<'image' | 'metafields', string> = {
  image: IMAGE_NOTE,
  metafields: 'The meta description was left out: the shop does not accept the field.',
}

const canonicalNotes = ({ canonicalUrl }: CmsArticle): string[] =>
  canonicalUrl ? ['The canonical address was left out: Shopify has no place for one.'] : []

const wordsOf = (errors: readonly UserError[]): string => quotable(errors.map((e) => e.message).join('; '))

const refusalOf = (errors: readonly UserError[]): CmsFailure =>
  refused('validation', `Shopify refuses the article (${wordsOf(errors)}).`, 200)

type Written = { article: Article; notes: string[] } | { errors: UserError[] } | CmsFailure

const createOnce = async (api: ShopifyApi, article: Record<string, unknown>): Promise<Written> => {
  const made = await api.ask({ document: CREATE, variables: { article }, data: CreateData, writes: true })
  if (made.kind !== 'got') return made
  const { article: created, userErrors } = made.value.articleCreate
  return created ? { article: created, notes: [] } : { errors: userErrors }
}

/** Creates an article. A part that alone caused a refusal is left out, because a refusal creates nothing. Makes at most four calls. */
const createLenient = async (api: ShopifyApi, article: CmsArticle, rest: Record<string, unknown>): Promise<Written> => {
  const notes: string[] = []
  const fieldsOf = (as: TextType) => [...metafieldsOf(article, as), ...imageSourceOf(article)]
  let type: TextType = 'single_line_text_field'
  let body: Record<string, unknown> = { ...contentOf(article), ...rest, metafields: fieldsOf(type) }
  for (;;) {
    const made = await createOnce(api, body)
    if ('article' in made) return { ...made, notes }
    if (!('errors' in made)) return made
    const fault = faultOf(made.errors)
    if (fault === 'type' && type === 'single_line_text_field') {
      type = 'multi_line_text_field'
      body = { ...body, metafields: fieldsOf(type) }
      continue
    }
    const part = fault === 'type' ? 'metafields' : fault
    if ((part !== 'image' && part !== 'metafields') || !(part in body)) return made
    const { [part]: _, ...others } = body
    body = others
    notes.push(WORDS[part])
  }
}

const slugTaken = (slug: string): CmsFailure =>
  refused('slug_taken', `The blog already has an article with the handle "${slug}".`, 200)

/** Creates an article in the blog. If its handle came back changed, the slug was taken and the new article is deleted. */
export const createArticle = async (
  api: ShopifyApi,
  setting: Setting,
  article: CmsArticle,
  now: Date,
): Promise<CmsResult<CmsPost>> => {
  const isLive = article.status === 'published'
  const made = await createLenient(api, article, {
    blogId: setting.blogId,
    handle: article.slug,
    author: { name: article.author || setting.shopName },
    isPublished: isLive,
    ...(isLive ? publishDateOf(article, now) : {}),
  })
  if ('errors' in made) return faultOf(made.errors) === 'taken' ? slugTaken(article.slug) : refusalOf(made.errors)
  if ('kind' in made) return made
  if (made.article.handle === article.slug)
    return done(toPost(made.article, setting.siteUrl), [
      ...made.notes,
      ...canonicalNotes(article),
      ...(await setOwnFields(api, made.article.id, article.fields ?? {})),
    ])
  await api.ask({ document: DELETE, variables: { id: made.article.id }, data: DeleteData, writes: true })
  return slugTaken(article.slug)
}

const setFields = (api: ShopifyApi, ownerId: string, fields: readonly object[]) =>
  api.ask({
    document: SET_METAFIELDS,
    variables: { metafields: fields.map((field) => ({ ...field, ownerId })) },
    data: MetafieldsData,
    writes: true,
  })

/** Sets metafields of an existing article, in the text type that the shop uses. A failure becomes a note. */
const setMetafields = async (
  api: ShopifyApi,
  id: string,
  fieldsOf: (type: TextType) => readonly object[],
): Promise<string[]> => {
  if (fieldsOf('single_line_text_field').length === 0) return []
  const set = (type: TextType) => setFields(api, id, fieldsOf(type))
  let answer = await set('single_line_text_field')
  if (answer.kind === 'got' && answer.value.metafieldsSet.userErrors.some((e) => e.code === 'INVALID_TYPE'))
    answer = await set('multi_line_text_field')
  if (answer.kind === 'got' && answer.value.metafieldsSet.userErrors.length === 0) return []
  const why = answer.kind === 'got' ? wordsOf(answer.value.metafieldsSet.userErrors) : answer.reason
  return [`The meta description was not changed (${why}).`]
}

/** Sets own fields of an existing article, and deletes those without a value. A failure becomes a note. */
const setOwnFields = async (api: ShopifyApi, ownerId: string, values: OwnFields): Promise<string[]> => {
  const [set, emptied] = [ownMetafields(values), emptiedMetafields(values)]
  const written = set.length > 0 ? await setFields(api, ownerId, set) : undefined
  const metafields = emptied.map((field) => ({ ...field, ownerId }))
  const deleted =
    metafields.length > 0
      ? await api.ask({
          document: DELETE_METAFIELDS,
          variables: { metafields },
          data: DeletedMetafieldsData,
          writes: true,
        })
      : undefined
  const reasons = [
    ...(written?.kind === 'got' ? written.value.metafieldsSet.userErrors.map(({ message }) => message) : []),
    ...(deleted?.kind === 'got' ? deleted.value.metafieldsDelete.userErrors.map(({ message }) => message) : []),
    ...[written, deleted].flatMap((one) => (one && one.kind !== 'got' ? [one.reason] : [])),
  ]
  return reasons.length > 0 ? [`Fields of the article were not all set (${quotable(reasons.join('; '))}).`] : []
}

/** Changes an article in place, without its image if Shopify cannot fetch it. Returns null if the article is gone. */
const changeArticle = async (
  api: ShopifyApi,
  id: string,
  changes: Record<string, unknown>,
): Promise<CmsResult<Article | null>> => {
  const change = (article: Record<string, unknown>) =>
    api.ask({ document: UPDATE, variables: { id, article }, data: UpdateData, writes: true })
  const first = await change(changes)
  if (first.kind !== 'got') return first
  const { article, userErrors } = first.value.articleUpdate
  if (article) return done(article)
  const fault = faultOf(userErrors)
  if (fault === 'gone') return done(null)
  if (fault !== 'image' || !changes.image) return refusalOf(userErrors)
  const { image: _, ...others } = changes
  const second = await change(others)
  if (second.kind !== 'got') return second
  const { article: changed, userErrors: left } = second.value.articleUpdate
  return changed ? done(changed, [IMAGE_NOTE]) : refusalOf(left)
}

/** Returns the content of an article without the parts that an update does not send. */
const contentSent = (article: CmsArticle, update: CmsUpdate): Record<string, unknown> => {
  const { title, body, summary, tags, image } = contentOf(article)
  return {
    ...(sends(update, 'title') ? { title } : {}),
    ...(sends(update, 'html') ? { body: article.stored?.to ?? body } : {}),
    ...(sends(update, 'metaDescription') ? { summary } : {}),
    ...(sends(update, 'tags') || sends(update, 'category') ? { tags } : {}),
    ...(image !== undefined && sends(update, 'image') ? { image } : {}),
  }
}

/**
 * Changes content and state. A live article keeps its handle and date, and a draft does not unpublish it.
 *
 * Returns null if the article is gone.
 */
export const updateArticle = async (
  api: ShopifyApi,
  setting: Setting,
  remoteId: string,
  article: CmsArticle,
  now: Date,
  update: CmsUpdate = COMPLETE,
): Promise<CmsResult<CmsPost | null>> => {
  const known = await api.ask({ document: READ, variables: { id: remoteId }, data: ReadData, writes: false })
  if (known.kind !== 'got') return known
  const before = known.value.article
  if (!before) return done(null)
  if (sends(update, 'html') && article.stored && before.body !== article.stored.from)
    return refused(
      'changed',
      'Somebody changed the article in Shopify at the same moment. Nothing was changed.',
      200,
      true,
    )
  const parts = sentParts(article, update)
  const metafieldNotes = await setMetafields(api, remoteId, (type) => metafieldsOf(parts, type))
  const fieldNotes = await setOwnFields(api, remoteId, parts.fields ?? {})
  const { image, ...content } = contentSent(article, update)
  const isFirst = makesPublic(update, article)
  // Shopify fetches an image each time it is sent, so an unchanged one is not sent.
  const isSame = before.imageSource?.value === article.image?.url && before.image?.altText === article.image?.alt
  const isSent = image !== undefined && !(before.image && isSame)
  const changed = await changeArticle(api, remoteId, {
    ...content,
    ...(isSent ? { image } : {}),
    ...(parts.author === '' ? {} : { author: { name: parts.author } }),
    ...(before.image && !article.image && sends(update, 'image') ? { image: null } : {}),
    ...(isFirst ? { isPublished: true } : {}),
    ...(isFirst && !before.isPublished ? publishDateOf(article, now) : {}),
  })
  if (changed.kind !== 'done' || changed.value === null) return changed as CmsResult<null>
  // Stored only now, so that an image that Shopify could not fetch is sent again.
  if (isSent && !changed.notes?.includes(IMAGE_NOTE)) await setFields(api, remoteId, imageSourceOf(article))
  return done(toPost(changed.value, setting.siteUrl), [
    ...metafieldNotes,
    ...fieldNotes,
    ...canonicalNotes(parts),
    ...(changed.notes ?? []),
  ])
}

/** Restores a stored version. Handle, dates and state stay. Returns null if the article is gone. */
export const restoreArticle = async (
  api: ShopifyApi,
  { siteUrl }: Setting,
  remoteId: string,
  kept: FullArticle,
): Promise<CmsResult<CmsPost | null>> => {
  const changed = await changeArticle(api, remoteId, restoredOf(kept))
  if (changed.kind !== 'done' || changed.value === null) return changed as CmsResult<null>
  const texts = { description_tag: kept.description?.value, title_tag: kept.searchTitle?.value }
  const notes = await setMetafields(api, remoteId, (type) => searchFields(texts, type))
  return done(toPost(changed.value, siteUrl), [...(changed.notes ?? []), ...notes])
}

/** Hides an article. Returns null if it is gone. */
export const hideArticle = async (
  api: ShopifyApi,
  setting: Setting,
  remoteId: string,
): Promise<CmsResult<CmsPost | null>> => {
  const changed = await changeArticle(api, remoteId, { isPublished: false })
  if (changed.kind !== 'done' || changed.value === null) return changed as CmsResult<null>
  return done(toPost(changed.value, setting.siteUrl))
}
