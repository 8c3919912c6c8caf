import { readEvents } from '../../content/html/events.ts'
import { applyEdits, attributeEdits, attributesOf, type Edit } from '../../content/html/tags.ts'
import type { Cms, CmsArticle } from '../../publishing/target/cms-adapter.ts'
import type { Keeping } from '../../publishing/target/publish-target.ts'

/** Returns the images of a fragment that have an address, in order. */
export const imagesIn = (html: string): { src: string; alt: string }[] => {
  const images: { src: string; alt: string }[] = []
  for (const event of readEvents(html)) {
    if (event.kind !== 'open' || event.tag.name !== 'img') continue
    const attributes = attributesOf(html, event.tag)
    const src = attributes.get('src')
    if (src !== undefined) images.push({ src, alt: attributes.get('alt') ?? '' })
  }
  return images
}

/**
 * Returns the fragment with new addresses for its images, found by their present address without blanks around it.
 *
 * Changed images lose their `srcset`, and the other sources of their `<picture>`.
 */
export const pointImages = (html: string, places: ReadonlyMap<string, string>): string => {
  const edits: Edit[] = []
  /** The sources so far of the open `<picture>`; undefined outside of one. */
  let sources: Edit[] | undefined
  for (const event of readEvents(html)) {
    if (event.kind === 'close') sources = undefined
    if (event.kind !== 'open') continue
    const { name, start, end } = event.tag
    if (name === 'source') {
      sources?.push({ start, end, text: '' })
      continue
    }
    const place = name === 'img' ? places.get(attributesOf(html, event.tag).get('src')?.trim() ?? '') : undefined
    if (place !== undefined) {
      const changes = [
        ...attributeEdits(html, event.tag, 'src', place),
        ...attributeEdits(html, event.tag, 'srcset', null),
      ]
      edits.push(...(sources ?? []), ...changes.sort((a, b) => a.start - b.start))
    }
    sources = name === 'picture' ? [] : undefined
  }
  return applyEdits(html, edits)
}

type Image = { url: string; alt: string }

/** Returns the images of a fragment by address, each once, in order. */
const imagesOf = (html: string): Image[] => {
  const images = new Map<string, Image>()
  for (const { src, alt } of imagesIn(html)) {
    const url = src.trim()
    if (/^https?:\/\//i.test(url) && !images.has(url)) images.set(url, { url, alt })
  }
  return [...images.values()]
}

/** Number of concurrent uploads. */
const AT_ONCE = 3

type Content = Pick<CmsArticle, 'html' | 'image'>

/** Uploads images that are not at the CMS yet, and adds them to `places`. Returns notes on images that were not uploaded. */
const upload = async (
  hostImage: NonNullable<Cms['hostImage']>,
  keeping: Keeping,
  images: readonly Image[],
  places: Map<string, string>,
): Promise<string[]> => {
  const notes: string[] = []
  const one = async (image: Image): Promise<void> => {
    if (!keeping.hasTime()) {
      notes.push(`The image ${image.url} stays where it is: uploading took too long. It follows with the next change.`)
      return
    }
    const hosted = await hostImage(image)
    if (hosted.kind === 'done') {
      await keeping.hosted(image.url, hosted.value)
      places.set(image.url, hosted.value)
    } else notes.push(`The image ${image.url} stays where it is: ${hosted.reason}`)
  }
  for (let at = 0; at < images.length; at += AT_ONCE) await Promise.all(images.slice(at, at + AT_ONCE).map(one))
  return notes
}

/**
 * Uploads each image of an article to the CMS once, and makes the HTML use the copies there.
 *
 * The feature image is uploaded too if the CMS imports all images or shows it from its address. An image that cannot be uploaded keeps its
 * address, with a note.
 */
export const hostImages = async (
  cms: Cms,
  keeping: Keeping,
  { html, image }: Content,
): Promise<Content & { notes: string[] }> => {
  const own = image ? { image } : {}
  const cover = image && (cms.importsImages || cms.linksCover) ? [image] : []
  const inText = imagesOf(html)
  const images = [...inText, ...cover.filter(({ url }) => !inText.some((one) => one.url === url))]
  if (images.length === 0) return { html, ...own, notes: [] }
  const { hostImage } = cms
  if (!hostImage)
    return {
      html,
      ...own,
      notes: ['Images stay where they are: this platform takes none for the text, only their addresses.'],
    }
  const places = new Map(await keeping.hostedImages(images.map(({ url }) => url)))
  const theirs = new Set(places.values())
  const missing = images.filter(({ url }) => !places.has(url) && !theirs.has(url))
  const notes = await upload(hostImage, keeping, missing, places)
  const place = image && cover.length > 0 ? places.get(image.url) : undefined
  return {
    html: places.size > 0 ? pointImages(html, places) : html,
    ...(image && place ? { image: { ...image, url: place } } : own),
    notes,
  }
}
