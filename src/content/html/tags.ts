import { decodeAttribute, escapeAttribute } from './references.ts'
import { lowerCase, scanAttributes, type TagToken } from './tokens.ts'

/** Attribute in the source, from `start` to `end`. `raw` is its value without quotes, with references not decoded. */
export type SourceAttribute = { name: string; raw: string; start: number; end: number }

/** Returns the attributes of a tag in order, repeated ones included. */
export const attributesIn = (html: string, tag: TagToken): SourceAttribute[] => {
  const attributes: SourceAttribute[] = []
  scanAttributes(html, tag.nameEnd, (start, nameEnd, valueStart, valueEnd, end) => {
    attributes.push({ name: lowerCase(html.slice(start, nameEnd)), raw: html.slice(valueStart, valueEnd), start, end })
  })
  return attributes
}

/** Returns a tag's attributes by name, with references decoded. The first of duplicates wins. */
export const attributesOf = (html: string, tag: TagToken): Map<string, string> => {
  const attributes = new Map<string, string>()
  for (const { name, raw } of attributesIn(html, tag))
    if (!attributes.has(name)) attributes.set(name, decodeAttribute(raw))
  return attributes
}

/** Part of a source, and its replacement. */
export type Edit = { start: number; end: number; text: string }

/** Returns the source with the edits applied. Edits must be in order and must not overlap. */
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

/** Returns the edits that set an attribute of a start tag, or remove it (null). */
export const attributeEdits = (html: string, tag: TagToken, name: string, value: string | null): Edit[] => {
  const present = attributesIn(html, tag).filter((attribute) => attribute.name === name)
  const written = value === null ? '' : `${name}="${escapeAttribute(value)}"`
  const [first, ...repeated] = present
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

const BLANK = /[ \t\n\f\r]/

/** Returns the end of the descriptors that begin at `from`: the next comma outside of brackets. */
const descriptorsEnd = (srcset: string, from: number): number => {
  let depth = 0
  let at = from
  for (; at < srcset.length; at += 1) {
    const char = srcset[at]
    if (char === '(') depth += 1
    else if (char === ')') depth = Math.max(0, depth - 1)
    else if (char === ',' && depth === 0) return at
  }
  return at
}

/**
 * Returns the candidates of a `srcset`, split at whitespace and commas as browsers do (HTML standard, 4.8.4.2.1).
 *
 * `text` is the address with its descriptors.
 */
export const candidatesOf = (srcset: string): { url: string; text: string }[] => {
  const candidates: { url: string; text: string }[] = []
  let at = 0
  while (at < srcset.length) {
    while (at < srcset.length && (BLANK.test(srcset[at] ?? '') || srcset[at] === ',')) at += 1
    const start = at
    while (at < srcset.length && !BLANK.test(srcset[at] ?? '')) at += 1
    if (at === start) break
    const whole = srcset.slice(start, at)
    const end = whole.endsWith(',') ? at : descriptorsEnd(srcset, at)
    let length = whole.length
    while (whole[length - 1] === ',') length -= 1
    const url = whole.slice(0, length)
    candidates.push({ url, text: `${url}${srcset.slice(at, end).trimEnd()}` })
    at = end
  }
  return candidates
}
