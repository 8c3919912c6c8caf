import { clip, hasForbiddenCharacters } from '../../../platform/lib/text.ts'
import { decodedJson, type Fields, fieldsOf, isEmpty, sentence } from './statements.ts'

/** Names of fields in which programs wrap the post. Objects elsewhere, such as an author or an image, are no post. */
const WRAPPERS = [
  ...['data', 'result', 'results', 'response', 'body', 'json', 'payload', 'output', 'items', 'item', 'workflows'],
  ...['articles', 'article', 'posts', 'post', 'entry', 'entries', 'page', 'document', 'record', 'attributes'],
  ...['created', 'updated', 'published'],
] as const
const MAX_DEPTH = 5

/** Names of fields for the address at which readers find the post. The first one with a usable value wins. */
const URL_NAMES = [
  ...['publishedurl', 'publicurl', 'liveurl', 'permalink', 'posturl', 'articleurl', 'pageurl'],
  ...['url', 'weburl', 'link', 'href'],
] as const
const MAX_URL = 2_000

/** Names of fields for the post's id. */
const ID_NAMES = ['externalid', 'postid', 'id'] as const

/** The article that was sent, by which its entry is found in a list. */
export type SentArticle = { id: string; slug: string }

const isOwn = (value: unknown, { id, slug }: SentArticle): boolean => {
  if (typeof value !== 'object' || value === null) return false
  const fields = fieldsOf(value as Record<string, unknown>)
  return fields.get('slug') === slug || ['id', 'articleid'].some((name) => String(fields.get(name)) === id)
}

/** Returns the objects of an answer that may be the post: the answer, entries of lists, and those wrapped in either. */
const postsIn = (json: unknown, sent: SentArticle, depth = 0): Fields[] => {
  const value = decodedJson(json)
  if (depth > MAX_DEPTH || typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) {
    const own = value.filter((one) => isOwn(one, sent))
    return (own.length > 0 ? own : value).flatMap((one) => postsIn(one, sent, depth + 1))
  }
  const fields = fieldsOf(value as Record<string, unknown>)
  return [fields, ...WRAPPERS.flatMap((name) => postsIn(fields.get(name), sent, depth + 1))]
}

/** True if a text is as the receiver wrote it. Reading the JSON replaces a character that cannot be stored by U+FFFD. */
const isWhole = (value: unknown): value is string =>
  typeof value === 'string' && !hasForbiddenCharacters(value) && !value.includes('\ufffd')

/** Returns a post's id as text; undefined if it is no id, or a number too large to be exact. */
const idText = (value: unknown): string | undefined => {
  if (typeof value === 'number')
    return Number.isInteger(value) && !Number.isSafeInteger(value) ? undefined : String(value)
  return isWhole(value) && value !== '' ? clip(value, 200) : undefined
}

/** Returns a full address from a receiver's value, with blanks encoded and a missing scheme added; undefined if it is unclear. */
const fullUrl = (value: unknown): string | undefined => {
  if (!isWhole(value)) return undefined
  const text = value.trim()
  const isBare = /^(?:\/\/|www\.)[^\s/]|^[a-z\d-]+(?:\.[a-z\d-]+)*\.[a-z]{2,}\//i.test(text)
  const url = URL.parse(isBare ? `https://${text.replace(/^\/\//, '')}` : text)
  if (!url || !/^https?:\/\//i.test(isBare ? 'https://' : text) || !/^https?:$/.test(url.protocol)) return undefined
  const full = isBare || /\s/.test(text) ? url.href : text
  return full.length <= MAX_URL ? full : undefined
}

/** The post as an answer names it. `note` is about an address that is none. */
export type NamedPost = { url?: string; remoteId?: string; note?: string }

/** Returns the address and the id of the post in the JSON of an answer. */
export const postIn = (json: unknown, sent: SentArticle): NamedPost => {
  const posts = postsIn(json, sent)
  const valuesOf = (names: readonly string[]) => names.flatMap((name) => posts.map((post) => post.get(name)))
  const remoteId = valuesOf(ID_NAMES)
    .map(idText)
    .find((id) => id !== undefined)
  const given = valuesOf(URL_NAMES).filter((value) => !isEmpty(value))
  const url = given.map(fullUrl).find((one) => one !== undefined)
  const note =
    url === undefined && given.length > 0
      ? `The receiver answered with an address that is no full http(s) address, so none was stored: ${sentence(given[0])}`
      : undefined
  return {
    ...(url === undefined ? {} : { url }),
    ...(remoteId === undefined ? {} : { remoteId }),
    ...(note === undefined ? {} : { note }),
  }
}
