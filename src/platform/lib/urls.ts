const V4 = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/

/** Special-purpose IPv4 blocks (IANA registry, RFC 6890), as [first address, prefix length]. */
const SPECIAL_V4: readonly [string, number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
]

const v4Number = (text: string): number | undefined => {
  const match = V4.exec(text)
  if (!match) return undefined
  const parts = match.slice(1).map(Number)
  return parts.some((p) => p > 255) ? undefined : parts.reduce((n, p) => n * 256 + p, 0)
}

const isSpecialV4 = (address: number): boolean =>
  SPECIAL_V4.some(([first, prefix]) => {
    const size = 2 ** (32 - prefix)
    return Math.floor(address / size) === Math.floor((v4Number(first) ?? 0) / size)
  })

const v6Groups = (text: string): number[] | undefined => {
  const dotted = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(text)
  const v4 = dotted ? v4Number(dotted[2] ?? '') : undefined
  if (dotted && v4 === undefined) return undefined
  const plain = dotted
    ? `${dotted[1]}${Math.floor((v4 ?? 0) / 65536).toString(16)}:${((v4 ?? 0) % 65536).toString(16)}`
    : text
  const [head = '', tail] = plain.split('::')
  const groups = (part: string) => (part === '' ? [] : part.split(':').map((g) => Number.parseInt(g, 16)))
  const left = groups(head)
  const right = tail === undefined ? [] : groups(tail)
  const all =
    tail === undefined
      ? left
      : [...left, ...Array<number>(Math.max(0, 8 - left.length - right.length)).fill(0), ...right]
  return all.length === 8 && all.every((g) => g >= 0 && g <= 0xffff) ? all : undefined
}

const isPublicV6 = (groups: number[]): boolean => {
  const [a = 0, b = 0, , , , , g = 0, h = 0] = groups
  const v4 = g * 65536 + h
  const leadingZeros = groups.slice(0, 5).every((x) => x === 0)
  if (leadingZeros && (groups[5] === 0xffff || groups[5] === 0)) return groups[5] === 0xffff && !isSpecialV4(v4)
  // 64:ff9b::/96 carries an IPv4 address at its end (RFC 6052); 64:ff9b:1::/48 is for translation within a network (RFC 8215).
  if (a === 0x64 && b === 0xff9b) return groups.slice(2, 6).every((x) => x === 0) && !isSpecialV4(v4)
  if (a === 0x2002) return !isSpecialV4(b * 65536 + (groups[2] ?? 0))
  if (a === 0x2001 && b < 0x200) return false
  if (a === 0x2001 && b === 0xdb8) return false
  if (a === 0x3fff && b < 0x1000) return false
  return a >= 0x2000 && a <= 0x3fff
}

/** White space and control characters. The URL parser silently drops or encodes them. */
const BLANK = /[\s\p{Cc}]/u

/** True if an address contains white space or control characters: the stored address would differ from the one called. */
export const hasBlanks = (address: string): boolean => BLANK.test(address)

/** Message for an address with white space or control characters. */
export const NO_BLANKS = 'must not contain white space or control characters'

/** True if the public internet routes an IP address (text form, no brackets). False if it cannot be parsed. */
export const isPublicAddress = (address: string): boolean => {
  const v4 = v4Number(address)
  if (v4 !== undefined) return !isSpecialV4(v4)
  const v6 = v6Groups(address)
  return v6 !== undefined && isPublicV6(v6)
}

/** Names that never lead to the public internet (RFC 6761, RFC 8375, cloud metadata). */
const PRIVATE_NAMES = /(^|\.)(localhost|local|localdomain|internal|intranet|lan|home|corp|home\.arpa)$/

/** True if a host is this machine itself, by name or address. */
export const isLoopbackHost = (host: string): boolean =>
  host === 'localhost' || host.endsWith('.localhost') || host.startsWith('127.') || host === '[::1]'

/** Reason for refusing an outbound address. */
type UrlRefusal = 'not_absolute' | 'not_http' | 'credentials' | 'port' | 'private_host'

/** Message for a refused port. */
export const WEB_PORTS = 'must use port 80, 443 or one from 1024 on'

/**
 * True for a port of the web. Mail, shells and directories use ports below 1024; websites there use 80 and 443.
 *
 * The URL parser drops the scheme's default port.
 */
const isWebPort = (port: string): boolean => port === '' || port === '80' || port === '443' || Number(port) >= 1024

/** Maximum lengths of a DNS name and of its parts between dots (RFC 1035, 2.3.4). */
const MAX_HOST = 253
const MAX_LABEL = 63

/**
 * Returns the host to check, without the one dot that may end it (the DNS root).
 *
 * Undefined if it is not a valid name: a part is empty or too long, or the whole is longer than DNS allows.
 */
const namedHost = (url: URL): string | undefined => {
  const host = url.hostname.toLowerCase().replace(/\.$/, '')
  const isName = host.length <= MAX_HOST && host.split('.').every((label) => label !== '' && label.length <= MAX_LABEL)
  return isName || host.startsWith('[') ? host : undefined
}

/**
 * Checks a customer's address: absolute http(s), no credentials, a port of the web, a public host.
 *
 * The URL parser has already normalised odd IPv4 spellings (decimal, octal, hex). `allowLoopback` is for development only.
 */
export const checkPublicUrl = (text: string, allowLoopback: boolean): { url: URL } | { refusal: UrlRefusal } => {
  let url: URL
  try {
    url = new URL(text)
  } catch {
    return { refusal: 'not_absolute' }
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return { refusal: 'not_http' }
  if (url.username !== '' || url.password !== '') return { refusal: 'credentials' }
  if (!isWebPort(url.port)) return { refusal: 'port' }
  const host = namedHost(url)
  if (host === undefined) return { refusal: 'private_host' }
  if (isLoopbackHost(host)) return allowLoopback ? { url } : { refusal: 'private_host' }
  if (host.startsWith('[')) return isPublicAddress(host.slice(1, -1)) ? { url } : { refusal: 'private_host' }
  if (V4.test(host)) return isPublicAddress(host) ? { url } : { refusal: 'private_host' }
  if (!host.includes('.') || PRIVATE_NAMES.test(host)) return { refusal: 'private_host' }
  return { url }
}

/** Returns a site address; adds `https://` if it has no scheme. */
export const withScheme = (text: string): string => (/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`)

/** Returns the form in which two site addresses are compared: host without `www.`, path without trailing slash. */
export const siteKey = (url: URL): string =>
  `${url.hostname.replace(/^www\./, '').replace(/\.$/, '')}${url.port ? `:${url.port}` : ''}${url.pathname.replace(/(?<!\/)\/+$/, '')}`

/** Names of parameters that say where a reader came from, and sessions. They never decide which page is shown. */
const TRACKER =
  /^(?:utm_.*|mtm_.*|matomo_.*|pk_.*|hsa_.*|_hs.*|vero_.*|oly_.*|gclid|gclsrc|gad_.*|dclid|gbraid|wbraid|_ga|_gl|srsltid|fbclid|fb_.*|msclkid|yclid|ysclid|_openstat|ttclid|twclid|li_fat_id|igshid|igsh|epik|rdt_cid|mc_[ce]id|mkt_tok|_kx|_ke|ck_subscriber_id|ref_src|ref_url|phpsessid|jsessionid)$/i

/** Returns the parts of an address's query without trackers, in their order. */
const partsOfQuery = ({ search }: URL): string[] =>
  search
    .slice(1)
    .split('&')
    .filter((part) => part !== '' && !TRACKER.test(decoded(part.split('=', 1)[0] ?? '')))

/** Returns an address without trackers and fragment, as it is stored and shown. */
export const withoutTrackers = (url: URL): URL => {
  const plain = new URL(url)
  plain.hash = ''
  plain.search = partsOfQuery(url).join('&')
  return plain
}

/**
 * Returns the form in which two page addresses are compared: the key of a site, and the query without trackers, sorted.
 *
 * So `/?p=59` and `/?p=60` are different pages, while the scheme, `www.`, a slash at the end and the order of parameters make no other page.
 */
export const pageKey = (url: URL): string => {
  const parts = partsOfQuery(url).sort()
  return parts.length > 0 ? `${siteKey(url)}?${parts.join('&')}` : siteKey(url)
}

const PAGE_ID = /^\?(?:p|page_id|post|post_id|article|article_id|story|node|id)=[\w-]+$/i

/** True if a query is the id of a page and nothing else. Other queries sort, search, or put goods into a basket. */
export const namesPage = (query: string): boolean => PAGE_ID.test(query)

/**
 * Returns the key of the page that a link shows: without its query, unless that names the page.
 *
 * Links often have a query that only changes the view, such as `?plan=pro`.
 */
export const shownPage = (key: string): string => {
  const at = key.indexOf('?')
  return at < 0 || namesPage(key.slice(at)) ? key : key.slice(0, at)
}

/** Maximum number of path parts at which a site may begin. */
const MAX_DEPTH = 8

/** Returns the keys of all sites that an address can belong to, the narrowest first: `a.com/b/c`, `a.com/b`, `a.com`. */
export const siteKeys = (url: URL): string[] => {
  const [host = '', ...parts] = siteKey(url).split('/')
  const keys = [host]
  for (const part of parts.slice(0, MAX_DEPTH)) keys.unshift(`${keys[0]}/${part}`)
  return keys
}

/** True if a page belongs to a site, both given by their keys: it is the site's own address or below it. */
export const isOfSite = (page: string, site: string): boolean =>
  page.startsWith(site) && (page.length === site.length || '/?'.includes(page.charAt(site.length)))

/** Returns the host of a site or page, given by its key. */
export const hostOfKey = (key: string): string => key.split(/[/?]/, 1)[0] ?? ''

/**
 * Returns the key of a page that was read: that of its canonical address.
 *
 * A canonical address on another host, or one that names the home page, is ignored: the first is a copy's source, the second a template's
 * mistake.
 */
export const keyOfRead = (page: URL, canonical: string | null): string => {
  const named = canonical === null ? null : URL.parse(canonical, page.href)
  const key = named === null ? '' : pageKey(named)
  const host = hostOfKey(pageKey(page))
  return key !== host && hostOfKey(key) === host ? key : pageKey(page)
}

/** True if a host has a name reserved for examples (RFC 6761), where no website can exist. */
export const isReservedHost = (host: string): boolean => /(^|\.)(example|invalid)$/.test(host.replace(/\.$/, ''))

/** Returns a text without percent-encoding; the text unchanged if it cannot be decoded. Never throws. */
export const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Decodes a header as UTF-8 if its bytes are valid UTF-8. Servers send addresses so, and browsers decode them so. */
const asUtf8 = (header: string): string => {
  if (!/[\x80-\xff]/.test(header) || /[^\0-\xff]/.test(header)) return header
  try {
    const bytes = Uint8Array.from(header, (char) => char.charCodeAt(0))
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes)
  } catch {
    return header
  }
}

/** Redirect statuses (Fetch, section 2.2.3). */
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/** Returns where an answer redirects to; null if it does not redirect. */
export const locationOf = ({ status, headers }: { status: number; headers: Headers }, base: string): URL | null => {
  const location = REDIRECTS.has(status) ? headers.get('location') : null
  return location === null ? null : URL.parse(asUtf8(location), base)
}
