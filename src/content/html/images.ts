import { attributesOf } from './attributes.ts'
import { applyEdits, attributeEdits, type Edit } from './edits.ts'
import { readEvents } from './events.ts'

/** The images of a fragment that have an address, in order. */
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

/** Returns the fragment with images at other places: by their present address without blanks around it. Their `srcset` goes. */
export const pointImages = (html: string, places: ReadonlyMap<string, string>): string => {
  const edits: Edit[] = []
  for (const event of readEvents(html)) {
    if (event.kind !== 'open' || event.tag.name !== 'img') continue
    const place = places.get(attributesOf(html, event.tag).get('src')?.trim() ?? '')
    if (place === undefined) continue
    const changes = [
      ...attributeEdits(html, event.tag, 'src', place),
      ...attributeEdits(html, event.tag, 'srcset', null),
    ]
    edits.push(...changes.sort((a, b) => a.start - b.start))
  }
  return applyEdits(html, edits)
}
