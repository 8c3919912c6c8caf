/** A tag as a browser sees it: names lower-case, of attributes given twice the first. */
type Tag = { name: string; attributes: Map<string, string> }

/** Reading of a fragment by a browser's tokenizer (HTML standard, 13.2.5), as far as start tags are concerned. */
type Reading = { tags: Tag[]; unterminated: boolean }

const RAW = /^(script|style|iframe|xmp|noembed|noframes|noscript|textarea|title)$/

/** Returns the place after a comment that starts at `at` (`<!--`), or -1 when it never ends. */
const commentEnd = (html: string, at: number): number => {
  const rest = html.slice(at + 4)
  const early = /^-?>/.exec(rest)
  if (early) return at + 4 + early[0].length
  const end = /--!?>/.exec(rest)
  return end ? at + 4 + end.index + end[0].length : -1
}

const ATTRIBUTE = /[\s/]*(?:(=?[^\s/>=]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"'][^\s>]*)?))?)/y

/** Reads attributes from `at` to the tag's `>`. Returns the place after it, or -1 if there is none. */
const readAttributes = (html: string, at: number, attributes: Map<string, string>): number => {
  let place = at
  while (place < html.length) {
    const blank = /[\s/]*/y
    blank.lastIndex = place
    blank.exec(html)
    place = blank.lastIndex
    if (html[place] === '>') return place + 1
    ATTRIBUTE.lastIndex = place
    const match = ATTRIBUTE.exec(html)
    if (!match || ATTRIBUTE.lastIndex === place) return -1
    const name = (match[1] ?? '').toLowerCase()
    if (!attributes.has(name)) attributes.set(name, match[2] ?? match[3] ?? match[4] ?? '')
    place = ATTRIBUTE.lastIndex
  }
  return -1
}

const rawEnd = (html: string, name: string, at: number): number => {
  const end = new RegExp(`</${name}(?=[\\s/>])`, 'i').exec(html.slice(at))
  return end ? at + end.index : -1
}

/** Returns the position after the markup at `at`, and adds its tag to `tags`; -1 if the markup never ends. */
const readMarkup = (html: string, at: number, tags: Tag[]): number => {
  if (html.startsWith('<!--', at)) return commentEnd(html, at)
  const tag = /<(\/?)([a-z][^\s/>]*)/iy
  tag.lastIndex = at
  const match = tag.exec(html)
  if (!match) {
    if (!/[!?/]/.test(html[at + 1] ?? '')) return at + 1
    const close = html.indexOf('>', at)
    return close < 0 ? -1 : close + 1
  }
  const name = (match[2] ?? '').toLowerCase()
  const attributes = new Map<string, string>()
  const after = readAttributes(html, tag.lastIndex, attributes)
  if (match[1] === '/' || after < 0) return after
  tags.push({ name, attributes })
  if (name === 'plaintext') return -1
  return RAW.test(name) ? rawEnd(html, name, after) : after
}

/** Reads a fragment as a browser would inside `<body>`, with scripting on. */
const readAsBrowser = (html: string): Reading => {
  const tags: Tag[] = []
  let place = html.indexOf('<')
  while (place >= 0) {
    const next = readMarkup(html, place, tags)
    if (next < 0) return { tags, unterminated: true }
    place = html.indexOf('<', next)
  }
  return { tags, unterminated: false }
}

const NAMED: Record<string, string> = { colon: ':', tab: '\t', newline: '\n', amp: '&', sol: '/', commat: '@' }

/**
 * Returns an attribute's value as a browser resolves it: with character references replaced, and without characters
 * that URLs ignore.
 */
const resolved = (value: string): string =>
  value
    .replace(/&#x([0-9a-f]+);?/gi, (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)))
    .replace(/&#(\d+);?/g, (_, digits: string) => String.fromCodePoint(Number(digits)))
    .replace(/&([a-z]+);/gi, (whole, name: string) => NAMED[name.toLowerCase()] ?? whole)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: browsers strip them
    .replace(/^[\u0000-\u0020]+|[\t\r\n]/g, '')
    .toLowerCase()

const FORBIDDEN_TAG =
  /^(script|style|svg|math|form|input|button|select|option|textarea|object|embed|applet|html|head|body|title|h1|base|meta|link|template|noscript|noembed|noframes|frame|frameset|xmp|plaintext|listing|dialog|image)$/
const FORBIDDEN_ATTRIBUTE = /^(on.*|srcdoc|formaction|action|xlink:href|background|ping|http-equiv)$/
const URL_ATTRIBUTE = /^(href|src|cite|poster|data|srcset)$/
const FORBIDDEN_URL = /^(javascript|vbscript|data|blob|file|filesystem|view-source):/
const PLAYERS = ['youtube.com', 'm.youtube.com', 'youtube-nocookie.com', 'player.vimeo.com']

const isPlayer = (src: string): boolean => {
  const url = URL.parse(resolved(src), 'https://page.example')
  return url !== null && url.protocol === 'https:' && PLAYERS.includes(url.hostname.replace(/^www\./, ''))
}

const faultsOf = ({ name, attributes }: Tag): string[] => {
  const faults = FORBIDDEN_TAG.test(name) ? [`<${name}>`] : []
  if (name === 'iframe' && !isPlayer(attributes.get('src') ?? '')) faults.push('foreign <iframe>')
  for (const [attribute, value] of attributes) {
    if (FORBIDDEN_ATTRIBUTE.test(attribute)) faults.push(`${name} ${attribute}`)
    const urls = attribute === 'srcset' ? value.split(',') : [value]
    if (URL_ATTRIBUTE.test(attribute) && urls.some((url) => FORBIDDEN_URL.test(resolved(url))))
      faults.push(`${name} ${attribute}=${value}`)
    if (attribute === 'style' && /url\(|expression|javascript/i.test(resolved(value))) faults.push(`${name} style`)
  }
  return faults
}

/** Returns the parts of a fragment that no reader's browser may get; empty if it is safe. */
export const dangersIn = (html: string): string[] => {
  const { tags, unterminated } = readAsBrowser(html)
  return [...tags.flatMap(faultsOf), ...(unterminated ? ['unterminated'] : [])]
}
