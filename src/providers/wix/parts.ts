import type { CmsArticle, CmsFailure } from '../../publishing/cms.ts'
import { type Got, got, misfit } from '../cms/got.ts'
import type { CmsMeans } from '../cms/http.ts'
import type { WixApi } from './api.ts'
import { importImage } from './media.ts'
import { htmlToRicos, linkedImages, type WixImage, withImages } from './ricos.ts'
import { MAX, type Parts } from './transform.ts'
import type { RicosDocument } from './types.ts'

const MAX_IMAGES = 20

/** By Wix's own converter. Where that may not be used, by ours, which knows no tables and frames. */
const documentOf = async (api: WixApi, html: string): Promise<Got<{ document: RicosDocument; notes: string[] }>> => {
  const converted = await api.toRicos(html)
  if (converted.kind === 'got') return got({ document: converted.value.document, notes: [] })
  if (converted.kind === 'refused' && converted.retryable) return converted
  const document = await htmlToRicos(html)
  return got({
    document,
    notes: [`The text was converted without Wix, so tables and frames are plain text: ${converted.reason}`],
  })
}

const contentOf = async (api: WixApi, means: CmsMeans, html: string) => {
  const converted = await documentOf(api, html)
  if (converted.kind !== 'got') return converted
  const { document, notes } = converted.value
  const files = new Map<string, WixImage>()
  for (const url of linkedImages(document).slice(0, MAX_IMAGES)) {
    const file = await importImage(api, means, url)
    if (file.kind === 'done') files.set(url, file.value)
    else notes.push(`An image of the text stays linked: ${file.reason}`)
  }
  return got({ richContent: withImages(document, files), notes })
}

/** Ids by label, made where there is none; what cannot be had is a note. */
const idsOf = async (
  labels: readonly string[],
  find: (label: string) => Promise<Got<string | null>>,
  make: (label: string) => Promise<Got<string>>,
): Promise<{ ids: string[]; notes: string[] }> => {
  const ids: string[] = []
  const notes: string[] = []
  for (const label of labels) {
    const known = await find(label)
    const id = known.kind === 'got' && known.value === null ? await make(label) : known
    // Somebody else made it in between.
    const found = id.kind === 'refused' && id.code === 'conflict' ? await find(label) : id
    if (found.kind === 'got' && found.value) ids.push(found.value)
    else notes.push(`"${label}" was left out${found.kind === 'got' ? '' : `: ${found.reason}`}.`)
  }
  return { ids, notes }
}

const tagIds = (api: WixApi, article: CmsArticle) =>
  idsOf(
    article.tags.slice(0, MAX.tags),
    async (label) => {
      const tag = await api.tag(label)
      return tag.kind === 'got' ? got(tag.value?.tag.id ?? null) : tag
    },
    async (label) => {
      const tag = await api.newTag(label)
      return tag.kind === 'got' ? got(tag.value.tag.id) : tag
    },
  )

const categoryIds = (api: WixApi, { category }: CmsArticle) =>
  idsOf(
    category === '' ? [] : [category],
    async (label) => {
      const found = await api.categories(label)
      if (found.kind !== 'got') return found
      return got(found.value.categories?.find((c) => c.label.toLowerCase() === label.toLowerCase())?.id ?? null)
    },
    async (label) => {
      const made = await api.newCategory(label)
      return made.kind === 'got' ? got(made.value.category.id) : made
    },
  )

/** The member a post belongs to: the byline's, else the chosen one, else the site's first. Wix takes no post without one. */
export const memberOf = async (
  api: WixApi,
  author: string,
  chosen: string | undefined,
): Promise<Got<{ id: string; notes: string[] }>> => {
  if (author === '' && chosen) return got({ id: chosen, notes: [] })
  const answer = await api.members()
  if (answer.kind !== 'got') return answer
  const members = answer.value.members ?? []
  const named = members.find((m) => author !== '' && m.profile?.nickname?.toLowerCase() === author.toLowerCase())
  if (named) return got({ id: named.id, notes: [] })
  const id = chosen ?? members[0]?.id
  if (!id) return misfit('The site has no members, and Wix takes no post without one. Add a member, or give member_id.')
  return got({
    id,
    notes: author === '' ? [] : [`No member of the site is called "${author}", so another is the author.`],
  })
}

export type Prepared = { parts: Parts; notes: string[] }

/** All of an article that has to be at the site before the post: its text, cover, tags and category. */
export const prepareParts = async (
  api: WixApi,
  means: CmsMeans,
  article: CmsArticle,
): Promise<Prepared | CmsFailure> => {
  const content = await contentOf(api, means, article.html)
  if (content.kind !== 'got') return content
  const tags = await tagIds(api, article)
  const categories = await categoryIds(api, article)
  const notes = [...content.value.notes, ...tags.notes, ...categories.notes]
  if (article.title.length > MAX.title) notes.push(`The title was cut to ${MAX.title} characters.`)
  const cover = article.image && (await importImage(api, means, article.image.url))
  if (cover && cover.kind !== 'done') notes.push(`The image was left out: ${cover.reason}`)
  return {
    parts: {
      richContent: content.value.richContent,
      cover: cover?.kind === 'done' ? cover.value.id : undefined,
      tagIds: tags.ids,
      categoryIds: categories.ids,
    },
    notes,
  }
}
