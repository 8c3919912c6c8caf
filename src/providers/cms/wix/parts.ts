import type { CmsArticle, CmsFailure } from '../../../publishing/target/cms-adapter.ts'
import type { CmsMeans } from '../http.ts'
import type { WixApi } from './api.ts'
import { toRicos } from './convert.ts'
import { categoryIds, tagIds } from './labels.ts'
import { importImages } from './media.ts'
import { linkedImages, type WixImage, withImages } from './ricos.ts'
import { MAX, type Parts } from './transform.ts'

const MAX_IMAGES = 40

export type Prepared = { parts: Parts; notes: string[] }

/** All of an article that has to be at the site before the post: its text, images, tags and category. */
export const prepareParts = async (
  api: WixApi,
  means: CmsMeans,
  article: CmsArticle,
): Promise<Prepared | CmsFailure> => {
  const converted = await toRicos(api, means, article.html)
  if (converted.kind !== 'got') return converted
  const { document, notes } = converted.value
  const linked = linkedImages(document).slice(0, MAX_IMAGES)
  const cover = article.image?.url
  const images = await importImages(api, means, [...new Set([...linked, ...(cover ? [cover] : [])])])
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
