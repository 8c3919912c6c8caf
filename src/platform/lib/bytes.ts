/** Returns two byte arrays joined into one. */
export const joined = (a: Uint8Array, b: Uint8Array): Uint8Array<ArrayBuffer> => {
  const both = new Uint8Array(a.length + b.length)
  both.set(a)
  both.set(b, a.length)
  return both
}

let table: Uint32Array | undefined

const crcTable = (): Uint32Array => {
  table ??= Uint32Array.from({ length: 256 }, (_, n) => {
    let c = n
    for (let bit = 0; bit < 8; bit += 1) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1
    return c >>> 0
  })
  return table
}

/** Returns the CRC-32 (ISO 3309, as in zlib) of an ASCII text. */
export const crc32 = (text: string): number => {
  const crcs = crcTable()
  let c = 0xffffffff
  for (let i = 0; i < text.length; i += 1) c = (crcs[(c ^ text.charCodeAt(i)) & 0xff] ?? 0) ^ (c >>> 8)
  return (c ^ 0xffffffff) >>> 0
}

/** Special values in the table of base64 characters: 64 for blanks, 65 for `=`, 66 for a backslash, 255 for anything else. */
const [BLANK, PADDING, ESCAPE, NONE] = [64, 65, 66, 255]

const SIGNS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

let decoding: Uint8Array | undefined

const values = (): Uint8Array => {
  if (decoding) return decoding
  const made = new Uint8Array(256).fill(NONE)
  for (let i = 0; i < 64; i += 1) made[SIGNS.charCodeAt(i)] = i
  // The URL-safe alphabet (RFC 4648, section 5).
  made['-'.charCodeAt(0)] = 62
  made['_'.charCodeAt(0)] = 63
  for (const blank of ' \t\r\n') made[blank.charCodeAt(0)] = BLANK
  made['='.charCodeAt(0)] = PADDING
  made['\\'.charCodeAt(0)] = ESCAPE
  decoding = made
  return made
}

/** Returns the byte that a JSON escape stands for, and the length of the escape. */
const escaped = (bytes: Uint8Array, at: number): { byte: number; length: number } => {
  const sign = String.fromCharCode(bytes[at + 1] ?? 0)
  if (sign === 'u') {
    const code = Number.parseInt(String.fromCharCode(...bytes.subarray(at + 2, at + 6)), 16)
    return { byte: code < 128 ? code : 0, length: 6 }
  }
  const byte = { n: 10, r: 13, t: 9, '/': 47, '"': 34, '\\': 0 }[sign] ?? 0
  return { byte, length: 2 }
}

/**
 * Decodes base64 in a JSON string in place: the result is a view of the same memory. Undefined if it is not base64.
 *
 * Accepts both alphabets of RFC 4648, blanks and missing padding. Large texts need no second copy.
 */
export const decodeInPlace = (
  bytes: Uint8Array<ArrayBuffer>,
  from: number,
  to: number,
): Uint8Array<ArrayBuffer> | undefined => {
  const signs = values()
  let [out, held, count, padding] = [from, 0, 0, 0]
  for (let at = from; at < to; ) {
    let value = signs[bytes[at] ?? 0] ?? NONE
    if (value === ESCAPE) {
      const { byte, length } = escaped(bytes, at)
      at += length
      value = signs[byte] ?? NONE
    } else {
      // JSON escapes control characters.
      if ((bytes[at] ?? 0) < 0x20) return undefined
      at += 1
    }
    if (value < 64 && padding === 0) {
      held = (held << 6) | value
      count += 1
      if (count === 4) {
        bytes[out] = held >> 16
        bytes[out + 1] = held >> 8
        bytes[out + 2] = held
        out += 3
        held = 0
        count = 0
      }
    } else if (value === PADDING) padding += 1
    else if (value !== BLANK) return undefined
  }
  if (count === 1 || (padding > 0 && count + padding !== 4)) return undefined
  if (count > 1) bytes[out++] = count === 2 ? held >> 4 : held >> 10
  if (count === 3) bytes[out++] = held >> 2
  return bytes.subarray(from, out)
}

/** Crockford's base 32: no I, L, O and U. */
const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/

/** True if a text is a ULID in its canonical spelling (https://github.com/ulid/spec). */
export const isUlid = (text: string): boolean => ULID.test(text)

/** Returns a ULID: 48 bits of time, then 80 random ones from the bytes in `random`. Later ULIDs sort after earlier ones. */
export const ulid = (now: Date, random: Uint8Array): string => {
  let text = ''
  for (let time = now.getTime(), n = 0; n < 10; n += 1, time = Math.floor(time / 32)) text = DIGITS[time % 32] + text
  // 80 bits are 16 digits of 5.
  let [bits, held] = [0, 0]
  for (const byte of random.subarray(0, 10)) {
    bits = (bits << 8) | byte
    held += 8
    while (held >= 5) {
      held -= 5
      text += DIGITS[(bits >> held) & 31]
      bits &= (1 << held) - 1
    }
  }
  return text
}

/** Number of bytes searched for the character set that a page names. Browsers search at least 1,024. */
const PRESCAN_BYTES = 8_192

const BYTE_ORDER_MARKS: readonly (readonly [string, ...number[]])[] = [
  ['utf-8', 0xef, 0xbb, 0xbf],
  ['utf-16be', 0xfe, 0xff],
  ['utf-16le', 0xff, 0xfe],
]
/** First bytes of `<?xml` in UTF-16 without a byte order mark. */
const XML_IN_UTF16: readonly (readonly [string, ...number[]])[] = [
  ['utf-16le', 0x3c, 0, 0x3f, 0, 0x78, 0],
  ['utf-16be', 0, 0x3c, 0, 0x3f, 0, 0x78],
]

const beginningOf = (bytes: Uint8Array, known: typeof BYTE_ORDER_MARKS): string | undefined =>
  known.find(([, ...signs]) => signs.every((sign, n) => bytes[n] === sign))?.[0]

/** Returns the name of a character set in lower case; undefined if browsers do not know it. */
const knownLabel = (label: string | undefined): string | undefined => {
  try {
    return label === undefined ? undefined : new TextDecoder(label.trim()).encoding
  } catch {
    return undefined
  }
}

const namedIn = (text: string): string | undefined =>
  /charset\s*=\s*(?:"([^"]+)"|'([^']+)'|([^\s;"']+))/i.exec(text)?.slice(1).find(Boolean)

const ATTRIBUTE = /([^\s"'<>/=]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/g

/** Returns the character set that a `meta` element names (HTML, section 13.2.3.2). */
const inMeta = (tag: string): string | undefined => {
  const attributes = new Map(
    [...tag.matchAll(ATTRIBUTE)].map(([, name = '', ...values]) => [name.toLowerCase(), values.find(Boolean) ?? '']),
  )
  const isPragma = attributes.get('http-equiv')?.toLowerCase() === 'content-type'
  const label = attributes.get('charset') ?? (isPragma ? namedIn(attributes.get('content') ?? '') : undefined)
  const known = knownLabel(label)
  // UTF-16 is wrong here: the element was readable as ASCII.
  if (known?.startsWith('utf-16')) return 'utf-8'
  return label?.trim().toLowerCase() === 'x-user-defined' ? 'windows-1252' : known
}

const inDocument = (bytes: Uint8Array): string | undefined => {
  const utf16 = beginningOf(bytes, XML_IN_UTF16)
  if (utf16) return utf16
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, PRESCAN_BYTES)).replace(/<!--[\s\S]*?(?:-->|$)/g, '')
  const xml = knownLabel(/^\s*<\?xml\s[^>]*?encoding\s*=\s*["']([^"'>]+)/.exec(head)?.[1])
  if (xml) return xml.startsWith('utf-16') ? 'utf-8' : xml
  for (const [tag] of head.matchAll(/<meta[\s/][^>]*>/gi)) {
    const found = inMeta(tag)
    if (found) return found
  }
  return undefined
}

const isUtf8 = (bytes: Uint8Array): boolean => {
  try {
    new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes)
    return true
  } catch {
    return false
  }
}

/**
 * Returns the character set of a page or XML file, in the browsers' order: byte order mark, header, document.
 *
 * Undefined if none of them names one.
 */
export const charsetOf = (start: Uint8Array, contentType: string): string | undefined =>
  beginningOf(start, BYTE_ORDER_MARKS) ?? knownLabel(namedIn(contentType)) ?? inDocument(start)

/** Returns the text of a page, decoded. Without a named character set, it is UTF-8 if the bytes are valid, else windows-1252. */
export const decodePage = (bytes: Uint8Array, contentType: string): string =>
  new TextDecoder(charsetOf(bytes, contentType) ?? (isUtf8(bytes) ? 'utf-8' : 'windows-1252')).decode(bytes)
