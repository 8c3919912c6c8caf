import { readEvents } from './events.ts'
import { attributesOf } from './tags.ts'

/** Most types that are named, and the longest name. */
const MOST = 20
const MAX_NAME = 60

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** Returns the things of a block: itself, each of a list, or each of its `@graph`. */
const thingsIn = (value: unknown): unknown[] => {
  const roots = Array.isArray(value) ? value : [value]
  return roots.flatMap((root) => (isObject(root) && Array.isArray(root['@graph']) ? root['@graph'] : [root]))
}

const namesIn = (thing: unknown): string[] => {
  const names = isObject(thing) ? [thing['@type']].flat() : []
  return names.flatMap((name) =>
    typeof name === 'string' ? [name.replace(/^https?:\/\/schema\.org\//, '').slice(0, MAX_NAME)] : [],
  )
}

const parsed = (json: string): unknown => {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

/** Returns the types of the things that a page describes in JSON-LD, each once, in order. Blocks that cannot be read have none. */
export const typesInJsonLd = (html: string): string[] => {
  const found = new Set<string>()
  let isJson = false
  for (const event of readEvents(html)) {
    if (event.kind === 'open')
      isJson =
        event.tag.name === 'script' &&
        /^\s*application\/ld\+json\b/i.test(attributesOf(html, event.tag).get('type') ?? '')
    else if (event.kind === 'close') isJson = false
    else if (event.kind === 'text' && isJson)
      for (const name of thingsIn(parsed(html.slice(event.start, event.end))).flatMap(namesIn)) found.add(name)
  }
  return [...found].slice(0, MOST)
}
