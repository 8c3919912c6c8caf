import { playerOfPage, playerSite } from './players.ts'
import { decodeAttribute, escapeText } from './references.ts'
import { declarationsOf } from './style.ts'
import { candidatesOf } from './tags.ts'

/** Allowed elements, with the attributes they may have. Global attributes are allowed on all of them. */
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

const LENGTHS = ['width', 'height', 'depth']

/** Elements of MathML Core allowed within `<math>`, with their attributes. Global attributes are allowed too. */
const MATH: Record<string, readonly string[]> = {
  ...{
    annotation: ['encoding'],
    maction: ['actiontype', 'selection'],
    math: ['display', 'alttext', 'xmlns'],
    merror: [],
  },
  ...{ mfrac: ['linethickness'], mi: [], mmultiscripts: [], mn: [] },
  mo: [
    ...['form', 'fence', 'separator', 'lspace', 'rspace', 'stretchy', 'symmetric', 'maxsize', 'minsize'],
    ...['largeop', 'movablelimits', 'accent'],
  ],
  ...{ mover: ['accent'], mpadded: [...LENGTHS, 'lspace', 'voffset'], mphantom: [], mprescripts: [] },
  ...{ mroot: [], mrow: [], ms: [], mspace: LENGTHS, msqrt: [], mstyle: [], msub: [], msubsup: [], msup: [] },
  ...{ mtable: [], mtd: ['columnspan', 'rowspan'], mtext: [], mtr: [], munder: ['accentunder'] },
  ...{ munderover: ['accent', 'accentunder'], none: [], semantics: [] },
}
const MATH_ATTRIBUTES = new Set([
  ...['mathbackground', 'mathcolor', 'mathsize', 'mathvariant', 'displaystyle', 'scriptlevel', 'intent', 'arg'],
])

const GLOBAL_ATTRIBUTES = new Set([
  'id',
  'class',
  'title',
  'lang',
  'dir',
  'translate',
  'role',
  'tabindex',
  'itemscope',
  'itemprop',
  'itemtype',
])
const URL_ATTRIBUTES = new Set(['href', 'src', 'cite', 'poster'])

/** Elements whose tags are removed while their content stays. Unknown elements are treated the same. */
const SHELLS = new Set(['html', 'body', 'form', 'fieldset', 'label', 'legend'])

/** Elements that are removed with their content. */
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
  'annotation-xml',
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

const SAFE_SCHEMES = new Set(['http', 'https', 'mailto', 'tel', 'sms'])
/**
 * Returns an address as a browser reads it: references decoded, and no whitespace or control characters that could hide a
 * scheme.
 */
const plainUrl = (raw: string): string =>
  decodeAttribute(raw)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: browsers skip them inside a scheme
    .replace(/[\u0000-\u0020\u007f-\u009f\u00ad\u200b-\u200f\u2028\u2029\ufeff]/g, '')

/** Returns the scheme of a URL attribute; '' if it is relative; undefined if it is not certain. */
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

/** Verdict on an attribute: it stays, it goes, or a part of it goes. `faults` names the removed parts. */
export type AttributeVerdict =
  | { kind: 'stays' }
  | { kind: 'goes'; faults: string[] }
  | { kind: 'changed'; value: string; faults: string[] }

const STAYS: AttributeVerdict = { kind: 'stays' }

const judgeStyle = (raw: string): AttributeVerdict => {
  const declarations = declarationsOf(decodeAttribute(raw))
  const kept = declarations.filter(({ isSafe }) => isSafe)
  if (kept.length === declarations.length) return STAYS
  if (kept.length === 0) return { kind: 'goes', faults: ['style attribute'] }
  const faults = declarations.filter(({ isSafe }) => !isSafe).map(({ name }) => `${name} in style`)
  return { kind: 'changed', value: kept.map(({ text }) => text).join('; '), faults }
}

const judgeSrcset = (raw: string): AttributeVerdict => {
  const candidates = candidatesOf(decodeAttribute(raw))
  // Some parsers ignore the space after an address, so the whole candidate must be safe too.
  const kept = candidates.filter(({ url, text }) => isSafeUrl(escapeText(url)) && isSafeUrl(escapeText(text)))
  const faults = ['unsafe URL in srcset']
  if (kept.length === candidates.length) return STAYS
  if (kept.length === 0) return { kind: 'goes', faults }
  return { kind: 'changed', value: kept.map(({ text }) => text).join(', '), faults }
}

const isAllowed = (tag: string, name: string, isMath: boolean): boolean =>
  GLOBAL_ATTRIBUTES.has(name) ||
  /^(aria|data)-[a-z0-9-]+$/.test(name) ||
  name === 'style' ||
  (isMath ? MATH_ATTRIBUTES.has(name) || MATH[tag]?.includes(name) === true : ELEMENTS[tag]?.includes(name) === true)

/** Returns the verdict on an attribute. `raw` is its value as in the source. */
export const judgeAttribute = (tag: string, name: string, raw: string, isMath: boolean): AttributeVerdict => {
  if (!isAllowed(tag, name, isMath)) return { kind: 'goes', faults: [`${name} attribute`] }
  if (name === 'style') return judgeStyle(raw)
  if (name === 'srcset') return judgeSrcset(raw)
  if (!URL_ATTRIBUTES.has(name) || isSafeUrl(raw)) return STAYS
  const scheme = schemeOf(raw)
  return { kind: 'goes', faults: [scheme ? `${scheme}: URL in ${name}` : `unsafe URL in ${name}`] }
}

/** True for the address of a player, or of a video's page. */
const isPlayer = (raw: string): boolean => {
  const url = plainUrl(raw)
  const [, host] = /^(?:https?:)?\/\/([^/]*)\//i.exec(url) ?? []
  return (host !== undefined && playerSite(host) !== undefined) || playerOfPage(url) !== undefined
}

/**
 * Returns a player's new https address, or no `src` if it stays, and names the changes. Undefined if the frame is not a player.
 *
 * `late` has the addresses in attributes from which a script would take the `src`.
 */
export const playerAddress = (
  sources: readonly string[],
  late: readonly string[],
): { src: string | undefined; faults: string[] } | undefined => {
  const isEmpty = sources.every((raw) => /^(?:|about:blank)$/i.test(plainUrl(raw)))
  const given = isEmpty ? late.find(isPlayer) : sources.every(isPlayer) ? sources[0] : undefined
  if (given === undefined) return undefined
  const url = plainUrl(given)
  const player = playerOfPage(url)
  const faults = [
    ...(isEmpty ? ['data-src of <iframe> (made src)'] : []),
    ...(player === undefined ? [] : ['page of a video in src of <iframe> (made its player)']),
    ...(player === undefined && /^http:/i.test(url) ? ['http: URL in src of <iframe> (made https:)'] : []),
  ]
  return { src: faults.length > 0 ? (player ?? url.replace(/^http:/i, 'https:')) : undefined, faults }
}

/**
 * Verdict on an element: it stays, only its tags are removed, it is removed with its content, or it is a removed data image.
 */
export type Verdict = 'stays' | 'unwrapped' | 'dropped' | 'data_image'

/** Returns the verdict on an element. `sources` has every `src` attribute of its tag, repeated ones included. */
export const judgeElement = (tag: string, sources: readonly string[], isPlayerFrame: boolean): Verdict => {
  if (tag === 'img' && sources.some((raw) => schemeOf(raw) === 'data')) return 'data_image'
  if (DROPPED.has(tag) || (tag === 'iframe' && !isPlayerFrame)) return 'dropped'
  return SHELLS.has(tag) || !Object.hasOwn(ELEMENTS, tag) ? 'unwrapped' : 'stays'
}

/** True if HTML has an element of this name, allowed or not. */
export const isKnownElement = (tag: string): boolean =>
  Object.hasOwn(ELEMENTS, tag) || SHELLS.has(tag) || DROPPED.has(tag) || tag === 'math' || tag === 'h1'

/** Returns the verdict on an element within `<math>`. Only elements of MathML Core stay. */
export const judgeMath = (tag: string): Verdict => {
  if (tag !== 'math' && Object.hasOwn(MATH, tag)) return 'stays'
  return DROPPED.has(tag) || tag === 'iframe' ? 'dropped' : 'unwrapped'
}
