/** Names of U+00A0 to U+00FF in order. HTML allows them without a semicolon too. */
const LATIN =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute ' +
  'micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig ' +
  'Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash ' +
  'Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ' +
  'ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc ' +
  'uuml yacute thorn yuml'

/** Further names, each with its code point in base 36: punctuation, common symbols, and more Latin letters. */
const OTHERS =
  'Tab 9 NewLine a excl x quot y num z dollar 10 percnt 11 amp 12 apos 13 lpar 14 rpar 15 ast 16 plus 17 comma 18 ' +
  'period 1a sol 1b colon 1m semi 1n lt 1o equals 1p gt 1q quest 1r commat 1s lsqb 2j bsol 2k rsqb 2l lowbar 2n ' +
  'lcub 3f rcub 3h abreve 77 Aogon 78 aogon 79 Cacute 7a cacute 7b Ccaron 7g ccaron 7h Dstrok 7k dstrok 7l Eogon 7s ' +
  'eogon 7t Ecaron 7u ecaron 7v Gbreve 7y gbreve 7z Idot 8g inodot 8h Lstrok 8x lstrok 8y Nacute 8z nacute 90 ' +
  'Odblac 9c odblac 9d OElig 9e oelig 9f rcaron 9l Sacute 9m sacute 9n Scedil 9q scedil 9r Scaron 9s scaron 9t ' +
  'Uring a6 uring a7 udblac a9 Yuml ag Zacute ah zacute ai Zdot aj zdot ak Zcaron al zcaron am circ jq tilde kc ' +
  'ensp 6bm emsp 6bn thinsp 6bt zwnj 6bw zwj 6bx lrm 6by rlm 6bz ndash 6c3 mdash 6c4 lsquo 6c8 rsquo 6c9 sbquo 6ca ' +
  'ldquo 6cc rdquo 6cd bdquo 6ce dagger 6cg Dagger 6ch bull 6ci hellip 6cm permil 6cw prime 6cy Prime 6cz lsaquo ' +
  '6d5 rsaquo 6d6 euro 6gc trade 6jm frac13 6kz frac23 6l0 larr 6mo uarr 6mp rarr 6mq darr 6mr harr 6ms rArr 6oi ' +
  'minus 6qa infin 6qm ne 6sg le 6sk ge 6sl hearts 7l1'

/** Other names that need no semicolon (HTML standard, 13.5). */
const LEGACY = ['amp', 'lt', 'gt', 'quot', 'AMP', 'LT', 'GT', 'QUOT']

type Names = { all: Map<string, string>; legacy: Set<string> }
let names: Names | undefined

/** Returns the table of names. It is built for the first reference, not while a Worker starts. */
const namesKnown = (): Names => {
  if (names) return names
  const latin = LATIN.split(' ')
  const all = new Map(latin.map((name, n) => [name, String.fromCharCode(0xa0 + n)]))
  const others = OTHERS.split(' ')
  for (let at = 0; at < others.length; at += 2)
    all.set(others[at] ?? '', String.fromCharCode(Number.parseInt(others[at + 1] ?? '', 36)))
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

const named = (whole: string, name: string, end: string): string => {
  const { all, legacy } = namesKnown()
  if (end === ';') return all.get(name) ?? whole
  return legacy.has(name) ? (all.get(name) ?? whole) : whole
}

type Place = 'text' | 'attribute'

const decode = (text: string, place: Place): string =>
  text.includes('&')
    ? text.replace(REFERENCE, (whole, hex?: string, digits?: string, name = '', end = '', at = 0) => {
        if (hex !== undefined) return codePoint(Number.parseInt(hex, 16))
        if (digits !== undefined) return codePoint(Number(digits))
        const isField = place === 'attribute' && end === '' && text[at + whole.length] === '='
        return isField ? whole : named(whole, name, end)
      })
    : text

/**
 * Returns text with its character references decoded: numbers, and common names. Unknown names stay.
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
