import { readEvents } from './events.ts'
import { applyEdits, attributesOf, type Edit } from './tags.ts'
import type { TagToken } from './tokens.ts'

/** Attributes in which scripts keep the address of a lazily loaded picture. */
const LATE = /^data-(?:[\w-]*-)?(?:src|srcset|original|lazy)$/

/** True for a class of lazily loaded pictures: `lazy`, `lazyload` or `lazyloaded`, also as a part of a name. */
export const isLazyClass = (name: string): boolean => {
  const parts = name.split('-')
  return parts.includes('lazy') || /^lazyload(?:ed)?$/.test(parts.at(-1) ?? '')
}

const isLate = (html: string, tag: TagToken): boolean => {
  const attributes = attributesOf(html, tag)
  const src = attributes.get('src')?.trim() ?? ''
  return (
    src === '' ||
    /^(?:data:|about:)/i.test(src) ||
    [...attributes.keys()].some((name) => LATE.test(name)) ||
    (attributes.get('class') ?? '').toLowerCase().split(/\s+/).some(isLazyClass)
  )
}

/** Returns the address of a source's only picture; undefined if the source has anything else, except comments. */
const pictureIn = (source: string): string | undefined => {
  const images: string[] = []
  for (const event of readEvents(source)) {
    if (event.kind === 'open') {
      if (!['img', 'picture', 'source'].includes(event.tag.name)) return undefined
      if (event.tag.name === 'img') images.push(attributesOf(source, event.tag).get('src')?.trim() ?? '')
    } else if (event.kind === 'text') {
      if (/\S/.test(source.slice(event.start, event.end))) return undefined
    } else if (event.kind !== 'close' && event.kind !== 'comment') return undefined
  }
  return images.length === 1 ? images[0] : undefined
}

/**
 * Replaces each `<noscript>` that has only a picture with the picture. `found` is their number.
 *
 * Also removes a picture directly before it, if it has the same address or is lazily loaded.
 */
export const showNoscriptPictures = (html: string): { html: string; found: number } => {
  if (!/<noscript/i.test(html)) return { html, found: 0 }
  const edits: Edit[] = []
  let found = 0
  let before: TagToken | undefined
  let opened: TagToken | undefined
  let content = { start: 0, end: 0 }
  for (const event of readEvents(html)) {
    if (event.kind === 'open' && event.tag.name === 'noscript') {
      opened = event.tag
      content = { start: event.tag.end, end: event.tag.end }
    } else if (event.kind === 'open') {
      before = event.tag.name === 'img' ? event.tag : undefined
    } else if (event.kind === 'text' && opened) content = event
    else if (event.kind === 'text') {
      if (/\S/.test(html.slice(event.start, event.end))) before = undefined
    } else if (event.kind === 'close' && event.name === 'noscript' && opened && event.tag) {
      const picture = html.slice(content.start, content.end)
      const src = pictureIn(picture)
      if (src !== undefined) {
        found += 1
        if (before && (attributesOf(html, before).get('src')?.trim() === src || isLate(html, before)))
          edits.push({ start: before.start, end: before.end, text: '' })
        edits.push({ start: opened.start, end: event.end, text: picture.trim() })
      }
      before = undefined
      opened = undefined
    }
  }
  return { html: applyEdits(html, edits), found }
}
