import { linksIn } from '../../../platform/lib/links.ts'
import { bytesOf } from '../../../reach/social/counting.ts'

type Feature =
  | { $type: 'app.bsky.richtext.facet#link'; uri: string }
  | { $type: 'app.bsky.richtext.facet#tag'; tag: string }
  | { $type: 'app.bsky.richtext.facet#mention'; did: string }

/** A stretch of a text, in bytes of UTF-8, and what it is (app.bsky.richtext.facet). */
export type Facet = { index: { byteStart: number; byteEnd: number }; features: Feature[] }

/** A tag, after a number sign of either width. */
const tag = () => /(?<=^|\s)[#＃]([^\s\p{P}\p{S}]|[^\s\p{P}\p{S}][^\s]{0,62}[^\s\p{P}])(?=$|\s|\p{P})/gu
const MENTION = /(?<=^|\s|\()@((?:[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?\.)+[a-zA-Z][a-zA-Z0-9-]{0,61})/g
/** The handles a text mentions, each once. */
export const mentionsIn = (text: string): string[] => [
  ...new Set([...text.matchAll(MENTION)].map(([, handle = '']) => handle.toLowerCase())),
]

/** The links, hashtags and mentions of a text. A handle without a DID stays plain text. */
export const facetsOf = (text: string, dids: ReadonlyMap<string, string>): Facet[] => {
  const at = (start: number, length: number, feature: Feature): Facet => {
    const byteStart = bytesOf(text.slice(0, start))
    return {
      index: { byteStart, byteEnd: byteStart + bytesOf(text.slice(start, start + length)) },
      features: [feature],
    }
  }
  const links = linksIn(text).map(({ start, end, uri }) =>
    at(start, end - start, { $type: 'app.bsky.richtext.facet#link', uri }),
  )
  const tags = [...text.matchAll(tag())]
    // A number alone is no tag at Bluesky.
    .filter(([, name = '']) => /\p{L}/u.test(name))
    .map((match) => at(match.index, match[0].length, { $type: 'app.bsky.richtext.facet#tag', tag: match[1] ?? '' }))
  const mentions = [...text.matchAll(MENTION)].flatMap((match) => {
    const did = dids.get((match[1] ?? '').toLowerCase())
    return did ? [at(match.index, match[0].length, { $type: 'app.bsky.richtext.facet#mention', did })] : []
  })
  return [...links, ...tags, ...mentions].sort((a, b) => a.index.byteStart - b.index.byteStart)
}
