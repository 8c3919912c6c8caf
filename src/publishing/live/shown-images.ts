import { readEvents } from '../../content/html/events.ts'
import { attributesOf, candidatesOf } from '../../content/html/tags.ts'
import { decoded } from '../../platform/lib/urls.ts'

/** Elements whose attributes do not name visible pictures. */
const UNSEEN = new Set(['a', 'meta', 'link', 'script', 'form', 'base'])
/** Attributes that contain text. */
const WORDS = /^(?:alt|title|placeholder|aria-.*)$/
/** Minimum length of a file name that identifies a picture, on whatever host a CMS stores its copy. */
const MIN_NAME = 8

/** Returns the addresses in a CSS text. */
const inStyle = (css: string): string[] =>
  [...css.matchAll(/url\(\s*(?:"([^"]*)"|'([^']*)'|([^"')]+))/gi)].flatMap(([, ...found]) => found.find(Boolean) ?? [])

/**
 * Returns the addresses that an attribute may contain: `srcset` candidates, CSS addresses, parts of script settings, or
 * the value.
 */
const addressesIn = (name: string, value: string): string[] => {
  if (WORDS.test(name)) return []
  if (name.includes('srcset')) return candidatesOf(value).map(({ url }) => url)
  if (!/["'({]/.test(value)) return [value]
  const parts = value.replaceAll('\\/', '/').split(/[\s"'(){}[\]<>]+/)
  return [value, ...inStyle(value), ...parts]
}

/** Returns the address of a picture without scheme and query, for comparison. */
const plainAddress = ({ host, pathname }: URL): string => decoded(`${host}${pathname}`).normalize('NFC')

/** Returns the addresses inside the address of an image server: as a parameter, or in its path. */
const innerOf = (url: URL): (URL | null)[] => {
  const whole = decoded(url.href)
  const at = whole.search(/(?<=.{8})https?:\/\//)
  if (at > 0) return [URL.parse((whole.slice(at).split('&')[0] ?? '').replace(/@[a-z]{3,4}$/, ''))]
  const [, host] = /^(\/[a-z\d-]+(?:\.[a-z\d-]+)+\/.*)/i.exec(url.pathname) ?? []
  const [, path] = /^\/(?:cdn-cgi\/image|_ipx)\/[^/]*(\/.*)/.exec(url.pathname) ?? []
  const values = [...url.searchParams.values()]
  const given = values.filter((value) => value.startsWith('/'))
  const bare = values.filter((value) => /^[a-z\d-]+(?:\.[a-z\d-]+)+\//i.test(value))
  return [
    ...bare.map((value) => URL.parse(`https://${value}`)),
    ...(host === undefined ? [] : [URL.parse(`https:/${host}`)]),
    ...[...(path === undefined ? [] : [path]), ...given].map((address) => URL.parse(address, url.href)),
  ]
}

/** Returns the file name of a picture without what sites add to their copies: size, id prefix and file extension. */
const nameOf = (address: string): string =>
  (address.split('/').at(-1) ?? '')
    .replace(/(\.[a-z\d]{2,5}){1,2}$/i, '')
    .replace(/(?:@[1-4]x|[-_]\d+x\d*|[-_]x\d+|-p-\d+|-scaled|-e\d{10,})$/, '')
    .replace(/^[\da-f]{24}_/, '')

/** Returns the keys that identify a picture: its address, its folder and name, and its name alone if that is long. */
const marksOf = (url: URL): string[] => {
  const address = plainAddress(url)
  const name = nameOf(address)
  const folder = address.slice(0, address.lastIndexOf('/') + 1)
  return [address, `${folder}${name}`, ...(name.length >= MIN_NAME ? [name] : [])]
}

/**
 * Reads the pictures of a page. Returns a function that returns where the page loads a picture from; undefined if it does not.
 *
 * It covers `src`, `srcset`, attributes for lazy loading, `noscript`, CSS backgrounds, and image servers.
 */
export const shownImages = (html: string, base: string): ((address: string) => string | undefined) => {
  const marks = new Map<string, string>()
  const source = html.replace(/<\/?noscript\b[^<>]*>/gi, '')
  const note = (addresses: readonly string[]): void => {
    for (const address of addresses) {
      const url = /[/.]/.test(address) ? URL.parse(address.trim(), base) : null
      for (const one of url ? [url, ...innerOf(url)] : [])
        if (one) for (const mark of marksOf(one)) if (!marks.has(mark)) marks.set(mark, url?.href ?? '')
    }
  }
  let isStyle = false
  for (const event of readEvents(source)) {
    if (event.kind === 'text' && isStyle) note(inStyle(source.slice(event.start, event.end)))
    isStyle = event.kind === 'open' && event.tag.name === 'style'
    if (event.kind !== 'open' || UNSEEN.has(event.tag.name)) continue
    for (const [name, value] of attributesOf(source, event.tag)) note(addressesIn(name, value))
  }
  return (address) => {
    const url = URL.parse(address, base)
    const mark = url && marksOf(url).find((one) => marks.has(one))
    return mark ? marks.get(mark) : undefined
  }
}
