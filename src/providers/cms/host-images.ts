import { decodeReferences } from '../../lib/document.ts'
import type { Cms } from '../../publishing/cms.ts'
import type { Keeping } from '../../publishing/port.ts'

type Image = { url: string; alt: string }

/** The images of a fragment by address, each once, in order. */
const imagesOf = async (html: string): Promise<Image[]> => {
  const images = new Map<string, Image>()
  const reader = new HTMLRewriter().on('img[src]', {
    element(e) {
      const url = decodeReferences(e.getAttribute('src') ?? '').trim()
      if (/^https?:\/\//i.test(url) && !images.has(url))
        images.set(url, { url, alt: decodeReferences(e.getAttribute('alt') ?? '') })
    },
  })
  await reader.transform(new Response(html)).text()
  return [...images.values()]
}

const pointTo = async (html: string, places: ReadonlyMap<string, string>): Promise<string> => {
  const writer = new HTMLRewriter().on('img[src]', {
    element(e) {
      const place = places.get(decodeReferences(e.getAttribute('src') ?? '').trim())
      if (place === undefined) return
      e.setAttribute('src', place.replaceAll('&', '&amp;').replaceAll('"', '&quot;'))
      e.removeAttribute('srcset')
    },
  })
  return await writer.transform(new Response(html, { headers: { 'content-type': 'text/html; charset=utf-8' } })).text()
}

/**
 * Uploads the images of a fragment to the CMS, each once ever, and makes the HTML point there. An image that cannot be
 * uploaded stays where it is, with a note.
 */
export const hostImages = async (
  cms: Cms,
  keeping: Keeping,
  html: string,
): Promise<{ html: string; notes: string[] }> => {
  const images = await imagesOf(html)
  if (images.length === 0) return { html, notes: [] }
  if (!cms.hostImage)
    return { html, notes: ['Images stay where they are: this platform takes none for the text, only their addresses.'] }
  const places = new Map(await keeping.hostedImages(images.map(({ url }) => url)))
  const theirs = new Set(places.values())
  const notes: string[] = []
  for (const image of images) {
    if (places.has(image.url) || theirs.has(image.url)) continue
    if (!keeping.hasTime()) {
      notes.push(`The image ${image.url} stays where it is: uploading took too long. It follows with the next change.`)
      continue
    }
    const hosted = await cms.hostImage(image)
    if (hosted.kind === 'done') {
      await keeping.hosted(image.url, hosted.value)
      places.set(image.url, hosted.value)
    } else notes.push(`The image ${image.url} stays where it is: ${hosted.reason}`)
  }
  return { html: places.size > 0 ? await pointTo(html, places) : html, notes }
}
