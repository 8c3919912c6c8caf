import { attributesOf } from '../../content/html/attributes.ts'
import { readEvents } from '../../content/html/events.ts'
import { decoded } from '../../platform/lib/decoded.ts'

/** Elements whose attributes name no picture that readers see. */
const UNSEEN = new Set(['a', 'meta', 'link', 'script', 'form', 'base'])
/** File names of so many characters tell a picture from others, on whatever host a CMS puts its copy. */
const MIN_NAME = 8

/** The candidates of a `srcset`, the addresses of a style, or the value itself. */
const addressesIn = (name: string, value: string): string[] => {
  if (name.includes('srcset')) return value.split(/,?\s+/)
  if (name === 'style') return [...value.matchAll(/url\(\s*["']?([^"')]+)/gi)].map(([, url = '']) => url)
  return [value]
}

/** Address of a picture without scheme and query, as it is compared. */
const plainAddress = ({ host, pathname }: URL): string => decoded(`${host}${pathname}`)

/** An address that a server of pictures was given within its own: as a parameter, or as its path. */
const innerOf = (url: URL): URL | null => {
  const whole = decoded(url.href)
  const at = whole.search(/(?<=.{8})https?:\/\//)
  if (at > 0) return URL.parse(whole.slice(at).split('&')[0] ?? '')
  return /^\/[a-z\d-]+(\.[a-z\d-]+)+\//i.test(url.pathname) ? URL.parse(`https:/${url.pathname}`) : null
}

/** Name of a picture's file without what sites add to their copies: sizes, ids in front, and other formats. */
const nameOf = (address: string): string =>
  (address.split('/').at(-1) ?? '')
    .replace(/(\.[a-z\d]{2,5}){1,2}$/i, '')
    .replace(/-(?:\d+x\d+|scaled|e\d{10,})$/, '')
    .replace(/^[\da-f]{24}_/, '')

/** Returns the marks of a picture: its address, its name in its folder, and its name alone if that is long. */
const marksOf = (url: URL): string[] => {
  const address = plainAddress(url)
  const name = nameOf(address)
  const folder = address.slice(0, address.lastIndexOf('/') + 1)
  return [address, `${folder}${name}`, ...(name.length >= MIN_NAME ? [name] : [])]
}

/**
 * Reads which pictures a page shows, however it loads them: `src`, `srcset`, attributes for scripts that load late, pictures for
 * readers without scripts, backgrounds, and servers that make them smaller. Returns a test for addresses.
 */
export const shownImages = (html: string, base: string): ((address: string) => boolean) => {
  const marks = new Set<string>()
  const source = html.replace(/<\/?noscript\b[^<>]*>/gi, '')
  for (const event of readEvents(source)) {
    if (event.kind !== 'open' || UNSEEN.has(event.tag.name)) continue
    for (const [name, value] of attributesOf(source, event.tag))
      for (const address of addressesIn(name, value)) {
        const url = /[/.]/.test(address) ? URL.parse(address.trim(), base) : null
        const inner = url && innerOf(url)
        for (const one of [url, inner]) if (one) for (const mark of marksOf(one)) marks.add(mark)
      }
  }
  return (address) => {
    const url = URL.parse(address, base)
    return url !== null && marksOf(url).some((mark) => marks.has(mark))
  }
}
