import { HEADING, readEvents } from './events.ts'
import { escapeAttribute, escapeText } from './references.ts'
import { applyEdits, attributeEdits, attributesOf, type Edit } from './tags.ts'

/** A link to be set into a text: in which text node, from where to where, and where it leads. */
export type TextLink = { node: number; start: number; end: number; url: string }

/** Elements in which no link is set: links, headings, code, other people's words, lists of links. */
const UNLINKABLE = new Set(
  'a h1 h2 h3 h4 h5 h6 code pre kbd samp blockquote q nav summary caption th iframe'.split(' '),
)

/** Returns the positions of the text nodes in which links may be set. */
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

/** Returns the text nodes of a fragment that links may be set in, as source. */
export const linkableTexts = (html: string): string[] =>
  linkablePlaces(html).map(({ start, end }) => html.slice(start, end))

/** Sets links into text nodes; all else stays byte for byte. */
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

/** New headings of a fragment: ids in their order (undefined: the id stays), and the entries of a table of contents if one is wanted. */
export type Outline = { ids: readonly (string | undefined)[]; contents: readonly { id: string; text: string }[] }

/** Writes new heading ids, puts the table of contents before the first H2, and makes every image but the first lazy. */
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
