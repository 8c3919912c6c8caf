import { attributesIn } from './attributes.ts'
import { escapeAttribute } from './references.ts'
import type { TagToken } from './tokens.ts'

/** A part of a source and what is there instead. */
export type Edit = { start: number; end: number; text: string }

/** Returns a source with its edits made, all else byte for byte. Edits are given in the order of their places and do not overlap. */
export const applyEdits = (html: string, edits: readonly Edit[]): string => {
  const parts: string[] = []
  let at = 0
  for (const { start, end, text } of edits) {
    parts.push(html.slice(at, start), text)
    at = end
  }
  parts.push(html.slice(at))
  return parts.join('')
}

/** Returns the edits that give a start tag an attribute, instead of the one it has, or take it away (null). */
export const attributeEdits = (html: string, tag: TagToken, name: string, value: string | null): Edit[] => {
  const standing = attributesIn(html, tag).filter((attribute) => attribute.name === name)
  const written = value === null ? '' : `${name}="${escapeAttribute(value)}"`
  const [first, ...repeated] = standing
  if (!first) {
    const at = tag.end - (tag.isSelfClosing ? 2 : 1)
    return value === null ? [] : [{ start: at, end: at, text: `${/\s/.test(html[at - 1] ?? '') ? '' : ' '}${written}` }]
  }
  const blank = value === null && /\s/.test(html[first.start - 1] ?? '') ? 1 : 0
  return [
    { start: first.start - blank, end: first.end, text: written },
    ...repeated.map(({ start, end }) => ({ start, end, text: '' })),
  ]
}
