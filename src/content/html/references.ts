/** Names of U+00A0 to U+00FF in order. HTML allows them without a semicolon too. */
const LATIN =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute ' +
  'micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig ' +
  'Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash ' +
  'Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ' +
  'ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc ' +
  'uuml yacute thorn yuml'

/** Other names: punctuation, common symbols, and more Latin letters. */
const OTHERS: Readonly<Record<string, string>> = {
  Tab: '\t',
  NewLine: '\n',
  excl: '!',
  quot: '"',
  num: '#',
  dollar: '$',
  percnt: '%',
  amp: '&',
  apos: "'",
  lpar: '(',
  rpar: ')',
  ast: '*',
  plus: '+',
  comma: ',',
  period: '.',
  sol: '/',
  colon: ':',
  semi: ';',
  lt: '<',
  equals: '=',
  gt: '>',
  quest: '?',
  commat: '@',
  lsqb: '[',
  bsol: '\\',
  rsqb: ']',
  lowbar: '_',
  lcub: '{',
  rcub: '}',
  abreve: 'ă',
  Aogon: 'Ą',
  aogon: 'ą',
  Cacute: 'Ć',
  cacute: 'ć',
  Ccaron: 'Č',
  ccaron: 'č',
  Dstrok: 'Đ',
  dstrok: 'đ',
  Eogon: 'Ę',
  eogon: 'ę',
  Ecaron: 'Ě',
  ecaron: 'ě',
  Gbreve: 'Ğ',
  gbreve: 'ğ',
  Idot: 'İ',
  inodot: 'ı',
  Lstrok: 'Ł',
  lstrok: 'ł',
  Nacute: 'Ń',
  nacute: 'ń',
  Odblac: 'Ő',
  odblac: 'ő',
  OElig: 'Œ',
  oelig: 'œ',
  rcaron: 'ř',
  Sacute: 'Ś',
  sacute: 'ś',
  Scedil: 'Ş',
  scedil: 'ş',
  Scaron: 'Š',
  scaron: 'š',
  Uring: 'Ů',
  uring: 'ů',
  udblac: 'ű',
  Yuml: 'Ÿ',
  Zacute: 'Ź',
  zacute: 'ź',
  Zdot: 'Ż',
  zdot: 'ż',
  Zcaron: 'Ž',
  zcaron: 'ž',
  circ: 'ˆ',
  tilde: '˜',
  ensp: '\u2002',
  emsp: '\u2003',
  thinsp: '\u2009',
  zwnj: '\u200c',
  zwj: '\u200d',
  lrm: '\u200e',
  rlm: '\u200f',
  ndash: '–',
  mdash: '—',
  lsquo: '‘',
  rsquo: '’',
  sbquo: '‚',
  ldquo: '“',
  rdquo: '”',
  bdquo: '„',
  dagger: '†',
  Dagger: '‡',
  bull: '•',
  hellip: '…',
  permil: '‰',
  prime: '′',
  Prime: '″',
  lsaquo: '‹',
  rsaquo: '›',
  euro: '€',
  trade: '™',
  frac13: '⅓',
  frac23: '⅔',
  larr: '←',
  uarr: '↑',
  rarr: '→',
  darr: '↓',
  harr: '↔',
  rArr: '⇒',
  minus: '−',
  infin: '∞',
  ne: '≠',
  le: '≤',
  ge: '≥',
  hearts: '♥',
}

/** Greek letters from U+0391; those in lower case have the same names in lower case. `-` is not assigned. */
const GREEK =
  'Alpha Beta Gamma Delta Epsilon Zeta Eta Theta Iota Kappa Lambda Mu Nu Xi Omicron Pi Rho - Sigma Tau Upsilon Phi Chi Psi Omega'

/** The other names of HTML 4, and some signs, each with its character. */
const SIGNS =
  'sigmafς thetasymϑ upsihϒ pivϖ fnofƒ oline‾ frasl⁄ weierp℘ imageℑ realℜ alefsymℵ crarr↵ lArr⇐ uArr⇑ dArr⇓ hArr⇔ ' +
  'forall∀ part∂ exist∃ empty∅ nabla∇ isin∈ notin∉ ni∋ prod∏ sum∑ lowast∗ radic√ prop∝ ang∠ and∧ or∨ cap∩ cup∪ int∫ ' +
  'there4∴ sim∼ cong≅ asymp≈ equiv≡ sub⊂ sup⊃ nsub⊄ sube⊆ supe⊇ oplus⊕ otimes⊗ perp⊥ sdot⋅ lceil⌈ rceil⌉ lfloor⌊ ' +
  'rfloor⌋ lang⟨ rang⟩ loz◊ spades♠ clubs♣ diams♦ check✓ cross✗ star☆ starf★ phone☎ half½ vert| verbar| grave` Hat^ ' +
  'lbrace{ rbrace} lbrack[ rbrack]'

/** Other names that need no semicolon (HTML standard, 13.5). */
const LEGACY = ['amp', 'lt', 'gt', 'quot', 'AMP', 'LT', 'GT', 'QUOT']

type Names = { all: Map<string, string>; legacy: Set<string> }
let names: Names | undefined

/** Returns the table of names. It is built for the first reference, not while a Worker starts. */
const namesKnown = (): Names => {
  if (names) return names
  const latin = LATIN.split(' ')
  const all = new Map(Object.entries(OTHERS))
  for (const [n, name] of latin.entries()) all.set(name, String.fromCharCode(0xa0 + n))
  for (const [n, name] of GREEK.split(' ').entries()) {
    all.set(name, String.fromCharCode(0x391 + n))
    all.set(name.toLowerCase(), String.fromCharCode(0x3b1 + n))
  }
  for (const sign of SIGNS.split(' ')) all.set(sign.slice(0, -1), sign.slice(-1))
  for (const name of LEGACY) all.set(name, all.get(name.toLowerCase()) ?? '')
  names = { all, legacy: new Set([...latin, ...LEGACY]) }
  return names
}

/** Characters that browsers show for 0x80 to 0x9F (Windows-1252). */
const WINDOWS = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8DŽ\x8F\x90‘’“”•–—˜™š›œ\x9Dž\x9F'

const codePoint = (code: number): string => {
  if (code >= 0x80 && code <= 0x9f) return WINDOWS[code - 0x80] ?? ''
  const isCharacter = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)
  return isCharacter ? String.fromCodePoint(code) : '\uFFFD'
}

/** Character reference. Longer names are unknown; longer numbers, without leading zeros, are not code points. */
const REFERENCE = /&(?:#x0*([0-9a-f]{1,8});?|#0*([0-9]{1,8});?|([a-z][a-z0-9]{1,9})(;?))/gi

/** Longest name that needs no semicolon. */
const MAX_LEGACY = 6

/** Returns the character of a name. In a text, a name that needs no semicolon may have letters after it: `&nbspkg`. */
const named = (whole: string, name: string, end: string, place: Place): string => {
  const { all, legacy } = namesKnown()
  if (end === ';' && all.has(name)) return all.get(name) ?? whole
  if (place === 'attribute') return end === '' && legacy.has(name) ? (all.get(name) ?? whole) : whole
  for (let length = Math.min(name.length, MAX_LEGACY); length > 1; length -= 1) {
    const start = name.slice(0, length)
    if (legacy.has(start)) return `${all.get(start)}${name.slice(length)}${end}`
  }
  return whole
}

type Place = 'text' | 'attribute'

const decode = (text: string, place: Place): string =>
  text.includes('&')
    ? text.replace(REFERENCE, (whole, hex?: string, digits?: string, name = '', end = '', at = 0) => {
        if (hex !== undefined) return codePoint(Number.parseInt(hex, 16))
        if (digits !== undefined) return codePoint(Number(digits))
        const isField = place === 'attribute' && end === '' && text[at + whole.length] === '='
        return isField ? whole : named(whole, name, end, place)
      })
    : text

/**
 * Returns text with its character references decoded: numbers, the names of HTML 4, and common others. Unknown names stay.
 *
 * The time is proportional to the text.
 */
export const decodeReferences = (text: string): string => decode(text, 'text')

/** Decodes an attribute's value. In it, `&copy=` is a field of an address (HTML standard, 13.2.5.73). */
export const decodeAttribute = (value: string): string => decode(value, 'attribute')

/** Returns text with each run of whitespace replaced by one space, and without soft hyphens. */
export const collapse = (text: string): string =>
  text
    .replace(/\u00ad/g, '')
    .replace(/\s+/g, ' ')
    .trim()

/** Returns text as readers see it: references decoded, whitespace collapsed. */
export const plainText = (raw: string): string => collapse(decodeReferences(raw))

/** Escapes text for HTML. */
export const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** Escapes text for a quoted attribute. */
export const escapeAttribute = (text: string): string => escapeText(text).replaceAll('"', '&quot;')
