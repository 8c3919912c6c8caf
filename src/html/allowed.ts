import { decodeReferences } from './references.ts'

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
/** An address as a browser reads it: references resolved, without the blanks and controls that could hide a scheme. */
const plainUrl = (raw: string): string =>
  decodeReferences(raw)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: browsers skip them inside a scheme
    .replace(/[\u0000-\u0020\u007f-\u009f\u00ad\u200b-\u200f\u2028\u2029\ufeff]/g, '')

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

/** Why an attribute goes; undefined when it stays. `raw` is its value as it stands in the source. */
export const attributeFault = (tag: string, name: string, raw: string): string | undefined => {
  const allowed =
    GLOBAL_ATTRIBUTES.has(name) ||
    /^(aria|data)-[a-z0-9-]+$/.test(name) ||
    ELEMENTS[tag]?.includes(name) ||
    name === 'style'
  if (!allowed) return `${name} attribute`
  if (name === 'style') return isSafeStyle(raw) ? undefined : 'style attribute'
  if (name === 'srcset') return isSafeSrcset(raw) ? undefined : 'unsafe URL in srcset'
  if (!URL_ATTRIBUTES.has(name) || isSafeUrl(raw)) return undefined
  const scheme = schemeOf(raw)
  return scheme ? `${scheme}: URL in ${name}` : `unsafe URL in ${name}`
}

/** What becomes of an element: it stays, its tags go, it goes with all it holds, or it goes as a picture of data. */
export type Verdict = 'stays' | 'unwrapped' | 'dropped' | 'data_image'

/** Judges an element by its name and the `src` attributes of its tag, those given twice too. */
export const judgeElement = (tag: string, sources: readonly string[]): Verdict => {
  if (tag === 'img' && sources.some((raw) => schemeOf(raw) === 'data')) return 'data_image'
  const isPlayer = sources.length > 0 && sources.every((raw) => VIDEO_HOSTS.test(plainUrl(raw)))
  if (DROPPED.has(tag) || (tag === 'iframe' && !isPlayer)) return 'dropped'
  return SHELLS.has(tag) || !Object.hasOwn(ELEMENTS, tag) ? 'unwrapped' : 'stays'
}
