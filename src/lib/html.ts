/** Elements that stay, with the attributes they may keep besides the global ones. */
const ELEMENTS: Record<string, readonly string[]> = {
  a: ['href', 'target', 'rel', 'hreflang', 'download', 'name'],
  abbr: [],
  address: [],
  article: [],
  aside: [],
  b: [],
  bdi: [],
  bdo: [],
  br: [],
  caption: [],
  center: [],
  cite: [],
  code: [],
  dd: [],
  dfn: [],
  div: ['align'],
  dl: [],
  dt: [],
  em: [],
  figcaption: [],
  figure: [],
  footer: [],
  header: [],
  hr: [],
  i: [],
  kbd: [],
  main: [],
  mark: [],
  nav: [],
  picture: [],
  pre: [],
  rp: [],
  rt: [],
  ruby: [],
  s: [],
  samp: [],
  section: [],
  small: [],
  span: [],
  strike: [],
  strong: [],
  sub: [],
  summary: [],
  sup: [],
  tt: [],
  u: [],
  ul: [],
  var: [],
  wbr: [],
  audio: ['src', 'controls', 'preload', 'loop', 'muted'],
  blockquote: ['cite'],
  col: ['span', 'width'],
  colgroup: ['span'],
  data: ['value'],
  del: ['cite', 'datetime'],
  details: ['open'],
  font: ['color', 'size'],
  h2: ['align'],
  h3: ['align'],
  h4: ['align'],
  h5: ['align'],
  h6: ['align'],
  p: ['align'],
  iframe: ['src', 'width', 'height', 'allow', 'allowfullscreen', 'frameborder', 'loading', 'referrerpolicy'],
  img: ['src', 'srcset', 'sizes', 'alt', 'width', 'height', 'loading', 'decoding', 'fetchpriority', 'align'],
  ins: ['cite', 'datetime'],
  li: ['value'],
  ol: ['start', 'type', 'reversed'],
  q: ['cite'],
  source: ['src', 'srcset', 'type', 'media', 'sizes'],
  table: ['border', 'cellpadding', 'cellspacing', 'width', 'align'],
  tbody: [],
  thead: [],
  tfoot: [],
  tr: ['align', 'valign'],
  td: ['colspan', 'rowspan', 'headers', 'align', 'valign', 'width'],
  th: ['colspan', 'rowspan', 'headers', 'scope', 'abbr', 'align', 'valign', 'width'],
  time: ['datetime'],
  track: ['src', 'kind', 'srclang', 'label', 'default'],
  video: ['src', 'poster', 'controls', 'preload', 'loop', 'muted', 'playsinline', 'width', 'height'],
}

const GLOBAL_ATTRIBUTES = new Set([
  'id',
  'class',
  'title',
  'lang',
  'dir',
  'role',
  'tabindex',
  'itemscope',
  'itemprop',
  'itemtype',
])
const URL_ATTRIBUTES = new Set(['href', 'src', 'cite', 'poster'])

/** Elements that go while what they hold stays: page shells, forms, and anything unknown. */
const SHELLS = new Set(['html', 'body', 'form', 'fieldset', 'label', 'legend'])

/** Elements that go with everything in them. */
const DROPPED = new Set([
  'script',
  'style',
  'noscript',
  'template',
  'head',
  'title',
  'meta',
  'link',
  'base',
  'object',
  'embed',
  'applet',
  'param',
  'frame',
  'frameset',
  'noframes',
  'noembed',
  'input',
  'button',
  'select',
  'option',
  'optgroup',
  'textarea',
  'datalist',
  'output',
  'svg',
  'math',
  'canvas',
  'dialog',
  'xmp',
  'plaintext',
  'listing',
  'portal',
  'slot',
  'marquee',
  'area',
  'map',
])

const VIDEO_HOSTS =
  /^(?:https:)?\/\/(?:www\.youtube\.com|youtube\.com|www\.youtube-nocookie\.com|player\.vimeo\.com)\//i
const SAFE_SCHEMES = new Set(['http', 'https', 'mailto', 'tel', 'sms'])
const NAMED_REFERENCES: Record<string, string> = {
  colon: ':',
  tab: '',
  newline: '',
  amp: '&',
  sol: '/',
  num: '#',
  quest: '?',
  period: '.',
}

/** An attribute's value with the character references that could hide a scheme resolved, blanks and controls dropped. */
const plainUrl = (raw: string): string =>
  raw
    .replace(/&#x([0-9a-f]+);?/gi, (_, digits: string) => codePoint(Number.parseInt(digits, 16)))
    .replace(/&#(\d+);?/g, (_, digits: string) => codePoint(Number(digits)))
    .replace(/&([a-z]+);/gi, (whole, name: string) => NAMED_REFERENCES[name.toLowerCase()] ?? whole)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: browsers skip them inside a scheme
    .replace(/[\u0000-\u0020\u007f-\u009f\u00ad\u200b-\u200f\u2028\u2029\ufeff]/g, '')

const codePoint = (code: number): string => (code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '')

/** The scheme of a URL attribute; '' when relative; undefined when it cannot be told for sure. */
const schemeOf = (raw: string): string | undefined => {
  const url = plainUrl(raw)
  const head = /^[^/?#:]*/.exec(url)?.[0] ?? ''
  if (url[head.length] !== ':') return head.includes('&') && /&[a-z]+;?/i.test(head) ? undefined : ''
  return /^[a-z][a-z0-9+.-]*$/i.test(head) ? head.toLowerCase() : undefined
}

const isSafeUrl = (raw: string): boolean => {
  const scheme = schemeOf(raw)
  return scheme === '' || (scheme !== undefined && SAFE_SCHEMES.has(scheme))
}

const isSafeStyle = (css: string): boolean =>
  !/url\s*\(|expression|@import|javascript|behavior|binding|position|\\|&/i.test(css)

const isSafeSrcset = (raw: string): boolean => raw.split(',').every((candidate) => isSafeUrl(candidate.trim()))

/** Why an attribute goes; undefined when it stays. */
const attributeFault = (tag: string, name: string, value: string): string | undefined => {
  const allowed =
    GLOBAL_ATTRIBUTES.has(name) ||
    /^(aria|data)-[a-z0-9-]+$/.test(name) ||
    ELEMENTS[tag]?.includes(name) ||
    name === 'style'
  if (!allowed) return `${name} attribute`
  if (name === 'style') return isSafeStyle(value) ? undefined : 'style attribute'
  if (name === 'srcset') return isSafeSrcset(value) ? undefined : 'unsafe URL in srcset'
  if (!URL_ATTRIBUTES.has(name) || isSafeUrl(value)) return undefined
  const scheme = schemeOf(value)
  return scheme ? `${scheme}: URL in ${name}` : `unsafe URL in ${name}`
}

const cleanAttributes = (element: Element, tag: string, removed: Set<string>): void => {
  for (const [name = '', value = ''] of [...element.attributes]) {
    const fault = attributeFault(tag, name.toLowerCase(), value)
    if (fault === undefined) continue
    element.removeAttribute(name)
    removed.add(fault)
  }
}

/** A parser's visitor that takes out what is not allowed and notes it. */
const sanitizer = (removed: Set<string>, sentinel: string, seen: () => void) => ({
  element(element: Element) {
    const tag = element.tagName.toLowerCase()
    if (tag === sentinel) {
      seen()
      element.remove()
      return
    }
    if (tag === 'h1') {
      element.tagName = 'h2'
      removed.add('<h1> (made <h2>)')
      cleanAttributes(element, 'h2', removed)
      return
    }
    const foreignFrame = tag === 'iframe' && !VIDEO_HOSTS.test(plainUrl(element.getAttribute('src') ?? ''))
    const imageData = tag === 'img' && schemeOf(element.getAttribute('src') ?? '') === 'data'
    if (DROPPED.has(tag) || foreignFrame || imageData) {
      element.remove()
      removed.add(imageData ? '<img> with a data: URL' : `<${tag}>`)
    } else if (SHELLS.has(tag) || !Object.hasOwn(ELEMENTS, tag)) {
      element.removeAndKeepContent()
      removed.add(`<${tag}>`)
    } else cleanAttributes(element, tag, removed)
  },
})

export type SanitizedHtml = { html: string; removed: string[] }

const withoutDoctype = (html: string): string => html.replace(/^\s*<!doctype[^>]*>/i, '')

/** The name of an element the text does not have, found in one pass. */
const absentElement = (html: string): string => {
  const taken = new Set([...html.matchAll(/end-of-fragment-(\d{1,9})/gi)].map(([, digits]) => Number(digits)))
  let number = 0
  while (taken.has(number)) number += 1
  return `end-of-fragment-${number}`
}

/** One reading of a fragment; undefined when it ends where what follows it would become part of it. */
const cleanOnce = async (given: string, removed: Set<string>): Promise<string | undefined> => {
  const html = withoutDoctype(given)
  if (html !== given) removed.add('<!doctype>')
  const sentinel = absentElement(html)
  let ended = false
  const visitor = sanitizer(removed, sentinel, () => {
    ended = true
  })
  const source = new Response(`${html}<${sentinel}></${sentinel}>`, {
    headers: { 'content-type': 'text/html; charset=utf-8' },
  })
  try {
    const cleaned = await new HTMLRewriter().on('*', visitor).transform(source).text()
    return ended ? cleaned : undefined
  } catch {
    return undefined
  }
}

/** Readings after which a fragment that still changes is refused. */
const MAX_READINGS = 8

/**
 * Makes an HTML fragment safe by an allow-list of elements, attributes and URL schemes, reading it with the runtime's
 * HTML parser (HTMLRewriter, lol-html). A fragment that needs no change comes back byte for byte; else `removed` names
 * what was taken out. Returns undefined when the fragment ends inside a tag, a comment or an unclosed raw-text element,
 * where what follows it in a page would become part of it.
 *
 * What was cleaned is read again until a reading finds nothing: taking an element out can make a tag of the text around
 * it (`<<x>img …>`), and an `svg` that is taken out no longer decides how a browser reads what follows it.
 */
export const sanitizeHtml = async (given: string): Promise<SanitizedHtml | undefined> => {
  const removed = new Set<string>()
  let html = given
  for (let reading = 0; reading < MAX_READINGS; reading += 1) {
    const found = new Set<string>()
    const cleaned = await cleanOnce(html, found)
    if (cleaned === undefined) return undefined
    if (found.size === 0) return { html, removed: [...removed] }
    for (const what of found) removed.add(what)
    html = cleaned
  }
  return undefined
}
