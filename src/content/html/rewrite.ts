import { HEADING, readEvents } from './events.ts'
import { escapeAttribute, escapeText } from './references.ts'
import { applyEdits, attributeEdits, attributesOf, type Edit } from './tags.ts'

/** Link to add to a text: the index of the text node, start and end in it, and the address. */
export type TextLink = { node: number; start: number; end: number; url: string }

/** Elements without added links: links, headings, code, quotations, navigation and similar. */
const UNLINKABLE = new Set(
  'a h1 h2 h3 h4 h5 h6 code pre kbd samp blockquote q nav summary caption th iframe'.split(' '),
)

/** Returns the places of the text nodes that may get links. */
const linkablePlaces = (html: string): { start: number; end: number }[] => {
  const places: { start: number; end: number }[] = []
  let closed = 0
  for (const event of readEvents(html)) {
    if (event.kind === 'open' && !event.isLeaf && UNLINKABLE.has(event.tag.name)) closed += 1
    else if (event.kind === 'close' && UNLINKABLE.has(event.name)) closed -= 1
    else if (event.kind === 'text' && event.mode === 'text' && closed === 0)
      places.push({ start: event.start, end: event.end })
  }
  return places
}

/** Returns the sources of the text nodes that may get links. */
export const linkableTexts = (html: string): string[] =>
  linkablePlaces(html).map(({ start, end }) => html.slice(start, end))

/** Adds links to text nodes. Everything else stays byte for byte. */
export const setLinks = (html: string, links: readonly TextLink[]): string => {
  const places = linkablePlaces(html)
  const edits = links.flatMap(({ node, start, end, url }): Edit[] => {
    const place = places[node]
    if (!place) return []
    const text = html.slice(place.start + start, place.start + end)
    return [
      { start: place.start + start, end: place.start + end, text: `<a href="${escapeAttribute(url)}">${text}</a>` },
    ]
  })
  return applyEdits(
    html,
    edits.sort((a, b) => a.start - b.start),
  )
}

const contentsOf = (entries: readonly { id: string; text: string }[]): string => {
  const items = entries.map(({ id, text }) => `<li><a href="#${escapeAttribute(id)}">${escapeText(text)}</a></li>`)
  return `<nav class="toc"><ul>${items.join('')}</ul></nav>`
}

/** New structure of a fragment: the id of each heading (undefined keeps it), and the table of contents, which may be empty. */
export type Outline = { ids: readonly (string | undefined)[]; contents: readonly { id: string; text: string }[] }

/**
 * Sets heading ids, and adds the table of contents before the first H2.
 *
 * Also makes every image after the first lazy, unless it has a `loading` attribute.
 */
export const setStructure = (html: string, { ids, contents }: Outline): string => {
  const edits: Edit[] = []
  let heading = -1
  let image = -1
  let isListed = contents.length === 0
  for (const event of readEvents(html)) {
    if (event.kind !== 'open') continue
    const { tag } = event
    if (HEADING.has(tag.name)) {
      heading += 1
      if (!isListed && tag.name === 'h2') {
        isListed = true
        edits.push({ start: tag.start, end: tag.start, text: contentsOf(contents) })
      }
      const id = ids[heading]
      if (id !== undefined) edits.push(...attributeEdits(html, tag, 'id', id))
    } else if (tag.name === 'img') {
      image += 1
      if (image > 0 && !attributesOf(html, tag).has('loading'))
        edits.push(...attributeEdits(html, tag, 'loading', 'lazy'))
    }
  }
  return applyEdits(html, edits)
}
