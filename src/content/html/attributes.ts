import { decodeAttribute } from './references.ts'
import { lowerCase, scanAttributes, type TagToken } from './tokens.ts'

/** An attribute as it is in the source, from `start` to `end`. `raw` is its value without quotes, references unresolved. */
export type SourceAttribute = { name: string; raw: string; start: number; end: number }

/** Returns the attributes of a tag in their order, those given twice too. */
export const attributesIn = (html: string, tag: TagToken): SourceAttribute[] => {
  const attributes: SourceAttribute[] = []
  scanAttributes(html, tag.nameEnd, (start, nameEnd, valueStart, valueEnd, end) => {
    attributes.push({ name: lowerCase(html.slice(start, nameEnd)), raw: html.slice(valueStart, valueEnd), start, end })
  })
  return attributes
}

/** Returns a tag's attributes by name, references resolved; of one given twice the first. */
export const attributesOf = (html: string, tag: TagToken): Map<string, string> => {
  const attributes = new Map<string, string>()
  for (const { name, raw } of attributesIn(html, tag))
    if (!attributes.has(name)) attributes.set(name, decodeAttribute(raw))
  return attributes
}
