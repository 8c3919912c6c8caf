import { attributesOf } from '../../content/html/attributes.ts'
import { readEvents } from '../../content/html/events.ts'
import { candidatesOf } from '../../content/html/srcset.ts'
import { decoded } from '../../platform/lib/decoded.ts'

/** Elements whose attributes name no picture that readers see. */
const UNSEEN = new Set(['a', 'meta', 'link', 'script', 'form', 'base'])
/** Attributes that hold words. */
const WORDS = /^(?:alt|title|placeholder|aria-.*)$/
/** File names of so many characters tell a picture from others, on whatever host a CMS puts its copy. */
const MIN_NAME = 8

/** The addresses of a style. */
const inStyle = (css: string): string[] =>
  [...css.matchAll(/url\(\s*(?:"([^"]*)"|'([^']*)'|([^"')]+))/gi)].flatMap(([, ...found]) => found.find(Boolean) ?? [])

/** The candidates of a `srcset`, the addresses of a style or of settings for a script, or the value itself. */
const addressesIn = (name: string, value: string): string[] => {
  if (WORDS.test(name)) return []
  if (name.includes('srcset')) return candidatesOf(value).map(({ url }) => url)
  if (!/["'({]/.test(value)) return [value]
  const parts = value.replaceAll('\\/', '/').split(/[\s"'(){}[\]<>]+/)
  return [value, ...inStyle(value), ...parts]
}

/** Address of a picture without scheme and query, as it is compared. */
const plainAddress = ({ host, pathname }: URL): string => decoded(`${host}${pathname}`).normalize('NFC')

/** The addresses that a server of pictures was given within its own: as a parameter, or as its path. */
const innerOf = (url: URL): (URL | null)[] => {
  const whole = decoded(url.href)
  const at = whole.search(/(?<=.{8})https?:\/\//)
  if (at > 0) return [URL.parse(whole.slice(at).split('&')[0] ?? '')]
  const [, host] = /^(\/[a-z\d-]+(?:\.[a-z\d-]+)+\/.*)/i.exec(url.pathname) ?? []
  const [, path] = /^\/(?:cdn-cgi\/image|_ipx)\/[^/]*(\/.*)/.exec(url.pathname) ?? []
  const given = [...url.searchParams.values()].filter((value) => value.startsWith('/'))
  return [
    ...(host === undefined ? [] : [URL.parse(`https:/${host}`)]),
    ...[...(path === undefined ? [] : [path]), ...given].map((address) => URL.parse(address, url.href)),
  ]
}

/** Returns a name of a picture's file without what sites add to their copies: sizes, ids in front, and other formats. */
const nameOf = (address: string): string =>
  (address.split('/').at(-1) ?? '')
    .replace(/(\.[a-z\d]{2,5}){1,2}$/i, '')
    .replace(/(?:@[1-4]x|[-_]\d+x\d*|[-_]x\d+|-p-\d+|-scaled|-e\d{10,})$/, '')
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
  const note = (addresses: readonly string[]): void => {
    for (const address of addresses) {
      const url = /[/.]/.test(address) ? URL.parse(address.trim(), base) : null
      for (const one of url ? [url, ...innerOf(url)] : []) if (one) for (const mark of marksOf(one)) marks.add(mark)
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
    return url !== null && marksOf(url).some((mark) => marks.has(mark))
  }
}
