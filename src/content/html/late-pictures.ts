import { readEvents } from './events.ts'
import { isLazyClass, showNoscriptPictures } from './noscript.ts'
import { applyEdits, attributesIn, attributesOf, type Edit } from './tags.ts'
import type { TagToken } from './tokens.ts'

/** Attributes in which scripts keep the address of a lazily loaded picture, the usual ones first. */
const ADDRESSES = ['data-src', 'data-lazy-src', 'data-original', 'data-original-src', 'data-actualsrc', 'data-lazy']

/** True for an address of the web or of the same site. */
const isAddress = (value: string): boolean =>
  /[/.]/.test(value) && (/^\s*https?:\/\//i.test(value) || !/^[^/?#]*:/.test(value))

/** Returns the attribute that a script would make the picture's `src`; undefined if the picture shows without a script. */
const lateAddress = (html: string, tag: TagToken): string | undefined => {
  const attributes = attributesOf(html, tag)
  const src = attributes.get('src')?.trim() ?? ''
  const isPlaceholder =
    /^(?:$|data:|about:)/i.test(src) || (attributes.get('class') ?? '').toLowerCase().split(/\s+/).some(isLazyClass)
  if (!isPlaceholder || (src === '' && attributes.has('srcset'))) return undefined
  return ADDRESSES.find((name) => {
    const value = attributes.get(name)?.trim() ?? ''
    return value !== src && isAddress(value)
  })
}

/** Returns the edits that make an attribute the picture's `src`. They delete the others, so that a second reading changes nothing. */
const srcEdits = (html: string, tag: TagToken, late: string): Edit[] => {
  const attributes = attributesIn(html, tag)
  const chosen = attributes.find(({ name }) => name === late)
  return attributes.flatMap((one): Edit[] => {
    if (one === chosen) return [{ start: one.start, end: one.start + late.length, text: 'src' }]
    if (one.name !== 'src' && !ADDRESSES.includes(one.name)) return []
    const hasBlank = /\s/.test(html[one.end] ?? '')
    return [{ start: one.start, end: one.end + (hasBlank ? 1 : 0), text: '' }]
  })
}

const showLatePictures = (html: string): { html: string; removed: string[] } => {
  if (!/data-(?:src|lazy|original|actualsrc)/i.test(html)) return { html, removed: [] }
  const edits: Edit[] = []
  const removed = new Set<string>()
  for (const event of readEvents(html)) {
    if (event.kind !== 'open' || event.tag.name !== 'img') continue
    const late = lateAddress(html, event.tag)
    if (late === undefined) continue
    edits.push(...srcEdits(html, event.tag, late))
    removed.add(`${late} of <img> (made src)`)
  }
  return { html: applyEdits(html, edits), removed: [...removed] }
}

/** Shows the pictures that a page shows only with a script, or only without one. `removed` names the changes. */
export const showPictures = (given: string): { html: string; removed: string[] } => {
  const shown = showNoscriptPictures(given)
  const { html, removed } = showLatePictures(shown.html)
  return { html, removed: [...(shown.found > 0 ? ['<noscript> (its picture stays)'] : []), ...removed] }
}
